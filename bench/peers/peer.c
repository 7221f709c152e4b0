/* peer.c: measures a peer.
 *
 *   peer NAME     NAME stands in front of its lines
 */
#include "bench/peers/peer.h"

#include <stdio.h>

#include "bench/measure.h"

#define PAIRS 20000
#define FLIPS 200

static double pair_ns(const struct peer_shape *shape)
{
	long pairs = 0, wanted = measure_times(PAIRS), batch = wanted < peer_batch ? wanted : peer_batch;
	double ns = 0;

	while (pairs < wanted) {
		double without = measure_time_ns(shape->without, batch), start = measure_own_ns();
		long made = shape->run(batch);

		ns += measure_own_ns() - start - without;
		pairs += made ? made : wanted;
		peer_between();
	}
	return ns / (double)pairs;
}

static void shape_line(const char *peer, const struct peer_shape *shape)
{
	char what[80];
	struct line line = { .what = what, .unit = "ns" };

	snprintf(what, sizeof what, "%s: %s", peer, shape->name);
	pair_ns(shape);
	for (int r = 0; r < measure_repeats(); r++) {
		double floor = measure_floor_ns();

		line_add(&line, pair_ns(shape), floor);
	}
	line_print(&line);
}

static double flip_ns(long zones)
{
	long flips = measure_times(FLIPS);
	double ns = 0;

	for (long i = 0; i < flips; i++) {
		peer_frames->zones(zones);
		double start = measure_own_ns();
		peer_frames->flip();
		ns += measure_own_ns() - start;
	}
	return ns / (double)flips;
}

static void flip_line(const char *peer, long zones)
{
	char what[80];
	struct line line = { .what = what, .unit = "ns" };

	snprintf(what, sizeof what, "%s: end of a frame of %ld zones", peer, zones);
	flip_ns(zones);
	for (int r = 0; r < measure_repeats(); r++)
		line_add(&line, flip_ns(zones), 0);
	line_print(&line);
}

int main(int argc, char **argv)
{
	const char *peer;

	measure_begin(argc, argv);
	peer = measure_argument(0) ? measure_argument(0) : "peer";
	peer_begin();
	for (int i = 0; i < PEER_SHAPES; i++)
		shape_line(peer, &peer_shapes[i]);
	if (peer_frames) {
		flip_line(peer, 100);
		flip_line(peer, 1000);
	}
	peer_end();
	return measure_end();
}
