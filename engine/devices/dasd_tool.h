// SPDX-License-Identifier: MIT
// What a person does with DASD images outside a running system: list, check, import, export.
// (Making one is dasd_image_create().) Texts go to `out`.
#ifndef ENDICOTT_DEVICES_DASD_TOOL_H
#define ENDICOTT_DEVICES_DASD_TOOL_H

#include <stdio.h>

#include "devices/dasd_image.h"

// Label, geometry, and the data sets of the VTOC or the CMS label if there is one. 0, or -1 with
// *error (to be freed) when the image cannot be opened or read.
int dasd_tool_list(const char *path, FILE *out, char **error);
// Looks at every track and reports each damage as "PATH: offset N: track C/H: reason", then a
// summary. The number of damaged tracks, or -1 with *error when it is no image at all.
int dasd_tool_check(const char *path, FILE *out, char **error);
// Writes `in` as blocks of `block` bytes (the last one padded with zeros) from the first record of
// cylinder/head on, as many a track as fit, each track written whole. What those tracks held is
// lost. The number of blocks, or -1 with *error.
long dasd_tool_import(const char *path, unsigned cylinder, unsigned head, unsigned block, FILE *in,
                      char **error);
// Writes the data of `records` records (0: until a track without any, or one of length 0) from
// there on to `out`. The number of records, or -1 with *error.
long dasd_tool_export(const char *path, unsigned cylinder, unsigned head, unsigned long records,
                      FILE *out, char **error);

#endif
