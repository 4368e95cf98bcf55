// SPDX-License-Identifier: MIT
// PERFORM FLOATING-POINT OPERATION: numbers of one radix in another. (Principles of Operation,
// "Floating-Point Overview and Support Instructions".)
//
// General register 0, bits 32-63:
//
//  32 33     40       48       56 57 58 59 60      63
// |T | type | target | source |IS|AE|radix| rounding |
//
// The source is in FPR 4 (and 6), the target in FPR 0 (and 2). Bits 32-63 of general register 1 are
// a return code: the scaling exponent of a result that overflowed or underflowed into a trap,
// otherwise zero.
#include "cpu/float.h"
#include "cpu/float_dfp.h"
#include "cpu/hfp.h"
#include "cpu/operands.h"
#include "cpu/radix.h"

enum radix { RADIX_HFP, RADIX_BFP, RADIX_DFP };

#define CONTROL_TEST          0x80000000u
#define CONTROL_NO_INEXACT    0x80u // no inexact exception
#define CONTROL_ALTERNATE     0x40u // traps set a condition code instead of interrupting
#define CONTROL_HFP_OVERFLOW  0x20u // overflow is an overflow, not an invalid operation
#define CONTROL_HFP_UNDERFLOW 0x10u // underflow is an underflow, not an inexact zero
#define CONTROL_DFP_QUANTUM   0x20u // quantum exceptions
#define CONTROL_DFP_ONE       0x10u // an exact result's preferred quantum is one, not the largest

static const struct operand_format {
    bool assigned;
    enum radix radix;
    enum hfp_format hfp;
    const struct bfp_format *bfp;
    const struct dfp_format *dfp;
    uint8_t words;
} formats[] = {
    [0x0] = {true, RADIX_HFP, HFP_SHORT, NULL, NULL, 1},
    [0x1] = {true, RADIX_HFP, HFP_LONG, NULL, NULL, 2},
    [0x2] = {true, RADIX_HFP, HFP_EXTENDED, NULL, NULL, 4},
    [0x5] = {true, RADIX_BFP, HFP_SHORT, &bfp_short, NULL, 1},
    [0x6] = {true, RADIX_BFP, HFP_SHORT, &bfp_long, NULL, 2},
    [0x7] = {true, RADIX_BFP, HFP_SHORT, &bfp_extended, NULL, 4},
    [0x8] = {true, RADIX_DFP, HFP_SHORT, NULL, &dfp_short, 1},
    [0x9] = {true, RADIX_DFP, HFP_SHORT, NULL, &dfp_long, 2},
    [0xA] = {true, RADIX_DFP, HFP_SHORT, NULL, &dfp_extended, 4},
};

// One execution.
struct conversion {
    const struct operand_format *from, *to;
    uint32_t control;       // general register 0
    enum dfp_rounding mode; // eight of them, for every radix
    uint8_t masks, raised;  // enum dfp_exception
    bool incremented;
    int scaling; // exponent of a scaled result
    uint128 result;
};

// --- what is asked for --------------------------------------------------------------------------

static const struct operand_format *find_format(unsigned code)
{
    if (code >= sizeof formats / sizeof *formats || !formats[code].assigned)
        return NULL;
    return &formats[code];
}

static bool is_valid(const struct cpu *cpu, struct conversion *v)
{
    unsigned rounding = v->control & 15;
    v->to = find_format(v->control >> 16 & 0xFF);
    v->from = find_format(v->control >> 8 & 0xFF);
    if ((v->control >> 24 & 0x7F) != 1 || !v->to || !v->from || v->to->radix == v->from->radix)
        return false;
    if (rounding > 1 && rounding < 8)
        return false;
    if (v->to->radix == RADIX_BFP)
        return !(v->control & 0x30);
    return v->to->radix == RADIX_HFP || !(v->control & CONTROL_DFP_QUANTUM) ||
           cpu_facility(cpu, 37);
}

// 0: as decimal floating point has it, 1: as binary, which has four of these and the last one.
static enum dfp_rounding rounding_mode(const struct cpu *cpu, unsigned method)
{
    unsigned mode = method == 0 ? cpu->fpc >> 4 : method == 1 ? cpu->fpc : method;
    return (enum dfp_rounding)(mode & 7);
}

static enum bfp_rounding binary_mode(enum dfp_rounding mode, bool negative)
{
    static const uint8_t modes[] = {
        [DFP_EVEN] = BFP_EVEN,  [DFP_TO_ZERO] = BFP_TO_ZERO, [DFP_UP] = BFP_UP,
        [DFP_DOWN] = BFP_DOWN,  [DFP_NEAR_AWAY] = BFP_AWAY,  [DFP_NEAR_ZERO] = BFP_NEAR_ZERO,
        [DFP_SHORTER] = BFP_ODD};
    if (mode == DFP_AWAY)
        return negative ? BFP_DOWN : BFP_UP;
    return (enum bfp_rounding)modes[mode];
}

// --- the source ---------------------------------------------------------------------------------

enum class { CLASS_ZERO, CLASS_FINITE, CLASS_INFINITY, CLASS_QNAN, CLASS_SNAN };

// A NaN's payload is a number, whatever the radix. A finite number is one of the other two.
struct number {
    enum class class;
    bool negative;
    uint128 payload;
    bool decimal;
    struct bfp binary;
    struct dfp dfp;
};

static struct number from_hfp(enum hfp_format f, uint128 bits)
{
    struct hfp x = hfp_unpack(f, bits);
    struct number n = {.class = x.fraction ? CLASS_FINITE : CLASS_ZERO, .negative = x.negative};
    if (x.fraction)
        n.binary = hfp_to_bfp(x);
    return n;
}

static struct number from_bfp(const struct bfp_format *f, uint128 bits)
{
    static const uint8_t classes[] = {[BFP_ZERO] = CLASS_ZERO,
                                      [BFP_FINITE] = CLASS_FINITE,
                                      [BFP_INFINITY] = CLASS_INFINITY,
                                      [BFP_QNAN] = CLASS_QNAN,
                                      [BFP_SNAN] = CLASS_SNAN};
    struct number n = {.binary = bfp_unpack(f, bits)};
    n.class = (enum class)classes[n.binary.class];
    n.negative = n.binary.negative;
    n.payload = bits & (((uint128)1 << (f->fraction - 1)) - 1); // without the quiet bit
    return n;
}

static struct number from_dfp(const struct dfp_format *f, uint128 bits)
{
    static const uint8_t classes[] = {[DFP_FINITE] = CLASS_FINITE,
                                      [DFP_INFINITY] = CLASS_INFINITY,
                                      [DFP_QNAN] = CLASS_QNAN,
                                      [DFP_SNAN] = CLASS_SNAN};
    struct number n = {.decimal = true, .dfp = dfp_unpack(f, bits)};
    n.class = (enum class)classes[n.dfp.class];
    if (n.class == CLASS_FINITE && n.dfp.coefficient == 0)
        n.class = CLASS_ZERO;
    n.negative = n.dfp.negative;
    n.payload = n.dfp.coefficient;
    return n;
}

static uint128 source_bits(const struct cpu *cpu, const struct operand_format *f)
{
    uint64_t high = cpu->vr[4].high;
    return f->words == 1   ? high >> 32
           : f->words == 2 ? high
                           : (uint128)high << 64 | cpu->vr[6].high;
}

static struct number source(const struct cpu *cpu, const struct operand_format *f)
{
    uint128 bits = source_bits(cpu, f);
    return f->radix == RADIX_HFP   ? from_hfp(f->hfp, bits)
           : f->radix == RADIX_BFP ? from_bfp(f->bfp, bits)
                                   : from_dfp(f->dfp, bits);
}

// --- the target ---------------------------------------------------------------------------------

// A signalling NaN is an invalid operation; its payload goes through, if it fits.
static bool payload(struct conversion *v, const struct number *n, uint128 limit, uint128 *out)
{
    if (n->class == CLASS_SNAN)
        v->raised |= DFP_INVALID;
    *out = n->payload < limit ? n->payload : 0;
    return n->class >= CLASS_QNAN;
}

static void to_bfp(struct conversion *v, const struct number *n)
{
    const struct bfp_format *f = v->to->bfp;
    struct bfp_context c = {.mode = binary_mode(v->mode, n->negative)};
    struct bfp x = {.class = BFP_ZERO, .negative = n->negative};
    uint128 left;
    if (payload(v, n, (uint128)1 << (f->fraction - 1), &left)) {
        x.class = BFP_QNAN;
        x.significand = (uint128)1 << 126 | left << (127 - f->fraction);
    } else if (n->class == CLASS_INFINITY) {
        x.class = BFP_INFINITY;
    } else if (n->class == CLASS_FINITE) {
        x = n->decimal ? radix_to_binary(n->dfp) : n->binary;
        bool tiny = x.exponent < 1 - f->bias;
        struct bfp r = bfp_round_precision(&c, f, x);
        unsigned trapped =
            tiny ? v->masks & DFP_UNDERFLOW : (r.exponent > f->bias ? v->masks & DFP_OVERFLOW : 0);
        if (trapped) {
            v->scaling = r.exponent;
            r.exponent = 0;
            x = r;
            v->raised |= (uint8_t)trapped;
        } else {
            c = (struct bfp_context){.mode = c.mode};
        }
    }
    v->result = bfp_round(&c, f, x);
    v->raised |= c.raised;
    v->incremented = c.incremented;
}

// The preferred quantum: one, or the largest (least, when not exact).
static void to_dfp(struct conversion *v, const struct number *n)
{
    const struct dfp_format *f = v->to->dfp;
    struct dfp_context c = {.mode = v->mode};
    struct dfp x = {.class = DFP_FINITE, .negative = n->negative};
    int preferred = v->control & CONTROL_DFP_ONE ? 0 : f->highest;
    uint128 digits;
    if (payload(v, n, dfp_power(f->digits - 1), &digits)) {
        x.class = DFP_QNAN;
        x.coefficient = digits;
    } else if (n->class == CLASS_INFINITY) {
        x.class = DFP_INFINITY;
    } else if (n->class == CLASS_FINITE) {
        // The 128 bits stand below 2^(exponent + 1); fewer make a shorter number of it.
        int zeros = 0;
        while (!(n->binary.significand >> zeros & 1))
            zeros++;
        x = radix_to_decimal(n->negative, n->binary.significand >> zeros,
                             n->binary.exponent - 127 + zeros);
        struct dfp_context trial = c;
        struct dfp r = dfp_round_precision(&trial, f, x);
        unsigned trapped = dfp_is_tiny(f, x)   ? v->masks & DFP_UNDERFLOW
                           : dfp_is_huge(f, r) ? v->masks & DFP_OVERFLOW
                                               : 0;
        if (trapped) {
            v->scaling = r.exponent + dfp_digits(r.coefficient) - 1;
            r.exponent -= v->scaling;
            preferred -= v->scaling;
            x = r;
            c = trial;
            v->raised |= (uint8_t)trapped;
        }
    }
    x.preferred = preferred;
    x = dfp_round(&c, f, x);
    if (!(v->control & CONTROL_DFP_QUANTUM))
        c.raised &= (uint8_t)~DFP_QUANTUM;
    v->result = dfp_pack(f, x);
    v->raised |= c.raised;
    v->incremented = c.incremented;
}

// Rounded to the format's digits; not zero. The exponent may be out of range.
static struct hfp round_hfp(struct conversion *v, struct bfp x)
{
    // 0.1... * 2^power: up to three zero bits make the power of two one of sixteen.
    int power = x.exponent + 1, digits = (power + 3) >> 2, zeros = 4 * digits - power;
    int drop = 128 - 4 * (int)hfp_digits(v->to->hfp);
    uint128 lost = x.significand & (((uint128)1 << zeros) - 1);
    uint128 fraction = x.significand >> zeros | (lost != 0), unit = (uint128)1 << drop;
    uint128 kept = fraction / unit, gone = fraction % unit;
    struct hfp r = {.negative = x.negative, .exponent = digits + 64};
    if (gone) {
        v->raised |= DFP_INEXACT;
        int half = (gone > unit / 2) - (gone < unit / 2);
        v->incremented =
            bfp_rounds_up(binary_mode(v->mode, x.negative), x.negative, kept & 1, half);
        kept += v->incremented;
    }
    r.fraction = kept << (drop - (128 - HFP_BITS));
    if (r.fraction >> HFP_BITS) {
        r.fraction >>= 4;
        r.exponent++;
    }
    return r;
}

static void largest_hfp(struct hfp *r)
{
    r->exponent = 127;
    r->fraction = ((uint128)1 << HFP_BITS) - 1;
}

// The trap's result: one digit before the point.
static void scale_hfp(struct conversion *v, struct hfp *r, uint8_t exception)
{
    v->raised |= exception;
    v->scaling = r->exponent - 65;
    r->exponent = 65;
}

static void out_of_range_hfp(struct conversion *v, struct hfp *r)
{
    if (r->exponent > 127 && !(v->control & CONTROL_HFP_OVERFLOW)) {
        v->raised = DFP_INVALID;
        largest_hfp(r);
    } else if (r->exponent > 127) {
        if (v->masks & DFP_OVERFLOW) {
            scale_hfp(v, r, DFP_OVERFLOW);
        } else {
            v->raised |= DFP_OVERFLOW | DFP_INEXACT;
            largest_hfp(r);
        }
    } else if (v->control & CONTROL_HFP_UNDERFLOW && v->masks & DFP_UNDERFLOW) {
        scale_hfp(v, r, DFP_UNDERFLOW);
    } else {
        if (v->control & CONTROL_HFP_UNDERFLOW)
            v->raised |= DFP_UNDERFLOW;
        v->raised |= DFP_INEXACT;
        v->incremented = false;
        r->exponent = 0;
        r->fraction = 0;
    }
}

// There are no infinities and no NaNs: the largest number stands for them.
static void to_hfp(struct conversion *v, const struct number *n)
{
    struct hfp r = {.negative = n->negative};
    if (n->class == CLASS_FINITE) {
        r = round_hfp(v, n->decimal ? radix_to_binary(n->dfp) : n->binary);
        if (r.exponent < 0 || r.exponent > 127)
            out_of_range_hfp(v, &r);
    } else if (n->class != CLASS_ZERO) {
        v->raised = DFP_INVALID;
        largest_hfp(&r);
    }
    v->result = hfp_pack(v->to->hfp, r);
    if (v->to->hfp == HFP_EXTENDED && r.fraction == 0) // true zero in both halves
        v->result = r.negative ? (uint128)SIGN64 << 64 | SIGN64 : 0;
}

static void store(struct cpu *cpu, const struct conversion *v)
{
    if (v->to->words == 1) {
        cpu->vr[0].high = (cpu->vr[0].high & 0xFFFFFFFF) | (uint64_t)v->result << 32;
    } else if (v->to->words == 2) {
        cpu->vr[0].high = (uint64_t)v->result;
    } else {
        cpu->vr[0].high = (uint64_t)(v->result >> 64);
        cpu->vr[2].high = (uint64_t)v->result;
    }
}

// --- exceptions ---------------------------------------------------------------------------------

// The first one that traps as a data-exception code, 0: none. Flags of those before it come on.
static uint8_t trap(struct cpu *cpu, const struct conversion *v)
{
    static const uint8_t order[] = {DFP_INVALID, DFP_OVERFLOW, DFP_UNDERFLOW, DFP_INEXACT,
                                    DFP_QUANTUM};
    uint8_t inexact = !(v->raised & DFP_INEXACT) ? 0 : v->incremented ? 0x0C : 0x08;
    for (unsigned i = 0; i < sizeof order; i++) {
        uint8_t one = v->raised & order[i];
        if (one & v->masks)
            return one == DFP_OVERFLOW || one == DFP_UNDERFLOW || one == DFP_INEXACT
                       ? (uint8_t)(one | inexact)
                       : one;
        cpu->fpc |= (uint32_t)one << 16;
    }
    return 0;
}

// Condition code 0; 1 when there was an exception, 2 when it traps. An invalid operation that traps
// changes nothing else.
static void finish(struct cpu *cpu, const struct conversion *v)
{
    uint8_t dxc = trap(cpu, v);
    bool alternate = v->control & CONTROL_ALTERNATE;
    if (dxc == DFP_INVALID && !alternate)
        data_exception(cpu, NULL, dxc);
    if (dxc != DFP_INVALID)
        store(cpu, v);
    set_low(cpu, 1, (uint32_t)v->scaling);
    cpu->psw.cc = dxc ? 2 : v->raised != 0;
    if (dxc && alternate)
        cpu->fpc = (cpu->fpc & ~UINT32_C(0xFF00)) | (uint32_t)dxc << 8;
    else if (dxc)
        data_exception(cpu, NULL, dxc);
}

PLAIN(do_pfpo)
{
    (void)insn;
    struct conversion v = {.control = low(cpu, 0), .masks = (uint8_t)(cpu->fpc >> 24)};
    bool valid = is_valid(cpu, &v);
    if (v.control & CONTROL_TEST) {
        set_low(cpu, 1, 0);
        cpu->psw.cc = valid ? 0 : 3;
        return;
    }
    check(cpu, valid, PIC_SPECIFICATION);
    v.mode = rounding_mode(cpu, v.control & 15);
    struct number n = source(cpu, v.from);
    if (v.to->radix == RADIX_BFP)
        to_bfp(&v, &n);
    else if (v.to->radix == RADIX_DFP)
        to_dfp(&v, &n);
    else
        to_hfp(&v, &n);
    if (v.control & CONTROL_NO_INEXACT)
        v.raised &= (uint8_t)~DFP_INEXACT;
    finish(cpu, &v);
}
