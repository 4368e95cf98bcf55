# SPDX-License-Identifier: MIT
# Runs single vector instructions with given registers and storage, and keeps what they left:
# blocks of 1 KiB from 0x100000 (tests/cpu/vectors.h draws one), as many as 0x2008 says.
	.machine z14
	.text
	.globl	_start
	.org	0x1C0
	.quad	0x0000000180000000, ended_svc		# SVC new PSW
	.quad	0x0000000180000000, ended_program	# program new PSW
	.org	0x400
ended_program:
	stmg	%r0,%r15,0x800(0)
	mvc	0x900(16),0x150(0)
	mvc	0x910(8),0x8C(0)
	j	save
ended_svc:
	stmg	%r0,%r15,0x800(0)
	mvc	0x900(16),0x140(0)
	mvc	0x910(8),0x88(0)
	oi	0x910,0x80
save:	lg	%r1,0x7F0(0)
	mvc	0(128,%r1),0x800(0)
	stfpc	0x80(%r1)
	mvc	0x88(24,%r1),0x900(0)
	vstm	%v0,%v15,0x100(%r1)
	vstm	%v16,%v31,0x200(%r1)
	aghi	%r1,1024
	lg	%r2,0x7F8(0)
	aghi	%r2,-1
	jz	finish
	j	next

	.org	0x2000
	.quad	0
	.quad	0			# 2008: number of blocks
_start:	larl	%r2,_start
	lctlg	%c0,%c0,cr0-_start(%r2)
	lg	%r1,first-_start(%r2)
	lg	%r2,-8(%r2)
next:	stg	%r1,0x7F0(0)
	stg	%r2,0x7F8(0)
	vlm	%v0,%v15,0x100(%r1)
	vlm	%v16,%v31,0x200(%r1)
	lfpc	0x80(%r1)
	mvc	0xA00(16,0),0x88(%r1)
	lmg	%r0,%r15,0(%r1)
	lpswe	0xA00(0)
finish:	larl	%r1,stop
	lpswe	0(%r1)
	.balign	8
cr0:	.quad	0x00000000000600E0	# AFP-register and vector control
first:	.quad	0x100000
stop:	.quad	0x0002000180000000, 0xFFF
