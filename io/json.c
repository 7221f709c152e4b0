/* SPDX-License-Identifier: MIT */
#include "io/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/format.h"
#include "model/base/text.h"

struct json {
	json_give *give;
	void *context;
	size_t name_most; /* bytes of a name; 0: any number */
	uint64_t cut;     /* names */
	size_t used;      /* bytes of `piece` */
	bool comma;       /* a value stands before */
	bool failed;
	bool one_line;
	char piece[16384];
};

/* Begin and end */

static bool give_file(void *context, const void *data, size_t length)
{
	return fwrite(data, 1, length, context) == length;
}

struct json *json_begin_to(json_give *give, void *context)
{
	struct json *j = malloc(sizeof(*j));

	if (!j)
		return NULL;
	memset(j, 0, offsetof(struct json, piece));
	j->give = give;
	j->context = context;
	return j;
}

struct json *json_begin(FILE *out)
{
	return json_begin_to(give_file, out);
}

struct json *json_begin_line(FILE *out)
{
	struct json *j = json_begin(out);

	if (j)
		j->one_line = true;
	return j;
}

static void flush_json(struct json *j)
{
	if (j->used && !j->give(j->context, j->piece, j->used))
		j->failed = true;
	j->used = 0;
}

static void put_bytes(struct json *j, const char *text, size_t length)
{
	for (size_t n; length; text += n, length -= n) {
		if (j->used == sizeof(j->piece))
			flush_json(j);
		n = sizeof(j->piece) - j->used < length ? sizeof(j->piece) - j->used : length;
		memcpy(j->piece + j->used, text, n);
		j->used += n;
	}
}

bool json_end(struct json *j)
{
	bool done;

	put_bytes(j, "\n", 1);
	flush_json(j);
	done = !j->failed;
	free(j);
	return done;
}

void json_fail(struct json *j)
{
	j->failed = true;
}

void json_line(struct json *j)
{
	if (!j->one_line)
		put_bytes(j, "\n", 1);
}

/* Texts */

/* A character beyond the first plane takes two code units. */
static void put_escape(struct json *j, uint32_t code)
{
	char text[16];
	int length;

	if (code < 0x10000)
		length = snprintf(text, sizeof(text), "\\u%04x", (unsigned)code);
	else
		length = snprintf(text, sizeof(text), "\\u%04x\\u%04x", (unsigned)(0xD800 + ((code - 0x10000) >> 10)),
				  (unsigned)(0xDC00 + ((code - 0x10000) & 0x3FF)));
	put_bytes(j, text, (size_t)length);
}

static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7F && c != '"' && c != '\\';
}

static void put_quoted(struct json *j, const char *text, size_t length)
{
	size_t from = 0;

	put_bytes(j, "\"", 1);
	for (size_t i = 0, n; i < length; i += n) {
		uint32_t code = 0xFFFD;

		n = 1;
		if (is_plain(text[i]))
			continue;
		n = utf8_decode(text + i, length - i, &code);
		if (n && code_visible(code) && code != '"' && code != '\\')
			continue;
		put_bytes(j, text + from, i - from);
		n = n ? n : 1;
		from = i + n;
		if (code == '"')
			put_bytes(j, "\\\"", 2);
		else if (code == '\\')
			put_bytes(j, "\\\\", 2);
		else
			put_escape(j, code);
	}
	put_bytes(j, text + from, length - from);
	put_bytes(j, "\"", 1);
}

static void begin_member(struct json *j, const char *key)
{
	if (j->comma)
		put_bytes(j, ",", 1);
	if (key) {
		put_quoted(j, key, strlen(key));
		put_bytes(j, ":", 1);
	}
	j->comma = true;
}

void json_text(struct json *j, const char *key, const char *text)
{
	begin_member(j, key);
	put_quoted(j, text, strlen(text));
}

/* Returns how many bytes whole characters take of at most so many. `text` is
 * from name_escape, and its escapes stay whole, too. */
static size_t clip_text(const char *text, size_t most)
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

/* Escapes only the beginning of a long name. Six bytes more are enough for a
 * character that would be cut there. */
static void put_limited(struct json *j, const char *bytes)
{
	size_t length = strlen(bytes), most = j->name_most + 6, all;
	char *shown = name_escape(bytes, length < most ? length : most);

	if (!shown) {
		j->failed = true;
		put_bytes(j, "\"\"", 2);
		return;
	}
	all = strlen(shown);
	if (length > j->name_most || all > j->name_most) {
		all = clip_text(shown, j->name_most);
		memcpy(shown + all, "…", sizeof("…"));
		j->cut++;
	}
	put_quoted(j, shown, strlen(shown));
	free(shown);
}

void json_name(struct json *j, const char *key, const char *bytes)
{
	char *shown;

	begin_member(j, key);
	if (j->name_most) {
		put_limited(j, bytes);
		return;
	}
	shown = name_escape(bytes, strlen(bytes));
	if (!shown)
		j->failed = true;
	put_quoted(j, shown ? shown : "", shown ? strlen(shown) : 0);
	free(shown);
}

void json_limit_names(struct json *j, size_t most)
{
	j->name_most = most;
}

uint64_t json_names_cut(const struct json *j)
{
	return j->cut;
}

/* Objects and arrays */

static void open_bracket(struct json *j, const char *key, const char *bracket)
{
	begin_member(j, key);
	put_bytes(j, bracket, 1);
	j->comma = false;
}

static void close_bracket(struct json *j, const char *bracket)
{
	put_bytes(j, bracket, 1);
	j->comma = true;
}

void json_object(struct json *j, const char *key)
{
	open_bracket(j, key, "{");
}

void json_object_end(struct json *j)
{
	close_bracket(j, "}");
}

void json_array(struct json *j, const char *key)
{
	open_bracket(j, key, "[");
}

void json_array_end(struct json *j)
{
	close_bracket(j, "]");
}

/* Numbers */

static void put_word(struct json *j, const char *key, const char *word)
{
	begin_member(j, key);
	put_bytes(j, word, strlen(word));
}

static void put_whole(struct json *j, uint64_t value)
{
	char digits[24], *at = digits + sizeof(digits);

	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	put_bytes(j, at, (size_t)(digits + sizeof(digits) - at));
}

void json_unsigned(struct json *j, const char *key, uint64_t value)
{
	begin_member(j, key);
	put_whole(j, value);
}

void json_integer(struct json *j, const char *key, int64_t value)
{
	begin_member(j, key);
	if (value < 0)
		put_bytes(j, "-", 1);
	put_whole(j, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_thousandths(struct json *j, const char *key, int64_t value)
{
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
	unsigned rest = (unsigned)(size % 1000);
	char decimals[4] = { '.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10), (char)('0' + rest % 10) };

	begin_member(j, key);
	if (value < 0)
		put_bytes(j, "-", 1);
	put_whole(j, size / 1000);
	put_bytes(j, decimals, sizeof(decimals));
}

void json_bool(struct json *j, const char *key, bool value)
{
	put_word(j, key, value ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
	put_word(j, key, "null");
}

void json_real(struct json *j, const char *key, double value)
{
	char digits[64];

	format_real(digits, sizeof(digits), isfinite(value) ? value : 0, 15);
	put_word(j, key, digits);
}

void json_exact(struct json *j, const char *key, double value)
{
	char digits[EXACT_DIGITS];

	format_exact(digits, value);
	put_word(j, key, isfinite(value) ? digits : "null");
}

void json_scaled(struct json *j, const char *key, int64_t value, int64_t scale)
{
	char digits[64];

	if (scale == 1) {
		json_integer(j, key, value);
		return;
	}
	format_scaled(digits, sizeof(digits), value, scale, 6);
	put_word(j, key, digits);
}
