// SPDX-License-Identifier: MIT
// Debian's Linux on Endicott (bare, and under CP) beside QEMU's TCG and Hercules: CPU seconds of
// the emulator's process to the guest's GUEST-UP, and passes a CPU second of programs inside of it.
//
//   bench_linux ENDICOTT TESTS FOLDER ROUNDS
//
// FOLDER has the load set that scripts/bench-linux makes. The exit code is 1 when a bar is missed.
#include <limits.h>

#include "cpu/bench_tools.h"

#define PROGRAMS_MOST 16
#define PATIENCE      1200 // seconds for one boot

enum contestant { BARE, UNDER_CP, PEER_QEMU, PEER_HERCULES, CONTESTANTS };
static const char *const names[CONTESTANTS] = {"Endicott", "under CP", "QEMU TCG", "Hercules"};

// Programs whose rate has to be ahead of both peers'.
static const char *const ahead[] = {"syscall", "fault"};

struct results {
    double boot[ROUNDS];
    unsigned boots;
    unsigned programs, ok, bad;
    char name[PROGRAMS_MOST][16];
    double rate[PROGRAMS_MOST][ROUNDS];
    unsigned rates[PROGRAMS_MOST];
};

static const char *endicott, *tests, *folder;
static volatile sig_atomic_t late;

static void too_late(int signal)
{
    (void)signal;
    late = 1;
}

static bool present(enum contestant who)
{
    return who < PEER_QEMU || installed(who == PEER_QEMU ? "qemu-system-s390x" : "hercules");
}

// --- following one guest ------------------------------------------------------------------------

static unsigned program_of(struct results *r, const char *name)
{
    unsigned i = 0;
    while (i < r->programs && strcmp(r->name[i], name) != 0)
        i++;
    if (i == PROGRAMS_MOST)
        exit(1);
    if (i == r->programs)
        snprintf(r->name[r->programs++], sizeof r->name[0], "%s", name);
    return i;
}

struct progress {
    unsigned program;
    double at_start, short_time, short_passes, at_short;
};

// "NAME passes=N ok"; one that was killed, or computed something wrong, made none.
static double passes_of(const char *words)
{
    const char *at = strstr(words, "passes=");
    return at && strstr(words, " ok") ? strtod(at + 7, NULL) : 0;
}

static void follow_program(struct results *r, struct progress *p, const char *words, double now)
{
    if (strncmp(words, "start ", 6) == 0) {
        p->program = program_of(r, words + 6);
        p->at_start = now;
        p->short_time = 0;
    } else if (strncmp(words, "short ", 6) == 0) {
        p->short_time = now - p->at_start;
        p->short_passes = passes_of(words);
        p->at_short = now;
    } else if (strncmp(words, "long ", 5) == 0 && p->short_time > 0) {
        double passes = passes_of(words) - p->short_passes;
        double used = now - p->at_short - p->short_time;
        if (p->short_passes > 0 && passes > 0 && used > 0 && r->rates[p->program] < ROUNDS)
            r->rate[p->program][r->rates[p->program]++] = passes / used;
    }
}

// Reads the guest's console until it is up, or with `all` until its programs have ended.
static void follow(struct child *child, struct results *r, bool all)
{
    char line[1024];
    struct progress progress = {0};
    bool up = false;
    while (!late && fgets(line, sizeof line, child->output)) {
        double now = child_time(child);
        char *words = strstr(line, "BENCH ");
        // Hercules shows the first line only of several that were written at once.
        if (!up && (words || strstr(line, "GUEST-UP"))) {
            up = true;
            if (r->boots < ROUNDS)
                r->boot[r->boots++] = now;
            if (!all)
                return;
        }
        if (!words)
            continue;
        words += 6;
        words[strcspn(words, "\r\n")] = 0;
        if (strncmp(words, "check ", 6) == 0)
            *(strstr(words, " ok") ? &r->ok : &r->bad) += 1;
        else if (strncmp(words, "end", 3) == 0)
            return;
        else
            follow_program(r, &progress, words, now);
    }
}

static void run(enum contestant who, struct results *r, bool all)
{
    char command[PATH_MAX * 2 + 256];
    // Of the guest's clock, which goes on while a peer waits for the host's processor.
    const char *words =
        who < PEER_QEMU ? "nokaslr guest.run=/bench.sh,400" : "nokaslr guest.run=/bench.sh,2500";
    if (who == PEER_QEMU)
        snprintf(command, sizeof command,
                 "exec qemu-system-s390x -M s390-ccw-virtio,accel=tcg -m 512 -nographic -no-reboot "
                 "-kernel kernel.img -initrd initramfs -append '%s'",
                 words);
    else if (who == PEER_HERCULES)
        snprintf(command, sizeof command, "exec hercules -d -f bench.cnf");
    else
        snprintf(command, sizeof command, "exec %s run %s/%s %s/guest.ins '%s%s'", endicott, tests,
                 who == BARE ? "cpu/bench/guest.lua" : "linux/bench/under_cp.lua", folder, words,
                 who == BARE ? " conmode=3215 condev=0x0009" : "");
    if (who == PEER_HERCULES)
        write_hercules(folder, 512, "guest.ins");
    struct child child = child_start(folder, command);
    late = 0;
    alarm(PATIENCE);
    follow(&child, r, all);
    alarm(0);
    int code;
    child_end(&child, true, &code);
}

// --- results ------------------------------------------------------------------------------------

static double boot_time(const struct results *r)
{
    return r->boots ? median(r->boot, r->boots) : 0;
}

static double rate_of(struct results *r, const char *name)
{
    unsigned i = program_of(r, name);
    return r->rates[i] ? median(r->rate[i], r->rates[i]) : 0;
}

static void print_value(double value, int digits)
{
    if (value > 0)
        printf(" %10.*f", digits, value);
    else
        printf(" %10s", "-");
}

static void print_figures(struct results *results)
{
    printf("\n%-22s", "");
    for (unsigned who = 0; who < CONTESTANTS; who++)
        printf(" %10s", names[who]);
    printf("\n%-22s", "CPU s to GUEST-UP");
    for (unsigned who = 0; who < CONTESTANTS; who++)
        print_value(boot_time(&results[who]), 2);
    for (unsigned i = 0; i < results[BARE].programs; i++) {
        printf("\n%-10s %-11s", results[BARE].name[i], "passes/s");
        for (unsigned who = 0; who < CONTESTANTS; who++)
            print_value(rate_of(&results[who], results[BARE].name[i]), 1);
    }
    printf("\n\n");
}

static int bar(bool met, const char *what, double ratio, const char *wanted)
{
    printf("%-8s %s: %.2f (%s)\n", met ? "met" : "MISSED", what, ratio, wanted);
    return !met;
}

static int against(struct results *results, enum contestant peer, double most)
{
    char what[80], wanted[40];
    int missed = 0;
    if (!boot_time(&results[peer]))
        return 0;
    for (enum contestant who = BARE; who <= UNDER_CP; who++) {
        double ratio = boot_time(&results[who]) / boot_time(&results[peer]);
        snprintf(what, sizeof what, "boot, %s : %s", names[who], names[peer]);
        snprintf(wanted, sizeof wanted, "at most %.2f", most);
        missed += bar(ratio > 0 && ratio <= most, what, ratio, wanted);
    }
    for (unsigned i = 0; i < sizeof ahead / sizeof *ahead; i++) {
        for (enum contestant who = BARE; who <= UNDER_CP; who++) {
            double ratio = rate_of(&results[who], ahead[i]) / rate_of(&results[peer], ahead[i]);
            snprintf(what, sizeof what, "%s, %s : %s", ahead[i], names[who], names[peer]);
            missed += bar(ratio > 1, what, ratio, "more than 1");
        }
    }
    return missed;
}

static int verdict(struct results *results)
{
    int missed = against(results, PEER_QEMU, 4) + against(results, PEER_HERCULES, 0.25);
    for (enum contestant who = BARE; who <= UNDER_CP; who++) {
        bool right = results[who].ok > 0 && results[who].bad == 0;
        printf("%-8s results, %s: %u ok, %u bad\n", right ? "met" : "MISSED", names[who],
               results[who].ok, results[who].bad);
        missed += !right;
    }
    return missed;
}

int main(int argc, char **argv)
{
    static struct results results[CONTESTANTS];
    if (argc != 5) {
        fprintf(stderr, "usage: bench_linux ENDICOTT TESTS FOLDER ROUNDS\n");
        return 2;
    }
    endicott = argv[1];
    tests = argv[2];
    folder = argv[3];
    unsigned rounds = (unsigned)strtoul(argv[4], NULL, 10);
    struct sigaction action = {.sa_handler = too_late};
    sigaction(SIGALRM, &action, NULL);
    for (unsigned round = 0; round < rounds && round < ROUNDS; round++) {
        for (enum contestant who = 0; who < CONTESTANTS; who++) {
            if (!present(who))
                continue;
            fprintf(stderr, "round %u, %s ...\n", round + 1, names[who]);
            run(who, &results[who], round == 0);
        }
    }
    print_figures(results);
    return verdict(results) ? 1 : 0;
}
