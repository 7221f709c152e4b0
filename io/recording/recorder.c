/* SPDX-License-Identifier: MIT */
#include "io/recording/recorder_inside.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/recording/recording.h"
#include "model/base/array.h"
#include "model/base/lookup.h"
#include "model/base/search.h"
#include "model/profile/measures.h"
#include "model/profile/moment.h"

#define LATE_S 5      /* so late an event may come */
#define CALLS_MOST (UINT64_C(1) << 24)
#define FRAME_RECENT_S 1 /* if no frame has ended for so long, a limited take goes up to the present */

static bool begin_state(struct recorder *r)
{
	r->until = r->looked = r->taken = r->run_tick = r->frames_from = r->calls_from = r->left_out_until = INT64_MIN;
	r->recent = array_zeroed(RECENT, sizeof(*r->recent));
	r->calls = r->o.no_calls ? NULL : transitions_new(r->o.calls_most ? r->o.calls_most : CALLS_MOST);
	return r->recent && (r->calls || r->o.no_calls);
}

static void free_state(struct recorder *r)
{
	transitions_free(r->calls);
	free(r->goes_on);
	free(r->recent);
	free(r->near);
	free(r->threads);
	free(r->tracks);
	free(r->totals);
	free(r->passed);
	free(r->running);
	for (uint32_t i = 0; i < MEASURES_MOST; i++) {
		free(r->measures[i].by_node);
		free(r->measures[i].lacks);
	}
}

struct recorder *recorder_new(struct source *s, const struct recorder_options *o)
{
	struct recorder *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->s = s;
	r->o = *o;
	if (begin_state(r))
		return r;
	recorder_free(r);
	return NULL;
}

void recorder_free(struct recorder *r)
{
	if (r)
		free_state(r);
	free(r);
}

bool recorder_begin_anew(struct recorder *r)
{
	struct recorder before = *r;

	free_state(r);
	*r = (struct recorder){ .s = before.s, .o = before.o, .limit = before.limit, .anew = true };
	return begin_state(r);
}

void recorder_only(struct recorder *r, uint64_t first, uint64_t last)
{
	r->from_frame = first;
	r->to_frame = last;
}

void recorder_limit(struct recorder *r, uint64_t bytes)
{
	r->limit = bytes;
}

void recorder_turn(struct recorder *r)
{
	r->process_written = false;
	r->turned = true;
	r->zone_count = r->thread_count = r->track_count = 0;
	array_clear(r->totals, r->total_room, sizeof(*r->totals));
	array_clear(r->passed, r->passed_room, sizeof(*r->passed));
	for (uint32_t i = 0; i < MEASURES_MOST; i++) {
		array_clear(r->measures[i].by_node, r->measures[i].node_room, sizeof(int64_t));
		array_clear(r->measures[i].lacks, r->measures[i].thread_room, sizeof(bool));
	}
	for (uint32_t i = 0; i < r->track_room; i++) {
		r->tracks[i].from = r->tracks[i].any ? r->tracks[i].last.tick : r->tracks[i].from;
		r->tracks[i].any = false;
		r->tracks[i].now.tick = INT64_MIN; /* nobody's: what it is now is told once more */
	}
}

/* ---- the moment of a take */

/* A take of a limited file may be the last in it, so totals, frames and calls
 * are all as of one tick: the end of the newest frame. What the threads did
 * since then comes with a later take. */
static bool ends_with_frame(const struct recorder *r, bool over)
{
	const struct profile *p = r->p;

	return r->limit && !over && !r->o.over && p->run_tick && p->run_frames && p->process.state == PROFILE_LIVE &&
	       p->run_tick - p->run_end < (int64_t)p->ticks_per_s * FRAME_RECENT_S;
}

/* ---- what is defined */

static void write_process(struct recorder *r)
{
	const struct profile_process *now = &r->p->process;
	int64_t real_ns = 0;
	struct timespec t, raw;

	if (r->process_written && now->state == r->process.state && now->stopped == r->process.stopped &&
	    now->known_tick == r->process.known_tick && now->pair_ns == r->process.pair_ns)
		return;
	clock_gettime(CLOCK_REALTIME, &t);
	clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
	if (moment_known(r->p))
		real_ns = (int64_t)((uint64_t)((t.tv_sec - raw.tv_sec) * INT64_C(1000000000) + (t.tv_nsec - raw.tv_nsec)) +
				    (uint64_t)now->known_moment);
	writer_process(r->w, r->p, real_ns);
	r->process = *now;
	r->process_written = true;
}

static uint32_t name_sum(const struct profile_thread *t)
{
	return lookup_hash(0, t->name, strlen(t->name));
}

static bool is_renewed(const struct was_thread *was, const struct profile_thread *now)
{
	const struct profile_thread *t = &was->thread;

	return t->tid != now->tid || t->state != now->state || t->marking != now->marking || t->several != now->several ||
	       t->unread != now->unread || t->lane != now->lane || t->first_tick != now->first_tick || t->time != now->time ||
	       was->name != name_sum(now);
}

/* The thread as of the moment of the take. The next function does the same for
 * the total of a node. */
static struct profile_thread thread_then(const struct recorder *r, uint32_t i)
{
	struct profile_thread thread = r->p->threads[i];

	thread.time -= r->at_frame && i < r->running_room ? r->running[i] : 0;
	return thread;
}

static struct profile_total total_then(const struct recorder *r, uint32_t node)
{
	struct profile_total total = r->p->totals[node];

	if (r->at_frame) {
		total.self -= total.running_self;
		total.count -= total.running_count;
		total.running_self = total.running_count = 0;
	}
	return total;
}

/* Finds how much of each thread's time is after the moment of the take. */
static bool find_running(struct recorder *r)
{
	const struct profile *p = r->p;

	array_clear(r->running, r->running_room, sizeof(*r->running));
	if (!array_reserve_zeroed(&r->running, &r->running_room, p->thread_count, sizeof(*r->running)))
		return false;
	for (uint32_t i = 0; i < p->node_count; i++)
		r->running[p->nodes[i].thread] += p->totals[i].running_self;
	return true;
}

/* writer_define has written the new threads. This writes those again that have changed since. */
static bool renew_threads(struct recorder *r)
{
	uint32_t count = r->p->thread_count;

	if (!array_reserve_zeroed(&r->threads, &r->thread_room, count, sizeof(*r->threads)))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		struct profile_thread thread = thread_then(r, i);
		bool is_new = i >= r->thread_count;

		if (!is_new && !is_renewed(&r->threads[i], &thread))
			continue;
		if (!is_new)
			writer_renew_thread(r->w, i, &thread);
		r->threads[i].thread = thread;
		r->threads[i].name = name_sum(&thread);
	}
	r->thread_count = count;
	return true;
}

static bool renew_tracks(struct recorder *r)
{
	const struct profile *p = r->p;
	uint32_t had = r->track_room;

	if (!array_reserve(&r->tracks, &r->track_room, p->track_count, sizeof(*r->tracks)))
		return false;
	for (uint32_t i = had; i < r->track_room; i++)
		r->tracks[i] = (struct was_track){ .from = INT64_MIN };
	for (uint32_t i = 0; i < p->track_count; i++) {
		const struct profile_track *track = &p->tracks[i];
		const struct profile_counter *counter = &p->counters[track->counter];
		struct was_track *was = &r->tracks[i];
		bool is_new = i >= r->track_count;

		if (!is_new && was->thread == track->thread && was->summed == counter->summed &&
		    was->total == counter->total && !strcmp(was->unit, counter->unit))
			continue;
		if (!is_new)
			writer_renew_track(r->w, i, track, counter);
		was->thread = track->thread;
		was->summed = counter->summed;
		was->total = counter->total;
		memcpy(was->unit, counter->unit, sizeof(was->unit));
	}
	r->track_count = p->track_count;
	return true;
}

static bool write_definitions(struct recorder *r)
{
	write_process(r);
	writer_define(r->w, r->p, r->at_frame ? r->running : NULL);
	r->zone_count = r->p->zone_count;
	return renew_threads(r) && renew_tracks(r);
}

/* ---- single calls */

/* From this transition on it is not known here what a thread does. */
static void write_gap(struct recorder *r, uint32_t index, uint32_t i, int64_t tick)
{
	const struct transition_list *list = &r->calls->lists[index];
	struct transition gap = { tick, 0, TRANSITION_GAP };

	if (r->goes_on[index])
		writer_calls(r->w, list->id, list->thread, list->first + i, &gap, 1);
	r->goes_on[index] = false;
}

/* `last`: what is left of it is never written. */
static void write_list(struct recorder *r, uint32_t index, struct transition_stretch asked, bool last)
{
	struct transition_list *list = &r->calls->lists[index];
	uint32_t first = SEARCH(i, 0, list->count, list->at[i].tick <= asked.begin);
	uint32_t end = SEARCH(i, first, list->count, list->at[i].tick <= asked.end);
	bool written;

	if (first < end && list->at[first].tick <= r->calls_from) {
		uint32_t from = SEARCH(i, first, end, list->at[i].tick <= r->calls_from);

		write_gap(r, index, first, list->at[first].tick);
		for (; first < from; first++)
			r->calls_over += recorder_is_near(r, list->at[first].tick, list->at[first].tick);
	} else {
		first -= first > 0 && first < end; /* so that nothing is missing at the beginning */
	}
	for (uint32_t i = first, n; i < end; i += n) {
		n = recorder_calls_together(r, list, i, end, &written);
		if (written)
			writer_calls(r->w, list->id, list->thread, list->first + i, list->at + i, n);
		else
			write_gap(r, index, i, list->at[i].tick);
		r->goes_on[index] |= written;
	}
	if (last && end < list->count)
		write_gap(r, index, end, list->at[end].tick);
	transitions_drop(r->calls, list, end);
}

/* ---- values, events and notes */

static bool same_change(const struct profile_change *a, const struct profile_change *b)
{
	return a->tick == b->tick && a->lost == b->lost && a->last.whole == b->last.whole &&
	       a->least.whole == b->least.whole && a->most.whole == b->most.whole;
}

/* Writes a change if its value, which holds until `to`, falls into recorded time. Else the first one that is left out says
 * that from there on the value is not known. */
static void write_change(struct recorder *r, uint32_t t, struct profile_change change, int64_t to)
{
	struct was_track *was = &r->tracks[t];

	if (was->any && same_change(&change, &was->last))
		return;
	if (was->any && !recorder_is_near(r, change.tick, to)) {
		if (was->last.lost)
			return;
		change.lost = true;
	}
	writer_change(r->w, t, &change);
	was->last = change;
	was->any = true;
}

static void write_now(struct recorder *r, uint32_t t)
{
	const struct profile_track *track = &r->p->tracks[t];
	struct was_track *was = &r->tracks[t];

	if (same_change(&track->now, &was->now) && was->run_least.whole == track->run_least.whole &&
	    was->run_most.whole == track->run_most.whole)
		return;
	writer_now(r->w, t, track);
	was->now = track->now;
	was->run_least = track->run_least;
	was->run_most = track->run_most;
}

/* The first is the last before the time that is asked for: it holds on. */
static void write_track(struct recorder *r, uint32_t t, struct transition_stretch asked)
{
	const struct profile_track *track = &r->p->tracks[t];
	const struct was_track *was = &r->tracks[t];
	int64_t from = recorder_later(r->frames_from, recorder_later(asked.begin, r->carries ? r->carried_from : was->from));
	uint32_t i = SEARCH(k, 0, track->change_count, track->changes[k].tick <= from);

	i -= i > 0;
	if (r->frames_from != INT64_MIN)
		r->values_over += i - SEARCH(k, 0, i, track->changes[k].tick <= recorder_later(r->taken, asked.begin));
	if (was->any)
		i = SEARCH(k, i, track->change_count, track->changes[k].tick < was->last.tick);
	for (; i < track->change_count && track->changes[i].tick <= asked.end; i++)
		write_change(r, t, track->changes[i], i + 1 < track->change_count ? track->changes[i + 1].tick : asked.end);
	write_now(r, t);
}

/* True if the event was not written yet. Events of a thread come in the order of time. */
static bool is_new_instant(struct recorder *r, uint32_t i)
{
	const struct profile_instant *instants = r->p->instants, *instant = &instants[i];
	struct was_thread *was = &r->threads[instant->thread];
	uint32_t before = 0;

	if (was->instants && instant->tick < was->instant)
		return false;
	for (uint32_t k = i; k && instants[k - 1].tick == instant->tick; k--)
		before += instants[k - 1].thread == instant->thread;
	if (instant->tick == was->instant && before < was->instants)
		return false;
	was->instant = instant->tick;
	was->instants = before + 1;
	return true;
}

static void write_instants(struct recorder *r, struct transition_stretch asked)
{
	const struct profile *p = r->p;
	int64_t from = r->looked == INT64_MIN ? INT64_MIN : r->looked - recorder_seconds(r, LATE_S);
	uint32_t i;

	from = r->carries ? recorder_earlier(from, r->frames_from) : from;
	i = SEARCH(k, 0, p->instant_count, p->instants[k].tick < from);
	for (; i < p->instant_count && p->instants[i].tick <= asked.end; i++) {
		const struct profile_instant *instant = &p->instants[i];
		bool carried = r->carries && instant->tick > r->frames_from;

		if (instant->thread >= r->thread_count || !(is_new_instant(r, i) || carried) || instant->tick <= asked.begin ||
		    !recorder_is_near(r, instant->tick, instant->tick))
			continue;
		if (instant->tick <= r->frames_from)
			r->values_over++;
		else
			writer_instant(r->w, instant);
	}
	r->looked = asked.end < p->now_tick ? asked.end : p->now_tick;
}

/* ---- the whole run */

static bool same_total(const struct profile_total *a, const struct profile_total *b)
{
	return a->self == b->self && a->count == b->count && a->longest == b->longest &&
	       a->running_self == b->running_self && a->running_count == b->running_count;
}

static bool write_totals(struct recorder *r)
{
	const struct profile *p = r->p;
	struct writer_total *changed;
	uint32_t count = 0;

	if (!array_reserve_zeroed(&r->totals, &r->total_room, p->node_count, sizeof(*r->totals)) ||
	    !array_reserve_zeroed(&r->passed, &r->passed_room, p->node_count, sizeof(*r->passed)))
		return false;
	changed = reallocarray(NULL, p->node_count + 1ull, sizeof(*changed));
	if (!changed)
		return false;
	for (uint32_t i = 0; i < p->node_count; i++) {
		struct profile_total total;

		if (p->nodes[i].passed != r->passed[i])
			writer_pass(r->w, i, p->nodes[i].heir);
		r->passed[i] = p->nodes[i].passed;
		total = total_then(r, i);
		if (same_total(&total, &r->totals[i]))
			continue;
		r->totals[i] = total;
		changed[count++] = (struct writer_total){ i, total };
	}
	writer_totals(r->w, changed, count);
	free(changed);
	return true;
}

/* The amounts of one measure that have changed. */
static bool write_amounts_of(struct recorder *r, uint32_t measure)
{
	const struct profile *p = r->p;
	struct was_measure *was = &r->measures[measure];
	struct writer_amount *amounts = reallocarray(NULL, p->node_count + 1ull, sizeof(*amounts));
	uint32_t *threads = reallocarray(NULL, p->thread_count + 1ull, sizeof(*threads)), count = 0, thread_count = 0;
	bool done = amounts && threads &&
		    array_reserve_zeroed(&was->by_node, &was->node_room, p->node_count, sizeof(*was->by_node)) &&
		    array_reserve_zeroed(&was->lacks, &was->thread_room, p->thread_count, sizeof(*was->lacks));

	for (uint32_t i = 0; done && i < p->node_count; i++) {
		int64_t amount = profile_amount_of(p, i, measure);

		if (amount != was->by_node[i])
			amounts[count++] = (struct writer_amount){ i, was->by_node[i] = amount };
	}
	for (uint32_t i = 0; done && i < p->thread_count; i++) {
		bool lacks = profile_amount_known(p, i, measure) == MEASURE_LEAST;

		if (lacks && !was->lacks[i])
			threads[thread_count++] = i;
		was->lacks[i] = lacks;
	}
	if (count || thread_count)
		writer_amounts(r->w, measure - MEASURES_CORE, amounts, count, threads, thread_count);
	free(amounts);
	free(threads);
	return done;
}

static bool write_amounts(struct recorder *r)
{
	for (uint32_t i = MEASURES_CORE; i < r->p->measure_count; i++)
		if (!write_amounts_of(r, i))
			return false;
	return true;
}

static void write_stacks(struct recorder *r)
{
	for (uint32_t i = 0; i < r->p->thread_count; i++) {
		struct source_stack stack;

		if (r->p->threads[i].state != THREAD_LIVE || !source_stack(r->s, i, &stack))
			continue;
		if (stack.count)
			writer_stack(r->w, i, &stack);
		free(stack.zones);
	}
}

/* Some were left out of the time that is asked for. */
static bool calls_are_missing(const struct recorder *r)
{
	int64_t begin = recorder_time_asked_for(r).begin;

	return r->calls->left_out &&
	       (begin == INT64_MIN || transitions_since_all(r->calls, r->p, THREADS_ALL, INT64_MAX) > begin);
}

static void write_losses(struct recorder *r)
{
	struct profile_loss left = { .key = RECORDING_LEFT_OUT, .count = r->left_out + r->p->left_out_frames,
				     .sentence = "frames were not recorded, because only slow frames and their "
				                 "surroundings were requested" };

	struct profile_loss frames = { .key = "frames_not_copied", .sentence = "older frames are missing: when this "
	    "file was begun, only the longest of them were in the history" };
	struct profile_loss calls = { .key = "calls_not_copied", .sentence = "begins and ends of calls at most are "
	    "missing: there were too many to copy, and the oldest were left out" };

	for (uint32_t i = 0; i < r->p->loss_count; i++)
		writer_loss(r->w, &r->p->losses[i]);
	if (left.count)
		writer_loss(r->w, &left);
	frames.count = r->let_go;
	if (frames.count)
		writer_loss(r->w, &frames);
	calls.count = r->calls && calls_are_missing(r) ? r->calls->left_out : 0;
	if (calls.count)
		writer_loss(r->w, &calls);
}

/* ---- a take */

/* The end of a frame. The frame that runs may be a slow one, so ticks of AROUND_S before it wait, too. */
static int64_t last_surely_near_or_not(const struct recorder *r)
{
	const struct profile *p = r->p;
	uint32_t n = p->frame_count, i;
	int64_t last;

	if (!n)
		return p->first_tick - 1;
	last = recorder_earlier(p->now_tick - recorder_seconds(r, 2 * AROUND_S),
				frame_end(&p->frames[n - 1]) - recorder_seconds(r, AROUND_S));
	i = SEARCH(k, 0, n, frame_end(&p->frames[k]) < last);
	return i < n ? recorder_earlier(last, p->frames[i].start) : last;
}

/* The last tick that a take may write. With `over`, ticks near the present may
 * still come before a slow frame, and it may be the running one. So they wait for a later take. A limited take
 * ends at one moment. */
static int64_t last_to_write(const struct recorder *r, bool over)
{
	const struct profile *p = r->p;
	int64_t last = INT64_MAX;

	if (r->o.over && !over)
		last = last_surely_near_or_not(r);
	else if (r->at_frame)
		last = p->run_end;
	else if (r->limit && p->process.state == PROFILE_LIVE)
		last = over ? p->now_tick : profile_run_tick(p);
	return last;
}

static bool give_block(void *context, const void *block, size_t size)
{
	struct writer *w = context;

	writer_block(w, block, size);
	return !writer_failed(w);
}

/* A recording that is wanted as a whole is copied block by block, because it may hold more than fits into
 * memory. Its losses are reported before. */
static bool copy_blocks(struct recorder *r)
{
	const struct source_ops *ops = r->s->ops;
	bool whole = !r->o.over && !r->o.no_calls && !r->from_frame && !r->to_frame && !r->limit;
	uint64_t before;

	if (!whole || r->anew || r->looked != INT64_MIN || !ops->copy)
		return false;
	if (r->p->loss_count) {
		write_process(r);
		write_losses(r);
		writer_flush(r->w);
	}
	before = writer_bytes(r->w);
	r->copied = ops->copy(r->s, give_block, r->w) || writer_bytes(r->w) > before;
	return r->copied;
}

/* A frame that ended and cannot be read yet, as a thread of the program is at it, is not in a recording that ends now. */
static void write_run(struct recorder *r, bool last)
{
	struct profile run = *r->p;
	uint64_t newest = run.frame_count ? run.frames[run.frame_count - 1].number : 0;

	if ((last || r->limit) && run.process.state == PROFILE_LIVE && newest && run.frames_ended > newest)
		run.frames_ended = newest;
	if (r->at_frame) {
		run.now_tick = run.run_tick = run.run_end;
		run.run_ended = run.run_frames;
	}
	writer_run(r->w, &run);
}

static bool write_take(struct recorder *r, bool over)
{
	struct transition_stretch asked;

	if (r->looked == INT64_MIN && !r->from_frame)
		r->let_go = r->s->let_go;
	if (!recorder_look(r, over, &(uint64_t){ 0 }))
		return false;
	r->ready = false;
	if (!write_definitions(r) || !write_totals(r) || !write_amounts(r))
		return false;
	if (over)
		write_stacks(r);
	write_run(r, false); /* so that a recording that is cut off has the numbers of the run */
	if (r->turned)
		recorder_find_carried(r);
	recorder_fit_frames(r);
	r->run_tick = r->p->run_tick;
	asked = recorder_time_asked_for(r);
	if (!recorder_write_frames(r))
		return false;
	for (uint32_t i = 0; i < r->p->track_count; i++)
		write_track(r, i, asked);
	write_instants(r, asked);
	write_losses(r);
	write_run(r, over);
	if (r->calls && !array_reserve_zeroed(&r->goes_on, &r->goes_on_room, r->calls->count, sizeof(*r->goes_on)))
		return false;
	recorder_fit_calls(r);
	for (uint32_t i = 0; r->calls && i < r->calls->count; i++)
		write_list(r, i, asked, over);
	recorder_write_losses_of_size(r);
	r->taken = r->until < recorder_newest(r) ? r->until : recorder_newest(r);
	r->turned = r->carries = false;
	writer_flush(r->w);
	return true;
}

bool recorder_look(struct recorder *r, bool over, uint64_t *bytes)
{
	r->p = r->s->profile;
	if (!r->ready && r->calls && !source_transitions(r->s, r->calls)) /* it may add nodes */
		return false;
	r->at_frame = ends_with_frame(r, over);
	r->until = last_to_write(r, over);
	r->ready = r->limit && (over || !r->p->run_tick || r->p->run_tick != r->run_tick);
	*bytes = 0;
	if (!recorder_find_slow(r) || (r->at_frame && !find_running(r)))
		return false;
	if (r->ready)
		*bytes = recorder_bytes(r);
	return true;
}

void recorder_leave(struct recorder *r, struct writer *w)
{
	r->w = w;
	for (uint32_t i = 0; r->calls && i < r->calls->count && i < r->goes_on_room; i++)
		write_gap(r, i, 0, r->taken);
	writer_flush(w);
}

bool recorder_take(struct recorder *r, struct writer *w, bool over)
{
	r->w = w;
	r->p = r->s->profile;
	if (r->copied || copy_blocks(r))
		return !writer_failed(w);
	if (r->anew)
		writer_anew(w);
	r->anew = false;
	return write_take(r, over) && !writer_failed(w);
}

bool recorder_head(struct recorder *r, uint64_t *bytes)
{
	struct writer *w = writer_new(NULL, NULL);
	bool done = w && recorder_look(r, true, bytes);

	r->w = w;
	done = done && write_definitions(r) && write_totals(r) && write_amounts(r);
	if (done) {
		write_run(r, false);
		writer_flush(w);
		*bytes = writer_bytes(w);
		done = !writer_failed(w);
	}
	writer_free(w);
	recorder_turn(r);
	return done;
}
