#include "tests/made_trace.h"

#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const made_names[MADE_FORMATS] = { "text", "timer-json", "timer-binary", "chrome", "chrome-calls", "folded" };

#define COUNTERS 3u
#define EVENTS 2u
#define FRAME_NS 16000000
#define EPOCH INT64_C(1609044830711675392) /* beyond what a double can tell */

static void *checked(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

/* xorshift64* */
static uint64_t roll(struct made *m, uint64_t below)
{
	m->state ^= m->state >> 12;
	m->state ^= m->state << 25;
	m->state ^= m->state >> 27;
	return below ? (m->state * UINT64_C(0x2545f4914f6cdd1d) >> 16) % below : 0;
}

void made_zone(const struct made *m, uint32_t zone, char out[64])
{
	static const char *const forms[] = { "zone_%u", "Physics::step<%u>()", "draw \"quads\" %u", "\xc3\xa4ndern %u", "a;b %u" };

	snprintf(out, 64, forms[zone % (m->o.zones > 4 ? 4 : 1)], zone);
}

void made_thread(const struct made *m, uint32_t thread, char out[64])
{
	snprintf(out, 64, thread ? "WorkerThread #%u" : "main", thread);
	(void)m;
}

void made_event(uint32_t name, char out[64])
{
	snprintf(out, 64, name ? "event %u" : "Frame Start", name);
}

void made_note(uint32_t name, char out[64])
{
	snprintf(out, 64, "note %u: \\ and more", name);
}

void made_counter(uint32_t counter, char out[64])
{
	snprintf(out, 64, "counter %u", counter);
}

/* Calls */

/* A zone calls few others, mostly. */
static uint32_t zone_in(struct made *m, uint32_t parent)
{
	if (parent == MADE_NONE || !roll(m, 300))
		return (uint32_t)roll(m, m->o.zones);
	return (uint32_t)((m->calls[parent].zone * 5 + 1 + roll(m, 2)) % m->o.zones);
}

static uint32_t add_call(struct made *m, uint32_t thread, uint32_t parent, int64_t enter, int32_t frame)
{
	uint32_t zone = zone_in(m, parent);

	if (m->call_count == m->call_capacity) {
		m->call_capacity = m->call_capacity ? m->call_capacity * 2 : 4096;
		m->calls = checked(realloc(m->calls, m->call_capacity * sizeof(*m->calls)));
	}
	m->calls[m->call_count] = (struct made_call){ .thread = thread, .zone = zone,
						      .parent = parent, .enter = enter, .frame = frame };
	return m->call_count++;
}

/* A call with those in it, from *now on; *left more may be made. */
static void make_call(struct made *m, uint32_t thread, uint32_t parent, uint32_t depth, int64_t *now, uint32_t *left,
		      int32_t frame)
{
	uint32_t self = add_call(m, thread, parent, *now, frame);

	*left -= *left > 0;
	*now += 1 + (int64_t)roll(m, 900);
	while (*left && depth < m->o.depth && roll(m, 3)) {
		make_call(m, thread, self, depth + 1, now, left, frame);
		*now += 1 + (int64_t)roll(m, 500);
	}
	m->calls[self].leave = *now;
	if (parent != MADE_NONE)
		m->calls[parent].children += m->calls[self].leave - m->calls[self].enter;
}

/* There are gaps between numbers. */
static int32_t frame_number(const struct made *m, uint32_t frame)
{
	return m->o.no_frames ? -1 : 3 * (int32_t)frame;
}

static void make_thread(struct made *m, uint32_t thread)
{
	int64_t now = EPOCH / (1 + 999 * (m->o.seed & 1)) + 1000 * thread;

	m->thread_begins[thread] = m->call_count;
	m->ids[thread] = thread == 1 ? UINT64_MAX - 5 : thread ? roll(m, 1u << 30) << 32 | thread : 0;
	for (uint32_t frame = 0; frame < m->o.frames; frame++) {
		uint32_t left = m->o.calls;
		int64_t begun = now;

		while (left) {
			now += 1 + (int64_t)roll(m, 2000);
			make_call(m, thread, MADE_NONE, 1, &now, &left, frame_number(m, frame));
		}
		now = now - begun < FRAME_NS ? begun + FRAME_NS : now + 10;
	}
	m->thread_begins[thread + 1] = m->call_count;
}

static int64_t first_tick(const struct made *m)
{
	return m->calls[0].enter;
}

static void make_values(struct made *m)
{
	uint32_t count = m->o.values * m->o.frames, happenings = 2 * m->o.events * m->o.frames;

	m->values = checked(calloc(count + 1, sizeof(*m->values)));
	m->happenings = checked(calloc(happenings + m->o.frames + 1, sizeof(*m->happenings)));
	for (uint32_t i = 0; i < count; i++)
		m->values[m->value_count++] = (struct made_value){
			first_tick(m) + (int64_t)(i / m->o.values) * FRAME_NS + (int64_t)roll(m, FRAME_NS),
			(int64_t)roll(m, 2000) - 1000, (uint32_t)roll(m, COUNTERS) };
	for (uint32_t frame = 0; frame < m->o.frames && m->o.events; frame++) {
		const int64_t start = first_tick(m) + (int64_t)frame * FRAME_NS;
		const int32_t number = frame_number(m, frame);

		m->happenings[m->happening_count++] = (struct made_happening){ .tick = start + 5, .frame = number };
		for (uint32_t i = 0; i < 2 * m->o.events; i++)
			m->happenings[m->happening_count++] = (struct made_happening){
				.tick = start + 6 + (int64_t)roll(m, 9000), .thread = (uint32_t)roll(m, m->o.threads),
				.name = 1 + (uint32_t)roll(m, EVENTS), .frame = number, .note = i & 1 };
	}
}

struct made *made_new(const struct made_options *o)
{
	struct made *m = checked(calloc(1, sizeof(*m)));

	m->o = *o;
	m->state = o->seed * 2654435769u + 1;
	m->thread_begins = checked(calloc(o->threads + 1, sizeof(*m->thread_begins)));
	m->ids = checked(calloc(o->threads, sizeof(*m->ids)));
	for (uint32_t thread = 0; thread < o->threads; thread++)
		make_thread(m, thread);
	make_values(m);
	return m;
}

void made_free(struct made *m)
{
	if (!m)
		return;
	free(m->calls);
	free(m->thread_begins);
	free(m->ids);
	free(m->values);
	free(m->happenings);
	free(m);
}

/* In the order of a file: what each thread does, one after the other or mixed by time. */

struct cursor {
	uint32_t next, end;
	uint32_t *open;
	uint32_t depth;
};

enum what { ENTER, LEAVE, NOTHING };

/* What the thread does next. */
static enum what next_of(const struct made *m, const struct cursor *c, int64_t *tick)
{
	int64_t leave = c->depth ? m->calls[c->open[c->depth - 1]].leave : INT64_MAX;

	if (c->next < c->end && m->calls[c->next].enter < leave) {
		*tick = m->calls[c->next].enter;
		return ENTER;
	}
	*tick = leave;
	return c->depth ? LEAVE : NOTHING;
}

typedef void told(struct made *m, FILE *out, enum what what, const struct made_call *call);

static void in_order(struct made *m, FILE *out, told *tell)
{
	struct cursor *cursors = checked(calloc(m->o.threads, sizeof(*cursors)));
	uint32_t at = 0;

	for (uint32_t i = 0; i < m->o.threads; i++)
		cursors[i] = (struct cursor){ m->thread_begins[i], m->thread_begins[i + 1],
					      checked(calloc(m->o.depth + 2, sizeof(uint32_t))), 0 };
	for (;;) {
		int64_t least = INT64_MAX, tick;
		uint32_t best = MADE_NONE, call;
		struct cursor *c;

		for (uint32_t i = m->o.mixed ? 0 : at; i < m->o.threads; i++) {
			if (next_of(m, &cursors[i], &tick) == NOTHING)
				continue;
			if (best == MADE_NONE || tick < least) {
				best = i;
				least = tick;
			}
			if (!m->o.mixed)
				break;
		}
		if (best == MADE_NONE)
			break;
		at = best;
		c = &cursors[best];
		if (next_of(m, c, &tick) == ENTER) {
			call = c->next++;
			c->open[c->depth++] = call;
			tell(m, out, ENTER, &m->calls[call]);
		} else {
			tell(m, out, LEAVE, &m->calls[c->open[--c->depth]]);
		}
	}
	for (uint32_t i = 0; i < m->o.threads; i++)
		free(cursors[i].open);
	free(cursors);
}

/* Formats */

static void tell_text(struct made *m, FILE *out, enum what what, const struct made_call *c)
{
	fprintf(out, "%c %" PRIu64 " %" PRIu32 " %" PRId64 "\n", what == ENTER ? 'S' : 'E', m->ids[c->thread], c->zone * 7,
		what == ENTER ? c->enter : c->leave);
	if (m->o.anomalies && !roll(m, 50) && what == LEAVE && c->parent == MADE_NONE) {
		fprintf(out, "E %" PRIu64 " 1 %" PRId64 "\n", m->ids[c->thread], c->leave);
		m->ends_alone++;
		fputs("what is this\n", out);
		m->records_bad++;
	}
}

static void write_text(struct made *m, FILE *out)
{
	char name[64];

	fputs("# made\n", out);
	for (uint32_t thread = m->o.threads; thread-- > 0;) {
		made_thread(m, thread, name);
		fprintf(out, "T %" PRIu64 " %s\r\n", m->ids[thread], name);
		for (uint32_t zone = 0; zone < m->o.zones; zone++) {
			made_zone(m, zone, name);
			fprintf(out, "F %" PRIu64 " %" PRIu32 " %s\n", m->ids[thread], zone * 7, name);
		}
		for (uint32_t event = 0; event <= EVENTS; event++) {
			made_event(event, name);
			fprintf(out, "V %" PRIu64 " %" PRIu32 " %s\n", m->ids[thread], event, name);
		}
	}
	for (uint32_t counter = 0; counter < COUNTERS; counter++) {
		made_counter(counter, name);
		fprintf(out, "C %" PRIu32 " %s\n", counter, name);
	}
	for (uint32_t i = 0; i < m->value_count; i++)
		fprintf(out, "D %" PRIu32 " %" PRId64 " %" PRId64 "\n", m->values[i].counter, m->values[i].tick,
			m->values[i].value);
	in_order(m, out, tell_text);
	for (uint32_t i = 0; i < m->happening_count; i++)
		if (!m->happenings[i].note)
			fprintf(out, "Y %" PRIu64 " %" PRIu32 " %" PRId64 "\n", m->ids[m->happenings[i].thread],
				m->happenings[i].name, m->happenings[i].tick);
}

static void put_json(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void tell_timer_json(struct made *m, FILE *out, enum what what, const struct made_call *c)
{
	char name[64];

	made_zone(m, c->zone, name);
	fprintf(out, "%s  [%d, %" PRIu64 ", %" PRId32 ", %" PRId64 ", ", m->any++ ? ",\n" : "\n", what == LEAVE,
		m->ids[c->thread], c->frame, what == ENTER ? c->enter : c->leave);
	put_json(out, m->o.anomalies && what == LEAVE && !roll(m, 40) && ++m->mismatches ? "another" : name);
	fputc(']', out);
	if (m->o.anomalies && what == LEAVE && c->parent == MADE_NONE && !roll(m, 40)) {
		fprintf(out, ",\n[1, %" PRIu64 ", -1, %" PRId64 ", \"x\"], [7, 1, 1, 1, \"x\"], [1, 2]", m->ids[c->thread],
			c->leave);
		m->ends_alone++;
		m->records_bad += 2;
	}
}

static void write_timer_json(struct made *m, FILE *out)
{
	char name[64];

	fputc('[', out);
	in_order(m, out, tell_timer_json);
	for (uint32_t i = 0; i < m->happening_count; i++)
		if (m->happenings[i].note) {
			made_note(m->happenings[i].name, name);
			fprintf(out, ",\n  [2, %" PRIu64 ", %" PRId32 ", %" PRId64 ", ", m->ids[m->happenings[i].thread],
				m->happenings[i].frame, m->happenings[i].tick);
			put_json(out, name);
			fputc(']', out);
		}
	fputs("\n]\n", out);
}

static void put_little(FILE *out, uint64_t value, size_t size)
{
	value = htole64(value);
	fwrite(&value, size, 1, out);
}

static void put_binary(FILE *out, unsigned operation, uint64_t thread, int32_t frame, int64_t tick, const char *name)
{
	put_little(out, operation, 1);
	put_little(out, thread, 8);
	put_little(out, (uint32_t)frame, 4);
	put_little(out, (uint64_t)tick, 8);
	put_little(out, strlen(name), 2);
	fputs(name, out);
}

static void tell_binary(struct made *m, FILE *out, enum what what, const struct made_call *c)
{
	char name[64];

	made_zone(m, c->zone, name);
	put_binary(out, what == LEAVE, m->ids[c->thread], c->frame, what == ENTER ? c->enter : c->leave, name);
}

static void write_binary(struct made *m, FILE *out)
{
	uint32_t notes = 0;
	char name[64];

	for (uint32_t i = 0; i < m->happening_count; i++)
		notes += m->happenings[i].note;
	put_little(out, 0xfa57, 4);
	put_little(out, 2 * m->call_count + notes, 4);
	in_order(m, out, tell_binary);
	for (uint32_t i = 0; i < m->happening_count; i++)
		if (m->happenings[i].note) {
			made_note(m->happenings[i].name, name);
			put_binary(out, 2, m->ids[m->happenings[i].thread], m->happenings[i].frame, m->happenings[i].tick,
				   name);
		}
}

/* Microseconds with as many decimals as there are. */
static void put_us(FILE *out, int64_t ns)
{
	fprintf(out, "%" PRId64, ns / 1000);
	if (ns % 1000)
		fprintf(out, ".%03d", (int)(ns % 1000));
}

static void put_chrome(struct made *m, FILE *out, const char *phase, uint32_t thread, int64_t tick, const char *name)
{
	fprintf(out, "{\"pid\": 1, \"tid\": %" PRIu64 ", \"ph\": \"%s\", \"ts\": ", m->ids[thread], phase);
	put_us(out, tick);
	fputs(", \"name\": ", out);
	put_json(out, name);
}

static void tell_chrome(struct made *m, FILE *out, enum what what, const struct made_call *c)
{
	char name[64];

	made_zone(m, c->zone, name);
	put_chrome(m, out, what == ENTER ? "B" : "E", c->thread, what == ENTER ? c->enter : c->leave, name);
	fputs(", \"cat\": \"x\", \"args\": {\"a\": [1, {\"ph\": \"X\"}]}},\n", out);
}

/* By ends, as those do that know how long a call took. */
static void tell_chrome_calls(struct made *m, FILE *out, enum what what, const struct made_call *c)
{
	char name[64];

	if (what == ENTER)
		return;
	made_zone(m, c->zone, name);
	put_chrome(m, out, "X", c->thread, c->enter, name);
	fputs(", \"dur\": ", out);
	put_us(out, c->leave - c->enter);
	fputs("},\n", out);
}

static void write_chrome(struct made *m, FILE *out, told *tell)
{
	char name[64];

	fputs("{\"displayTimeUnit\": \"ns\", \"other\": {\"traceEvents\": []}, \"traceEvents\": [\n", out);
	in_order(m, out, tell);
	for (uint32_t i = 0; i < m->happening_count; i++)
		if (!m->happenings[i].note) {
			made_event(m->happenings[i].name, name);
			put_chrome(m, out, "i", m->happenings[i].thread, m->happenings[i].tick, name);
			fputs(", \"s\": \"t\"},\n", out);
		}
	for (uint32_t i = 0; i < m->value_count; i++) {
		made_counter(m->values[i].counter, name);
		fputs("{\"args\": {\"value\": ", out);
		fprintf(out, "%" PRId64 "}, ", m->values[i].value);
		fputs("\"ph\": \"C\", \"pid\": 1, \"ts\": ", out);
		put_us(out, m->values[i].tick);
		fputs(", \"name\": ", out);
		put_json(out, name);
		fputs("},\n", out);
	}
	for (uint32_t thread = 0; thread < m->o.threads; thread++) {
		made_thread(m, thread, name);
		fprintf(out, "{\"ph\": \"M\", \"pid\": 1, \"tid\": %" PRIu64 ", \"name\": \"thread_name\", \"args\": {\"name\": ",
			m->ids[thread]);
		put_json(out, name);
		fprintf(out, "}}%s\n", thread + 1 < m->o.threads ? "," : "");
	}
	fputs("]}\n", out);
}

static void put_stack(const struct made *m, uint32_t call, FILE *out)
{
	char name[64];

	if (m->calls[call].parent != MADE_NONE) {
		put_stack(m, m->calls[call].parent, out);
		fputc(';', out);
	}
	made_zone(m, m->calls[call].zone, name);
	fputs(name, out);
}

static void write_folded(struct made *m, FILE *out)
{
	for (uint32_t i = 0; i < m->call_count; i++) {
		put_stack(m, i, out);
		fprintf(out, " %" PRId64 "\n", m->calls[i].leave - m->calls[i].enter - m->calls[i].children);
	}
}

void made_write(struct made *m, enum made_format format, FILE *out)
{
	switch (format) {
	case MADE_TEXT:
		write_text(m, out);
		break;
	case MADE_TIMER_JSON:
		write_timer_json(m, out);
		break;
	case MADE_TIMER_BINARY:
		write_binary(m, out);
		break;
	case MADE_CHROME:
		write_chrome(m, out, tell_chrome);
		break;
	case MADE_CHROME_CALLS:
		write_chrome(m, out, tell_chrome_calls);
		break;
	default:
		write_folded(m, out);
	}
}

/* Figures */

static bool is_in_itself(const struct made *m, uint32_t call)
{
	for (uint32_t at = m->calls[call].parent; at != MADE_NONE; at = m->calls[at].parent)
		if (m->calls[at].zone == m->calls[call].zone)
			return true;
	return false;
}

static int64_t overlap(const struct made_call *c, int64_t from, int64_t to)
{
	int64_t begin = c->enter > from ? c->enter : from, end = c->leave < to ? c->leave : to;

	return end > begin ? end - begin : 0;
}

static void add_ended(struct made_figures *f, const struct made_call *c)
{
	int64_t length = c->leave - c->enter;

	f->longest = length > f->longest ? length : f->longest;
	f->least = !f->least || length < f->least ? length : f->least;
}

struct made_figures made_in_time(const struct made *m, uint32_t thread, uint32_t zone, int64_t from, int64_t to, bool last)
{
	struct made_figures f = { 0 };

	for (uint32_t i = m->thread_begins[thread]; i < m->thread_begins[thread + 1]; i++) {
		const struct made_call *c = &m->calls[i];

		if (c->zone == zone) {
			f.self += overlap(c, from, to);
			f.inclusive += is_in_itself(m, i) ? 0 : overlap(c, from, to);
			f.count += c->enter >= from && (c->enter < to || (last && c->enter == to));
			if (c->leave > from && c->leave <= to)
				add_ended(&f, c);
		}
		if (c->parent != MADE_NONE && m->calls[c->parent].zone == zone)
			f.self -= overlap(c, from, to);
	}
	return f;
}

struct made_figures made_in_frame(const struct made *m, uint32_t thread, uint32_t zone, int32_t frame)
{
	struct made_figures f = { 0 };

	for (uint32_t i = m->thread_begins[thread]; i < m->thread_begins[thread + 1]; i++) {
		const struct made_call *c = &m->calls[i];

		if (c->zone != zone || c->frame != frame)
			continue;
		f.self += c->leave - c->enter - c->children;
		f.inclusive += is_in_itself(m, i) ? 0 : c->leave - c->enter;
		f.count++;
		add_ended(&f, c);
	}
	return f;
}

static void put_csv(FILE *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"");

	if (quoted)
		fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	if (quoted)
		fputc('"', out);
}

void made_say_csv(const struct made *m, enum made_format format, FILE *out)
{
	const int64_t ns = format == MADE_TEXT ? 1000 : 1;
	char name[64];

	for (uint32_t thread = 0; thread < m->o.threads; thread++)
		for (uint32_t zone = 0; zone < m->o.zones; zone++) {
			struct made_figures f = made_in_time(m, thread, zone, INT64_MIN, INT64_MAX, true);

			if (!f.count)
				continue;
			if (format == MADE_TIMER_JSON || format == MADE_TIMER_BINARY)
				snprintf(name, sizeof name, "%" PRIu64, m->ids[thread]);
			else
				made_thread(m, thread, name);
			put_csv(out, name);
			fputc(',', out);
			made_zone(m, zone, name);
			put_csv(out, name);
			fprintf(out, " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", f.self * ns, f.inclusive * ns,
				f.count, f.longest * ns);
		}
}

static void say_zone(const struct made *m, uint32_t thread, uint32_t zone, bool *any, FILE *out)
{
	struct made_figures f = made_in_time(m, thread, zone, INT64_MIN, INT64_MAX, true);
	char name[64];

	if (!f.count)
		return;
	made_zone(m, zone, name);
	fputs(*any ? ",\n    " : "\n    ", out);
	put_json(out, name);
	fprintf(out, ": {\"count\": %" PRId64 ", \"self\": %" PRId64 ", \"inclusive\": %" PRId64 ", \"least\": %" PRId64
		", \"longest\": %" PRId64 "}", f.count, f.self, f.inclusive, f.least, f.longest);
	*any = true;
}

void made_say(const struct made *m, FILE *out)
{
	char name[64];

	fprintf(out, "{\"frames\": %" PRIu32 ", \"threads\": [", m->o.frames);
	for (uint32_t thread = 0; thread < m->o.threads; thread++) {
		bool any = false;

		made_thread(m, thread, name);
		fprintf(out, "%s\n  {\"id\": %" PRIu64 ", \"name\": \"%s\", \"zones\": {", thread ? "," : "", m->ids[thread],
			name);
		for (uint32_t zone = 0; zone < m->o.zones; zone++)
			say_zone(m, thread, zone, &any, out);
		fputs("}}", out);
	}
	fputs("],\n \"counters\": {", out);
	for (uint32_t counter = 0; counter < COUNTERS; counter++) {
		int64_t least = INT64_MAX, most = INT64_MIN, last = 0, at = INT64_MIN;

		for (uint32_t i = 0; i < m->value_count; i++)
			if (m->values[i].counter == counter) {
				const struct made_value *v = &m->values[i];

				least = v->value < least ? v->value : least;
				most = v->value > most ? v->value : most;
				last = v->tick >= at ? v->value : last;
				at = v->tick > at ? v->tick : at;
			}
		made_counter(counter, name);
		if (at != INT64_MIN)
			fprintf(out, "%s\"%s\": {\"last\": %" PRId64 ", \"least\": %" PRId64 ", \"most\": %" PRId64 "}",
				counter ? ", " : "", name, last, least, most);
	}
	fputs("},\n \"events\": {", out);
	for (uint32_t event = 0; event <= EVENTS; event++) {
		uint32_t count = 0;

		for (uint32_t i = 0; i < m->happening_count; i++)
			count += !m->happenings[i].note && m->happenings[i].name == event;
		made_event(event, name);
		fprintf(out, "%s\"%s\": %" PRIu32, event ? ", " : "", name, count);
	}
	fputs("}}\n", out);
}
