// SPDX-License-Identifier: MIT
// What sampling costs, in CPU time of the thread that does it: for systems of 10 to 10,000 devices,
// and how long one sample of 10,000 devices and 500 users keeps the system's lock. Figures, not a
// test: scripts/bench runs it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/text.h"
#include "cp/command.h"
#include "cp/cp.h"
#include "monitor/monitor.h"

#define INTERVAL 60 // seconds, and RATE: the defaults
#define RATE     2
#define SAMPLES  101
#define TICKS    101

struct system {
    struct machine_world world;
    struct cp *cp;
    struct monitor *monitor;
    struct monitor_user user;
    unsigned long records;
};

static double cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void command(struct system *sys, const char *line)
{
    struct text answer = {0};
    struct response out = response_to_text(&answer);
    if (command_execute(sys->cp, cp_user(sys->cp, "OPERATOR"), NULL, line, &out) != 0) {
        fprintf(stderr, "%s: %s\n", line, text_get(&answer));
        exit(1);
    }
    text_free(&answer);
}

static bool answer_at_once(struct monitor_user *user, const struct monitor_message *message)
{
    return monitor_reply(user, message->set);
}

static void severed(struct monitor_user *user, unsigned code)
{
    (void)user;
    fprintf(stderr, "severed: %02X\n", code);
    exit(1);
}

static struct cp *system_ipl(struct machine_world *world, unsigned devices, unsigned users)
{
    struct text config = {0}, directory = {0}, errors = {0};
    text_printf(&config, "System_Identifier * * BENCH\nProcessors 2 IFL\nStorage 64G\n"
                         "System_Userids Operator OPERATOR\n");
    for (unsigned i = 0; i < devices; i++)
        text_printf(&config, "RDevice %04X Type DASD Volume V%05u Cylinders 1\n", 0x1000 + i, i);
    text_printf(&directory, "USER OPERATOR X 1M 1M ABCDEFG\n CONSOLE 0009 3215 T\n");
    for (unsigned i = 0; i < users; i++)
        text_printf(&directory, "USER U%04u X 1M 1M G\n MACHINE Z\n CONSOLE 0009 3215 T\n", i);
    struct cp_options options = {.mode = CLOCK_VIRTUAL,
                                 .start = UINT64_C(0xE000000000000000),
                                 .config_text = text_get(&config),
                                 .directory_text = text_get(&directory)};
    struct cp *cp = cp_new(world, &options, &errors);
    if (!cp) {
        fprintf(stderr, "%s\n", text_get(&errors));
        exit(1);
    }
    text_free(&config);
    text_free(&directory);
    text_free(&errors);
    return cp;
}

static void system_start(struct system *sys, unsigned devices, unsigned users)
{
    static const struct monitor_user_ops ops = {answer_at_once, severed};
    char line[40];
    *sys = (struct system){0};
    world_init(&sys->world, CLOCK_VIRTUAL, UINT64_C(0xE000000000000000));
    world_lock(&sys->world);
    sys->cp = system_ipl(&sys->world, devices, users);
    monitor_start(sys->cp);
    cp_start(sys->cp);
    for (unsigned i = 0; i < users; i++) {
        snprintf(line, sizeof line, "XAUTOLOG U%04u", i);
        command(sys, line);
    }
    command(sys, "MONITOR SAMPLE ENABLE ALL");
    sys->monitor = monitor_of(sys->cp);
    sys->user = (struct monitor_user){.ops = &ops, .arg = sys, .sample = true};
    snprintf(sys->user.userid, sizeof sys->user.userid, "BENCH");
    if (monitor_connect(sys->monitor, &sys->user, "MONDCSS") != 0)
        exit(1);
    sys->monitor->sample.state = RECORDING_ACTIVE; // samples are asked for here, not by the clock
    sampler_configuration(sys->monitor, NULL);
}

static void system_end(struct system *sys)
{
    sys->monitor->sample.state = RECORDING_INACTIVE;
    monitor_disconnect(&sys->user);
    world_unlock(&sys->world);
    cp_shutdown(sys->cp);
    monitor_stop(sys->cp);
    cp_free(sys->cp);
    world_free(&sys->world);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void take_samples(struct system *sys, double us[SAMPLES])
{
    for (unsigned i = 0; i < SAMPLES; i++) {
        double start = cpu_us();
        sampler_sample(sys->monitor, true);
        us[i] = cpu_us() - start;
    }
}

static double tick_cost(struct system *sys)
{
    double us[TICKS];
    for (unsigned i = 0; i < TICKS; i++) {
        double start = cpu_us();
        sampler_tick(sys->monitor);
        us[i] = cpu_us() - start;
    }
    qsort(us, TICKS, sizeof *us, by_value);
    return us[TICKS / 2];
}

static void growth(void)
{
    double us[SAMPLES], fewer = 0; // seconds' cost of the system before
    unsigned before = 0;
    for (unsigned devices = 10; devices <= 10000; devices *= 10) {
        struct system sys;
        system_start(&sys, devices, 5);
        take_samples(&sys, us);
        double tick = tick_cost(&sys);
        system_end(&sys);
        qsort(us, SAMPLES, sizeof *us, by_value);
        double second = us[SAMPLES / 2] / INTERVAL + tick / RATE;
        printf("sampling, %5u devices: %7.1f us a sample, %6.1f us a RATE tick, %.5f %% of one CPU "
               "at INTERVAL 1 MINUTE",
               devices, us[SAMPLES / 2], tick, second / 1e4);
        if (before)
            printf("; %.4f us a second for each device more",
                   (second - fewer) / (devices - before));
        printf("\n");
        fewer = second;
        before = devices;
    }
}

static void stop_time(void)
{
    double us[SAMPLES];
    struct system sys;
    system_start(&sys, 10000, 500);
    take_samples(&sys, us);
    double first = us[0];
    system_end(&sys);
    qsort(us, SAMPLES, sizeof *us, by_value);
    printf("stop time of a sample, 10,000 devices and 500 users: median %.2f ms, longest %.2f ms, "
           "first %.2f ms\n",
           us[SAMPLES / 2] / 1e3, us[SAMPLES - 1] / 1e3, first / 1e3);
}

int main(void)
{
    growth();
    stop_time();
    return 0;
}
