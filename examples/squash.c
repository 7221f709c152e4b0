/* SPDX-License-Identifier: MIT */
/* squash.c: how small would this directory be, and what in it is there twice?
 *
 *   squash [-j THREADS] [-l LEVEL] DIR
 *
 * Walks DIR with a pool of threads; each regular file is read, hashed and
 * compressed with zstd, and thrown away.  Symbolic links are not followed.
 * It is an ordinary program that happens to be instrumented.  The workers' zones
 * are walk, file (open, read, hash, compress) and the wait for a job.  The main
 * thread has nothing to do: it waits for the workers and marks a frame each 50 ms.
 * All waits are declared (Prof_Wait), so proftop knows when a thread is idle.
 *
 *   proftop report -- ./squash /usr/share/doc
 *
 * Exit status: 0, 1 when nothing could be read, 2 for a wrong command line.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <prof.h>

#include "squash_file.h"
#include "squash_queue.h"
#include "squash_tally.h"
#include "squash_walk.h"

enum { FRAME_NS = 50000000, THREADS_MAX = 256, LEVEL_DEFAULT = 3 };

struct options {
	int threads;
	int level;
	const char *directory;
};

struct worker {
	pthread_t thread;
	int number;
	struct queue *queue;
	struct squasher *squasher;
	struct tally tally;
};

/* Threads. */

static bool next_job(struct queue *queue, struct job *job)
{
	bool got;

	Prof_Wait(wait_for_job)
	got = queue_pop(queue, job);
	Prof_End
	return got;
}

static void *work(void *argument)
{
	struct worker *w = argument;
	struct job job;
	char name[32];

	snprintf(name, sizeof name, "worker %d", w->number);
	Prof_Thread(name);
	while (next_job(w->queue, &job)) {
		if (job.is_directory)
			walk(job.path, w->queue, &w->tally);
		else
			squash_file(w->squasher, job.path, &w->tally);
		free(job.path);
		queue_finish(w->queue);
	}
	return NULL;
}

/* Starts as many as it can; returns how many. */
static int workers_start(struct worker *workers, const struct options *options, struct queue *queue)
{
	for (int i = 0; i < options->threads; i++) {
		struct worker *w = &workers[i];
		w->number = i + 1;
		w->queue = queue;
		w->squasher = squasher_new(options->level);
		if (!w->squasher || pthread_create(&w->thread, NULL, work, w)) {
			squasher_free(w->squasher);
			return i;
		}
	}
	return options->threads;
}

static void workers_join(struct worker *workers, int count, struct tally *sum)
{
	Prof_Named("add up");

	for (int i = 0; i < count; i++) {
		Prof_Wait(wait_for_thread)
		pthread_join(workers[i].thread, NULL);
		Prof_End
		tally_add(sum, &workers[i].tally);
		tally_fini(&workers[i].tally);
		squasher_free(workers[i].squasher);
	}
}

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

/* Marks a frame each 50 ms until everything is done. */
static void mark_frames(struct queue *queue)
{
	struct timespec next, now;
	bool done;

	clock_gettime(CLOCK_MONOTONIC, &next);
	do {
		next.tv_nsec += FRAME_NS;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		Prof_Wait(wait_for_workers)
		done = queue_wait_until(queue, &next);
		Prof_End
		Prof_update(1);
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (seconds_between(&next, &now) > 0.05)
			next = now; /* held up, or stopped: do not catch up with empty frames */
	} while (!done);
}

/* The report. */

static void print_errors(const struct tally *t)
{
	uint64_t errors = tally_errors(t);

	if (!errors)
		return;
	fprintf(stderr, "squash: %" PRIu64 " could not be read:", errors);
	for (int i = 0; i < TALLY_ERRNOS; i++) {
		if (t->errors[i])
			fprintf(stderr, " %s %" PRIu64 ".", strerror(i), t->errors[i]);
	}
	fputc('\n', stderr);
}

static void print_report(struct tally *t, double seconds)
{
	Prof(report);
	uint64_t duplicate_bytes;
	uint64_t duplicates = tally_duplicates(t, &duplicate_bytes);

	printf("files        %" PRIu64 "\n", t->files);
	printf("directories  %" PRIu64 "\n", t->directories);
	printf("skipped      %" PRIu64 "\n", t->skipped);
	printf("bytes in     %" PRIu64 "\n", t->bytes_in);
	printf("bytes out    %" PRIu64 "\n", t->bytes_out);
	if (t->bytes_out)
		printf("ratio        %.3f\n", (double)t->bytes_in / (double)t->bytes_out);
	printf("duplicates   %" PRIu64 " (%" PRIu64 " bytes)\n", duplicates, duplicate_bytes);
	printf("seconds      %.3f\n", seconds);
	if (seconds > 0)
		printf("MB/s         %.1f\n", 1e-6 * (double)t->bytes_in / seconds);
	print_errors(t);
}

/* Command line. */

static const char usage[] = "usage: squash [-j THREADS] [-l LEVEL] DIR\n"
                            "  -j  threads, 1 to 256 (default: one for each processor)\n"
                            "  -l  zstd's level, 1 (fast) to 22 (default: 3)\n";

/* A number from least to most, or exit. */
static int option_number(char option, const char *text, int least, int most)
{
	char *end;

	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < least || value > most) {
		fprintf(stderr, "squash: -%c wants a number from %d to %d, not '%s'\n", option, least,
		        most, text);
		exit(2);
	}
	return (int)value;
}

static int processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : (int)count;
}

static struct options parse_options(int argc, char **argv)
{
	struct options options = { .threads = processors(), .level = LEVEL_DEFAULT };
	int c;

	while ((c = getopt(argc, argv, "hj:l:")) != -1) {
		if (c == 'j') {
			options.threads = option_number('j', optarg, 1, THREADS_MAX);
		} else if (c == 'l') {
			options.level = option_number('l', optarg, 1, ZSTD_maxCLevel());
		} else {
			fputs(usage, c == 'h' ? stdout : stderr);
			exit(c == 'h' ? 0 : 2);
		}
	}
	if (optind != argc - 1) {
		fputs(usage, stderr);
		exit(2);
	}
	options.directory = argv[optind];
	return options;
}

/* The directory's own name, so that it may be given by a link; NULL: errno says why. */
static char *resolve_directory(const char *name)
{
	struct stat st;
	char *path = realpath(name, NULL);

	if (path && (stat(path, &st) || !S_ISDIR(st.st_mode))) {
		free(path);
		errno = ENOTDIR;
		return NULL;
	}
	return path;
}

/* Squashes what is in the queue and what is found on the way; how many threads did it. */
static int squash_queue(const struct options *options, struct queue *queue, struct tally *sum)
{
	struct worker *workers = calloc((size_t)options->threads, sizeof *workers);

	if (!workers)
		return 0;
	int count = workers_start(workers, options, queue);
	if (count)
		mark_frames(queue);
	workers_join(workers, count, sum);
	free(workers);
	return count;
}

/* Squashes the tree at path, which it takes; false when not one thread could be started. */
static bool squash_tree(const struct options *options, char *path, struct tally *sum)
{
	struct queue queue;

	if (!queue_init(&queue)) {
		free(path);
		return false;
	}
	bool pushed = queue_push(&queue, (struct job){ path, true });
	if (!pushed)
		free(path);
	int threads = pushed ? squash_queue(options, &queue, sum) : 0;
	queue_fini(&queue);
	return threads > 0;
}

int main(int argc, char **argv)
{
	struct options options = parse_options(argc, argv);
	struct tally sum = { 0 };
	struct timespec start, end;

	Prof_Thread("main");
	clock_gettime(CLOCK_MONOTONIC, &start);
	char *path = resolve_directory(options.directory);
	if (!path) {
		fprintf(stderr, "squash: %s: %s\n", options.directory, strerror(errno));
		return 1;
	}
	if (!squash_tree(&options, path, &sum)) {
		fputs("squash: no thread could be started: not enough memory?\n", stderr);
		return 1;
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	print_report(&sum, seconds_between(&start, &end));
	Prof_update(1);
	bool nothing = sum.files == 0 && tally_errors(&sum) > 0;
	tally_fini(&sum);
	return nothing ? 1 : 0;
}
