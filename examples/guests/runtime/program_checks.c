// SPDX-License-Identifier: MIT
// One function per program interruption. Each leaves the address of the instruction that is to be
// interrupted in `at`; a table says what the machine must tell.
#include "../interrupts.h"

static uint64_t at; // of the instruction
// In front of it: notes where it is.
#define HERE "larl 1,0f\n\tstg 1,%0\n0:\t"

static void operation(void *arg)
{
    (void)arg;
    __asm__ volatile(HERE ".short 0" : "=Q"(at) : : "1");
}

static void privileged(void *arg)
{
    uint64_t psw[2] = {PSW_64 | PSW_PROBLEM, 0};

    (void)arg;
    __asm__ volatile("larl 1,0f\n\tstg 1,%0\n\tstg 1,8(%1)\n\tlpswe 0(%1)\n0:\tstap 0(%1)"
                     : "=Q"(at)
                     : "a"(psw)
                     : "1", "memory");
}

static void execute(void *arg)
{
    (void)arg;
    __asm__ volatile("larl 2,1f\n\t" HERE "ex 0,0(2)\n\tj 2f\n1:\tex 0,0(2)\n2:"
                     : "=Q"(at)
                     :
                     : "1", "2");
}

static uint8_t page[4096] __attribute__((aligned(4096)));

static void protection(void *arg)
{
    (void)arg;
    __asm__ volatile("lghi 2,0x10\n\tsske 2,%1\n\tlarl 1,0f\n\tstg 1,%0\n\tspka 0x20\n"
                     "0:\tmvi 0(%1),1"
                     : "=Q"(at)
                     : "a"(page)
                     : "1", "2", "memory");
}

static void addressing(void *arg)
{
    (void)arg;
    __asm__ volatile("lghi 2,-4096\n\tsrlg 2,2,1\n\t" HERE "lg 3,0(2)"
                     : "=Q"(at)
                     :
                     : "1", "2", "3");
}

static void specification(void *arg)
{
    (void)arg;
    __asm__ volatile(HERE ".short 0x1d32" : "=Q"(at) : : "1", "3"); // DR 3,2: odd register
}

static void data(void *arg)
{
    static const uint64_t not_packed = 0xABCDEF;
    (void)arg;
    __asm__ volatile(HERE "cvb 2,0(%1)" : "=Q"(at) : "a"(&not_packed) : "1", "2");
}

static void fixed_overflow(void *arg)
{
    (void)arg;
    __asm__ volatile("llilh 2,0x7fff\n\tlgr 3,2\n\tllilh 4,0x0800\n\tspm 4\n\t" HERE "ar 2,3"
                     : "=Q"(at)
                     :
                     : "1", "2", "3", "4", "cc");
}

static void fixed_divide(void *arg)
{
    (void)arg;
    __asm__ volatile("lghi 2,0\n\tlghi 3,5\n\tlghi 4,0\n\t" HERE "dr 2,4"
                     : "=Q"(at)
                     :
                     : "1", "2", "3", "4");
}

static void decimal_overflow(void *arg)
{
    static uint8_t nine[1] = {0x9C}, one[1] = {0x1C};
    (void)arg;
    __asm__ volatile("llilh 4,0x0400\n\tspm 4\n\t" HERE "ap 0(1,%1),0(1,%2)"
                     : "=Q"(at)
                     : "a"(nine), "a"(one)
                     : "1", "4", "cc", "memory");
}

static void decimal_divide(void *arg)
{
    static uint8_t dividend[4] = {0, 0, 0, 0x1C}, zero[1] = {0x0C};
    (void)arg;
    __asm__ volatile(HERE "dp 0(4,%1),0(1,%2)"
                     : "=Q"(at)
                     : "a"(dividend), "a"(zero)
                     : "1", "cc", "memory");
}

static void special_operation(void *arg)
{
    (void)arg;
    __asm__ volatile(HERE "sac 0x100(0)" : "=Q"(at) : : "1", "cc"); // needs DAT on
}

static void operand(void *arg)
{
    static uint32_t schib[13];
    (void)arg;
    // A subsystem identification needs the bits 0001 in its left half.
    __asm__ volatile("larl 1,0f\n\tstg 1,%0\n\tlghi 1,0\n0:\tstsch 0(%1)"
                     : "=Q"(at)
                     : "a"(schib)
                     : "1", "cc", "memory");
}

static void monitor(void *arg)
{
    static const uint64_t all_classes = 0xFFFF;
    (void)arg;
    __asm__ volatile("lctlg 8,8,0(%1)\n\t" HERE "mc 0x123(0),5"
                     : "=Q"(at)
                     : "a"(&all_classes)
                     : "1", "memory");
}

static bool monitor_stored(void)
{
    return *(uint16_t *)real(0x94) == 5 && *(uint64_t *)real(0xB0) == 0x123;
}

// Translation: one segment of 1 MiB, real equals virtual, but its last page is invalid.
static uint64_t segments[512] __attribute__((aligned(4096)));
static uint64_t pages[256] __attribute__((aligned(2048)));
#define ENTRY_INVALID_SEGMENT 0x20u
#define ENTRY_INVALID_PAGE    0x400u

static void translate(uint64_t address)
{
    uint64_t asce = (uint64_t)segments; // designation type: segment table, of 512 entries
    uint64_t psw[2] = {PSW_64 | PSW_DAT, 0};

    for (unsigned i = 0; i < 512; i++)
        segments[i] = ENTRY_INVALID_SEGMENT;
    segments[0] = (uint64_t)pages;
    for (unsigned i = 0; i < 256; i++)
        pages[i] = i * 4096ul;
    pages[255] = ENTRY_INVALID_PAGE;
    __asm__ volatile(
        "lctlg 1,1,0(%1)\n\tptlb\n\tlarl 1,0f\n\tstg 1,%0\n\tstg 1,8(%2)\n\tlpswe 0(%2)\n"
        "0:\tlg 1,0(%3)"
        : "=Q"(at)
        : "a"(&asce), "a"(psw), "a"(address)
        : "1", "memory");
}

static void segment_translation(void *arg)
{
    (void)arg;
    translate(0x00300010);
}

static void page_translation(void *arg)
{
    (void)arg;
    translate(0x000FF010);
}

static bool page_stored(void)
{
    return (*(uint64_t *)real(0xA8) & ~0xFFFul) == 0x000FF000;
}

static bool segment_stored(void)
{
    return (*(uint64_t *)real(0xA8) & ~0xFFFul) == 0x00300000;
}

static const struct {
    const char *name;
    void (*provoke)(void *arg);
    uint16_t code;
    uint8_t length;
    bool nullifies; // the old PSW points at the instruction, not behind it
    bool (*also)(void);
} checks[] = {
    {"operation", operation, 0x01, 2, false, NULL},
    {"privileged operation", privileged, 0x02, 4, false, NULL},
    {"execute", execute, 0x03, 4, false, NULL},
    {"protection", protection, 0x04, 4, false, NULL},
    {"addressing", addressing, 0x05, 6, false, NULL},
    {"specification", specification, 0x06, 2, false, NULL},
    {"data", data, 0x07, 4, false, NULL},
    {"fixed-point overflow", fixed_overflow, 0x08, 2, false, NULL},
    {"fixed-point divide", fixed_divide, 0x09, 2, false, NULL},
    {"decimal overflow", decimal_overflow, 0x0A, 6, false, NULL},
    {"decimal divide", decimal_divide, 0x0B, 6, false, NULL},
    {"segment translation", segment_translation, 0x10, 6, true, segment_stored},
    {"page translation", page_translation, 0x11, 6, true, page_stored},
    {"special operation", special_operation, 0x13, 4, false, NULL},
    {"operand", operand, 0x15, 4, false, NULL},
    {"monitor event", monitor, 0x40, 4, false, monitor_stored},
};

static bool check(unsigned i)
{
    unsigned long code = try_call(checks[i].provoke, NULL);
    uint64_t expected = checks[i].nullifies ? at : at + checks[i].length;
    bool good = code == checks[i].code && last_check.ilc == checks[i].length &&
                last_psw[1] == expected && (!checks[i].also || checks[i].also());

    if (!good)
        print("interrupts: %s WRONG: code %lx ilc %lu old PSW %lx, instruction at %lx",
              checks[i].name, code, (unsigned long)last_check.ilc, last_psw[1], at);
    return good;
}

unsigned program_checks(unsigned *done)
{
    unsigned failed = 0;

    *done = sizeof checks / sizeof *checks;
    for (unsigned i = 0; i < *done; i++)
        failed += !check(i);
    return failed;
}
