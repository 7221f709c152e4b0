/* SPDX-License-Identifier: MIT */
#include "io/import/import.h"

#include <stdio.h>
#include <string.h>

#include "io/import/import_inside.h"
#include "io/recording/player.h"

#define LINES_LOOKED_AT 1000u

const char *const import_names[IMPORT_KINDS] = {
	[IMPORT_NONE] = "unknown",
	[IMPORT_PACKED] = "packed",
	[IMPORT_TEXT] = "profile-visualiser text",
	[IMPORT_TIMER_JSON] = "perf_timer JSON",
	[IMPORT_TIMER_BINARY] = "perf_timer binary",
	[IMPORT_CHROME] = "Chrome trace JSON",
	[IMPORT_FOLDED] = "folded stacks",
};

static const struct {
	importer *import;
	uint64_t ticks_per_s;
	bool anyhow;
} importers[IMPORT_KINDS] = {
	[IMPORT_TEXT] = { import_text, 1000000, false },
	[IMPORT_TIMER_JSON] = { import_timer_json, 1000000000, false },
	[IMPORT_TIMER_BINARY] = { import_timer_binary, 1000000000, false },
	[IMPORT_CHROME] = { import_chrome, 1000000000, true },
	[IMPORT_FOLDED] = { import_folded, 1000000000, false },
};

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
		at++;
	return at;
}

static bool begins_with(const char *at, const char *end, const char *what)
{
	size_t size = strlen(what);

	return (size_t)(end - at) >= size && !memcmp(at, what, size);
}

/* Whether a string and a colon are here, or as much of them as the bytes
 * hold. */
static bool is_member(const char *at, const char *end)
{
	if (at < end && *at++ != '"')
		return false;
	for (; at < end && *at != '"'; at++)
		at += *at == '\\' && at + 1 < end;
	at = at < end ? skip_space(at + 1, end) : end;
	return at == end || *at == ':';
}

/* Whether an object begins here. An empty one has to be all there is if it is
 * `alone`, else an element of an array. */
static bool is_object(const char *at, const char *end, bool alone)
{
	do
		at = skip_space(at + 1, end);
	while (at < end && *at == ',');
	if (at == end || *at != '}')
		return is_member(at, end);
	at = skip_space(at + 1, end);
	return !alone ? at == end || *at == ',' || *at == ']' : at == end;
}

/* Recognises an object, an array of objects, or an array of arrays of numbers.
 * A folded stack may also begin with [ or {. */
static enum import_kind json_kind(const char *at, const char *end)
{
	bool any = false;

	if (*at == '{')
		return is_object(at, end, true) ? IMPORT_CHROME : IMPORT_NONE;
	do
		at = skip_space(at + 1, end);
	while (at < end && *at == ',');
	if (at == end || (*at == ']' && skip_space(at + 1, end) == end))
		return IMPORT_CHROME;
	if (*at == '{')
		return is_object(at, end, false) ? IMPORT_CHROME : IMPORT_NONE;
	if (*at != '[')
		return IMPORT_NONE;
	at = skip_space(at + 1, end);
	while (at < end && (*at == '-' || (*at >= '0' && *at <= '9')))
		any = true, at++;
	at = skip_space(at, end);
	return at == end || (any && *at == ',') ? IMPORT_TIMER_JSON : IMPORT_NONE;
}

/* Half of the lines are text, or more than half are folded stacks. Else any
 * line of text decides. */
static enum import_kind lines_kind(const char *bytes, size_t size)
{
	uint32_t lines, text = import_count_lines(bytes, size, LINES_LOOKED_AT, text_is, &lines), folded;

	if (text && text >= lines - text)
		return IMPORT_TEXT;
	folded = import_count_lines(bytes, size, LINES_LOOKED_AT, folded_is, &lines);
	if (folded > lines - folded)
		return IMPORT_FOLDED;
	return text ? IMPORT_TEXT : IMPORT_NONE;
}

/* Whether there are control characters that are in no text. A NUL may be in a name: PHP puts one into those of anonymous
 * classes. */
static bool has_controls(const char *at, const char *end)
{
	while (at < end && (!*at || (unsigned char)*at >= ' ' || strchr("\t\r\n", *at)))
		at++;
	return at < end;
}

enum import_kind import_recognise(const void *bytes, size_t size)
{
	const char *at = bytes, *end = at + size;
	enum import_kind kind = IMPORT_NONE;

	if (input_is_packed(bytes, size) != INPUT_PLAIN || input_encoding(bytes, size) != INPUT_BYTES)
		return IMPORT_PACKED;
	if (size >= 4 && !memcmp(bytes, "\x57\xfa\0\0", 4))
		return IMPORT_TIMER_BINARY;
	if (begins_with(at, end, "\xef\xbb\xbf"))
		at += 3;
	bytes = at;
	at = skip_space(at, end);
	if (at == end)
		return IMPORT_NONE;
	if (*at == '[' || *at == '{')
		kind = json_kind(at, end);
	if (kind != IMPORT_NONE)
		return kind;
	if (memchr(bytes, '\0', (size_t)(end - (const char *)bytes)) && !text_is(at, (size_t)(end - at)) && has_controls(bytes, end))
		return IMPORT_NONE;
	return lines_kind(bytes, (size_t)(end - (const char *)bytes));
}

/* The format must be recognised before anything else is read. */
static bool recognise_input(struct importing *i)
{
	enum import_kind kind = import_recognise(i->in.at, (size_t)(i->in.end - i->in.at));

	i->result->kind = kind;
	if (i->in.at == i->in.end)
		return import_refuses(i, i->abandoned ? TRACE_ABANDONED : i->in.lost ? i->in.why : "it is empty");
	if (player_recognises(i->in.at, (size_t)(i->in.end - i->in.at)))
		return import_refuses(i, "it is a packed recording. Unpack it first (recordings are packed inside "
		                         "already)");
	if (kind == IMPORT_PACKED)
		return import_refuses(i, "it is packed or encoded more than once. Unpack it first");
	if (kind == IMPORT_NONE && i->in.lost)
		return import_refuses(i, i->in.why);
	if (kind == IMPORT_NONE)
		return import_refuses(i, "it is not a known trace. proftop reads profile-visualiser text, "
		                         "perf_timer JSON or binary, Chrome trace JSON, folded stacks");
	if (i->in.end - i->in.at >= 3 && !memcmp(i->in.at, "\xef\xbb\xbf", 3))
		i->in.at += 3;
	return true;
}

static bool read_records(struct importing *i, struct import_output *out)
{
	struct import_result *r = i->result;

	if (!importers[r->kind].import(i))
		return false;
	if (i->abandoned)
		return import_refuses(i, TRACE_ABANDONED);
	if (i->in.failed || trace_failed(i->trace, r->why, sizeof r->why)) {
		if (i->in.failed)
			import_refuses(i, i->in.why);
		return false;
	}
	if (i->in.lost)
		import_cut(i, i->anomalies->lines ? r->records : i->in.ahead);
	if (i->in.rest)
		anomaly_add(i->anomalies, ANOMALY_REST, i->anomalies->lines ? r->records : i->in.ahead);
	if (!r->records)
		return import_lacks(i, "it has no records");
	trace_finish(i->trace, out);
	return !trace_failed(i->trace, r->why, sizeof r->why);
}

static bool is_wanted(void *context)
{
	return import_goes_on(context);
}

bool import_convert(int fd, const struct import_options *options, struct import_output *out, struct import_result *result)
{
	struct importing i = { .options = options, .result = result, .anomalies = &result->anomalies };
	bool done = false;

	*result = (struct import_result){ 0 };
	if (!input_open(&i.in, fd, is_wanted, &i)) {
		import_refuses(&i, i.in.why);
	} else if (recognise_input(&i)) {
		i.trace = trace_new(options, i.anomalies, importers[result->kind].ticks_per_s,
				    importers[result->kind].anyhow);
		done = i.trace ? read_records(&i, out) : import_refuses(&i, "out of memory");
	}
	result->bytes = i.in.ahead;
	trace_free(i.trace);
	input_close(&i.in);
	return done;
}
