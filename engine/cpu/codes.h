// SPDX-License-Identifier: MIT
// Program-interruption codes and the few control-register bits that many files test.
// (Principles of Operation, "Interruption Codes", "Control Registers".)
#ifndef ENDICOTT_CPU_CODES_H
#define ENDICOTT_CPU_CODES_H

#include <stdint.h>

enum program_code {
    PIC_OPERATION = 0x01,
    PIC_PRIVILEGED = 0x02,
    PIC_EXECUTE = 0x03,
    PIC_PROTECTION = 0x04,
    PIC_ADDRESSING = 0x05,
    PIC_SPECIFICATION = 0x06,
    PIC_DATA = 0x07,
    PIC_FIXED_OVERFLOW = 0x08,
    PIC_FIXED_DIVIDE = 0x09,
    PIC_DECIMAL_OVERFLOW = 0x0A,
    PIC_DECIMAL_DIVIDE = 0x0B,
    PIC_HFP_OVERFLOW = 0x0C,
    PIC_HFP_UNDERFLOW = 0x0D,
    PIC_HFP_SIGNIFICANCE = 0x0E,
    PIC_HFP_DIVIDE = 0x0F,
    PIC_SEGMENT = 0x10,
    PIC_PAGE = 0x11,
    PIC_TRANSLATION_SPECIFICATION = 0x12,
    PIC_SPECIAL_OPERATION = 0x13,
    PIC_OPERAND = 0x15,
    PIC_TRACE_TABLE = 0x16,
    PIC_VECTOR = 0x1B, // vector processing
    PIC_SPACE_SWITCH = 0x1C,
    PIC_HFP_SQUARE_ROOT = 0x1D,
    PIC_PC_TRANSLATION = 0x1F,
    PIC_AFX_TRANSLATION = 0x20,
    PIC_ASX_TRANSLATION = 0x21,
    PIC_LX_TRANSLATION = 0x22,
    PIC_EX_TRANSLATION = 0x23,
    PIC_PRIMARY_AUTHORITY = 0x24,
    PIC_SECONDARY_AUTHORITY = 0x25,
    PIC_LFX_TRANSLATION = 0x26,
    PIC_LSX_TRANSLATION = 0x27,
    PIC_ALET_SPECIFICATION = 0x28,
    PIC_ALEN_TRANSLATION = 0x29,
    PIC_ALE_SEQUENCE = 0x2A,
    PIC_ASTE_VALIDITY = 0x2B,
    PIC_ASTE_SEQUENCE = 0x2C,
    PIC_EXTENDED_AUTHORITY = 0x2D,
    PIC_LSTE_SEQUENCE = 0x2E,
    PIC_ASTE_INSTANCE = 0x2F,
    PIC_STACK_FULL = 0x30,
    PIC_STACK_EMPTY = 0x31,
    PIC_STACK_SPECIFICATION = 0x32,
    PIC_STACK_TYPE = 0x33,
    PIC_STACK_OPERATION = 0x34,
    PIC_ASCE_TYPE = 0x38,
    PIC_REGION1 = 0x39,
    PIC_REGION2 = 0x3A,
    PIC_REGION3 = 0x3B,
    PIC_MONITOR = 0x40,
    PIC_PER = 0x80,
};

enum data_exception_code {
    DXC_DECIMAL = 0x00,
    DXC_AFP_REGISTER = 0x01,
    DXC_BFP = 0x02,
    DXC_DFP = 0x03,
    DXC_VECTOR = 0xFE,
    DXC_TRAP = 0xFF, // compare and trap, load and trap
};

#define CR0_SSM_SUPPRESSION      (UINT64_C(1) << 30)
#define CR0_LOW_PROTECTION       (UINT64_C(1) << 28)
#define CR0_EXTRACTION_AUTHORITY (UINT64_C(1) << 27)
#define CR0_SECONDARY_SPACE      (UINT64_C(1) << 26)
#define CR0_FETCH_OVERRIDE       (UINT64_C(1) << 25)
#define CR0_STORAGE_OVERRIDE     (UINT64_C(1) << 24)
#define CR0_EDAT                 (UINT64_C(1) << 23)
#define CR0_IEP                  (UINT64_C(1) << 20)
#define CR0_ASN_LX_REUSE         (UINT64_C(1) << 19)
#define CR0_AFP                  (UINT64_C(1) << 18)
#define CR0_ASF                  (UINT64_C(1) << 16) // ESA/390: address-space function
#define CR0_VECTOR               (UINT64_C(1) << 17)
#define CR0_MALFUNCTION_ALERT    (UINT64_C(1) << 15)
#define CR0_EMERGENCY_SIGNAL     (UINT64_C(1) << 14)
#define CR0_EXTERNAL_CALL        (UINT64_C(1) << 13)
#define CR0_CLOCK_COMPARATOR     (UINT64_C(1) << 11)
#define CR0_CPU_TIMER            (UINT64_C(1) << 10)
#define CR0_SERVICE_SIGNAL       (UINT64_C(1) << 9)
#define CR0_MEASUREMENT_ALERT    (UINT64_C(1) << 5)
#define CR2_GUARDED_STORAGE      (UINT64_C(1) << 4)
#define CR9_BRANCH               0x80000000u
#define CR9_FETCH                0x40000000u
#define CR9_STORE                0x20000000u
#define CR9_STORE_REAL           0x08000000u
#define CR9_ZERO_ADDRESS         0x04000000u
#define CR9_NULLIFY              0x01000000u // with CR9_FETCH
#define CR9_BRANCH_ADDRESS       0x00800000u // branches into CR10-CR11 only
#define CR9_ALTERATION_SPACE     0x00200000u // stores into spaces whose ASCE says so only
#define CR14_ASN_TRANSLATION     (UINT64_C(1) << 19)
#define CR14_CHANNEL_REPORT      (UINT64_C(1) << 28)

#endif
