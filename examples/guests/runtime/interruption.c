// SPDX-License-Identifier: MIT
// Interruptions: the first level in C, and control registers.
#include "guest.h"
#include "runtime.h"

extern char entry_restart[], entry_external[], entry_svc[], entry_program[], entry_machine_check[],
    entry_io[], try_end[];
extern uint64_t try_stack;

static handler_fn *handlers[CLASSES];

struct interruption last_check;
uint64_t last_psw[2];

handler_fn *set_handler(enum interruption_class class, handler_fn *handler)
{
    handler_fn *old = handlers[class];
    handlers[class] = handler;
    return old;
}

void interruptions_begin(void)
{
    char *const entry[CLASSES] = {entry_restart, entry_external,      entry_svc,
                                  entry_program, entry_machine_check, entry_io};

    for (int i = 0; i < CLASSES; i++) {
        uint64_t *psw = real(LC_NEW_PSW + 16ul * (unsigned)i);
        psw[0] = PSW_64;
        psw[1] = (uint64_t)entry[i];
    }
}

static struct interruption describe(enum interruption_class class)
{
    struct interruption i = {
        .class = class,
        .gr = real(LC_SAVE + 128ul * class),
        .old_psw = real(LC_OLD_PSW + 16ul * class),
    };

    if (class == EXTERNAL) {
        i.code = low16(LC_EXTERNAL_CODE);
        i.cpu = low16(LC_EXTERNAL_CPU);
        i.parameter = low32(LC_EXTERNAL_PARAMETER);
    } else if (class == SVC) {
        i.code = low16(LC_SVC_CODE);
        i.ilc = low16(LC_SVC_ILC);
    } else if (class == PROGRAM) {
        i.code = low16(LC_PROGRAM_CODE);
        i.ilc = low16(LC_PROGRAM_ILC);
    } else if (class == IO) {
        i.code = low32(LC_SUBCHANNEL);
        i.parameter = low32(LC_IO_PARAMETER);
    }
    return i;
}

static void unexpected(const struct interruption *i)
{
    set_handler(PROGRAM, NULL);
    print("unexpected interruption, class %lu code %lx at %lx", (unsigned long)i->class,
          (unsigned long)i->code, i->old_psw[1]);
    guest_end(END_UNEXPECTED + 0x100ul * i->class);
}

static void default_handler(const struct interruption *i)
{
    if (i->class == IO)
        io_interruption(i);
    else if (i->class == EXTERNAL && i->code == 0x1004)
        alarm_interruption(i);
    else
        unexpected(i);
}

// The interruption entries of start.S come here.
void interruption(unsigned long class)
{
    struct interruption i = describe((enum interruption_class) class);

    if (class == PROGRAM && try_stack) { // ends try_call()
        last_check = i;
        last_psw[0] = i.old_psw[0];
        last_psw[1] = i.old_psw[1];
        i.gr[2] = i.code;
        i.old_psw[0] = PSW_64;
        i.old_psw[1] = (uint64_t)try_end;
        return;
    }
    if (handlers[class])
        handlers[class](&i);
    else
        default_handler(&i);
    if (i.old_psw[0] & PSW_WAIT)
        i.old_psw[0] = PSW_64;
}

// Loading control registers drops translations: not done when nothing changes.
static void control_change(unsigned n, uint64_t set, uint64_t clear)
{
    uint64_t cr[16], wanted;

    __asm__ volatile("stctg 0,15,%0" : "=Q"(cr) : : "memory");
    wanted = (cr[n] | set) & ~clear;
    if (wanted == cr[n])
        return;
    cr[n] = wanted;
    __asm__ volatile("lctlg 0,15,%0" : : "Q"(cr) : "memory");
}

void control_set(unsigned n, uint64_t bits)
{
    control_change(n, bits, 0);
}

void control_clear(unsigned n, uint64_t bits)
{
    control_change(n, 0, bits);
}
