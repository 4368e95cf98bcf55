// SPDX-License-Identifier: MIT
// Where the images of the bundled guests are: $ENDICOTT_GUESTS, beside the program as the build
// leaves them (guests/), or as they are installed (../share/endicott/guests/).
#ifndef ENDICOTT_CP_GUEST_IMAGES_H
#define ENDICOTT_CP_GUEST_IMAGES_H

#include <stdbool.h>

#include "base/text.h"

// The path of the image of guest `name` (any case) into `path`; false when there is none.
bool guest_image_find(const char *name, struct text *path);

#endif
