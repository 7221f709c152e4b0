/* SPDX-License-Identifier: MIT */
/*
 * check_parse: conditions out of their text. What is wrong with it is said with its place.
 */
#include "model/stats/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"

#define RANK_ALL 100000000u /* 100 %, in millionths of a percent */
#define DIGITS_MOST 18
#define WORD_SHOWN 24 /* cells */

const char *const check_measures[] = {
	[CHECK_FRAME] = "frame", [CHECK_SELF] = "self", [CHECK_HIER] = "hier", [CHECK_COUNT] = "count",
};

const char *const check_ops[CHECK_OPS] = {
	[CHECK_BELOW] = "<", [CHECK_AT_MOST] = "<=", [CHECK_ABOVE] = ">", [CHECK_AT_LEAST] = ">=",
};

const char *const check_verdicts[] = {
	[CHECK_HOLDS] = "holds", [CHECK_NOT_KNOWN] = "not known", [CHECK_FAILS] = "does not hold",
};

const struct check_unit_def check_units[CHECK_UNITS] = {
	[CHECK_NS] = { "ns", "ns", 1 },
	[CHECK_US] = { "µs", "us", 1000 },
	[CHECK_MS] = { "ms", "ms", 1000000 },
	[CHECK_S] = { "s", "s", 1000000000 },
	[CHECK_ONE] = { "", "", 1 },
	[CHECK_KIB] = { "K", "K", 1 << 10 },
	[CHECK_MIB] = { "M", "M", 1 << 20 },
	[CHECK_GIB] = { "G", "G", 1 << 30 },
};

struct parser {
	const char *text, *at;
	char *why;
	size_t why_size;
};

/* A piece of the text. */
struct word {
	const char *begin;
	size_t length;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(struct parser *p)
{
	while (is_blank(*p->at))
		p->at++;
}

/* The number of the character at a place, from 1. */
static unsigned place_of(const struct parser *p, const char *at)
{
	unsigned place = 1;

	for (const char *c = p->text; c < at; c++)
		place += ((unsigned char)*c & 0xc0) != 0x80;
	return place;
}

/* `at 5, 'q99': ...`; a word without length: `at the end: ...`. Returns false. */
static bool __attribute__((format(printf, 3, 4))) refuse(struct parser *p, struct word word,
							 const char *format, ...)
{
	char *shown = name_escape(word.begin, word.length);
	int length;
	va_list args;

	if (!word.length && !*word.begin)
		length = snprintf(p->why, p->why_size, "at the end: ");
	else
		length = snprintf(p->why, p->why_size, "at character %u, '%.*s': ", place_of(p, word.begin),
				  shown ? (int)text_clip(shown, WORD_SHOWN, NULL) : 1,
				  shown ? shown : "?");
	free(shown);
	if (length >= 0 && (size_t)length < p->why_size) {
		va_start(args, format);
		vsnprintf(p->why + length, p->why_size - (size_t)length, format, args);
		va_end(args);
	}
	return false;
}

/* The word at the next character that is none: up to a blank, a comma or an operator. */
static struct word next_word(struct parser *p)
{
	struct word word;

	skip_blanks(p);
	word = (struct word){ p->at, strcspn(p->at, " \t\r\n,<>=") };
	return word;
}

/* The wrong word, for the message: at least one character. */
static struct word wrong_word(struct parser *p)
{
	struct word word = next_word(p);

	if (!word.length && *word.begin)
		word.length = 1;
	return word;
}

static bool word_is(struct word word, const char *text)
{
	return word.length == strlen(text) && !memcmp(word.begin, text, word.length);
}

/* Numbers */

struct number {
	uint64_t whole, part; /* part / scale is behind the point */
	uint64_t scale;
};

/* Digits, perhaps with a point in them. The text behind them; NULL: there is no number, or one of too many digits. */
static const char *take_number(const char *at, struct number *n)
{
	int digits = 0, decimals = 0;

	*n = (struct number){ .scale = 1 };
	for (; *at >= '0' && *at <= '9' && digits <= DIGITS_MOST; at++, digits++)
		n->whole = n->whole * 10 + (uint64_t)(*at - '0');
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9' && decimals <= DIGITS_MOST; at++, decimals++) {
			n->part = n->part * 10 + (uint64_t)(*at - '0');
			n->scale *= 10;
		}
	return digits > DIGITS_MOST || decimals > DIGITS_MOST || !(digits + decimals) ? NULL : at;
}

enum fit { FITS, TOO_LARGE, TOO_FINE };

/* The number times `of`, which has to be an integer. */
static enum fit multiply_number(const struct number *n, int64_t of, int64_t most, int64_t *out)
{
	__int128 whole = (__int128)n->whole * of, part = (__int128)n->part * of;

	if (part % (__int128)n->scale)
		return TOO_FINE;
	whole += part / (__int128)n->scale;
	if (whole > most)
		return TOO_LARGE;
	*out = (int64_t)whole;
	return FITS;
}

/* Pieces of a condition */

static bool take_name(struct parser *p, struct check_condition *c)
{
	struct word name;
	char quote;

	skip_blanks(p);
	quote = *p->at;
	if (quote == '"' || quote == '\'') {
		const char *end = strchr(++p->at, quote);

		if (!end)
			return refuse(p, (struct word){ p->at - 1, strlen(p->at - 1) }, "the closing quote is "
			    "missing");
		name = (struct word){ p->at, (size_t)(end - p->at) };
		p->at = end + 1;
	} else {
		name = (struct word){ p->at, strcspn(p->at, " \t\r\n") };
		p->at += name.length;
	}
	if (!name.length)
		return refuse(p, name, "a zone's name has to follow 'zone'");
	c->zone = strndup(name.begin, name.length);
	if (!c->zone)
		snprintf(p->why, p->why_size, "out of memory");
	return c->zone;
}

/* `zone NAME`, and which of its quantities. */
static bool take_zone(struct parser *p, struct check_condition *c)
{
	struct word word = next_word(p);

	c->measure = CHECK_FRAME;
	if (!word_is(word, "zone"))
		return true;
	p->at += word.length;
	if (!take_name(p, c))
		return false;
	c->measure = CHECK_HIER;
	word = next_word(p);
	for (enum check_measure m = CHECK_SELF; m <= CHECK_COUNT; m++)
		if (word_is(word, check_measures[m])) {
			c->measure = m;
			p->at += word.length;
		}
	return true;
}

static bool is_stat(struct word word)
{
	return word_is(word, "min") || word_is(word, "mean") || word_is(word, "median") || word_is(word, "max") ||
	       (word.length > 1 && *word.begin == 'p' && strchr("0123456789.", word.begin[1]));
}

/* A word is the key of a measure if what follows it can only be a statistic. */
static bool take_measure(struct parser *p, struct check_condition *c)
{
	struct parser behind = *p;
	struct word key = next_word(&behind);

	behind.at = key.begin + key.length;
	if (!key.length || is_stat(key) || c->measure == CHECK_COUNT || !is_stat(next_word(&behind)))
		return true;
	p->at = key.begin + key.length;
	c->key = strndup(key.begin, key.length);
	if (!c->key)
		snprintf(p->why, p->why_size, "out of memory");
	return c->key;
}

/* `p99.9`: above 0, 100 at most. */
static bool take_rank(struct parser *p, struct word word, struct check_condition *c)
{
	struct number n;
	int64_t rank = 0;
	const char *end = take_number(word.begin + 1, &n);

	if (!end || end != word.begin + word.length)
		return refuse(p, word, "a percentile is p and a number, for example p99 or p99.9");
	switch (multiply_number(&n, RANK_ALL / 100, RANK_ALL, &rank)) {
	case TOO_FINE:
		return refuse(p, word, "a percentile has six decimals at most");
	case TOO_LARGE:
		return refuse(p, word, "a percentile is 100 at most");
	case FITS:
		break;
	}
	if (!rank)
		return refuse(p, word, "a percentile is above 0");
	c->stat = CHECK_RANK;
	c->rank = (uint32_t)rank;
	return true;
}

static bool take_stat(struct parser *p, struct check_condition *c)
{
	struct word word = next_word(p);

	if (word_is(word, "median")) {
		c->stat = CHECK_RANK;
		c->rank = RANK_ALL / 2;
	} else if (word_is(word, "min")) {
		c->stat = CHECK_MIN;
	} else if (word_is(word, "mean")) {
		c->stat = CHECK_MEAN;
	} else if (word_is(word, "max")) {
		c->stat = CHECK_MAX;
	} else if (word.length > 1 && *word.begin == 'p' && strchr("0123456789.", word.begin[1])) {
		if (!take_rank(p, word, c))
			return false;
	} else {
		return refuse(p, wrong_word(p), c->zone ? "after the zone, write self, hier or count, then min, "
		                                          "mean, median, max or a percentile such as p99"
							 : "a condition begins with zone NAME, or with min, mean, "
							   "median, max or a percentile such as p99");
	}
	if (word.length >= sizeof(c->stat_text))
		return refuse(p, word, "the number has too many digits");
	memcpy(c->stat_text, word.begin, word.length);
	p->at += word.length;
	return true;
}

static bool take_op(struct parser *p, struct check_condition *c)
{
	struct word op;

	skip_blanks(p);
	op = (struct word){ p->at, strspn(p->at, "<>=") };
	for (c->op = 0; c->op < CHECK_OPS; c->op++)
		if (word_is(op, check_ops[c->op])) {
			p->at += op.length;
			return true;
		}
	return refuse(p, op.length ? op : wrong_word(p), "expected one of < <= > >=");
}

/* The unit's number; CHECK_UNITS: it is none. */
static enum check_unit unit_of(struct word word)
{
	enum check_unit unit = 0;

	if (word_is(word, "μs")) /* the Greek letter; the other one is the sign of the unit */
		return CHECK_US;
	while (unit < CHECK_UNITS && !word_is(word, check_units[unit].name) && !word_is(word, check_units[unit].ascii))
		unit++;
	return unit;
}

/* Reads the unit of a limit. *of: one of the unit, in thousandths of what is measured. */
static bool take_unit(struct parser *p, struct check_condition *c, int64_t *of)
{
	struct word word = next_word(p);

	*of = 1000;
	if (c->measure == CHECK_COUNT) {
		c->unit = CHECK_ONE;
		return !word.length || refuse(p, word, "a count has no unit");
	}
	c->unit = unit_of(word);
	if (!c->key && c->unit >= CHECK_TIMES)
		return refuse(p, wrong_word(p), "a time needs its unit: ns, us, ms or s");
	if (c->unit == CHECK_UNITS)
		return refuse(p, wrong_word(p), "an amount has one of the units ns us ms s K M G, or none");
	*of *= check_units[c->unit].of;
	p->at += word.length;
	return true;
}

static bool take_limit(struct parser *p, struct check_condition *c)
{
	struct number n;
	struct word value = { p->at, 0 };
	const char *end;
	int64_t of;

	skip_blanks(p);
	value.begin = p->at;
	end = take_number(p->at, &n);
	if (!end)
		return refuse(p, wrong_word(p), "expected a number such as 16.7, of 18 digits at most");
	value.length = (size_t)(end - p->at);
	p->at = end;
	if (!take_unit(p, c, &of))
		return false;
	switch (multiply_number(&n, of, INT64_MAX, &c->limit)) {
	case TOO_FINE:
		return refuse(p, value, "the number is finer than a thousandth of %s",
			      check_is_time(c) ? "a nanosecond" : c->key ? "one" : "an entry");
	case TOO_LARGE:
		return refuse(p, value, "the number is too large");
	case FITS:
		break;
	}
	if (value.length >= sizeof(c->limit_text))
		return refuse(p, value, "the number has too many digits");
	memcpy(c->limit_text, value.begin, value.length);
	return true;
}

static bool take_condition(struct parser *p, struct check_condition *c)
{
	return take_zone(p, c) && take_measure(p, c) && take_stat(p, c) && take_op(p, c) && take_limit(p, c);
}

/* True if another condition follows. *good: what is there is right. */
static bool take_comma(struct parser *p, bool *good)
{
	skip_blanks(p);
	if (*p->at == ',') {
		p->at++;
		return true;
	}
	if (*p->at)
		*good = refuse(p, wrong_word(p), "separate conditions by a comma");
	return false;
}

struct check_condition *check_parse(const char *text, uint32_t *count, char *why, size_t why_size)
{
	struct parser p = { .text = text, .at = text, .why = why, .why_size = why_size };
	struct check_condition *conditions = array_zeroed(CHECK_CONDITIONS, sizeof(*conditions));
	bool good = conditions, more = good;

	*count = 0;
	if (!conditions)
		snprintf(why, why_size, "out of memory");
	while (more && good) {
		if (*count == CHECK_CONDITIONS)
			good = refuse(&p, wrong_word(&p), "at most %u conditions are allowed", CHECK_CONDITIONS);
		else
			good = take_condition(&p, &conditions[(*count)++]);
		more = good && take_comma(&p, &good);
	}
	if (good)
		return conditions;
	check_forget(conditions, *count);
	return NULL;
}

void check_forget(struct check_condition *conditions, uint32_t count)
{
	for (uint32_t i = 0; conditions && i < count; i++) {
		free(conditions[i].zone);
		free(conditions[i].key);
	}
	free(conditions);
}
