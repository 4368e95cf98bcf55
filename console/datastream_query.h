// SPDX-License-Identifier: MIT
// The answer to Read Partition (Query): what this display can do.
#ifndef ENDICOTT_CONSOLE_DATASTREAM_QUERY_H
#define ENDICOTT_CONSOLE_DATASTREAM_QUERY_H

#include "base/text.h"
#include "console/presentation.h"

// Appends AID X'88' and the query replies.
void ds_query_reply(const struct presentation *ps, struct text *inbound);

#endif
