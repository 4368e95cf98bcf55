// SPDX-License-Identifier: MIT
// ncurses writes to the tty's file in memory, never to the terminal itself, so that a terminal
// that stalls cannot hold the system.
#include "console/screen.h"

#include <curses.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

#define PASTE_ON  "\x1b[?2004h"
#define PASTE_OFF "\x1b[?2004l"

struct screen {
    struct tty *tty;
    SCREEN *curses;
    FILE *pen, *in;
    bool colour;
    char restore[128]; // for a crash
};

// Straight into the pen, behind what curses wrote.
static void raw_bytes(struct screen *screen, const char *s)
{
    fflush(screen->pen);
    if (write(screen->tty->pen_fd, s, strlen(s)) < 0)
        return; // out of memory for a file of a few kilobytes: the next frame will tell
}

static void add_capability(struct screen *screen, const char *value)
{
    size_t used = strlen(screen->restore);
    if (value && value != (char *)-1 && used + strlen(value) < sizeof screen->restore)
        strcpy(screen->restore + used, value);
}

static void prepare_restore(struct screen *screen)
{
    add_capability(screen, PASTE_OFF);
    add_capability(screen, tigetstr("sgr0"));
    add_capability(screen, tigetstr("cnorm"));
    add_capability(screen, tigetstr("rmcup"));
    add_capability(screen, "\r\n");
    tty_on_crash(screen->restore);
}

static void start_colour(struct screen *screen, bool wanted)
{
    static const short curses_colour[] = {
        [CELL_RED] = COLOR_RED,    [CELL_GREEN] = COLOR_GREEN,     [CELL_YELLOW] = COLOR_YELLOW,
        [CELL_BLUE] = COLOR_BLUE,  [CELL_MAGENTA] = COLOR_MAGENTA, [CELL_CYAN] = COLOR_CYAN,
        [CELL_WHITE] = COLOR_WHITE};
    if (!wanted || !has_colors())
        return;
    start_color();
    if (use_default_colors() == ERR)
        return;
    screen->colour = true;
    for (short i = CELL_RED; i <= CELL_WHITE; i++)
        init_pair(i, curses_colour[i], -1);
}

static void fit_size(struct screen *screen)
{
    unsigned rows, cols;
    tty_size(screen->tty, &rows, &cols);
    resizeterm((int)rows, (int)cols);
}

static bool can_place_cursor(int fd)
{
    int error;
    if (setupterm(NULL, fd, &error) == ERR)
        return false;
    const char *cup = tigetstr("cup");
    bool can = cup && cup != (char *)-1;
    del_curterm(cur_term);
    return can;
}

struct screen *screen_new(struct tty *tty, bool colour, const char **why)
{
    if (!can_place_cursor(tty->pen_fd)) {
        *why = "this terminal cannot place its cursor";
        return NULL;
    }
    struct screen *screen = mem_zero(1, sizeof *screen);
    screen->tty = tty;
    screen->pen = fdopen(dup(tty->pen_fd), "w");
    screen->in = fopen("/dev/null", "r"); // keys come another way
    INVARIANT(screen->pen && screen->in);
    use_env(FALSE);
    screen->curses = newterm(NULL, screen->pen, screen->in);
    if (!screen->curses) {
        *why = "curses does not know this terminal";
        fclose(screen->pen);
        fclose(screen->in);
        free(screen);
        return NULL;
    }
    typeahead(-1);
    leaveok(stdscr, FALSE);
    start_colour(screen, colour);
    fit_size(screen);
    prepare_restore(screen);
    raw_bytes(screen, PASTE_ON);
    return screen;
}

static void leave(struct screen *screen)
{
    endwin();
    raw_bytes(screen, PASTE_OFF);
    tty_send(screen->tty, true);
}

void screen_free(struct screen *screen)
{
    if (!screen)
        return;
    leave(screen);
    tty_on_crash(NULL);
    delscreen(screen->curses);
    fclose(screen->pen);
    fclose(screen->in);
    free(screen);
}

static attr_t curses_attributes(const struct screen *screen, const struct cell *c)
{
    static const struct {
        uint8_t ours;
        attr_t theirs;
    } map[] = {{CELL_BOLD, A_BOLD},
               {CELL_REVERSE, A_REVERSE},
               {CELL_UNDERLINE, A_UNDERLINE},
               {CELL_BLINK, A_BLINK},
               {CELL_DIM, A_DIM}};
    attr_t attributes = A_NORMAL;
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (c->attributes & map[i].ours)
            attributes |= map[i].theirs;
    return screen->colour || !(c->attributes & CELL_DIM) ? attributes : attributes & ~A_DIM;
}

static void put_cell(const struct screen *screen, unsigned row, unsigned col, const struct cell *c)
{
    wchar_t text[2] = {(wchar_t)c->ch, 0};
    cchar_t wide;
    if (!c->ch)
        return;
    setcchar(&wide, text, curses_attributes(screen, c), screen->colour ? c->colour : 0, NULL);
    mvadd_wch((int)row, (int)col, &wide);
}

bool screen_show(struct screen *screen, const struct cells *cells)
{
    if (tty_pending(screen->tty))
        return false;
    for (unsigned row = 0; row < cells->rows; row++)
        for (unsigned col = 0; col < cells->cols; col++)
            put_cell(screen, row, col, &cells->cell[(size_t)row * cells->cols + col]);
    curs_set(cells->cursor_on);
    move((int)cells->cursor_row, (int)cells->cursor_col);
    refresh();
    fflush(screen->pen);
    tty_send(screen->tty, false);
    return true;
}

void screen_resized(struct screen *screen)
{
    fit_size(screen);
    clearok(curscr, TRUE);
}

void screen_redraw(struct screen *screen)
{
    (void)screen;
    clearok(curscr, TRUE);
}

void screen_bell(struct screen *screen)
{
    raw_bytes(screen, "\a");
    tty_send(screen->tty, false);
}

void screen_suspend(struct screen *screen)
{
    leave(screen);
    tty_cooked(screen->tty);
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    // The shell brought us back.
    tty_raw(screen->tty);
    raw_bytes(screen, PASTE_ON);
    screen_resized(screen);
}
