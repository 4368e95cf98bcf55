// SPDX-License-Identifier: MIT
// Decimal floating point: known results of the instructions that do more than compute, one line a
// case: infinities and NaNs, quanta, conversions, traps, storage operands, PFPO's controls.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/dfp_rig.h"

static struct bare *rig;

#define C(x) UINT64_C(0x##x)

// FPR 0 and 2, 4 and 6, GR 1 before; FPR 0 and 2, GR 1 after. `then` is the FPC's flags and DXC; cc
// 3 is what was there before.
struct dfp_case {
    const char *code;
    uint64_t f0, f2, f4, f6, g1;
    uint32_t fpc;
    uint64_t r0, r2, g;
    uint32_t then;
    unsigned cc, fault;
};

#define ONE  C(2238000000000001)
#define MONE C(A238000000000001)
#define INF  C(7800000000000000)
#define MINF C(F800000000000000)
#define QNAN C(7C00000000000000)
#define SNAN C(7E00000000000000)
#define XONE C(2208000000000000)
#define XINF C(7800000000000000)

static const struct dfp_case cases[] = {
    // ADTR: noncanonical infinity comes out canonical; infinity less infinity; NaNs and payloads
    {"B3D24000", ONE, 0, C(7BFFFFFFFFFFFFFF), 0, 0, 0, INF, 0, 0, 0, 2, 0},
    {"B3D34000", INF, 0, INF, 0, 0, 0, QNAN, 0, 0, 0x800000, 3, 0},
    {"B3D34000", INF, 0, INF, 0, 0, 0x80000000, INF, 0, 0, 0x8000, 3, 7},
    {"B3D24000", SNAN | 0x12, 0, QNAN | 0x34, 0, 0, 0, QNAN | 0x12, 0, 0, 0x800000, 3, 0},
    {"B3D24000", QNAN | 0x12, 0, QNAN | 0x34, 0, 0, 0, QNAN | 0x12, 0, 0, 0, 3, 0},
    {"B3D34000", QNAN, 0, C(FC00000000000034), 0, 0, 0, QNAN, 0, 0, 0, 3, 0},
    // 1 - 1 toward minus infinity is minus zero; declets that are not canonical: 0x3FF is 999
    {"B3D34000", ONE, 0, ONE, 0, 0, 0x30, C(A238000000000000), 0, 0, 0, 0, 0},
    {"B3D24000", C(22380000000003FF), 0, ONE, 0, 0, 0, C(2238000000000400), 0, 0, 0, 2, 0},
    // a quantum that the sum cannot have: flag, trap
    {"B3D24000", C(2200000000000000) | 1, 0, C(2238000000000000), 0, 0, 0, C(2200000000000001), 0,
     0, 0, 2, 0},
    {"B3D24000", C(6DFF3FCFF3FCFF3F), 0, C(2000000000000000), 0, 0, 0, C(6DFF3FCFF3FCFF3F), 0, 0,
     0x40000, 2, 0},
    {"B3D24000", C(6DFF3FCFF3FCFF3F), 0, C(2000000000000000), 0, 0, 0x04000000, C(6DFF3FCFF3FCFF3F),
     0, 0, 0x400, 2, 7},
    // MDTR: zero times infinity; overflow, nearest, and toward zero, and trapped: scaled by 10^576
    {"B3D04000", C(2238000000000000), 0, INF, 0, 0, 0, QNAN, 0, 0, 0x800000, 3, 0},
    {"B3D04000", C(47FC000000000001), 0, C(47FC000000000001), 0, 0, 0, INF, 0, 0, 0x280000, 3, 0},
    {"B3D04000", C(47FC000000000001), 0, C(47FC000000000001), 0, 0, 0x10, C(77FCFF3FCFF3FCFF), 0, 0,
     0x280000, 3, 0},
    {"B3D04000", C(43FC000000000001), 0, C(43FC000000000001), 0, 0, 0x20000000, C(40C0000000000001),
     0, 0, 0x2000, 3, 7},
    // DDTR: by zero; zero by zero; by infinity: the smallest quantum
    {"B3D14000", ONE, 0, C(2238000000000000), 0, 0, 0, INF, 0, 0, 0x400000, 3, 0},
    {"B3D14000", ONE, 0, C(A238000000000000), 0, 0, 0x40000000, ONE, 0, 0, 0x4000, 3, 7},
    {"B3D10000", C(2238000000000000), 0, 0, 0, 0, 0, QNAN, 0, 0, 0x800000, 3, 0},
    {"B3D14000", ONE, 0, MINF, 0, 0, 0, C(8000000000000000), 0, 0, 0, 3, 0},
    // CDTR and KDTR: cohorts are equal; quiet NaNs signal in KDTR only
    {"B3E40004", C(2234000000000010), 0, ONE, 0, 0, 0, C(2234000000000010), 0, 0, 0, 0, 0},
    {"B3E40004", MINF, 0, ONE, 0, 0, 0, MINF, 0, 0, 0, 1, 0},
    {"B3E40004", QNAN, 0, ONE, 0, 0, 0, QNAN, 0, 0, 0, 3, 0},
    {"B3E00004", QNAN, 0, ONE, 0, 0, 0, QNAN, 0, 0, 0x800000, 3, 0},
    {"B3E00004", QNAN, 0, ONE, 0, 0, 0x80000000, QNAN, 0, 0, 0x8000, 3, 7},
    // CEDTR: exponents only
    {"B3F40004", C(2238000000000123), 0, MONE, 0, 0, 0, C(2238000000000123), 0, 0, 0, 0, 0},
    {"B3F40004", C(2234000000000123), 0, MONE, 0, 0, 0, C(2234000000000123), 0, 0, 0, 1, 0},
    {"B3F40004", INF, 0, MINF, 0, 0, 0, INF, 0, 0, 0, 0, 0},
    {"B3F40004", SNAN, 0, QNAN, 0, 0, 0, SNAN, 0, 0, 0, 0, 0},
    {"B3F40004", INF, 0, ONE, 0, 0, 0, INF, 0, 0, 0, 3, 0},
    // LTDTR
    {"B3D60004", 0, 0, C(A200000000000000), 0, 0, 0, C(A200000000000000), 0, 0, 0, 0, 0},
    {"B3D60004", 0, 0, C(F800000000000123), 0, 0, 0, MINF, 0, 0, 0, 1, 0},
    {"B3D60004", 0, 0, SNAN | 0x12, 0, 0, 0, QNAN | 0x12, 0, 0, 0x800000, 3, 0},
    {"B3D60004", 5, 0, SNAN | 0x12, 0, 0, 0x80000000, 5, 0, 0, 0x8000, 3, 7},
    // FIDTR: 2.5 in the FPC's mode, to nearest away, without the inexact exception; 2E3 as it is
    {"B3D70004", 0, 0, C(2234000000000025), 0, 0, 0, C(2238000000000002), 0, 0, 0x80000, 3, 0},
    {"B3D7C004", 0, 0, C(2234000000000025), 0, 0, 0, C(2238000000000003), 0, 0, 0x80000, 3, 0},
    {"B3D71404", 0, 0, C(2234000000000025), 0, 0, 0, C(2238000000000003), 0, 0, 0, 3, 0},
    {"B3D71004", 0, 0, C(2234000000000025), 0, 0, 0x08000000, C(2238000000000003), 0, 0, 0xC00, 3,
     7},
    {"B3D70004", 0, 0, C(2244000000000002), 0, 0, 0, C(2244000000000002), 0, 0, 0, 3, 0},
    {"B3D70004", 0, 0, C(F800000000000123), 0, 0, 0, MINF, 0, 0, 0, 3, 0},
    // QADTR: FPR 4 with the quantum of FPR 0; too many digits; both infinite; one
    {"B3F54000", C(2230000000000001), 0, C(2238000000000002), 0, 0, 0, C(2230000000000100), 0, 0, 0,
     3, 0},
    {"B3F54000", C(2238000000000001), 0, C(2234000000000025), 0, 0, 0, C(2238000000000002), 0, 0,
     0x80000, 3, 0},
    {"B3F54000", C(21F4000000000001), 0, ONE, 0, 0, 0, QNAN, 0, 0, 0x800000, 3, 0},
    {"B3F54000", INF, 0, MINF, 0, 0, 0, MINF, 0, 0, 0, 3, 0},
    {"B3F54000", INF, 0, ONE, 0, 0, 0, QNAN, 0, 0, 0x800000, 3, 0},
    // RRDTR: 12.5 and 999.5 to two and three digits; more than there are
    {"B3F74001", 0, 0, C(22340000000000A5), 0, 2, 0, C(2238000000000012), 0, 2, 0x80000, 3, 0},
    {"B3F74001", 0, 0, C(22340000000024FF), 0, 3, 0, C(223C000000000080), 0, 3, 0x80000, 3, 0},
    {"B3F74001", 0, 0, C(22340000000000A5), 0, 64 + 9, 0, C(22340000000000A5), 0, 64 + 9, 0, 3, 0},
    {"B3F74001", 0, 0, C(43FC000000000012), 0, 1, 0, QNAN, 0, 1, 0x800000, 3, 0},
    // EEDTR, ESDTR
    {"B3E50014", 0, 0, ONE, 0, 7, 0, 0, 0, 398, 0, 3, 0},
    {"B3E50014", 0, 0, MINF, 0, 7, 0, 0, 0, C(FFFFFFFFFFFFFFFF), 0, 3, 0},
    {"B3E50014", 0, 0, QNAN, 0, 7, 0, 0, 0, C(FFFFFFFFFFFFFFFE), 0, 3, 0},
    {"B3E70014", 0, 0, SNAN, 0, 7, 0, 0, 0, C(FFFFFFFFFFFFFFFD), 0, 3, 0},
    {"B3E70014", 0, 0, C(2238000000000400), 0, 7, 0, 0, 0, 4, 0, 3, 0},
    {"B3E70014", 0, 0, C(2238000000000000), 0, 7, 0, 0, 0, 0, 0, 3, 0},
    // IEDTR: an exponent; too large; infinity keeps the digits; of infinity; not canonical
    {"B3F64001", 0, 0, C(A238000000000123), 0, 399, 0, C(A23C000000000123), 0, 399, 0, 3, 0},
    {"B3F64001", 0, 0, C(A238000000000123), 0, 768, 0, C(FC00000000000123), 0, 768, 0, 3, 0},
    {"B3F64001", 0, 0, C(2638000000000123), 0, C(FFFFFFFFFFFFFFFF), 0, C(7800000000000123), 0,
     C(FFFFFFFFFFFFFFFF), 0, 3, 0},
    {"B3F64001", 0, 0, C(A238000000000123), 0, C(FFFFFFFFFFFFFFFD), 0, C(FE00000000000123), 0,
     C(FFFFFFFFFFFFFFFD), 0, 3, 0},
    {"B3F64001", 0, 0, C(7BFC000000000123), 0, 398, 0, C(2238000000000123), 0, 398, 0, 3, 0},
    {"B3F64001", 0, 0, C(22380000000003FF), 0, 398, 0, C(22380000000000FF), 0, 398, 0, 3, 0},
    // SLDT, SRDT: by the address's last six bits; lost digits; a NaN has fifteen

    {"ED4000030040", 0, 0, ONE, 0, 0, 0, C(2238000000000400), 0, 0, 0, 3, 0},
    {"ED00000F0040", C(2238000000000012), 0, 0, 0, 0, 0, C(2A38000000000000), 0, 0, 0, 3, 0},
    {"ED00000F0040", QNAN | 0x12, 0, 0, 0, 0, 0, QNAN, 0, 0, 0, 3, 0},
    {"ED0000020041", C(A238000000000523), 0, 0, 0, 0, 0, C(A238000000000012), 0, 0, 0, 3, 0},
    {"ED0000300041", C(A238000000000523), 0, 0, 0, 0, 0, C(A238000000000000), 0, 0, 0, 3, 0},
    // TDCDT: zero, subnormal, normal, infinity, NaNs, by sign; TDGDT
    {"ED0008000054", C(2238000000000000), 0, 0, 0, 0, 0, C(2238000000000000), 0, 0, 0, 1, 0},
    {"ED0004000054", C(2238000000000000), 0, 0, 0, 0, 0, C(2238000000000000), 0, 0, 0, 0, 0},
    {"ED0001000054", C(8000000000000001), 0, 0, 0, 0, 0, C(8000000000000001), 0, 0, 0, 1, 0},
    {"ED0000800054", ONE, 0, 0, 0, 0, 0, ONE, 0, 0, 0, 1, 0},
    {"ED0000100054", MINF, 0, 0, 0, 0, 0, MINF, 0, 0, 0, 1, 0},
    {"ED0000020054", SNAN, 0, 0, 0, 0, 0, SNAN, 0, 0, 0, 1, 0},
    {"ED0008000055", C(2238000000000000), 0, 0, 0, 0, 0, C(2238000000000000), 0, 0, 0, 1, 0},
    {"ED0002000055", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0},
    {"ED0000800055", C(0000000000000001), 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0},
    {"ED0000200055", ONE, 0, 0, 0, 0, 0, ONE, 0, 0, 0, 1, 0},
    {"ED0000080055", C(2638000000000001), 0, 0, 0, 0, 0, C(2638000000000001), 0, 0, 0, 1, 0},
    {"ED0000010055", MINF, 0, 0, 0, 0, 0, MINF, 0, 0, 0, 1, 0},
    {"ED0000080050", C(2E500000FFFFFFFF), 0, 0, 0, 0, 0, C(2E500000FFFFFFFF), 0, 0, 0, 0, 0},
    // LEDTR, LDETR: infinity's digits and a signalling NaN, kept and not; trapped: the long format
    {"B3D50004", 7, 0, ONE, 0, 0, 0, C(2250000100000007), 0, 0, 0, 3, 0},
    {"B3D50004", 7, 0, C(7800000000000123), 0, 0, 0, C(7800000000000007), 0, 0, 0, 3, 0},
    {"B3D50804", 7, 0, C(7800000000000123), 0, 0, 0, C(7800012300000007), 0, 0, 0, 3, 0},
    {"B3D50804", 7, 0, SNAN | 0x12, 0, 0, 0, C(7E00001200000007), 0, 0, 0, 3, 0},
    {"B3D50004", 7, 0, SNAN | 0x12, 0, 0, 0, C(7C00001200000007), 0, 0, 0x800000, 3, 0},
    {"B3D50004", 7, 0, C(43FC000000000001), 0, 0, 0x20000000, C(40FC000000000001), 0, 0, 0x2000, 3,
     7},
    {"B3D50004", 7, 0, 1, 0, 0, 0x10000000, C(0300000000000001), 0, 0, 0x1000, 3, 7},
    {"B3D40004", 0, 0, C(7800012300000000), 0, 0, 0, INF, 0, 0, 0, 3, 0},
    {"B3D40804", 0, 0, C(7800012300000000), 0, 0, 0, INF | 0x123, 0, 0, 0, 3, 0},
    {"B3D40004", 0, 0, C(7E00012300000000), 0, 0, 0, QNAN | 0x123, 0, 0, 0x800000, 3, 0},
    // CGDTR: NaN, too large, rounding; CLGDTR of -0.4
    {"B3E19014", 0, 0, C(A234000000000025), 0, 7, 0, 0, 0, C(FFFFFFFFFFFFFFFE), 0x80000, 1, 0},
    {"B3E11014", 0, 0, C(A234000000000025), 0, 7, 0, 0, 0, C(FFFFFFFFFFFFFFFD), 0x80000, 1, 0},
    {"B3E19014", 0, 0, QNAN, 0, 7, 0, 0, 0, C(8000000000000000), 0x880000, 3, 0},
    {"B3E19414", 0, 0, INF, 0, 7, 0, 0, 0, C(7FFFFFFFFFFFFFFF), 0x800000, 3, 0},
    {"B3E19014", 0, 0, INF, 0, 7, 0x80000000, 0, 0, 7, 0x8000, 3, 7},
    {"B9429014", 0, 0, C(A234000000000004), 0, 7, 0, 0, 0, 0, 0x80000, 1, 0},
    {"B9429014", 0, 0, MONE, 0, 7, 0, 0, 0, 0, 0x880000, 3, 0},
    {"B9419014", 0, 0, C(A234000000000025), 0, C(1234567800000000), 0, 0, 0, C(12345678FFFFFFFE),
     0x80000, 1, 0},
    // CDGTR of a number with 19 digits; CDGTRA: up, no inexact exception
    {"B3F10001", 0, 0, 0, 0, 1234567890123456789, 0, C(264534B9C1E28E57), 0, 1234567890123456789,
     0xC0000, 3, 0},
    {"B3F1B401", 0, 0, 0, 0, 1234567890123456789, 0, C(264534B9C1E28E56), 0, 1234567890123456789,
     0x40000, 3, 0},
    // CUDTR, CSDTR: all sixteen digits; fifteen and a sign; of infinity; plus is F
    {"B3E20014", 0, 0, C(262934B9C1E28E56), 0, 0, 0, 0, 0, C(1234567890123456), 0, 3, 0},
    {"B3E30014", 0, 0, C(A62934B9C1E28E56), 0, 0, 0, 0, 0, C(234567890123456D), 0, 3, 0},
    {"B3E30114", 0, 0, C(262934B9C1E28E56), 0, 0, 0, 0, 0, C(234567890123456F), 0, 3, 0},
    {"B3E30014", 0, 0, C(7800000000000123), 0, 0, 0, 0, 0, C(000000000000223C), 0, 3, 0},
    // CDSTR, CDUTR: minus zero; a sign and a digit that are none
    {"B3F30001", 0, 0, 0, 0, C(000000000000000B), 0, C(A238000000000000), 0, C(B), 0, 3, 0},
    {"B3F30001", 5, 0, 0, 0, C(0000000000000123), 0, 5, 0, C(123), 0, 3, 7},
    {"B3F30001", 5, 0, 0, 0, C(000000A00000123C), 0, 5, 0, C(A00000123C), 0, 3, 7},
    {"B3F20001", 0, 0, 0, 0, C(9999999999999999), 0, C(6E38FF3FCFF3FCFF), 0, C(9999999999999999), 0,
     3, 0},
    // extended: a pair that is none, an odd general register
    {"B3DA4020", 5, 0, 0, 0, 0, 0, 5, 0, 0, 0, 3, 6},
    {"B3EB0014", 5, 0, 0, 0, 7, 0, 5, 0, 7, 0, 3, 6},
    {"B3DA4000", XONE, 1, XONE, 2, 0, 0, XONE, 3, 0, 0, 2, 0},
    {"B3DE0004", 0, 0, XINF, 5, 0, 0, XINF, 0, 0, 0, 2, 0},
    // SRNMT
    {"B2B90006", 0, 0, 0, 0, 0, 0x00000001, 0, 0, 0, 0x60, 3, 0},
};

static void test_cases(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct dfp_case *c = &cases[i];
        struct vector_register *vr = rig->cpu->vr;
        vr[0].high = c->f0;
        vr[2].high = c->f2;
        vr[4].high = c->f4;
        vr[6].high = c->f6;
        rig->cpu->gr[1] = c->g1;
        unsigned fault = dfp_rig_run(rig, c->code, c->fpc);
        if (fault == c->fault && vr[0].high == c->r0 && vr[2].high == c->r2 &&
            rig->cpu->gr[1] == c->g && dfp_rig_cc(rig) == c->cc &&
            rig->cpu->fpc == (c->fpc | c->then))
            continue;
        bad++;
        printf("# %s line %u: %016llX %016llX gr %016llX fpc %08X cc %u fault %X\n", c->code, i,
               (unsigned long long)vr[0].high, (unsigned long long)vr[2].high,
               (unsigned long long)rig->cpu->gr[1], rig->cpu->fpc, dfp_rig_cc(rig), fault);
    }
    assert_int_equal(bad, 0);
}

// --- zoned and packed decimal in storage ------------------------------------------------------

#define AT 0x3000u

// FPR 0 to storage or back, at AT (in GR 2). `text` is what is or comes there, as hexadecimal
// digits.
static const struct {
    const char *code;
    uint64_t f0, f2;
    const char *text;
    unsigned mask, cc, fault;
} storage_cases[] = {
    // CZDT: zones, signs, lost digits, minus zero, NaN
    {"ED03200000A8", C(2238000000000123), 0, "F0F2F2F3", 0, 2, 0},
    {"ED03200004A8", C(2238000000000123), 0, "30323233", 0, 2, 0},
    {"ED03200008A8", C(2238000000000123), 0, "F0F2F2C3", 0, 2, 0},
    {"ED0320000AA8", C(2238000000000123), 0, "F0F2F2F3", 0, 2, 0},
    {"ED03200008A8", C(A238000000000123), 0, "F0F2F2D3", 0, 1, 0},
    {"ED01200008A8", C(A238000000000123), 0, "F2D3", 0, 3, 0},
    {"ED01200008A8", C(A238000000000123), 0, "F2D3", 4, 3, 0xA},
    {"ED01200008A8", C(A238000000000000), 0, "F0D0", 0, 0, 0},
    {"ED01200009A8", C(A238000000000000), 0, "F0C0", 0, 0, 0},
    {"ED01200000A8", C(7C00000000000012), 0, "F1F2", 0, 3, 0},
    {"ED0F200000A8", C(6E38FF3FCFF3FCFF), 0, "F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9", 0, 2, 0},
    {"ED10200000A8", C(6E38FF3FCFF3FCFF), 0, "", 0, 3, 6},
    // CDZT
    {"ED03200000AA", C(2238000000000123), 0, "F0F2F2F3", 0, 3, 0},
    {"ED03200008AA", C(A238000000000123), 0, "F0F2F2D3", 0, 3, 0},
    {"ED03200008AA", C(5), 0, "F0F2F293", 0, 3, 7},
    {"ED03200008AA", C(5), 0, "F0FAF2C3", 0, 3, 7},
    {"ED10200000AA", C(5), 0, "F0", 0, 3, 6},
    // CPDT: unsigned, signed, too short
    {"ED01200000AC", C(2238000000000123), 0, "0223", 0, 2, 0},
    {"ED01200008AC", C(2238000000000123), 0, "223C", 0, 2, 0},
    {"ED0120000AAC", C(2238000000000123), 0, "223F", 0, 2, 0},
    {"ED00200008AC", C(A238000000000123), 0, "3D", 4, 3, 0xA},
    {"ED09200008AC", C(2238000000000123), 0, "", 0, 3, 6},
    // CDPT: signed, the sign not looked at, an odd number of digits, seventeen digits
    {"ED01200008AE", C(A238000000000123), 0, "223D", 0, 3, 0},
    {"ED01200009AE", C(2238000000000123), 0, "2230", 0, 3, 0},
    {"ED01200008AE", C(5), 0, "2230", 0, 3, 7},
    {"ED08200008AE", C(6E38FF3FCFF3FCFF), 0, "09999999999999999C", 0, 3, 0},
    {"ED08200008AE", C(5), 0, "19999999999999999C", 0, 3, 7},
    {"ED09200008AE", C(5), 0, "00", 0, 3, 6},
    // extended
    {"ED01200000A9", C(2208000000000000), C(12), "F1F2", 0, 2, 0},
    {"ED01200000AB", C(2208000000000000), C(12), "F1F2", 0, 3, 0},
    {"ED01200008AD", C(A208000000000000), C(12), "012D", 0, 1, 0},
    {"ED01200008AF", C(A208000000000000), C(12), "012D", 0, 3, 0},
    {"ED21200000A9", C(2208000000000000), C(12),
     "F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F1F2", 0, 2, 0},
    {"ED22200000A9", C(2208000000000000), C(12), "", 0, 3, 6},
    {"ED12200008AD", C(2208000000000000), C(12), "", 0, 3, 6},
};

static void test_storage(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (unsigned i = 0; i < sizeof storage_cases / sizeof storage_cases[0]; i++) {
        const char *code = storage_cases[i].code, *text = storage_cases[i].text;
        bool from = code[11] == 'A' || code[11] == 'B' || code[11] == 'E' || code[11] == 'F';
        uint64_t f0 = storage_cases[i].f0, f2 = storage_cases[i].f2;
        struct vector_register *vr = rig->cpu->vr;
        for (unsigned k = 0; k < 64; k += 8)
            bare_put64(rig, AT + k, 0);
        if (from)
            rig_hex(rig, AT, text);
        vr[0].high = from ? 5 : f0;
        vr[2].high = from ? 5 : f2;
        rig->cpu->gr[2] = AT;
        unsigned fault = dfp_rig_run_masked(rig, code, 0, storage_cases[i].mask);
        bool extended = code[11] == '9' || code[11] == 'B' || code[11] == 'D' || code[11] == 'F';
        bool same = fault == storage_cases[i].fault && dfp_rig_cc(rig) == storage_cases[i].cc &&
                    (!from || (vr[0].high == f0 && (!extended || vr[2].high == f2)));
        char got[80];
        for (unsigned k = 0; 2 * k < strlen(text); k++)
            snprintf(got + 2 * k, 3, "%02X", bare_get32(rig, AT + k) >> 24);
        if (same && memcmp(got, text, strlen(text)) == 0)
            continue;
        bad++;
        printf("# %s line %u: %016llX %016llX %.*s cc %u fault %X\n", code, i,
               (unsigned long long)vr[0].high, (unsigned long long)vr[2].high, (int)strlen(text),
               got, dfp_rig_cc(rig), fault);
    }
    assert_int_equal(bad, 0);
}

// --- PFPO -------------------------------------------------------------------------------------

// GR 0; FPR 4 and 6, FPC before; FPR 0 and 2, GR 1 and FPC after.
static const struct {
    uint32_t control;
    uint64_t f4, f6;
    uint32_t fpc;
    uint64_t r0, r2;
    int32_t code;
    uint32_t then;
    unsigned cc, fault;
} pfpo_cases[] = {
    // validity: the test bit, operation type, formats, rounding, reserved bits
    {0x81010A00, 0, 0, 0, 5, 5, 0, 0, 0, 0},
    {0x81090900, 0, 0, 0, 5, 5, 0, 0, 3, 0},
    {0x82010A00, 0, 0, 0, 5, 5, 0, 0, 3, 0},
    {0x81030A00, 0, 0, 0, 5, 5, 0, 0, 3, 0},
    {0x81010A02, 0, 0, 0, 5, 5, 0, 0, 3, 0},
    {0x81060A10, 0, 0, 0, 5, 5, 0, 0, 3, 0},
    {0x81090620, 0, 0, 0, 5, 5, 0, 0, 0, 0},
    {0x01090900, 0, 0, 0, 5, 5, 99, 0, 3, 6},
    {0x01090603, 0, 0, 0, 5, 5, 99, 0, 3, 6},
    // extended decimal to long hexadecimal, rounded in the FPC's mode
    {0x01010A00, C(39FFD2B32D873E6E), C(A9DAAD5ABE6B6404), 0, C(416487ED5110B461), 5, 0, 0x80000, 1,
     0},
    {0x01010A00, C(22008064ACCB61CF), C(9BAA76AB56AF9AD9), 0, C(416487ED5110B461), 5, 0, 0x80000, 1,
     0},
    // 0.5, 1, -0 from binary and hexadecimal: the largest quantum, or one
    {0x01090600, C(3FE0000000000000), 0, 0, C(2234000000000005), 5, 0, 0, 0, 0},
    {0x01090610, C(4059000000000000), 0, 0, C(2238000000000080), 5, 0, 0, 0, 0},
    {0x01090600, C(4059000000000000), 0, 0, C(2240000000000001), 5, 0, 0, 0, 0},
    {0x01090110, C(8000000000000000), 0, 0, C(A238000000000000), 5, 0, 0, 0, 0},
    {0x01090101, C(C110000000000000), 0, 0, C(A238000000000001), 5, 0, 0, 0, 0},
    {0x01060101, C(4110000000000000), 0, 0, C(3FF0000000000000), 5, 0, 0, 0, 0},
    {0x01010600, C(BFF0000000000000), 0, 0, C(C110000000000000), 5, 0, 0, 0, 0},
    {0x01020600, C(BFF0000000000000), 0, 0, C(C110000000000000), C(B300000000000000), 0, 0, 0, 0},
    {0x01020609, C(8000000000000000), 0, 0, C(8000000000000000), C(8000000000000000), 0, 0, 0, 0},
    // short results leave the right half alone
    {0x01050900, C(2238000000000001), 0, 0, C(3F80000000000005), 5, 0, 0, 0, 0},
    {0x01000900, C(2238000000000001), 0, 0, C(4110000000000005), 5, 0, 0, 0, 0},
    // infinities and NaNs: payloads go through if they fit
    {0x01060900, C(F800000000000000), 0, 0, C(FFF0000000000000), 5, 0, 0, 0, 0},
    {0x01060900, C(FC00000000000012), 0, 0, C(FFF800000000000C), 5, 0, 0, 0, 0},
    {0x01060900, C(7E00000000000012), 0, 0, C(7FF800000000000C), 5, 0, 0x800000, 1, 0},
    {0x01050900, C(7C03FCFF3FCFF3FC), 0, 0, C(7FC0000000000005), 5, 0, 0, 0, 0},
    {0x01090600, C(7FF000000000000C), 0, 0, C(7C00000000000012), 5, 0, 0x800000, 1, 0},
    {0x01090600, C(7FF000000000000C), 0, 0x80000000, 5, 5, 99, 0x8000, 3, 7},
    {0x01090640, C(7FF000000000000C), 0, 0x80000000, 5, 5, 0, 0x8000, 2, 0},
    {0x01010600, C(FFF0000000000000), 0, 0, C(FFFFFFFFFFFFFFFF), 5, 0, 0x800000, 1, 0},
    // overflow: largest number, infinity; scaled with the exponent in GR 1; no interruption
    {0x01060A00, C(44FFC00000000000), C(1), 0, C(7FF0000000000000), 5, 0, 0x280000, 1, 0},
    {0x01090701, C(7FFE000000000000), 0, 0x20000000, C(35FEAED5E76FA8D9), 5, 4931, 0x2C00, 2, 7},
    {0x01090741, C(7FFE000000000000), 0, 0x20000000, C(35FEAED5E76FA8D9), 5, 4931, 0x2C00, 2, 0},
    {0x01050940, C(26380000000000C0), 0, 0, C(58635FA900000005), 5, 0, 0x80000, 1, 0},
    {0x01000620, C(7FE0000000000000), 0, 0x20000000, C(4180000000000005), 5, 255, 0x2000, 2, 7},
    {0x01000620, C(7FE0000000000000), 0, 0, C(7FFFFFFF00000005), 5, 0, 0x280000, 1, 0},
    {0x01000600, C(7FE0000000000000), 0, 0, C(7FFFFFFF00000005), 5, 0, 0x800000, 1, 0},
    // underflow
    {0x01000600, C(8010000000000000), 0, 0, C(8000000000000005), 5, 0, 0x80000, 1, 0},
    {0x01000610, C(8010000000000000), 0, 0, C(8000000000000005), 5, 0, 0x180000, 1, 0},
    {0x01000610, C(8010000000000000), 0, 0x10000000, C(C140000000000005), 5, -256, 0x1000, 2, 7},
    {0x01000680, C(8010000000000000), 0, 0, C(8000000000000005), 5, 0, 0, 0, 0},
    // inexact: trapped, suppressed; eight ways to round 0.1
    {0x01060900, C(2234000000000001), 0, 0x08000000, C(3FB999999999999A), 5, 0, 0xC00, 2, 7},
    {0x01060940, C(2234000000000001), 0, 0x08000000, C(3FB999999999999A), 5, 0, 0xC00, 2, 0},
    {0x01060980, C(2234000000000001), 0, 0x08000000, C(3FB999999999999A), 5, 0, 0, 0, 0},
    {0x01060908, C(2234000000000001), 0, 0, C(3FB999999999999A), 5, 0, 0x80000, 1, 0},
    {0x01060909, C(2234000000000001), 0, 0, C(3FB9999999999999), 5, 0, 0x80000, 1, 0},
    {0x0106090A, C(A234000000000001), 0, 0, C(BFB9999999999999), 5, 0, 0x80000, 1, 0},
    {0x0106090B, C(A234000000000001), 0, 0, C(BFB999999999999A), 5, 0, 0x80000, 1, 0},
    {0x0106090D, C(2234000000000001), 0, 0, C(3FB999999999999A), 5, 0, 0x80000, 1, 0},
    {0x0106090E, C(A234000000000001), 0, 0, C(BFB999999999999A), 5, 0, 0x80000, 1, 0},
    {0x0106090F, C(A234000000000001), 0, 0, C(BFB9999999999999), 5, 0, 0x80000, 1, 0},
    {0x0101090E, C(2234000000000001), 0, 0, C(401999999999999A), 5, 0, 0x80000, 1, 0},
    {0x0101090F, C(2234000000000001), 0, 0, C(4019999999999999), 5, 0, 0x80000, 1, 0},
    // a quantum exception, if it is wanted and one is preferred
    {0x01090630, C(3FE0000000000000), 0, 0, C(2234000000000005), 5, 0, 0x40000, 1, 0},
    {0x01090630, C(3FE0000000000000), 0, 0x04000000, C(2234000000000005), 5, 0, 0x400, 2, 7},
};

static void test_pfpo(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (unsigned i = 0; i < sizeof pfpo_cases / sizeof pfpo_cases[0]; i++) {
        struct vector_register *vr = rig->cpu->vr;
        vr[0].high = vr[2].high = 5;
        vr[4].high = pfpo_cases[i].f4;
        vr[6].high = pfpo_cases[i].f6;
        rig->cpu->gr[0] = pfpo_cases[i].control;
        rig->cpu->gr[1] = C(ABCDEF0100000063);
        unsigned fault = dfp_rig_run(rig, "010A", pfpo_cases[i].fpc);
        uint64_t code = C(ABCDEF0100000000) | (uint32_t)pfpo_cases[i].code;
        if (fault == pfpo_cases[i].fault && vr[0].high == pfpo_cases[i].r0 &&
            vr[2].high == pfpo_cases[i].r2 && rig->cpu->gr[1] == code &&
            dfp_rig_cc(rig) == pfpo_cases[i].cc &&
            rig->cpu->fpc == (pfpo_cases[i].fpc | pfpo_cases[i].then))
            continue;
        bad++;
        printf("# %08X line %u: %016llX %016llX gr 1 %016llX fpc %08X cc %u fault %X\n",
               pfpo_cases[i].control, i, (unsigned long long)vr[0].high,
               (unsigned long long)vr[2].high, (unsigned long long)rig->cpu->gr[1], rig->cpu->fpc,
               dfp_rig_cc(rig), fault);
    }
    assert_int_equal(bad, 0);
}

// Without AFP-register control: data exceptions 3, and 2 for PFPO.
static void test_control(void **state)
{
    (void)state;
    static const char *const codes[] = {"B3D24000", "B2B90003",     "ED00000F0040",
                                        "B9410014", "ED01200000A8", "010A"};
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        rig_hex(rig, CODE, codes[i]);
        rig->cpu->psw = (struct psw){.address = CODE, .ea = true, .ba = true};
        rig->cpu->cr[0] &= ~UINT64_C(0x40000);
        cpu_state_changed(rig->cpu);
        assert_int_equal(rig_fault(rig), 7);
        assert_int_equal(bare_get32(rig, 0x90), strcmp(codes[i], "010A") ? 3 : 2);
    }
}

// Methods below 8 are the FPC's mode where there is no floating-point extension.
static void test_without_extension(void **state)
{
    (void)state;
    cpu_facility_set(rig->cpu, 37, false);
    rig->cpu->vr[4].high = C(2234000000000025);
    assert_int_equal(dfp_rig_run(rig, "B3D71404", 0x10), 0);
    assert_int_equal(rig->cpu->vr[0].high, C(2238000000000002));
    assert_int_equal(rig->cpu->fpc, 0x80010);
    assert_int_equal(dfp_rig_run(rig, "B3D7E004", 0), 0);
    assert_int_equal(rig->cpu->vr[0].high, C(2238000000000003));
    assert_int_equal(dfp_rig_run(rig, "B9410014", 0), 1);
    cpu_facility_set(rig->cpu, 37, true);
}

static int start(void **state)
{
    (void)state;
    rig = rig_new("");
    return 0;
}

static int stop(void **state)
{
    (void)state;
    bare_free(rig);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_storage),
        cmocka_unit_test(test_pfpo),
        cmocka_unit_test(test_control),
        cmocka_unit_test(test_without_extension),
    };
    return cmocka_run_group_tests_name("decimal floating point", tests, start, stop);
}
