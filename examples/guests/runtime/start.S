# SPDX-License-Identifier: MIT
# Entry of every guest, interruption entries, and the few things C cannot say.
#
# The loader enters at 10000 in the ESA/390 31-bit or the z/Architecture mode, all interruptions off.

#define LOWCORE_SAVE 0x200                      // 128 bytes per interruption class, see lowcore.h

    .section .head, "ax"
    .globl _start, parameter_word, transactions
_start:
    j       begin
    .org    0x10                                // 10010: one number that a loader may patch
parameter_word:
    .long   0
    .org    0x18                                // 10018: what a guest has done so far
transactions:
    .quad   0
    .org    0x1000                              // 10400: parameters as Linux has them, see parameters.c

    .text
begin:
    lhi     %r1, 1                              # SIGP SET ARCHITECTURE, code 1; refused when it
    lhi     %r0, 0                              # is in force already
    sigp    %r1, %r0, 0x12(%r0)
    sam64
    larl    %r15, stack_end
    aghi    %r15, -160
    brasl   %r14, guest_begin

# Second CPU: prefix set, restarted through its new PSW; lowcore has the stack and the function.
    .globl second_cpu_entry
second_cpu_entry:
    lg      %r15, 0x500(%r0)
    lg      %r1, 0x508(%r0)
    lctlg   %c0, %c15, 0x510(%r0)
    basr    %r14, %r1
0:  larl    %r1, stopped_psw
    lpswe   0(%r1)

    .macro  interruption_entry name, class, old
    .globl  \name
\name:
    stmg    %r0, %r15, LOWCORE_SAVE + 128 * \class(%r0)
    lghi    %r2, \class
    aghi    %r15, -160
    brasl   %r14, interruption
    lmg     %r0, %r15, LOWCORE_SAVE + 128 * \class(%r0)
    lpswe   \old(%r0)
    .endm

    interruption_entry entry_restart, 0, 0x120
    interruption_entry entry_external, 1, 0x130
    interruption_entry entry_svc, 2, 0x140
    interruption_entry entry_program, 3, 0x150
    interruption_entry entry_machine_check, 4, 0x160
    interruption_entry entry_io, 5, 0x170

# void wait_with(unsigned long mask): loads a PSW of that mask; comes back, disabled, after the
# handler of an interruption has cleared its wait bit.
    .globl wait_with
wait_with:
    aghi    %r15, -16
    stg     %r2, 0(%r15)
    larl    %r3, 0f
    stg     %r3, 8(%r15)
    lpswe   0(%r15)
0:  aghi    %r15, 16
    br      %r14

# unsigned long try_call(void (*function)(void *), void *arg): calls it; 0, or the code of the
# program interruption that ended it (interruption.c comes back to try_end with it in r2).
    .globl try_call, try_end
try_call:
    stmg    %r6, %r15, 48(%r15)
    larl    %r1, try_stack
    lg      %r0, 0(%r1)
    aghi    %r15, -168
    stg     %r0, 160(%r15)                      # tries may be nested
    stg     %r15, 0(%r1)
    lgr     %r1, %r2
    lgr     %r2, %r3
    basr    %r14, %r1
    lghi    %r2, 0
try_end:
    larl    %r1, try_stack
    lg      %r15, 0(%r1)
    lg      %r0, 160(%r15)
    stg     %r0, 0(%r1)
    lmg     %r6, %r15, 48 + 168(%r15)
    br      %r14

    .data
    .balign 8
stopped_psw:
    .quad   0x0002000180000000, 0
    .globl  try_stack
try_stack:
    .quad   0

    .bss
    .balign 8
    .space  16384
stack_end:

    .section .note.GNU-stack, "", @progbits
