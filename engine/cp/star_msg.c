// SPDX-License-Identifier: MIT
#include "cp/star_msg.h"

#include <string.h>

#include "base/ebcdic.h"
#include "cp/cp.h"
#include "cp/iucv.h"

#define SENDER_SIZE 8u
#define TEXT_MAX    256u
// Our own, there is no published one: a second path of a user is severed with it.
#define SEVER_SECOND_PATH 0x01

static void pending(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA])
{
    static const uint8_t second[IUCV_USER_DATA] = {SEVER_SECOND_PATH}, none[IUCV_USER_DATA];
    struct cp *cp = arg;

    (void)user_data;
    if (iucv_path_to(iucv_service(cp, "*MSG"), iucv_end_userid(end)))
        iucv_sever(end, second);
    else
        iucv_accept(end, 0, 0, none);
}

static const struct iucv_ops ops = {.pending = pending};

void star_msg_init(struct cp *cp)
{
    iucv_register_service(cp, "*MSG", &ops, cp);
}

bool star_msg_send(struct vm *vm, enum message_class kind, const char *sender, const char *utf8)
{
    struct iucv_end *end = iucv_path_to(iucv_service(vm->cp, "*MSG"), vm->userid);
    uint8_t message[SENDER_SIZE + TEXT_MAX];

    if (!end)
        return false;
    ebcdic_field(message, SENDER_SIZE, sender);
    size_t n = ebcdic_from_utf8(codepage_default(), utf8, message + SENDER_SIZE, TEXT_MAX);
    return iucv_send(end, IUCV_NORPY, kind, 0, message, (uint32_t)(SENDER_SIZE + n), 0, NULL) ==
           IUCV_OK;
}
