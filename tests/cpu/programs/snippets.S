# SPDX-License-Identifier: MIT
# Runs single instructions with given registers and storage, and keeps what they left.
#
# From 0x100000 lie blocks of 1 KiB, as many as the doubleword at 0x2008 says:
#   000 general registers   080 floating-point registers   100 FPC   108 PSW
#   118 what ended it: program-interruption word, DXC      200 storage operands (256 bytes)
#   300 the instruction, then SVC 1; SVC 2 at 310
# A block's registers and PSW are loaded, its instruction runs with translation on (segment 0 is
# not mapped), and the interruption that ends it stores the registers and the old PSW back.
	.text
	.globl	_start
	.org	0x1C0
	.quad	0x0000000180000000, ended_svc		# SVC new PSW
	.quad	0x0000000180000000, ended_program	# program new PSW
	.org	0x400
ended_program:
	stmg	%r0,%r15,0x800(0)
	mvc	0x908(16),0x150(0)
	mvc	0x918(8),0x8C(0)
	j	save
ended_svc:
	stmg	%r0,%r15,0x800(0)
	mvc	0x908(16),0x140(0)
	mvc	0x918(8),0x88(0)
	oi	0x918,0x80
save:	stfpc	0x900(0)
	.irp	n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	std	%f\n,0x880+8*\n(0)
	.endr
	lg	%r1,0x7F0(0)
	mvc	0(256,%r1),0x800(0)
	mvc	256(32,%r1),0x900(0)
	aghi	%r1,1024
	lg	%r2,0x7F8(0)
	aghi	%r2,-1
	jz	finish
	j	next

	.org	0x1000			# the second page holds what runs between blocks
	.org	0x2000
	.quad	0
	.quad	0			# 2008: number of blocks
_start:	larl	%r2,_start
	lctlg	%c0,%c0,cr0-_start(%r2)
	lctlg	%c1,%c1,cr1-_start(%r2)
	lg	%r1,first-_start(%r2)
	larl	%r3,_start
	lg	%r2,-8(%r3)
	# segment table: entry 0 invalid, the others map 1 MiB each by page tables at 0x20000
	lgfi	%r4,0x10000
	lghi	%r5,0x20
	stg	%r5,0(%r4)
	lgfi	%r6,0x20000
	lghi	%r7,1
	lgfi	%r8,0x100000
1:	sllg	%r5,%r7,3
	la	%r5,0(%r5,%r4)
	stg	%r6,0(%r5)
	lghi	%r9,256
2:	stg	%r8,0(%r6)
	aghi	%r8,4096
	aghi	%r6,8
	brctg	%r9,2b
	aghi	%r7,1
	cghi	%r7,32
	jl	1b
	lghi	%r5,0x20
	lgfi	%r9,2016
3:	sllg	%r10,%r7,3
	stg	%r5,0(%r10,%r4)
	aghi	%r7,1
	brctg	%r9,3b
next:	stg	%r1,0x7F0(0)
	stg	%r2,0x7F8(0)
	.irp	n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	ld	%f\n,0x80+8*\n(%r1)
	.endr
	lfpc	0x100(%r1)
	mvc	0xA00(16,0),0x108(%r1)
	lmg	%r0,%r15,0(%r1)
	lpswe	0xA00(0)
finish:	larl	%r1,stop
	lpswe	0(%r1)
	.balign	8
cr0:	.quad	0x00000000000400E0	# AFP-register control
cr1:	.quad	0x10000			# segment table, 2 GiB
first:	.quad	0x100000
stop:	.quad	0x0002000180000000, 0xFFF
