// SPDX-License-Identifier: MIT
// Speed of the CPU beside its peers: the same bare-metal images in Endicott, qemu-system-s390x and
// Hercules, in turns, by the CPU time of their processes. Figures, not a test: `make bench-cpu`.
//
//   bench_kernels [DIRECTORY]   also the flat images of a guest kit (DIRECTORY/flat/*.img)
//
// An image has its number of passes at X'10010' and ends in a disabled wait. What starting an
// emulator costs is taken off by a run of a single pass.
#include <poll.h>

#include "cpu/bare.h"
#include "cpu/bench_tools.h"

#define PASSES_AT 0x10010u
#define ENOUGH    0.3 // seconds of a measured run
#define PATIENCE  20  // seconds until a run of one pass counts as failed

static char directory[] = "/tmp/endicott-bench-XXXXXX";

struct image {
    char name[16];
    uint8_t *bytes;
    size_t size;
    double instructions; // a pass
};

static bool image_read(struct image *image, const char *path, const char *name)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    *image = (struct image){.bytes = malloc(8u << 20)};
    if (!image->bytes)
        abort();
    snprintf(image->name, sizeof image->name, "%s", name);
    image->size = fread(image->bytes, 1, 8u << 20, f);
    fclose(f);
    return image->size > PASSES_AT + 4;
}

// --- one run in each emulator: CPU seconds, or less than 0 --------------------------------------

static struct cpu *run_here(const struct image *image, struct bare **bare)
{
    *bare = bare_new(64);
    struct cpu *cpu = (*bare)->cpu;
    bare_put(*bare, 0, image->bytes, (unsigned)image->size);
    cpu_set_architecture(cpu, ARCH_ESA390);
    cpu_psw_unpack_short(cpu, image->bytes);
    cpu_state_changed(cpu);
    return cpu_run(cpu, UINT64_MAX) == CPU_EXIT_DISABLED_WAIT ? cpu : NULL;
}

static double run_endicott(const struct image *image, unsigned patience)
{
    struct child child = {fork(), NULL};
    if (child.pid == 0) {
        struct bare *bare;
        alarm(patience);
        _exit(run_here(image, &bare) ? 0 : 1);
    }
    int code;
    double used = child_end(&child, false, &code);
    return code == 0 ? used : -1;
}

static void save(const struct image *image)
{
    char path[64];
    snprintf(path, sizeof path, "%s/bench.img", directory);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(image->bytes, 1, image->size, f) != image->size || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

// It ends with the disabled wait.
static double run_qemu(const struct image *image, unsigned patience)
{
    save(image);
    char command[256];
    snprintf(command, sizeof command,
             "exec timeout %u qemu-system-s390x -M s390-ccw-virtio,accel=tcg -m 64 -display none "
             "-no-reboot -action panic=shutdown -monitor none -serial none -kernel bench.img",
             patience);
    int code;
    struct child child = child_start(directory, command);
    double used = child_end(&child, false, &code);
    return code == 0 ? used : -1;
}

// Reads what the child says until `words` come; false when they do not in time.
static bool child_says(struct child *child, const char *words, unsigned patience)
{
    static char text[1 << 16];
    size_t have = 0;
    time_t end = time(NULL) + (time_t)patience;
    struct pollfd fd = {.fd = fileno(child->output), .events = POLLIN};
    while (time(NULL) < end && have < sizeof text - 1) {
        if (poll(&fd, 1, 500) <= 0)
            continue;
        ssize_t n = read(fd.fd, text + have, sizeof text - 1 - have);
        if (n <= 0)
            return false;
        have += (size_t)n;
        text[have] = 0;
        if (strcasestr(text, words))
            return true;
    }
    return false;
}

// It does not end with the wait, but says that it came.
static double run_hercules(const struct image *image, unsigned patience)
{
    save(image);
    write_text(directory, "bench.ins", "bench.img 0x00000000\n");
    write_hercules(directory, 64, "bench.ins");
    struct child child = child_start(directory, "exec hercules -d -f bench.cnf");
    bool waited = child_says(&child, "disabled wait", patience);
    double used = child_time(&child);
    int code;
    child_end(&child, true, &code);
    return waited ? used : -1;
}

static double run(enum emulator e, const struct image *image, uint32_t passes, unsigned patience)
{
    be32_store(image->bytes + PASSES_AT, passes);
    switch (e) {
    case ENDICOTT:
        return run_endicott(image, patience);
    case QEMU:
        return run_qemu(image, patience);
    default:
        return run_hercules(image, patience);
    }
}

// --- the measurement ----------------------------------------------------------------------------

static uint64_t count(const struct image *image, uint32_t passes)
{
    struct bare *bare;
    be32_store(image->bytes + PASSES_AT, passes);
    struct cpu *cpu = run_here(image, &bare);
    uint64_t n = cpu ? cpu->instructions : 0;
    bare_free(bare);
    return n;
}

struct plan {
    uint32_t passes; // 0: it does not run there
    double start;    // seconds of a single pass
};

// How many passes take long enough.
static struct plan make_plan(enum emulator e, const struct image *image)
{
    struct plan plan = {.start = emulator_present(e) ? run(e, image, 1, PATIENCE) : -1};
    if (plan.start < 0)
        return plan;
    for (plan.passes = 2; plan.passes < UINT32_MAX / 8; plan.passes *= 4) {
        double used = run(e, image, plan.passes, PATIENCE * 5) - plan.start;
        if (used < ENOUGH / 8)
            continue;
        double wanted = plan.passes * ENOUGH / used;
        plan.passes = wanted < 2 ? 2 : wanted > 4e9 ? 4000000000u : (uint32_t)wanted;
        break;
    }
    return plan;
}

static struct row measure(struct image *image)
{
    struct row row = {0};
    struct plan plans[EMULATORS];
    double rates[EMULATORS][ROUNDS];
    snprintf(row.name, sizeof row.name, "%s", image->name);
    image->instructions = (double)(count(image, 101) - count(image, 1)) / 100;
    for (enum emulator e = 0; e < EMULATORS; e++)
        plans[e] = make_plan(e, image);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (enum emulator e = 0; e < EMULATORS; e++) {
            if (!plans[e].passes)
                continue;
            double start = run(e, image, 1, PATIENCE);
            double used = run(e, image, plans[e].passes, PATIENCE * 5);
            rates[e][round] = image->instructions * (plans[e].passes - 1) / (used - start) / 1e6;
        }
    }
    for (enum emulator e = 0; e < EMULATORS; e++)
        row.rate[e] = plans[e].passes ? median(rates[e], ROUNDS) : 0;
    return row;
}

static void section(const char *title, const char *folder, const char *suffix,
                    const char *const *names, const char *rows_file)
{
    struct row rows[16];
    unsigned n = 0;
    printf("\n%s\n", title);
    print_header("MIPS");
    for (; names[n]; n++) {
        char path[512];
        struct image image;
        snprintf(path, sizeof path, "%s/%s%s", folder, names[n], suffix);
        if (!image_read(&image, path, names[n])) {
            fprintf(stderr, "%s: no image\n", path);
            exit(1);
        }
        rows[n] = measure(&image);
        print_row(&rows[n]);
        free(image.bytes);
    }
    print_mean(rows, n, QEMU);
    print_mean(rows, n, HERCULES);
    if (rows_file)
        write_rows(rows_file, rows, n);
}

int main(int argc, char **argv)
{
    static const char *const kernels[] = {"core",  "records", "arithmetic", "floating", "chase",
                                          "bytes", "decimal", "supervisor", "faults",   NULL};
    static const char *const flat[] = {"bct", "mix", "br", "mem", NULL};
    if (!mkdtemp(directory)) {
        perror(directory);
        return 1;
    }
    section("Bare-metal programs (tests/cpu/bench), medians of 5", CPU_PROGRAMS "/bench", ".img",
            kernels, NULL);
    if (argc > 1) {
        char folder[512];
        snprintf(folder, sizeof folder, "%s/flat", argv[1]);
        section("Flat images of the guest kit, medians of 5", folder, ".img", flat,
                argc > 2 ? argv[2] : NULL);
    }
    execlp("rm", "rm", "-rf", directory, (char *)NULL);
    return 1;
}
