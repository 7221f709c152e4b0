/* SPDX-License-Identifier: MIT */
/*
 * Trace events in JSON, as Chrome and many others write them: an array of objects, or an object with that array as its
 * member traceEvents. Times are microseconds, with decimals: nanoseconds here. Events may be in any order.
 *
 *     B E    a zone is entered, left            i I R   an event
 *     X      a whole call: ts, dur              C       counters: each number of args
 *     M      process_name, thread_name          others  are counted, and have no place here
 *
 * The members of an event may be in any order, so all that may be needed is kept until it ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/number.h"
#include "io/import/parse_json.h"
#include "model/base/array.h"
#include "model/base/format.h"

#define DECIMALS 3 /* of a microsecond */
#define VALUES 64u
#define KEY_MOST 255u
#define NUMBER_MOST 63u

enum member { OTHER, PHASE, NAME, TIME, DURATION, PROCESS, THREAD, ARGUMENTS, MEMBERS };

static const struct {
	const char *key;
	enum member member;
} members[] = { { "ph", PHASE },    { "name", NAME },   { "ts", TIME },       { "dur", DURATION },
		{ "pid", PROCESS }, { "tid", THREAD }, { "args", ARGUMENTS } };

struct text {
	char at[NAME_MOST + 1];
	size_t size; /* cut where it is more than fits */
};

struct argument {
	char key[KEY_MOST + 1], number[NUMBER_MOST + 1];
};

/* A process or a thread is called by a number, or by a text: then value is the trace's name. */
struct id {
	uint64_t value;
	bool text;
};

/* A thread, or a process. */
struct who {
	uint32_t process, thread; /* ids */
	uint32_t name;  /* NAMES_NONE */
	uint32_t trace; /* the trace's thread; NAMES_NONE: it has no event */
};

struct chrome {
	struct importing *i;
	struct trace *t;
	uint32_t inside; /* depth of the array of events; 0: not in it */
	bool any_events, wants_events; /* there was such an array; its key was the last one */

	/* the event */
	enum member member;
	bool in_event, in_arguments;
	uint64_t place;
	char phase;
	bool has[MEMBERS], bad;
	int64_t time, duration;
	uint32_t process, thread; /* ids */
	struct text name, argument_name;
	bool is_name; /* of args */
	char key[KEY_MOST + 1];
	struct argument arguments[VALUES];
	uint32_t argument_count;

	struct who *who, *processes;
	uint32_t who_count, who_capacity, process_count, process_capacity;
	struct ids who_ids, process_ids;
	uint32_t last_process, last_thread;
	uint32_t last_who;
	struct id *ids; /* the first one is the number 0: of who says nothing */
	uint32_t id_count, id_capacity;
	struct ids id_ids;
	bool failed;
};

static void put(struct text *to, const char *bytes, size_t size)
{
	to->size = size < sizeof to->at ? size : sizeof to->at;
	memcpy(to->at, bytes, to->size);
}

/* Who it is */

static uint32_t id_of(struct chrome *x, uint64_t value, bool text, uint32_t last)
{
	uint32_t *at;

	if (last < x->id_count && x->ids[last].value == value && x->ids[last].text == text)
		return last;
	at = ids_at(&x->id_ids, value, text);
	if (!at) {
		x->failed = true;
		return 0;
	}
	if (*at == NAMES_NONE) {
		if (!array_reserve(&x->ids, &x->id_capacity, (uint64_t)x->id_count + 1, sizeof(*x->ids))) {
			x->id_ids.count--;
			x->failed = true;
			return 0;
		}
		x->ids[x->id_count] = (struct id){ value, text };
		*at = x->id_count++;
	}
	return *at;
}

static uint32_t who_of(struct chrome *x, struct ids *ids, struct who **list, uint32_t *count, uint32_t *capacity,
		       uint32_t process, uint32_t thread)
{
	uint32_t *at = ids_at(ids, process, thread);

	if (!at) {
		x->failed = true;
		return NAMES_NONE;
	}
	if (*at == NAMES_NONE) {
		if (!array_reserve(list, capacity, (uint64_t)*count + 1, sizeof(**list))) {
			ids->count--;
			x->failed = true;
			return NAMES_NONE;
		}
		(*list)[*count] = (struct who){ process, thread, NAMES_NONE, NAMES_NONE };
		*at = (*count)++;
	}
	return *at;
}

static uint32_t process_of(struct chrome *x)
{
	return who_of(x, &x->process_ids, &x->processes, &x->process_count, &x->process_capacity, x->process, 0);
}

static uint32_t thread_of(struct chrome *x)
{
	if (x->who_count && x->last_process == x->process && x->last_thread == x->thread)
		return x->last_who;
	x->last_who = who_of(x, &x->who_ids, &x->who, &x->who_count, &x->who_capacity, x->process, x->thread);
	x->last_process = x->process;
	x->last_thread = x->thread;
	return x->last_who;
}

/* The trace's thread, by its place here until all ids are known. */
static uint32_t told_thread(struct chrome *x)
{
	uint32_t who = thread_of(x);

	if (who == NAMES_NONE)
		return NAMES_NONE;
	if (x->who[who].trace == NAMES_NONE) {
		process_of(x);
		x->who[who].trace = trace_thread(x->t, who, x->place);
	}
	return x->who[who].trace;
}

/* Events */

static bool is_text(const struct text *text, const char *what)
{
	return text->size == strlen(what) && !memcmp(text->at, what, text->size);
}

static void metadata(struct chrome *x)
{
	uint32_t who;

	if (!x->has[ARGUMENTS] || !x->argument_name.size)
		return;
	if (is_text(&x->name, "process_name") && (who = process_of(x)) != NAMES_NONE)
		x->processes[who].name = trace_name(x->t, x->argument_name.at, x->argument_name.size, x->place);
	else if (is_text(&x->name, "thread_name") && (who = thread_of(x)) != NAMES_NONE)
		x->who[who].name = trace_name(x->t, x->argument_name.at, x->argument_name.size, x->place);
}

static void value(struct chrome *x, const struct argument *a)
{
	char name[2 * NAME_MOST];
	size_t length = strlen(a->number), size;
	uint32_t counter;
	int64_t number;
	double real;

	if (!strcmp(a->key, "value") || is_text(&x->name, a->key))
		size = (size_t)snprintf(name, sizeof name, "%.*s", (int)x->name.size, x->name.at);
	else
		size = (size_t)snprintf(name, sizeof name, "%.*s %s", (int)x->name.size, x->name.at, a->key);
	counter = trace_counter(x->t, name, size, x->place);
	if (number_signed(a->number, length, &number))
		trace_value(x->t, counter, x->time, number);
	else if (format_parse_real(a->number, &real))
		trace_real_value(x->t, counter, x->time, real);
	else
		anomaly_add(x->i->anomalies, ANOMALY_NUMBER, x->place);
}

static uint32_t name_of(struct chrome *x)
{
	return trace_name(x->t, x->name.at, x->name.size, x->place);
}

static void event_told(struct chrome *x)
{
	switch (x->phase) {
	case 'X':
		trace_call(x->t, told_thread(x), name_of(x), x->time, x->has[DURATION] ? x->duration : 0, x->place);
		break;
	case 'B': {
		uint32_t name = name_of(x);

		trace_enter(x->t, told_thread(x), name, name, x->time, TRACE_NO_FRAME, x->place);
		break;
	}
	case 'E':
		trace_leave(x->t, told_thread(x), x->has[NAME] ? name_of(x) : TRACE_UNNAMED, x->time, x->place);
		break;
	case 'i':
	case 'I':
	case 'R':
		trace_event(x->t, told_thread(x), name_of(x), x->time, x->place);
		break;
	case 'C':
		for (uint32_t k = 0; k < x->argument_count; k++)
			value(x, &x->arguments[k]);
		break;
	default:
		break;
	}
}

static void event_ends(struct chrome *x)
{
	x->i->result->records++;
	if (!x->has[PHASE])
		anomaly_add(x->i->anomalies, ANOMALY_RECORD, x->place);
	else if (x->phase == 'M')
		metadata(x);
	else if (!strchr("BEXiIRC", x->phase))
		anomaly_add(x->i->anomalies, ANOMALY_PHASE, x->place);
	else if (x->bad || !x->has[TIME])
		anomaly_add(x->i->anomalies, ANOMALY_NUMBER, x->place);
	else
		event_told(x);
}

static void event_begins(struct chrome *x, uint64_t place)
{
	x->in_event = true;
	x->in_arguments = x->bad = x->is_name = false;
	x->place = place;
	x->member = OTHER;
	x->phase = '?';
	memset(x->has, 0, sizeof x->has);
	x->process = x->thread = 0;
	x->name.size = x->argument_name.size = 0;
	x->argument_count = 0;
}

/* What is read */

static void opens(void *context, const struct parse_json *p, bool array)
{
	struct chrome *x = context;

	if (!x->inside) {
		if (array && (p->depth == 1 || (p->depth == 2 && x->wants_events))) {
			x->inside = p->depth;
			x->any_events = true;
		}
	} else if (p->depth == x->inside + 1) {
		if (array)
			anomaly_add(x->i->anomalies, ANOMALY_RECORD, p->place - 1);
		else
			event_begins(x, p->place - 1);
	} else if (p->depth == x->inside + 2 && x->in_event) {
		x->in_arguments = !array && x->member == ARGUMENTS;
		x->has[x->member] = x->member == ARGUMENTS;
	}
	x->wants_events = false;
}

static void closes(void *context, const struct parse_json *p, bool array)
{
	struct chrome *x = context;

	(void)array;
	if (!x->inside)
		return;
	if (p->depth < x->inside)
		x->inside = 0;
	else if (p->depth == x->inside && x->in_event) {
		event_ends(x);
		x->in_event = false;
	} else if (p->depth == x->inside + 1)
		x->in_arguments = false;
}

static void event_key(struct chrome *x, const char *text, size_t size)
{
	x->member = OTHER;
	for (size_t k = 0; k < sizeof members / sizeof *members; k++)
		if (size == strlen(members[k].key) && !memcmp(text, members[k].key, size))
			x->member = members[k].member;
}

static void argument_key(struct chrome *x, const char *text, size_t size)
{
	x->is_name = size == 4 && !memcmp(text, "name", 4);
	size = size < KEY_MOST ? size : KEY_MOST;
	memcpy(x->key, text, size);
	x->key[size] = '\0';
}

static void key(void *context, const struct parse_json *p, const char *text, size_t size)
{
	struct chrome *x = context;

	if (!x->inside)
		x->wants_events = p->depth == 1 && size == 11 && !memcmp(text, "traceEvents", 11);
	else if (x->in_event && p->depth == x->inside + 1)
		event_key(x, text, size);
	else if (x->in_arguments && p->depth == x->inside + 2 && (!x->has[PHASE] || x->phase == 'C' || x->phase == 'M'))
		argument_key(x, text, size);
}

static void time_member(struct chrome *x, const char *digits, size_t size)
{
	bool rounded = false;

	if (!number_scaled(digits, size, DECIMALS, x->member == TIME ? &x->time : &x->duration, &rounded))
		x->bad = true;
	if (rounded)
		anomaly_add(x->i->anomalies, ANOMALY_ROUNDED, x->place);
	x->has[x->member] = true;
}

/* An id that is no number of 64 bits is a text. */
static void id_member(struct chrome *x, const char *text, size_t size, bool is_text)
{
	uint32_t *id = x->member == PROCESS ? &x->process : &x->thread;
	uint32_t last = x->member == PROCESS ? x->last_process : x->last_thread;
	uint64_t value;

	if (!is_text && number_id(text, size, &value))
		*id = id_of(x, value, false, last);
	else
		*id = id_of(x, trace_name(x->t, text, size, x->place), true, last);
}

/* Something that is neither an event nor in one. */
static bool is_astray(struct chrome *x, const struct parse_json *p)
{
	x->wants_events = false;
	if (x->inside && p->depth == x->inside)
		anomaly_add(x->i->anomalies, ANOMALY_RECORD, p->place);
	return !x->in_event;
}

/* Some have the values of counters as texts. */
static bool is_number(const char *text, size_t size)
{
	return size && (*text == '-' || (*text >= '0' && *text <= '9'));
}

static void argument(struct chrome *x, const char *digits, size_t size)
{
	struct argument *a;

	if ((x->has[PHASE] && x->phase != 'C') || x->argument_count == VALUES || size > NUMBER_MOST)
		return;
	a = &x->arguments[x->argument_count++];
	memcpy(a->key, x->key, strlen(x->key) + 1);
	memcpy(a->number, digits, size);
	a->number[size] = '\0';
}

static void text(void *context, const struct parse_json *p, const char *bytes, size_t size)
{
	struct chrome *x = context;

	if (is_astray(x, p))
		return;
	if (x->in_arguments && p->depth == x->inside + 2 && x->is_name) {
		put(&x->argument_name, bytes, size);
		x->is_name = false;
	}
	if (x->in_arguments && p->depth == x->inside + 2 && is_number(bytes, size))
		argument(x, bytes, size);
	if (p->depth != x->inside + 1)
		return;
	if (x->member == PHASE && size) {
		x->phase = size == 1 && *bytes ? *bytes : '?';
		x->has[PHASE] = true;
	} else if (x->member == NAME) {
		put(&x->name, bytes, size);
		x->has[NAME] = true;
	} else if (x->member == TIME || x->member == DURATION) {
		time_member(x, bytes, size);
	} else if (x->member == PROCESS || x->member == THREAD) {
		id_member(x, bytes, size, true);
	}
}

static void number(void *context, const struct parse_json *p, const char *digits, size_t size)
{
	struct chrome *x = context;

	if (is_astray(x, p))
		return;
	if (x->in_arguments && p->depth == x->inside + 2)
		argument(x, digits, size);
	if (p->depth != x->inside + 1)
		return;
	if (x->member == TIME || x->member == DURATION)
		time_member(x, digits, size);
	else if (x->member == PROCESS || x->member == THREAD)
		id_member(x, digits, size, false);
}

static void other(void *context, const struct parse_json *p)
{
	is_astray(context, p);
}

/* Names of threads, once all are known: that of the process, or its id, in front, where there are several. */

static size_t say(struct chrome *x, char *out, size_t size, uint32_t name, const struct id *id)
{
	int n;

	if (name == NAMES_NONE && id->text)
		name = (uint32_t)id->value;
	n = name != NAMES_NONE ? snprintf(out, size, "%s", trace_text(x->t, name))
			       : snprintf(out, size, "%lld", (long long)id->value);
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

/* Numbers of 32 bits, as they are, make one number of both, which is nobody else's. */
static uint64_t shown_id(const struct id *process, const struct id *thread, bool several, uint32_t index)
{
	if (!several && !thread->text)
		return thread->value;
	if (!process->text && !thread->text && process->value < UINT32_MAX && thread->value <= UINT32_MAX)
		return process->value << 32 | thread->value;
	return UINT64_MAX - index;
}

static void name_thread(struct chrome *x, const struct who *who, bool several)
{
	const struct id *process = &x->ids[who->process], *thread = &x->ids[who->thread];
	uint32_t known = ids_find(&x->process_ids, who->process, 0);
	char name[2 * NAME_MOST + 64];
	size_t size = 0;

	if (several) {
		size = say(x, name, sizeof name - 1, known == NAMES_NONE ? NAMES_NONE : x->processes[known].name, process);
		name[size++] = '/';
	}
	if (several || who->name != NAMES_NONE || thread->text)
		size += say(x, name + size, sizeof name - size, who->name, thread);
	trace_name_thread(x->t, who->trace, name, size, 0);
	trace_show_thread(x->t, who->trace, shown_id(process, thread, several, who->trace),
			  thread->text ? 0 : (int64_t)thread->value);
}

static void name_process(struct chrome *x, uint32_t process)
{
	uint32_t known = ids_find(&x->process_ids, process, 0);
	uint32_t name = known == NAMES_NONE ? NAMES_NONE : x->processes[known].name;
	const struct id *id = &x->ids[process];

	trace_process(x->t, id->text || id->value > INT32_MAX ? 0 : (int64_t)id->value,
		      name == NAMES_NONE ? NULL : trace_text(x->t, name));
}

static void name_threads(struct chrome *x)
{
	bool several = false;
	uint32_t first = NAMES_NONE;

	for (uint32_t k = 0; k < x->who_count; k++)
		if (x->who[k].trace != NAMES_NONE) {
			several |= first != NAMES_NONE && x->who[first].process != x->who[k].process;
			first = k;
		}
	for (uint32_t k = 0; k < x->who_count; k++)
		if (x->who[k].trace != NAMES_NONE)
			name_thread(x, &x->who[k], several);
	if (first != NAMES_NONE && !several)
		name_process(x, x->who[first].process);
}

bool import_chrome(struct importing *i)
{
	static const struct parse_events events = { opens, closes, key, text, number, other };
	struct chrome *x = calloc(1, sizeof(*x));
	char why[8];
	bool done;

	if (!x)
		return import_refuses(i, "out of memory");
	x->i = i;
	x->t = i->trace;
	id_of(x, 0, false, 0);
	done = parse_json(i, &events, x, true);
	if (done && x->in_event && !i->anomalies->counts[ANOMALY_SYNTAX]) /* an array may end anywhere else */
		anomaly_add(i->anomalies, ANOMALY_CUT, i->in.ahead);
	if (done && !x->any_events)
		done = import_refuses(i, "it is JSON, but not a trace: it has no traceEvents");
	if (x->failed)
		done = import_refuses(i, "out of memory");
	if (done && !trace_failed(x->t, why, sizeof why))
		name_threads(x);
	ids_fini(&x->who_ids);
	ids_fini(&x->process_ids);
	ids_fini(&x->id_ids);
	free(x->ids);
	free(x->who);
	free(x->processes);
	free(x);
	return done;
}
