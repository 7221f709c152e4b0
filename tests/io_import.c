/* io_import: what is imported is what was in the file, figure by figure: traces that a number makes (made_trace.h), of each
 * format, and by each way to split frames; and small ones by hand, for all that the formats say.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/import/input.h"
#include "model/query/values.h"
#include "model/stats/counters.h"
#include "tests/imported.h"
#include "tests/long.h"
#include "tests/made_trace.h"

static struct imported *import_text_of(const char *text, const struct import_options *o)
{
	struct imported *i = imported_bytes(text, strlen(text), o);

	imported_check(i);
	return i;
}

static struct imported *import_made(struct made *m, enum made_format format, const struct import_options *o)
{
	struct import_options spooled = o ? *o : (struct import_options){ .source = "trace" };
	struct imported *i, *other;
	char *bytes;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	made_write(m, format, out);
	fclose(out);
	spooled.calls_most = 1;
	i = imported_bytes(bytes, size, o);
	other = imported_bytes(bytes, size, &spooled);
	free(bytes);
	if (!i->done)
		fail_msg("%s", i->why);
	imported_check(i);
	imported_same(i, other);
	imported_free(other);
	return i;
}

static void same(const struct imported_figures *is, const struct made_figures *should, const char *what, const char *zone,
		 uint64_t frame)
{
	if (is->self != should->self || is->inclusive != should->inclusive || is->count != should->count ||
	    is->longest != should->longest)
		fail_msg("%s, %s, frame %" PRIu64 ": self %" PRId64 " not %" PRId64 ", inclusive %" PRId64 " not %" PRId64
			 ", count %" PRId64 " not %" PRId64 ", longest %" PRId64 " not %" PRId64, what, zone, frame,
			 is->self, should->self, is->inclusive, should->inclusive, is->count, should->count, is->longest,
			 should->longest);
}

enum split { BY_FILE, BY_TIME, BY_MARKS };

static bool is_last(const struct imported *i, uint32_t frame, enum split split)
{
	return split == BY_TIME && frame + 1 == i->p->frame_count;
}

static void same_frames(const struct imported *i, const struct made *m, enum split split, const char *what)
{
	for (uint32_t thread = 0; thread < m->o.threads; thread++)
		for (uint32_t zone = 0; zone < m->o.zones; zone++) {
			uint32_t at = imported_thread(i, m->ids[thread]);
			char name[64];

			made_zone(m, zone, name);
			for (uint32_t f = 0; f < i->p->frame_count; f++) {
				const struct profile_frame *frame = &i->p->frames[f];
				struct imported_figures is = imported_zone(i, at, name, f, f + 1);
				struct made_figures should = split == BY_FILE
					? made_in_frame(m, thread, zone, (int32_t)frame->number - 1)
					: made_in_time(m, thread, zone, frame->start, frame_end(frame),
						       is_last(i, f, split));

				same(&is, &should, what, name, frame->number);
			}
		}
}

/* Single calls: each zone's shortest and longest, on each thread. */
struct least {
	int64_t entered[8192], least;
	uint64_t count;
	uint32_t depth;
};

static struct least least_call(const struct imported *i, uint32_t thread, const char *zone)
{
	struct least l = { 0 };

	for (uint32_t k = 0; k < i->calls->count; k++) {
		const struct transition_list *list = &i->calls->lists[k];

		for (uint32_t n = 0; list->thread == thread && n < list->count; n++) {
			const struct transition *t = &list->at[n];

			if (t->kind == TRANSITION_ENTER) {
				l.entered[l.depth++] = t->tick;
			} else if (t->kind == TRANSITION_LEAVE) {
				int64_t length = t->tick - l.entered[--l.depth];

				if (strcmp(i->p->zones[i->p->nodes[t->node].zone].name, zone) != 0)
					continue;
				l.least = !l.count || length < l.least ? length : l.least;
				l.count++;
			}
		}
	}
	return l;
}

static void same_run(const struct imported *i, const struct made *m, const char *what)
{
	for (uint32_t thread = 0; thread < m->o.threads; thread++)
		for (uint32_t zone = 0; zone < m->o.zones; zone++) {
			uint32_t at = imported_thread(i, m->ids[thread]);
			struct made_figures should = made_in_time(m, thread, zone, INT64_MIN, INT64_MAX, true);
			struct imported_figures is;
			struct least least;
			char name[64];

			made_zone(m, zone, name);
			is = imported_zone_run(i, at, name);
			same(&is, &should, what, name, 0);
			least = least_call(i, at, name);
			assert_int_equal(least.count, should.count);
			assert_int_equal(least.least, should.least);
		}
}

static void same_values(const struct imported *i, const struct made *m)
{
	for (uint32_t counter = 0; counter < i->p->counter_count; counter++) {
		const struct profile_track *track = &i->p->tracks[counter];
		int64_t least = INT64_MAX, most = INT64_MIN, last = 0, at = INT64_MIN;
		char name[64];

		for (uint32_t k = 0; k < m->value_count; k++) {
			const struct made_value *v = &m->values[k];

			made_counter(v->counter, name);
			if (strcmp(name, i->p->counters[track->counter].name) != 0)
				continue;
			least = v->value < least ? v->value : least;
			most = v->value > most ? v->value : most;
			last = v->tick >= at ? v->value : last;
			at = v->tick > at ? v->tick : at;
		}
		assert_int_equal(track->run_least.whole, least);
		assert_int_equal(track->run_most.whole, most);
		assert_int_equal(track->now.last.whole, last);
	}
	assert_int_equal(i->p->counter_count, i->p->track_count);
}

static void same_happenings(const struct imported *i, const struct made *m, bool notes)
{
	uint32_t count = 0;

	for (uint32_t k = 0; k < m->happening_count; k++) {
		const struct made_happening *h = &m->happenings[k];
		uint32_t thread = imported_thread(i, m->ids[h->thread]), found = 0;
		char text[64];

		if (h->note != notes)
			continue;
		count++;
		(notes ? made_note : made_event)(h->name, text);
		for (uint32_t n = 0; n < i->p->instant_count; n++) {
			const struct profile_instant *is = &i->p->instants[n];
			const char *is_text = is->text ? is->text : i->p->events[is->event];

			found += is->thread == thread && !strcmp(is_text, text) && (notes || is->tick == h->tick);
			if (notes && is->thread == thread && !strcmp(is_text, text) && is->tick == h->tick) {
				const struct profile_frame *f = profile_find_frame(i->p, (uint64_t)h->frame + 1);

				assert_non_null(f);
				assert_true(is->tick > f->start && is->tick <= frame_end(f));
			}
		}
		assert_true(found);
	}
	assert_int_equal(i->p->instant_count, count);
}

static const struct made_options small = { .threads = 3, .frames = 12, .calls = 40, .zones = 7, .depth = 6, .values = 3,
					   .events = 2 };

static struct made *made_small(uint64_t seed)
{
	struct made_options o = small;

	o.seed = seed;
	o.mixed = seed & 2;
	o.threads = 1 + seed % 4;
	o.zones = 3 + seed % 9;
	return made_new(&o);
}

#define SEEDS test_times(12, 400)

static void text_has_the_figures(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct made *m = made_small(seed);
		struct imported *i = import_made(m, MADE_TEXT, NULL);

		assert_int_equal(i->result.kind, IMPORT_TEXT);
		assert_int_equal(anomalies_total(&i->result.anomalies), 0);
		assert_true(i->p->frame_count >= 100 && i->p->frame_count <= 501);
		assert_int_equal(i->p->ticks_per_s, 1000000);
		same_run(i, m, "text");
		same_frames(i, m, BY_TIME, "text");
		same_values(i, m);
		same_happenings(i, m, false);
		imported_free(i);
		made_free(m);
	}
}

static void timer_has_the_figures(enum made_format format)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct made *m = made_small(seed);
		struct imported *i = import_made(m, format, NULL);

		assert_int_equal(anomalies_total(&i->result.anomalies), 0);
		assert_int_equal(i->p->frame_count, m->o.frames);
		same_run(i, m, made_names[format]);
		same_frames(i, m, BY_FILE, made_names[format]);
		same_happenings(i, m, true);
		imported_free(i);
		made_free(m);
	}
}

static void timer_json_has_the_figures(void **state)
{
	(void)state;
	timer_has_the_figures(MADE_TIMER_JSON);
}

static void timer_binary_has_the_figures(void **state)
{
	(void)state;
	timer_has_the_figures(MADE_TIMER_BINARY);
}

static void without_frames_they_are_made_by_time(void **state)
{
	struct made_options o = small;
	struct imported *i;
	struct made *m;

	(void)state;
	o.no_frames = true;
	o.seed = 5;
	m = made_new(&o);
	i = import_made(m, MADE_TIMER_BINARY, NULL);
	assert_true(i->p->frame_count >= 100 && i->p->frame_count <= 501);
	assert_true(i->p->frames[3].flags & FRAME_GUESSED);
	same_run(i, m, "binary");
	same_frames(i, m, BY_TIME, "binary");
	imported_free(i);
	made_free(m);
}

static void chrome_has_the_figures(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		for (enum made_format format = MADE_CHROME; format <= MADE_CHROME_CALLS; format++) {
			struct made *m = made_small(seed);
			struct imported *i = import_made(m, format, NULL);
			char name[64];

			assert_int_equal(i->result.kind, IMPORT_CHROME);
			assert_int_equal(anomalies_total(&i->result.anomalies), 0);
			same_run(i, m, made_names[format]);
			same_frames(i, m, BY_TIME, made_names[format]);
			same_values(i, m);
			same_happenings(i, m, false);
			for (uint32_t thread = 0; thread < m->o.threads; thread++) {
				made_thread(m, thread, name);
				assert_string_equal(i->p->threads[imported_thread(i, m->ids[thread])].name, name);
			}
			imported_free(i);
			made_free(m);
		}
}

static void an_event_splits_frames(void **state)
{
	const struct import_options by_event = { .source = "x", .frame_event = "Frame Start" };

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		for (enum made_format format = MADE_TEXT; format <= MADE_CHROME_CALLS; format += MADE_CHROME - MADE_TEXT) {
			struct made *m = made_small(seed);
			struct imported *i = import_made(m, format, &by_event);
			uint32_t marks = 0;

			assert_int_equal(i->p->frame_count, m->o.frames);
			for (uint32_t k = 0; k < m->happening_count; k++)
				if (!m->happenings[k].note && !m->happenings[k].name)
					assert_int_equal(frame_end(&i->p->frames[marks++]), m->happenings[k].tick);
			assert_int_equal(marks, m->o.frames);
			same_run(i, m, "event");
			same_frames(i, m, BY_MARKS, "event");
			imported_free(i);
			made_free(m);
		}
}

static void a_zone_splits_frames(void **state)
{
	const struct import_options by_zone = { .source = "x", .frame_zone = "zone_0" };

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		for (enum made_format format = MADE_TEXT; format <= MADE_CHROME_CALLS; format++) {
			struct made *m = made_small(seed);
			struct imported *i = import_made(m, format, &by_zone);

			if (!i->result.anomalies.counts[ANOMALY_NO_FRAME]) {
				assert_true(i->p->frames[0].flags & FRAME_BOUNDED);
				same_frames(i, m, BY_MARKS, "zone");
			}
			same_run(i, m, "zone");
			for (uint32_t f = 0; f < i->p->frame_count; f++) {
				struct imported_figures z =
					imported_zone(i, profile_marking_thread(i->p), "zone_0", f, f + 1);

				if (i->result.anomalies.counts[ANOMALY_NO_FRAME])
					break;
				assert_int_equal(z.inclusive, i->p->frames[f].length);
				assert_true(z.count >= 1);
			}
			imported_free(i);
			made_free(m);
		}
}

/* By hand */

static int64_t count_of(const struct imported *i, enum anomaly kind)
{
	return (int64_t)i->result.anomalies.counts[kind];
}

static struct imported_figures run(const struct imported *i, const char *zone)
{
	return imported_zone_run(i, 0, zone);
}

static void the_example_of_profile_visualiser(void **state)
{
	struct imported *i = import_text_of("T 0 main\nF 0 0 main\nS 0 0 39469\nF 0 1 void __cdecl runTest(void)\n"
					    "S 0 1 39523\nF 0 2 start threads\nS 0 2 39582\nT 1 WorkerThread #1\n"
					    "F 1 0 WorkerThread #1\nS 1 0 41191\nF 1 1 void __cdecl mockFunction(int,int)\n"
					    "S 1 1 41312\nF 1 2 int __cdecl getRandomNumber(int)\nS 1 2 41357\n"
					    "F 1 3 mutex acquired\nS 1 3 41413\nE 1 3 41527\nE 1 2 41574\n"
					    "T 2 WorkerThread #2\nF 2 0 WorkerThread #2\n", NULL);
	struct imported_figures f;

	(void)state;
	assert_true(i->done);
	assert_int_equal(i->p->thread_count, 3);
	assert_string_equal(i->p->threads[1].name, "WorkerThread #1");
	f = imported_zone_run(i, 1, "int __cdecl getRandomNumber(int)");
	assert_int_equal(f.inclusive, 41574 - 41357);
	assert_int_equal(f.self, 41574 - 41357 - (41527 - 41413));
	assert_int_equal(f.longest, 41574 - 41357);
	assert_int_equal(count_of(i, ANOMALY_OPEN), 5);
	f = imported_zone_run(i, 0, "void __cdecl runTest(void)");
	assert_int_equal(f.inclusive, 39582 - 39523);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.longest, 0);
	imported_free(i);
}

static void oddities_of_profile_visualiser(void **state)
{
	struct imported *i = import_text_of("# a comment\n\nS 9223372036854775808 5 10\r\n"
					    "T 9223372036854775808 late name\nF 9223372036854775808 5 first\n"
					    "E 9223372036854775808 5 20\nF 9223372036854775808 5 renamed\n"
					    "S 9223372036854775808 5 30\nE 9223372036854775808 6 25\n"
					    "E 9223372036854775808 5 31\nD 3 40 -70000000000\nD 3 39 5\n"
					    "Y 9223372036854775808 1 33\nX y\nS 1 2\nS 1 2 99999999999999999999\n", NULL);

	(void)state;
	assert_true(i->done);
	assert_int_equal(count_of(i, ANOMALY_RECORD), 3);
	assert_int_equal(count_of(i, ANOMALY_UNNAMED), 3);
	assert_int_equal(count_of(i, ANOMALY_MISMATCH), 1);
	assert_int_equal(count_of(i, ANOMALY_TIME_BACK), 1);
	assert_int_equal(count_of(i, ANOMALY_END_ALONE), 1);
	assert_int_equal(i->p->threads[0].id, UINT64_C(9223372036854775808));
	assert_string_equal(i->p->threads[0].name, "late name");
	assert_int_equal(run(i, "5").inclusive, 10);
	assert_int_equal(run(i, "renamed").count, 1);
	assert_int_equal(run(i, "renamed").inclusive, 0);
	assert_int_equal(i->p->tracks[0].run_least.whole, INT64_C(-70000000000));
	assert_int_equal(i->p->tracks[0].now.last.whole, INT64_C(-70000000000)); /* 40 is later than 39 */
	assert_int_equal(i->result.anomalies.places[0].at, 3);
	imported_free(i);
}

/* Its lines may be indented. */
static void indented_lines_of_profile_visualiser(void **state)
{
	struct imported *i = import_text_of("  T 1 1\n  F 1 1 a\n\tS 1 1 0\n \tF 1 2 b\n  # words\n  S 1 2 10\n  V 1 0 ev\n  Y 1 0 20\n"
					    "  E 1 2 40\n  E 1 1 100\n  C 0 q\n  D 0 5 3\n", NULL);

	(void)state;
	assert_true(i->done);
	assert_int_equal(i->result.kind, IMPORT_TEXT);
	assert_int_equal(anomalies_total(&i->result.anomalies), 0);
	assert_int_equal(run(i, "a").inclusive, 100);
	assert_int_equal(run(i, "b").self, 30);
	assert_int_equal(i->p->tracks[0].now.last.whole, 3);
	imported_free(i);
}

static void the_example_of_perf_timer(void **state)
{
	struct imported *i = import_text_of(
		"[\n  [0, 1, 0, 1609044830711675392, \"DemoFunc_0\"],\n"
		"  [0, 1, 0, 1609044830713163520, \"DemoFunc_0_0\"],\n  [0, 1, 0, 1609044830714651392, \"DemoFunc_1_0\"],\n"
		"  [1, 1, 0, 1609044830716141056, \"DemoFunc_1_0\"],\n  [1, 1, 0, 1609044830716141056, \"DemoFunc_0_0\"],\n"
		"  [0, 1, 0, 1609044830716141056, \"DemoFunc_0_1\"],\n  [0, 1, 0, 1609044830717628672, \"DemoFunc_1_0\"],\n"
		"  [1, 1, 0, 1609044830719115520, \"DemoFunc_1_0\"],\n  [1, 1, 0, 1609044830719115520, \"DemoFunc_0_1\"],\n"
		"  [1, 1, 0, 1609044830719115520, \"DemoFunc_0\"],\n  [0, 1, 1, 1609044830719115520, \"DemoFunc_0\"],\n"
		"  [1, 1, 1, 1609044830720603392, \"DemoFunc_0\"]\n]\n", NULL);

	(void)state;
	assert_true(i->done);
	assert_int_equal(anomalies_total(&i->result.anomalies), 0);
	assert_string_equal(i->p->threads[0].name, "1");
	assert_int_equal(i->p->frame_count, 2);
	assert_int_equal(i->p->frames[0].number, 1);
	assert_int_equal(i->p->frames[0].start, INT64_C(1609044830711675392));
	assert_int_equal(i->p->frames[0].length, INT64_C(7440128));
	assert_int_equal(i->p->frames[1].length, INT64_C(1487872));
	assert_int_equal(imported_zone(i, 0, "DemoFunc_0", 0, 1).inclusive, INT64_C(7440128));
	assert_int_equal(imported_zone(i, 0, "DemoFunc_0", 0, 1).self, INT64_C(1488128));
	assert_int_equal(imported_zone(i, 0, "DemoFunc_1_0", 0, 1).count, 2);
	assert_int_equal(imported_zone(i, 0, "DemoFunc_0", 1, 2).inclusive, INT64_C(1487872));
	imported_free(i);
}

static void oddities_of_perf_timer(void **state)
{
	struct imported *i = import_text_of(
		"[[0,-1,-1,100,\"loop\"],[0,-1,40,110,\"a\\u0000b\"],[1,-1,-1,120,\"a\\u0000b\"],"
		"[2,18446744073709551615,41,125,\"a note\"],[0,-1,42,130,\"c::<d>\\n\"],[5,1,1,1,\"\"],[1,-1,42,140,\"other\"],"
		"[1,-1,0,150,\"loop\"],[1,-1,0,150,\"loop\"],[0,1,2],7,{\"a\":[1]},[0,1,-7,160,\"\"],[0,1.5,2,3,\"x\"],"
		"[1,1,99999999999,1,\"x\"],[1,1,-1,165,\"(no name)\"]", NULL);

	(void)state;
	assert_true(i->done);
	assert_int_equal(count_of(i, ANOMALY_CUT), 1);
	assert_int_equal(count_of(i, ANOMALY_RECORD), 4);
	assert_int_equal(count_of(i, ANOMALY_NUMBER), 2);
	assert_int_equal(count_of(i, ANOMALY_MISMATCH), 1);
	assert_int_equal(count_of(i, ANOMALY_END_ALONE), 1);
	assert_int_equal(count_of(i, ANOMALY_FRAME), 1);
	assert_true(count_of(i, ANOMALY_NAME_NUL) >= 1);
	assert_int_equal(i->p->frame_count, 3);
	assert_int_equal(i->p->frames[1].number, 41); /* as in the file, which has no frame 0 */
	assert_int_equal(i->p->instant_count, 1);
	assert_int_equal(i->p->instants[0].tick, 125);
	assert_true(i->p->frames[1].start < 125 && frame_end(&i->p->frames[1]) >= 125);
	assert_int_equal(i->p->threads[i->p->instants[0].thread].id, UINT64_MAX);
	assert_int_equal(run(i, "loop").inclusive, 50);
	assert_int_equal(run(i, "loop").self, 30);
	assert_int_equal(imported_zone(i, 0, "a\xc0\x80" "b", 0, 1).self, 10);
	assert_int_equal(imported_zone(i, 0, "loop", 0, 3).self, 0); /* it was in no frame */
	imported_free(i);
}

/* Those of no length are none, and that is told. */
static void a_zone_of_no_length_is_no_frame(void **state)
{
	struct imported *i = imported_bytes("T 1 m\nF 1 1 f\nS 1 1 5\nE 1 1 5\nS 1 1 6\nE 1 1 9\nS 1 1 10\nE 1 1 10\n", 64,
					    &(struct import_options){ .source = "x", .frame_zone = "f" });

	(void)state;
	assert_int_equal(i->p->frame_count, 1);
	assert_int_equal(count_of(i, ANOMALY_FRAME), 2);
	assert_int_equal(run(i, "f").count, 3);
	imported_free(i);
}

/* Times out of range become the last possible tick, which can be read again. */
static void the_last_tick(void **state)
{
	struct imported *i = import_text_of("[[0,1,1,18446744073709551610,\"A\"],[1,1,1,18446744073709551615,\"A\"],"
					    "[2,1,2,18446744073709551615,\"n\"]]", NULL);

	(void)state;
	assert_int_equal(count_of(i, ANOMALY_TIME_RANGE), 3);
	assert_int_equal(profile_loss_total(i->p), 3);
	assert_int_equal(run(i, "A").count, 1);
	assert_int_equal(i->p->frame_count, 2);
	assert_int_equal(i->p->instant_count, 1);
	imported_free(i);
}

/* Sparse frames: notes of no frame, notes outside of their frame, and a frame that has nothing but notes. */
static void notes_of_perf_timer(void **state)
{
	static const int64_t starts[] = { 10, 20, 40 }, lengths[] = { 10, 1, 10 }, ticks[] = { 12, 21, 25, 45 };
	struct imported *i = import_text_of(
		"[[2,1,5,45,\"late\"],[0,1,1,10,\"A\"],[2,1,1,12,\"in\"],[1,1,1,20,\"A\"],[2,1,2,20,\"alone\"],[2,1,-1,25,\"none\"],"
		"[0,1,5,40,\"B\"],[1,1,5,50,\"B\"]]", NULL);

	(void)state;
	assert_true(i->done);
	assert_int_equal(anomalies_total(&i->result.anomalies), 0);
	assert_int_equal(i->p->frame_count, 3);
	for (int k = 0; k < 3; k++) {
		assert_int_equal(i->p->frames[k].start, starts[k]);
		assert_int_equal(i->p->frames[k].length, lengths[k]);
	}
	assert_int_equal(i->p->instant_count, 4);
	for (int k = 0; k < 4; k++)
		assert_int_equal(i->p->instants[k].tick, ticks[k]);
	assert_int_equal(profile_unframed_next(i->p, 0), 2);
	assert_int_equal(profile_unframed_next(i->p, 3), 4);
	imported_free(i);
	i = import_text_of("[[2,1,1,3,\"early\"],[0,1,1,46,\"A\"],[1,1,1,50,\"A\"]]", NULL);
	assert_int_equal(i->p->instants[0].tick, 47);
	imported_free(i);
	i = import_text_of("[[0,18446744073709551612,-1,3,\"A\"],[2,18446744073709551612,-1,5,\"n\"]]", NULL); /* it is open until then */
	assert_int_equal(run(i, "A").self, 2);
	assert_int_equal(i->p->threads[0].id, UINT64_MAX - 3);
	assert_int_equal(i->p->threads[0].tid, 0);
	imported_free(i);
}

/* Byte 4,095 of the note is in the middle of a character. */
static void a_note_is_cut_between_characters(void **state)
{
	char text[5000] = "[[0,1,1,10,\"A\"],[2,1,1,12,\"";
	struct imported *i;

	(void)state;
	for (int k = 0; k < 2100; k++)
		strcat(text, "\xc3\xa9");
	strcat(text, "\"],[1,1,1,20,\"A\"]]");
	i = import_text_of(text, NULL);
	assert_int_equal(count_of(i, ANOMALY_NAME_CUT), 1);
	assert_int_equal(i->p->instant_count, 1);
	assert_int_equal(strlen(i->p->instants[0].text), 4094);
	imported_free(i);
}

static void calls_of_chrome_nest_by_how_long_they_take(void **state)
{
	struct imported *i = import_text_of(
		"[{\"name\":\"in\",\"ph\":\"X\",\"ts\":0,\"dur\":5,\"pid\":1,\"tid\":\"main\"},"
		"{\"name\":\"same\",\"ph\":\"X\",\"ts\":10,\"dur\":5,\"pid\":1,\"tid\":\"main\"},"
		"{\"name\":\"around same\",\"ph\":\"X\",\"ts\":10,\"dur\":5,\"pid\":1,\"tid\":\"main\"},"
		"{\"name\":\"out\",\"ph\":\"X\",\"ts\":0,\"dur\":1.5e1,\"pid\":1,\"tid\":\"main\"},"
		"{\"name\":\"next\",\"ph\":\"X\",\"ts\":15,\"dur\":0.0005,\"pid\":1,\"tid\":\"main\"},"
		"{\"name\":\"across\",\"ph\":\"X\",\"ts\":20,\"dur\":10,\"pid\":1,\"tid\":\"main\"},"
		"{\"name\":\"cut\",\"ph\":\"X\",\"ts\":25,\"dur\":10,\"pid\":1,\"tid\":\"main\"},"
		"{\"ph\":\"s\",\"ts\":25},{\"ph\":\"X\"},{\"name\":\"x\"},", NULL);

	(void)state;
	assert_true(i->done);
	assert_int_equal(count_of(i, ANOMALY_OVERLAP), 1);
	assert_int_equal(count_of(i, ANOMALY_ROUNDED), 1);
	assert_int_equal(count_of(i, ANOMALY_PHASE), 1);
	assert_int_equal(count_of(i, ANOMALY_NUMBER), 1);
	assert_int_equal(count_of(i, ANOMALY_RECORD), 1);
	assert_int_equal(anomalies_total(&i->result.anomalies), 5);
	assert_string_equal(i->p->threads[0].name, "main");
	assert_int_equal(i->p->process.pid, 1);
	assert_int_equal(run(i, "out").inclusive, 15000);
	assert_int_equal(run(i, "out").self, 5000);
	assert_int_equal(run(i, "in").self, 5000);
	assert_int_equal(run(i, "around same").self, 0);
	assert_int_equal(run(i, "around same").inclusive, 5000);
	assert_int_equal(run(i, "same").self, 5000);
	assert_int_equal(run(i, "next").self, 1);
	assert_int_equal(run(i, "cut").inclusive, 5000);
	imported_free(i);
}

/* Times that were rounded make calls that follow each other overlap: the next one is no part of the one before. */
static void calls_of_chrome_overlap_a_little(void **state)
{
	struct imported *i = import_text_of(
		"[{\"name\":\"out\",\"ph\":\"X\",\"ts\":0,\"dur\":40,\"pid\":1,\"tid\":1},"
		"{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":10.001,\"pid\":1,\"tid\":1},"
		"{\"name\":\"in a\",\"ph\":\"X\",\"ts\":9,\"dur\":1.001,\"pid\":1,\"tid\":1},"
		"{\"name\":\"b\",\"ph\":\"X\",\"ts\":10,\"dur\":10,\"pid\":1,\"tid\":1}]", NULL);

	(void)state;
	assert_int_equal(count_of(i, ANOMALY_TOUCH), 2);
	assert_int_equal(run(i, "a").inclusive, 10000);
	assert_int_equal(run(i, "in a").inclusive, 1000);
	assert_int_equal(run(i, "b").inclusive, 10000);
	assert_int_equal(run(i, "out").self, 20000);
	imported_free(i);
}

/* Calls as a whole beside calls of two events: they nest by their times, in
 * whatever order the file has them. */
static void calls_of_chrome_of_both_kinds(void **state)
{
#define BEGIN "{\"name\":\"b\",\"ph\":\"B\",\"ts\":10,\"pid\":1,\"tid\":1}"
#define END "{\"ph\":\"E\",\"ts\":15,\"pid\":1,\"tid\":1}"
#define CALL(ts, dur) "{\"name\":\"x\",\"ph\":\"X\",\"ts\":" #ts ",\"dur\":" #dur ",\"pid\":1,\"tid\":1}"
	static const struct {
		const char *text;
		int64_t b, x, b_self, x_self, cut;
	} all[] = {
		{ "[" CALL(10, 10) "," BEGIN "," END "]", 5000, 10000, 5000, 5000, 0 },
		{ "[" BEGIN "," END "," CALL(10, 10) "]", 5000, 10000, 5000, 5000, 0 },
		{ "[" BEGIN "," CALL(10, 10) "," END "]", 5000, 10000, 5000, 5000, 0 },
		{ "[" CALL(10, 3) "," BEGIN "," END "]", 5000, 3000, 2000, 3000, 0 },
		{ "[" BEGIN "," END "," CALL(12, 3) "]", 5000, 3000, 2000, 3000, 0 },
		{ "[" BEGIN "," END "," CALL(0, 12) "]", 5000, 10000, 5000, 10000, 1 }, /* x was made longer */
		{ "[" BEGIN "," END "," CALL(14, 20) "]", 4000, 20000, 4000, 20000, 1 },
	};
#undef BEGIN
#undef END
#undef CALL

	(void)state;
	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) {
		struct imported *i = import_text_of(all[k].text, NULL);
		struct imported_figures b = run(i, "b"), x = run(i, "x");

		imported_check(i);
		if (b.inclusive != all[k].b || x.inclusive != all[k].x || b.self != all[k].b_self || x.self != all[k].x_self ||
		    b.count != 1 || x.count != 1 || count_of(i, ANOMALY_OVERLAP) + count_of(i, ANOMALY_TOUCH) != all[k].cut ||
		    anomalies_total(&i->result.anomalies) != (uint64_t)all[k].cut)
			fail_msg("%zu: b %" PRId64 " x %" PRId64, k, b.inclusive, x.inclusive);
		imported_free(i);
	}
}

static void a_thread_is_called_by_its_id(void **state)
{
	static const struct {
		const char *id, *name;
		int64_t tid;
	} all[] = {
		{ "-136712896", "-136712896", -136712896 },
		{ "\"-7\"", "-7", -7 },
		{ "-0", "0", 0 },
		{ "18446744073572838720", "18446744073572838720", 0 }, /* a hash */
		{ "139627874611776", "139627874611776", 139627874611776 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++)
		for (int several = 0; several < 2; several++) {
			char text[256], name[64];
			struct imported *i;

			snprintf(text, sizeof(text), "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":9,\"pid\":4,\"tid\":%s},"
				 "{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":9,\"pid\":%d,\"tid\":3}]", all[k].id, 4 + several);
			snprintf(name, sizeof(name), several ? "4/%s" : "%s", all[k].name);
			i = import_text_of(text, NULL);
			assert_string_equal(i->p->threads[0].name, name);
			assert_int_equal(i->p->threads[0].tid, all[k].tid);
			imported_free(i);
		}
}

/* Whatever their ids are: -1 is a large number, too. */
static void threads_with_several_ids_are_several(void **state)
{
	struct imported *i = import_text_of("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":1,\"tid\":\"s 7\"},"
					    "{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":2,\"tid\":\"s 8\"},"
					    "{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":4,\"tid\":-1},"
					    "{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":8,\"tid\":18446744073709551614},"
					    "{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":16,\"tid\":-2}]", NULL);

	(void)state;
	assert_int_equal(i->p->thread_count, 5);
	for (uint32_t k = 0; k < 5; k++)
		for (uint32_t m = 0; m < k; m++)
			assert_true(i->p->threads[k].id != i->p->threads[m].id);
	imported_free(i);
}

/* Counters of one process are not one because they would be called alike. */
static void counters_that_look_alike_are_several(void **state)
{
	static const struct {
		const char *events[3], *names[2];
	} all[] = {
		{ { "\"cache\",\"args\":{\"hits\":5}", "\"cache hits\",\"args\":{\"value\":900}", "\"cache\",\"args\":{\"hits\":7}" },
		  { "cache hits", "cache hits (value)" } },
		{ { "\"cpu\",\"args\":{\"value\":1,\"cpu\":50}", "\"cpu\",\"args\":{\"value\":2}", "\"cpu\",\"args\":{\"cpu\":60}" },
		  { "cpu", "cpu (cpu)" } },
		{ { "\"a\",\"id\":1,\"args\":{\"value\":1}", "\"a[1]\",\"args\":{\"value\":77}", "\"a\",\"id\":1,\"args\":{\"value\":2}" },
		  { "a[1]", "a[1] (value)" } },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) {
		char text[512] = "[{\"ph\":\"X\",\"name\":\"w\",\"ts\":0,\"dur\":9,\"pid\":1}";
		struct imported *i;

		for (int e = 0; e < 3; e++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), ",{\"ph\":\"C\",\"pid\":1,\"ts\":%d,\"name\":%s}",
				 e + 1, all[k].events[e]);
		strcat(text, "]");
		i = import_text_of(text, NULL);
		assert_int_equal(i->p->counter_count, 2);
		for (int c = 0; c < 2; c++)
			assert_string_equal(i->p->counters[c].name, all[k].names[c]);
		imported_free(i);
	}
}

/* Nothing is missing in a frame in which no thread ran: its time is in no
 * zone. */
static void frames_in_which_no_thread_runs_are_whole(void **state)
{
#define A_CALL "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":100,\"pid\":1,\"tid\":1},"
	static const struct {
		const char *text;
		uint32_t frames;
	} all[] = {
		{ A_CALL "{\"name\":\"e\",\"ph\":\"i\",\"ts\":200,\"pid\":1,\"tid\":1}]", 200 },
		{ A_CALL "{\"name\":\"c\",\"ph\":\"C\",\"ts\":200,\"pid\":1,\"args\":{\"c\":1}}]", 200 },
		{ A_CALL "{\"name\":\"b\",\"ph\":\"X\",\"ts\":300,\"dur\":100,\"pid\":1,\"tid\":2}]", 400 },
		{ A_CALL "{\"name\":\"b\",\"ph\":\"X\",\"ts\":50,\"dur\":150,\"pid\":1,\"tid\":1}]", 200 }, /* b is cut, or a */
		{ "[[0,1,1,10,\"A\"],[1,1,1,20,\"A\"],[2,1,2,30,\"a note\"]]", 2 },
	};
#undef A_CALL

	(void)state;
	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) {
		struct imported *i = import_text_of(all[k].text, NULL);
		struct values *v = values_of_last(i->p, UINT32_MAX);

		assert_true(i->done);
		imported_check(i);
		assert_int_equal(i->p->frame_count, all[k].frames);
		assert_int_equal(v->frames, all[k].frames);
		assert_int_equal(v->incomplete, 0);
		values_free(v);
		imported_free(i);
	}
}

/* Between events it may end, in one it is cut off. */
static void a_chrome_trace_that_is_cut_off(void **state)
{
	static const char all[] = "{\"traceEvents\":[{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":10,\"pid\":1,\"tid\":1},\n"
				  "{\"name\":\"b\",\"ph\":\"X\",\"ts\":20,\"dur\":5}";
	const size_t first = strcspn(all, "}") + 1;

	(void)state;
	for (size_t size = first; size < sizeof(all); size++) {
		struct imported *i = imported_bytes(all, size, NULL);
		bool between = size <= first + 2 || size == sizeof(all) - 1;

		assert_true(i->done);
		assert_int_equal(count_of(i, ANOMALY_CUT), !between);
		assert_int_equal(anomalies_total(&i->result.anomalies), !between);
		imported_free(i);
	}
}

/* Zones in those that had no room are left out for the same reason. */
/* A hundred to five hundred frames, but no more than four million slices of
 * frames. */
static void very_many_threads_have_fewer_frames(void **state)
{
	struct imported *i;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	for (uint32_t t = 0; t < 40000; t++)
		fprintf(out, "S %u 1 %u\nE %u 1 %u\n", t, t % 1000, t, t % 1000 + 1000);
	fclose(out);
	i = imported_bytes(text, size, NULL);
	assert_true(i->done);
	assert_int_equal(i->p->thread_count, 40000);
	assert_in_range(i->p->frames_ended, (1 << 22) / 40000 / 5, (1 << 22) / 40000);
	assert_int_equal(imported_zone_run(i, 39999, "1").self, 1000);
	imported_free(i);
	free(text);
}

static void very_many_paths(void **state)
{
	const uint32_t paths = 524288 + 10;
	size_t size = 8;
	char *bytes = malloc(8 + (size_t)paths * 4 * 32);
	struct imported *i;

	(void)state;
	assert_non_null(bytes);
	memcpy(bytes, (uint32_t[]){ 0xFA57, 4 * paths }, 8);
	for (uint32_t k = 0; k < 4 * paths; k++) {
		char name[10] = "in";
		uint64_t thread = 1, ns = k;
		int32_t frame = -1;
		uint16_t length;

		if (k % 4 == 0 || k % 4 == 3)
			snprintf(name, sizeof(name), "z%u", k / 4);
		length = (uint16_t)strlen(name);
		bytes[size] = k % 4 > 1;
		memcpy(bytes + size + 1, &thread, 8);
		memcpy(bytes + size + 9, &frame, 4);
		memcpy(bytes + size + 13, &ns, 8);
		memcpy(bytes + size + 21, &length, 2);
		memcpy(bytes + size + 23, name, length);
		size += 23u + length;
	}
	i = imported_bytes(bytes, size, NULL);
	assert_true(i->done);
	assert_int_equal(count_of(i, ANOMALY_DEEP), 0);
	assert_in_range(count_of(i, ANOMALY_MANY), paths, 2 * paths);
	imported_free(i);
	free(bytes);
}

static void oddities_of_chrome(void **state)
{
	struct imported *i = import_text_of(
		"{\"args\":{\"traceEvents\":[1]},\"traceEvents\":["
		"{\"args\":{\"name\":\"GPU\"},\"ph\":\"M\",\"name\":\"process_name\",\"pid\":8,\"tid\":1},"
		"{\"ph\":\"E\",\"ts\":-4,\"pid\":8,\"tid\":1},"
		"{\"ph\":\"B\",\"ts\":\"-10.25\",\"pid\":8,\"tid\":1,\"name\":\"a\"},"
		"{\"ph\":\"C\",\"ts\":1,\"pid\":8,\"name\":\"mem\",\"args\":{\"free\":\"9007199254740993\",\"value\":0.5,\"s\":\"x\"}},"
		"{\"ph\":\"B\",\"ts\":5,\"pid\":9,\"tid\":1,\"name\":\"b\"},"
		"{\"ph\":\"I\",\"ts\":6,\"pid\":9,\"tid\":1,\"name\":\"ev\"}, 5, [2], {}],\"z\":{\"ph\":1}} x", NULL);

	(void)state;
	assert_true(i->done);
	assert_int_equal(count_of(i, ANOMALY_REST), 1);
	assert_int_equal(count_of(i, ANOMALY_RECORD), 2);
	assert_int_equal(count_of(i, ANOMALY_OPEN), 1);
	assert_int_equal(count_of(i, ANOMALY_MEMBER), 1); /* "s" of the counter */
	assert_int_equal(anomalies_total(&i->result.anomalies), 5);
	assert_int_equal(i->p->first_tick, 0); /* -10.25 us */
	assert_string_equal(i->p->threads[0].name, "GPU/1");
	assert_string_equal(i->p->threads[1].name, "9/1");
	assert_int_equal(run(i, "a").inclusive, 6250);
	assert_int_equal(i->p->counter_count, 2);
	assert_string_equal(i->p->counters[0].name, "GPU/mem free");
	assert_int_equal(i->p->tracks[0].now.last.whole, INT64_C(9007199254740993));
	assert_true(i->p->counters[1].real && i->p->tracks[1].now.last.real == 0.5);
	assert_int_equal(i->p->instants[0].tick, 16250);
	imported_free(i);
}

static void commas_may_precede_the_first_member(void **state)
{
	struct imported *i = import_text_of("{,\"traceEvents\":[,{,\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":10},"
					    "{,,\"ph\":\"X\",\"name\":\"a\",\"ts\":20,\"dur\":10}]}", NULL);

	(void)state;
	assert_true(i->done);
	assert_int_equal(anomalies_total(&i->result.anomalies), 0);
	assert_int_equal(run(i, "a").count, 2);
	imported_free(i);
}

/* A call, event or counter without a name is counted, but an end needs none. */
static void a_missing_name_is_counted(void **state)
{
	struct imported *i = import_text_of(
		"[{\"ph\":\"X\",\"ts\":0,\"dur\":10},{\"ph\":\"B\",\"ts\":20},{\"ph\":\"E\",\"ts\":30},{\"ph\":\"i\",\"ts\":35},"
		"{\"ph\":\"C\",\"ts\":36,\"args\":{\"v\":5}},{\"ph\":\"X\",\"name\":\"a\",\"ts\":40,\"dur\":10}]", NULL);

	(void)state;
	assert_true(i->done);
	assert_int_equal(count_of(i, ANOMALY_MEMBER), 4);
	assert_int_equal(anomalies_total(&i->result.anomalies), 4);
	assert_int_equal(run(i, "(no name)").inclusive, 20000);
	imported_free(i);
}

/* A fault in the second of three calls costs that call at most, and is
 * counted. */
static void a_bad_token_costs_its_event(void **state)
{
	static const char head[] = "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":10},",
			  tail[] = ",\n{\"ph\":\"X\",\"name\":\"c\",\"ts\":40,\"dur\":10}]";
	static const struct {
		const char *event;
		int64_t count; /* of the call */
		enum anomaly anomaly; /* ANOMALIES: none */
	} all[] = {
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":20,\"dur\":10,},,", 1, ANOMALIES },
		{ "{\"ph\":\"X\" \"name\":\"b\",,\"ts\":\"20\",\"dur\":\"1e1\",\"pid\":0.0,\"tid\":\"0\"}", 1, ANOMALIES },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":20,\"dur\":10,\"args\":{\"l\":[NaN,-inf,None]}}", 1, ANOMALY_TOKEN },
		{ "{ph:\"X\",name:\"b\",ts:20,dur:10,cat:}", 1, ANOMALY_TOKEN },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":20,\"dur\":10,\"args\":{\"f\":\"C:\\dir\\\"}}", 1, ANOMALY_TOKEN },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":20,\"dur\":10,\"cat\":\"\t\n\x01\\u12\"}", 1, ANOMALY_TOKEN },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":20,\"dur\":10}}", 1, ANOMALY_RECORD },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":NaN,\"dur\":10}", 0, ANOMALY_NUMBER },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":20,\"dur\":null}", 0, ANOMALY_NUMBER },
		{ "{\"ph\":\"X\",\"name\":\"b,\"ts\":20,\"dur\":10}", 0, ANOMALY_RECORD },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":20,\"dur\":10", 0, ANOMALY_RECORD },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"args\":{\"l\":[{\"x\":1},{\"y\":2}]} : 5}", 0, ANOMALY_RECORD },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"args\":[1,2},\"ts\":20}", 0, ANOMALY_RECORD },
		{ "{\"ph\" \"X\",\"name\":\"b\",\"ts\":20}", 0, ANOMALY_RECORD },
		{ "{\"ph\":\"X\",\"na\n[", 0, ANOMALY_RECORD },
	};

	(void)state;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		char text[1024];
		struct imported *i;

		snprintf(text, sizeof text, "%s\n%s%s", head, all[k].event, tail);
		i = import_text_of(text, NULL);
		if (!i->done || run(i, "a").count != 1 || run(i, "b").count != all[k].count || run(i, "c").inclusive != 10000 ||
		    (all[k].count && run(i, "b").inclusive != 10000))
			fail_msg("%s", all[k].event);
		if (all[k].anomaly != ANOMALIES ? !count_of(i, all[k].anomaly) : anomalies_total(&i->result.anomalies) != 0)
			fail_msg("%s: another anomaly", all[k].event);
		assert_int_equal(count_of(i, ANOMALY_SYNTAX), 0);
		imported_free(i);
	}
}

/* YAJL would join it with the escape behind it. The end of what is read at once, 128 KiB, is at each byte of this. */
static void half_a_surrogate_pair_is_one_character(void **state)
{
	static const char records[] = "{\"ph\":\"X\",\"name\":\"p\\q\",\"ts\":50,\"dur\":6},"
		"{\"ph\":\"X\",\"name\":\"<\\ud83d\\u003c\",\"ts\":0,\"dur\":1},"
		"{\"ph\":\"X\",\"name\":\"\\uD83D\\uDE00\\\\ud83d\",\"ts\":10,\"dur\":2},"
		"{\"ph\":\"X\",\"name\":\"x\\ud800\",\"ts\":20,\"dur\":3},{\"ph\":\"X\",\"name\":\"x?\",\"ts\":30,\"dur\":4},"
		"{\"ph\":\"X\",\"name\":\"\\udc00\\ude00y\",\"ts\":40,\"dur\":5}]";
	static char text[140000];
	struct imported *i;

	(void)state;
	for (size_t before = 0; before < sizeof records + 1; before++) {
		size_t blanks = before ? (UINT32_C(128) << 10) - before : 1;

		memset(text, ' ', blanks);
		*text = '[';
		strcpy(text + blanks, records);
		i = import_text_of(text, NULL);
		assert_true(i->done);
		assert_int_equal(run(i, "<\xef\xbf\xbd<").inclusive, 1000);
		assert_int_equal(run(i, "\xf0\x9f\x98\x80\\ud83d").inclusive, 2000);
		assert_int_equal(run(i, "x\xef\xbf\xbd").inclusive, 3000);
		assert_int_equal(run(i, "x?").inclusive, 4000);
		assert_int_equal(run(i, "\xef\xbf\xbd\xef\xbf\xbdy").inclusive, 5000);
		assert_int_equal(run(i, "p\\q").inclusive, 6000);
		assert_int_equal(count_of(i, ANOMALY_TOKEN), 5);
		imported_free(i);
	}
}

static void times_to_the_last_tick(void **state)
{
	struct imported *i = import_text_of("[{\"ph\":\"X\",\"name\":\"last\",\"ts\":4611686018427387,\"dur\":9000000000}]", NULL);

	(void)state;
	assert_int_equal(count_of(i, ANOMALY_TIME_RANGE), 1);
	assert_int_equal(run(i, "last").inclusive, INT64_C(9000000000000));
	imported_free(i);
	i = import_text_of("[{\"ph\":\"B\",\"name\":\"p\",\"ts\":3150987578522433},"
			   "{\"ph\":\"X\",\"name\":\"q\",\"ts\":3150987578523433,\"dur\":1000},"
			   "{\"ph\":\"E\",\"name\":\"p\",\"ts\":3150987578532433}]", NULL);
	assert_int_equal(run(i, "p").self, 9000000);
	assert_int_equal(run(i, "p").inclusive, 10000000);
	assert_int_equal(run(i, "q").inclusive, 1000000);
	assert_int_equal(anomalies_total(&i->result.anomalies), 0);
	imported_free(i);
}

/* Each is given at 50 and 70 us of 100. */
static void values_of_chrome(void **state)
{
	static const struct {
		const char *values[2];
		double last, most, rate;
	} all[] = {
		{ { "100", "100" }, 100, 100, 0 },
		{ { "3", "5" }, 5, 5, 2 / 50e-6 },
		{ { "18446744071562067968", "9223372036854775900" }, 9223372036854775808., 18446744071562067968.,
		  -9223372034707292160 / 50e-6 },
		{ { "9223372036854775807", "9223372036854775807" }, 9223372036854775807., 9223372036854775807., 0 },
		{ { "7", "1e400" }, 7, 7, 0 },
		{ { "1e308", "-1e308" }, -1e308, 1e308, -DBL_MAX },
	};

	(void)state;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		struct counter_options o = { 0 };
		struct counter_report *r;
		char text[512], why[200];
		struct imported *i;
		bool real;

		snprintf(text, sizeof text, "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":100},"
			 "{\"ph\":\"C\",\"name\":\"n\",\"ts\":50,\"args\":{\"value\":%s}},"
			 "{\"ph\":\"C\",\"name\":\"n\",\"ts\":70,\"args\":{\"value\":%s}}]", all[k].values[0], all[k].values[1]);
		i = import_text_of(text, NULL);
		assert_int_equal(count_of(i, ANOMALY_NUMBER), strstr(text, "e400") != NULL);
		counters_cover(&o, i->p, 0, i->p->frame_count);
		r = counters_make(i->p, &o, why, sizeof(why));
		assert_int_equal(r->row_count, 1);
		real = i->p->counters[0].real;
		assert_true(r->rows[0].value.bounds_known);
		assert_true((real ? r->rows[0].value.last.real : (double)r->rows[0].value.last.whole) == all[k].last);
		assert_true((real ? r->rows[0].value.most.real : (double)r->rows[0].value.most.whole) == all[k].most);
		assert_true(fabs(r->rows[0].value.rate - all[k].rate) <= 1e-9 * fabs(all[k].rate));
		counters_free(r);
		imported_free(i);
	}
}

static void a_bad_token_of_perf_timer_costs_its_record(void **state)
{
	struct imported *i = import_text_of(
		"[[0,1,1,100,\"a\"],,[\"0\",\"1\",1.0,\"120\",7],[1,1,1,1.4e2,7],[2,1,1,NaN,\"n\"],[2,1,1,150,\"a\tb\\c\"],\n"
		"[2,1,1,160,\"never closed],\n[2,1 1,,170,\"n\",],[1,1,1,200,\"a\"],]", NULL);

	(void)state;
	assert_int_equal(count_of(i, ANOMALY_RECORD), 1);
	assert_int_equal(count_of(i, ANOMALY_NUMBER), 1);
	assert_int_equal(run(i, "7").inclusive, 20);
	assert_int_equal(run(i, "a").inclusive, 100);
	assert_int_equal(i->p->instant_count, 2);
	assert_string_equal(i->p->instants[0].text, "a\tb\\c");
	imported_free(i);
}

/* Events of Chrome, as `Ba0 Ea4 E_9 Xc5+2`: the phase, the name (_ for none),
 * the time, and the length of a call. */
static struct imported *import_events(const char *events, const struct import_options *options)
{
	char text[4096] = "[";

	for (const char *at = events; *at; at += strcspn(at, " "), at += *at == ' ') {
		char *length;
		long ts = strtol(at + 2, &length, 10);

		snprintf(text + strlen(text), sizeof text - strlen(text),
			 "{\"ph\":\"%c\",\"name\":\"%.*s\",\"ts\":%ld,\"dur\":%ld},", at[0], at[1] != '_', at + 1, ts,
			 *length == '+' ? atol(length + 1) : 0);
	}
	return import_text_of(text, options);
}

/* An event E ends the zone of its name. */
static void ends_find_what_they_end(void **state)
{
	static const struct {
		const char *events;
		int64_t a, b, c; /* time in these zones, us */
		enum anomaly anomaly;
	} all[] = {
		{ "Ba0 Bb1 Ea4 Bc9 Ec10", 4, 3, 1, ANOMALY_MISMATCH },
		{ "Ba0 Eb1 Ea4 Bc9 Ec10", 4, 0, 1, ANOMALY_END_ALONE },
		{ "Ba0 Bb1 E_2 E_4 Bc9 Ec10", 4, 1, 1, ANOMALIES },
		{ "Ba0 Ba1 Bb2 Ea3 Ea4 Bc9 Ec10", 4, 1, 1, ANOMALY_MISMATCH },
		{ "Ba0 Bb4 Ea4 Eb6 Bc9 Ec10", 4, 2, 1, ANOMALIES }, /* at one time, in the other order */
		{ "Ba0 Bb4 Bc4 Ea4 Ec5 Eb6", 4, 2, 1, ANOMALIES },
		{ "Ba0 Bb4 Eb4 Ea4 Bc9 Ec10", 4, 0, 1, ANOMALIES },
		{ "Ba0 Bb1 Bc9 Eb10 Ec10 Ea10", 10, 9, 1, ANOMALY_MISMATCH }, /* the inner one's exit is no other fault */
		{ "Ba0 Bc1 Bb2 Bc3 Eb4 Ec4 Ec6 Ea6", 6, 2, 5, ANOMALY_MISMATCH },
		{ "Bb0 Ba1 Bd1 Be1 Bf1 Bg1 Bh1 Bi1 Bj1 Bk1 Bl1 Bm1 Bn1 Bo1 Bp1 Bq1 Br1 Bs1 Bt1 Bc1 Eb1 Ec3 Et3 Es3 Er3 Eq3 Ep3 Eo3 En3 Em3 El3 Ek3 Ej3 Ei3 "
		  "Eh3 Eg3 Ef3 Ee3 Ed3 Ea3", 2, 1, 2, ANOMALIES },
	};

	(void)state;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		struct imported *i = import_events(all[k].events, NULL);

		if (run(i, "a").inclusive != 1000 * all[k].a || run(i, "b").inclusive != 1000 * all[k].b ||
		    run(i, "c").inclusive != 1000 * all[k].c)
			fail_msg("%s", all[k].events);
		assert_int_equal(anomalies_total(&i->result.anomalies), all[k].anomaly != ANOMALIES);
		if (all[k].anomaly != ANOMALIES)
			assert_int_equal(count_of(i, all[k].anomaly), 1);
		imported_free(i);
	}
}

/* Ends and begins of one tick in any order: d ends e, too, and the end of e comes when a has begun. */
static void ends_of_one_tick_end_what_is_older(void **state)
{
	struct imported *i = import_events("Bb0 Bd0 Be0 Ba1 Ed1 Ee1 Bc1 Eb1 Bf1 Ec2 Ea2 Ef2", NULL);

	(void)state;
	for (const char *zone = "abcdef"; *zone; zone++)
		assert_int_equal(run(i, (char[]){ *zone, 0 }).inclusive, 1000);
	assert_int_equal(run(i, "e").self, 1000);
	assert_int_equal(run(i, "f").self, 1000);
	assert_int_equal(count_of(i, ANOMALY_END_ALONE), 0);
	imported_free(i);
}

/* A zone without an exit ends at the latest with the call around it. The time
 * of no other call changes. */
static void zones_without_exit_end_with_the_call_around(void **state)
{
	static const struct {
		const char *events;
		int64_t a, b, c; /* time in these zones, us */
		int64_t open, mismatch, overlap; /* how many of these anomalies */
	} all[] = {
		{ "Xa0+100 Bb10 Xc200+50", 100, 90, 50, 1, 0, 0 },
		{ "Xc200+50 Bb10 Xa0+100", 100, 90, 50, 1, 0, 0 },
		{ "Xa0+100 Bb10 Bc20 Xd200+50", 100, 90, 80, 2, 0, 0 },
		{ "Xa0+100 Bb10 E_20 Bc30 Xd200+50", 100, 10, 70, 1, 0, 0 },
		{ "Xa0+100 Bb100 Xc200+50", 100, 150, 50, 1, 0, 0 }, /* the call is over */
		{ "Bb0 Xa0+100 Xc200+50", 100, 250, 50, 1, 0, 0 }, /* nothing is around it */
		{ "Xa0+100 Bb10 Xc90+50", 90, 80, 50, 1, 0, 1 },
		{ "Ba0 Xb10+10 Bc15 Ea100 Xd200+5", 100, 10, 5, 0, 1, 0 }, /* the exit of an outer zone ends it */
		{ "Ba0 Bb0 Xc0+10 Ea100 Xd200+5", 100, 100, 10, 0, 1, 0 },
		{ "Ba0 Bb10 Xc90+50 Ea100 Xd200+5", 90, 80, 50, 0, 1, 1 },
		{ "Ba0 Xb10+40 Bc20 Bd30 Bd60 Ea100", 100, 40, 30, 0, 1, 0 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		struct imported *i = import_events(all[k].events, NULL);

		imported_check(i);
		if (run(i, "a").inclusive != 1000 * all[k].a || run(i, "b").inclusive != 1000 * all[k].b ||
		    run(i, "c").inclusive != 1000 * all[k].c || count_of(i, ANOMALY_OPEN) != all[k].open ||
		    count_of(i, ANOMALY_MISMATCH) != all[k].mismatch || count_of(i, ANOMALY_OVERLAP) != all[k].overlap ||
		    (int64_t)anomalies_total(&i->result.anomalies) != all[k].open + all[k].mismatch + all[k].overlap)
			fail_msg("%s: a %" PRId64 " b %" PRId64 " c %" PRId64, all[k].events, run(i, "a").inclusive,
				 run(i, "b").inclusive, run(i, "c").inclusive);
		imported_free(i);
	}
}

static void a_zone_without_exit_does_not_hide_frames(void **state)
{
	const struct import_options by_zone = { .source = "x", .frame_zone = "f" };
	struct imported *i = import_events("Xf0+100 Bb10 Xf100+100 Xf200+100", &by_zone);

	(void)state;
	assert_int_equal(i->p->frame_count, 3);
	for (uint32_t n = 0; n < i->p->frame_count; n++)
		assert_int_equal(i->p->frames[n].length, 100000);
	imported_free(i);
}

/* Members of a type that they cannot have are counted; names may be numbers,
 * and counters are of a process and an id. */
static void members_of_chrome_are_what_they_are(void **state)
{
	static const char *const names[] = { "one/m", "one 2/m", "one/m[5] u", "free" };
	struct imported *i = import_text_of(
		"{\"samples\":[{\"cpu\":0}],\"traceEvents\":["
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"one\"}},"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":2,\"args\":{\"name\":\"one\"}},"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"args\":{\"name\":null}},"
		"{\"ph\":\"B\",\"name\":7,\"pid\":1,\"ts\":0},{\"ph\":\"E\",\"name\":7,\"pid\":1,\"tid\":1,\"ts\":5},"
		"{\"ph\":\"X\",\"name\":[\"a\"],\"pid\":1,\"ts\":8,\"dur\":1},{\"ph\":\"X\",\"name\":\"no dur\",\"pid\":1,\"ts\":10},"
		"{\"ph\":\"C\",\"name\":\"m\",\"pid\":1,\"ts\":1,\"args\":{\"value\":3}},"
		"{\"ph\":\"C\",\"name\":\"m\",\"pid\":2,\"ts\":1,\"args\":{\"value\":4}},"
		"{\"ph\":\"C\",\"name\":\"m\",\"pid\":1,\"id\":\"5\",\"ts\":1,\"args\":{\"u\":5}},"
		"{\"ph\":\"C\",\"name\":\"m\",\"pid\":1,\"id2\":{\"local\":5},\"ts\":2,\"args\":{\"u\":\"5\"}},"
		"{\"ph\":\"C\",\"name\":\"free\",\"ts\":1,\"args\":{\"value\":6}},"
		"{\"ph\":\"C\",\"name\":\"m\",\"pid\":1,\"ts\":1,\"args\":{\"value\":\"x\"}}]}", NULL);

	(void)state;
	assert_int_equal(count_of(i, ANOMALY_PHASE), 1);
	assert_int_equal(count_of(i, ANOMALY_MEMBER), 4);
	assert_int_equal(anomalies_total(&i->result.anomalies), 5);
	assert_int_equal(i->p->thread_count, 1);
	assert_int_equal(run(i, "7").inclusive, 5000);
	assert_int_equal(run(i, "no dur").count, 1);
	assert_int_equal(i->p->counter_count, 4);
	for (uint32_t k = 0; k < 4; k++) {
		assert_string_equal(i->p->counters[i->p->tracks[k].counter].name, names[k]);
		assert_int_equal(i->p->tracks[k].now.last.whole, 3 + k);
	}
	imported_free(i);
}

/* Instants of a process, and global ones, have no thread of their own, even if
 * they name one. */
static void scopes_of_instants(void **state)
{
	struct imported *i = import_text_of(
		"[{\"ph\":\"i\",\"name\":\"all\",\"ts\":10,\"s\":\"g\"},{\"ph\":\"X\",\"name\":\"a\",\"pid\":5,\"tid\":9,\"ts\":0,\"dur\":100},"
		"{\"ph\":\"i\",\"name\":\"process\",\"pid\":5,\"ts\":20,\"s\":\"p\"},{\"ph\":\"i\",\"name\":\"zero\",\"pid\":5,\"tid\":0,\"ts\":30,\"s\":\"p\"},"
		"{\"ph\":\"I\",\"name\":\"its own\",\"pid\":5,\"tid\":8,\"ts\":40,\"s\":\"t\"},"
		"{\"ph\":\"I\",\"name\":\"all\",\"pid\":5,\"tid\":8,\"ts\":50,\"s\":\"g\"}]", NULL);

	(void)state;
	assert_int_equal(i->p->thread_count, 2);
	assert_string_equal(i->p->threads[0].name, "9");
	assert_int_equal(i->p->process.pid, 5);
	assert_int_equal(i->p->instant_count, 5);
	for (uint32_t k = 0; k < 5; k++)
		assert_int_equal(i->p->threads[i->p->instants[k].thread].id, k < 3 ? 9 : 8);
	imported_free(i);
}

/* A record that is skipped or cut is a loss. A form that the format allows,
 * and a rounded number, are none. */
static void what_is_left_out_is_a_loss(void **state)
{
#define X(ts, dur) "{\"name\":\"x\",\"ph\":\"X\",\"ts\":" #ts ",\"dur\":" #dur "}"
#define TEXT "T 1 m\nF 1 1 f\nS 1 1 5\n"
	static const struct {
		const char *text;
		size_t size; /* 0: it is a text */
		enum anomaly kind;
		bool lost;
	} all[] = {
		{ "[" X(0, 9) "][" X(9, 9) "]", 0, ANOMALY_REST, true },
		{ "{\"traceEvents\":[" X(0, 9) "]}\n{\"traceEvents\":[" X(9, 9) "]}", 0, ANOMALY_REST, true },
		{ "[[0,1,1,1,\"a\"],[1,1,1,5,\"a\"]][[0,1,2,6,\"a\"]]", 0, ANOMALY_REST, true },
		{ "W\xfa\0\0\1\0\0\0" "\2\1\0\0\0\0\0\0\0\1\0\0\0\5\0\0\0\0\0\0\0\0\0" "\2", 32, ANOMALY_REST, true },
		{ "[" X(0, 12) "," X(9, 10) "]", 0, ANOMALY_OVERLAP, true },
		{ "[" X(0, 10) "," X(9, 10) "]", 0, ANOMALY_TOUCH, false },
		{ "[" X(0, 9) ",{\"name\":\"x\",\"ph\":\"b\",\"ts\":1}]", 0, ANOMALY_PHASE, false },
		{ "[" X(0, 9) ",{\"name\":\"x\",\"ph\":\"XX\",\"ts\":1,\"dur\":1}]", 0, ANOMALY_RECORD, true },
		{ "[" X(0, 9) "," X(20, 0x10) "]", 0, ANOMALY_RECORD, true },
		{ "[" X(0, 9) "," X(20, 01) "]", 0, ANOMALY_RECORD, true },
		{ "[" X(0, 9) "," X(20, "0x10") "]", 0, ANOMALY_NUMBER, true },
		{ TEXT "E 1 1 4\n", 0, ANOMALY_TIME_BACK, true },
		{ "[[0,1,-7,1,\"a\"],[1,1,-7,5,\"a\"],[0,1,2,6,\"a\"],[1,1,2,7,\"a\"]]", 0, ANOMALY_FRAME, true },
		{ TEXT "E 1 1 9\n\n \t\n\r\n", 0, ANOMALIES, false },
		{ "[" X(0, 9) "]\0\0\n\0\0", sizeof("[" X(0, 9) "]") - 1 + 5, ANOMALIES, false },
		{ "[" X(0, 9) "]\0\0[]", sizeof("[" X(0, 9) "]") - 1 + 4, ANOMALY_REST, true },
		{ "frame 1 500\n", 0, ANOMALY_TWO_COUNTS, false },
	};
#undef X
#undef TEXT

	(void)state;
	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) {
		struct imported *i = imported_bytes(all[k].text, all[k].size ? all[k].size : strlen(all[k].text), NULL);
		uint64_t total = all[k].kind != ANOMALIES;

		imported_check(i);
		if (!i->done || anomalies_total(&i->result.anomalies) != total || (total && count_of(i, all[k].kind) != 1) ||
		    i->p->loss_count != all[k].lost)
			fail_msg("%zu: %s", k, all[k].text);
		imported_free(i);
	}
}

/* The manual's table has each kind, with a * if it is a loss. */
static void the_manual_says_what_is_a_loss(void **state)
{
	static char manual[1 << 16];
	const char *top = getenv("top_srcdir");
	FILE *in;

	(void)state;
	snprintf(manual, sizeof manual, "%s/man/proftop-import.7", top ? top : ".");
	in = fopen(manual, "r");
	assert_non_null(in);
	assert_true(fread(manual, 1, sizeof manual - 1, in) > 0);
	fclose(in);
	for (int kind = 0; kind < ANOMALIES; kind++) {
		char row[64];

		snprintf(row, sizeof row, "\n%c %s\t", anomaly_kinds[kind].loses ? '*' : ' ', anomaly_kinds[kind].key);
		if (!strstr(manual, row))
			fail_msg("the manual has no row '%s'", row + 1);
	}
}

static void folded_stacks_are_sums(void **state)
{
	static const char class_name[] = "main;a 3\nmain;b 2\nmain;class@anonymous\0/x.php::parse 4\n";
	struct imported *i = import_text_of("main;a b;c 10\nmain;a b 5.5\nmain;main 1\n\nmain;c nothing\n", NULL);
	struct imported_figures f;

	(void)state;
	assert_true(i->done);
	assert_int_equal(count_of(i, ANOMALY_RECORD), 1); /* an empty line is none */
	imported_free(i);
	i = import_text_of("main;a b;c 10\nno stacks\nbut a letter\n", NULL);
	assert_int_equal(i->done, false);
	imported_free(i);
	i = imported_bytes(class_name, sizeof class_name - 1, NULL);
	assert_int_equal(run(i, "main").inclusive, 9);
	assert_int_equal(run(i, "class@anonymous\xc0\x80/x.php::parse").self, 4);
	assert_int_equal(count_of(i, ANOMALY_NAME_NUL), 1);
	imported_free(i);
	i = import_text_of("main;a b;c 10\nmain;a b 6\nmain;main 1\n", NULL);
	assert_true(i->done);
	assert_int_equal(i->p->frame_count, 1);
	assert_int_equal(i->p->frames[0].length, 17);
	f = imported_zone(i, 0, "main", 0, 1);
	assert_int_equal(f.inclusive, 17);
	assert_int_equal(f.self, 1);
	assert_int_equal(f.longest, PROFILE_LONGEST_UNKNOWN);
	assert_int_equal(run(i, "a b").self, 6);
	assert_int_equal(i->calls->total, 0);
	imported_free(i);
}

static bool knows_entries(const struct profile *p)
{
	const struct profile_held *part = &p->frames[0].parts[0];
	bool known = profile_amounts(p, part, MEASURE_ENTRIES).known;

	assert_int_equal(known, profile_has_calls(p));
	assert_int_equal(known, frame_knows(p, &p->frames[0], THREADS_ALL, MEASURE_ENTRIES));
	assert_int_equal(known, profile_amount_known(p, part->thread, MEASURE_ENTRIES) == MEASURE_KNOWN);
	assert_true(profile_amounts(p, part, MEASURE_SELF).known);
	return known;
}

/* Not 0 either; nor in a copy, nor in the recording on disk that calls go through. */
static void folded_stacks_do_not_know_entries(void **state)
{
	struct import_options o = { .calls_most = 1 };

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct imported *i = import_text_of("main;a 3\nmain;b 4\n", k ? &o : NULL);
		struct profile *copy;

		assert_true(i->done);
		copy = profile_copy(i->p);
		assert_non_null(copy);
		assert_false(knows_entries(i->p) || knows_entries(copy));
		profile_free(copy);
		imported_free(i);
	}
}

/* A file, and what `main;a` has in it. */
static void folded_stacks_of_all_kinds(void **state)
{
	static const struct {
		const char *text;
		size_t size; /* 0: up to its NUL */
		int64_t self, all;
		enum anomaly what;
		int64_t anomalies;
	} files[] = {
		{ "main;a 30\nmain;b 12", 0, 30, 42, ANOMALY_RECORD, 0 },
		{ "main;a\t30\nmain;b \t 12\n", 0, 30, 42, ANOMALY_RECORD, 0 },
		{ "  main;a 30 \t\r\nmain;b\v12\n", 0, 30, 42, ANOMALY_RECORD, 0 },
		{ "[pool tid=41];b 2\nmain;a 3\n", 0, 3, 5, ANOMALY_RECORD, 0 },
		{ "{main};b 2\nmain;a 3\n", 0, 3, 5, ANOMALY_RECORD, 0 },
		{ "[];new 2\nmain;a 3\n", 0, 3, 5, ANOMALY_RECORD, 0 },
		{ "{\"b\"};c 2\nmain;a 3\n", 0, 3, 5, ANOMALY_RECORD, 0 },
		{ "// words\nmain;a 5\nb 6\nc 7\nno stack at all\n", 0, 5, 18, ANOMALY_RECORD, 2 },
		{ "main;a 0.4\nmain;b 0.3\nc 0.2\n", 0, 400, 900, ANOMALY_ROUNDED, 0 },
		{ "main;a 1e-5\nmain;b 0.00025\n", 0, 10, 260, ANOMALY_ROUNDED, 0 },
		{ "main;a 3.0\nmain;b 4.00\n", 0, 3, 7, ANOMALY_ROUNDED, 0 },
		{ "main;a 33333333.33333\nmain;b 1\n", 0, 33333333333, 33333334333, ANOMALY_ROUNDED, 1 },
		{ "main;a 0.5\nmain;b 900000000000000000\n", 0, 1, 900000000000000001, ANOMALY_ROUNDED, 1 },
		{ "main;a 30 45\nmain;b 30 10\n", 0, 45, 55, ANOMALY_TWO_COUNTS, 2 },
		{ "main;a 30\nmain;b 30 10\n", 0, 30, 40, ANOMALY_TWO_COUNTS, 0 },
		{ "a;thread 1 5\na;thread 2 7\n", 0, 0, 12, ANOMALY_TWO_COUNTS, 0 },
		{ "#c;d 3\na 5\n", 0, 5, 8, ANOMALY_RECORD, 0 },
		{ "a 5\n# words\n#\n#;c 2\n", 0, 5, 7, ANOMALY_RECORD, 0 },
		{ "#b 3.5\na 5\n", 0, 5000, 8500, ANOMALY_ROUNDED, 0 },
		{ "#c 30 45\na 30 10\n", 0, 10, 55, ANOMALY_TWO_COUNTS, 2 },
		{ "#main;a 3\n", 0, 3, 3, ANOMALY_RECORD, 0 },
		{ "a 5\n\nb 7\n \t\n\r\n\n", 0, 5, 12, ANOMALY_RECORD, 0 },
		{ "\xff\xfe" "m\0a\0i\0n\0;\0a\0 \0" "3\0\n\0", 20, 3, 3, ANOMALY_CUT, 0 },
		{ "\xfe\xff\0m\0a\0i\0n\0;\0a\0 \0" "3\0\n", 20, 3, 3, ANOMALY_CUT, 0 },
		{ "m\0a\0i\0n\0;\0a\0 \0" "3\0\n\0x", 19, 3, 3, ANOMALY_CUT, 1 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
		size_t size = files[k].size ? files[k].size : strlen(files[k].text);
		struct imported *i = imported_bytes(files[k].text, size, NULL);

		if (!i->done || run(i, "a").self != files[k].self || i->p->frames[0].length != files[k].all ||
		    count_of(i, files[k].what) != files[k].anomalies)
			fail_msg("file %zu: %s", k, i->done ? "other figures" : i->why);
		imported_free(i);
	}
}

/* Each character of UTF-16 once, and lone surrogates. They fill more than one
 * buffer. */
static void text_in_utf16_is_read_as_utf8(void **state)
{
	size_t count = 0, most = 0x120000 * 2 * 4;
	uint8_t *wide = malloc(most);
	struct input in;
	uint64_t at = 0;
	int fd = memfd_create("wide", MFD_CLOEXEC);

	(void)state;
	assert_non_null(wide);
	for (uint32_t c = 0xfeff, next = 1; next <= 0x110000; c = next++) { /* the mark first */
		uint16_t units[] = { (uint16_t)(c < 0x10000 ? c : 0xd800 | (c - 0x10000) >> 10), (uint16_t)(0xdc00 | (c & 0x3ff)) };

		for (int u = 0; u < (c < 0x10000 ? 1 : 2); u++, count += 2) {
			wide[count] = (uint8_t)units[u];
			wide[count + 1] = (uint8_t)(units[u] >> 8);
		}
		if (c == 0xdbff) { /* would be a pair with the next */
			wide[count++] = 'x';
			wide[count++] = 0;
		}
	}
	assert_int_equal(write(fd, wide, count), count);
	lseek(fd, 0, SEEK_SET);
	assert_true(input_open(&in, fd, NULL, NULL));
	for (uint32_t c = 0xfeff, next = 1; next <= 0x110000; c = next++) {
		int size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		uint32_t is;

		if (in.end - in.at < 8)
			input_more(&in);
		is = size == 1 ? in.at[0] : in.at[0] & (0xffu >> (size + 1));
		for (int b = 1; b < size; b++)
			is = is << 6 | (in.at[b] & 0x3f);
		if (is != c || input_offset(&in, in.at) != at)
			fail_msg("%#x is %#x", c, is);
		in.at += size + (c == 0xdbff);
		at += (uint64_t)(size + (c == 0xdbff));
	}
	assert_true(in.at == in.end && !input_more(&in) && !in.lost && !in.failed);
	input_close(&in);
	close(fd);
	free(wide);
}

static void namesakes_merge_unless_they_are_there_at_once(void **state)
{
	const struct import_options merge = { .source = "x", .merge_namesakes = true };
	const char *text = "T 1 w\nF 1 0 f\nT 2 w\nF 2 0 f\nT 3 w\nF 3 0 f\nT 4 other\nF 4 0 f\nS 1 0 10\nE 1 0 20\n"
			   "S 2 0 20\nE 2 0 23\nS 3 0 15\nE 3 0 16\nS 4 0 100\nE 4 0 101\n";
	struct imported *i = import_text_of(text, &merge);

	(void)state;
	assert_true(i->done);
	assert_int_equal(i->p->thread_count, 3);
	assert_int_equal(imported_zone_run(i, 0, "f").count, 2);
	assert_int_equal(imported_zone_run(i, 0, "f").self, 13);
	assert_true(i->p->threads[0].several);
	assert_int_equal(i->p->threads[1].id, 3);
	imported_free(i);
	i = import_text_of(text, NULL);
	assert_int_equal(i->p->thread_count, 4);
	imported_free(i);
}

static void each_is_known_by_its_contents(void **state)
{
	static const struct {
		const char *text;
		enum import_kind kind;
	} all[] = {
		{ "T 0 main\n", IMPORT_TEXT },
		{ "# hello\nS 0 1 5\n", IMPORT_TEXT },
		{ "unknown\nD 0 1 5\n", IMPORT_TEXT },
		{ "  [ [0,", IMPORT_TIMER_JSON },
		{ "[{\"", IMPORT_CHROME },
		{ "\xef\xbb\xbf{\"traceEvents\"", IMPORT_CHROME },
		{ "{}", IMPORT_CHROME },
		{ "W\xfa", IMPORT_NONE },
		{ "a;b 12\n", IMPORT_FOLDED },
		{ "main 12", IMPORT_FOLDED },
		{ "hello", IMPORT_NONE },
		{ "[1,2]", IMPORT_NONE },
		{ "[,{\"ph\":", IMPORT_CHROME },
		{ "{,\"traceEvents\":[", IMPORT_CHROME },
		{ "[{ , ,\"ph\":", IMPORT_CHROME },
		{ "  T 1 1\n  S 1 1 0\n\tE 1 1 9\n", IMPORT_TEXT },
		{ "[{main}];a 3\n", IMPORT_FOLDED },
		{ "[[main]];a 3\n", IMPORT_FOLDED },
		{ "[[1] pool];a 3\n", IMPORT_FOLDED },
		{ "{};a 3\n{\"a\"};b 3\n", IMPORT_FOLDED },
		{ "events: Ir\nfn=main\n16 400\n17 3\n+1 5\n", IMPORT_NONE }, /* of callgrind */
		{ "T\t0\tmain\nS 0  1\t5 \n", IMPORT_TEXT },
		{ "\x1f\x8b", IMPORT_PACKED },
		{ "", IMPORT_NONE },
	};

	(void)state;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		if (import_recognise(all[k].text, strlen(all[k].text)) != all[k].kind)
			fail_msg("'%s' is %s", all[k].text, import_names[import_recognise(all[k].text, strlen(all[k].text))]);
	assert_int_equal(import_recognise("W\xfa\0\0", 4), IMPORT_TIMER_BINARY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_known_by_its_contents),
		cmocka_unit_test(the_example_of_profile_visualiser),
		cmocka_unit_test(oddities_of_profile_visualiser),
		cmocka_unit_test(indented_lines_of_profile_visualiser),
		cmocka_unit_test(the_example_of_perf_timer),
		cmocka_unit_test(oddities_of_perf_timer),
		cmocka_unit_test(notes_of_perf_timer),
		cmocka_unit_test(the_last_tick),
		cmocka_unit_test(calls_of_chrome_nest_by_how_long_they_take),
		cmocka_unit_test(a_note_is_cut_between_characters),
		cmocka_unit_test(calls_of_chrome_overlap_a_little),
		cmocka_unit_test(calls_of_chrome_of_both_kinds),
		cmocka_unit_test(a_thread_is_called_by_its_id),
		cmocka_unit_test(threads_with_several_ids_are_several),
		cmocka_unit_test(counters_that_look_alike_are_several),
		cmocka_unit_test(frames_in_which_no_thread_runs_are_whole),
		cmocka_unit_test(a_chrome_trace_that_is_cut_off),
		cmocka_unit_test(very_many_paths),
		cmocka_unit_test(very_many_threads_have_fewer_frames),
		cmocka_unit_test(oddities_of_chrome),
		cmocka_unit_test(commas_may_precede_the_first_member),
		cmocka_unit_test(a_missing_name_is_counted),
		cmocka_unit_test(a_bad_token_costs_its_event),
		cmocka_unit_test(half_a_surrogate_pair_is_one_character),
		cmocka_unit_test(times_to_the_last_tick),
		cmocka_unit_test(values_of_chrome),
		cmocka_unit_test(a_bad_token_of_perf_timer_costs_its_record),
		cmocka_unit_test(ends_find_what_they_end),
		cmocka_unit_test(ends_of_one_tick_end_what_is_older),
		cmocka_unit_test(zones_without_exit_end_with_the_call_around),
		cmocka_unit_test(a_zone_without_exit_does_not_hide_frames),
		cmocka_unit_test(members_of_chrome_are_what_they_are),
		cmocka_unit_test(scopes_of_instants),
		cmocka_unit_test(what_is_left_out_is_a_loss),
		cmocka_unit_test(the_manual_says_what_is_a_loss),
		cmocka_unit_test(folded_stacks_are_sums),
		cmocka_unit_test(folded_stacks_do_not_know_entries),
		cmocka_unit_test(folded_stacks_of_all_kinds),
		cmocka_unit_test(text_in_utf16_is_read_as_utf8),
		cmocka_unit_test(namesakes_merge_unless_they_are_there_at_once),
		cmocka_unit_test(text_has_the_figures),
		cmocka_unit_test(timer_json_has_the_figures),
		cmocka_unit_test(timer_binary_has_the_figures),
		cmocka_unit_test(without_frames_they_are_made_by_time),
		cmocka_unit_test(chrome_has_the_figures),
		cmocka_unit_test(an_event_splits_frames),
		cmocka_unit_test(a_zone_splits_frames),
		cmocka_unit_test(a_zone_of_no_length_is_no_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
