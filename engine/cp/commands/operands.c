// SPDX-License-Identifier: MIT
// Operands that many commands have.
#include "cp/commands/operands.h"

#include <string.h>

#include "cp/directory.h"

const char *on_off(bool on)
{
    return on ? "ON" : "OFF";
}

int take_on_off(struct command_call *call, bool *on)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (strcmp(word, "ON") != 0 && strcmp(word, "OFF") != 0)
        return call_error(call, MESSAGE_invalid_operand, word);
    *on = strcmp(word, "ON") == 0;
    return 0;
}

int take_number(struct command_call *call, uint64_t min, uint64_t max, uint64_t *value)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (!text_to_u64(word, 10, max, value) || *value < min)
        return call_error(call, MESSAGE_invalid_operand, word);
    return 0;
}

int take_vdev(struct command_call *call, uint16_t *vdev)
{
    return parse_vdev(call_take(call), vdev) ? 0 : call_error(call, MESSAGE_vdev_missing);
}

int take_known_user(struct command_call *call, char userid[USERID_SIZE])
{
    const char *word = call_take(call);
    if (word && strcmp(word, "*") == 0)
        word = call->vm->userid;
    if (!parse_userid(word, userid))
        return call_error(call, MESSAGE_userid_missing);
    if (!directory_find(call->cp->directory, userid))
        return call_error(call, MESSAGE_user_not_in_directory, userid);
    return 0;
}
