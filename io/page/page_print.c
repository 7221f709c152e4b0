/* SPDX-License-Identifier: MIT */
#include "io/page/page_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/gzip.h"
#include "model/base/format.h"
#include "model/base/text.h"

#define LEVEL 5 /* of packing: a higher one takes twice the time for two percent of the size */

struct page_print {
	FILE *out;
	struct gzip *gzip;
	uint64_t cut;
	uint32_t used;       /* of room */
	uint32_t left;       /* bytes that wait for others, to be three: */
	unsigned char three[3];
	bool comma;          /* a value stands before */
	bool failed;
	char room[16384];
};

/* Base64: three bytes become four letters */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_four(char *out, const unsigned char *in)
{
	out[0] = letters[in[0] >> 2];
	out[1] = letters[(in[0] & 3) << 4 | in[1] >> 4];
	out[2] = letters[(in[1] & 15) << 2 | in[2] >> 6];
	out[3] = letters[in[2] & 63];
}

static void give(void *context, const void *data, size_t length)
{
	struct page_print *j = context;
	const unsigned char *in = data;
	char out[4096];
	size_t count = 0;

	for (size_t i = 0; i < length; i++) {
		j->three[j->left++] = in[i];
		if (j->left < 3)
			continue;
		put_four(out + count, j->three);
		j->left = 0;
		count += 4;
		if (count == sizeof(out)) {
			fwrite(out, 1, count, j->out);
			count = 0;
		}
	}
	fwrite(out, 1, count, j->out);
}

/* One or two bytes that are left: `=` in the place of each that is not there. */
static void give_end(struct page_print *j)
{
	char out[4];

	if (!j->left)
		return;
	memset(j->three + j->left, 0, sizeof(j->three) - j->left);
	put_four(out, j->three);
	memset(out + j->left + 1, '=', 3 - j->left);
	fwrite(out, 1, sizeof(out), j->out);
}

/* The text */

static void flush(struct page_print *j)
{
	gzip_put(j->gzip, j->room, j->used);
	j->used = 0;
}

static void put(struct page_print *j, const char *text, size_t length)
{
	for (size_t piece; length; text += piece, length -= piece) {
		if (j->used == sizeof(j->room))
			flush(j);
		piece = sizeof(j->room) - j->used < length ? sizeof(j->room) - j->used : length;
		memcpy(j->room + j->used, text, piece);
		j->used += (uint32_t)piece;
	}
}

static void put_quoted(struct page_print *j, const char *text, size_t length)
{
	size_t from = 0;

	put(j, "\"", 1);
	for (size_t i = 0; i < length; i++)
		if (text[i] == '"' || text[i] == '\\') {
			put(j, text + from, i - from);
			put(j, "\\", 1);
			from = i;
		}
	put(j, text + from, length - from);
	put(j, "\"", 1);
}

static void begin(struct page_print *j, const char *key)
{
	if (j->comma)
		put(j, ",", 1);
	if (key) {
		put_quoted(j, key, strlen(key));
		put(j, ":", 1);
	}
	j->comma = true;
}

static void open(struct page_print *j, const char *key, const char *bracket)
{
	begin(j, key);
	put(j, bracket, 1);
	j->comma = false;
}

static void shut(struct page_print *j, const char *bracket)
{
	put(j, bracket, 1);
	j->comma = true;
}

void page_object(struct page_print *j, const char *key)
{
	open(j, key, "{");
}

void page_object_end(struct page_print *j)
{
	shut(j, "}");
}

void page_array(struct page_print *j, const char *key)
{
	open(j, key, "[");
}

void page_array_end(struct page_print *j)
{
	shut(j, "]");
}

void page_unsigned(struct page_print *j, const char *key, uint64_t value)
{
	char digits[24], *at = digits + sizeof(digits);

	begin(j, key);
	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	put(j, at, (size_t)(digits + sizeof(digits) - at));
}

void page_integer(struct page_print *j, const char *key, int64_t value)
{
	if (value >= 0) {
		page_unsigned(j, key, (uint64_t)value);
		return;
	}
	begin(j, key);
	put(j, "-", 1);
	j->comma = false;
	page_unsigned(j, NULL, -(uint64_t)value);
}

void page_real(struct page_print *j, const char *key, double value)
{
	char digits[EXACT_DIGITS];

	if (!isfinite(value)) {
		page_null(j, key);
		return;
	}
	begin(j, key);
	put(j, digits, format_exact(digits, value));
}

void page_null(struct page_print *j, const char *key)
{
	begin(j, key);
	put(j, "null", 4);
}

void page_text(struct page_print *j, const char *key, const char *text)
{
	begin(j, key);
	put_quoted(j, text, strlen(text));
}

/* Whole characters of at most so many bytes: what name_escape made, so an escape stays whole as well. */
static size_t clip(const char *text, size_t most)
{
	size_t length = 0;

	for (size_t n; text[length]; length += n) {
		uint32_t code;

		if (text[length] == '\\')
			n = text[length + 1] == 'x' ? 4 : 2;
		else
			n = utf8_decode(text + length, 4, &code);
		if (length + n > most)
			break;
	}
	return length;
}

/* Where a name is long only its beginning is escaped. Six bytes are enough for any character that was cut there. */
void page_name(struct page_print *j, const char *key, const char *bytes)
{
	size_t length = strlen(bytes), most = PAGE_NAME_MOST + 6, all;
	char *shown = name_escape(bytes, length < most ? length : most);

	if (!shown) {
		j->failed = true;
		page_text(j, key, "");
		return;
	}
	all = strlen(shown);
	if (length > PAGE_NAME_MOST || all > PAGE_NAME_MOST) {
		all = clip(shown, PAGE_NAME_MOST);
		memcpy(shown + all, "…", sizeof("…"));
		j->cut++;
	}
	page_text(j, key, shown);
	free(shown);
}

uint64_t page_names_cut(const struct page_print *j)
{
	return j->cut;
}

void page_fail(struct page_print *j)
{
	j->failed = true;
}

/* Begin and end */

struct page_print *page_print_begin(FILE *out)
{
	struct page_print *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->out = out;
	j->gzip = gzip_new(LEVEL, give, j);
	if (j->gzip)
		return j;
	free(j);
	return NULL;
}

bool page_print_end(struct page_print *j)
{
	bool done;

	flush(j);
	done = gzip_end(j->gzip) && !j->failed;
	give_end(j);
	done = done && !ferror(j->out);
	free(j);
	return done;
}
