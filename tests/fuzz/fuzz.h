/* fuzz.h: what a fuzz target is: a function that libFuzzer calls with bytes, and that returns 0 whatever they are.
 *
 *   NAME_fuzzer   the target with libFuzzer, built with clang by scripts/fuzz
 *   NAME          the same with replay.c instead: what was found once is tried by every make check
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What replay.c tries beside the files: inputs that are made one after the other. */
typedef void fuzz_try(const uint8_t *data, size_t size, const char *what);
void fuzz_systematic(fuzz_try *one);

/* libFuzzer's own mutations, for a mutator that knows the input's structure. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* A figure out of an input, little-endian; 0 where there are not so many bytes. */
static inline uint64_t fuzz_number(const uint8_t *data, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = bytes; i-- > 0;)
		value = value << 8 | data[i];
	return value;
}

#endif
