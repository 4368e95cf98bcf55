# SPDX-License-Identifier: MIT
# Loops for the benchmark, one entry point each in a table at 0x1000: address, instructions a pass.
# Each runs as many passes as R12 says and ends in a disabled wait.
	.text
	.org	0x200
	.globl	_start
_start:
	.org	0x1000
	.quad	count, 1
	.quad	registers, 10
	.quad	mixed, 14
	.quad	moves, 9
	.quad	calls, 9
	.quad	0, 0

	.org	0x2000
count:	brctg	%r12,count
	j	done

	.balign	64
registers:
	agr	%r2,%r3
	xgr	%r4,%r2
	sllg	%r5,%r4,7
	ogr	%r5,%r3
	srlg	%r6,%r5,3
	aghi	%r6,17
	ngr	%r6,%r2
	lgr	%r7,%r6
	la	%r8,24(%r7)
	brctg	%r12,registers
	j	done

	.balign	64
mixed:	larl	%r13,area
1:	lg	%r7,0(%r13)
	agr	%r7,%r3
	stg	%r7,8(%r13)
	l	%r4,16(%r13)
	ar	%r4,%r7
	st	%r4,20(%r13)
	llgc	%r5,24(%r13)
	sllg	%r8,%r7,7
	clgr	%r8,%r5
	je	2f
	lgr	%r9,%r8
	cghi	%r9,0
	je	2f
2:	brctg	%r12,1b
	j	done

	.balign	64
moves:	larl	%r13,area
1:	lmg	%r4,%r7,0(%r13)
	stmg	%r4,%r7,64(%r13)
	mvc	128(64,%r13),0(%r13)
	clc	128(8,%r13),0(%r13)
	jne	done
	xc	192(8,%r13),192(%r13)
	mvi	200(%r13),1
	cli	200(%r13),1
	brctg	%r12,1b
	j	done

	.balign	64
calls:	larl	%r13,area
1:	brasl	%r14,leaf
	cgij	%r2,0,4,2f
	aghi	%r2,1
2:	aghi	%r3,1
	tmll	%r3,1
	jz	3f
	aghi	%r4,1
3:	brctg	%r12,1b
	j	done
leaf:	lgr	%r2,%r3
	br	%r14

done:	larl	%r1,wait
	lpswe	0(%r1)
	.balign	8
wait:	.quad	0x0002000180000000, 0
	.org	0x3000
area:	.fill	512, 1, 0x11
