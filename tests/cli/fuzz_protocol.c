// SPDX-License-Identifier: MIT
// The local socket's protocol: whatever a client sends, a session answers or hangs up. The first
// byte of the input chooses between raw bytes and frames that are well formed with contents that
// are not.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/protocol.h"
#include "cli/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct endicott *sys;
static unsigned inputs;

// A system for some inputs: what one leaves behind, others meet.
static void refresh_system(void)
{
    char *error = NULL;
    if (sys && !endicott_is_down(sys) && ++inputs % 64)
        return;
    endicott_free(sys);
    sys = endicott_new(&(struct endicott_options){.mode = CLOCK_VIRTUAL}, &error);
    INVARIANT(sys);
}

static void wake(void *arg)
{
    (void)arg; // session_work() is called anyway
}

// What is ours to send must be frames, too.
static void check_output(struct session *session)
{
    struct frame_reader reader = {0};
    struct frame frame;
    const struct text *out = session_output(session);
    frame_reader_add(&reader, out->s, out->len);
    while (frame_next(&reader, &frame))
        ;
    INVARIANT(!reader.broken && reader.taken == reader.bytes.len);
    frame_reader_free(&reader);
    session_sent(session, out->len);
}

static void pass(struct session *session, const void *bytes, size_t n)
{
    session_bytes(session, bytes, n);
    session_work(session);
    check_output(session);
}

// Each frame: one byte chooses its type, the next is its length.
static void send_frames(struct session *session, const uint8_t *data, size_t size)
{
    static const char types[] = "CCDDIIIIZZALHTS";
    while (size >= 2) {
        struct text frame = {0};
        size_t n = data[1] < size - 2 ? data[1] : size - 2;
        char type = types[data[0] % (sizeof types - 1)];
        if (type != 'S' || n == 83) // an end in most inputs would leave little to see
            frame_put(&frame, (enum frame_type)type, data + 2, n);
        pass(session, frame.s, frame.len);
        text_free(&frame);
        data += 2 + n;
        size -= 2 + n;
    }
}

// A display of the usual size, so that what follows finds one.
static void open_display(struct session *session)
{
    static const uint8_t size[] = {0, 24, 0, 80, 'M', 'A', 'I', 'N', 'T'};
    struct text bytes = {0};
    frame_put(&bytes, FRAME_DISPLAY, size, sizeof size);
    pass(session, bytes.s, bytes.len);
    text_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text hello = {0};
    refresh_system();
    struct session *session = session_new(
        &(struct session_options){.sys = sys, .name = "fuzz", .number = 1, .wake = wake});
    frame_put_hello(&hello, "");
    if (size && data[0] & 1)
        pass(session, hello.s, hello.len);
    if (size && data[0] & 2)
        open_display(session);
    if (size && data[0] & 4)
        pass(session, data + 1, size - 1);
    else if (size)
        send_frames(session, data + 1, size - 1);
    if (!endicott_is_down(sys))
        endicott_run_until(sys, endicott_now(sys) + TOD_SECOND / 100);
    session_work(session);
    session_free(session);
    text_free(&hello);
    return 0;
}
