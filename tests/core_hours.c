/* core_hours.c: what a region keeps for hours is what was published, of the frames that were the longest.
 *
 * In a large region nothing laps: then the marks and the part logs tell which frame of each group was the longest
 * and what each thread said of it, and the logs for hours have just that.  In a small one the logs lap many times:
 * then a reader beside the program remembers what was published, and what is kept is among that.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "prof.h"
#include "tests/core_read.h"
#include "tests/core_run.h"
#include "tests/core_watch.h"
#include "tests/core_work.h"

#define LEVELS REGION_HOURS

/* ---- what is profiled: many short frames, one thread at work, one that hardly wakes, one that comes and goes */

static _Atomic int stop;

static void *at_work(void *unused)
{
	while (!atomic_load(&stop)) {
		Prof_Begin(outer)
		Prof_Begin(inner)
		work_spin(2000);
		Prof_End
		Prof_End
	}
	return unused;
}

static void *drowsy(void *unused)
{
	while (!atomic_load(&stop)) {
		Prof_Begin(drowsy)
		core_sleep_us(3000);
		Prof_End
	}
	return unused;
}

static void *visitor(void *unused)
{
	Prof_Begin(visit)
	work_spin(1000);
	Prof_End
	return unused;
}

static void frames(unsigned long count, unsigned long visits)
{
	for (unsigned long i = 0; i < count; i++) {
		Prof_Begin(step)
		work_spin(i % 911 ? 200 : 20000);
		Prof_End
		if (i % visits == 77) {
			pthread_t thread;
			if (pthread_create(&thread, NULL, visitor, NULL) == 0)
				pthread_join(thread, NULL);
		}
		Prof_update(i % 911 != 455);
	}
}

static int many(const char *count, const char *visits)
{
	pthread_t threads[2];

	/* The marking thread has block 0: a sleeping one may have nothing that is kept. */
	Prof_Begin(start)
	Prof_End
	if (pthread_create(&threads[0], NULL, at_work, NULL) != 0 || pthread_create(&threads[1], NULL, drowsy, NULL) != 0)
		return 1;
	frames(strtoul(count, NULL, 10), strtoul(visits, NULL, 10));
	atomic_store(&stop, 1);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	frames(200, 100);
	return 0;
}

/* ---- records, of a log for hours or of all that was published */

struct records {
	struct watched *at;
	uint64_t count, room;
};

static bool add(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct records *r = context;
	bool plain = head->kind == RECORD_SPAN || head->kind == RECORD_START;

	if (r->count == r->room) {
		r->room = r->room ? 2 * r->room : 1024;
		r->at = realloc(r->at, r->room * sizeof *r->at);
	}
	r->at[r->count++] = (struct watched){ 0, *head, plain ? 0 : watch_hash(nodes, head->nodes) };
	return true;
}

static bool same(const struct watched *a, const struct watched *b)
{
	return a->head.kind == b->head.kind && a->head.flags == b->head.flags && a->head.generation == b->head.generation &&
	       a->head.interval == b->head.interval && a->head.intervals == b->head.intervals &&
	       a->head.bound == b->head.bound && a->head.end == b->head.end && a->head.nodes == b->head.nodes &&
	       a->hash == b->hash;
}

static bool covers(const struct record_head *head, uint64_t interval)
{
	return interval >= head->interval && interval - head->interval < head->intervals;
}

/* The first record at or behind the interval; records ascend. */
static uint64_t first_of(const struct records *r, uint64_t interval)
{
	uint64_t low = 0, high = r->count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		const struct record_head *head = &r->at[middle].head;
		if (head->interval + head->intervals <= interval)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct records hours_of(struct attachment *a, uint32_t block, unsigned level)
{
	struct records found = { 0 };
	uint64_t position = 0, lapped = 0, damaged = 0;
	enum snapshot_result result = snapshot_hours(a, block, level, &position, &lapped, &damaged, NULL, add, &found);

	CHECK(result == SNAPSHOT_OK && !damaged, "block %u level %u: result %d, %" PRIu64 " damaged", block, level, result,
	      damaged);
	for (uint64_t i = 1; i < found.count; i++)
		CHECK(found.at[i].head.bound >= found.at[i - 1].head.end &&
		          found.at[i].head.interval >= found.at[i - 1].head.interval,
		      "block %u level %u: record %" PRIu64 " goes back", block, level, i);
	return found;
}

/* ---- which frame is the longest of a group, of all marks */

static uint64_t frame_length(struct attachment *a, uint64_t interval)
{
	struct snapshot_frame f;

	if (snapshot_frame(a, interval, &f) != SNAPSHOT_OK || f.flags & (MARK_OUTSIDE | MARK_DISCARDED))
		return 0;
	return (uint64_t)(f.end - f.start);
}

static uint64_t longest_of(struct attachment *a, unsigned level, uint64_t group)
{
	uint64_t first = group << HISTORY_SHIFT(level), most = 0, found = 0;

	for (uint64_t i = first ? first : 1; i < (group + 1) << HISTORY_SHIFT(level); i++) {
		uint64_t length = frame_length(a, i);
		if (length > most) {
			most = length;
			found = i;
		}
	}
	return found;
}

/* Each level's groups, as the marker published them; the longest of group g of level l is in longest[l][g]. */
static uint64_t groups_are_right(struct view *v, uint64_t *longest[LEVELS])
{
	uint64_t checked = 0, decided = v->process.decided;

	for (unsigned level = 0; level < LEVELS; level++) {
		uint64_t count = (decided + 1) >> HISTORY_SHIFT(level);
		longest[level] = calloc(count + 1, sizeof **longest);
		for (uint64_t g = 0; g < count; g++, checked++) {
			struct snapshot_group published;
			struct snapshot_frame frame;
			uint64_t interval = longest[level][g] = longest_of(&v->region, level, g);
			enum snapshot_result result = snapshot_group(&v->region, level, g, &published);
			if (!CHECK(result == (interval ? SNAPSHOT_OK : SNAPSHOT_ABSENT), "level %u group %" PRIu64, level, g) ||
			    !interval)
				continue;
			snapshot_frame(&v->region, interval, &frame);
			CHECK(!memcmp(&frame, &published.longest, sizeof frame), "level %u group %" PRIu64 ": %" PRIu64
			      " instead of %" PRIu64, level, g, published.longest.interval, interval);
		}
		CHECK(snapshot_group(&v->region, level, count, &(struct snapshot_group){ 0 }) == SNAPSHOT_ABSENT, "level %u",
		      level);
	}
	return checked;
}

/* ---- a thread's part of it */

struct tally {
	uint64_t kept[LEVELS], missing[LEVELS], spans, pieces, exits;
};

/* Whether what is kept of the interval is all that was published of it.  A sum over several is not kept. */
static void check_kept(const struct records *all, const struct records *kept, uint64_t interval, unsigned level,
                       struct tally *tally)
{
	uint64_t a = first_of(all, interval), k = first_of(kept, interval), count = 0;

	if (a == all->count || !covers(&all->at[a].head, interval))
		return;
	for (uint64_t i = a; i < all->count && covers(&all->at[i].head, interval); i++)
		if (all->at[i].head.kind == RECORD_MERGED)
			return;
	if (k == kept->count || !covers(&kept->at[k].head, interval)) {
		tally->missing[level]++;
		return;
	}
	tally->kept[level]++;
	for (; a + count < all->count && covers(&all->at[a + count].head, interval); count++) {
		const struct watched *one = &all->at[a + count];
		CHECK(k + count < kept->count && same(one, &kept->at[k + count]),
		      "level %u interval %" PRIu64 " record %" PRIu64, level, interval, count);
		tally->spans += one->head.kind == RECORD_SPAN;
		tally->pieces += one->head.kind == RECORD_MORE;
		tally->exits += one->head.kind == RECORD_EXIT;
	}
	CHECK(k + count >= kept->count || !covers(&kept->at[k + count].head, interval), "level %u interval %" PRIu64
	      " is kept twice", level, interval);
}

/* Each record kept is of a frame that is the longest of its group. */
static void check_reason(const struct records *kept, unsigned level, const uint64_t *longest, uint64_t groups)
{
	for (uint64_t i = 0; i < kept->count; i++) {
		const struct record_head *head = &kept->at[i].head;
		uint64_t g = head->interval >> HISTORY_SHIFT(level);
		CHECK(g < groups && (head->kind == RECORD_SPAN || longest[g] == head->interval), "level %u interval %" PRIu64,
		      level, head->interval);
	}
}

/* A group is over for a thread that has an item of a later one. */
static bool is_over(const struct records *items, unsigned level, uint64_t group)
{
	return items->count && items->at[items->count - 1].head.interval >> HISTORY_SHIFT(level) > group;
}

static void check_block(struct view *v, uint32_t block, uint64_t *const longest[LEVELS], struct tally *tally)
{
	struct records all = { 0 }, below = { 0 };
	uint64_t position = 0, lapped = 0, damaged = 0;

	snapshot_parts(&v->region, block, &position, &lapped, &damaged, NULL, add, &all);
	CHECK(!lapped && !damaged, "block %u: %" PRIu64 " words lapped, %" PRIu64 " damaged", block, lapped, damaged);
	for (unsigned level = 0; level < LEVELS; level++) {
		struct records kept = hours_of(&v->region, block, level);
		uint64_t groups = (v->process.decided + 1) >> HISTORY_SHIFT(level);
		check_reason(&kept, level, longest[level], groups);
		for (uint64_t g = 0; g < groups && is_over(level ? &below : &all, level, g); g++)
			if (longest[level][g])
				check_kept(&all, &kept, longest[level][g], level, tally);
		free(below.at);
		below = kept;
	}
	free(below.at);
	free(all.at);
}

static void print_tally(const char *what, const struct tally *t, uint64_t lost)
{
	printf("%s: kept %" PRIu64 ", %" PRIu64 ", %" PRIu64 "; missing %" PRIu64 ", %" PRIu64 ", %" PRIu64 " (%" PRIu64
	       " counted); %" PRIu64 " spans, %" PRIu64 " pieces, %" PRIu64 " last parts\n",
	       what, t->kept[0], t->kept[1], t->kept[2], t->missing[0], t->missing[1], t->missing[2], lost, t->spans,
	       t->pieces, t->exits);
}

/* Nothing laps: all of it is known. */
static void against_everything(const char *size, const char *const *arguments, const char *what, struct tally *tally)
{
	const char *name = core_name("hours");
	struct core_program program = { .shm = name, .size = size, .events = "0", .arguments = arguments };
	uint64_t *longest[LEVELS] = { 0 }, lost, missing = 0;
	struct view v;

	core_run(&program, 60);
	if (view_open(&v, name)) {
		uint64_t groups = groups_are_right(&v, longest);
		for (uint32_t block = 0; block < v.process.threads; block++)
			check_block(&v, block, longest, tally);
		lost = v.process.lost[LOSS_HOURS_ROOM];
		for (unsigned level = 0; level < LEVELS; level++)
			missing += tally->missing[level];
		CHECK(missing <= LEVELS * lost, "%" PRIu64 " parts are missing, %" PRIu64 " counted", missing, lost);
		CHECK(lost <= groups / 16, "%" PRIu64 " lost of %" PRIu64 " groups", lost, groups);
		CHECK(tally->kept[0] > 20 && tally->kept[1] > 0, "%" PRIu64 " and %" PRIu64 " kept", tally->kept[0],
		      tally->kept[1]);
		print_tally(what, tally, lost);
		view_close(&v);
	}
	for (unsigned level = 0; level < LEVELS; level++)
		free(longest[level]);
	core_remove(name);
}

static void as_by_oracle(void)
{
	const char *const busy[] = { "work", "6", "3000", "2000", "dstw", NULL };
	const char *const bounded[] = { "work", "4", "5000", "1000", "bspo", NULL };
	const char *const loop[] = { "many", "100000", "97", NULL };
	struct tally first = { 0 }, second = { 0 }, third = { 0 };

	against_everything("256M", busy, "discarded, sleepers, owners that change", &first);
	CHECK(first.spans > 0, "no spans");
	for (int i = 0; i < 5 && !second.pieces; i++) /* on a busy machine nobody may have worked for so long */
		against_everything("256M", bounded, "bounded frames, pieces", &second);
	CHECK(second.pieces > 0, "no pieces");
	against_everything("64M", loop, "100,000 frames", &third);
	CHECK(third.kept[1] > 90 && third.kept[2] > 5 && third.spans > 0 && third.exits > 0, "%" PRIu64 ", %" PRIu64
	      ", %" PRIu64 " last parts", third.kept[1], third.kept[2], third.exits);
}

/* ---- logs that lap */

/* Each retained record was published, as far as the reader beside the program saw it. */
static void check_against(struct watch *w, uint32_t block, const struct records *kept, uint64_t *found, uint64_t *unseen)
{
	uint64_t next = 0;

	for (uint64_t i = 0; i < kept->count; i++) {
		uint64_t at = next;
		while (at < w->record_count && !(w->records[at].block == block && same(&w->records[at], &kept->at[i])))
			at++;
		*(at < w->record_count ? found : unseen) += 1;
		if (at < w->record_count)
			next = at;
	}
}

/* Whether the run showed all that it is to show: each level kept something for which there was room, older than the
 * ring, and enough of it had been seen by the reader.  What holds in any run is checked. */
static bool check_small(struct watch *w)
{
	struct snapshot_process p;
	uint64_t found = 0, unseen = 0, oldest[LEVELS] = { 0 };
	bool all = true;

	snapshot_process(&w->region, &p);
	for (uint32_t block = 0; block < p.threads; block++)
		for (unsigned level = 0; level < LEVELS; level++) {
			struct records kept = hours_of(&w->region, block, level);
			check_against(w, block, &kept, &found, &unseen);
			if (block == 0 && CHECK(kept.count > 0 || p.lost[LOSS_HOURS_ROOM], "level %u", level))
				oldest[level] = kept.count ? kept.at[0].head.interval : UINT64_MAX;
			free(kept.at);
		}
	uint64_t ring = p.epoch - w->region.frame_count;
	for (unsigned level = 0; level < LEVELS; level++)
		all = all && oldest[level] < (level == 1 ? ring / 4 : ring);
	CHECK(unseen == 0 || w->lapped > 0, "%" PRIu64 " of %" PRIu64 " were never published", unseen, found + unseen);
	printf("small region: the ring reaches back to %" PRIu64 ", hours to %" PRIu64 ", %" PRIu64 ", %" PRIu64 "; %" PRIu64
	       " records seen before, %" PRIu64 " not (%" PRIu64 " words lapped), %" PRIu64 " lost\n",
	       ring, oldest[0], oldest[1], oldest[2], found, unseen, w->lapped, p.lost[LOSS_HOURS_ROOM]);
	return all && found > 100;
}

static bool in_a_small_region(void)
{
	const char *name = core_name("hours");
	const char *const arguments[] = { "many", "100000", "5000", NULL };
	struct core_program program = { .shm = name, .size = "1M", .arguments = arguments };
	struct watch w;
	pid_t child = core_start(&program);
	bool all = false;

	if (watch_open(&w, name)) {
		watch_to_end(&w, child, 500, 60);
		CHECK(core_wait(child, 20) == 0, "many");
		all = check_small(&w);
		watch_close(&w);
	}
	core_remove(name);
	return all;
}

int main(int argc, char **argv)
{
	if (argc > 5 && !strcmp(argv[1], "work"))
		return work_main(argv + 2);
	if (argc > 3 && !strcmp(argv[1], "many"))
		return many(argv[2], argv[3]);
	as_by_oracle();
	/* On a loaded machine a reader may sleep through what it is to see. */
	bool all = false;
	for (int i = 0; i < 10 && !all && !core_failures(); i++)
		all = in_a_small_region();
	CHECK(all, "no run of a small region kept all that it is to keep");
	return core_result();
}
