// SPDX-License-Identifier: MIT
// A 3270 display as a channel device. The data stream itself is somebody else's: writes go out as
// they are, with their command; input comes in as AID, cursor and fields, as a terminal sends it.
#ifndef ENDICOTT_DEVICES_CONSOLE_3270_H
#define ENDICOTT_DEVICES_CONSOLE_3270_H

#include "devices/device.h"

#define COMMAND_3270_WRITE             0x01u
#define COMMAND_3270_READ_BUFFER       0x02u
#define COMMAND_3270_ERASE_WRITE       0x05u
#define COMMAND_3270_READ_MODIFIED     0x06u
#define COMMAND_3270_SELECT            0x0Bu
#define COMMAND_3270_ERASE_WRITE_ALT   0x0Du
#define COMMAND_3270_ERASE_UNPROTECTED 0x0Fu
#define COMMAND_3270_WRITE_STRUCTURED  0x11u

// Called under the system lock, from inside the channel program: must not detach the device or run
// CP commands there and then.
struct display_3270 {
    // Outbound data stream: the command's code and what follows it (WCC and orders; structured
    // fields). False when no display is connected: intervention required.
    bool (*write)(void *arg, uint8_t command, const uint8_t *stream, size_t n);
    // The whole buffer as READ BUFFER gives it (AID, cursor address, orders and data), into `out`;
    // the length, which may exceed `size`. NULL: only what console_3270_input() brought is known.
    size_t (*read_buffer)(void *arg, uint8_t *out, size_t size);
    void *arg;
};

// `model` 2-5: 24x80, 32x80, 43x80, 27x132.
struct device *console_3270_new(uint16_t devno, unsigned model, const struct display_3270 *display);
// Connects another display (NULL: none). The program gets device end when one comes.
void console_3270_connect(struct device *dev, const struct display_3270 *display);
// A key that sends: AID, cursor address and modified fields as READ MODIFIED shall give them; or an
// inbound structured field (AID X'88'). Copied; replaces what was not read yet.
void console_3270_input(struct device *dev, const uint8_t *stream, size_t n);

#endif
