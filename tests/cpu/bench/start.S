# SPDX-License-Identifier: MIT
# What every benchmark program begins with: an image that IPLs flat at 0, without an operating
# system. It calls kernel() as often as the word at X'10010' says (0: once), and ends in a disabled
# wait at X'600D' when every call gave the same, and the expected, value. After a wrong value or an
# exception that nobody expects it spins, so that no emulator is timed for what it did not do.
	.section .start, "ax"
	.globl	_start
_start:
	.long	0x00080000, 0x80010000	# ESA/390 PSW
	.org	0x1D0
	.quad	0x0000000180000000, spin	# program interruption, until a kernel wants it
	.org	0x10000
	j	go
	.org	0x10010
passes:	.long	0
	.org	0x10020
go:	mvi	163(0), 1
	slr	%r0, %r0
	lhi	%r1, 2
	sigp	%r1, %r0, 0x12		# z/Architecture
	sam64
	larl	%r1, control0
	lctlg	%c0, %c0, 0(%r1)
	larl	%r15, stack
	lgrl	%r1, expected
	stg	%r1, -8(%r15)
	aghi	%r15, -320
	larl	%r1, passes
	llgf	%r12, 0(%r1)
	ltgr	%r12, %r12
	jne	1f
	lghi	%r12, 1
1:	brasl	%r14, kernel
	clg	%r2, 312(%r15)
	jne	spin
	brctg	%r12, 1b
	larl	%r1, wait
	lpswe	0(%r1)
spin:	j	spin
	.balign	8
wait:	.quad	0x0002000180000000, 0x600D
control0:
	.quad	0x400E0			# floating point
	.bss
	.balign	4096
	.skip	32768
stack:
	.section .note.GNU-stack, "", @progbits
