// SPDX-License-Identifier: MIT
// Card hoppers, punched and printed output as files of the host.
#include "devices/unit_record_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"

struct deck {
    struct deck *next;
    size_t size, at;
    uint8_t bytes[];
};

struct card_hopper {
    struct deck *first, **end;
};

struct card_hopper *card_hopper_new(void)
{
    struct card_hopper *hopper = mem_zero(1, sizeof *hopper);
    hopper->end = &hopper->first;
    return hopper;
}

static void drop_first(struct card_hopper *hopper)
{
    struct deck *deck = hopper->first;
    hopper->first = deck->next;
    if (!hopper->first)
        hopper->end = &hopper->first;
    free(deck);
}

void card_hopper_free(struct card_hopper *hopper)
{
    if (!hopper)
        return;
    while (hopper->first)
        drop_first(hopper);
    free(hopper);
}

void card_hopper_add(struct card_hopper *hopper, const void *bytes, size_t n)
{
    struct deck *deck = mem_alloc(sizeof *deck + n);
    deck->next = NULL;
    deck->size = n;
    deck->at = 0;
    if (n)
        memcpy(deck->bytes, bytes, n);
    *hopper->end = deck;
    hopper->end = &deck->next;
}

int card_hopper_add_file(struct card_hopper *hopper, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return -1;
    size_t n = 0, cap = 1 << 16;
    uint8_t *bytes = mem_alloc(cap);
    for (size_t got; (got = fread(bytes + n, 1, cap - n, f)) > 0;) {
        n += got;
        if (n == cap)
            bytes = mem_resize(bytes, cap *= 2, 1);
    }
    int rc = ferror(f) ? -1 : 0;
    if (rc == 0)
        card_hopper_add(hopper, bytes, n);
    free(bytes);
    fclose(f);
    return rc;
}

static int hopper_read(void *arg, uint8_t *record, size_t size)
{
    struct card_hopper *hopper = arg;
    struct deck *deck = hopper->first;
    if (!deck)
        return UNIT_RECORD_NO_FILE;
    if (deck->at == deck->size) {
        drop_first(hopper);
        return UNIT_RECORD_FILE_END;
    }
    size_t n = deck->size - deck->at;
    if (n > CARD_BYTES)
        n = CARD_BYTES;
    if (n > size)
        n = size;
    memset(record, 0, size);
    memcpy(record, deck->bytes + deck->at, n);
    deck->at += n;
    return (int)size;
}

struct unit_record_source card_hopper_source(struct card_hopper *hopper)
{
    return (struct unit_record_source){hopper_read, hopper};
}

static bool write_card(void *arg, uint8_t command, const uint8_t *record, size_t n)
{
    (void)command;
    uint8_t card[CARD_BYTES];
    memset(card, 0x40, sizeof card);
    memcpy(card, record, n < sizeof card ? n : sizeof card);
    return fwrite(card, sizeof card, 1, arg) == 1;
}

struct unit_record_sink card_file_sink(FILE *out)
{
    return (struct unit_record_sink){write_card, out};
}

static bool write_line(void *arg, uint8_t command, const uint8_t *record, size_t n)
{
    FILE *out = arg;
    char text[4 * PRINTER_BYTES + 1];
    struct carriage c = printer_carriage(command);
    if (c.write) {
        size_t length = ebcdic_to_utf8(codepage_default(), record, n, text, sizeof text);
        while (length && text[length - 1] == ' ')
            length--;
        fwrite(text, 1, length, out);
    }
    if (c.skip == 1)
        fputs(c.write ? "\n\f" : "\f", out);
    else if (c.skip)
        fputc('\n', out);
    else if (c.space == 0)
        fputc('\r', out); // overprint
    for (unsigned i = 0; i < c.space; i++)
        fputc('\n', out);
    return !ferror(out);
}

struct unit_record_sink print_file_sink(FILE *out)
{
    return (struct unit_record_sink){write_line, out};
}
