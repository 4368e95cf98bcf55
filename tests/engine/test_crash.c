// SPDX-License-Identifier: MIT
// A system that is killed while a guest writes its disk: the image is whole, and the next system
// takes it. The moment is one of CPU time, so it falls anywhere, also between two writes of a
// track.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "engine/busy.h"

#define KILLS 12

static char folder[] = "/tmp/endicott-crash-XXXXXX";
static char image[100];

static const char config[] = "System_Identifier * * CRASH\nProcessors 1 IFL\nStorage 1G\n"
                             "RDevice 0200 Type DASD Volume CRASH1 Cylinders 12\n";
static const char directory[] =
    "USER OPERATOR OPERATOR 16M 16M ABCDEFG\n CONSOLE 0009 3215 T\n"
    "USER WRITER WRITER 16M 16M G\n MACHINE Z\n IPL DASDIO PARM n=1000000 tracks=30\n"
    " CONSOLE 0009 3215 T\n MDISK 0191 3390 1 10 CRASH1 MR\n";

static void die(int signal)
{
    (void)signal;
    kill(getpid(), SIGKILL);
}

// Does not return: killed after `us` of CPU time from the moment on when the guest writes.
static void write_and_die(long us)
{
    char *error = NULL;
    struct endicott *sys = endicott_new(&(struct endicott_options){.mode = CLOCK_VIRTUAL,
                                                                   .folder = folder,
                                                                   .config_text = config,
                                                                   .directory_text = directory},
                                        &error);
    if (!sys || busy_xautolog(sys, "WRITER") != 0)
        _exit(1);
    endicott_run_until(sys, endicott_now(sys) + TOD_SECOND);
    struct endicott_user info;
    if (endicott_user(sys, "WRITER", &info) != 0 || info.ssch < 20)
        _exit(2); // it does not write
    struct itimerval timer = {.it_value = {.tv_usec = us}};
    signal(SIGPROF, die);
    setitimer(ITIMER_PROF, &timer, NULL);
    for (;;)
        endicott_run_until(sys, endicott_now(sys) + TOD_SECOND);
}

static void killed_while_writing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KILLS; i++) {
        char *error = NULL;
        int status;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            write_and_die(1000 + 1700 * (long)i);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        FILE *out = fopen("/dev/null", "w");
        int rc = endicott_dasd_check(image, out, &error);
        fclose(out);
        if (rc != 0)
            fail_msg("kill %u: %s", i, error ? error : "the image is damaged");
    }
}

static int make_image(void **state)
{
    char *error = NULL;
    (void)state;
    busy_find_guests();
    if (!mkdtemp(folder))
        return -1;
    snprintf(image, sizeof image, "%s/CRASH1.ckd", folder);
    return endicott_dasd_create(image, "3390", 12, "CRASH1", &error);
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(killed_while_writing)};
    return cmocka_run_group_tests(tests, make_image, remove_folder);
}
