// SPDX-License-Identifier: MIT
// Speed of a Linux guest's programs beside the peers: boots the guest kit on Endicott (bare),
// qemu-system-s390x and Hercules, one after the other, and runs its kernels (zbench) there.
// Figures, not a test: `ENDICOTT_GUEST_KIT=DIR make bench-cpu`.
//
//   bench_guest ENDICOTT SCRIPT KIT ROWS [COREMARK]
//
// ROWS is the file of rates that bench_kernels wrote, for one mean over both.
//
// A guest's clock is no measure: its emulator may run on virtual time, or wait for a busy host. So
// the guest says before and after what it did, and at these lines the CPU time of the emulator's
// process is read. Each kernel runs twice in a round, for hardly any time and for long; the
// difference in passes over the difference in CPU seconds is its rate.
#include <limits.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "cpu/bench_tools.h"

#define KERNELS_MOST 16
#define FLAT_MOST    8
#define PATIENCE     900 // seconds for one emulator

static char directory[] = "/tmp/endicott-bench-XXXXXX";

// What the guest's shell runs; BENCH lines are read here. The pauses let lines out before anything
// else happens, whatever the console buffers.
static const char extra[] =
    "say() { sleep 0.2; echo \"BENCH $*\"; sleep 0.2; }\n"
    "say begin\n"
    "for round in 1 2 3 4 5; do\n"
    "  for k in rec core chase sieve sha256 float ss dec syscall fault switch; do\n"
    "    say start $k\n"
    "    zbench $k 0 >/tmp/o; say short $(cut -d' ' -f3,7 /tmp/o)\n"
    "    zbench $k 500 >/tmp/o; say long $(cut -d' ' -f3,7 /tmp/o)\n"
    "  done\n"
    "  if [ -x /bin/coremark ]; then\n"
    "    say start coremark\n"
    "    coremark 0 0 0x66 1 7 1 2000 >/tmp/o; say short iters=1\n"
    "    coremark 0 0 0x66 250 7 1 2000 >/tmp/o; say long iters=250\n"
    "  fi\n"
    "done\n"
    "say end\n";

// --- the initramfs: the kit's, and behind it an archive of ours ---------------------------------

static void pad(FILE *f)
{
    while (ftell(f) % 4)
        fputc(0, f);
}

static void add_file(FILE *f, const char *name, unsigned mode, const void *bytes, size_t size)
{
    static unsigned inode = 900;
    fprintf(f, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", inode++, mode, 0, 0, 1,
            0, (unsigned)size, 0, 0, 0, 0, (unsigned)strlen(name) + 1, 0);
    fwrite(name, strlen(name) + 1, 1, f);
    pad(f);
    fwrite(bytes, size, 1, f);
    pad(f);
}

static void *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f || fstat(fileno(f), &st) != 0) {
        perror(path);
        exit(1);
    }
    void *bytes = malloc((size_t)st.st_size + 1);
    if (!bytes || fread(bytes, 1, (size_t)st.st_size, f) != (size_t)st.st_size) {
        perror(path);
        exit(1);
    }
    fclose(f);
    *size = (size_t)st.st_size;
    return bytes;
}

static FILE *create(const char *name)
{
    char path[PATH_MAX * 2 + 64];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "wb");
    if (!f) {
        perror(path);
        exit(1);
    }
    return f;
}

static void make_set(const char *kit, const char *coremark)
{
    char path[PATH_MAX * 2 + 64];
    size_t size;
    snprintf(path, sizeof path, "%s/initramfs.gz", kit);
    void *bytes = read_all(path, &size);
    FILE *f = create("initramfs");
    fwrite(bytes, size, 1, f);
    free(bytes);
    pad(f);
    add_file(f, "extra.sh", 0100755, extra, sizeof extra - 1);
    if (coremark) {
        bytes = read_all(coremark, &size);
        add_file(f, "bin/coremark", 0100755, bytes, size);
        free(bytes);
    }
    add_file(f, "TRAILER!!!", 0, "", 0);
    uint8_t word[4];
    be32_store(word, (uint32_t)ftell(f));
    fclose(f);
    f = create("initrd.siz");
    fwrite(word, 4, 1, f);
    fclose(f);
    be32_store(word, 0x02000000);
    f = create("initrd.off");
    fwrite(word, 4, 1, f);
    fclose(f);
    f = create("parmfile");
    fputs("root=/dev/ram0 ro nokaslr", f);
    fputc(0, f); // the image has a longer line at this place
    fclose(f);
    snprintf(path, sizeof path, "cp %s/kernel.img %s/kernel.img", kit, directory);
    if (system(path) != 0)
        exit(1);
    write_text(directory, "guest.ins",
               "* Linux\nkernel.img 0x00000000\ninitrd.off 0x0001040c\ninitrd.siz 0x00010414\n"
               "parmfile 0x00010480\ninitramfs 0x02000000\n");
}

// --- one emulator -------------------------------------------------------------------------------

struct results {
    unsigned kernels;
    char name[KERNELS_MOST][16];
    double rate[KERNELS_MOST][ROUNDS];
    unsigned rounds[KERNELS_MOST];
};

static unsigned kernel_of(struct results *r, const char *name)
{
    for (unsigned i = 0; i < r->kernels; i++) {
        if (strcmp(r->name[i], name) == 0)
            return i;
    }
    if (r->kernels == KERNELS_MOST)
        exit(1);
    snprintf(r->name[r->kernels], sizeof r->name[0], "%s", name);
    return r->kernels++;
}

// A kernel that was killed, or computed something wrong, says no number of passes, or BAD.
static double passes_of(const char *words)
{
    const char *at = strstr(words, "iters=");
    return at && !strstr(words, "BAD") ? strtod(at + 6, NULL) : 0;
}

static void follow(struct child *child, struct results *r)
{
    char line[1024];
    unsigned kernel = 0;
    double at_start = 0, at_short = 0, short_time = 0, short_passes = 0;
    time_t end = time(NULL) + PATIENCE;
    while (time(NULL) < end && fgets(line, sizeof line, child->output)) {
        double now = child_time(child);
        char *words = strstr(line, "BENCH ");
        if (!words)
            continue;
        words += 6;
        words[strcspn(words, "\r\n")] = 0;
        if (strncmp(words, "start ", 6) == 0) {
            kernel = kernel_of(r, words + 6);
            at_start = now;
            short_time = 0;
        } else if (strncmp(words, "short", 5) == 0) {
            short_time = now - at_start;
            short_passes = passes_of(words);
            at_short = now;
        } else if (strncmp(words, "long", 4) == 0 && short_time > 0) {
            double passes = passes_of(words) - short_passes;
            double used = now - at_short - short_time;
            if (passes > 0 && short_passes > 0 && used > 0 && r->rounds[kernel] < ROUNDS)
                r->rate[kernel][r->rounds[kernel]++] = passes / used;
        } else if (strncmp(words, "end", 3) == 0) {
            return;
        }
    }
}

static void too_late(int signal)
{
    (void)signal;
}

static void run(enum emulator e, const char *endicott, const char *script, struct results *r)
{
    char command[PATH_MAX * 2 + 128];
    if (e == ENDICOTT)
        snprintf(command, sizeof command,
                 "exec %s run %s guest.ins 'nokaslr conmode=3215 condev=0x0009'", endicott, script);
    else if (e == QEMU)
        snprintf(command, sizeof command,
                 "exec qemu-system-s390x -M s390-ccw-virtio,accel=tcg -m 512 -nographic -no-reboot "
                 "-kernel kernel.img -initrd initramfs -append nokaslr");
    else
        snprintf(command, sizeof command, "exec hercules -d -f bench.cnf");
    if (e == HERCULES)
        write_hercules(directory, 512, "guest.ins");
    fprintf(stderr, "%s ...\n", emulator_names[e]);
    struct child child = child_start(directory, command);
    alarm(PATIENCE); // ends the wait for a line that does not come
    follow(&child, r);
    alarm(0);
    int code;
    child_end(&child, true, &code);
}

static void report(struct results *results, const char *flat)
{
    struct row rows[KERNELS_MOST + FLAT_MOST] = {0};
    unsigned n = results[ENDICOTT].kernels;
    printf("\nLinux guest, system mode, passes a second, medians of %u\n", ROUNDS);
    print_header("passes/s");
    for (unsigned i = 0; i < n; i++) {
        snprintf(rows[i].name, sizeof rows[i].name, "%s", results[ENDICOTT].name[i]);
        for (enum emulator e = 0; e < EMULATORS; e++) {
            unsigned k = kernel_of(&results[e], rows[i].name);
            if (results[e].rounds[k])
                rows[i].rate[e] = median(results[e].rate[k], results[e].rounds[k]);
        }
        print_row(&rows[i]);
    }
    print_mean(rows, n, QEMU);
    print_mean(rows, n, HERCULES);
    printf("\nWith the flat images\n");
    n += read_rows(flat, rows + n, FLAT_MOST);
    print_mean(rows, n, QEMU);
    print_mean(rows, n, HERCULES);
}

int main(int argc, char **argv)
{
    static struct results results[EMULATORS];
    char endicott[PATH_MAX], script[PATH_MAX], kit[PATH_MAX], coremark[PATH_MAX];
    if (argc < 5 || !realpath(argv[1], endicott) || !realpath(argv[2], script) ||
        !realpath(argv[3], kit) || (argc > 5 && !realpath(argv[5], coremark))) {
        fprintf(stderr, "usage: bench_guest ENDICOTT SCRIPT KIT ROWS [COREMARK]\n");
        return 2;
    }
    if (!mkdtemp(directory)) {
        perror(directory);
        return 1;
    }
    struct sigaction late = {.sa_handler = too_late};
    sigaction(SIGALRM, &late, NULL);
    make_set(kit, argc > 5 ? coremark : NULL);
    for (enum emulator e = 0; e < EMULATORS; e++) {
        if (emulator_present(e))
            run(e, endicott, script, &results[e]);
    }
    report(results, argv[4]);
    execlp("rm", "rm", "-rf", directory, (char *)NULL);
    return 1;
}
