// SPDX-License-Identifier: MIT
// A volume's cache of tracks.
#include "devices/dasd_volume.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"

struct dasd_volume *dasd_volume_new(struct dasd_image *image)
{
    struct dasd_volume *v = mem_zero(1, sizeof *v);
    v->image = image;
    v->model = dasd_image_model(image);
    arm_init(&v->arm);
    if (!dasd_image_volser(image, v->volser))
        v->volser[0] = '\0';
    return v;
}

void dasd_volume_free(struct dasd_volume *volume)
{
    if (!volume)
        return;
    INVARIANT(!volume->devices);
    arm_free(&volume->arm);
    for (unsigned i = 0; i < VOLUME_CACHED_TRACKS; i++)
        free(volume->cached[i].bytes);
    dasd_image_close(volume->image);
    free(volume);
}

// The cached track, or the place that was unused for longest.
static unsigned place_for(const struct dasd_volume *v, unsigned track)
{
    unsigned oldest = 0;
    for (unsigned i = 0; i < VOLUME_CACHED_TRACKS; i++) {
        if (v->cached[i].used && v->cached[i].track == track)
            return i;
        if (v->cached[i].used < v->cached[oldest].used)
            oldest = i;
    }
    return oldest;
}

uint8_t *dasd_volume_track(struct dasd_volume *volume, unsigned track)
{
    unsigned i = place_for(volume, track);
    size_t size = volume->model->track_size, where;
    if (!volume->cached[i].used || volume->cached[i].track != track) {
        if (!volume->cached[i].bytes)
            volume->cached[i].bytes = mem_alloc(size);
        volume->cached[i].used = 0;
        volume->track_misses++;
        const char *wrong = "cannot be read";
        if (dasd_image_read(volume->image, track, volume->cached[i].bytes) == 0)
            wrong = track_check(volume->cached[i].bytes, size, track / volume->model->heads,
                                track % volume->model->heads, &where);
        if (wrong) {
            LOG(IO, "%s track %u: %s", volume->volser, track, wrong);
            return NULL;
        }
        volume->cached[i].track = track;
    }
    volume->cached[i].used = ++volume->use;
    return volume->cached[i].bytes;
}

int dasd_volume_write(struct dasd_volume *volume, unsigned track)
{
    unsigned i = place_for(volume, track);
    INVARIANT(volume->cached[i].used && volume->cached[i].track == track);
    if (dasd_image_write(volume->image, track, volume->cached[i].bytes) == 0)
        return 0;
    volume->cached[i].used = 0; // what is in the cache is not on disk
    return -1;
}
