// SPDX-License-Identifier: MIT
// Test scripts: the console commands that they use.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "machine/tst_internal.h"

#define LINE_BYTES      16u
#define DISPLAY_DEFAULT 64u
#define CPUS_MAX        8u
#define STORAGE_MAX     (UINT64_C(4) << 30)

// The next word, or "" when there is none; quotes hold blanks.
static char *word(char **rest)
{
    char *start = *rest + strspn(*rest, " \t");
    bool quoted = *start == '"';
    char *end;

    start += quoted;
    end = start + strcspn(start, quoted ? "\"" : " \t");
    *rest = end + (*end != '\0');
    *end = '\0';
    return start;
}

static uint64_t absolute_of(struct tst *tst, uint64_t address, bool real)
{
    return real ? cpu_real_to_absolute(tst_cpu(tst), address) : address;
}

// AA=HEX: bytes into storage.
static void alter(struct tst *tst, uint64_t address, const char *hex, bool real)
{
    unsigned digits = 0, byte = 0;

    for (; *hex; hex++) {
        if (isspace((unsigned char)*hex))
            continue;
        if (!isxdigit((unsigned char)*hex)) {
            tst_wrong(tst, "not hexadecimal: %s", hex);
            return;
        }
        int c = tolower((unsigned char)*hex);
        byte = byte << 4 | (unsigned)(isdigit(c) ? c - '0' : c - 'a' + 10);
        if (++digits % 2)
            continue;
        uint8_t b = (uint8_t)byte;
        if (!storage_write(tst->machine->storage, absolute_of(tst, address, real), &b, 1))
            tst_wrong(tst, "no storage at %llX", (unsigned long long)address);
        address++;
    }
}

// Remembers the last line of a display: words of four bytes, and the key of its frame. Looking is
// not a reference that the key would show.
static void display(struct tst *tst, uint64_t address, uint64_t n, bool real)
{
    uint64_t last = address + (n ? (n - 1) / LINE_BYTES * LINE_BYTES : 0);
    uint64_t absolute = absolute_of(tst, last, real);
    const struct storage_extent *extent;
    size_t at = 0;

    n -= last - address;
    tst->shown[0] = '\0';
    extent = n ? storage_find(tst->machine->storage, absolute, n) : NULL;
    if (!extent)
        return;
    tst->key = storage_key(tst->machine->storage, absolute);
    for (uint64_t i = 0; i < n; i++)
        at += (size_t)snprintf(tst->shown + at, sizeof tst->shown - at, "%s%02X",
                               i && i % 4 == 0 ? " " : "",
                               extent->bytes[absolute - extent->start + i]);
}

// ADDRESS=HEX, ADDRESS, ADDRESS.LENGTH or ADDRESS-END.
static void storage_command(struct tst *tst, char *rest, bool real)
{
    char *end;
    uint64_t address = strtoull(rest, &end, 16), n = DISPLAY_DEFAULT;

    end += strspn(end, " \t");
    if (end == rest) {
        tst_wrong(tst, "no address: %s", rest);
        return;
    }
    if (*end == '=') {
        alter(tst, address, end + 1, real);
        return;
    }
    if (*end == '.')
        n = strtoull(end + 1, NULL, 16);
    else if (*end == '-')
        n = strtoull(end + 1, NULL, 16) - address + 1;
    display(tst, address, n, real);
}

static void real_storage(struct tst *tst, char *rest)
{
    storage_command(tst, rest, true);
}

static void absolute_storage(struct tst *tst, char *rest)
{
    storage_command(tst, rest, false);
}

static void sysclear(struct tst *tst, char *rest)
{
    (void)rest;
    tst_reset(tst, true);
}

static void sysreset(struct tst *tst, char *rest)
{
    (void)rest;
    tst_reset(tst, false);
}

static void archlvl(struct tst *tst, char *rest)
{
    static const struct {
        const char *name;
        enum architecture arch;
        bool s370;
    } modes[] = {
        {"z/Arch", ARCH_Z, false},     {"z", ARCH_Z, false},
        {"esame", ARCH_Z, false},      {"ESA/390", ARCH_ESA390, false},
        {"390", ARCH_ESA390, false},   {"ESA390", ARCH_ESA390, false},
        {"S/390", ARCH_ESA390, false}, {"ESA", ARCH_ESA390, false},
        {"S/370", ARCH_ESA390, true},  {"370", ARCH_ESA390, true},
        {"s370", ARCH_ESA390, true},
    };
    const char *mode = word(&rest);

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strcasecmp(mode, modes[i].name) != 0)
            continue;
        tst->arch = modes[i].arch;
        tst->s370 = modes[i].s370;
        if (tst->s370)
            tst_skip(tst, "S/370 mode");
        tst_reset(tst, false);
        return;
    }
    tst_skip(tst, "mode %s", mode);
}

static void loadcore(struct tst *tst, char *rest)
{
    const char *path = word(&rest);
    uint64_t address = strtoull(rest, NULL, 16);
    size_t n;
    char *bytes = tst_read(path, &n);

    if (!bytes)
        tst_wrong(tst, "%s cannot be read", path);
    else if (n && !storage_write(tst->machine->storage, address, bytes, n))
        tst_wrong(tst, "%s does not fit into storage", path);
    free(bytes);
}

// Old PSWs by what is named, in both formats, and where the restart new PSW is.
static const struct {
    const char *name;
    uint16_t z, esa;
} interruptions[] = {
    {"external", 0x130, 0x18}, {"svc", 0x140, 0x20}, {"program", 0x150, 0x28},
    {"machine", 0x160, 0x30},  {"io", 0x170, 0x38},
};
#define RESTART_NEW_Z   0x1A0u
#define RESTART_NEW_ESA 0x000u

static void resume_from(struct tst *tst, unsigned which)
{
    bool z = tst->arch == ARCH_Z;
    uint64_t prefix = tst_cpu(tst)->prefix;
    uint8_t psw[16];
    size_t n = z ? 16 : 8;

    if (storage_read(tst->machine->storage,
                     prefix + (z ? interruptions[which].z : interruptions[which].esa), psw, n))
        storage_write(tst->machine->storage, prefix + (z ? RESTART_NEW_Z : RESTART_NEW_ESA), psw,
                      n);
}

// [restart|start|an interruption's name] [seconds]
static void runtest(struct tst *tst, char *rest)
{
    char *operand = word(&rest);
    bool restart = true;

    if (isalpha((unsigned char)operand[0])) {
        bool known = strcasecmp(operand, "restart") == 0;
        if (strcasecmp(operand, "start") == 0) {
            restart = false;
            known = true;
        }
        for (unsigned i = 0; i < sizeof interruptions / sizeof *interruptions; i++)
            if (strcasecmp(operand, interruptions[i].name) == 0) {
                resume_from(tst, i);
                known = true;
            }
        if (!known)
            tst_skip(tst, "runtest %s", operand);
        operand = word(&rest);
    }
    double seconds = *operand ? atof(operand) : tst->limit;
    if (!tst->now.skip.len)
        tst_go(tst, restart, seconds > 0 ? seconds : tst->limit);
}

static void numcpu(struct tst *tst, char *rest)
{
    uint64_t n;

    if (!text_to_u64(word(&rest), 10, CPUS_MAX, &n) || !n)
        tst_skip(tst, "so many CPUs");
    else if (n != tst->machine->cpus)
        tst_configure(tst, storage_size(tst->machine->storage), (unsigned)n);
}

// A number means megabytes when no unit says otherwise.
static void mainsize(struct tst *tst, char *rest)
{
    char *operand = word(&rest), *end;
    uint64_t n = strtoull(operand, &end, 10);
    unsigned shift = *end == '\0' || tolower((unsigned char)*end) == 'm' ? 20
                     : tolower((unsigned char)*end) == 'g'               ? 30
                     : tolower((unsigned char)*end) == 'k'               ? 10
                                                                         : 64;

    if (shift == 64 || !n || n > STORAGE_MAX >> shift)
        tst_skip(tst, "storage of %s", operand);
    else if (n << shift != storage_size(tst->machine->storage))
        tst_configure(tst, n << shift, tst->machine->cpus);
}

static void diag8cmd(struct tst *tst, char *rest)
{
    tst->diagnose_8 = strncasecmp(word(&rest), "en", 2) == 0;
}

static void defsym(struct tst *tst, char *rest)
{
    char *name = word(&rest);
    tst_define(tst, name, word(&rest));
}

static void script(struct tst *tst, char *rest)
{
    char *path = word(&rest);

    if (strchr(rest, '&'))
        tst_skip(tst, "a script that runs beside another");
    else if (tst_include(tst, path))
        tst_wrong(tst, "%s cannot be read", path);
}

// CR [N=HEX]
static void control_registers(struct tst *tst, char *rest)
{
    char *value = strchr(rest, '=');
    uint64_t n, hex;

    if (!value)
        return;
    *value++ = '\0';
    if (text_to_u64(word(&rest), 10, 15, &n) && text_to_u64(word(&value), 16, UINT64_MAX, &hex))
        tst_cpu(tst)->cr[n] = hex;
    else
        tst_wrong(tst, "not a control register and its value");
    cpu_pend(tst_cpu(tst), PEND_FLUSH);
}

// PR [HEX]; one that is not there changes nothing.
static void prefix(struct tst *tst, char *rest)
{
    uint64_t value;

    if (!text_to_u64(word(&rest), 16, INT32_MAX, &value))
        return;
    value &= tst->arch == ARCH_Z ? ~UINT64_C(0x1FFF) : ~UINT64_C(0xFFF);
    if (!storage_find(tst->machine->storage, value, 2 * FRAME_SIZE))
        return;
    tst_cpu(tst)->prefix = value;
    cpu_pend(tst_cpu(tst), PEND_FLUSH);
}

// FACILITY ENABLE|DISABLE NUMBER; names are Hercules' own.
static void facility(struct tst *tst, char *rest)
{
    char *verb = word(&rest);
    bool on = strncasecmp(verb, "en", 2) == 0;
    uint64_t bit;

    if (!on && strncasecmp(verb, "dis", 3) != 0)
        return;
    if (!text_to_u64(word(&rest), 10, 255, &bit)) {
        tst_skip(tst, "a facility by its name");
        return;
    }
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        struct cpu *cpu = tst->machine->cpu[i];
        if (!cpu)
            continue;
        cpu_facility_set(cpu, (unsigned)bit, on);
        cpu_pend(cpu, PEND_DECODE);
    }
}

// CPU N [COMMAND]: which CPU the commands mean, for one of them or from here on.
static void cpu_command(struct tst *tst, char *rest)
{
    uint64_t n;
    unsigned before = tst->cpu;

    if (!text_to_u64(word(&rest), 16, MACHINE_MAX_CPUS - 1, &n) || !tst->machine->cpu[n]) {
        tst_skip(tst, "a CPU that is not there");
        return;
    }
    tst->cpu = (unsigned)n;
    rest += strspn(rest, " \t");
    if (*rest) {
        tst_command(tst, rest);
        tst->cpu = before;
    }
}

// Displays whose result only directives look at, and settings of a console that is not here.
static void ignored(struct tst *tst, char *rest)
{
    (void)tst;
    (void)rest;
}

void tst_command(struct tst *tst, char *line)
{
    static const struct {
        const char *name;
        void (*fn)(struct tst *tst, char *rest);
    } table[] = {
        {"r", real_storage},    {"abs", absolute_storage}, {"runtest", runtest},
        {"sysclear", sysclear}, {"sysreset", sysreset},    {"archlvl", archlvl},
        {"archmode", archlvl},  {"loadcore", loadcore},    {"numcpu", numcpu},
        {"mainsize", mainsize}, {"diag8cmd", diag8cmd},    {"defsym", defsym},
        {"script", script},     {"cr", control_registers}, {"pr", prefix},
        {"facility", facility}, {"fac", facility},         {"cpu", cpu_command},
        {"gpr", ignored},       {"fpr", ignored},          {"psw", ignored},
        {"v", ignored},         {"ostailor", ignored},     {"msglevel", ignored},
        {"msglvl", ignored},    {"pause", ignored},        {"clocks", ignored},
        {"ipending", ignored},  {"stopall", ignored},
    };
    size_t n = strcspn(line, " \t");

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strlen(table[i].name) == n && strncasecmp(line, table[i].name, n) == 0) {
            table[i].fn(tst, line + n + strspn(line + n, " \t"));
            return;
        }
    }
    tst_skip(tst, "command %.*s", (int)n, line);
}
