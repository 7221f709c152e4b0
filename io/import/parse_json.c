/* SPDX-License-Identifier: MIT */
#include "io/import/parse_json.h"

#include <stdio.h>
#include <yajl/yajl_parse.h>

/* Behind a token. Only the few that ask for it pay for it. */
static struct parse_json *told(void *context)
{
	struct parse_json *p = context;

	p->told++;
	p->place = p->base + yajl_get_bytes_consumed(p->handle);
	return p;
}

static int opens(struct parse_json *p, bool array)
{
	if (++p->depth > PARSE_DEPTH) {
		p->too_deep = true;
		return 0;
	}
	p->events->opens(p->context, p, array);
	return 1;
}

static int closes(struct parse_json *p, bool array)
{
	p->depth--;
	p->over = !p->depth;
	p->events->closes(p->context, p, array);
	return 1;
}

static int map_opens(void *context)
{
	return opens(told(context), false);
}

static int map_closes(void *context)
{
	return closes(told(context), false);
}

static int array_opens(void *context)
{
	return opens(told(context), true);
}

static int array_closes(void *context)
{
	return closes(told(context), true);
}

static int key(void *context, const unsigned char *text, size_t size)
{
	struct parse_json *p = told(context);

	p->events->key(p->context, p, (const char *)text, size);
	return 1;
}

static int text(void *context, const unsigned char *bytes, size_t size)
{
	struct parse_json *p = told(context);

	p->events->text(p->context, p, (const char *)bytes, size);
	return 1;
}

static int number(void *context, const char *digits, size_t size)
{
	struct parse_json *p = told(context);

	p->events->number(p->context, p, digits, size);
	return 1;
}

static int nothing(void *context)
{
	struct parse_json *p = told(context);

	p->events->other(p->context, p);
	return 1;
}

static int truth(void *context, int value)
{
	(void)value;
	return nothing(context);
}

static const yajl_callbacks callbacks = {
	.yajl_null = nothing, .yajl_boolean = truth, .yajl_number = number, .yajl_string = text,
	.yajl_start_map = map_opens, .yajl_map_key = key, .yajl_end_map = map_closes,
	.yajl_start_array = array_opens, .yajl_end_array = array_closes,
};

/* Everybody who writes events as they come leaves a comma behind the last one. */
static bool is_last_comma(const struct parse_json *p, const uint8_t *bytes, size_t consumed)
{
	size_t at = consumed;

	if (!at || at > (size_t)(p->i->in.end - bytes) || bytes[at - 1] != ']')
		return false;
	for (at--; at; at--)
		if (bytes[at - 1] != ' ' && bytes[at - 1] != '\n' && bytes[at - 1] != '\r' && bytes[at - 1] != '\t')
			return bytes[at - 1] == ',';
	return true; /* of the piece before nothing is known any more */
}

static void say_bad(struct parse_json *p, const uint8_t *bytes, bool open_end)
{
	size_t consumed = yajl_get_bytes_consumed(p->handle);

	if (open_end && !p->over && !p->too_deep && is_last_comma(p, bytes, consumed))
		return;
	anomaly_add(p->i->anomalies, p->over ? ANOMALY_REST : ANOMALY_SYNTAX, p->base + consumed);
}

static bool tell(struct parse_json *p, bool open_end)
{
	struct importing *i = p->i;
	uint64_t told_before = 0, told_at = 0;

	do {
		const uint8_t *bytes = i->in.at;
		size_t size = (size_t)(i->in.end - bytes);
		yajl_status status;

		p->base = input_offset(&i->in, bytes);
		status = yajl_parse(p->handle, bytes, size);
		if (status != yajl_status_ok) {
			say_bad(p, bytes, open_end);
			i->in.at = i->in.end;
			return p->told;
		}
		i->in.at = i->in.end;
		if (p->told != told_before) {
			told_before = p->told;
			told_at = p->base + size;
		} else if (p->base + size - told_at > PARSE_TOKEN_MOST) {
			anomaly_add(i->anomalies, ANOMALY_SYNTAX, told_at);
			return p->told;
		}
	} while (import_more(i));
	if (!p->over && (!open_end || !p->told))
		anomaly_add(i->anomalies, ANOMALY_CUT, i->in.ahead);
	return p->told;
}

bool parse_json(struct importing *i, const struct parse_events *events, void *context, bool open_end)
{
	struct parse_json p = { .i = i, .events = events, .context = context };
	bool done;

	p.handle = yajl_alloc(&callbacks, NULL, &p);
	if (!p.handle)
		return import_refuses(i, "out of memory");
	yajl_config(p.handle, yajl_dont_validate_strings, 1);
	done = tell(&p, open_end);
	yajl_free(p.handle);
	return done || import_refuses(i, "it is not JSON");
}
