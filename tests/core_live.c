/* core_live.c: what a reader sees beside the running program is what stands there in the end.
 *
 * Every record that it was given is in the region afterwards, in order, with none left out; every part that it
 * inferred while a thread was silent is the one that the thread published later; running totals add up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/core_image.h"
#include "tests/core_run.h"
#include "tests/core_watch.h"
#include "tests/core_work.h"
#include "tests/long.h"

struct block_records {
	struct watched *list;
	uint64_t count;
};

static struct block_records final_records(const struct image *image, uint32_t block)
{
	struct image_log log = image_parts(image, block);
	struct block_records r = { calloc((log.head - log.first) / RECORD_HEAD_WORDS + 1, sizeof *r.list), 0 };
	struct record_node *nodes;
	struct record_head head;

	for (uint64_t at = log.first; at < log.head; at += head.words) {
		nodes = NULL;
		if (!CHECK(image_record(log.words + (at - log.first), log.head - at, &head, &nodes), "block %u", block))
			break;
		r.list[r.count++] = (struct watched){ block, head, nodes ? watch_hash(nodes, head.nodes) : 0 };
		free(nodes);
	}
	free(log.words);
	return r;
}

static bool equal(const struct watched *a, const struct watched *b)
{
	return a->head.kind == b->head.kind && a->head.flags == b->head.flags && a->head.bound == b->head.bound &&
	       a->head.end == b->head.end && a->head.interval == b->head.interval &&
	       a->head.intervals == b->head.intervals && a->head.nodes == b->head.nodes && a->hash == b->hash &&
	       a->head.generation == b->head.generation;
}

static void compare_records(const struct watch *w, uint32_t block, const struct block_records *final)
{
	uint64_t next = 0;

	for (uint64_t i = 0; i < w->record_count; i++) {
		if (w->records[i].block != block)
			continue;
		if (!CHECK(next < final->count && equal(&w->records[i], &final->list[next]), "block %u, record %llu", block,
		           (unsigned long long)next))
			return;
		next++;
	}
	CHECK(next == final->count, "block %u: %llu of %llu records", block, (unsigned long long)next,
	      (unsigned long long)final->count);
}

static int by_bound(const void *key, const void *element)
{
	const struct watched *record = element;
	int64_t bound = *(const int64_t *)key;

	return bound < record->head.bound ? -1 : bound > record->head.bound;
}

/* The record that the thread published in place of the inference: of several at one bound (a start, parts of
 * no length) the one of the interval. */
static const struct watched *published(const struct block_records *final, const struct inferred *in)
{
	const struct watched *r = bsearch(&in->part.bound, final->list, final->count, sizeof *r, by_bound);

	while (r && r > final->list && r[-1].head.bound == in->part.bound)
		r--;
	for (; r && r < final->list + final->count && r->head.bound == in->part.bound; r++)
		if (r->head.kind != RECORD_START && r->head.interval == in->part.epoch)
			return r;
	return NULL;
}

static void compare_inferred(const struct inferred *in, const struct block_records *final)
{
	const struct watched *r = published(final, in);

	if (!CHECK(r, "block %u interval %llu was never published", in->block, (unsigned long long)in->part.epoch))
		return;
	CHECK(r->head.kind == RECORD_PART && r->head.end == in->part.end, "block %u interval %llu: kind %d, end %lld for %lld",
	      in->block, (unsigned long long)in->part.epoch, r->head.kind, (long long)r->head.end, (long long)in->part.end);
	CHECK(r->head.flags & RECORD_DISCARDED || r->hash == in->hash, "block %u interval %llu: nodes", in->block,
	      (unsigned long long)in->part.epoch);
	if (in->newest > in->part.epoch && CHECK(r + 1 < final->list + final->count, "no span"))
		CHECK(r[1].head.kind == RECORD_SPAN && r[1].head.nodes == in->part.current &&
		          r[1].head.interval + r[1].head.intervals > in->newest,
		      "block %u interval %llu: behind it", in->block, (unsigned long long)in->part.epoch);
}

static uint64_t inferences; /* of all runs: in a single one no thread need have been late, where all are slow */

static void live(const char *threads, const char *ms, const char *traits)
{
	const char *name = core_name("live");
	const char *const arguments[] = { "work", threads, ms, "1000", traits, NULL };
	struct core_program program = { .shm = name, .size = "256M", .arguments = arguments };
	pid_t child = core_start(&program);
	struct watch w;
	struct image image;

	if (!watch_open(&w, name))
		return;
	w.infer = true;
	watch_to_end(&w, child, 2000, 40);
	CHECK(core_wait(child, 20) == 0, "'%s'", traits);
	CHECK(w.lapped == 0 && w.damaged == 0, "lapped %llu, damaged %llu", (unsigned long long)w.lapped,
	      (unsigned long long)w.damaged);
	/* A thread that lost its core while it moved its boundary cannot be had whole: rare, and said.  How rare lies
	 * with what else the machine does, and with a sanitizer. */
	CHECK(w.torn <= 3 + w.looks / 10, "%llu of %llu looks torn", (unsigned long long)w.torn, (unsigned long long)w.looks);
	if (image_load(&image, name)) {
		struct block_records *final = calloc(image.threads_used, sizeof *final);
		for (uint32_t b = 0; b < image.threads_used; b++) {
			final[b] = final_records(&image, b);
			compare_records(&w, b, &final[b]);
		}
		for (uint64_t i = 0; i < w.inference_count; i++)
			compare_inferred(&w.inferences[i], &final[w.inferences[i].block]);
		inferences += w.inference_count;
		printf("%s threads, '%s': %llu records, %llu inferred, %llu in flight, %llu looks (%llu at a boundary), %llu busy\n",
		       threads, traits, (unsigned long long)w.record_count, (unsigned long long)w.inference_count,
		       (unsigned long long)w.in_flight, (unsigned long long)w.looks, (unsigned long long)w.at_bound,
		       (unsigned long long)w.busy);
		for (uint32_t b = 0; b < image.threads_used; b++)
			free(final[b].list);
		free(final);
		image_free(&image);
	}
	watch_close(&w);
	core_remove(name);
}

int main(int argc, char **argv)
{
	if (argc > 5 && !strcmp(argv[1], "work"))
		return work_main(argv + 2);
	live("1", test_long() ? "1500" : "500", "");
	live("8", test_long() ? "4000" : "1500", "stwd");
	live("6", test_long() ? "3000" : "1500", "sbpw");
	CHECK(inferences > 0, "no part was inferred");
	return core_result();
}
