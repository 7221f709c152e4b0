/* SPDX-License-Identifier: MIT */
#include "io/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_gen.h>
#include <yajl/yajl_version.h>

#include "model/base/format.h"
#include "model/base/text.h"

struct json {
	yajl_gen gen;
	FILE *out;
	bool failed;
	bool one_line;
};

static void print(void *context, const char *text, size_t length)
{
	struct json *j = context;

	if (length && fwrite(text, 1, length, j->out) != length)
		j->failed = true;
}

struct json *json_begin(FILE *out)
{
	struct json *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->out = out;
	j->gen = yajl_gen_alloc(NULL);
	if (!j->gen) {
		free(j);
		return NULL;
	}
	yajl_gen_config(j->gen, yajl_gen_print_callback, print, j);
	return j;
}

struct json *json_begin_line(FILE *out)
{
	struct json *j = json_begin(out);

	if (j)
		j->one_line = true;
	return j;
}

bool json_end(struct json *j)
{
	bool done;

	print(j, "\n", 1);
	done = !j->failed;
	yajl_gen_free(j->gen);
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
		print(j, "\n", 1);
}

static void check(struct json *j, yajl_gen_status status)
{
	if (status != yajl_gen_status_ok)
		j->failed = true;
}

static void put_string(struct json *j, const char *text)
{
	check(j, yajl_gen_string(j->gen, (const unsigned char *)text, strlen(text)));
}

static void put_number(struct json *j, const char *digits)
{
	check(j, yajl_gen_number(j->gen, digits, strlen(digits)));
}

static void put_key(struct json *j, const char *key)
{
	if (key)
		put_string(j, key);
}

void json_object(struct json *j, const char *key)
{
	put_key(j, key);
	check(j, yajl_gen_map_open(j->gen));
}

void json_object_end(struct json *j)
{
	check(j, yajl_gen_map_close(j->gen));
}

void json_array(struct json *j, const char *key)
{
	put_key(j, key);
	check(j, yajl_gen_array_open(j->gen));
}

void json_array_end(struct json *j)
{
	check(j, yajl_gen_array_close(j->gen));
}

void json_name(struct json *j, const char *key, const char *bytes)
{
	char *shown = name_escape(bytes, strlen(bytes));

	put_key(j, key);
	put_string(j, shown ? shown : "");
	if (!shown)
		j->failed = true;
	free(shown);
}

void json_text(struct json *j, const char *key, const char *text)
{
	put_key(j, key);
	put_string(j, text);
}

/* Two of them beyond the first plane. */
static char *put_code_units(char *out, uint32_t code)
{
	if (code < 0x10000)
		return out + sprintf(out, "\\u%04x", (unsigned)code);
	code -= 0x10000;
	return out + sprintf(out, "\\u%04x\\u%04x", (unsigned)(0xD800 + (code >> 10)), (unsigned)(0xDC00 + (code & 0x3FF)));
}

static void put_quoted(struct json *j, const char *text, char *buffer)
{
	size_t length = strlen(text);
	char *out = buffer;

	*out++ = '"';
	for (size_t i = 0, n; i < length; i += n) {
		uint32_t code = 0xFFFD;

		n = utf8_decode(text + i, length - i, &code);
		if (!n || !code_visible(code)) {
			out = put_code_units(out, code);
			n = n ? n : 1;
			continue;
		}
		if (code == '"' || code == '\\')
			*out++ = '\\';
		memcpy(out, text + i, n);
		out += n;
	}
	*out++ = '"';
	check(j, yajl_gen_number(j->gen, buffer, (size_t)(out - buffer))); /* it writes what it gets */
}

void json_string(struct json *j, const char *key, const char *text)
{
	char few[1024], *buffer = few;
	size_t length = strlen(text);

	if (length > (sizeof(few) - 3) / 6)
		buffer = length > (SIZE_MAX - 3) / 6 ? NULL : malloc(length * 6 + 3);
	if (!buffer) {
		j->failed = true;
		return;
	}
	put_key(j, key);
	put_quoted(j, text, buffer);
	if (buffer != few)
		free(buffer);
}

void json_unsigned(struct json *j, const char *key, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	put_key(j, key);
	put_number(j, digits);
}

void json_thousandths(struct json *j, const char *key, int64_t value)
{
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char digits[32];

	snprintf(digits, sizeof(digits), "%s%llu.%03u", value < 0 ? "-" : "", (unsigned long long)(size / 1000),
		 (unsigned)(size % 1000));
	put_key(j, key);
	put_number(j, digits);
}

void json_integer(struct json *j, const char *key, int64_t value)
{
	put_key(j, key);
	check(j, yajl_gen_integer(j->gen, value));
}

void json_bool(struct json *j, const char *key, bool value)
{
	put_key(j, key);
	check(j, yajl_gen_bool(j->gen, value));
}

void json_null(struct json *j, const char *key)
{
	put_key(j, key);
	check(j, yajl_gen_null(j->gen));
}

void json_real(struct json *j, const char *key, double value)
{
	char digits[64];

	put_key(j, key);
	format_real(digits, sizeof(digits), isfinite(value) ? value : 0, 15);
	put_number(j, digits);
}

void json_exact(struct json *j, const char *key, double value)
{
	char digits[EXACT_DIGITS];

	put_key(j, key);
	format_exact(digits, value);
	if (isfinite(value))
		put_number(j, digits);
	else
		check(j, yajl_gen_null(j->gen));
}

void json_scaled(struct json *j, const char *key, int64_t value, int64_t scale)
{
	char digits[64];

	if (scale == 1) {
		json_integer(j, key, value);
		return;
	}
	put_key(j, key);
	format_scaled(digits, sizeof(digits), value, scale, 6);
	put_number(j, digits);
}

const char *json_library(char *out, size_t size)
{
	int version = yajl_version();

	snprintf(out, size, "yajl %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
	return out;
}
