/* SPDX-License-Identifier: MIT */
/*
 * parse_json: gives YAJL the file (json_tokens.c), and goes on where YAJL refuses something.
 *
 * A token is mended, and counted (ANOMALY_TOKEN):
 *
 *     "C:\dir", raw control characters   the text, with each such byte unchanged
 *     NaN  -inf  None  007  0x1f         a text of these bytes
 *     "key":}                            null
 *
 * Commas are optional, and there may be more than one. Anything else costs the
 * record that it is in, which is counted (ANOMALY_RECORD). The next record
 * begins
 *
 *     where a bracket opens behind the closed brackets of this one;
 *     or where a bracket opens instead of a key: this one was never closed;
 *     or, if a quote is missing, behind the next `},{` or end of a line.
 */
#include <stdlib.h>
#include <string.h>

#include "io/import/parse_json.h"

#define MENDED_MOST 6u /* bytes that one byte becomes: \u0001 */

/* Half surrogate pairs */

static bool is_escape(const uint8_t *at, size_t left)
{
	if (!left || !*at || !strchr("\"\\/bfnrtu", *at))
		return false;
	return *at != 'u' || (left > 4 && strspn((const char[]){ (char)at[1], (char)at[2], (char)at[3], (char)at[4], '\0' },
						 "0123456789abcdefABCDEF") == 4);
}

#define ESCAPE 6 /* bytes of \uXXXX */

/* Its number; 0: none is here. */
static unsigned escaped_unit(const uint8_t *at, const uint8_t *end)
{
	char digits[5] = "";

	if (end - at < ESCAPE || at[0] != '\\' || at[1] != 'u' || !is_escape(at + 1, (size_t)(end - at - 1)))
		return 0;
	memcpy(digits, at + 2, 4);
	return (unsigned)strtoul(digits, NULL, 16);
}

/* YAJL takes any escape behind the first half of a surrogate pair for the second one, and drops a half that is alone. Such
 * a half becomes U+FFFD, unless YAJL has it already: those before `from`. Returns how far it is decided: the rest of a pair
 * or of an escape may come, unless this is the `end` of the input. */
static const uint8_t *mend_halves(struct parse_json *p, const uint8_t *from, bool end)
{
	struct input *in = &p->i->in;
	const uint8_t *at = p->place == input_offset(in, in->at) ? in->at : from;

	while ((at = memchr(at, '\\', (size_t)(in->end - at)))) {
		size_t left = (size_t)(in->end - at);
		unsigned unit = escaped_unit(at, in->end);

		if (left < 2 || (!unit && at[1] == 'u' && left < ESCAPE))
			return end || at < from ? in->end : at;
		if (unit >> 11 != 0xd800 >> 11) {
			at += unit ? ESCAPE : 2;
			continue;
		}
		if (unit < 0xdc00 && escaped_unit(at + ESCAPE, in->end) >> 10 == 0xdc00 >> 10) {
			at += 2 * ESCAPE;
			continue;
		}
		if (unit < 0xdc00 && left < 2 * ESCAPE && !end && at >= from &&
		    !memcmp(at + ESCAPE, "\\u", left - ESCAPE < 2 ? left - ESCAPE : 2))
			return at;
		if (at >= from) {
			memcpy(in->room + (at - in->room) + 2, "fffd", 4);
			anomaly_add(p->i->anomalies, ANOMALY_TOKEN, input_offset(in, at));
		}
		at += ESCAPE;
	}
	return in->end;
}

/* The byte at in.at + at; -1: there is none, or it is too far away. */
static int peek_byte(struct parse_json *p, size_t at)
{
	struct input *in = &p->i->in;

	while ((size_t)(in->end - in->at) <= at)
		if (!import_more(p->i))
			return -1;
	return in->at[at];
}

static void move_by(struct parse_json *p, size_t count)
{
	p->i->in.at += count;
	p->place = input_offset(&p->i->in, p->i->in.at);
}

static bool is_space(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_value_next(const struct parse_json *p)
{
	return p->after_key || p->is_array[p->depth];
}

/* Skipping a record */

enum seam { NO_SEAM, CLOSED, BETWEEN, OPENED }; /* how much of `},{"` was seen */

struct skipping {
	struct parse_json *p;
	bool in_text, escaped, key_next;
	bool astray; /* a quote is missing: texts are not where they seem to be */
	enum seam seam;
	uint64_t opened; /* where the record begins, if it is one */
};

/* Closes brackets down to the one that matches. False: this one closes the
 * array of the records. */
static bool skip_close(struct skipping *s, bool array)
{
	struct parse_json *p = s->p;
	uint32_t depth = p->depth;

	while (depth > p->records && depth <= PARSE_DEPTH && p->is_array[depth] != array)
		depth--;
	if (depth > p->records)
		p->depth = depth - 1;
	else if (array)
		p->depth = p->records;
	s->key_next = false;
	return depth > p->records || !array;
}

/* False: the next record begins with this byte, or the array ends. */
static bool skip_plain(struct skipping *s, char c)
{
	struct parse_json *p = s->p;

	switch (c) {
	case '"':
		s->in_text = true;
		return true;
	case '{':
	case '[':
		if (p->depth <= p->records || (c == p->events->record && s->key_next))
			return false;
		p->depth++;
		if (p->depth <= PARSE_DEPTH)
			p->is_array[p->depth] = c == '[';
		s->key_next = c == '{';
		return true;
	case '}':
	case ']':
		return skip_close(s, c == ']');
	case ',':
		s->key_next = p->depth <= PARSE_DEPTH && !p->is_array[p->depth];
		return true;
	default:
		s->key_next &= is_space(c);
		return true;
	}
}

/* True: this byte shows that a record begins at s->opened. */
static bool skip_seam(struct skipping *s, char c, uint64_t place)
{
	const char open = s->p->events->record, close = open == '{' ? '}' : ']';

	if (c == '\n' && s->seam != OPENED) {
		s->astray = true;
		s->seam = BETWEEN;
	} else if (s->seam == OPENED && (c == '"' || (open == '[' && (c == '-' || (c >= '0' && c <= '9'))))) {
		return true;
	} else if (is_space(c)) {
		return false;
	} else if (s->seam == BETWEEN && c == open) {
		s->seam = OPENED;
		s->opened = place;
	} else if (c == close) {
		s->seam = CLOSED;
	} else if (c != ',' || s->seam == NO_SEAM) {
		s->seam = s->seam == BETWEEN && c == '[' ? BETWEEN : NO_SEAM;
	} else {
		s->seam = BETWEEN;
	}
	return false;
}

static void skip_text(struct skipping *s, char c)
{
	if (s->escaped)
		s->escaped = false;
	else if (c == '\\')
		s->escaped = true;
	else if (c == '"')
		s->in_text = false;
}

/* Skips to the next record, or to the end of the records, or of the file.
 * `seen`: as in mend_json. */
static bool skip_record(struct parse_json *p, bool seen)
{
	struct skipping s = { .p = p, .in_text = !seen, .key_next = !is_value_next(p) };
	bool begun = false;

	if (!p->records)
		return false;
	anomaly_add(p->i->anomalies, ANOMALY_RECORD, p->place);
	p->events->drop(p->context);
	for (; !begun && peek_byte(p, 0) >= 0; move_by(p, !begun)) {
		char c = (char)*p->i->in.at;

		begun = (s.in_text || s.astray) && skip_seam(&s, c, input_offset(&p->i->in, p->i->in.at));
		if (begun)
			break;
		if (s.in_text)
			skip_text(&s, c);
		else if (!skip_plain(&s, c))
			break;
	}
	p->depth = p->records;
	p->after_key = p->too_deep = false;
	if (!parse_again(p) || (begun && !parse_piece(p, &p->events->record, 1, s.opened)))
		return false;
	move_by(p, 0);
	return true;
}

/* Mending a token */

static bool ends_token(struct parse_json *p, size_t at)
{
	int c;

	while (is_space(c = peek_byte(p, at)))
		at++;
	return c > 0 && strchr(is_value_next(p) ? ",}]" : ":", c);
}

/* Gives YAJL these bytes instead of the next `count` bytes of the file. */
static bool tell_instead(struct parse_json *p, const char *bytes, size_t size, size_t count)
{
	if (!parse_again(p) || !parse_piece(p, bytes, size, p->place))
		return false;
	move_by(p, count);
	return true;
}

/* Writes the bytes as a string of JSON. Returns its length. */
static size_t quote_text(char *out, const uint8_t *bytes, size_t size)
{
	static const char hex[] = "0123456789abcdef";
	size_t length = 0;

	out[length++] = '"';
	for (size_t k = 0; k < size; k++) {
		if (bytes[k] < ' ') {
			memcpy(out + length, "\\u00", 4);
			out[length + 4] = hex[bytes[k] >> 4];
			out[length + 5] = hex[bytes[k] & 15];
			length += 6;
			continue;
		}
		if (bytes[k] == '\\') {
			out[length++] = '\\';
			if (is_escape(bytes + k + 1, size - k - 1))
				k++;
		}
		out[length++] = (char)bytes[k];
	}
	out[length++] = '"';
	return length;
}

/* Gives YAJL the bytes [from, end) as a text instead of the next `count` bytes.
 * If they are the same, only a comma before them was wrong, and nothing is
 * counted. */
static bool tell_text(struct parse_json *p, size_t from, size_t end, size_t count)
{
	const uint8_t *at = p->i->in.at;
	char *text = malloc(MENDED_MOST * (end - from) + 2);
	size_t size;
	bool done;

	mend_halves(p, at, false); /* all of the token is at hand */
	if (!text) {
		p->failed = true;
		return false;
	}
	size = quote_text(text, at + from, end - from);
	if (size != count || memcmp(text, at, size) != 0)
		anomaly_add(p->i->anomalies, ANOMALY_TOKEN, p->place);
	done = tell_instead(p, text, size, count);
	free(text);
	return done;
}

/* A path may end with a backslash. Then its \" ends the text, if a token can
 * end there, and cannot at the next quote. */
static bool mend_text(struct parse_json *p)
{
	size_t end = 1, other = 0;
	int c;

	while ((c = peek_byte(p, end)) >= 0 && c != '"') {
		end += c == '\\';
		if (c == '\\' && !other && peek_byte(p, end) == '"' && ends_token(p, end + 1))
			other = end;
		end++;
	}
	if (c < 0 || !ends_token(p, end + 1))
		end = other;
	return end ? tell_text(p, 1, end, end + 1) : skip_record(p, true);
}

static bool mend_word(struct parse_json *p)
{
	static const char *const words[] = { "true", "false", "null" };
	size_t size = 0;
	int c;

	while ((c = peek_byte(p, size)) > ' ' && !strchr(",:[]{}\"", c))
		size++;
	if (!size || !ends_token(p, size))
		return skip_record(p, true);
	for (size_t k = 0; k < sizeof words / sizeof *words && is_value_next(p); k++)
		if (size == strlen(words[k]) && !memcmp(p->i->in.at, words[k], size)) /* a comma was missing before it */
			return tell_instead(p, words[k], size, size);
	return tell_text(p, 0, size, size);
}

/* YAJL refused a token. Goes on behind it if it can be mended, else in front of the next record. `seen`: the token begins
 * at i->in.at. Else it was too long to keep, and began before that. False: there are no records to go on with, or no
 * memory. */
static bool mend_json(struct parse_json *p, bool seen)
{
	bool colon = false;
	size_t at = 0;
	int c;

	if (p->failed || !p->depth)
		return false;
	if (!seen || p->too_deep)
		return skip_record(p, seen);
	while (is_space(c = peek_byte(p, at)) || (c == ',' && !p->after_key) || (c == ':' && p->after_key && !colon)) {
		colon |= c == ':';
		at++;
	}
	move_by(p, at);
	if (c < 0)
		return parse_again(p);
	if (p->after_key && !colon)
		return skip_record(p, true);
	if (c == '"')
		return mend_text(p);
	if (c == ',' || c == '}' || c == ']') {
		if (p->after_key) {
			anomaly_add(p->i->anomalies, ANOMALY_TOKEN, p->place);
			return tell_instead(p, "null", 4, 0);
		}
		return p->is_array[p->depth] == (c == ']') ? parse_again(p) : skip_record(p, true);
	}
	if (c == '{' || c == '[')
		return is_value_next(p) ? parse_again(p) : skip_record(p, true);
	return c == ':' ? skip_record(p, true) : mend_word(p);
}

/* Reading */

static void say_bad(struct parse_json *p)
{
	anomaly_add(p->i->anomalies, p->over ? ANOMALY_REST : ANOMALY_SYNTAX, p->place);
}

/* Whether only blanks and NULs follow the end: some programs pad a file. */
static bool is_padding(struct parse_json *p)
{
	struct input *in = &p->i->in;

	do {
		for (; in->at < in->end; in->at++)
			if (*in->at && !strchr(" \t\r\n", *in->at))
				return false;
	} while (import_more(p->i));
	return true;
}

/* Gives YAJL all bytes at hand, but for the first `again`, which it already
 * has, and the last `held`, which are not decided. False: it is no JSON any
 * more. */
static bool tell_all(struct parse_json *p, size_t again, bool end, size_t *held)
{
	struct input *in = &p->i->in;
	const uint8_t *from = in->at + again, *to = mend_halves(p, from, end);

	while (!parse_piece(p, from, (size_t)(to - from), input_offset(in, from))) {
		bool seen = p->place >= input_offset(in, in->at);

		if (seen)
			in->at = in->end - (input_offset(in, in->end) - p->place);
		if (p->over || !mend_json(p, seen)) {
			if (!p->over || !seen || !is_padding(p))
				say_bad(p);
			return false;
		}
		from = in->at;
		to = mend_halves(p, from, end);
	}
	*held = (size_t)(in->end - to);
	return true;
}

/* Keeps the bytes behind the last token, as they may have to be mended: at most
 * half of the space, but the last `held` always. Returns how many. */
static size_t keep_untold(struct parse_json *p, size_t held)
{
	struct input *in = &p->i->in;
	uint64_t untold = input_offset(in, in->end) - p->place;

	if (untold > INPUT_ROOM / 2)
		untold = held;
	in->at = in->end - untold;
	return untold;
}

static bool tell_input(struct parse_json *p, bool open_end)
{
	struct importing *i = p->i;
	size_t again = 0, held = 0;
	bool more = true, told;

	do {
		told = tell_all(p, again, !more, &held);
		if (!told || !more)
			break;
		again = keep_untold(p, held) - held;
		if (input_offset(&i->in, i->in.end) - p->place > PARSE_TOKEN_MOST) {
			anomaly_add(i->anomalies, ANOMALY_LONG, p->place);
			return p->any;
		}
		more = import_more(i);
	} while (more || held);
	if (!told)
		i->in.at = i->in.end;
	else if (!p->over && (!open_end || !p->any))
		import_cut(i, i->in.ahead);
	return p->any;
}

bool parse_json(struct importing *i, const struct parse_events *events, void *context, bool open_end)
{
	struct parse_json p = { .i = i, .events = events, .context = context,
				.place = input_offset(&i->in, i->in.at) };
	bool done = parse_again(&p) && tell_input(&p, open_end);

	parse_end(&p);
	if (p.failed)
		return import_refuses(i, "out of memory");
	return done || import_refuses(i, "it is not JSON");
}
