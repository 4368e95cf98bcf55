# SPDX-License-Identifier: MIT
# Small programs of two to four CPUs that show in which order stores are seen (test_litmus.c).
#
# Thread n begins at 0x4000 + n * 256. GR 1 is 1, GR 2 leads to the iteration's x, with y 128 bytes
# behind, GR 3 to where it leaves what it has seen, GR 4 counts, GR 12 is the number of threads, and
# at GR 13 lies what they share: 0 the barrier, from 0x800 on numbers.
	.text
	.globl	_start
	.org	0x3F0
stop:	.quad	0x0002000180000000, 0x600D
_start:

# Every eight iterations all threads meet.
	.macro	thread	n
	.org	0x4000+\n*0x100
1:	tmll	%r4,7
	jnz	2f
	agr	%r11,%r12
	lghi	%r0,1
	laag	%r0,%r0,0(%r13)
3:	lg	%r0,0(%r13)
	cgrjl	%r0,%r11,3b
2:
	.endm
	.macro	saw	first, second=0
	stg	%r\first,0(%r3)
	stg	%r\second,8(%r3)
	.endm
	.macro	done
	la	%r2,256(%r2)
	la	%r3,16(%r3)
	brctg	%r4,1b
	lpswe	stop(0)
	.endm

	thread	0			# message passing
	stg	%r1,0(%r2)
	stg	%r1,128(%r2)
	done
	thread	1
	lg	%r5,128(%r2)
	lg	%r6,0(%r2)
	saw	5,6
	done

	thread	2			# load buffering
	lg	%r5,0(%r2)
	stg	%r1,128(%r2)
	saw	5
	done
	thread	3
	lg	%r5,128(%r2)
	stg	%r1,0(%r2)
	saw	5
	done

	thread	4			# store buffering, serialized by BCR
	stg	%r1,0(%r2)
	bcr	15,0
	lg	%r5,128(%r2)
	saw	5
	done
	thread	5
	stg	%r1,128(%r2)
	bcr	14,0
	lg	%r5,0(%r2)
	saw	5
	done

	thread	6			# store buffering, serialized by COMPARE AND SWAP
	stg	%r1,0(%r2)
	csg	%r0,%r0,8(%r3)
	lg	%r5,128(%r2)
	stg	%r5,0(%r3)
	done
	thread	7
	stg	%r1,128(%r2)
	cs	%r0,%r0,8(%r3)
	lg	%r5,0(%r2)
	stg	%r5,0(%r3)
	done

	thread	8			# one location
	lghi	%r7,2
	stg	%r1,0(%r2)
	stg	%r7,0(%r2)
	done
	thread	9
	lg	%r5,0(%r2)
	lg	%r6,0(%r2)
	saw	5,6
	done

	thread	10			# two stores each
	lghi	%r7,2
	stg	%r1,0(%r2)
	stg	%r7,128(%r2)
	done
	thread	11
	lghi	%r7,2
	stg	%r1,128(%r2)
	stg	%r7,0(%r2)
	done

	thread	12			# a store before one that was seen
	lghi	%r7,2
	stg	%r7,0(%r2)
	stg	%r1,128(%r2)
	done
	thread	13
	lg	%r5,128(%r2)
	stg	%r1,0(%r2)
	saw	5
	done

	thread	14			# independent reads of independent writes
	stg	%r1,0(%r2)
	done
	thread	15
	stg	%r1,128(%r2)
	done
	thread	16
	lg	%r5,0(%r2)
	lg	%r6,128(%r2)
	saw	5,6
	done
	thread	17
	lg	%r5,128(%r2)
	lg	%r6,0(%r2)
	saw	5,6
	done

	thread	18			# passed on
	lg	%r5,0(%r2)
	stg	%r5,128(%r2)
	saw	5
	done

	thread	19			# a doubleword is stored and fetched whole
	sllg	%r7,%r4,32
	ogr	%r7,%r4
	stg	%r7,0x800(%r13)
	done
	thread	20
	lg	%r5,0x800(%r13)
	llgfr	%r6,%r5
	srlg	%r5,%r5,32
	saw	5,6
	done
	thread	21			# and so is a quadword
	lgr	%r6,%r4
	lgr	%r7,%r4
	stpq	%r6,0x810(%r13)
	done
	thread	22
	lpq	%r6,0x810(%r13)
	saw	6,7
	done

	.macro	count	bit		# interlocked updates: none gets lost
	lghi	%r0,1
	laag	%r0,%r0,0x900(%r13)
	agsi	0x908(%r13),1
	asi	0x910(%r13),1
	lg	%r6,0x918(%r13)
4:	la	%r7,1(%r6)
	csg	%r6,%r7,0x918(%r13)
	jl	4b
	l	%r6,0x914(%r13)
5:	la	%r7,1(%r6)
	cs	%r6,%r7,0x914(%r13)
	jl	5b
	lmg	%r6,%r7,0x920(%r13)
6:	la	%r8,1(%r6)
	la	%r9,1(%r7)
	cdsg	%r6,%r8,0x920(%r13)
	jl	6b
	xi	0x930(%r13),\bit
	oi	0x931(%r13),\bit
	ni	0x931(%r13),0xFF-\bit
	.endm
	thread	23
	count	1
	done
	thread	24
	count	0x80
	done
	.org	0x6000
