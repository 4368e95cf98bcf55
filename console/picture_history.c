// SPDX-License-Identifier: MIT
// Scrollback.
#include "console/picture.h"

#include <stdio.h>

void picture_history(struct cells *cells, size_t total, size_t back,
                     bool (*line)(void *arg, size_t i, char *out, size_t size), void *arg)
{
    char text[800];
    size_t rows = cells->rows - 1;
    size_t end = total > back ? total - back : 0, first = end > rows ? end - rows : 0;
    for (unsigned row = 0; row < rows; row++) {
        picture_blank_row(cells, row, 0);
        if (first + row < end && line(arg, first + row, text, sizeof text))
            cells_text(cells, row, 0, cells->cols, text, 0, 0);
    }
    snprintf(text, sizeof text, "Lines %zu to %zu of %zu   PgUp PgDn   any other key: back",
             total ? first + 1 : 0, end, total);
    picture_notice(cells, text);
}
