// SPDX-License-Identifier: MIT
#include "../iucv.h"

#define EXTERNAL_IUCV  0x4000
#define EXTERNAL_CLOCK 0x1004
#define QUEUE          64u

static union iucv_buffer buffer, queue[QUEUE]; // the hypervisor's, and what was taken from it
static volatile unsigned put, got;
static volatile bool rang;

int iucv_call(enum iucv_function function, void *list)
{
    register uint64_t r0 __asm__("0") = function;
    register uint64_t r1 __asm__("1") = (uint64_t)list;
    int cc;

    __asm__ volatile(".insn s,0xb2f00000,0(%2)\n\tipm %0\n\tsrl %0,28"
                     : "=d"(cc), "+d"(r0), "+a"(r1)
                     :
                     : "cc", "memory");
    return cc;
}

static void on_external(const struct interruption *i)
{
    if (i->code == EXTERNAL_IUCV) {
        queue[put % QUEUE] = buffer;
        put++;
    } else if (i->code == EXTERNAL_CLOCK) {
        uint64_t never = ~0ul;
        __asm__ volatile("sckc %0" : : "Q"(never));
        rang = true;
        alarm_rang = true;
    }
}

static void declare(void *cc)
{
    static struct iucv_message list;

    list.address = address_of(&buffer);
    *(int *)cc = iucv_call(IUCV_DECLARE, &list);
}

bool iucv_begin(void)
{
    int cc = 3;

    // Without CP the instruction is an operation exception.
    if (try_call(declare, &cc) || cc)
        return false;
    set_handler(EXTERNAL, on_external);
    control_set(0, CR0_IUCV);
    return true;
}

const union iucv_buffer *iucv_wait(void)
{
    while (got == put && !rang)
        wait_for(PSW_EXTERNAL);
    if (got != put)
        return &queue[got++ % QUEUE];
    rang = false;
    return NULL;
}
