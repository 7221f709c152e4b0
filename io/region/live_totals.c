/* SPDX-License-Identifier: MIT */
/*
 * live_totals: what each thread had in the whole run, and the ended ones together.
 *
 * Read anew, as of one tick for all threads: no reading adds to what the one before it gave. Between two
 * of them only the clock goes on; the profile's run_tick says of when they are.
 *
 * The part of them that is running, behind the newest interval that ended, is worked out with them: the time
 * since a thread's last boundary is in its nodes, and slices that it published of later intervals, or of the
 * running one, wait in the join.
 */
#include "io/region/live_inside.h"

#define RUN_PAUSE_NS 333000000 /* from one reading to the next, where polls are many */
#define TRIES 4 /* to catch a thread's totals; those up to its last boundary do as well */
#define LOG_TRIES 8 /* to catch them with what the thread has published by then: it may go on to */
#define READING_NS 500000000      /* how long all threads may take whose boundaries are moved all the while; */
#define READING_OFTEN_NS 20000000 /* and where another reading follows */

/* Adds the totals of previous owners to those of other blocks. */
static bool add_ended(struct live *l, struct block *b, uint32_t node)
{
	const struct snapshot_total *t = &l->totals[node];
	struct profile *p = l->source.profile;
	struct profile_total *sum;
	uint32_t to;

	if (!t->ended_self && !t->ended_count)
		return true;
	if (!live_ended_begins(l, b))
		return false;
	to = live_node(l, b, false, node);
	if (to == PROFILE_NONE)
		return false;
	sum = &p->totals[to];
	profile_set_total(p, to, sum->self + t->ended_self, sum->count + (int64_t)t->ended_count,
			  t->ended_longest > sum->longest ? t->ended_longest : sum->longest);
	profile_set_time(p, l->ended, 0, p->threads[l->ended].time + t->ended_self);
	return true;
}

static bool give_total(struct live *l, struct block *b, uint32_t node)
{
	const struct snapshot_total *t = &l->totals[node];
	bool known = node < b->own.count && b->own.of[node] != PROFILE_NONE;
	uint32_t to;

	if (!known && !t->self && !t->count)
		return true;
	to = live_node(l, b, true, node);
	if (to == PROFILE_NONE)
		return false;
	profile_set_total(l->source.profile, to, t->self, (int64_t)t->count, t->longest);
	return true;
}

/* The part of these totals behind the newest interval that ended. A thread that has not moved since stays as it
 * is. */
static void give_running(struct live *l, const struct block *b, const struct snapshot_thread *t,
			 const struct snapshot_totals *out)
{
	struct profile *p = l->source.profile;
	int64_t end = join_newest_end(l->join) > t->last ? join_newest_end(l->join) : t->last;

	if (out->epoch <= join_newest(l->join)) {
		profile_add_running(p, node_map_known(&b->own, out->current), out->until - end, 0);
		return;
	}
	for (uint32_t i = 0; i < t->nodes; i++)
		profile_add_running(p, node_map_known(&b->own, i), l->totals[i].frame_self,
				    (int64_t)l->totals[i].frame_count);
}

/* And what was published of such intervals. A thread that was not read now has it as of when it was. */
static void give_waiting(const struct join_record *r, void *context)
{
	struct live *l = context;
	struct profile *p = l->source.profile;

	if (r->first <= join_newest(l->join) || p->threads[r->thread].unread != THREAD_READ)
		return;
	for (uint32_t i = 0; i < r->cell_count; i++)
		profile_add_running(p, r->cells[i].node, r->kind == JOIN_SPAN ? r->end - r->bound : r->cells[i].self,
				    r->cells[i].count);
}

/* Once, as the sums of those that ended have it now, too. */
static void pass_totals(struct live *l)
{
	struct profile *p = l->source.profile;

	for (uint32_t i = 0; i < l->passing_count; i++) {
		uint32_t thread = p->nodes[l->passing[i].node].thread;

		profile_pass_total(p, l->passing[i].node, l->passing[i].heir);
		profile_set_time(p, thread, p->threads[thread].first_tick, 0);
	}
	l->passing_count = 0;
}

/* The previous owner of the block is gone. */
static bool owner_goes(struct live *l, struct block *b, const struct snapshot_thread *t,
		       const struct snapshot_totals *out)
{
	bool owned = out->state == BLOCK_LIVE || out->state == BLOCK_ENDED;
	bool other = out->generation != b->generation || b->thread == PROFILE_NONE;
	bool done = !other || (owned ? live_owner_begins(l, b, out->generation, t->tid, t->name)
				     : live_owner_passes(l, b));

	pass_totals(l);
	return done;
}

/* Marks the thread of a block as unread, or as read again. */
static void set_unread(struct live *l, struct block *b, enum profile_unread why)
{
	struct profile *p = l->source.profile;

	l->unread_totals += why == THREAD_MOVING;
	l->torn_totals += why == THREAD_DAMAGED;
	if (b->thread != PROFILE_NONE)
		p->threads[b->thread].unread = why;
	if (b->ended.count && why != THREAD_READ)
		p->threads[l->ended].unread = why;
}

/* With all that it had published by then. */
static enum snapshot_result catch_all(struct live *l, struct block *b, struct snapshot_thread *t,
				      struct snapshot_totals *out)
{
	for (int i = 0; i < LOG_TRIES; i++) {
		enum snapshot_result result = live_catch_totals(l, b, TRIES, l->read_until_ns, t, out);
		int64_t end = b->end;

		if (result != SNAPSHOT_OK || out->bound == end)
			return result;
		live_read_log(l, b);
		if (b->end == end)
			return result; /* no more is to be had */
	}
	return live_catch_totals(l, b, TRIES, l->read_until_ns, t, out);
}

static void read_totals(struct live *l, struct block *b)
{
	struct profile *p = l->source.profile;
	struct snapshot_thread t;
	struct snapshot_totals out;
	enum snapshot_result result = catch_all(l, b, &t, &out);
	bool owned, sane;

	if (result == SNAPSHOT_BUSY)
		set_unread(l, b, THREAD_MOVING);
	if (result == SNAPSHOT_ABSENT && b->thread != PROFILE_NONE) /* it was there, and its words are gone */
		set_unread(l, b, THREAD_DAMAGED);
	if (result != SNAPSHOT_OK || !owner_goes(l, b, &t, &out))
		return;
	owned = out.state == BLOCK_LIVE || out.state == BLOCK_ENDED;
	sane = live_totals_are_sane(l, &out, t.nodes);
	set_unread(l, b, sane ? THREAD_READ : THREAD_DAMAGED);
	for (uint32_t i = 0; sane && i < t.nodes; i++)
		if ((owned && !give_total(l, b, i)) || !add_ended(l, b, i))
			return;
	if (!live_read_amounts(l, b, owned && sane))
		set_unread(l, b, THREAD_MOVING);
	if (!owned || !sane)
		return;
	give_running(l, b, &t, &out);
	if (b->index == l->process.marker)
		l->marker_epoch = out.epoch;
	profile_set_time(p, b->thread, out.started, out.until - out.started);
	if (out.until > l->last_tick)
		l->last_tick = out.until;
}

/* The sums of those that ended begin anew in each poll. */
static void clear_ended(struct live *l)
{
	struct profile *p = l->source.profile;

	if (l->ended == PROFILE_NONE)
		return;
	for (uint32_t i = 0; i < l->ended_paths.count; i++)
		profile_set_total(p, l->ended_paths.found[i].node, 0, 0, 0);
	profile_set_total(p, p->threads[l->ended].root, 0, 0, 0);
	live_clear_ended_amounts(l);
	profile_set_time(p, l->ended, 0, 0);
	p->threads[l->ended].unread = THREAD_READ;
}

static int64_t tick_now(struct live *l)
{
	int64_t newest = snapshot_newest_tick(&l->a), now;

	return l->a.live && snapshot_now(&l->a, &now) && now > newest ? now : newest;
}

/* The run was read so lately that its clock is enough. */
static bool is_fresh(struct live *l)
{
	int64_t now = clock_ns(CLOCK_MONOTONIC);

	if (l->often && l->a.live && l->run_ns && now - l->run_ns < RUN_PAUSE_NS)
		return true;
	l->run_ns = now;
	return false;
}

/* The tick at which the running frame began. Time between two frames has ended, and no frame has begun since. */
static int64_t frame_began(struct live *l)
{
	struct snapshot_frame newest;

	if (l->process.epoch < 2 || snapshot_frame(&l->a, l->process.epoch - 1, &newest) != SNAPSHOT_OK)
		return 0;
	return newest.flags & MARK_OUTSIDE ? newest.end : 0;
}

/* The newest interval that the join has, and the frames up to it; where none has ended, the beginning. */
static void set_run_end(struct live *l)
{
	struct profile *p = l->source.profile;
	int64_t end = join_newest_end(l->join);

	p->run_end = end < p->first_tick ? p->first_tick : end < l->last_tick ? end : l->last_tick;
	if (join_newest(l->join) && p->frame_count)
		p->run_frames = p->frames[p->frame_count - 1].number;
}

#define OUTSIDE_MOST 3 /* of so many intervals in a row, at least one is a frame */

/* Threads are read one after the other, and a fast program ends frames
 * meanwhile. The frames of this reading are those that had ended when the
 * totals of the marking thread were read. */
static void set_run_ended(struct live *l)
{
	struct profile *p = l->source.profile;
	struct snapshot_frame f = { 0 };

	for (uint64_t n = 1; n <= OUTSIDE_MOST && n < l->marker_epoch && !f.number; n++)
		if (snapshot_frame(&l->a, l->marker_epoch - n, &f) != SNAPSHOT_OK)
			f.number = 0;
	p->run_ended = f.number > p->run_frames ? f.number : p->run_frames;
	if (p->run_ended > p->frames_ended)
		p->frames_ended = p->run_ended;
}

void live_read_run(struct live *l)
{
	struct profile *p = l->source.profile;

	l->now = tick_now(l);
	p->frames_ended = l->process.frames;
	p->frame_began = frame_began(l);
	if (is_fresh(l)) {
		if (l->now > p->now_tick)
			p->now_tick = l->now;
		return;
	}
	l->last_tick = l->now; /* a thread may be read later than that */
	l->total_ticks = l->total_entries = 0;
	l->torn_totals = l->unread_totals = 0;
	l->marker_epoch = 0;
	l->read_until_ns = clock_ns(CLOCK_MONOTONIC) + (l->often ? READING_OFTEN_NS : READING_NS);
	clear_ended(l);
	pass_totals(l);
	for (uint32_t i = 0; i < l->process.threads && live_goes_on(l); i++)
		read_totals(l, &l->blocks[i]);
	join_waiting(l->join, give_waiting, l);
	if (l->last_tick < 0)
		l->last_tick = 0;
	p->first_tick = (int64_t)l->process.created.ticks; /* as frame 1 */
	if (p->first_tick < 0 || p->first_tick > l->last_tick)
		p->first_tick = l->last_tick;
	p->now_tick = p->run_tick = l->last_tick;
	set_run_end(l);
	set_run_ended(l);
	if (l->ended != PROFILE_NONE)
		profile_set_time(p, l->ended, p->first_tick, p->threads[l->ended].time);
}
