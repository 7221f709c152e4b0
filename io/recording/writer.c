/* SPDX-License-Identifier: MIT */
#include "io/recording/writer.h"

#include <stdlib.h>
#include <string.h>

#include "io/recording/block.h"
#include "io/recording/code.h"
#include "model/profile/measures.h"

#define ITEMS_ENOUGH (UINT32_C(128) << 10) /* bytes of a block of items */
#define CALLS_ENOUGH 65536u /* transitions of a block */
#define ITEM_MOST (RECORDING_BLOCK_MOST - ITEMS_ENOUGH - 2 * BYTES_NUMBER)
#define TOTALS_TOGETHER 4096u

struct writer {
	writer_out *out;
	void *context;
	struct bytes items, item, calls, packed; /* the block under way, its last item, and two rooms */
	struct code code;
	int64_t first, last; /* ticks of what is in items; first > last: nothing */
	struct {
		uint32_t zones, threads, counters, tracks, events, measures, modules;
	} defined;
	uint32_t renames; /* of zones, that were written: as profile.zones_renamed */
	uint64_t frame; /* number of the last frame */
	int64_t frame_end;
	uint64_t written;
	uint64_t too_large, lost_before; /* items; the second: as losses of the source say */
	bool failed;
};

struct writer *writer_new(writer_out *out, void *context)
{
	struct writer *w = calloc(1, sizeof(*w));

	if (w) {
		w->out = out;
		w->context = context;
		w->defined.zones = 1;
		w->first = INT64_MAX;
		w->last = INT64_MIN;
	}
	return w;
}

void writer_free(struct writer *w)
{
	if (!w)
		return;
	bytes_fini(&w->items);
	bytes_fini(&w->item);
	bytes_fini(&w->calls);
	bytes_fini(&w->packed);
	code_fini(&w->code);
	free(w);
}

bool writer_failed(const struct writer *w)
{
	return w->failed || w->items.failed || w->item.failed || w->calls.failed || w->packed.failed;
}

uint64_t writer_bytes(const struct writer *w)
{
	return w->written;
}

/* ---- blocks */

/* Each write is a whole block, so that a reader of the growing file sees few halves. */
static void put_block(struct writer *w, struct recording_head *head, const void *raw)
{
	uint8_t *begin;
	const void *stored;
	size_t size;

	w->packed.count = 0;
	if (writer_failed(w) || !bytes_reserve(&w->packed, RECORDING_HEAD + block_room(head->raw) + head->raw))
		return;
	begin = w->packed.at;
	block_pack(head, raw, begin + RECORDING_HEAD, &stored, begin);
	if (stored != begin + RECORDING_HEAD && head->stored)
		memcpy(begin + RECORDING_HEAD, stored, head->stored);
	size = RECORDING_HEAD + head->stored;
	w->failed = w->out && !w->out(w->context, begin, size);
	w->written += w->failed ? 0 : size;
}

void writer_block(struct writer *w, const void *block, size_t size)
{
	if (writer_failed(w))
		return;
	w->failed = !w->out(w->context, block, size);
	w->written += w->failed ? 0 : size;
}

void writer_flush(struct writer *w)
{
	bool dated = w->first <= w->last;
	struct recording_head head = { .kind = RECORDING_ITEMS, .raw = (uint32_t)w->items.count,
				       .first = dated ? w->first : 0, .last = dated ? w->last : 0 };

	if (!w->items.count)
		return;
	put_block(w, &head, w->items.at);
	w->items.count = 0;
	w->first = INT64_MAX;
	w->last = INT64_MIN;
	w->frame = 0;
	w->frame_end = 0;
}

void writer_end(struct writer *w)
{
	struct recording_head head = { .kind = RECORDING_END };

	writer_flush(w);
	put_block(w, &head, "");
}

void writer_anew(struct writer *w)
{
	struct recording_head head = { .kind = RECORDING_ANEW };

	writer_flush(w);
	put_block(w, &head, "");
	code_fini(&w->code);
	memset(&w->defined, 0, sizeof(w->defined));
	w->defined.zones = 1;
	w->renames = 0;
	w->too_large = w->lost_before = 0;
}

/* How much was defined before this block. */
static void put_base(struct writer *w)
{
	struct bytes *b = &w->item;

	b->count = 0;
	bytes_number(b, w->defined.zones);
	bytes_number(b, w->defined.threads);
	bytes_number(b, w->code.nodes);
	bytes_number(b, w->defined.counters);
	bytes_number(b, w->defined.tracks);
	bytes_number(b, w->defined.events);
	bytes_number(b, w->defined.measures);
	bytes_number(b, w->defined.modules);
	bytes_number(&w->items, ITEM_BASE);
	bytes_number(&w->items, b->count);
	bytes_put(&w->items, b->at, b->count);
}

/* An item begins in w->item, and goes behind the others. Numbers may be told by how much they differ from those of an
 * item before it in the same block, so it is decided here in which block it is. */
static struct bytes *begin_item(struct writer *w)
{
	if (w->items.count >= ITEMS_ENOUGH)
		writer_flush(w);
	if (!w->items.count)
		put_base(w);
	w->item.count = 0;
	return &w->item;
}

static void write_too_large(struct writer *w);

static void end_item(struct writer *w, enum recording_item kind)
{
	if (writer_failed(w))
		return;
	if (w->item.count > ITEM_MOST) { /* a slice of millions of zones */
		w->too_large++;
		write_too_large(w);
		return;
	}
	bytes_number(&w->items, kind);
	bytes_number(&w->items, w->item.count);
	bytes_put(&w->items, w->item.at, w->item.count);
}

static void widen_block(struct writer *w, int64_t from, int64_t to)
{
	w->first = from < w->first ? from : w->first;
	w->last = to > w->last ? to : w->last;
}

/* ---- who it is of */

static void put_real(struct bytes *b, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	for (int i = 0; i < 64; i += 8)
		bytes_put(b, &(uint8_t){ (uint8_t)(bits >> i) }, 1);
}

void writer_process(struct writer *w, const struct profile *p, int64_t real_ns)
{
	const struct profile_process *process = &p->process;
	struct bytes *b = begin_item(w);

	bytes_number(b, p->ticks_per_s);
	bytes_text(b, process->source);
	bytes_text(b, process->program);
	bytes_text(b, process->command);
	bytes_text(b, process->clock);
	bytes_signed(b, process->pid);
	bytes_signed(b, process->uid);
	bytes_number(b, process->state);
	bytes_number(b, process->stopped);
	bytes_signed(b, process->started_ns);
	bytes_signed(b, process->size);
	put_real(b, process->pair_ns);
	put_real(b, process->pair_cold_ns);
	bytes_signed(b, process->known_tick);
	bytes_signed(b, real_ns);
	bytes_number(b, profile_has_calls(p) ? 0 : 1);
	end_item(w, ITEM_PROCESS);
}

/* ---- what is defined */

uint32_t writer_zone(struct writer *w, const struct profile_zone *zone)
{
	struct bytes *b = begin_item(w);

	bytes_text(b, zone->name);
	bytes_text(b, zone->file);
	bytes_number(b, zone->line);
	bytes_number(b, zone->flags);
	bytes_number(b, zone->module);
	bytes_number(b, zone->offset);
	end_item(w, ITEM_ZONE);
	return w->defined.zones++;
}

void writer_rename(struct writer *w, uint32_t index, const struct profile_zone *zone)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, index);
	bytes_text(b, zone->name);
	bytes_text(b, zone->file);
	bytes_number(b, zone->line);
	end_item(w, ITEM_RENAME);
}

uint32_t writer_module(struct writer *w, const struct profile_module *module)
{
	struct bytes *b = begin_item(w);

	bytes_text(b, module->path);
	bytes_text(b, module->build);
	bytes_number(b, module->address);
	bytes_number(b, module->size);
	end_item(w, ITEM_MODULE);
	return w->defined.modules++;
}

uint32_t writer_measure(struct writer *w, const struct profile_measure *measure)
{
	struct bytes *b = begin_item(w);

	bytes_text(b, measure->key);
	bytes_text(b, measure->title);
	bytes_number(b, measure->unit);
	bytes_number(b, measure->of);
	bytes_number(b, measure->combine);
	bytes_number(b, (measure->sampled ? 1u : 0) | (measure->absent_is_zero ? 2u : 0));
	bytes_signed(b, measure->period);
	end_item(w, ITEM_MEASURE);
	return w->defined.measures++;
}

void writer_renew_thread(struct writer *w, uint32_t index, const struct profile_thread *thread)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, index);
	bytes_number(b, thread->id);
	bytes_signed(b, thread->tid);
	bytes_text(b, thread->name);
	bytes_number(b, thread->state);
	bytes_number(b, (thread->marking ? 1u : 0) | (thread->several ? 2u : 0));
	bytes_number(b, thread->unread);
	bytes_signed(b, thread->first_tick);
	bytes_signed(b, thread->time);
	bytes_number(b, thread->lane);
	end_item(w, ITEM_THREAD);
}

static uint32_t next_node(struct writer *w, uint32_t parent)
{
	w->failed |= !code_node(&w->code, parent);
	return w->code.nodes - 1;
}

uint32_t writer_thread(struct writer *w, const struct profile_thread *thread, uint32_t *root)
{
	uint32_t node;

	writer_renew_thread(w, w->defined.threads, thread);
	node = next_node(w, PROFILE_NONE);
	if (root)
		*root = node;
	return w->defined.threads++;
}

uint32_t writer_node(struct writer *w, uint32_t parent, uint32_t zone, uint32_t line)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, parent);
	bytes_number(b, zone);
	if (line)
		bytes_number(b, line);
	end_item(w, ITEM_NODE);
	return next_node(w, parent);
}

uint32_t writer_counter(struct writer *w, const struct profile_counter *counter)
{
	struct bytes *b = begin_item(w);

	bytes_text(b, counter->name);
	bytes_number(b, (counter->real ? 1u : 0) | (counter->summed ? 2u : 0) | (counter->total ? 4u : 0));
	bytes_text(b, counter->unit);
	end_item(w, ITEM_COUNTER);
	return w->defined.counters++;
}

uint32_t writer_event(struct writer *w, const char *name)
{
	bytes_text(begin_item(w), name);
	end_item(w, ITEM_EVENT);
	return w->defined.events++;
}

void writer_renew_track(struct writer *w, uint32_t index, const struct profile_track *track,
			const struct profile_counter *counter)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, index);
	bytes_number(b, track->counter);
	bytes_number(b, track->thread == PROFILE_NONE ? 0 : (uint64_t)track->thread + 1);
	bytes_signed(b, track->born);
	bytes_number(b, (counter->summed ? 1u : 0) | (counter->total ? 2u : 0));
	bytes_text(b, counter->unit);
	end_item(w, ITEM_TRACK);
	w->defined.tracks += index == w->defined.tracks;
}

/* A thread comes with its root, which is the node that is next then. */
static void define_nodes(struct writer *w, const struct profile *p, const int64_t *running)
{
	while (w->code.nodes < p->node_count && !writer_failed(w)) {
		const struct profile_node *node = &p->nodes[w->code.nodes];
		struct profile_thread thread = p->threads[node->thread];

		thread.time -= running ? running[node->thread] : 0;
		if (node->parent == PROFILE_NONE)
			writer_thread(w, &thread, NULL);
		else
			writer_node(w, node->parent, node->zone, node->line);
	}
}

void writer_define(struct writer *w, const struct profile *p, const int64_t *running)
{
	while (w->defined.measures + MEASURES_CORE < p->measure_count)
		writer_measure(w, &p->measures[w->defined.measures + MEASURES_CORE]);
	while (w->defined.modules < p->module_count)
		writer_module(w, &p->modules[w->defined.modules]);
	for (uint32_t i = 1; w->renames != p->zones_renamed && i < w->defined.zones; i++)
		writer_rename(w, i, &p->zones[i]);
	w->renames = p->zones_renamed;
	while (w->defined.zones < p->zone_count)
		writer_zone(w, &p->zones[w->defined.zones]);
	define_nodes(w, p, running);
	while (w->defined.counters < p->counter_count)
		writer_counter(w, &p->counters[w->defined.counters]);
	while (w->defined.events < p->event_count)
		writer_event(w, p->events[w->defined.events]);
	while (w->defined.tracks < p->track_count) {
		const struct profile_track *track = &p->tracks[w->defined.tracks];

		writer_renew_track(w, w->defined.tracks, track, &p->counters[track->counter]);
	}
}

/* ---- frames */

void writer_frame(struct writer *w, const struct profile_frame *frame, const char *name)
{
	struct bytes *b = begin_item(w);

	bytes_signed(b, (int64_t)(frame->number - w->frame));
	bytes_signed(b, (int64_t)((uint64_t)frame->start - (uint64_t)w->frame_end));
	bytes_signed(b, frame->length);
	bytes_number(b, frame->flags);
	bytes_text(b, name);
	end_item(w, ITEM_FRAME);
	w->frame = frame->number;
	w->frame_end = frame_end(frame);
	widen_block(w, frame->start, w->frame_end);
}

/* Nodes of a slice's amounts are those of its thread's root. */
static void put_column(struct bytes *b, const struct profile_column *column)
{
	uint32_t before = 0;

	bytes_number(b, column->measure - MEASURES_CORE);
	bytes_number(b, column->unknown);
	bytes_number(b, column->cell_count);
	for (uint32_t i = 0; i < column->cell_count; before = column->nodes[i++]) {
		bytes_signed(b, (int64_t)column->nodes[i] - before);
		bytes_signed(b, column->values[i]);
	}
}

void writer_part(struct writer *w, uint64_t frame, const struct profile_part *part)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, frame);
	bytes_number(b, part->thread);
	bytes_number(b, part->flags);
	bytes_signed(b, (int64_t)(frame - part->first_frame));
	bytes_signed(b, part->bound);
	bytes_signed(b, (int64_t)((uint64_t)part->end - (uint64_t)part->bound));
	code_put_cells(&w->code, b, part->cells, part->cell_count);
	bytes_number(b, part->column_count);
	for (uint32_t i = 0; i < part->column_count; i++)
		put_column(b, &part->columns[i]);
	end_item(w, ITEM_PART);
	widen_block(w, part->bound, part->end);
}

/* ---- single calls */

/* How many of the first go into one block. */
static uint32_t count_together(const struct transition *at, uint32_t count)
{
	uint32_t n = 1;

	while (n < count && n < CALLS_ENOUGH && at[n].tick - at[n - 1].tick < CODE_FARTHEST)
		n++;
	return n;
}

void writer_calls(struct writer *w, uint64_t list, uint32_t thread, uint64_t number, const struct transition *at,
		  uint32_t count)
{
	if (count)
		writer_flush(w); /* what they are of comes first */
	for (uint32_t i = 0, n; i < count && !writer_failed(w); i += n) {
		struct recording_head head = { .kind = RECORDING_CALLS, .list = list, .thread = thread,
					       .number = number + i };

		n = count_together(at + i, count - i);
		w->calls.count = 0;
		code_put_calls(&w->code, &w->calls, at + i, n);
		head.raw = (uint32_t)w->calls.count;
		head.first = at[i].tick;
		head.last = at[i + n - 1].tick;
		head.count = n;
		put_block(w, &head, w->calls.at);
	}
}

/* ---- values, events and notes */

/* Writes a double as its bits: the reader knows the kind of the track. */
static void put_value(struct bytes *b, union profile_number value)
{
	bytes_signed(b, value.whole);
}

static void put_change(struct bytes *b, const struct profile_change *change)
{
	bytes_signed(b, change->tick);
	bytes_number(b, change->lost);
	put_value(b, change->last);
	put_value(b, change->least);
	put_value(b, change->most);
}

void writer_change(struct writer *w, uint32_t track, const struct profile_change *change)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, track);
	put_change(b, change);
	end_item(w, ITEM_CHANGE);
	widen_block(w, change->tick, change->tick);
}

void writer_now(struct writer *w, uint32_t index, const struct profile_track *track)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, index);
	put_change(b, &track->now);
	put_value(b, track->run_least);
	put_value(b, track->run_most);
	end_item(w, ITEM_NOW);
}

void writer_instant(struct writer *w, const struct profile_instant *instant)
{
	struct bytes *b = begin_item(w);

	bytes_signed(b, instant->tick);
	bytes_number(b, instant->thread);
	bytes_number(b, instant->event == PROFILE_NONE ? 0 : (uint64_t)instant->event + 1);
	bytes_number(b, instant->cut);
	bytes_text(b, instant->event == PROFILE_NONE ? instant->text : "");
	end_item(w, ITEM_INSTANT);
	widen_block(w, instant->tick, instant->tick);
}

/* ---- the whole run */

static void put_totals(struct writer *w, const struct writer_total *totals, uint32_t count)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_total *total = &totals[i].total;

		bytes_number(b, totals[i].node - (i ? totals[i - 1].node : 0));
		bytes_signed(b, total->self);
		bytes_signed(b, total->count);
		bytes_signed(b, total->longest);
		bytes_signed(b, total->running_self);
		bytes_signed(b, total->running_count);
	}
	end_item(w, ITEM_TOTALS);
}

void writer_totals(struct writer *w, const struct writer_total *totals, uint32_t count)
{
	for (uint32_t i = 0; i < count; i += TOTALS_TOGETHER)
		put_totals(w, totals + i, count - i < TOTALS_TOGETHER ? count - i : TOTALS_TOGETHER);
}

void writer_amounts(struct writer *w, uint32_t measure, const struct writer_amount *amounts, uint32_t count,
		    const uint32_t *threads, uint32_t thread_count)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, measure);
	bytes_number(b, count);
	for (uint32_t i = 0; i < count; i++) {
		bytes_number(b, amounts[i].node - (i ? amounts[i - 1].node : 0));
		bytes_signed(b, amounts[i].amount);
	}
	bytes_number(b, thread_count);
	for (uint32_t i = 0; i < thread_count; i++)
		bytes_number(b, threads[i]);
	end_item(w, ITEM_AMOUNTS);
}

void writer_pass(struct writer *w, uint32_t node, uint32_t heir)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, node);
	bytes_number(b, heir);
	end_item(w, ITEM_PASS);
}

void writer_run(struct writer *w, const struct profile *p)
{
	struct bytes *b = begin_item(w);

	bytes_signed(b, p->first_tick);
	bytes_signed(b, p->now_tick);
	bytes_number(b, p->frames_ended);
	bytes_number(b, p->unseen_frames);
	bytes_signed(b, p->run_tick);
	bytes_number(b, p->run_frames);
	bytes_signed(b, p->run_end);
	bytes_signed(b, p->frame_began);
	bytes_signed(b, p->instants_from);
	bytes_text(b, p->left_open);
	bytes_number(b, p->unplaced);
	bytes_number(b, p->run_ended);
	end_item(w, ITEM_RUN);
}

/* A source that is a recording may have lost items, too. */
static void write_too_large(struct writer *w)
{
	writer_loss(w, &(struct profile_loss){ .key = (char *)RECORDING_TOO_LARGE, .count = w->lost_before,
					       .sentence = (char *)"data too large for a recording: slices of frames, "
					       "or amounts of the whole run" });
}

void writer_loss(struct writer *w, const struct profile_loss *loss)
{
	bool too_large = !strcmp(loss->key, RECORDING_TOO_LARGE);
	struct bytes *b = begin_item(w);

	w->lost_before = too_large ? loss->count : w->lost_before;
	bytes_text(b, loss->key);
	bytes_text(b, loss->sentence);
	bytes_number(b, loss->count + (too_large ? w->too_large : 0));
	end_item(w, ITEM_LOSS);
}

void writer_stack(struct writer *w, uint32_t thread, const struct source_stack *stack)
{
	struct bytes *b = begin_item(w);

	bytes_number(b, thread);
	bytes_signed(b, stack->last);
	bytes_signed(b, stack->now);
	bytes_number(b, stack->busy);
	bytes_number(b, stack->count);
	for (uint32_t i = 0; i < stack->count; i++) {
		bytes_number(b, stack->zones[i].node);
		bytes_signed(b, stack->zones[i].entered);
	}
	end_item(w, ITEM_STACK);
}
