// SPDX-License-Identifier: MIT
// A transaction server: takes IUCV messages, computes, reads one record of its disk, replies.
// Parameters: work=, passes of the computing loop (400); device=, hexadecimal (191); verbose.
// The doubleword at 10018 counts transactions. Each takes some thousand instructions.
#include "iucv.h"
#include "runtime/dasd.h"

#define RECORD_LENGTH 1024u
#define TRACKS        15u

static struct device disk;
static bool has_disk;
static uint8_t record[RECORD_LENGTH] __attribute__((aligned(8)));
static uint8_t request[256] __attribute__((aligned(8)));

static uint64_t compute(uint64_t passes, uint64_t x)
{
    while (passes--)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

// The first time, its tracks get a record each.
static void open_disk(void)
{
    struct dasd_address at = {0, 0, 1};

    has_disk = device_open(&disk, (uint16_t)parameter_hex("device", 0x0191));
    if (!has_disk || dasd_read(&disk, &at, record, sizeof record))
        return;
    for (uint16_t head = 0; has_disk && head < TRACKS; head++) {
        at.head = head;
        has_disk = dasd_format(&disk, &at, 1, RECORD_LENGTH);
    }
}

static void accept(const struct iucv_control *pending)
{
    struct iucv_control list = {.path = pending->path, .limit = pending->limit};

    memcpy(list.data, pending->data, sizeof list.data);
    iucv_call(IUCV_ACCEPT, &list);
}

static void sever(uint16_t path)
{
    struct iucv_control list = {.path = path};
    iucv_call(IUCV_SEVER, &list);
}

static void serve(const struct iucv_message *message, uint64_t work)
{
    struct iucv_message list = {
        .path = message->path,
        .flags = IUCV_ANSWER_BY_ID,
        .id = message->id,
        .target_class = message->target_class,
        .address = address_of(request),
        .length = sizeof request,
    };
    uint64_t x;

    if (iucv_call(IUCV_RECEIVE, &list))
        return;
    x = compute(work, *(uint64_t *)(void *)request);
    struct dasd_address at = {0, (uint16_t)((x >> 32) % TRACKS), 1};
    if (has_disk)
        dasd_read(&disk, &at, record, sizeof record);
    *(uint64_t *)(void *)request = x;
    list = (struct iucv_message){
        .path = message->path,
        .flags = IUCV_ANSWER_BY_ID,
        .id = message->id,
        .target_class = message->target_class,
        .address = address_of(request),
        .length = 8,
    };
    iucv_call(IUCV_REPLY, &list);
    transactions++;
}

unsigned long guest_main(void)
{
    uint64_t work = parameter_number("work", 400);

    if (!iucv_begin()) {
        print("server: there is no IUCV here");
        return END_OK;
    }
    open_disk();
    if (parameter_flag("verbose"))
        print("server: ready, %s", has_disk ? "with a disk" : "without a disk");
    for (;;) {
        const union iucv_buffer *event = iucv_wait();
        if (!event)
            continue;
        if (event->control.code == IUCV_PENDING)
            accept(&event->control);
        else if (event->control.code == IUCV_SEVERED)
            sever(event->control.path);
        else if (event->control.code == IUCV_MESSAGE ||
                 event->control.code == IUCV_MESSAGE_PRIORITY)
            serve(&event->message, work);
    }
}
