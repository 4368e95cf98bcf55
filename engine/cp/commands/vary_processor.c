// SPDX-License-Identifier: MIT
// VARY {ONLINE | OFFLINE} PROCESSOR nnnn.
#include "cp/commands/vary_processor.h"

#include "base/text.h"

int vary_processor(struct command_call *call, bool on)
{
    uint64_t address;
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    const char *word = call_take(call);
    if (!text_to_u64(word, 16, UINT16_MAX, &address))
        return call_error(call, MESSAGE_invalid_operand, word);
    if (call_end(call))
        return call->out->rc;
    if (address >= call->cp->processors)
        return call_error(call, MESSAGE_no_such_processor, (unsigned)address);
    if (!cp_vary_processor(call->cp, &call->cp->processor[address], on))
        return call_error(call, MESSAGE_last_processor, (unsigned)address);
    call_line(call, "Processor %04X is %s", (unsigned)address, on ? "online" : "offline");
    return 0;
}
