# SPDX-License-Identifier: MIT
# Runs single instructions or short streams with given registers and storage, and keeps what they
# left: blocks of 4 KiB (tests/cpu/cases.h says what is in one) from where 0x2000 says, as many as
# 0x2008 says. Nothing is stored in a page that holds code, since that is slow in QEMU. The number
# at 0x7F8 tells from outside how many blocks are left.
	.machine z14
	.text
	.org	0x1C0
	.quad	0x0000000180000000, ended_svc		# SVC new PSW
	.quad	0x0000000180000000, ended_program	# program new PSW

	.org	0x2000
	.quad	0			# 2000: first block
	.quad	0			# 2008: number of blocks
	.org	0x3000
	.globl	_start
_start:	larl	%r2,cr0
	lctlg	%c0,%c15,0(%r2)
	lg	%r1,0x2000(0)
	lg	%r2,0x2008(0)
next:	stg	%r1,0x7F0(0)
	stg	%r2,0x7F8(0)
	vlm	%v0,%v15,0x400(%r1)
	vlm	%v16,%v31,0x500(%r1)
	lam	%a0,%a15,0x2C0(%r1)
	tm	0x284(%r1),1
	jno	1f
	lgfi	%r3,0x9000		# the page where addresses wrap
	mvc	0xF00(256,%r3),0x800(%r1)
	mvc	0(256,%r3),0x900(%r1)
1:	lfpc	0x280(%r1)
	mvc	0xA00(16,0),0x288(%r1)
	xc	0xA8(8,0),0xA8(0)	# no translation-exception identification yet
	xc	0x8C(8,0),0x8C(0)
	lmg	%r0,%r15,0x200(%r1)
	lpswe	0xA00(0)

ended_program:
	stmg	%r0,%r15,0x800(0)
	mvc	0x900(16,0),0x150(0)
	mvc	0x910(8,0),0x8C(0)
	mvc	0x918(8,0),0xA8(0)
	j	save
ended_svc:
	stmg	%r0,%r15,0x800(0)
	mvc	0x900(16,0),0x140(0)
	mvc	0x910(8,0),0x88(0)
	mvc	0x918(8,0),0xA8(0)
	oi	0x910(0),0x80
save:	lg	%r1,0x7F0(0)
	mvc	0x200(128,%r1),0x800(0)
	stfpc	0x280(%r1)
	mvc	0x288(32,%r1),0x900(0)
	stam	%a0,%a15,0x2C0(%r1)
	vstm	%v0,%v15,0x400(%r1)
	vstm	%v16,%v31,0x500(%r1)
	tm	0x284(%r1),1
	jno	2f
	lgfi	%r3,0x9000
	mvc	0x800(256,%r1),0xF00(%r3)
	mvc	0x900(256,%r1),0(%r3)
2:	lgfi	%r4,0x9000		# clean for the next one
	lghi	%r5,4096
	lghi	%r6,0
	lghi	%r7,0
	mvcl	%r4,%r6
	aghi	%r1,4096
	lg	%r2,0x7F8(0)
	aghi	%r2,-1
	jnz	next
	stg	%r2,0x7F8(0)
	larl	%r1,stop
	lpswe	0(%r1)

	.balign	8
cr0:	.quad	0x000000000C0600E0	# AFP registers, vectors; secondary space, extraction authority
	.quad	0x1C00F			# region-first table
	.quad	0
	.quad	0x00000000FFFF0000	# 3: all keys may be used
	.quad	0x0000000000000000
	.quad	0
	.quad	0
	.quad	0x1C00F			# 7: the secondary space is the primary one
	.quad	0, 0, 0, 0, 0
	.quad	0x1C00F			# 13: and the home space, too
	.quad	0, 0
stop:	.quad	0x0002000180000000, 0xFFF
