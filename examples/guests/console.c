// SPDX-License-Identifier: MIT
// Talks on its console: answers each line that it is given, until "quit".
#include "runtime/guest.h"

static void reverse(char *s, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        char c = s[i];
        s[i] = s[n - 1 - i];
        s[n - 1 - i] = c;
    }
}

static bool is_quit(const char *line)
{
    return same(line, "quit") || same(line, "QUIT");
}

unsigned long guest_main(void)
{
    char line[132];
    size_t n;

    if (!console())
        return END_NO_DEVICE;
    print("console: type a line, or quit");
    for (;;) {
        n = read_line(line, sizeof line);
        if (is_quit(line))
            break;
        transactions++;
        print("console: you typed %s", line);
        reverse(line, n);
        print("console: backwards %s", line);
    }
    print("console: %lu lines answered, good bye", transactions);
    return END_OK;
}
