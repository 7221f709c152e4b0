/* real.c: sums of doubles, and conversions to double, in integer arithmetic.
 * Results are rounded to the nearest, ties to even. */
#include "libprof/real.h"

#include <assert.h>
#include <float.h>

#define BIAS 1023

/* The double nearest to mantissa * 2^(exponent - 63).  The highest bit of
 * mantissa is set.  Its lowest bit is also set if any bit that was shifted out
 * below it was. */
static uint64_t round_mantissa(uint64_t sign, int exponent, uint64_t mantissa)
{
	int biased = exponent + BIAS, cut = 63 - REAL_FRACTION;

	if (biased >= (int)REAL_SPECIAL)
		return sign | (uint64_t)REAL_SPECIAL << REAL_FRACTION;
	if (biased < 1) { /* denormal */
		cut += 1 - biased;
		biased = 1;
	}
	if (cut > 64)
		return sign;
	uint64_t half = 1ull << (cut - 1), rest = mantissa & (half | (half - 1));
	uint64_t whole = cut < 64 ? mantissa >> cut : 0;
	whole += rest > half || (rest == half && whole & 1);
	return sign | (((uint64_t)(biased - 1) << REAL_FRACTION) + whole); /* the highest bit counts the exponent up */
}

/* The fraction in bits 10 to 61, and in bit 62 the 1 before it, unless it is
 * denormal. Bit 63 is free for a carry. */
static uint64_t mantissa_of(uint64_t bits)
{
	uint64_t fraction = bits & ((1ull << REAL_FRACTION) - 1);

	return (real_exponent(bits) ? fraction | 1ull << REAL_FRACTION : fraction) << 10;
}

static uint64_t shifted_right(uint64_t mantissa, unsigned by)
{
	if (by > 63)
		return mantissa != 0;
	return mantissa >> by | ((mantissa & ((1ull << by) - 1)) != 0);
}

uint64_t prof__real_sum_slowly(uint64_t a, uint64_t b)
{
	if ((a & ~REAL_SIGN) < (b & ~REAL_SIGN)) {
		uint64_t less = a;
		a = b;
		b = less;
	}
	unsigned large = real_exponent(a), small = real_exponent(b);
	if (large == REAL_SPECIAL)
		return a;
	large += !large;
	small += !small;
	uint64_t less = shifted_right(mantissa_of(b), large - small);
	bool differ = (a ^ b) & REAL_SIGN;
	uint64_t mantissa = differ ? mantissa_of(a) - less : mantissa_of(a) + less;
	if (!mantissa)
		return differ ? 0 : a;
	int zeros = __builtin_clzll(mantissa);
	return round_mantissa(a & REAL_SIGN, (int)large - BIAS + 1 - zeros, mantissa << zeros);
}

uint64_t prof__real_of_float_bits(uint32_t bits)
{
	uint64_t sign = (uint64_t)(bits >> 31) << 63, fraction = bits & 0x7fffff;

	if (bits >> 23 & 0xff)
		return sign | (uint64_t)REAL_SPECIAL << REAL_FRACTION | fraction;
	if (!fraction)
		return sign;
	int zeros = __builtin_clzll(fraction);
	return round_mantissa(sign, 63 - 149 - zeros, fraction << zeros);
}

#if LDBL_MANT_DIG == DBL_MANT_DIG
uint64_t prof__real_of_long(long double value)
{
	return real_bits((double)value);
}
#else
static_assert((LDBL_MANT_DIG == 64 || LDBL_MANT_DIG == 113) && LDBL_MAX_EXP == 16384,
              "a long double has 15 bits of exponent, at its end, and a fraction of 63 or 112");

uint64_t prof__real_of_long(long double value)
{
	struct { uint64_t low, high; } bits = { 0, 0 };

	memcpy(&bits, &value, LDBL_MANT_DIG == 64 ? 10 : 16);
	unsigned top = (unsigned)(LDBL_MANT_DIG == 64 ? bits.high : bits.high >> 48);
	uint64_t sign = (uint64_t)(top >> 15) << 63, mantissa = bits.low;
	int exponent = top & 0x7fff;
	if (LDBL_MANT_DIG == 113) /* the 1 before the fraction is not stored; bits beyond 64 become the lowest one */
		mantissa = (uint64_t)!!exponent << 63 | bits.high << 16 >> 1 | bits.low >> 49 | ((bits.low << 15) != 0);
	if (exponent == 0x7fff)
		return sign | (uint64_t)REAL_SPECIAL << REAL_FRACTION | (mantissa << 1 != 0);
	if (!(mantissa >> 63)) /* denormal, which is 0 as a double, or an encoding that is no number */
		return exponent ? (uint64_t)REAL_SPECIAL << REAL_FRACTION : sign;
	return round_mantissa(sign, exponent - 16383, mantissa);
}
#endif
