// SPDX-License-Identifier: MIT
// Packet capture in pcapng form, one interface per port, so that Wireshark and tcpdump read what
// passed on a LAN. Every frame shows where it entered (inbound) and at each port it left by
// (outbound). Format: IETF draft-ietf-opsawg-pcapng.
#ifndef ENDICOTT_NETWORK_CAPTURE_H
#define ENDICOTT_NETWORK_CAPTURE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/clock.h"

struct capture;
struct port;
struct lan;

enum capture_direction { CAPTURE_IN = 1, CAPTURE_OUT = 2 }; // as in the packet flags option

// Writes to `out`, which passes to the capture and is closed with it.
struct capture *capture_new(FILE *out, const struct clock *clock);
// Opens the file; NULL with errno when that fails.
struct capture *capture_open(const char *path, const struct clock *clock);
// 0, or -1 when something could not be written (disk full).
int capture_close(struct capture *capture);

// Switches the capture of a LAN on, or off with NULL; the capture stays the caller's. One
// capture may serve several LANs.
void capture_attach(struct lan *lan, struct capture *capture);

void capture_frame(struct capture *capture, struct port *port, enum capture_direction direction,
                   const uint8_t *frame, size_t n);

#endif
