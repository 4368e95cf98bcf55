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
	.quad	masks, 3
	.quad	supervisor, 3
	.quad	floats, 6
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

	.balign	64
masks:	stnsm	0x300(0),0xFC
	stosm	0x300(0),0
	brctg	%r12,masks
	j	done

	.balign	64
supervisor:
	larl	%r1,handler
	stg	%r1,0x1C8(0)
	lghi	%r1,1
	sllg	%r1,%r1,32
	oilh	%r1,0x8000
	stg	%r1,0x1C0(0)
1:	svc	1
	brctg	%r12,1b
	j	done
handler:
	lpswe	0x140(0)

	.balign	64
floats:	larl	%r13,area
	lghi	%r1,0
	oill	%r1,0
	lghi	%r1,3
	cdgbr	%f0,%r1
	cdgbr	%f2,%r1
	ddbr	%f2,%f0
	lghi	%r2,7
	cdgbr	%f4,%r2
	ddbr	%f0,%f4
1:	ldr	%f6,%f0
	mdbr	%f6,%f4
	adbr	%f6,%f2
	std	%f6,0(%r13)
	ld	%f1,0(%r13)
	brctg	%r12,1b
	j	done

done:	larl	%r1,wait
	lpswe	0(%r1)
	.balign	8
wait:	.quad	0x0002000180000000, 0
	.org	0x3000
area:	.fill	512, 1, 0x11
