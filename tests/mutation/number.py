# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""number.py - exact floats for the reference: a value is a Fraction, or "nan", "inf", "-inf", "-0"; rounding to a format
of E exponent bits and M mantissa bits is done once, from the exact value."""
from fractions import Fraction
from math import isqrt

F16, BF16, F32, F64 = (5, 10), (8, 7), (8, 23), (11, 52)


def width(fmt):
    return 1 + fmt[0] + fmt[1]


def decode(bits, fmt):
    e, m = fmt
    sign, exp, man = bits >> (e + m) & 1, bits >> m & ((1 << e) - 1), bits & ((1 << m) - 1)
    bias = (1 << (e - 1)) - 1
    if exp == (1 << e) - 1:
        return "nan" if man else "-inf" if sign else "inf"
    v = Fraction(man + ((1 << m) if exp else 0)) * Fraction(2) ** (max(exp, 1) - bias - m)
    return "-0" if sign and v == 0 else -v if sign else v


def is_nan(v):
    return isinstance(v, str) and v == "nan"


def is_inf(v):
    return isinstance(v, str) and v in ("inf", "-inf")


def is_zero(v):
    return v == 0 or (isinstance(v, str) and v == "-0")


def negative(v):
    return v[0] == "-" if isinstance(v, str) else v < 0


def neg(v):
    if is_nan(v):
        return v
    if isinstance(v, str):
        return {"inf": "-inf", "-inf": "inf", "-0": Fraction(0)}[v]
    return "-0" if v == 0 else -v


def mag(v):
    return neg(v) if negative(v) else v


def real(v):
    return Fraction(0) if isinstance(v, str) and v == "-0" else v


def floor_div(v):
    return v.numerator // v.denominator


def nearest_even(v):
    n = floor_div(v)
    d = v - n
    return n + (1 if d > Fraction(1, 2) or (d == Fraction(1, 2) and n & 1) else 0)


def exponent(v):
    """floor(log2 v) of a positive Fraction"""
    e = v.numerator.bit_length() - v.denominator.bit_length()
    return e if Fraction(2) ** e <= v else e - 1


def encode(v, fmt, mode="even"):
    e, m = fmt
    bias, top = (1 << (e - 1)) - 1, (1 << e) - 1
    if is_nan(v):
        return top << m | 1 << (m - 1)
    s = 1 << (e + m) if negative(v) else 0
    if is_inf(v):
        return s | top << m
    if is_zero(v):
        return s
    v = abs(v)
    exp = max(exponent(v), 1 - bias)
    scaled = v / Fraction(2) ** (exp - m)
    n = nearest_even(scaled) if mode == "even" else floor_div(scaled)
    if n >= 2 << m:
        n >>= 1
        exp += 1
    if exp > bias:
        return s | (top << m if mode == "even" else (top << m) - 1)
    return s | ((exp + bias) << m) + n - (1 << m) if n >= 1 << m else s | n


def add(a, b):
    if is_nan(a) or is_nan(b):
        return "nan"
    if is_inf(a) or is_inf(b):
        return "nan" if is_inf(a) and is_inf(b) and a != b else a if is_inf(a) else b
    if a == "-0" and b == "-0":
        return "-0"
    return real(a) + real(b)


def mul(a, b):
    if is_nan(a) or is_nan(b):
        return "nan"
    s = negative(a) != negative(b)
    if is_inf(a) or is_inf(b):
        return "nan" if is_zero(a) or is_zero(b) else "-inf" if s else "inf"
    v = real(a) * real(b)
    return "-0" if v == 0 and s else v


def fma(a, b, c):
    return add(mul(a, b), c)


def div(a, b):
    if is_nan(a) or is_nan(b) or (is_inf(a) and is_inf(b)) or (is_zero(a) and is_zero(b)):
        return "nan"
    s = negative(a) != negative(b)
    if is_inf(a) or is_zero(b):
        return "-inf" if s else "inf"
    if is_inf(b) or is_zero(a):
        return "-0" if s else Fraction(0)
    return real(a) / real(b)


def sqrt(v, extra=200):
    """To so many bits, then sticky: enough for one rounding."""
    if is_nan(v) or v == "-0" or v == "inf":
        return v
    if negative(v):
        return "nan"
    if v == 0:
        return v
    shift = extra + max(0, -exponent(v))
    n = v.numerator << 2 * shift
    q, r = divmod(n, v.denominator)
    root = isqrt(q)
    exact = r == 0 and root * root == q
    return Fraction(2 * root + (0 if exact else 1), 2 << shift)


def less(a, b):
    return key(a) < key(b)


def key(v):
    return Fraction(2) ** 3000 if v == "inf" else -Fraction(2) ** 3000 if v == "-inf" else real(v)


def equal(a, b):
    return not is_nan(a) and not is_nan(b) and key(a) == key(b)


def minimum(a, b, low, nan_wins=False):
    """The lower (or higher) one, -0 below +0; a number wins over NaN unless nan_wins."""
    if is_nan(a) or is_nan(b):
        return "nan" if nan_wins or (is_nan(a) and is_nan(b)) else b if is_nan(a) else a
    x = (key(a), 0 if negative(a) else 1)
    y = (key(b), 0 if negative(b) else 1)
    return a if (x <= y) == low else b
