/* SPDX-License-Identifier: MIT */
#include "io/import/parse_json.h"

static void say_bad(struct parse_json *p)
{
	anomaly_add(p->i->anomalies, p->over ? ANOMALY_REST : ANOMALY_SYNTAX, p->place);
}

/* Gives YAJL all bytes at hand, but for the first `again`, which it already
 * has. False: it is no JSON any more. */
static bool tell_all(struct parse_json *p, size_t again)
{
	struct input *in = &p->i->in;
	const uint8_t *from = in->at + again;

	while (!parse_piece(p, from, (size_t)(in->end - from), input_offset(in, from))) {
		bool seen = p->place >= input_offset(in, in->at);

		if (seen)
			in->at = in->end - (input_offset(in, in->end) - p->place);
		if (p->over || !mend_json(p, seen)) {
			say_bad(p);
			return false;
		}
		from = in->at;
	}
	return true;
}

/* Keeps the bytes behind the last token, as they may have to be mended: at most
 * half of the space. Returns how many. */
static size_t stays(struct parse_json *p)
{
	struct input *in = &p->i->in;
	uint64_t untold = input_offset(in, in->end) - p->place;

	if (untold > INPUT_ROOM / 2)
		untold = 0;
	in->at = in->end - untold;
	return untold;
}

static bool tell(struct parse_json *p, bool open_end)
{
	struct importing *i = p->i;
	size_t again = 0;

	do {
		if (!tell_all(p, again)) {
			i->in.at = i->in.end;
			return p->any;
		}
		again = stays(p);
		if (input_offset(&i->in, i->in.end) - p->place > PARSE_TOKEN_MOST) {
			anomaly_add(i->anomalies, ANOMALY_LONG, p->place);
			return p->any;
		}
	} while (import_more(i));
	if (!p->over && (!open_end || !p->any))
		import_cut(i, i->in.ahead);
	return p->any;
}

bool parse_json(struct importing *i, const struct parse_events *events, void *context, bool open_end)
{
	struct parse_json p = { .i = i, .events = events, .context = context,
				.place = input_offset(&i->in, i->in.at) };
	bool done = parse_again(&p) && tell(&p, open_end);

	parse_end(&p);
	if (p.failed)
		return import_refuses(i, "out of memory");
	return done || import_refuses(i, "it is not JSON");
}
