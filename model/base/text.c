/* SPDX-License-Identifier: MIT */
#include "model/base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/search.h"
#include "model/base/width_table.h"

/* Valid code points that are not shown as they are: controls, what reorders or joins the text
 * around it, what is invisible, surrogates and noncharacters. Ascending. */
static const struct code_range hidden_ranges[] = {
	{ 0x0, 0x1F },        { 0x7F, 0x9F },       { 0xAD, 0xAD },       { 0x34F, 0x34F },
	{ 0x600, 0x605 },     { 0x61C, 0x61C },     { 0x6DD, 0x6DD },     { 0x70F, 0x70F },
	{ 0x890, 0x891 },     { 0x8E2, 0x8E2 },     { 0x115F, 0x1160 },   { 0x17B4, 0x17B5 },
	{ 0x180B, 0x180F },   { 0x200B, 0x200F },   { 0x2028, 0x202E },   { 0x2060, 0x206F },
	{ 0x3164, 0x3164 },   { 0xD800, 0xDFFF },   { 0xFDD0, 0xFDEF },   { 0xFE00, 0xFE0F },
	{ 0xFEFF, 0xFEFF },   { 0xFFA0, 0xFFA0 },   { 0xFFF0, 0xFFFB },   { 0xFFFE, 0xFFFF },
	{ 0x110BD, 0x110BD }, { 0x110CD, 0x110CD }, { 0x13430, 0x1343F }, { 0x1BCA0, 0x1BCA3 },
	{ 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF },
};

static bool in_ranges(const struct code_range *ranges, size_t count, uint32_t code)
{
	uint32_t at = SEARCH(i, 0, (uint32_t)count, code > ranges[i].last);

	return at < count && code >= ranges[at].first;
}

#define IN_RANGES(ranges, code) in_ranges(ranges, sizeof(ranges) / sizeof((ranges)[0]), code)

bool code_visible(uint32_t code)
{
	return (code & 0xFFFE) != 0xFFFE && !IN_RANGES(hidden_ranges, code);
}

int cell_width(uint32_t code)
{
	if (code < 0x300)
		return 1;
	if (IN_RANGES(combining_ranges, code))
		return 0;
	return IN_RANGES(wide_ranges, code) ? 2 : 1;
}

/* How many bytes a character has that begins with this one, and the bits of its code point in it;
 * 0 for a byte that begins none. */
static size_t utf8_lead(unsigned char lead, uint32_t *code)
{
	if (lead < 0x80) {
		*code = lead;
		return 1;
	}
	if (lead < 0xC2 || lead > 0xF4)
		return 0;
	*code = lead < 0xE0 ? lead & 0x1Fu : lead < 0xF0 ? lead & 0xFu : lead & 0x7u;
	return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

size_t utf8_decode(const char *text, size_t length, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t bytes = length ? utf8_lead((unsigned char)text[0], code) : 0;

	if (!bytes || bytes > length)
		return 0;
	for (size_t i = 1; i < bytes; i++) {
		if (((unsigned char)text[i] & 0xC0) != 0x80)
			return 0;
		*code = *code << 6 | ((unsigned char)text[i] & 0x3Fu);
	}
	if (*code < least[bytes] || *code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF))
		return 0;
	return bytes;
}

static bool continues(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* A character has at most three bytes behind its first. What has more is no UTF-8, and is cut as bytes. */
size_t utf8_cut(const char *text, size_t most)
{
	size_t at = most;

	while (at && most - at < 3 && continues(text[at]))
		at--;
	return continues(text[at]) ? most : at;
}

static char *escape_bytes(char *out, const char *bytes, size_t count)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < count; i++) {
		*out++ = '\\';
		*out++ = 'x';
		*out++ = digits[(unsigned char)bytes[i] >> 4];
		*out++ = digits[(unsigned char)bytes[i] & 15];
	}
	return out;
}

static char *escape_in(const char *bytes, size_t length, bool ascii)
{
	char *text = length > SIZE_MAX / 4 - 1 ? NULL : malloc(length * 4 + 1);
	char *out = text;

	if (!text)
		return NULL;
	for (size_t i = 0, n; i < length; i += n) {
		uint32_t code = 0;

		n = utf8_decode(bytes + i, length - i, &code);
		if (!n || !code_visible(code) || (ascii && code >= 0x80)) {
			n = n ? n : 1;
			out = escape_bytes(out, bytes + i, n);
			continue;
		}
		if (code == '\\')
			*out++ = '\\';
		memcpy(out, bytes + i, n);
		out += n;
	}
	*out = '\0';
	return text;
}

char *name_escape(const char *bytes, size_t length)
{
	return escape_in(bytes, length, false);
}

char *name_escape_ascii(const char *bytes, size_t length)
{
	return escape_in(bytes, length, true);
}

char *name_safe(const char *bytes, bool ascii)
{
	return escape_in(bytes, strlen(bytes), ascii);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte that the text at `at` stands for, and how many characters say it. */
static size_t unescape_one(const char *at, char *byte)
{
	*byte = at[0];
	if (at[0] != '\\')
		return 1;
	if (at[1] == '\\')
		return 2;
	if (at[1] != 'x' || hex_digit(at[2]) < 0 || hex_digit(at[3]) < 0)
		return 1;
	*byte = (char)(hex_digit(at[2]) << 4 | hex_digit(at[3]));
	return 4;
}

char *name_unescape(const char *text)
{
	char *bytes = malloc(strlen(text) + 1);
	char *out = bytes;

	if (!bytes)
		return NULL;
	while (*text)
		text += unescape_one(text, out++);
	*out = '\0';
	return bytes;
}

char *name_shown(const char *text, bool ascii)
{
	char *bytes, *shown;

	if (!ascii)
		return strdup(text);
	bytes = name_unescape(text);
	shown = bytes ? name_safe(bytes, true) : NULL;
	free(bytes);
	return shown;
}

size_t text_clip(const char *text, size_t cells, size_t *used)
{
	size_t length = strlen(text), at = 0, width = 0, n;
	uint32_t code = 0;

	while (at < length) {
		if ((unsigned char)text[at] < 0x80) { /* nearly all there is */
			if (width == cells)
				break;
			width++;
			at++;
			continue;
		}
		n = utf8_decode(text + at, length - at, &code);
		if (!n) {
			n = 1;
			code = '?';
		}
		if (width + (size_t)cell_width(code) > cells)
			break;
		width += (size_t)cell_width(code);
		at += n;
	}
	if (used)
		*used = width;
	return at;
}

size_t text_width(const char *text)
{
	size_t ascii = 0, used;

	while ((unsigned char)text[ascii] < 0x80 && text[ascii])
		ascii++;
	if (!text[ascii])
		return ascii;
	text_clip(text + ascii, SIZE_MAX, &used);
	return ascii + used;
}

size_t utf8_encode(uint32_t code, char out[4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xe0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3f));
	out[2] = (char)(0x80 | (code >> 6 & 0x3f));
	out[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

static const char *const roff_escapes[128] = {
	['-'] = "\\-", ['~'] = "\\(ti", ['^'] = "\\(ha", ['`'] = "\\(oq", ['\''] = "\\(cq",
	['\\'] = "\\e",
};

void roff_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		const char *escape = (unsigned char)*text < 128 ? roff_escapes[(int)*text] : NULL;

		if (escape)
			fputs(escape, out);
		else
			fputc(*text, out);
	}
}
