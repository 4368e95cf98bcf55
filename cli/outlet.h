// SPDX-License-Identifier: MIT
// Where exported lines go: a file, standard output, or over the network.
#ifndef ENDICOTT_CLI_OUTLET_H
#define ENDICOTT_CLI_OUTLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct outlet {
    FILE *file;
    int socket; // -1: none
    bool datagrams;
    char batch[1400]; // of a datagram: whole lines
    size_t filled;
};

// "tcp://HOST:PORT", "udp://HOST:PORT" (HOST may be [::1]), a path, or NULL or "-" for standard
// output. False after an error on standard error.
bool outlet_open(struct outlet *outlet, const char *where);
// Whole lines. False when they cannot be written.
bool outlet_write(void *outlet, const char *lines, size_t n);
// False after an error on standard error: something was not written.
bool outlet_close(struct outlet *outlet);

#endif
