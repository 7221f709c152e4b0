/* SPDX-License-Identifier: MIT */
/*
 * json_tokens: runs YAJL, and passes its tokens on (parse_json.h).
 */
#include "io/import/parse_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>

/* Notes that YAJL told a token, and where it ends. */
static struct parse_json *note_token(void *context)
{
	struct parse_json *p = context;

	p->any = true;
	p->after_key = false;
	p->place = p->base + yajl_get_bytes_consumed(p->handle);
	return p;
}

static int open_bracket(struct parse_json *p, bool array)
{
	if (++p->depth > PARSE_DEPTH) {
		p->too_deep = true;
		return 0;
	}
	p->is_array[p->depth] = array;
	if (p->events->opens(p->context, p, array))
		p->records = p->depth;
	return 1;
}

static int close_bracket(struct parse_json *p, bool array)
{
	p->depth--;
	p->over = !p->depth;
	if (p->depth < p->records)
		p->records = 0;
	p->events->closes(p->context, p, array);
	return 1;
}

static int map_opens(void *context)
{
	return open_bracket(note_token(context), false);
}

static int map_closes(void *context)
{
	return close_bracket(note_token(context), false);
}

static int array_opens(void *context)
{
	return open_bracket(note_token(context), true);
}

static int array_closes(void *context)
{
	return close_bracket(note_token(context), true);
}

static int on_key(void *context, const unsigned char *text, size_t size)
{
	struct parse_json *p = note_token(context);

	p->after_key = true;
	p->events->key(p->context, p, (const char *)text, size);
	return 1;
}

static int on_text(void *context, const unsigned char *bytes, size_t size)
{
	struct parse_json *p = note_token(context);

	p->events->text(p->context, p, (const char *)bytes, size);
	return 1;
}

static int on_number(void *context, const char *digits, size_t size)
{
	struct parse_json *p = note_token(context);

	p->events->number(p->context, p, digits, size);
	return 1;
}

static int on_other(void *context)
{
	struct parse_json *p = note_token(context);

	p->events->other(p->context, p);
	return 1;
}

static int on_truth(void *context, int value)
{
	(void)value;
	return on_other(context);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_other, .yajl_boolean = on_truth, .yajl_number = on_number, .yajl_string = on_text,
	.yajl_start_map = map_opens, .yajl_map_key = on_key, .yajl_end_map = map_closes,
	.yajl_start_array = array_opens, .yajl_end_array = array_closes,
};

bool parse_piece(struct parse_json *p, const void *bytes, size_t size, uint64_t place)
{
	p->base = place;
	return yajl_parse(p->handle, bytes, size) == yajl_status_ok;
}

/* YAJL gets the brackets that are open. It keeps a pointer to its callbacks:
 * they are set behind that, so that nobody hears of the brackets again. */
bool parse_again(struct parse_json *p)
{
	yajl_callbacks *live = p->live ? p->live : malloc(sizeof *live);
	char open[4 * PARSE_DEPTH + 1];
	size_t size = 0;

	for (uint32_t depth = 1; depth <= p->depth; depth++)
		size += (size_t)snprintf(open + size, sizeof open - size, "%s",
					 p->is_array[depth] ? "[" : depth < p->depth || p->after_key ? "{\"\":" : "{");
	p->live = live;
	if (p->handle)
		yajl_free(p->handle);
	if (live)
		*live = (yajl_callbacks){ 0 };
	p->handle = live ? yajl_alloc(live, NULL, p) : NULL;
	if (!p->handle) {
		p->failed = true;
		return false;
	}
	yajl_config(p->handle, yajl_dont_validate_strings, 1);
	yajl_parse(p->handle, (const unsigned char *)open, size);
	*live = callbacks;
	return true;
}

void parse_end(struct parse_json *p)
{
	if (p->handle)
		yajl_free(p->handle);
	free(p->live);
}

const char *import_json_library(char *out, size_t size)
{
	int version = yajl_version();

	snprintf(out, size, "yajl %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
	return out;
}
