/* SPDX-License-Identifier: MIT */
/* game_loop.c: a game without a screen, to look at with a profiler.
 *
 *   game_loop [--seconds N] [--frames N] [--seed N] [--fps N]
 *
 * 60 frames a second of input, update (rocks, scene, physics, ai) and render, with
 * two workers that find paths and move dust; what is left of a frame it sleeps.  All
 * of it is real work; game/world.h is where to start reading.  Things to look for:
 *
 *   raycast      is called by physics and by ai, and ai's casts are much longer:
 *                proftop report -v graph -z raycast -- ./game_loop --seconds 5
 *   scene_part   recursion, six levels deep
 *   rays_cast, boxes_a_ray, particles, budget_used ...: counters, and which of them
 *                stand out in a slow frame
 *   hitch_begins, tree_sorted, goal_reached: events, with a note behind each hitch
 *   a slow frame of 30 to 50 ms, every few seconds.  Why?  There are two reasons:
 *                game/hitch.h tells, if you do not want to find out
 *
 * The world of a seed goes the same way in every run: with --frames the sum at the
 * end is the same.  Without --seconds and --frames it runs until SIGINT or SIGTERM.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <prof.h>

#include "game/hitch.h"
#include "game/world.h"

#define BUDGET_NS (1e9 / 60)

struct options {
	double seconds;  /* 0: no end */
	uint64_t frames; /* 0: no end */
	uint64_t seed;
	unsigned fps;    /* 0: as fast as it goes */
};

/* What is told at the end. */
struct score {
	uint64_t frames;
	uint64_t worst_ns, worst_frame;
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* Without SA_RESTART, so that the sleep at the end of a frame ends as well. */
static void stop_on_signals(void)
{
	struct sigaction action = { .sa_handler = stop };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void sleep_until(uint64_t ns)
{
	struct timespec due = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	Prof_Wait(wait_for_frame)
	while (!stopped && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR)
		continue;
	Prof_End
}

/* Sleeps until the next frame is due.  A frame that took too long is not made up for:
 * the next is due a whole period from now. */
static void wait_for_frame(uint64_t *due_ns, uint64_t period_ns)
{
	uint64_t now = now_ns();

	*due_ns += period_ns;
	if (now >= *due_ns)
		*due_ns = now;
	else
		sleep_until(*due_ns);
}

static void work(struct world *world, struct hitch *hitch, uint64_t frame)
{
	uint64_t start = now_ns();
	struct trouble trouble = hitch_begin(hitch, frame);
	double work_ns;

	player_input(&world->player, 1.0f / 60);
	world_update(world, &trouble);
	world_render(world);
	work_ns = (double)(now_ns() - start);
	Prof_Counter_Set(budget_used, work_ns / BUDGET_NS);
	hitch_end(hitch, work_ns);
}

static void keep_score(struct score *score, uint64_t length_ns)
{
	score->frames++;
	if (length_ns > score->worst_ns) {
		score->worst_ns = length_ns;
		score->worst_frame = score->frames;
	}
}

static struct score play(struct world *world, struct hitch *hitch, const struct options *options)
{
	struct score score = { 0, 0, 0 };
	uint64_t begin = now_ns(), start = begin, due = begin;
	uint64_t period = options->fps ? 1000000000 / options->fps : 0;

	while (!stopped && (!options->frames || score.frames < options->frames) &&
	       (options->seconds <= 0 || (double)(start - begin) < 1e9 * options->seconds)) {
		work(world, hitch, score.frames + 1);
		if (period)
			wait_for_frame(&due, period);
		Prof_update(1);
		uint64_t end = now_ns();
		keep_score(&score, end - start);
		start = end;
	}
	return score;
}

/* Command line. */

static const char usage[] =
	"usage: game_loop [--seconds N] [--frames N] [--seed N] [--fps N]\n"
	"  --seconds N  how long (default: until SIGINT or SIGTERM)\n"
	"  --frames N   how many frames, whichever is first\n"
	"  --seed N     which world (default: 1)\n"
	"  --fps N      frames a second, 0 to 1000; 0: as fast as it goes (default: 60)\n";

static void refuse(const char *option, const char *text, const char *wanted)
{
	fprintf(stderr, "game_loop: --%s wants %s, not '%s'\n", option, wanted, text);
	exit(2);
}

static double option_seconds(const char *option, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0 && value <= 1e9))
		refuse(option, text, "a time in seconds, more than 0");
	return value;
}

static uint64_t option_number(const char *option, const char *text, uint64_t least, uint64_t most)
{
	char *end, wanted[64];

	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (errno || *text < '0' || *text > '9' || *end || value < least || value > most) {
		snprintf(wanted, sizeof wanted, "a number from %" PRIu64 " to %" PRIu64, least, most);
		refuse(option, text, wanted);
	}
	return value;
}

static const struct option long_options[] = {
	{ "seconds", required_argument, NULL, 's' }, { "frames", required_argument, NULL, 'n' },
	{ "seed", required_argument, NULL, 'r' },    { "fps", required_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },          { 0 },
};

static struct options parse_options(int argc, char **argv)
{
	struct options options = { .seed = 1, .fps = 60 };
	int c;

	while ((c = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		if (c == 's') {
			options.seconds = option_seconds("seconds", optarg);
		} else if (c == 'n') {
			options.frames = option_number("frames", optarg, 1, UINT64_MAX);
		} else if (c == 'r') {
			options.seed = option_number("seed", optarg, 0, UINT64_MAX);
		} else if (c == 'f') {
			options.fps = (unsigned)option_number("fps", optarg, 0, 1000);
		} else {
			fputs(usage, c == 'h' ? stdout : stderr);
			exit(c == 'h' ? 0 : 2);
		}
	}
	if (optind != argc) {
		fprintf(stderr, "game_loop: '%s' is not an option\n%s", argv[optind], usage);
		exit(2);
	}
	return options;
}

int main(int argc, char **argv)
{
	struct options options = parse_options(argc, argv);
	struct hitch hitch;

	stop_on_signals();
	Prof_Thread("main");
	struct world *world = world_new(options.seed);
	if (!world) {
		fputs("game_loop: not enough memory or threads\n", stderr);
		return 1;
	}
	hitch_init(&hitch, world, options.seed);
	Prof_update(0); /* what was set up so far is no frame */
	struct score score = play(world, &hitch, &options);
	printf("game_loop: %" PRIu64 " frames, worst %.1f ms (frame %" PRIu64 "), %u hitches, "
	       "world %016" PRIx64 "\n",
	       score.frames, 1e-6 * (double)score.worst_ns, score.worst_frame, hitch.count,
	       world_sum(world));
	world_free(world);
	return 0;
}
