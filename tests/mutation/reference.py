# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reference.py - what instructions mean, written from AMD's manuals ("RDNA3 ISA" 16, "CDNA2 ISA" 12, "CDNA3 ISA" 13), not from isa.def.

reference(name) gives a function of the operands' bits in the order of the text (dwords joined), and how results compare.
"""
import math
import re
from fractions import Fraction

import number as N
from number import BF16, F16, F32, F64, decode, encode

M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def s(v, n):
    v &= (1 << n) - 1
    return v - (1 << n) if v >> (n - 1) else v


def clamp(v, lo, hi):
    return lo if v < lo else hi if v > hi else v


def u16(v):
    return v & 0xffff


def lo(v):
    return v & 0xffff


def hi(v):
    return v >> 16 & 0xffff


def first_one(v, n, high):
    if v == 0:
        return -1
    return n - v.bit_length() if high else (v & -v).bit_length() - 1


def leading_sign(v, n):
    sign = v >> (n - 1)
    for i in range(1, n):
        if v >> (n - 1 - i) & 1 != sign:
            return i
    return -1


def rev(v, n):
    return int(bin(v | 1 << n)[3:][::-1], 2)


def bytes_of(v, n=4):
    return [v >> 8 * i & 255 for i in range(n)]


def sad(a, b, masked=False):
    return sum(abs(x - y) for x, y in zip(bytes_of(a), bytes_of(b)) if y or not masked)


def perm(a, b, sel):
    both, r = a << 32 | b, 0
    for i in range(4):
        k = sel >> 8 * i & 255
        if k >= 13:
            v = 255
        elif k == 12:
            v = 0
        elif k >= 8:
            v = 255 if both >> (16 * (k - 8) + 15) & 1 else 0
        else:
            v = both >> 8 * k & 255
        r |= v << 8 * i
    return r


def dot(a, b, c, bits, sa, sb):
    x = lambda v, i, signed: s(v >> bits * i, bits) if signed else v >> bits * i & ((1 << bits) - 1)
    return s(c, 32) + sum(x(a, i, sa) * x(b, i, sb) for i in range(32 // bits))


def qsad(a, b, c, masked):
    r = 0
    for i in range(4):
        v = sad(a >> 8 * i & M32, b, masked) + (c >> 16 * i & 0xffff)
        r |= (min(v, 0xffff) if masked else v & 0xffff) << 16 * i
    return r


def mqsad(a, b, c):
    return sum(clamp(sad(a >> 8 * i & M32, b, True) + (c >> 32 * i & M32), 0, M32) << 32 * i for i in range(4))


def bfe_s(v, at, n, size):
    """signed: the field is what remains within the register"""
    if n == 0:
        return 0
    v >>= at
    n = min(n, size - at)
    return s(v, n) if n > 0 else 0


def med(a, b, c):
    return sorted([a, b, c])[1]


def carry(value, n=32):
    return value & ((1 << n) - 1), int(value >> n != 0)


def i16p(f):
    return lambda a, b, *c: u16(f(lo(a), lo(b), *[lo(x) for x in c])) | u16(f(hi(a), hi(b), *[hi(x) for x in c])) << 16


INT = {
    "v_mov_b32": lambda a: a, "v_mov_b64": lambda a: a, "v_mov_b16": lambda a: a, "v_not_b32": lambda a: ~a, "v_not_b16": lambda a: ~a,
    "v_bfrev_b32": lambda a: rev(a, 32), "v_clz_i32_u32": lambda a: first_one(a, 32, True), "v_ctz_i32_b32": lambda a: first_one(a, 32, False),
    "v_cls_i32": lambda a: leading_sign(a, 32), "v_lshlrev_b32": lambda a, b: b << (a & 31), "v_lshrrev_b32": lambda a, b: b >> (a & 31),
    "v_ashrrev_i32": lambda a, b: s(b, 32) >> (a & 31), "v_lshlrev_b64": lambda a, b: b << (a & 63), "v_lshrrev_b64": lambda a, b: b >> (a & 63),
    "v_ashrrev_i64": lambda a, b: s(b, 64) >> (a & 63), "v_lshlrev_b16": lambda a, b: b << (a & 15), "v_lshrrev_b16": lambda a, b: u16(b) >> (a & 15),
    "v_ashrrev_i16": lambda a, b: s(b, 16) >> (a & 15), "v_bfe_u32": lambda a, b, c: (a >> (b & 31)) & ((1 << (c & 31)) - 1),
    "v_bfe_i32": lambda a, b, c: bfe_s(a, b & 31, c & 31, 32), "v_bfi_b32": lambda a, b, c: a & b | ~a & c,
    "v_bfm_b32": lambda a, b: ((1 << (a & 31)) - 1) << (b & 31), "v_bcnt_u32_b32": lambda a, b: bin(a).count("1") + b,
    "v_alignbit_b32": lambda a, b, c: (a << 32 | b) >> (c & 31), "v_alignbyte_b32": lambda a, b, c: (a << 32 | b) >> 8 * (c & 3),
    "v_perm_b32": perm, "v_and_or_b32": lambda a, b, c: a & b | c, "v_or3_b32": lambda a, b, c: a | b | c, "v_xor3_b32": lambda a, b, c: a ^ b ^ c,
    "v_xad_u32": lambda a, b, c: (a ^ b) + c, "v_lshl_or_b32": lambda a, b, c: a << (b & 31) | c, "v_lshl_add_u32": lambda a, b, c: (a << (b & 31)) + c,
    "v_add_lshl_u32": lambda a, b, c: (a + b) << (c & 31), "v_lshl_add_u64": lambda a, b, c: (a << (b & 7)) + c,
    "v_pack_b32_f16": lambda a, b: lo(a) | lo(b) << 16,
    "v_ashr_pk_i8_i32": lambda a, b, c: (clamp(s(a, 32) >> (c & 31), -128, 127) & 255) | (clamp(s(b, 32) >> (c & 31), -128, 127) & 255) << 8,
    "v_ashr_pk_u8_i32": lambda a, b, c: clamp(s(a, 32) >> (c & 31), 0, 255) | clamp(s(b, 32) >> (c & 31), 0, 255) << 8,
    "v_sat_pk_u8_i16": lambda a: clamp(s(lo(a), 16), 0, 255) | clamp(s(hi(a), 16), 0, 255) << 8,
    "v_cndmask_b32": lambda a, b, m: b if m else a, "v_cndmask_b16": lambda a, b, m: b if m else a,
    "v_add_nc_u32": lambda a, b: a + b, "v_sub_nc_u32": lambda a, b: a - b, "v_subrev_nc_u32": lambda a, b: b - a,
    "v_add_nc_i32": lambda a, b: a + b, "v_sub_nc_i32": lambda a, b: a - b, "v_add_nc_u16": lambda a, b: a + b, "v_sub_nc_u16": lambda a, b: a - b,
    "v_subrev_u16": lambda a, b: b - a, "v_add_nc_i16": lambda a, b: a + b, "v_sub_nc_i16": lambda a, b: a - b,
    "v_mul_lo_u16": lambda a, b: a * b, "v_mad_u32_u16": lambda a, b, c: lo(a) * lo(b) + c, "v_mad_i32_i16": lambda a, b, c: s(a, 16) * s(b, 16) + c,
    "v_add3_u32": lambda a, b, c: a + b + c, "v_mul_lo_u32": lambda a, b: a * b, "v_mul_hi_u32": lambda a, b: a * b >> 32,
    "v_mul_hi_i32": lambda a, b: s(a, 32) * s(b, 32) >> 32, "v_mul_u32_u24": lambda a, b: (a & 0xffffff) * (b & 0xffffff),
    "v_mul_hi_u32_u24": lambda a, b: (a & 0xffffff) * (b & 0xffffff) >> 32, "v_mul_i32_i24": lambda a, b: s(a, 24) * s(b, 24),
    "v_mul_hi_i32_i24": lambda a, b: s(a, 24) * s(b, 24) >> 32, "v_mad_u32_u24": lambda a, b, c: (a & 0xffffff) * (b & 0xffffff) + c,
    "v_mad_i32_i24": lambda a, b, c: s(a, 24) * s(b, 24) + c, "v_mul_u64": lambda a, b: a * b, "v_add_nc_u64": lambda a, b: a + b,
    "v_sub_nc_u64": lambda a, b: a - b, "v_sad_u8": lambda a, b, c: sad(a, b) + c, "v_sad_hi_u8": lambda a, b, c: (sad(a, b) << 16) + c,
    "v_sad_u16": lambda a, b, c: abs(lo(a) - lo(b)) + abs(hi(a) - hi(b)) + c, "v_sad_u32": lambda a, b, c: abs(a - b) + c,
    "v_msad_u8": lambda a, b, c: sad(a, b, True) + c, "v_qsad_pk_u16_u8": lambda a, b, c: qsad(a, b, c, False),
    "v_mqsad_pk_u16_u8": lambda a, b, c: qsad(a, b, c, True), "v_mqsad_u32_u8": mqsad,
    "v_lerp_u8": lambda a, b, c: sum((x + y + (z & 1)) >> 1 << 8 * i for i, (x, y, z) in enumerate(zip(bytes_of(a), bytes_of(b), bytes_of(c)))),
    "v_dot2_i32_i16": lambda a, b, c: dot(a, b, c, 16, True, True), "v_dot2_u32_u16": lambda a, b, c: dot(a, b, c, 16, False, False),
    "v_dot2c_i32_i16": lambda a, b, c: dot(a, b, c, 16, True, True),
    "v_mad_nc_u64_u32": lambda a, b, c: a * b + c, "v_mad_nc_i64_i32": lambda a, b, c: s(a, 32) * s(b, 32) + c,
    "v_cvt_f32_bf16": lambda a: lo(a) << 16, "v_cvt_i32_i16": lambda a: s(a, 16), "v_cvt_u32_u16": lambda a: lo(a),
    "v_cvt_pk_u16_u32": lambda a, b: min(a, 0xffff) | min(b, 0xffff) << 16,
    "v_cvt_pk_i16_i32": lambda a, b: u16(clamp(s(a, 32), -32768, 32767)) | u16(clamp(s(b, 32), -32768, 32767)) << 16,
    "v_prng_b32": lambda a: a << 1 ^ (0xc5 if a >> 31 else 0), "v_pk_mov_b32": lambda a, b: a & M32 | (b & M32) << 32,
}
for w, t in ((32, "b32"), (16, "b16")):
    for op, f in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
        INT["v_%s_%s" % (op, t)] = f
INT["v_xnor_b32"] = lambda a, b: ~(a ^ b)
for t, w in (("u32", 32), ("i32", 32), ("u16", 16), ("i16", 16)):
    def val(v, w=w, signed=t[0] == "i"):
        return s(v, w) if signed else v & ((1 << w) - 1)
    for op, f in (("min", lambda a, b: min(a, b)), ("max", lambda a, b: max(a, b)), ("min3", lambda a, b, c: min(a, b, c)), ("max3", lambda a, b, c: max(a, b, c)),
                  ("med3", med), ("minmax", lambda a, b, c: max(min(a, b), c)), ("maxmin", lambda a, b, c: min(max(a, b), c))):
        INT["v_%s_%s" % (op, t)] = lambda *x, f=f, val=val: f(*[val(v) for v in x])
for x in ("u", "i"):
    for legacy in ("", "legacy_"):
        INT["v_mad_%s%s16" % (legacy, x)] = lambda a, b, c: a * b + c
for bits, n in ((8, "dot4_%s_%s8"), (4, "dot8_%s_%s4")):
    INT["v_" + n % ("i32", "i")] = lambda a, b, c, n=bits: dot(a, b, c, n, True, True)
    INT["v_" + n % ("u32", "u")] = lambda a, b, c, n=bits: dot(a, b, c, n, False, False)
    INT["v_" + (n % ("i32", "i")).replace("_", "c_", 1)] = INT["v_" + n % ("i32", "i")]
    for k, tail in enumerate(("", "_1", "_2", "_3")):
        INT["v_" + n % ("i32", "iu") + tail] = lambda a, b, c, n=bits, k=k: dot(a, b, c, n, bool(k & 1), bool(k & 2))
for name, f in (("add_u16", lambda a, b: a + b), ("sub_u16", lambda a, b: a - b), ("add_i16", lambda a, b: a + b), ("sub_i16", lambda a, b: a - b),
                ("mul_lo_u16", lambda a, b: a * b), ("mad_u16", lambda a, b, c: a * b + c), ("mad_i16", lambda a, b, c: a * b + c),
                ("lshlrev_b16", lambda a, b: b << (a & 15)), ("lshrrev_b16", lambda a, b: b >> (a & 15)), ("ashrrev_i16", lambda a, b: s(b, 16) >> (a & 15)),
                ("min_i16", lambda a, b: min(s(a, 16), s(b, 16))), ("max_i16", lambda a, b: max(s(a, 16), s(b, 16))), ("min_u16", min), ("max_u16", max)):
    INT["v_pk_" + name] = i16p(f)

# with `clamp`: the exact result, saturated to the destination's type
U32 = lambda f: lambda *a: clamp(f(*a), 0, M32)
I32 = lambda f: lambda *a: clamp(f(*[s(x, 32) for x in a]), -1 << 31, (1 << 31) - 1)
U16 = lambda f: lambda *a: clamp(f(*[lo(x) for x in a]), 0, 0xffff)
I16 = lambda f: lambda *a: clamp(f(*[s(x, 16) for x in a]), -32768, 32767)
CLAMP = {"v_add_nc_u32": U32(lambda a, b: a + b), "v_sub_nc_u32": U32(lambda a, b: a - b), "v_subrev_nc_u32": U32(lambda a, b: b - a),
         "v_add_nc_i32": I32(lambda a, b: a + b), "v_sub_nc_i32": I32(lambda a, b: a - b), "v_add_nc_u16": U16(lambda a, b: a + b),
         "v_sub_nc_u16": U16(lambda a, b: a - b), "v_add_nc_i16": I16(lambda a, b: a + b), "v_sub_nc_i16": I16(lambda a, b: a - b),
         "v_mad_u16": U16(lambda a, b, c: a * b + c), "v_mad_i16": I16(lambda a, b, c: a * b + c),
         "v_mad_u32_u24": U32(lambda a, b, c: (a & 0xffffff) * (b & 0xffffff) + c),
         "v_mad_i32_i24": lambda a, b, c: clamp(s(a, 24) * s(b, 24) + s(c, 32), -1 << 31, (1 << 31) - 1),
         "v_pk_add_u16": i16p(U16(lambda a, b: a + b)), "v_pk_sub_u16": i16p(U16(lambda a, b: a - b)),
         "v_pk_add_i16": i16p(I16(lambda a, b: a + b)), "v_pk_sub_i16": i16p(I16(lambda a, b: a - b))}

# result and lane mask
MASKED = {
    "v_add_co_u32": lambda a, b: carry(a + b), "v_sub_co_u32": lambda a, b: carry(a - b), "v_subrev_co_u32": lambda a, b: carry(b - a),
    "v_add_co_ci_u32": lambda a, b, m: carry(a + b + m), "v_sub_co_ci_u32": lambda a, b, m: carry(a - b - m),
    "v_subrev_co_ci_u32": lambda a, b, m: carry(b - a - m), "v_mad_u64_u32": lambda a, b, c: carry(a * b + c, 64),
    "v_mad_i64_i32": lambda a, b, c: ((s(a, 32) * s(b, 32) + s(c, 64)) & M64, int(not -1 << 63 <= s(a, 32) * s(b, 32) + s(c, 64) < 1 << 63)),
}


# --- floats ---------------------------------------------------------------------------------------------

def fl(fmt, f, n, how=None):
    """A function of n floats, rounded once to fmt."""
    return lambda *a: encode(f(*[decode(x, fmt) for x in a[:n]]), fmt)


def legacy(f):
    return lambda a, b, *c: (c[0] if c else Fraction(0)) if N.is_zero(a) or N.is_zero(b) else f(a, b, *c)


def rounded(fmt):
    return lambda v: decode(encode(v, fmt), fmt)


def to_int(v, f):
    if isinstance(v, str) or v == 0:
        return v
    n = f(v)
    return Fraction(n) if n != 0 else "-0" if v < 0 else Fraction(0)


def floor(v):
    return to_int(v, N.floor_div)


def ceil(v):
    return to_int(v, lambda x: -N.floor_div(-x))


def trunc(v):
    return to_int(v, lambda x: N.floor_div(abs(x)) * (1 if x > 0 else -1))


def rndne(v):
    return to_int(v, N.nearest_even)


def ieee_min(low):
    """IEEE mode: a signalling NaN is a NaN; a quiet one loses (by bits)."""
    def f(a, b, fmt):
        quiet = 1 << (fmt[1] - 1)
        x, y = decode(a, fmt), decode(b, fmt)
        if (N.is_nan(x) and not a & quiet) or (N.is_nan(y) and not b & quiet):
            return "nan"
        return N.minimum(x, y, low)
    return f


def med_float(x, nan_low):
    if any(N.is_nan(v) for v in x):
        return N.minimum(N.minimum(x[0], x[1], True), x[2], True)
    return sorted(x, key=lambda v: (N.key(v), 0 if N.negative(v) else 1))[1]


def cubes(x, y, z):
    ax, ay, az = [N.key(N.mag(v)) for v in (x, y, z)]
    below = lambda v: N.key(v) < 0
    two = lambda v: N.mul(v, Fraction(2))
    if az >= ax and az >= ay:
        return Fraction(5 if below(z) else 4), (N.neg(x) if below(z) else x), N.neg(y), two(z)
    if ay >= ax:
        return Fraction(3 if below(y) else 2), x, (N.neg(z) if below(y) else z), two(y)
    return Fraction(1 if below(x) else 0), (z if below(x) else N.neg(z)), N.neg(y), two(x)


def to_float(v):
    return float("nan") if N.is_nan(v) else float("inf") if v == "inf" else float("-inf") if v == "-inf" else -0.0 if v == "-0" else float(v)


def from_float(d):
    return "nan" if d != d else "inf" if d == math.inf else "-inf" if d == -math.inf else "-0" if d == 0 and math.copysign(1, d) < 0 else Fraction(d)


def exp2(v):
    if isinstance(v, str):
        return {"nan": "nan", "inf": "inf", "-inf": Fraction(0), "-0": Fraction(1)}[v]
    if v > 2000:
        return "inf"
    if v < -2000:
        return Fraction(0)
    n = N.floor_div(v)
    return Fraction(2) ** n * Fraction(2.0 ** float(v - n))


def log2(v):
    if N.is_nan(v) or v == "inf":
        return v
    if N.is_zero(v):
        return "-inf"
    if N.negative(v):
        return "nan"
    e = N.exponent(v)
    m = v / Fraction(2) ** e
    if m > Fraction(141, 100):
        m, e = m / 2, e + 1
    return from_float(e + math.log1p(float(m - 1)) / math.log(2)) if m != 1 else Fraction(e)


def turn(f, out):
    def g(v):
        if N.is_nan(v) or N.is_inf(v):
            return "nan"
        if v == "-0":
            return "-0" if f is math.sin else Fraction(1)
        if abs(v) > 256:
            return Fraction(out)
        r = v - N.floor_div(v)
        quarter, rest = divmod(r * 4, 1)
        x = float(rest) * math.pi / 2
        k = (int(quarter) + (0 if f is math.sin else 1)) % 4
        if rest == 0:
            return Fraction([0, 1, 0, -1][k])
        if v < 0 and f is math.sin and -v < Fraction(1, 4):
            return from_float(-math.sin(float(-v) * 2 * math.pi))
        d = [math.sin(x), math.cos(x), -math.sin(x), -math.cos(x)][k]
        return from_float(d)
    return g


def ldexp(v, n):
    return v if isinstance(v, str) or v == 0 else v * Fraction(2) ** clamp(n, -5000, 5000)


def frexp_exp(v):
    return 0 if isinstance(v, str) or v == 0 else N.exponent(abs(v)) + 1


def frexp_mant(v):
    return v if isinstance(v, str) or v == 0 else v / Fraction(2) ** (N.exponent(abs(v)) + 1)


def fract(fmt):
    most = Fraction(2 ** (fmt[1] + 1) - 1, 2 ** (fmt[1] + 1))

    def f(v):
        if isinstance(v, str):
            return Fraction(0) if v == "-0" else "nan"
        return min(real_round(v - N.floor_div(v), fmt), most)
    return f


def real_round(v, fmt):
    return decode(encode(v, fmt), fmt)


def classes(bits, fmt):
    e, m = fmt
    v = decode(bits, fmt)
    neg, exp = bits >> (e + m) & 1, bits >> m & ((1 << e) - 1)
    if N.is_nan(v):
        return 1 if bits >> (m - 1) & 1 else 0
    if N.is_inf(v):
        return 2 if neg else 9
    if N.is_zero(v):
        return 5 if neg else 6
    if exp == 0:
        return 4 if neg else 7
    return 3 if neg else 8


def int_of(v, lo_, hi_, f=None):
    """Truncated (or by f), saturated; NaN is 0."""
    if N.is_nan(v):
        return 0
    if N.is_inf(v):
        return lo_ if v == "-inf" else hi_
    v = N.real(v)
    n = f(v) if f else (N.floor_div(v) if v >= 0 else -N.floor_div(-v))
    return clamp(n, lo_, hi_)


def norm(v, signed):
    if N.is_nan(v):
        return 0
    x = clamp(N.key(v), -1 if signed else 0, 1)
    return N.nearest_even(Fraction(x) * (32767 if signed else 65535))


def div_fixup(q, d, n, fmt):
    bits = N.width(fmt)
    sign = ((d ^ n) >> (bits - 1) & 1) << (bits - 1)
    Q, D, X = decode(q, fmt), decode(d, fmt), decode(n, fmt)
    inf = ((1 << fmt[0]) - 1) << fmt[1]
    if N.is_nan(X) or N.is_nan(D) or (N.is_zero(D) and N.is_zero(X)) or (N.is_inf(D) and N.is_inf(X)):
        return encode("nan", fmt)
    if N.is_zero(D) or N.is_inf(X):
        return sign | inf
    if N.is_inf(D) or N.is_zero(X):
        return sign
    en, ed = n >> fmt[1] & ((1 << fmt[0]) - 1), d >> fmt[1] & ((1 << fmt[0]) - 1)
    if fmt != F16 and en - ed < {F32: -150, F64: -1075}[fmt]:
        return sign
    if N.is_nan(Q):
        return sign | inf if fmt != F16 else encode("nan", fmt)
    return sign | q & ~(1 << (bits - 1))


def div_scale(v, den, num, fmt):
    """Returns the value and VCC; "RDNA3 ISA" V_DIV_SCALE with VCC set exactly where one of the two is scaled."""
    e, m = fmt
    one = lambda x: x >> m & ((1 << e) - 1)
    en, ed, top = one(num), one(den), (1 << e) - 1
    scale, far = {F32: (64, 96), F64: (128, 768)}[fmt]
    up = lambda x, k: encode(N.mul(decode(x, fmt), Fraction(2) ** k), fmt)
    D, X = decode(den, fmt), decode(num, fmt)
    bias = (1 << (e - 1)) - 1
    if N.is_zero(D) or N.is_zero(X):
        return encode("nan", fmt), 1
    if en - ed >= far:
        return (up(v, scale) if v == den else v), 1
    if ed == 0:
        return up(v, scale), 0
    reciprocal_tiny = top - 2 <= ed < top
    quotient_tiny = en - ed <= 1 - bias
    if reciprocal_tiny and quotient_tiny:
        return (up(v, -scale) if v == den else v), 1
    if reciprocal_tiny:
        return up(v, -scale), 0
    if quotient_tiny:
        return (up(v, scale) if v == num else v), 1
    if en <= m:
        return up(v, scale), 0
    return v, 0


def div_fmas(a, b, c, m, fmt):
    x = [decode(v, fmt) for v in (a, b, c)]
    r = N.fma(*x)
    if m and not N.is_inf(r) and N.is_inf(decode(encode(r, fmt), fmt)):
        return None  # no step of a division
    if m:
        k = {F32: 64, F64: 128}[fmt]
        ec = c >> fmt[1] & ((1 << fmt[0]) - 1)
        r = N.mul(r, Fraction(2) ** (k if ec > (1 << (fmt[0] - 1)) - 1 else -k))
    return encode(r, fmt)


TWO_OVER_PI = None


def trig_preop(a, segment):
    """53 bits of 2/pi from a place on, computed with integers (Machin's formula)."""
    global TWO_OVER_PI
    if TWO_OVER_PI is None:
        n = 1400
        one = 1 << n

        def atan_inv(x):
            total = term = one // x
            k, sign = 3, -1
            while term:
                term //= x * x
                total += sign * (term // k)
                k, sign = k + 2, -sign
            return total
        pi = 4 * (4 * atan_inv(5) - atan_inv(239))
        TWO_OVER_PI = (2 * one * one // pi) >> (n - 1201)
    exp = a >> 52 & 0x7ff
    shift = (segment & 31) * 53 + max(0, exp - 1077)
    scale = -53 - shift + (128 if exp >= 1968 else 0)
    bits = TWO_OVER_PI << 53 >> (1201 - shift) & ((1 << 53) - 1) if shift < 1201 + 53 and 1201 - shift >= 0 else 0
    if 1201 - shift < 0:
        bits = 0
    return encode(Fraction(bits) * Fraction(2) ** scale, F64)


FLOAT = {}  # name: (function of bits, letter)
LETTER = {F16: "h", F32: "f", F64: "d"}
NEAR = {F16: "m", F32: "g", F64: "D"}
for fmt, t in ((F16, "f16"), (F32, "f32"), (F64, "f64")):
    def put(name, f, n, letter=None, fmt=fmt, t=t):
        FLOAT["v_%s_%s" % (name, t)] = (fl(fmt, f, n), letter or LETTER[fmt])
    sub = lambda a, b: N.add(a, N.neg(b))
    put("add", N.add, 2), put("sub", sub, 2), put("subrev", lambda a, b: sub(b, a), 2), put("mul", N.mul, 2)
    for name in ("fma", "fmac"):
        put(name, N.fma, 3)
    for name in ("mad", "mac"):
        put(name, (lambda a, b, c: N.add(real_round(N.mul(a, b), F32), c)) if fmt == F32 else N.fma, 3)
    put("fmaak", N.fma, 3), put("fmamk", N.fma, 3), put("fma_legacy", legacy(N.fma) if fmt == F32 else N.fma, 3)
    put("mad_legacy", N.fma, 3)
    put("floor", floor, 1), put("ceil", ceil, 1), put("trunc", trunc, 1), put("rndne", rndne, 1), put("fract", fract(fmt), 1)
    put("rcp", lambda v: N.div(Fraction(1), v), 1, NEAR[fmt]), put("sqrt", N.sqrt, 1, NEAR[fmt])
    put("rsq", lambda v: "-inf" if v == "-0" else N.div(Fraction(1), N.sqrt(v)), 1, NEAR[fmt])
    put("exp", exp2, 1, NEAR[fmt]), put("log", log2, 1, NEAR[fmt]), put("sin", turn(math.sin, 0), 1, NEAR[fmt]), put("cos", turn(math.cos, 1), 1, NEAR[fmt])
    put("frexp_mant", frexp_mant, 1)
    put("canonicalize", lambda v: v, 1)
    for op, low in (("min", True), ("max", False)):
        im, other = ieee_min(low), ieee_min(not low)
        e = lambda v, fmt=fmt: encode(v, fmt)
        put_bits = lambda name, f, fmt=fmt, t=t: FLOAT.__setitem__("v_%s_%s" % (name, t), (f, LETTER[fmt]))
        put_bits(op, lambda a, b, im=im, fmt=fmt: encode(im(a, b, fmt), fmt))
        put_bits(op + "3", lambda a, b, c, im=im, fmt=fmt: encode(im(encode(im(a, b, fmt), fmt), c, fmt), fmt))
        put_bits(op + ("max" if low else "min"), lambda a, b, c, im=im, other=other, fmt=fmt: encode(other(encode(im(a, b, fmt), fmt), c, fmt), fmt))
        mn = lambda a, b, low=low: N.minimum(a, b, low)
        mx = lambda a, b, low=low: N.minimum(a, b, not low)
        put(op + "_num", mn, 2), put(op + "3_num", lambda a, b, c, mn=mn: mn(mn(a, b), c), 3)
        put(op + ("max" if low else "min") + "_num", lambda a, b, c, mn=mn, mx=mx: mx(mn(a, b), c), 3)
        nn = lambda a, b, low=low: N.minimum(a, b, low, True)
        nx = lambda a, b, low=low: N.minimum(a, b, not low, True)
        long = "minimum" if low else "maximum"
        put(long, nn, 2), put(long + "3", lambda a, b, c, nn=nn: nn(nn(a, b), c), 3)
        put(long + ("maximum" if low else "minimum"), lambda a, b, c, nn=nn, nx=nx: nx(nn(a, b), c), 3)
    put("med3_num", lambda a, b, c: med_float((a, b, c), True), 3)

    def med_ieee(a, b, c, fmt=fmt):
        x = [decode(v, fmt) for v in (a, b, c)]
        if any(N.is_nan(v) for v in x):
            im = ieee_min(True)
            return encode(im(encode(im(a, b, fmt), fmt), c, fmt), fmt)
        return encode(med_float(x, True), fmt)
    put_bits("med3", med_ieee)
    n = {F16: 16, F32: 32, F64: 32}[fmt]
    FLOAT["v_ldexp_" + t] = (lambda a, b, fmt=fmt, n=n: encode(ldexp(decode(a, fmt), s(b, n)), fmt), LETTER[fmt])
    FLOAT["v_frexp_exp_%s_%s" % ("i16" if fmt == F16 else "i32", t)] = (lambda a, fmt=fmt: frexp_exp(decode(a, fmt)), "s" if fmt == F16 else "x")
    FLOAT["v_div_fixup_" + t] = (lambda a, b, c, fmt=fmt: div_fixup(a, b, c, fmt), LETTER[fmt])
    FLOAT["v_div_fixup_legacy_" + t] = FLOAT["v_div_fixup_" + t]
    if fmt != F16:
        FLOAT["v_div_fmas_" + t] = (lambda a, b, c, m, fmt=fmt: div_fmas(a, b, c, m, fmt), LETTER[fmt])
        MASKED["v_div_scale_" + t] = lambda a, b, c, fmt=fmt: div_scale(a, b, c, fmt)
FLOAT["v_mad_legacy_f16"] = FLOAT["v_mad_f16"]
FLOAT["v_mul_legacy_f32"] = (fl(F32, legacy(N.mul), 2), "f")
FLOAT["v_mad_legacy_f32"] = (fl(F32, legacy(lambda a, b, c: N.add(real_round(N.mul(a, b), F32), c)), 3), "f")
FLOAT["v_mac_legacy_f32"] = FLOAT["v_mad_legacy_f32"]
FLOAT["v_fmac_legacy_f32"] = FLOAT["v_fma_legacy_f32"]
FLOAT["v_fma_legacy_f16"] = FLOAT["v_fma_f16"]
for x in ("ak", "mk"):
    FLOAT["v_mad%s_f32" % x] = FLOAT["v_mad_f32"]
LEAST = -Fraction.from_float(float.fromhex("0x1.fffffep127"))


def mullit(a, b, c):
    if N.is_nan(b) or b == "-inf" or b == LEAST or N.is_nan(c) or not N.key(c) > 0:
        return LEAST
    return N.mul(a, b)


FLOAT["v_mullit_f32"] = (fl(F32, mullit, 3), "f")
FLOAT["v_trig_preop_f64"] = (trig_preop, "d")
for k, name in enumerate(("id", "sc", "tc", "ma")):
    def cube(a, b, c, k=k):
        x = [decode(v, F32) for v in (a, b, c)]
        if any(N.is_nan(v) for v in x):
            return None
        return encode(cubes(*x)[k], F32)
    FLOAT["v_cube%s_f32" % name] = (cube, "f")

I32R, U32R, I16R, U16R = (-1 << 31, (1 << 31) - 1), (0, M32), (-32768, 32767), (0, 65535)
half_up = lambda v: N.floor_div(real_round(v + Fraction(1, 2), F32))
CVT = {
    "v_cvt_f32_f64": (lambda a: encode(decode(a, F64), F32), "f"), "v_cvt_f64_f32": (lambda a: encode(decode(a, F32), F64), "d"),
    "v_cvt_f16_f32": (lambda a: encode(decode(a, F32), F16), "l"), "v_cvt_f32_f16": (lambda a: encode(decode(lo(a), F16), F32), "f"),
    "v_cvt_f32_i32": (lambda a: encode(Fraction(s(a, 32)), F32), "f"), "v_cvt_f32_u32": (lambda a: encode(Fraction(a), F32), "f"),
    "v_cvt_f64_i32": (lambda a: encode(Fraction(s(a, 32)), F64), "d"), "v_cvt_f64_u32": (lambda a: encode(Fraction(a), F64), "d"),
    "v_cvt_f16_i16": (lambda a: encode(Fraction(s(a, 16)), F16), "l"), "v_cvt_f16_u16": (lambda a: encode(Fraction(lo(a)), F16), "l"),
    "v_cvt_i32_f32": (lambda a: int_of(decode(a, F32), *I32R), "x"), "v_cvt_u32_f32": (lambda a: int_of(decode(a, F32), *U32R), "x"),
    "v_cvt_i32_f64": (lambda a: int_of(decode(a, F64), *I32R), "x"), "v_cvt_u32_f64": (lambda a: int_of(decode(a, F64), *U32R), "x"),
    "v_cvt_floor_i32_f32": (lambda a: int_of(decode(a, F32), *I32R, N.floor_div), "x"),
    "v_cvt_nearest_i32_f32": (lambda a: int_of(decode(a, F32), *I32R, half_up), "x"),
    "v_cvt_i16_f16": (lambda a: int_of(decode(lo(a), F16), *I16R), "s"), "v_cvt_u16_f16": (lambda a: int_of(decode(lo(a), F16), *U16R), "s"),
    "v_cvt_off_f32_i4": (lambda a: encode(Fraction(s(a, 4), 16), F32), "f"),
    "v_cvt_pk_rtz_f16_f32": (lambda a, b: encode(decode(a, F32), F16, "zero") | encode(decode(b, F32), F16, "zero") << 16, "p"),
    "v_cvt_pk_f16_f32": (lambda a, b: encode(decode(a, F32), F16) | encode(decode(b, F32), F16) << 16, "p"),
    "v_cvt_pk_bf16_f32": (lambda a, b: encode(decode(a, F32), BF16) | encode(decode(b, F32), BF16) << 16, "b"),
    "v_cvt_pk_i16_f32": (lambda a, b: u16(int_of(decode(a, F32), *I16R)) | u16(int_of(decode(b, F32), *I16R)) << 16, "x"),
    "v_cvt_pk_u16_f32": (lambda a, b: int_of(decode(a, F32), *U16R) | int_of(decode(b, F32), *U16R) << 16, "x"),
    "v_cvt_norm_i16_f16": (lambda a: norm(decode(lo(a), F16), True), "s"), "v_cvt_norm_u16_f16": (lambda a: norm(decode(lo(a), F16), False), "s"),
}
for fmt, t in ((F16, "f16"), (F32, "f32")):
    for signed, x in ((True, "i"), (False, "u")):
        CVT["v_cvt_pk_norm_%s16_%s" % (x, t)] = (lambda a, b, fmt=fmt, sg=signed: u16(norm(decode(a & ((1 << N.width(fmt)) - 1), fmt), sg)) |
                                                 u16(norm(decode(b & ((1 << N.width(fmt)) - 1), fmt), sg)) << 16, "x")
for k in range(4):
    CVT["v_cvt_f32_ubyte%d" % k] = (lambda a, k=k: encode(Fraction(a >> 8 * k & 255), F32), "f")


def pk_u8(a, b, c):
    v = decode(a, F32)
    n = 0 if N.is_nan(v) else N.nearest_even(Fraction(clamp(N.key(v), 0, 255)))
    return c & ~(255 << 8 * (b & 3)) | n << 8 * (b & 3)


CVT["v_cvt_pk_u8_f32"] = CVT["v_cvt_pkaccum_u8_f32"] = (pk_u8, "x")


def halves(f):
    return lambda *a: f(*[lo(x) for x in a]) | f(*[hi(x) for x in a]) << 16


for name in ("add", "mul", "fma", "fmac", "min", "max", "minimum", "maximum", "minimum3", "maximum3", "min_num", "max_num"):
    CVT["v_pk_%s_f16" % name] = (halves(FLOAT["v_%s_f16" % name][0]), "p")
for name, f in (("add", FLOAT["v_add_f32"][0]), ("mul", FLOAT["v_mul_f32"][0]), ("fma", FLOAT["v_fma_f32"][0])):
    CVT["v_pk_%s_f32" % name] = (lambda *a, f=f: f(*[x & M32 for x in a]) | f(*[x >> 32 for x in a]) << 32, "ff")


def exact_dot(fmt, to, c_fmt):
    def f(a, b, c):
        bits = (lo(a), lo(b), hi(a), hi(b))
        x = [decode(v, fmt) for v in bits]
        tiny = lambda v, f: not v & ((1 << f[0]) - 1) << f[1] and v & ((1 << f[1]) - 1)
        r = encode(N.add(N.add(N.mul(x[0], x[1]), N.mul(x[2], x[3])), decode(c, c_fmt)), to)
        if any(tiny(v, fmt) for v in bits) or tiny(c, c_fmt) or tiny(r, to):
            return None  # whether subnormal numbers count as zero depends on the GPU
        return r
    return f


def moderate(r):
    """Where the letter m, which is for halves, would see NaN."""
    return None if r is None or r & 0x7fff >= 0x7c00 else r


for name in ("v_dot2_f32_f16", "v_dot2c_f32_f16"):
    CVT[name] = (exact_dot(F16, F32, F32), "g")
for name in ("v_dot2_f32_bf16", "v_dot2c_f32_bf16"):
    CVT[name] = (exact_dot(BF16, F32, F32), "g")
CVT["v_dot2_f16_f16"] = (exact_dot(F16, F16, F16), "m")
CVT["v_dot2_bf16_bf16"] = (lambda a, b, c: moderate(exact_dot(BF16, BF16, BF16)(a, b, c)), "m")
CVT["v_fma_mix_f32"] = FLOAT["v_fma_f32"]
CVT["v_fma_mixlo_f16"] = (lambda a, b, c: encode(N.fma(decode(a, F32), decode(b, F32), decode(c, F32)), F16), "l")
# the high half: how says that it is compared after a shift
CVT["v_fma_mixhi_f16"] = (lambda a, b, c: encode(N.fma(decode(a, F32), decode(b, F32), decode(c, F32)), F16) << 16, "P")

# --- small floats (OCP: FP8 has no infinity) ------------------------------------------------------------------

SMALL = {"fp8": (4, 3, 7, "fn"), "bf8": (5, 2, 15, "ieee"), "fp8_z": (4, 3, 8, "z"), "bf8_z": (5, 2, 16, "z"), "fp4": (2, 1, 1, "none"),
         "fp6": (2, 3, 1, "none"), "bf6": (3, 2, 3, "none"), "f16": (5, 10, 15, "ieee"), "bf16": (8, 7, 127, "ieee")}


def small_value(bits, name):
    e, m, bias, kind = SMALL[name]
    sign, exp, man = bits >> (e + m) & 1, bits >> m & ((1 << e) - 1), bits & ((1 << m) - 1)
    if kind == "z" and bits & ((1 << (e + m + 1)) - 1) == 1 << (e + m):
        return "nan"
    if kind == "fn" and exp == 15 and man == 7:
        return "nan"
    if kind == "ieee" and exp == 31:
        return "nan" if man else "-inf" if sign else "inf"
    v = Fraction(man + ((1 << m) if exp else 0)) * Fraction(2) ** (max(exp, 1) - bias - m)
    return "-0" if sign and v == 0 else -v if sign else v


# --- compares, scalar, memory ----------------------------------------------------------------------------

def compare(op, a, b, isnan=False):
    un = isnan
    table = {"f": lambda: False, "t": lambda: True, "lt": lambda: not un and a < b, "eq": lambda: not un and a == b, "le": lambda: not un and a <= b,
             "gt": lambda: not un and a > b, "lg": lambda: not un and a != b, "ne": lambda: a != b, "ge": lambda: not un and a >= b,
             "o": lambda: not un, "u": lambda: un, "nge": lambda: un or a < b, "nlg": lambda: un or a == b, "ngt": lambda: un or a <= b,
             "nle": lambda: un or a > b, "neq": lambda: un or a != b, "nlt": lambda: un or a >= b}
    return int(table[op]())


def compare_typed(op, t, a, b):
    if t[0] == "f":
        fmt = {"f16": F16, "f32": F32, "f64": F64}[t]
        x, y = decode(a, fmt), decode(b, fmt)
        un = N.is_nan(x) or N.is_nan(y)
        return compare(op, None if un else N.key(x), None if un else N.key(y), un)
    n = int(t[1:])
    cut = lambda v: s(v, n) if t[0] == "i" else v & ((1 << n) - 1)
    return compare(op, cut(a), cut(b))


def sbfe(v, b, size, signed):
    at, n = b & (size - 1), b >> 16 & 127
    if signed:
        return bfe_s(v, at, n, size)
    return v >> at & ((1 << n) - 1)


def bits_of(v, n):
    return [v >> i & 1 for i in range(n)]


def wqm(v, n):
    return sum(15 << 4 * i for i in range(n // 4) if v >> 4 * i & 15)


def of(v):
    """overflow of a signed 32-bit result"""
    return int(not -1 << 31 <= v < 1 << 31)


# name: (a, b, d, scc) -> (result or None, scc or None: unchanged)
SCALAR = {}


def scalar(name, f, nz=False):
    SCALAR[name] = lambda a, b, d, c, w: (lambda r: (r, int(r & ((1 << w) - 1) != 0)))(f(a, b, d, c)) if nz else (f(a, b, d, c), None)


for w in (32, 64):
    m = (1 << w) - 1
    t = "b%d" % w
    scalar("s_mov_" + t, lambda a, b, d, c: a), scalar("s_cmov_" + t, lambda a, b, d, c: a if c else d)
    scalar("s_not_" + t, lambda a, b, d, c, m=m: ~a & m, True), scalar("s_wqm_" + t, lambda a, b, d, c, w=w: wqm(a, w), True)
    scalar("s_brev_" + t, lambda a, b, d, c, w=w: rev(a, w))
    scalar("s_bcnt0_i32_" + t, lambda a, b, d, c, w=w: w - bin(a).count("1"), True), scalar("s_bcnt1_i32_" + t, lambda a, b, d, c: bin(a).count("1"), True)
    scalar("s_ff0_i32_" + t, lambda a, b, d, c, w=w, m=m: first_one(~a & m, w, False)), scalar("s_ctz_i32_" + t, lambda a, b, d, c, w=w: first_one(a, w, False))
    scalar("s_clz_i32_u%d" % w, lambda a, b, d, c, w=w: first_one(a, w, True))
    scalar("s_cls_i32" + ("_i64" if w == 64 else ""), lambda a, b, d, c, w=w: leading_sign(a, w))
    scalar("s_bitset0_" + t, lambda a, b, d, c, w=w: d & ~(1 << (a & (w - 1)))), scalar("s_bitset1_" + t, lambda a, b, d, c, w=w: d | 1 << (a & (w - 1)))
    scalar("s_quadmask_" + t, lambda a, b, d, c, w=w: sum(1 << i for i in range(w // 4) if a >> 4 * i & 15), True)
    scalar("s_cselect_" + t, lambda a, b, d, c: a if c else b)
    for op, f in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b), ("nand", lambda a, b: ~(a & b)),
                  ("nor", lambda a, b: ~(a | b)), ("xnor", lambda a, b: ~(a ^ b)), ("and_not1", lambda a, b: a & ~b), ("or_not1", lambda a, b: a | ~b)):
        scalar("s_%s_%s" % (op, t), lambda a, b, d, c, f=f: f(a, b), True)
    scalar("s_lshl_" + t, lambda a, b, d, c, w=w: a << (b & (w - 1)), True), scalar("s_lshr_" + t, lambda a, b, d, c, w=w: a >> (b & (w - 1)), True)
    scalar("s_ashr_i%d" % w, lambda a, b, d, c, w=w: s(a, w) >> (b & (w - 1)), True)
    scalar("s_bfm_" + t, lambda a, b, d, c, w=w: ((1 << (a & (w - 1))) - 1) << (b & (w - 1)))
    scalar("s_bfe_u%d" % w, lambda a, b, d, c, w=w: sbfe(a, b, w, False), True), scalar("s_bfe_i%d" % w, lambda a, b, d, c, w=w: sbfe(a, b, w, True), True)
scalar("s_movk_i32", lambda a, b, d, c: s(a, 16)), scalar("s_cmovk_i32", lambda a, b, d, c: s(a, 16) if c else d)
scalar("s_sext_i32_i8", lambda a, b, d, c: s(a, 8)), scalar("s_sext_i32_i16", lambda a, b, d, c: s(a, 16)), scalar("s_abs_i32", lambda a, b, d, c: abs(s(a, 32)), True)
scalar("s_bitreplicate_b64_b32", lambda a, b, d, c: sum(3 << 2 * i for i in range(32) if a >> i & 1))
for name, f in {"s_add_u32": lambda a, b, d, c: carry(a + b), "s_sub_u32": lambda a, b, d, c: carry(a - b), "s_addc_u32": lambda a, b, d, c: carry(a + b + c),
                "s_subb_u32": lambda a, b, d, c: carry(a - b - c), "s_add_i32": lambda a, b, d, c: (a + b, of(s(a, 32) + s(b, 32))),
                "s_sub_i32": lambda a, b, d, c: (a - b, of(s(a, 32) - s(b, 32))), "s_addk_i32": lambda a, b, d, c: (d + s(a, 16), of(s(d, 32) + s(a, 16))),
                "s_mulk_i32": lambda a, b, d, c: (d * s(a, 16), None), "s_add_u64": lambda a, b, d, c: (a + b, None), "s_sub_u64": lambda a, b, d, c: (a - b, None),
                "s_mul_u64": lambda a, b, d, c: (a * b, None), "s_mul_i32": lambda a, b, d, c: (a * b, None), "s_mul_hi_u32": lambda a, b, d, c: (a * b >> 32, None),
                "s_mul_hi_i32": lambda a, b, d, c: (s(a, 32) * s(b, 32) >> 32, None),
                "s_min_i32": lambda a, b, d, c: (min(s(a, 32), s(b, 32)), int(s(a, 32) < s(b, 32))), "s_min_u32": lambda a, b, d, c: (min(a, b), int(a < b)),
                "s_max_i32": lambda a, b, d, c: (max(s(a, 32), s(b, 32)), int(s(a, 32) >= s(b, 32))), "s_max_u32": lambda a, b, d, c: (max(a, b), int(a >= b)),
                "s_absdiff_i32": lambda a, b, d, c: (abs(s(a, 32) - s(b, 32)), int(a != b)),
                "s_pack_ll_b32_b16": lambda a, b, d, c: (lo(a) | lo(b) << 16, None), "s_pack_lh_b32_b16": lambda a, b, d, c: (lo(a) | hi(b) << 16, None),
                "s_pack_hh_b32_b16": lambda a, b, d, c: (hi(a) | hi(b) << 16, None), "s_pack_hl_b32_b16": lambda a, b, d, c: (hi(a) | lo(b) << 16, None)}.items():
    SCALAR[name] = lambda a, b, d, c, w, f=f: f(a, b, d, c)
for k in (1, 2, 3, 4):
    SCALAR["s_lshl%d_add_u32" % k] = lambda a, b, d, c, w, k=k: ((a << k) + b, int((a << k) + b > M32))
for t in ("i32", "u32", "u64"):
    for op in ("eq", "lg", "gt", "ge", "lt", "le"):
        SCALAR["s_cmp_%s_%s" % (op, t)] = lambda a, b, d, c, w, op=op, t=t: (None, compare_typed("ne" if op == "lg" else op, t, a, b))
        if t != "u64":
            SCALAR["s_cmpk_%s_%s" % (op, t)] = lambda a, b, d, c, w, op=op, t=t: (None, compare_typed("ne" if op == "lg" else op, t, a,
                                                                                  s(b, 16) & M32 if t == "i32" else lo(b)))
for w in (32, 64):
    for k in (0, 1):
        SCALAR["s_bitcmp%d_b%d" % (k, w)] = lambda a, b, d, c, _, k=k, w=w: (None, int(a >> (b & (w - 1)) & 1 == k))
EXEC_OPS = {"and": lambda a, x: a & x, "or": lambda a, x: a | x, "xor": lambda a, x: a ^ x, "nand": lambda a, x: ~(a & x), "nor": lambda a, x: ~(a | x),
            "xnor": lambda a, x: ~(a ^ x), "and_not1": lambda a, x: a & ~x, "or_not1": lambda a, x: a | ~x, "and_not0": lambda a, x: ~a & x,
            "or_not0": lambda a, x: ~a | x}


# --- atomics: (old, operands) -> new -----------------------------------------------------------------------

def atomic(op, old, x, y, n):
    """x: the data, y: the second data; all of n bits"""
    m = (1 << n) - 1
    fmt = {16: F16, 32: F32, 64: F64}[n]
    if op in ("min_i", "max_i"):
        return (min if op == "min_i" else max)(s(old, n), s(x, n)) & m
    if op == "add_f":
        return encode(N.add(decode(old, fmt), decode(x, fmt)), fmt)
    if op in ("min_f", "max_f"):
        return encode(N.minimum(decode(old, fmt), decode(x, fmt), op == "min_f"), fmt)
    if op == "pk_f16":
        return FLOAT["v_add_f16"][0](lo(old), lo(x)) | FLOAT["v_add_f16"][0](hi(old), hi(x)) << 16
    if op == "pk_bf16":
        f = lambda a, b: encode(N.add(decode(a, BF16), decode(b, BF16)), BF16)
        return f(lo(old), lo(x)) | f(hi(old), hi(x)) << 16
    return {"swap": lambda: x, "add": lambda: old + x, "sub": lambda: old - x, "rsub": lambda: x - old, "min_u": lambda: min(old, x),
            "max_u": lambda: max(old, x), "and": lambda: old & x, "or": lambda: old | x, "xor": lambda: old ^ x,
            "inc": lambda: 0 if old >= x else old + 1, "dec": lambda: x if old == 0 or old > x else old - 1,
            "csub": lambda: max(old - x, 0), "cond_sub": lambda: old - x if old >= x else old,
            "cmpswap": lambda: x if old == y else old, "fcmpswap": lambda: x if N.equal(decode(old, fmt), decode(y, fmt)) else old,
            "mskor": lambda: old & ~x | y, "wrap": lambda: old - x if old >= x else old + y}[op]() & m


# --- conversions to and from small floats: within the format's range, where every description agrees ------------------

def small_bits(v, name):
    """To nearest even; None: beyond the largest number, or NaN."""
    e, m, bias, kind = SMALL[name]
    if N.is_nan(v) or N.is_inf(v):
        return None
    sign = 1 << (e + m) if N.negative(v) else 0
    v = abs(N.real(v))
    if v == 0:
        return None if kind == "z" and sign else sign
    exp = max(N.exponent(v), 1 - bias)
    n = N.nearest_even(v / Fraction(2) ** (exp - m))
    if n >= 2 << m:
        n, exp = n >> 1, exp + 1
    most = (1 << e) - 1 - (1 if kind == "ieee" else 0)
    field = exp + bias
    if field > most or (kind == "fn" and field == most and n & 7 == 7):
        return None
    r = (field << m) + n - (1 << m) if n >= 1 << m else n
    return None if r == 0 and sign and kind == "z" else sign | r


def next_seed(v):
    """Of v_prng_b32: a shift register with feedback."""
    return (v << 1 & M32) ^ (197 if v >> 31 else 0)


def small_random(v, name, seed):
    """Rounded down after the seed's high bits were added below the last bit, as many as a float has there; None: as above."""
    e, m, bias, kind = SMALL[name]
    if N.is_nan(v) or N.is_inf(v):
        return None
    sign = 1 << (e + m) if N.negative(v) else 0
    v = abs(N.real(v))
    if v == 0:
        return None if kind == "z" and sign else sign
    exp = N.exponent(v)
    grid = max(exp, 1 - bias) - m
    drop = grid - (exp - 23)
    if drop > 24:
        return None
    n = N.floor_div(v / Fraction(2) ** grid + Fraction(seed >> (32 - drop), 1 << drop))
    return small_bits(n * Fraction(2) ** grid * (-1 if sign else 1), name) if n else None if kind == "z" and sign else sign


def scaled(v, c, up):
    """By the power of two in the exponent of a float; only where the scale is of use."""
    exp = c >> 23 & 255
    if exp == 255 or isinstance(v, str) or v == 0:
        return v if exp != 255 else "nan"
    return v * Fraction(2) ** ((exp - 127) * (1 if up else -1))


def pack(parts, bits):
    return None if None in parts else sum(p << bits * i for i, p in enumerate(parts))


def small(name):
    """(function, letters) of v_cvt_… by its name"""
    m = re.match(r"v_cvt_pk_([fb][p]?f?8)_f32(_z)?$", name)
    if m:
        f = m.group(1) + (m.group(2) or "")
        return lambda a, b: pack([small_bits(decode(x, F32), f) for x in (a, b)], 8), "s"
    m = re.match(r"v_cvt_scalef32_pk_(fp8|bf8|fp4)_(f32|f16|bf16)$", name)
    if m:
        to, t = m.group(1, 2)
        bits = 4 if to == "fp4" else 8
        fmt = {"f32": F32, "f16": F16, "bf16": BF16}[t]

        def f(*a):
            parts = a[:2] if t == "f32" else (lo(a[0]), hi(a[0]))
            return pack([small_bits(scaled(decode(x, fmt), a[-1], False), to) for x in parts], bits)
        return f, "B" if bits == 4 else "s"
    m = re.match(r"v_cvt_(scalef32_)?sr_(pk_)?(fp8|bf8|fp4|f16|bf16)_(f32|f16|bf16)(_z)?$", name)
    if m:
        scale, two, to, t, z = m.groups()
        fmt = {"f32": F32, "f16": F16, "bf16": BF16}[t]

        def r(a, seed, c=0x3f800000):
            out = []
            for k in range(2 if two else 1):
                v = decode(a >> N.width(fmt) * k, fmt)
                tiny = not v or isinstance(v, str) or N.exponent(abs(v)) < -126  # what becomes of a subnormal float is not written
                out.append(small_random(scaled(v, c, False), to + (z or ""), seed) if not tiny else None)
                seed = next_seed(seed)
            return pack(out, 4)
        return r, "s" if "f16" in to else "B"
    m = re.match(r"v_cvt_scalef32_(pk_)?(f32|f16|bf16)_(fp8|bf8|fp4)$", name)
    if m:
        two, t, of_ = m.groups()
        fmt = {"f32": F32, "f16": F16, "bf16": BF16}[t]
        bits = 4 if of_ == "fp4" else 8

        def g(a, c):
            out = []
            for k in range(2 if two else 1):
                v = scaled(small_value(a >> bits * k & ((1 << bits) - 1), of_), c, True)
                r = encode(v, fmt)
                if N.is_nan(v) or N.is_inf(decode(r, fmt)) or not r & ((1 << fmt[0]) - 1) << fmt[1]:
                    return None
                out.append(r)
            return pack(out, N.width(fmt))
        return g, "ff" if t == "f32" and two else "f" if t == "f32" else "s" if not two else "x"
    m = re.match(r"v_dot4_f32_(fp8|bf8)_(fp8|bf8)$", name)
    if m:
        def h(a, b, c):
            v = decode(c, F32)
            for i in range(4):
                v = N.add(v, N.mul(small_value(a >> 8 * i & 255, m.group(1)), small_value(b >> 8 * i & 255, m.group(2))))
            r = encode(v, F32)
            if isinstance(v, str) or not c & 0x7f800000 or not r & 0x7f800000 or r & 0x7f800000 == 0x7f800000:
                return None
            # sums that cancel much may be rounded at each step
            return r if c >> 23 & 255 < 140 and N.exponent(abs(v)) > -6 and abs(v) * 4 > abs(decode(c, F32)) else None
        return h, "g"
    return None
