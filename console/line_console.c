// SPDX-License-Identifier: MIT
#include "console/line_console.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/text.h"

struct line_console {
    struct terminal term; // first
    struct endicott *sys;
    pthread_mutex_t lock; // a leaf
    struct text out;      // what CP said and is not written yet
    struct text in;       // the beginning of a line
    int wake[2];
    bool eof;
    bool concealed, echo_off; // CP asks for a password; the terminal does not echo
};

// Lines come escaped: nothing a guest says can harm the terminal.
static void op_line(struct terminal *term, enum line_kind kind, const char *utf8)
{
    struct line_console *lc = (struct line_console *)term;
    (void)kind;
    pthread_mutex_lock(&lc->lock);
    for (; *utf8; utf8++) {
        unsigned char c = (unsigned char)*utf8;
        text_add(&lc->out, c < 0x20 || c == 0x7F ? " " : utf8, 1);
    }
    text_puts(&lc->out, "\n");
    pthread_mutex_unlock(&lc->lock);
    if (write(lc->wake[1], "", 1) < 0)
        return; // a full pipe wakes as well
}

static void op_status(struct terminal *term, enum terminal_status status)
{
    (void)term;
    (void)status;
}

static void op_ended(struct terminal *term)
{
    (void)term;
}

static void op_conceal(struct terminal *term, bool on)
{
    ((struct line_console *)term)->concealed = on;
}

static const struct terminal_ops ops = {
    .line = op_line, .status = op_status, .ended = op_ended, .conceal = op_conceal};

// Where lines come from a person, a password is not echoed.
static void set_echo(struct line_console *lc)
{
    struct termios mode;
    if (lc->concealed == lc->echo_off || tcgetattr(STDIN_FILENO, &mode) < 0)
        return;
    if (lc->concealed)
        mode.c_lflag &= ~(tcflag_t)ECHO;
    else
        mode.c_lflag |= ECHO;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
    lc->echo_off = lc->concealed;
}

static void write_out(struct line_console *lc)
{
    char drop[64];
    while (read(lc->wake[0], drop, sizeof drop) == sizeof drop)
        ;
    pthread_mutex_lock(&lc->lock);
    fwrite(text_get(&lc->out), 1, lc->out.len, stdout);
    text_clear(&lc->out);
    pthread_mutex_unlock(&lc->lock);
    fflush(stdout);
    set_echo(lc);
}

static void take_lines(struct line_console *lc)
{
    char *end;
    while (lc->in.len && (end = memchr(lc->in.s, '\n', lc->in.len))) {
        size_t n = (size_t)(end - lc->in.s) + 1;
        *end = '\0';
        endicott_terminal_input(lc->sys, &lc->term, lc->in.s);
        memmove(lc->in.s, lc->in.s + n, lc->in.len - n + 1);
        lc->in.len -= n;
    }
}

static void read_in(struct line_console *lc)
{
    char bytes[1024];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n > 0)
        text_add(&lc->in, bytes, (size_t)n);
    lc->eof = n == 0;
    if (lc->eof && lc->in.len)
        text_puts(&lc->in, "\n");
    take_lines(lc);
}

static int wait_time(struct endicott *sys)
{
    tod_t due = endicott_next_due(sys), now = endicott_now(sys);
    if (due == TOD_NEVER)
        return -1;
    double ms = due <= now ? 0 : tod_to_seconds(due - now) * 1000 + 1;
    return ms > 60000 ? 60000 : (int)ms;
}

static void run(struct line_console *lc)
{
    while (!lc->eof && !endicott_is_down(lc->sys)) {
        endicott_pump(lc->sys);
        write_out(lc);
        struct pollfd fds[] = {
            {.fd = STDIN_FILENO, .events = POLLIN},
            {.fd = endicott_notify_fd(lc->sys), .events = POLLIN},
            {.fd = lc->wake[0], .events = POLLIN},
        };
        if (poll(fds, 3, wait_time(lc->sys)) > 0 && fds[0].revents)
            read_in(lc);
    }
    lc->concealed = false;
    write_out(lc);
}

int line_console_run(struct endicott *sys, const struct console_options *options)
{
    struct line_console lc = {.term = {.ops = &ops, .name = "0009", .rdev = 9}, .sys = sys};
    if (pipe2(lc.wake, O_CLOEXEC | O_NONBLOCK) < 0) {
        perror("endicott: pipe");
        return 1;
    }
    pthread_mutex_init(&lc.lock, NULL);
    if (options->logon)
        endicott_terminal_logon(sys, &lc.term, options->logon);
    run(&lc);
    endicott_terminal_hangup(sys, &lc.term);
    close(lc.wake[0]);
    close(lc.wake[1]);
    pthread_mutex_destroy(&lc.lock);
    text_free(&lc.out);
    text_free(&lc.in);
    return 0;
}
