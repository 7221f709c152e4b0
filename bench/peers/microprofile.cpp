/* microprofile.cpp: zones of microprofile, which notes each of them in a buffer that the end of a frame empties. */
#include <cstdio>
#include <microprofile.h>

#define ENTER(name) { MICROPROFILE_SCOPEI("bench", #name, 0xff00ff);
#define LEAVE       }
#include "bench/peers/zones.h"

static MicroProfileToken tokens[1000];

static void zones(long count)
{
	for (long i = 0; i < count; i++) {
		MICROPROFILE_SCOPE_TOKEN(tokens[i]);
		MEASURE_KEEP();
	}
}

static void flip()
{
	MicroProfileFlip(nullptr);
}

static const struct peer_frames frames = { zones, flip };

extern "C" {
const long peer_batch = 2000;
const struct peer_frames *peer_frames = &frames;

void peer_begin()
{
	char name[32];

	MicroProfileOnThreadCreate("main");
	MicroProfileSetEnableAllGroups(true);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof name, "zone %d", i);
		tokens[i] = MicroProfileGetToken("bench", name, 0xff00ff, MicroProfileTokenTypeCpu, 0);
	}
	flip();
}

void peer_between()
{
	flip();
}

void peer_end()
{
	MicroProfileShutdown();
}
}
