/* SPDX-License-Identifier: MIT */
/*
 * input: the bytes of a file or a pipe from front to back. gzip and zstd are
 * unpacked, and UTF-16 becomes UTF-8.
 *
 * [at, end) is what can be looked at. The caller moves `at` forward over what
 * it has taken, and asks for more; what it has not taken stays, in front of
 * what comes. Several packed files behind one another are one.
 */
#ifndef IO_INPUT_H
#define IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INPUT_ROOM (UINT32_C(256) << 10) /* at most so much can be looked at at once */

enum input_packed { INPUT_PLAIN, INPUT_GZIP, INPUT_ZSTD };
enum input_encoding { INPUT_BYTES, INPUT_UTF16_LE, INPUT_UTF16_BE, INPUT_UTF32 };

/* What ended the unpacking before the end of the file. */
enum input_lost { INPUT_WHOLE, INPUT_CUT, INPUT_DAMAGED, INPUT_CHECKSUM };

struct unpacker;

struct input {
	const uint8_t *at, *end;
	bool failed; /* `why` */
	enum input_lost lost; /* if not INPUT_WHOLE: `why`. The bytes before the damage are there */
	bool rest;   /* bytes behind a packed file were not read */
	char why[256];

	int fd;
	bool (*goes_on)(void *context); /* asked while a pipe gives nothing; false: there is no more. May be NULL */
	void *context;
	enum input_packed packed;
	struct unpacker *unpacker;
	uint64_t total;    /* bytes of the file as it is; 0: not known */
	uint64_t taken;    /* of these were read */
	uint64_t ahead;    /* offset of `end` in the unpacked bytes, in UTF-8 */
	bool raw_over;     /* there is no more to read */
	uint8_t *room;
	uint8_t *raw;      /* packed */
	uint32_t raw_at, raw_count;

	/* Unpacked UTF-16 is given as UTF-8. A lone surrogate becomes its three
	 * bytes. */
	enum input_encoding encoding;
	uint8_t *wide;
	uint32_t wide_at, wide_count;
	uint8_t utf8[4]; /* the rest of the last character, for which there was no space */
	uint32_t utf8_at, utf8_count;
};

/* False: in->why. The first bytes are there, if there are any: as many as fit, or all there are. */
bool input_open(struct input *in, int fd, bool (*goes_on)(void *context), void *context);
void input_close(struct input *in);

/* More behind `end`. False: there is no more, or no room for it, or it failed. */
bool input_more(struct input *in);

/* The offset of a byte in what is unpacked. */
static inline uint64_t input_offset(const struct input *in, const uint8_t *byte)
{
	return in->ahead - (uint64_t)(in->end - byte);
}

enum input_packed input_is_packed(const void *bytes, size_t size);

/* Tells the encoding by a byte order mark, or by the zeros of two ASCII
 * characters. */
enum input_encoding input_encoding(const void *bytes, size_t size);

/* The library that unpacks it, with its version; NULL: none. */
const char *input_library(enum input_packed packed, char *out, size_t size);

#endif
