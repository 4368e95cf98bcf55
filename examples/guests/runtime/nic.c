// SPDX-License-Identifier: MIT
#include "../nic.h"

#define EXTERNAL_NIC   0x4002
#define EXTERNAL_CLOCK 0x1004

enum function { SEND = 1, RECEIVE = 2, QUERY_MAC = 3 };

static struct {
    uint16_t function, device;
    uint32_t length;
    uint64_t address;
    uint32_t returned, reserved;
    uint8_t mac[8];
} __attribute__((aligned(8))) block;

static volatile bool arrived, rang;

static int diagnose(uint32_t *reason)
{
    register uint64_t r2 __asm__("2") = (uint64_t)&block;
    register uint64_t r3 __asm__("3") = 0;
    int cc;

    __asm__ volatile("diag %1,%2,0x2a8\n\tipm %0\n\tsrl %0,28"
                     : "=d"(cc), "+d"(r2), "+d"(r3)
                     :
                     : "cc", "memory");
    *reason = (uint32_t)r3;
    return cc;
}

static void query(void *cc)
{
    uint32_t reason;
    *(int *)cc = diagnose(&reason);
}

static void on_external(const struct interruption *i)
{
    if (i->code == EXTERNAL_NIC) {
        arrived = true;
    } else if (i->code == EXTERNAL_CLOCK) {
        uint64_t never = ~0ul;
        __asm__ volatile("sckc %0" : : "Q"(never));
        rang = true;
    }
}

bool nic_begin(uint16_t number, uint8_t mac[6])
{
    int cc = 3;

    block.function = QUERY_MAC;
    block.device = number;
    // Without CP the instruction is a specification exception.
    if (try_call(query, &cc) || cc)
        return false;
    memcpy(mac, block.mac, 6);
    set_handler(EXTERNAL, on_external);
    control_set(0, CR0_IUCV);
    return true;
}

int nic_send(struct frame *frame, uint32_t length, uint32_t *reason)
{
    block.function = SEND;
    block.length = length;
    block.address = (uint64_t)frame;
    return diagnose(reason);
}

int nic_receive(struct frame *frame, uint32_t *length, uint32_t *reason)
{
    int cc;

    block.function = RECEIVE;
    block.length = sizeof *frame;
    block.address = (uint64_t)frame;
    cc = diagnose(reason);
    *length = block.returned;
    return cc;
}

void nic_alarm(uint64_t us)
{
    rang = false;
    alarm_at(tod_clock() + (us << 12));
}

bool nic_wait(void)
{
    bool frame;

    while (!arrived && !rang)
        wait_for(PSW_EXTERNAL);
    frame = arrived;
    if (frame)
        arrived = false;
    else
        rang = false;
    return frame;
}
