/* fuzz_model: from a region of any words to what a user sees: the live source, the profile that it makes, and a
 * report of it in each syntax, or the screen.
 *
 *   byte 1  what is made (enum product)
 *   byte 2  view, of which threads, recursion and characters
 *   byte 3  of how many frames, with which average
 *
 * After every look, the promises of model/profile/profile.h are asserted, and that output is UTF-8 without
 * control characters, and JSON where it says so.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "io/export/export.h"
#include "io/export/export_stream.h"
#include "io/export/export_why.h"
#include "io/region/live.h"
#include "model/boxes/spans.h"
#include "model/boxes/sums.h"
#include "model/stats/calls.h"
#include "model/base/text.h"
#include "tests/fuzz/systematic.h"
#include "tests/long.h"
#include "tui/app/app.h"
#include "proftop/batch.h"
#include "proftop/choose.h"

enum product { TEXT, JSON, CSV, STACKS, STACKS_JSON, STREAM, SCREEN, PRODUCTS };

static struct good good;
static struct places places;

/* ---- what a profile promises */

static void check_part(const struct profile *p, const struct profile_held *part)
{
	uint64_t self = 0;

	assert(part->thread < p->thread_count && part->bound >= 0 && part->end >= part->bound);
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);

		assert(cell.node < p->node_count && p->nodes[cell.node].thread == part->thread);
		assert(cell.self >= 0 && cell.count >= 0 && cell.longest >= 0);
		self += (uint64_t)cell.self;
	}
	assert(part->flags || self == (uint64_t)(part->end - part->bound));
}

static void check_frames(const struct profile *p)
{
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		assert(frame->start >= 0 && frame->length >= 0);
		assert(i == 0 || frame->number > frame[-1].number);
		for (uint32_t k = 0; k < frame->part_count; k++) {
			assert(k == 0 || frame->parts[k].thread > frame->parts[k - 1].thread);
			check_part(p, &frame->parts[k]);
		}
	}
}

static void check_values(const struct profile *p)
{
	for (uint32_t i = 0; i < p->track_count; i++) {
		const struct profile_track *track = &p->tracks[i];

		assert(track->counter < p->counter_count);
		for (uint32_t k = 1; k < track->change_count; k++)
			assert(track->changes[k].tick > track->changes[k - 1].tick);
	}
	for (uint32_t i = 0; i < p->instant_count; i++) {
		const struct profile_instant *instant = &p->instants[i];

		assert(instant->tick >= 0 && instant->thread < p->thread_count);
		assert(i == 0 || instant->tick >= instant[-1].tick);
		assert(instant->event == PROFILE_NONE || instant->event < p->event_count);
	}
}

static void check_profile(const struct profile *p)
{
	assert(p->ticks_per_s >= 1 && p->first_tick >= 0 && p->now_tick >= p->first_tick);
	assert(p->run_end >= p->first_tick && p->run_end <= p->run_tick);
	for (uint32_t i = 0; i < p->node_count; i++) {
		const struct profile_node *node = &p->nodes[i];

		assert(node->zone < p->zone_count && node->thread < p->thread_count);
		assert(node->parent == PROFILE_NONE ||
		       (node->parent < i && p->nodes[node->parent].thread == node->thread));
		assert(p->totals[i].self >= 0 && p->totals[i].count >= 0 && p->totals[i].longest >= 0);
		assert(p->totals[i].running_self >= 0 && p->totals[i].running_self <= p->totals[i].self);
		assert(p->totals[i].running_count >= 0 && p->totals[i].running_count <= p->totals[i].count);
	}
	for (uint32_t i = 0; i < p->thread_count; i++)
		assert(p->threads[i].root < p->node_count && p->threads[i].time >= 0);
	check_frames(p);
	check_values(p);
}

/* ---- what is told of single calls */

static void check_lists(const struct profile *p, const struct transitions *t)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct transition_list *list = &t->lists[i];

		total += list->count;
		for (uint32_t k = 0; k < list->count; k++) {
			const struct transition *n = &list->at[k];

			assert(n->tick >= 0 && (k == 0 || n->tick >= n[-1].tick));
			assert(n->kind > TRANSITION_LEAVE ||
			       (n->node < p->node_count && p->nodes[n->node].thread == list->thread));
		}
	}
	assert(total == t->total && total <= t->most);
}

static void check_calls(const struct profile *p, const struct transitions *t)
{
	struct keys *keys = keys_new(false);
	struct scope scope = { .keys = keys, .threads = THREADS_ALL };
	struct calls *calls;

	assert(keys && keys_update(keys, p));
	calls = calls_make(p, &scope, t, CALLS_ALL_KEYS, 0, CALLS_ALL_FRAMES);
	assert(calls);
	for (uint32_t key = 0; key < keys->count; key++) {
		const struct key_calls *k = calls_of(calls, key);
		uint32_t out[8], buckets = calls_histogram(calls, key, 8, out, (int64_t[9]){ 0 }), sum = 0;

		for (uint32_t i = 0; i < buckets; i++)
			sum += out[i];
		assert(sum == (k ? k->time.count : 0));
		assert(!k || (k->time.min >= 0 && k->self.min >= 0 && k->self.max <= k->time.max));
		assert(!k || k->slowest.leave - k->slowest.enter == k->time.max);
	}
	calls_free(calls);
	keys_free(keys);
}

/* Boxes of sums lie in pieces, which do not overlap; no time of a window is there twice. */
static void check_sums(const struct profile *p, const struct spans *s, int64_t from, int64_t to, uint32_t columns)
{
	struct sum_frames f = { 0 };
	struct sums sums = { 0 };
	struct values *v = sums_values(s, p, from, to);

	assert(v && sum_frames_pick(&f, p, from, to, columns));
	for (uint32_t thread = 0; thread < p->thread_count; thread++) {
		assert(sums_fill(&sums, p, thread, NULL, &f));
		for (uint32_t i = 0; i < sums.count; i++)
			assert(sums.pieces[i].begin < sums.pieces[i].end && (!i || sums.pieces[i - 1].end <= sums.pieces[i].begin));
		for (uint32_t depth = 0; depth < sums.depth; depth++) {
			struct box_row row = sums_row(&sums, depth);

			for (uint32_t k = 0; k < row.count; k++)
				assert(row.begin[k] < row.end[k] && (!k || row.end[k - 1] <= row.begin[k]) &&
				       sums_piece(&sums, row.begin[k]));
		}
	}
	values_free(v);
	sums_fini(&sums);
	sum_frames_fini(&f);
}

/* Rows of spans that do not overlap, with nothing that they lie in missing. */
static void check_spans(const struct profile *p, const struct transitions *t, struct spans *s)
{
	uint64_t held = 0;

	assert(spans_update(s, p, t, p->now_tick) && s->count == t->count);
	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t depth = 0; depth < s->lists[i].depth; depth++) {
			const struct span_list *l = &s->lists[i];
			struct box_row row = spans_row(l, depth);

			for (uint32_t k = 0; k < row.count; k++) {
				assert(row.begin[k] <= row.end[k] && (!k || row.end[k - 1] <= row.begin[k]));
				assert(row.sums[k + 1] - row.sums[k] == row.end[k] - row.begin[k]);
				assert(!depth || spans_parent(l, depth, k) != UINT32_MAX);
				assert(p->nodes[l->rows[depth].node[k]].thread == l->thread);
			}
			assert(row.count);
			held += row.count;
		}
	assert(held == s->held && held <= 2 * t->most + SPANS_INFERRED);
	check_sums(p, s, 0, p->now_tick > 0 ? p->now_tick : 1, 50);
	check_sums(p, s, 0, INT64_MAX, 7);
	check_sums(p, s, INT64_MAX - 1, INT64_MAX, 1);
	if (p->frame_count)
		check_sums(p, s, p->frames[0].start, p->frames[0].start + 1 + p->frames[0].length % 1000, 3);
}

/* ---- what is written */

static void check_text(const char *text, size_t size)
{
	uint32_t code;

	for (size_t at = 0, used; at < size; at += used) {
		used = utf8_decode(text + at, size - at, &code);
		assert(used && (code == '\n' || code_visible(code)));
	}
}

static void check_json(const char *text, size_t size, bool lines)
{
	yajl_handle parser = yajl_alloc(NULL, NULL, NULL);

	assert(parser);
	yajl_config(parser, yajl_allow_multiple_values, (int)lines);
	assert(yajl_parse(parser, (const unsigned char *)text, size) == yajl_status_ok);
	assert(yajl_complete_parse(parser) == yajl_status_ok);
	yajl_free(parser);
}

/* ---- what is made of it */

struct making {
	struct options o;
	enum product product;
	bool one_frame; /* of the middle of those that are held */
	struct source *source;
	struct transitions *transitions;
	struct spans *spans;
	struct app app; /* of SCREEN */
	struct canvas canvas;
	double now;
};

static void choose(struct making *m, const uint8_t choice[3])
{
	static const char *const threads[] = { NULL, "all", "each", "worker" };

	memset(m, 0, sizeof *m);
	options_begin(&m->o);
	m->product = (enum product)(choice[0] % PRODUCTS);
	m->one_frame = choice[0] / PRODUCTS % 4 == 1;
	m->o.view = choice[1] % OPTION_VIEWS;
	m->o.thread = threads[choice[1] / 8 % 4];
	m->o.spread = choice[1] & 32;
	m->o.ascii = choice[1] & 64;
	m->o.json = m->product == JSON;
	m->o.csv = m->product == CSV;
	m->o.zone = "ai";
	m->o.frames = choice[2] % 16;
	m->o.average = choice[2] / 16 % (AVERAGE_SLOTS + 1) - 1;
	m->now = 100;
}

static bool write_report(struct batch *b, FILE *out)
{
	struct export_style style = { .width = b->o->ascii ? 60 : 0, .ascii = b->o->ascii };
	struct why_report why = { .base = { b->p, b->base }, .now = { b->p, b->values },
				  .base_end = { .frame = b->chosen_base.number }, .now_end = { .frame = b->frame },
				  .why = b->comparison, .precision = -1 };
	struct batch_table table;
	struct export e = { .profile = b->p, .values = b->values, .report = b->report, .graph = b->graph,
		            .table = batch_table(b, &table),
		            .timeline = b->spans ? &b->timeline : NULL,
		            .why = b->comparison ? &why : NULL, .first = b->first,
		            .count = b->count, .whole_run = b->whole_run, .asked = b->asked,
		            .average = b->average, .chosen = b->frame };

	return b->o->json ? export_json(&e, out) : b->o->csv ? export_csv(&e, out) : export_text(&e, &style, out);
}

static void make_report(struct making *m, FILE *out)
{
	struct batch b = { .o = &m->o, .p = m->source->profile, .options = batch_options(&m->o) };

	if ((m->o.view == OPTION_VIEW_COUNTERS && !batch_usable(&m->o)) || (m->o.view == OPTION_VIEW_TIMELINE && m->o.csv))
		return;
	if (!threads_choose(b.p, m->o.thread, &b.options.thread) || (m->o.average >= 0 && !b.p->frame_count))
		return;
	if (m->one_frame && !m->o.frames && b.p->frame_count) /* a frame, or the last few */
		b.frame = b.p->frames[b.p->frame_count / 2].number;
	if (m->o.view == OPTION_VIEW_TIMELINE) {
		b.transitions = transitions_new(3000);
		assert(b.transitions && source_transitions(m->source, b.transitions));
	}
	assert(batch_cover(&b));
	if (batch_make_reports(&b) == 0)
		assert(write_report(&b, out));
	batch_fini(&b);
}

static void make_stacks(struct making *m, FILE *out)
{
	struct export_style style = { .ascii = m->o.ascii };

	if (m->product == STACKS)
		assert(export_stacks(m->source, THREADS_ALL, EXPORT_TEXT, &style, out));
	else
		assert(export_stacks(m->source, THREADS_ALL, EXPORT_JSON, NULL, out));
}

static void make_stream(struct making *m, FILE *out)
{
	struct stream_options options = { .spread = m->o.spread };
	char why[WHY_SIZE];
	struct stream *s = stream_new(m->source->profile, &options, why, sizeof why);

	assert(s && stream_header(s, 1, out) && stream_update(s));
	while (stream_has(s))
		assert(stream_frame(s, out));
	assert(stream_end(s, "ended", true, out));
	stream_free(s);
}

static void make_all(struct making *m)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert(out);
	if (m->product == STREAM)
		make_stream(m, out);
	else if (m->product == STACKS || m->product == STACKS_JSON)
		make_stacks(m, out);
	else
		make_report(m, out);
	assert(fclose(out) == 0);
	check_text(text, size);
	if (size && (m->product == JSON || m->product == STACKS_JSON || m->product == STREAM))
		check_json(text, size, m->product == STREAM);
	free(text);
}

/* ---- the screen */

static void screen_begin(struct making *m)
{
	struct app_options options = { .sort = VIEW_OWN_SORT, .average = AVERAGE_FAST, .precision = -1, .mouse = true,
		                       .view = (enum view_kind)m->o.view, .spread = m->o.spread, .ascii = m->o.ascii };

	assert(app_init(&m->app, &options) && canvas_resize(&m->canvas, 100, 30));
	m->app.now = m->now;
}

static void check_cells(struct canvas *c)
{
	for (int y = 0; y < c->height; y++)
		for (int x = 0; x < c->width; x++) {
			const uint32_t *codes = canvas_cell(c, x, y)->codes;

			for (int i = 0; i < CELL_CODES && codes[i]; i++)
				assert((codes[i] >= ' ' && codes[i] <= '~') || code_visible(codes[i]));
		}
}

static void screen_draw(struct making *m)
{
	m->now += 0.1;
	m->app.now = m->now;
	app_draw(&m->app, &m->canvas, m->now);
	while (app_work(&m->app))
		app_draw(&m->app, &m->canvas, m->now);
	check_cells(&m->canvas);
}

static void screen_key(struct making *m, uint64_t key)
{
	struct term_event e = { .kind = TERM_KEY, .key = (uint32_t)key };

	if (key >> 32 & 1)
		e = (struct term_event){ .kind = TERM_MOUSE, .button = BUTTON_LEFT,
			                 .action = key >> 33 & 1 ? MOUSE_PRESS : MOUSE_RELEASE,
			                 .x = (int)(key & 127), .y = (int)(key >> 8 & 31) };
	app_event(&m->app, &e, m->now);
	screen_draw(m);
}

static void screen_end(struct making *m)
{
	static const char keys[] = "123456t\r-+vuif \t<>";

	for (const char *key = keys; *key; key++)
		screen_key(m, (unsigned char)*key);
	app_detach(&m->app, 0);
	app_fini(&m->app);
	canvas_fini(&m->canvas);
}

/* ---- an input */

/* False: nothing more can come. */
static bool look(struct making *m, bool first)
{
	enum source_result result = source_next(m->source);

	if (result == SOURCE_ANEW) {
		if (m->product == SCREEN && !first)
			app_detach(&m->app, 0);
		assert(source_reset(m->source));
		result = source_next(m->source);
		first = true;
	}
	assert(result != SOURCE_BAD || strlen(m->source->why) > 10);
	check_profile(m->source->profile);
	if (first) {
		transitions_free(m->transitions);
		m->transitions = transitions_new(3000);
		spans_free(m->spans);
		m->spans = spans_new();
	}
	assert(m->transitions && m->spans && source_transitions(m->source, m->transitions));
	check_lists(m->source->profile, m->transitions);
	check_calls(m->source->profile, m->transitions);
	check_spans(m->source->profile, m->transitions, m->spans);
	check_profile(m->source->profile);
	if (m->product == SCREEN) {
		if (first)
			app_attach(&m->app, 0, m->source->profile);
		else
			app_data(&m->app, 0);
		app_state(&m->app, 0, result == SOURCE_BAD ? SCENE_DEAD : SCENE_LIVE, m->source->why);
		screen_draw(m);
	}
	return result == SOURCE_MORE || result == SOURCE_LOST;
}

static void run(struct making *m, struct recipe *r)
{
	enum recipe_step step;
	bool going = look(m, true);
	uint64_t value;

	while ((step = recipe_go_on(r, &value)) != RECIPE_END)
		if (step == RECIPE_KEY && m->product == SCREEN)
			screen_key(m, value);
		else if (step == RECIPE_LOOK && going)
			going = look(m, false);
	if (going)
		look(m, false);
	if (m->product == SCREEN)
		screen_end(m);
	else
		make_all(m);
	transitions_free(m->transitions);
	spans_free(m->spans);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct making m;
	struct recipe r;
	enum open_result result;
	char why[512] = "";

	if (!good.b.base) {
		good_begin(&good, "model");
		places_find(&places, &good);
	}
	recipe_begin(&r, &good, &places, data, size);
	choose(&m, r.choice);
	m.source = live_open(good.b.name, LIVE_OWN_FRAMES, &result, why, sizeof why);
	assert(m.source ? result == OPEN_OK : result != OPEN_OK && strlen(why) > 10);
	if (m.source) {
		if (m.product == SCREEN)
			screen_begin(&m);
		run(&m, &r);
		source_close(m.source);
	}
	recipe_end(&r);
	return 0;
}

/* Half of all in minutes, and all of them with each product in hours. */
void fuzz_systematic(fuzz_try *one)
{
	unsigned step = (unsigned)test_times(2 * PRODUCTS - 1, 1);

	for (uint8_t product = 0; product < PRODUCTS; product++) {
		uint8_t head[RECIPE_HEAD] = { product % 2 ? REGION_DEAD : 0, product, product, product % 3 };

		systematic_fields(head, product % step, step, one);
	}
}
