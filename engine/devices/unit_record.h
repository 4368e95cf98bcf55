// SPDX-License-Identifier: MIT
// Card readers, punches and printers. Where cards come from and records go to is the caller's: CP's
// spool, or files of the host (unit_record_file.h).
#ifndef ENDICOTT_DEVICES_UNIT_RECORD_H
#define ENDICOTT_DEVICES_UNIT_RECORD_H

#include "devices/device.h"

#define CARD_BYTES           80
#define PRINTER_BYTES        132
#define UNIT_RECORD_FILE_END (-1) // told to the program by unit exception, once
#define UNIT_RECORD_NO_FILE  (-2) // intervention required

// Called under the system lock, from inside the channel program: must not detach the device.
struct unit_record_source {
    // The next record, at most `size` bytes: its length, or one of the above.
    int (*read)(void *arg, uint8_t *record, size_t size);
    void *arg;
};
struct unit_record_sink {
    // A record and the channel command it came with; n = 0 for carriage movements of a printer.
    // False when it cannot be taken: intervention required.
    bool (*write)(void *arg, uint8_t command, const uint8_t *record, size_t n);
    void *arg;
};

// `type` is 0x2540, 0x3505 or 0x2501; 0x2540 or 0x3525; 0x1403, 0x3203 or 0x3211. Freed by
// css_detach/css_free. The records' owner must outlive the device.
struct device *card_reader_new(uint16_t devno, uint16_t type,
                               const struct unit_record_source *source);
struct device *card_punch_new(uint16_t devno, uint16_t type, const struct unit_record_sink *sink);
struct device *printer_new(uint16_t devno, uint16_t type, const struct unit_record_sink *sink);

// The device became ready: unsolicited device end.
void unit_record_ready(struct device *dev);

// What a printer command does to the paper, for whoever prints it.
struct carriage {
    bool write;     // has data
    bool before;    // immediate commands: movement without data
    unsigned space; // lines after the data (or at once), 0-3
    unsigned skip;  // channel 1-12 of the tape to skip to, 0 = none
};
struct carriage printer_carriage(uint8_t command);

#endif
