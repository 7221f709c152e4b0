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
#include <math.h>
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

enum member { OTHER, PHASE, NAME, TIME, DURATION, PROCESS, THREAD, ARGUMENTS, ID, ID2, SCOPE, MEMBERS };

static const struct {
	char key[8];
	size_t size;
	enum member member;
} members[] = { { "ph", 2, PHASE },    { "name", 4, NAME },  { "ts", 2, TIME },        { "dur", 3, DURATION },
		{ "pid", 3, PROCESS }, { "tid", 3, THREAD }, { "args", 4, ARGUMENTS }, { "id", 2, ID },
		{ "id2", 3, ID2 },     { "s", 1, SCOPE } };

/* Whether an event has a member. ODD: it has a type that the member cannot
 * have. */
enum has { ABSENT, GOOD, ODD };

struct text {
	char at[NAME_MOST + 1];
	size_t size; /* cut where it is more than fits */
};

struct argument {
	char key[KEY_MOST + 1], number[NUMBER_MOST + 1];
};

enum id_kind { ID_NUMBER, ID_BELOW_0, ID_TEXT };

/* The id of a process or a thread. The value of an ID_TEXT is a name of the
 * trace. */
struct id {
	uint64_t value;
	enum id_kind kind;
};

/* A thread, or a process. */
struct who {
	uint32_t process, thread; /* ids */
	uint32_t name;  /* TRACE_NONE */
	uint32_t trace; /* the trace's thread, or a process's first one; TRACE_NONE: it has no event */
	bool scoped;    /* all its events are instants of the process, or global ones */
};

struct counter {
	uint32_t process; /* id; TRACE_NONE: not known */
	uint32_t event, id, argument; /* texts of the file; TRACE_NONE: it has none */
	uint32_t name, trace; /* the name that is made of them */
	uint32_t process_name;
};

struct chrome {
	struct importing *i;
	struct trace *t;
	uint32_t inside; /* depth of the array of events; 0: not in it */
	bool any_events, wants_events; /* there was such an array; its key was the last one */
	bool has_key;                  /* there was such a key, whatever its value is */

	/* the event */
	enum member member;
	bool in_event, in_arguments, in_id;
	bool is_empty; /* it has no members so far */
	uint64_t place;
	char phase, scope;
	uint8_t has[MEMBERS];
	int64_t time, duration;
	uint32_t process, thread; /* ids */
	struct text name, argument_name, id;
	bool is_name, named; /* the next argument is `name`; there was one */
	bool unread;         /* in a member beside the events that is not read */
	char key[KEY_MOST + 1];
	struct argument arguments[VALUES];
	uint32_t argument_count;

	struct who *who, *processes;
	uint32_t who_count, who_capacity, process_count, process_capacity;
	struct lookup threads_by_ids, processes_by_id;
	uint32_t last_process, last_thread;
	uint32_t last_who;
	struct id *ids; /* the first one is the number 0: of who says nothing */
	uint32_t id_count, id_capacity;
	struct lookup ids_by_value;
	struct counter *counters;
	uint32_t counter_count, counter_capacity;
	struct lookup counters_by_text;
	uint32_t first; /* the first thread of the trace; TRACE_NONE */
	bool failed;
};

static void put_text(struct text *to, const char *bytes, size_t size)
{
	to->size = size < sizeof to->at ? size : sizeof to->at;
	memcpy(to->at, bytes, to->size);
}

/* Who it is */

static bool same_id(const void *context, uint32_t index, const void *wanted)
{
	const struct id *id = &((const struct chrome *)context)->ids[index], *like = wanted;

	return id->value == like->value && id->kind == like->kind;
}

static uint32_t id_of(struct chrome *x, uint64_t value, enum id_kind kind, uint32_t last)
{
	const struct id id = { value, kind };
	uint32_t hash, found;

	if (last < x->id_count && same_id(x, last, &id))
		return last;
	hash = lookup_hash_pair(value, kind);
	found = lookup_find(&x->ids_by_value, hash, same_id, x, &id);
	if (found != LOOKUP_NONE)
		return found;
	if (!lookup_reserve(&x->ids_by_value) ||
	    !array_reserve(&x->ids, &x->id_capacity, (uint64_t)x->id_count + 1, sizeof(*x->ids))) {
		x->failed = true;
		return 0;
	}
	lookup_add(&x->ids_by_value, hash, x->id_count);
	x->ids[x->id_count] = id;
	return x->id_count++;
}

static bool same_who(const void *context, uint32_t index, const void *wanted)
{
	const struct who *who = &((const struct who *)context)[index], *like = wanted;

	return who->process == like->process && who->thread == like->thread;
}

static uint32_t find_who(const struct lookup *l, const struct who *list, uint32_t process, uint32_t thread)
{
	return lookup_find(l, lookup_hash_pair(process, thread), same_who, list,
			   &(struct who){ .process = process, .thread = thread });
}

static uint32_t who_of(struct chrome *x, struct lookup *l, struct who **list, uint32_t *count, uint32_t *capacity,
		       uint32_t process, uint32_t thread)
{
	uint32_t found = find_who(l, *list, process, thread);

	if (found != LOOKUP_NONE)
		return found;
	if (!lookup_reserve(l) || !array_reserve(list, capacity, (uint64_t)*count + 1, sizeof(**list))) {
		x->failed = true;
		return TRACE_NONE;
	}
	lookup_add(l, lookup_hash_pair(process, thread), *count);
	(*list)[*count] = (struct who){ process, thread, TRACE_NONE, TRACE_NONE, false };
	return (*count)++;
}

/* TRACE_NONE: there is none. */
static uint32_t find_process(const struct chrome *x, uint32_t process)
{
	return find_who(&x->processes_by_id, x->processes, process, 0);
}

static uint32_t process_of(struct chrome *x)
{
	return who_of(x, &x->processes_by_id, &x->processes, &x->process_count, &x->process_capacity, x->process, 0);
}

static uint32_t thread_of(struct chrome *x)
{
	if (x->who_count && x->last_process == x->process && x->last_thread == x->thread)
		return x->last_who;
	x->last_who = who_of(x, &x->threads_by_ids, &x->who, &x->who_count, &x->who_capacity, x->process, x->thread);
	x->last_process = x->process;
	x->last_thread = x->thread;
	return x->last_who;
}

/* Returns the trace's thread of the event. It gets its name when all ids are
 * known. `scoped`: the event may be shown on another thread. */
static uint32_t told_thread(struct chrome *x, bool scoped)
{
	uint32_t who = thread_of(x), process;

	if (who == TRACE_NONE)
		return TRACE_NONE;
	if (x->who[who].trace == TRACE_NONE) {
		x->who[who].trace = trace_thread(x->t, who, x->place);
		x->who[who].scoped = true;
	}
	if (scoped || !x->who[who].scoped)
		return x->who[who].trace;
	x->who[who].scoped = false;
	process = process_of(x);
	if (process != TRACE_NONE && x->processes[process].trace == TRACE_NONE)
		x->processes[process].trace = x->who[who].trace;
	if (x->first == TRACE_NONE)
		x->first = x->who[who].trace;
	return x->who[who].trace;
}

/* Events */

static bool is_text(const struct text *text, const char *what)
{
	return text->size == strlen(what) && !memcmp(text->at, what, text->size);
}

/* Takes the name of a process or a thread. False: it could not be read. */
static bool read_metadata(struct chrome *x)
{
	const bool process = is_text(&x->name, "process_name");
	uint32_t who;

	if (!process && !is_text(&x->name, "thread_name"))
		return true;
	if (!x->argument_name.size)
		return x->named;
	who = process ? process_of(x) : thread_of(x);
	if (who != TRACE_NONE)
		(process ? x->processes : x->who)[who].name =
			trace_name(x->t, x->argument_name.at, x->argument_name.size, x->place);
	return true;
}

static uint32_t counter_hash(const struct counter *c)
{
	return lookup_hash_pair((uint64_t)c->process << 32 | c->event, (uint64_t)c->id << 32 | c->argument);
}

static bool same_texts(const void *context, uint32_t index, const void *wanted)
{
	const struct counter *c = &((const struct chrome *)context)->counters[index], *like = wanted;

	return c->process == like->process && c->event == like->event && c->id == like->id && c->argument == like->argument;
}

static uint32_t name_or_none(struct chrome *x, const char *bytes, size_t size)
{
	return size ? trace_name(x->t, bytes, size, x->place) : TRACE_NONE;
}

/* Counters differ if their processes, names, ids or arguments differ, even if the names that are made of these are the same. */
static uint32_t counter_of(struct chrome *x, const struct argument *a, const char *name, size_t size)
{
	struct counter c = { .process = x->has[PROCESS] == GOOD ? x->process : TRACE_NONE,
			     .event = name_or_none(x, x->name.at, x->name.size), .id = name_or_none(x, x->id.at, x->id.size),
			     .argument = strcmp(a->key, "value") != 0 ? name_or_none(x, a->key, strlen(a->key)) : TRACE_NONE,
			     .trace = x->counter_count, .process_name = TRACE_NONE };
	uint32_t hash = counter_hash(&c), found = lookup_find(&x->counters_by_text, hash, same_texts, x, &c);

	if (found != LOOKUP_NONE)
		return x->counters[found].trace;
	if (!lookup_reserve(&x->counters_by_text) ||
	    !array_reserve(&x->counters, &x->counter_capacity, (uint64_t)x->counter_count + 1, sizeof(*x->counters))) {
		x->failed = true;
		return TRACE_NONE;
	}
	c.trace = trace_counter(x->t, name, size, x->counter_count, x->place);
	if (c.trace == TRACE_NONE)
		return TRACE_NONE;
	c.name = trace_name(x->t, name, size, x->place);
	lookup_add(&x->counters_by_text, hash, x->counter_count);
	x->counters[x->counter_count++] = c;
	return c.trace;
}

static void tell_value(struct chrome *x, const struct argument *a)
{
	char name[3 * NAME_MOST];
	size_t length = strlen(a->number);
	int size = snprintf(name, sizeof name, "%.*s", (int)x->name.size, x->name.at);
	uint32_t counter;
	uint64_t whole;
	bool minus;
	double real;

	if (x->id.size)
		size += snprintf(name + size, sizeof name - (size_t)size, "[%.*s]", (int)x->id.size, x->id.at);
	if (strcmp(a->key, "value") != 0 && !is_text(&x->name, a->key))
		size += snprintf(name + size, sizeof name - (size_t)size, " %s", a->key);
	counter = counter_of(x, a, name, (size_t)size);
	if (number_whole(a->number, length, &whole, &minus) && (minus || whole <= INT64_MAX))
		trace_value(x->t, counter, x->time, (int64_t)whole);
	else if (format_parse_real(a->number, &real) && isfinite(real))
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
		trace_call(x->t, told_thread(x, false), name_of(x), x->time, x->has[DURATION] == GOOD ? x->duration : 0,
			   x->place);
		break;
	case 'B': {
		uint32_t name = name_of(x);

		trace_enter(x->t, told_thread(x, false), name, name, x->time, TRACE_NO_FRAME, x->place);
		break;
	}
	case 'E':
		trace_leave(x->t, told_thread(x, false), x->name.size ? name_of(x) : TRACE_UNNAMED, x->time, x->place);
		break;
	case 'i':
	case 'I':
	case 'R':
		trace_event(x->t, told_thread(x, x->scope == 'g' || x->scope == 'p'), name_of(x), x->time, x->place);
		break;
	case 'C':
		for (uint32_t k = 0; k < x->argument_count; k++)
			tell_value(x, &x->arguments[k]);
		break;
	default:
		break;
	}
}

/* Whether a member that a figure or a name comes from is missing, or has a type
 * that it cannot have. */
static bool is_odd(const struct chrome *x)
{
	if (x->has[NAME] == ODD || x->has[PROCESS] == ODD || (x->has[THREAD] == ODD && x->phase != 'C'))
		return true;
	if (x->has[NAME] == ABSENT && x->phase != 'E')
		return true;
	if (x->phase == 'X')
		return x->has[DURATION] == ABSENT;
	return x->phase == 'C' && (x->has[ID] == ODD || x->has[ARGUMENTS] != GOOD || !x->argument_count);
}

/* Reads an event. Returns its anomaly, or ANOMALIES if it has none. */
static enum anomaly event_read(struct chrome *x)
{
	bool odd = is_odd(x);

	if (x->has[PHASE] != GOOD)
		return ANOMALY_RECORD;
	if (x->phase == 'M') {
		odd |= !read_metadata(x);
	} else if (!strchr("BEXiIRC", x->phase)) {
		return strchr("bneSTpFstfPNODVvc()=", x->phase) ? ANOMALY_PHASE : ANOMALY_RECORD;
	} else if (x->has[TIME] != GOOD || (x->phase == 'X' && x->has[DURATION] == ODD)) {
		return ANOMALY_NUMBER;
	} else {
		event_told(x);
	}
	return odd ? ANOMALY_MEMBER : ANOMALIES;
}

static void event_ends(struct chrome *x)
{
	enum anomaly wrong;

	if (x->is_empty) /* many writers end their list so, and nothing is lost with it */
		return;
	x->i->result->records++;
	if (x->has[THREAD] != GOOD) /* the process's main thread */
		x->thread = x->process;
	wrong = event_read(x);
	if (wrong != ANOMALIES)
		anomaly_add(x->i->anomalies, wrong, x->place);
}

static void event_begins(struct chrome *x, uint64_t place)
{
	x->in_event = x->is_empty = true;
	x->in_arguments = x->in_id = x->is_name = x->named = false;
	x->place = place;
	x->member = OTHER;
	x->phase = x->scope = '?';
	memset(x->has, ABSENT, sizeof x->has);
	x->process = x->thread = 0;
	x->name.size = x->argument_name.size = x->id.size = 0;
	x->argument_count = 0;
}

/* What is read */

static bool on_open(void *context, const struct parse_json *p, bool array)
{
	struct chrome *x = context;
	const bool begins = !x->inside && array && (p->depth == 1 || (p->depth == 2 && x->wants_events));

	if (begins) {
		x->inside = p->depth;
		x->any_events = true;
	} else if (!x->inside) {
		if (p->depth == 3 && x->unread)
			anomaly_add(x->i->anomalies, ANOMALY_PHASE, p->place - 1);
	} else if (p->depth == x->inside + 1) {
		if (array)
			anomaly_add(x->i->anomalies, ANOMALY_RECORD, p->place - 1);
		else
			event_begins(x, p->place - 1);
	} else if (p->depth == x->inside + 2 && x->in_event) {
		x->in_arguments = !array && x->member == ARGUMENTS;
		x->in_id = !array && x->member == ID2;
		x->has[x->member] = x->in_arguments || x->in_id ? GOOD : ODD;
	} else if (p->depth == x->inside + 3 && x->in_arguments) {
		x->has[ARGUMENTS] = ODD;
	}
	x->wants_events = false;
	return begins;
}

static void on_close(void *context, const struct parse_json *p, bool array)
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
		x->in_arguments = x->in_id = false;
}

static void event_key(struct chrome *x, const char *text, size_t size)
{
	x->member = OTHER;
	x->is_empty = false;
	for (size_t k = 0; k < sizeof members / sizeof *members; k++)
		if (size == members[k].size && !memcmp(text, members[k].key, size)) {
			x->member = members[k].member;
			return;
		}
}

static void argument_key(struct chrome *x, const char *text, size_t size)
{
	x->is_name = size == 4 && !memcmp(text, "name", 4);
	size = size < KEY_MOST ? size : KEY_MOST;
	memcpy(x->key, text, size);
	x->key[size] = '\0';
}

static bool is_key(const char *text, size_t size, const char *key)
{
	return size == strlen(key) && !memcmp(text, key, size);
}

static void on_key(void *context, const struct parse_json *p, const char *text, size_t size)
{
	struct chrome *x = context;

	if (x->in_event && p->depth == x->inside + 1) {
		event_key(x, text, size);
	} else if (x->inside) {
		if (x->in_arguments && p->depth == x->inside + 2 &&
		    (!x->has[PHASE] || x->phase == 'C' || x->phase == 'M'))
			argument_key(x, text, size);
	} else if (p->depth == 1) {
		x->wants_events = is_key(text, size, "traceEvents");
		x->has_key |= x->wants_events;
		x->unread = is_key(text, size, "samples") || is_key(text, size, "systemTraceEvents");
	}
}

static void time_member(struct chrome *x, const char *digits, size_t size)
{
	bool rounded = false, good;

	good = number_scaled(digits, size, DECIMALS, x->member == TIME ? &x->time : &x->duration, &rounded);
	if (rounded)
		anomaly_add(x->i->anomalies, ANOMALY_ROUNDED, x->place);
	x->has[x->member] = good ? GOOD : ODD;
}

/* An id that fits into 64 bits is a number, also if it is written as a text or
 * with decimals. Else it is a text. */
static void id_member(struct chrome *x, const char *text, size_t size)
{
	uint32_t *id = x->member == PROCESS ? &x->process : &x->thread;
	uint32_t last = x->member == PROCESS ? x->last_process : x->last_thread;
	uint64_t value;
	int64_t whole;
	bool rounded;

	if (number_id(text, size, &value))
		*id = id_of(x, value, value && *text == '-' ? ID_BELOW_0 : ID_NUMBER, last);
	else if (number_scaled(text, size, 0, &whole, &rounded) && !rounded)
		*id = id_of(x, (uint64_t)whole, whole < 0 ? ID_BELOW_0 : ID_NUMBER, last);
	else
		*id = id_of(x, trace_name(x->t, text, size, x->place), ID_TEXT, last);
	x->has[x->member] = GOOD;
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
	return size && size <= NUMBER_MOST && (*text == '-' || (*text >= '0' && *text <= '9'));
}

static void read_argument(struct chrome *x, const char *bytes, size_t size)
{
	struct argument *a;

	if (x->is_name) {
		put_text(&x->argument_name, bytes, size);
		x->is_name = false;
		x->named = true;
	}
	if (x->has[PHASE] && x->phase != 'C')
		return;
	if (!is_number(bytes, size)) {
		x->has[ARGUMENTS] = ODD;
	} else if (x->argument_count == VALUES) {
		if (x->has[PHASE])
			anomaly_add(x->i->anomalies, ANOMALY_MANY, x->place);
	} else {
		a = &x->arguments[x->argument_count++];
		memcpy(a->key, x->key, strlen(x->key) + 1);
		memcpy(a->number, bytes, size);
		a->number[size] = '\0';
	}
}

static void read_member(struct chrome *x, const char *bytes, size_t size)
{
	switch (x->member) {
	case NAME:
		put_text(&x->name, bytes, size);
		x->has[NAME] = GOOD;
		break;
	case ID:
		put_text(&x->id, bytes, size);
		x->has[ID] = GOOD;
		break;
	case TIME:
	case DURATION:
		time_member(x, bytes, size);
		break;
	case PROCESS:
	case THREAD:
		id_member(x, bytes, size);
		break;
	case ARGUMENTS:
	case ID2:
		x->has[x->member] = ODD;
		break;
	default:
		break;
	}
}

/* A text or a number: most members may be either. */
static void read_scalar(struct chrome *x, const struct parse_json *p, const char *bytes, size_t size)
{
	if (p->depth == x->inside + 1)
		read_member(x, bytes, size);
	else if (p->depth == x->inside + 2 && x->in_arguments)
		read_argument(x, bytes, size);
	else if (p->depth == x->inside + 2 && x->in_id)
		put_text(&x->id, bytes, size);
}

static void on_text(void *context, const struct parse_json *p, const char *bytes, size_t size)
{
	struct chrome *x = context;

	if (!x->inside && x->unread && p->depth == 1 && size)
		anomaly_add(x->i->anomalies, ANOMALY_PHASE, p->place - 1);
	if (is_astray(x, p))
		return;
	if (p->depth == x->inside + 1 && x->member == PHASE && size) {
		x->phase = size == 1 && *bytes ? *bytes : '?';
		x->has[PHASE] = GOOD;
	} else if (p->depth == x->inside + 1 && x->member == SCOPE) {
		x->scope = size == 1 ? *bytes : '?';
	} else {
		read_scalar(x, p, bytes, size);
	}
}

static void on_number(void *context, const struct parse_json *p, const char *digits, size_t size)
{
	struct chrome *x = context;

	if (!is_astray(x, p))
		read_scalar(x, p, digits, size);
}

static void on_other(void *context, const struct parse_json *p)
{
	struct chrome *x = context;

	if (is_astray(x, p))
		return;
	if (p->depth == x->inside + 1)
		x->has[x->member] = ODD;
	else if (p->depth == x->inside + 2 && x->in_arguments)
		x->has[ARGUMENTS] = ODD;
}

static void on_drop(void *context)
{
	struct chrome *x = context;

	x->in_event = x->in_arguments = x->in_id = false;
}

/* Names of threads, once all are known: that of the process, or its id, in front, where there are several. */

static size_t put_id(struct chrome *x, char *out, size_t size, uint32_t name, const struct id *id)
{
	int n;

	if (name == TRACE_NONE && id->kind == ID_TEXT)
		name = (uint32_t)id->value;
	n = name != TRACE_NONE ? snprintf(out, size, "%s", trace_text(x->t, name))
	    : id->kind == ID_BELOW_0 ? snprintf(out, size, "%lld", (long long)id->value)
				     : snprintf(out, size, "%llu", (unsigned long long)id->value);
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

static bool has_id(const struct chrome *x, uint64_t value, enum id_kind kind)
{
	const struct id id = { value, kind };

	return lookup_find(&x->ids_by_value, lookup_hash_pair(value, kind), same_id, x, &id) != LOOKUP_NONE;
}

/* Numbers of 32 bits, as they are, make one number of both, which is nobody else's. A thread whose id is a text gets a number
 * that no other has: -1 is a large number, too. */
static uint64_t shown_id(const struct chrome *x, const struct id *process, const struct id *thread, bool several, uint32_t index)
{
	uint64_t id = UINT64_MAX - index;

	if (!several && (thread->kind == ID_NUMBER || (thread->kind == ID_BELOW_0 && !has_id(x, thread->value, ID_NUMBER))))
		return thread->value;
	if (several && process->kind != ID_TEXT && thread->kind != ID_TEXT && process->value < UINT32_MAX &&
	    thread->value <= UINT32_MAX)
		return process->value << 32 | thread->value;
	while (!several && (has_id(x, id, ID_NUMBER) || has_id(x, id, ID_BELOW_0)))
		id -= UINT32_MAX; /* more than there are threads */
	return id;
}

static void name_thread(struct chrome *x, const struct who *who, bool several)
{
	const struct id *process = &x->ids[who->process], *thread = &x->ids[who->thread];
	uint32_t known = find_process(x, who->process);
	char name[2 * NAME_MOST + 64] = "";
	size_t size = 0;

	if (several) {
		size = put_id(x, name, sizeof name - 1, known == TRACE_NONE ? TRACE_NONE : x->processes[known].name, process);
		name[size++] = '/';
	}
	if (several || who->name != TRACE_NONE || thread->kind != ID_NUMBER)
		size += put_id(x, name + size, sizeof name - size, who->name, thread);
	trace_name_thread(x->t, who->trace, name, size, 0);
	trace_show_thread(x->t, who->trace, shown_id(x, process, thread, several, who->trace),
			  thread->kind == ID_TEXT || (thread->kind == ID_NUMBER && thread->value > INT64_MAX)
				  ? 0 : (int64_t)thread->value);
}

static void name_process(struct chrome *x, uint32_t process)
{
	uint32_t known = find_process(x, process);
	uint32_t name = known == TRACE_NONE ? TRACE_NONE : x->processes[known].name;
	const struct id *id = &x->ids[process];

	trace_process(x->t, id->kind == ID_TEXT || id->value > INT32_MAX ? 0 : (int64_t)id->value,
		      name == TRACE_NONE ? NULL : trace_text(x->t, name));
}

/* Instants of a process, and global ones, are shown on the thread that they
 * name if it has other events. Else they are shown on the first thread of their
 * process, or else of the file. */
static void settle_scoped(struct chrome *x, struct who *who)
{
	uint32_t known = find_process(x, who->process);
	uint32_t into = known == TRACE_NONE ? TRACE_NONE : x->processes[known].trace;

	if (into == TRACE_NONE)
		into = x->first;
	if (into == TRACE_NONE)
		who->scoped = false; /* there are no others */
	else
		trace_lend_thread(x->t, who->trace, into);
}

static bool same_counter(const void *context, uint32_t index, const void *wanted)
{
	const struct counter *c = &((const struct chrome *)context)->counters[index], *like = wanted;

	return c->process_name == like->process_name && c->name == like->name;
}

/* Whether a counter of another process with the same name has this name. If none has, this one has it. */
static bool is_name_taken(struct chrome *x, const struct counter *c, struct lookup *names)
{
	uint32_t hash = lookup_hash_pair(c->process_name, c->name);

	if (c->process_name == TRACE_NONE)
		return false;
	if (lookup_find(names, hash, same_counter, x, c) != LOOKUP_NONE)
		return true;
	if (lookup_reserve(names))
		lookup_add(names, hash, (uint32_t)(c - x->counters));
	return false;
}

/* Puts the name of the process before that of the counter, with its id if
 * another process has the name. */
static void name_counter(struct chrome *x, struct counter *c, struct lookup *names)
{
	uint32_t known = find_process(x, c->process);
	char name[4 * NAME_MOST];
	size_t size;

	c->process_name = known == TRACE_NONE ? TRACE_NONE : x->processes[known].name;
	size = put_id(x, name, sizeof name, c->process_name, &x->ids[c->process]);
	if (is_name_taken(x, c, names)) {
		name[size++] = ' ';
		size += put_id(x, name + size, sizeof name - size, TRACE_NONE, &x->ids[c->process]);
	}
	size += (size_t)snprintf(name + size, sizeof name - size, "/%s", trace_text(x->t, c->name));
	trace_name_counter(x->t, c->trace, name, size < sizeof name ? size : sizeof name - 1);
}

static bool same_shown(const void *context, uint32_t index, const void *wanted)
{
	const struct counter *c = &((const struct chrome *)context)->counters[index], *like = wanted;

	return c->process == like->process && c->name == like->name;
}

/* Two of a process that would have one name: the later one says what it is. */
static void part_counters(struct chrome *x)
{
	struct lookup shown = { 0 };
	char name[3 * NAME_MOST];

	for (uint32_t k = 0; k < x->counter_count; k++) {
		struct counter *c = &x->counters[k];
		uint32_t hash = lookup_hash_pair(c->process, c->name);

		if (lookup_find(&shown, hash, same_shown, x, c) != LOOKUP_NONE) {
			int size = snprintf(name, sizeof name, "%s (%s%s%s)", trace_text(x->t, c->event),
					    c->id == TRACE_NONE ? "" : trace_text(x->t, c->id), c->id == TRACE_NONE ? "" : ", ",
					    c->argument == TRACE_NONE ? "value" : trace_text(x->t, c->argument));

			c->name = trace_name(x->t, name, (size_t)size, 0);
			trace_name_counter(x->t, c->trace, name, (size_t)size);
			hash = lookup_hash_pair(c->process, c->name);
		}
		if (lookup_reserve(&shown))
			lookup_add(&shown, hash, k);
	}
	lookup_fini(&shown);
}

/* Whether several processes have threads or counters. Sets *one to one of them,
 * or TRACE_NONE. */
static bool several_processes(struct chrome *x, uint32_t *one)
{
	bool several = false;

	*one = TRACE_NONE;
	for (uint32_t k = 0; k < x->who_count; k++)
		if (x->who[k].trace != TRACE_NONE && !x->who[k].scoped) {
			several |= *one != TRACE_NONE && *one != x->who[k].process;
			*one = x->who[k].process;
		}
	for (uint32_t k = 0; k < x->counter_count; k++)
		if (x->counters[k].process != TRACE_NONE) {
			several |= *one != TRACE_NONE && *one != x->counters[k].process;
			*one = x->counters[k].process;
		}
	return several;
}

static void name_all(struct chrome *x)
{
	struct lookup names = { 0 };
	uint32_t process;
	bool several;

	for (uint32_t k = 0; k < x->who_count; k++)
		if (x->who[k].trace != TRACE_NONE && x->who[k].scoped)
			settle_scoped(x, &x->who[k]);
	several = several_processes(x, &process);
	part_counters(x);
	for (uint32_t k = 0; k < x->who_count; k++)
		if (x->who[k].trace != TRACE_NONE && !x->who[k].scoped)
			name_thread(x, &x->who[k], several);
	for (uint32_t k = 0; k < x->counter_count && several; k++)
		if (x->counters[k].process != TRACE_NONE)
			name_counter(x, &x->counters[k], &names);
	lookup_fini(&names);
	if (process != TRACE_NONE && !several)
		name_process(x, process);
}

bool import_chrome(struct importing *i)
{
	static const struct parse_events events = { on_open, on_close, on_key, on_text, on_number, on_other, on_drop, '{' };
	struct chrome *x = calloc(1, sizeof(*x));
	char why[8];
	bool done;

	if (!x)
		return import_refuses(i, "out of memory");
	x->i = i;
	x->t = i->trace;
	x->first = TRACE_NONE;
	trace_end_by_name(x->t);
	id_of(x, 0, ID_NUMBER, 0);
	done = parse_json(i, &events, x, true);
	if (done && x->in_event && !i->anomalies->counts[ANOMALY_SYNTAX] && !i->anomalies->counts[ANOMALY_LONG]) /* an array may end anywhere else */
		import_cut(i, i->in.ahead);
	if (done && !x->any_events)
		done = import_lacks(i, x->has_key ? "it is JSON, but not a trace: traceEvents is not an array"
						  : "it is JSON, but not a trace: it has no traceEvents");
	if (x->failed)
		done = import_refuses(i, "out of memory");
	if (done && !trace_failed(x->t, why, sizeof why))
		name_all(x);
	lookup_fini(&x->threads_by_ids);
	lookup_fini(&x->processes_by_id);
	lookup_fini(&x->ids_by_value);
	lookup_fini(&x->counters_by_text);
	free(x->ids);
	free(x->who);
	free(x->processes);
	free(x->counters);
	free(x);
	return done;
}
