// SPDX-License-Identifier: MIT
// Which facilities this CPU has: what STFLE says. A bit is here only when all its instructions and
// effects are implemented.
#include "cpu/opcode.h"

void opcode_default_facilities(struct cpu *cpu)
{
    static const uint8_t bits[] = {
        0,   // instructions of z/Architecture in ESA/390 mode
        1,   // z/Architecture installed
        2,   // z/Architecture active
        3,   // DAT enhancement: IDTE, CSPG
        4,   // IDTE clears by segment entries
        5,   // IDTE clears by region entries
        6,   // ASN-and-LX reuse
        7,   // STFLE
        8,   // EDAT-1: large pages, PFMF, multiple-block SSKE
        9,   // sense running status
        10,  // conditional SSKE
        13,  // IPTE range
        14,  // nonquiescing key setting
        16,  // extended translation 2
        17,  // message-security assist
        18,  // long displacement
        19,  // long displacement is fast
        20,  // HFP multiply and add or subtract
        21,  // extended immediate
        23,  // HFP unnormalized extensions
        22,  // extended translation 3
        24,  // extended translation 2, enhancement
        25,  // STORE CLOCK FAST
        26,  // parsing enhancement
        27,  // MVCOS
        28,  // PERFORM TIMING FACILITY FUNCTION
        30,  // extended translation 3, enhancement
        31,  // EXTRACT CPU TIME
        32,  // COMPARE AND SWAP AND STORE
        33,  // its second form
        34,  // general instructions extension
        35,  // execute extensions
        36,  // enhanced monitor
        37,  // floating-point extension
        40,  // LOAD PROGRAM PARAMETER
        41,  // floating-point support: FPR-GR transfer, sign handling, IEEE simulation
        42,  // decimal floating point
        43,  // decimal floating point is fast
        44,  // PERFORM FLOATING-POINT OPERATION
        45,  // distinct operands, high word, load/store on condition, interlocked access, popcount
        47,  // COMPRESSION CALL: zero padding
        48,  // DFP zoned conversion
        49,  // load and trap, miscellaneous extensions 1, hints
        51,  // local TLB clearing
        52,  // interlocked access 2
        53,  // load/store on condition 2
        57,  // message-security assist 5
        58,  // miscellaneous extensions 2
        61,  // miscellaneous extensions 3
        66,  // RESET REFERENCE BITS MULTIPLE
        67,  // CPU-measurement counters
        68,  // CPU-measurement sampling
        74,  // STORE HYPERVISOR INFORMATION
        75,  // access-exception fetch/store indication
        131, // enhanced suppression on protection 2
        76,  // message-security assist 3
        77,  // message-security assist 4
        78,  // EDAT-2: region frames, CRDTE
        80,  // DFP packed conversion
        81,  // PERFORM PROCESSOR ASSIST, in-order execution: always so
        82,  // and branch prediction blocked: there is none
        129, // vector
        130, // instruction-execution protection
        133, // guarded storage
        134, // vector packed decimal
        135, // vector enhancements 1
        146, // message-security assist 8
        148, // vector enhancements 2
        152, // vector packed decimal, enhancement 1
        145, // INSERT REFERENCE BITS MULTIPLE
    };
    for (unsigned i = 0; i < sizeof bits; i++)
        cpu_facility_set(cpu, bits[i], true);
}
