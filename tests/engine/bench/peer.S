// SPDX-License-Identifier: MIT
// Starts one loop of tests/cpu/bench/loops.S on another emulator (scripts/bench): -DLOOP=n -DPASSES=n
// -DLOOPS="file". Begins at 0200, in either architecture mode, and ends in a disabled wait.
	.text
	.long	0x00080000, 0x80000200
	.org	0x200
	.globl	_start
_start:	lhi	%r1,1
	lhi	%r3,0
	sigp	%r0,%r3,0x12
	sam64
	larl	%r1,cr0
	lctlg	%c0,%c0,0(%r1)
	llilf	%r12,PASSES
	lghi	%r3,3
	larl	%r1,table
	lg	%r1,LOOP*16(%r1)
	br	%r1
	.balign	8
cr0:	.quad	0x00000000000400E0
	.org	0x1000
table:	.incbin	LOOPS, 0x1000
