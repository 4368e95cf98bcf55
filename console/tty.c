// SPDX-License-Identifier: MIT
#include "console/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

// What signal handlers look at.
static struct {
    volatile sig_atomic_t active, signal, resized;
    int out, in, wake_fd, log_fd, err;
    struct termios saved;
    const char *sequence;
    size_t sequence_size;
} now;

void tty_wake(void)
{
    uint64_t one = 1;
    int error = errno;
    if (now.active && write(now.wake_fd, &one, sizeof one) < 0)
        errno = error; // a full counter wakes as well
    errno = error;
}

static void on_end(int signal)
{
    if (!now.signal)
        now.signal = signal;
    tty_wake();
}

static void on_resize(int signal)
{
    (void)signal;
    now.resized = 1;
    tty_wake();
}

// What was written to standard error while the screen was ours, log lines or the last words of a
// crash, goes where it belongs. Only functions that a signal handler may call, here and below.
static void give_log(void)
{
    char part[512];
    ssize_t n;
    if (now.log_fd < 0)
        return;
    lseek(now.log_fd, 0, SEEK_SET);
    while ((n = read(now.log_fd, part, sizeof part)) > 0)
        if (write(now.err, part, (size_t)n) < 0)
            break;
    now.log_fd = -1;
}

static void restore_now(void)
{
    if (!now.active)
        return;
    now.active = 0;
    if (now.sequence && write(now.out, now.sequence, now.sequence_size) < 0)
        now.sequence = NULL;
    tcsetattr(now.in, TCSANOW, &now.saved);
    give_log();
}

static void on_crash(int signal)
{
    restore_now();
    raise(signal); // SA_RESETHAND: now with its default
}

static void set_handler(int signal, void (*fn)(int), int flags)
{
    struct sigaction sa = {.sa_handler = fn, .sa_flags = flags};
    sigemptyset(&sa.sa_mask);
    sigaction(signal, &sa, NULL);
}

// A handler that someone else has (a sanitizer) stays.
static void guard_crash(int signal)
{
    struct sigaction old;
    if (sigaction(signal, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
        old.sa_handler == SIG_DFL)
        set_handler(signal, on_crash, SA_RESETHAND | SA_NODEFER);
}

static void set_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    static bool at_exit;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        set_handler(ends[i], on_end, SA_RESTART);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        guard_crash(crashes[i]);
    set_handler(SIGWINCH, on_resize, SA_RESTART);
    if (!at_exit)
        atexit(restore_now);
    at_exit = true;
}

static int open_output(bool *own)
{
    const char *name = ttyname(STDOUT_FILENO);
    int fd = name ? open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1;
    *own = fd >= 0;
    return fd >= 0 ? fd : STDOUT_FILENO;
}

// Standard error on the same terminal would write over the screen.
static void divert_errors(struct tty *tty)
{
    tty->log_fd = tty->err = -1;
    if (isatty(STDERR_FILENO)) {
        tty->err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        tty->log_fd = memfd_create("endicott-errors", MFD_CLOEXEC);
        if (tty->err < 0 || tty->log_fd < 0 || dup2(tty->log_fd, STDERR_FILENO) < 0)
            tty->log_fd = -1;
    }
    now.log_fd = tty->log_fd;
    now.err = tty->err;
}

static void return_errors(struct tty *tty)
{
    if (tty->log_fd < 0)
        return;
    fflush(stderr);
    dup2(tty->err, STDERR_FILENO);
    give_log();
    close(tty->err);
    close(tty->log_fd);
}

bool tty_open(struct tty *tty)
{
    *tty = (struct tty){.in = STDIN_FILENO, .pen_fd = -1, .wake_fd = -1};
    if (!isatty(STDOUT_FILENO) || tcgetattr(tty->in, &tty->saved) < 0)
        return false;
    tty->pen_fd = memfd_create("endicott-screen", MFD_CLOEXEC);
    tty->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (tty->pen_fd < 0 || tty->wake_fd < 0)
        return false;
    tty->out = open_output(&tty->own_out);
    now.out = tty->out;
    now.in = tty->in;
    now.wake_fd = tty->wake_fd;
    now.saved = tty->saved;
    now.signal = now.resized = 0;
    divert_errors(tty);
    now.active = 1;
    set_signals();
    tty_raw(tty);
    return true;
}

void tty_close(struct tty *tty)
{
    tty_send(tty, true);
    tty_cooked(tty);
    now.active = 0;
    now.sequence = NULL;
    return_errors(tty);
    if (tty->own_out)
        close(tty->out);
    close(tty->pen_fd);
    close(tty->wake_fd);
}

void tty_raw(struct tty *tty)
{
    struct termios raw = tty->saved;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(tty->in, TCSADRAIN, &raw);
}

void tty_cooked(struct tty *tty)
{
    tcsetattr(tty->in, TCSADRAIN, &tty->saved);
}

void tty_on_crash(const char *sequence)
{
    now.sequence = NULL;
    now.sequence_size = sequence ? strlen(sequence) : 0;
    now.sequence = sequence;
}

void tty_size(const struct tty *tty, unsigned *rows, unsigned *cols)
{
    struct winsize size = {0};
    *rows = 24;
    *cols = 80;
    if (ioctl(tty->out, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
        *rows = size.ws_row;
        *cols = size.ws_col;
    }
}

int tty_signal(void)
{
    return now.signal;
}

bool tty_take_resize(void)
{
    bool resized = now.resized;
    now.resized = 0;
    return resized;
}

void tty_clear_wake(struct tty *tty)
{
    uint64_t count;
    if (read(tty->wake_fd, &count, sizeof count) < 0)
        INVARIANT(errno == EAGAIN || errno == EINTR);
}

// --- output -----------------------------------------------------------------

size_t tty_pending(struct tty *tty)
{
    off_t end = lseek(tty->pen_fd, 0, SEEK_CUR);
    return end < 0 ? 0 : (size_t)end - tty->sent;
}

// False when the terminal takes no more for now, or never again.
static bool send_some(struct tty *tty, size_t pending)
{
    char part[4096];
    size_t want = pending < sizeof part ? pending : sizeof part;
    ssize_t n = pread(tty->pen_fd, part, want, (off_t)tty->sent);
    if (n <= 0)
        return false;
    ssize_t written = write(tty->out, part, (size_t)n);
    if (written < 0) {
        if (errno != EAGAIN && errno != EINTR)
            tty->sent += pending; // the terminal is gone: nothing can be shown
        return false;
    }
    tty->sent += (size_t)written;
    return true;
}

void tty_send(struct tty *tty, bool drain)
{
    size_t pending;
    while ((pending = tty_pending(tty)) > 0) {
        struct pollfd fd = {.fd = tty->out, .events = POLLOUT};
        if (!send_some(tty, pending) && (!drain || poll(&fd, 1, 1000) <= 0))
            break;
    }
    if (!tty_pending(tty)) {
        tty->sent = 0;
        if (lseek(tty->pen_fd, 0, SEEK_SET) < 0 || ftruncate(tty->pen_fd, 0) < 0)
            INVARIANT(!"a file in memory can be emptied");
    }
}
