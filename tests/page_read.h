/* SPDX-License-Identifier: MIT */
/*
 * page_read: the document out of a page that io/page/ wrote: found in its element, taken out of base64, and unpacked.
 */
#ifndef TESTS_PAGE_READ_H
#define TESTS_PAGE_READ_H

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define PAGE_DATA "<script id=\"data\" type=\"application/octet-stream\" data-encoding=\""

static inline int page_letter(char c)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(letters, c) : NULL;

	return at ? (int)(at - letters) : -1;
}

/* Out of base64, up to the `<` behind it. Caller frees. */
static inline unsigned char *page_bytes(const char *text, size_t *size)
{
	size_t length = strcspn(text, "<"), used = 0;
	unsigned char *out = malloc(length + 1);
	uint32_t bits = 0;

	assert_non_null(out);
	assert_true(length % 4 == 0);
	while (length && text[length - 1] == '=')
		length--;
	for (size_t i = 0; i < length; i++) {
		assert_true(page_letter(text[i]) >= 0);
		bits = bits << 6 | (uint32_t)page_letter(text[i]);
		if (i % 4)
			out[used++] = (unsigned char)(bits >> (6 - i % 4 * 2));
	}
	*size = used;
	return out;
}

#ifdef HAVE_ZLIB

static inline char *page_unpack(unsigned char *packed, size_t size)
{
	size_t room = size * 4 + 1024, used = 0;
	char *out = malloc(room);
	z_stream z = { .next_in = packed, .avail_in = (unsigned)size };
	int result;

	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	do {
		if (room - used < 1024)
			out = realloc(out, room *= 2);
		assert_non_null(out);
		z.next_out = (unsigned char *)out + used;
		z.avail_out = (unsigned)(room - used - 1);
		result = inflate(&z, Z_NO_FLUSH);
		used = room - 1 - z.avail_out;
	} while (result == Z_OK);
	assert_int_equal(result, Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	inflateEnd(&z);
	out[used] = '\0';
	free(packed);
	return out;
}

#define PAGE_ENCODING "gzip"

#else

static inline char *page_unpack(unsigned char *packed, size_t size)
{
	packed[size] = '\0';
	return (char *)packed;
}

#define PAGE_ENCODING "none"

#endif

/* The JSON of a page. Caller frees. */
static inline char *page_document(const char *page)
{
	const char *at = strstr(page, PAGE_DATA PAGE_ENCODING "\">");
	unsigned char *packed;
	size_t size;

	assert_non_null(at);
	packed = page_bytes(at + strlen(PAGE_DATA PAGE_ENCODING "\">"), &size);
	return page_unpack(packed, size);
}

#endif
