// SPDX-License-Identifier: MIT
// The 3270 data stream: what a host sends (commands, write control character, orders) applied to a
// presentation space, what a display sends back (AID, cursor, fields), and helpers that compose
// both. Facts: GA23-0059, 3270 Data Stream Programmer's Reference, chapters 3 to 5.
#ifndef ENDICOTT_CONSOLE_DATASTREAM_H
#define ENDICOTT_CONSOLE_DATASTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "console/presentation.h"

// Commands, as channel command codes; the SNA forms (X'F1' Write...) are understood as well.
#define DS_WRITE             0x01
#define DS_READ_BUFFER       0x02
#define DS_ERASE_WRITE       0x05
#define DS_READ_MODIFIED     0x06
#define DS_ERASE_WRITE_ALT   0x0D
#define DS_READ_MODIFIED_ALL 0x0E
#define DS_ERASE_UNPROTECTED 0x0F
#define DS_WRITE_STRUCTURED  0x11

// Write control character.
#define WCC_BASE    0xC0 // makes it a graphic
#define WCC_ALARM   0x04
#define WCC_RESTORE 0x02 // keyboard restore
#define WCC_RESET   0x01 // MDTs off

// Orders.
#define ORDER_PT  0x05
#define ORDER_GE  0x08
#define ORDER_SBA 0x11
#define ORDER_EUA 0x12
#define ORDER_IC  0x13
#define ORDER_SF  0x1D
#define ORDER_SA  0x28
#define ORDER_SFE 0x29
#define ORDER_MF  0x2C
#define ORDER_RA  0x3C

// Extended attribute types.
#define XA_RESET     0x00 // Set Attribute only: all to default
#define XA_FIELD     0xC0
#define XA_HIGHLIGHT 0x41
#define XA_COLOUR    0x42
#define XA_CHARSET   0x43

// Attention identifications.
#define AID_NONE  0x60
#define AID_ENTER 0x7D
#define AID_CLEAR 0x6D
#define AID_PA1   0x6C
#define AID_PA2   0x6E
#define AID_PA3   0x6B
#define AID_SF    0x88              // structured field
uint8_t ds_aid_of_pf(unsigned pf);  // 1-24
unsigned ds_pf_of_aid(uint8_t aid); // 0 when it is not a PF key

enum ds_result {
    DS_OK,
    DS_BAD_COMMAND, // empty or unknown
    DS_BAD_ADDRESS, // beyond the buffer
    DS_BAD_ORDER,   // incomplete, or impossible where it stands
};

// Applies `n` bytes of outbound data, command code first. What came before an error stays done, as
// on a real display. Read commands and queries append their answer to `inbound` (NULL: dropped).
enum ds_result ds_outbound(struct presentation *ps, const uint8_t *data, size_t n,
                           struct text *inbound);

// What the display sends with the last AID: Read Modified. Appends.
void ds_read_modified(const struct presentation *ps, bool all, struct text *inbound);
void ds_read_buffer(const struct presentation *ps, struct text *inbound);

// --- composing outbound data ------------------------------------------------

// `cells` is the size of the buffer: 12-bit addresses up to 4096 positions, 14-bit beyond.
void ds_put_address(struct text *out, unsigned cells, unsigned at);
unsigned ds_get_address(const uint8_t *two); // either form; UINT_MAX for the reserved one
void ds_put_byte(struct text *out, uint8_t byte);
void ds_sba(struct text *out, unsigned cells, unsigned at);
void ds_start_field(struct text *out, uint8_t attribute);
void ds_start_field_colour(struct text *out, uint8_t attribute, uint8_t colour, uint8_t highlight);
void ds_set_attribute(struct text *out, uint8_t type, uint8_t value);
void ds_repeat(struct text *out, unsigned cells, unsigned to, uint8_t code);
// UTF-8 in the code page; whatever could be taken for an order becomes a blank.
void ds_text(struct text *out, const struct codepage *page, const char *utf8);
// The whole presentation space as one Erase/Write (alternate when it has that size), cursor last.
void ds_compose(const struct presentation *ps, struct text *out);

// --- taking inbound data apart ----------------------------------------------

struct ds_field {
    unsigned at; // address of the first character
    const uint8_t *data;
    size_t n;
};
struct ds_inbound {
    uint8_t aid;
    unsigned cursor;
    size_t fields;
    struct ds_field field[16]; // more are ignored
};
// False when it is not the answer to a Read Modified. Points into `data`.
bool ds_parse_inbound(const uint8_t *data, size_t n, struct ds_inbound *in);

#endif
