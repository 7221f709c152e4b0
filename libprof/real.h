/* real.h: arithmetic on doubles, given as their 64 bits, for values of
 * counters.
 *
 * The program may have any floating-point environment: traps, a rounding mode,
 * denormals that count as 0.  The library must not trap, and its results must
 * not depend on the environment.  So it computes in integers, with one
 * exception: the processor adds two numbers if their sum can at most be rounded
 * (real_is_middling), and if it is rounded to the nearest without a trap
 * (real_rounds_plainly).  Such a sum may set the flag `inexact`.
 */
#ifndef LIBPROF_REAL_H
#define LIBPROF_REAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REAL_SIGN     (1ull << 63)
#define REAL_FRACTION 52
#define REAL_SPECIAL  0x7ffu /* the exponent of infinities and NaNs */

/* The sum is not finite if a or b is not, or if it is too large. */
uint64_t prof__real_sum_slowly(uint64_t a, uint64_t b);
uint64_t prof__real_of_float_bits(uint32_t bits);
uint64_t prof__real_of_long(long double value);

static inline uint64_t real_bits(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static inline uint64_t real_of_float(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	if (__builtin_expect((bits >> 23 & 0xff) - 1 >= 0xfe, 0)) /* 0, denormal, infinite or NaN */
		return prof__real_of_float_bits(bits);
	return (uint64_t)(bits >> 31) << 63 | (((uint64_t)(bits & 0x7fffffff) << (REAL_FRACTION - 23)) +
	                                       ((1023ull - 127) << REAL_FRACTION));
}

static inline unsigned real_exponent(uint64_t bits)
{
	return (unsigned)(bits >> REAL_FRACTION) & REAL_SPECIAL;
}

static inline bool real_finite(uint64_t bits)
{
	return real_exponent(bits) != REAL_SPECIAL;
}

/* Compares finite doubles.  -0 is less than 0. */
static inline bool real_less(uint64_t a, uint64_t than)
{
	int64_t x = (int64_t)a, y = (int64_t)than;

	return (x ^ (int64_t)((uint64_t)(x >> 63) >> 1)) < (y ^ (int64_t)((uint64_t)(y >> 63) >> 1));
}

/* True for 0, and for numbers of which the sum of two is 0 or a normal number:
 * it cannot overflow or become denormal. */
static inline bool real_is_middling(uint64_t bits)
{
	return real_exponent(bits) - (REAL_FRACTION + 2) < REAL_SPECIAL - 1 - (REAL_FRACTION + 2) || !(bits << 1);
}

#if defined(__x86_64__)
/* Whether inexact results do not trap and are rounded to the nearest. */
static inline bool real_rounds_plainly(void)
{
	unsigned now;

	__asm__ volatile("stmxcsr %0" : "=m"(now));
	return (now & 0x7000) == 0x1000;
}

static inline double real_add(double a, double b)
{
	/* A compiler may move a plain sum before the test above. */
	__asm__ volatile("addsd %1, %0" : "+x"(a) : "x"(b));
	return a;
}
#elif defined(__aarch64__)
static inline bool real_rounds_plainly(void)
{
	uint64_t now;

	__asm__ volatile("mrs %0, fpcr" : "=r"(now));
	return !(now & (3u << 22 | 1u << 12));
}

static inline double real_add(double a, double b)
{
	__asm__ volatile("fadd %d0, %d0, %d1" : "+w"(a) : "w"(b));
	return a;
}
#else
static inline bool real_rounds_plainly(void)
{
	return false;
}

static inline double real_add(double a, double b)
{
	return a + b;
}
#endif

static inline uint64_t real_sum(uint64_t a, uint64_t b)
{
	double x, y;

	if (__builtin_expect(!real_is_middling(a) || !real_is_middling(b) || !real_rounds_plainly(), 0))
		return prof__real_sum_slowly(a, b);
	memcpy(&x, &a, sizeof x);
	memcpy(&y, &b, sizeof y);
	return real_bits(real_add(x, y));
}

#endif
