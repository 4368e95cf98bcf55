// SPDX-License-Identifier: MIT
// The 3215 console: a printer-keyboard, line by line. Whoever connects a terminal (CP, or a bare
// machine's operator) gives it a sink for output and types lines in.
#ifndef ENDICOTT_DEVICES_CONSOLE_3215_H
#define ENDICOTT_DEVICES_CONSOLE_3215_H

#include "base/ebcdic.h"
#include "devices/device.h"

// Called under the system lock, from inside the channel program: must not detach the device or
// run CP commands there and then. NULL members are not called.
struct console_sink {
    // Output, printable UTF-8 without line ends. With `newline` the line is complete; without, more
    // of the same line follows (a prompt).
    void (*output)(void *arg, const char *utf8, bool newline);
    // The program has begun, or ended, waiting for a line (the VM READ state).
    void (*reading)(void *arg, bool reading);
    // The ALARM command.
    void (*alarm)(void *arg);
    void *arg;
};

// A console whose texts are in `page` (NULL = codepage_default()). Free by css_detach/css_free.
struct device *console_3215_new(uint16_t devno, const struct codepage *page,
                                const struct console_sink *sink);
// Gives it another terminal.
void console_3215_connect(struct device *dev, const struct console_sink *sink);
void console_3215_set_page(struct device *dev, const struct codepage *page);
// A line was typed: it ends a read that waits, or is kept with an attention interruption until the
// program reads. Empty lines count. At most CONSOLE_3215_LINES wait; false when there are more.
#define CONSOLE_3215_LINES 64
bool console_3215_input(struct device *dev, const char *utf8);
// The attention key alone.
void console_3215_attention(struct device *dev);
bool console_3215_reading(const struct device *dev);

#endif
