#include "tests/core_amounts.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "io/recording/player.h"
#include "io/recording/recorder.h"
#include "model/profile/measures.h"
#include "tests/core_run.h"
#include "tests/core_shown.h"

struct source *profile_of(const char *name)
{
	struct source *s = shown_open(name);

	while (s && source_next(s) == SOURCE_MORE)
		continue;
	return s;
}

static bool put_block(void *context, const void *bytes, size_t size)
{
	return write(*(int *)context, bytes, size) == (ssize_t)size;
}

struct source *recorded(struct source *s)
{
	int fd = memfd_create("measures", MFD_CLOEXEC);
	struct writer *w = writer_new(put_block, &fd);
	struct recorder *r = recorder_new(s, &(struct recorder_options){ 0 });
	struct source *played;
	char why[256];

	CHECK(w && r && recorder_take(r, w, true), "it cannot be recorded");
	writer_end(w);
	writer_free(w);
	recorder_free(r);
	lseek(fd, 0, SEEK_SET);
	played = player_open(fd, "measures", why, sizeof why);
	CHECK(played && source_next(played) == SOURCE_END, "%s", why);
	return played;
}

uint32_t measure_index(const struct profile *p, const char *key)
{
	uint32_t m = profile_find_measure(p, key);

	CHECK(m != PROFILE_NONE, "%s", key);
	return m == PROFILE_NONE ? 0 : m;
}

uint32_t thread_of(const struct profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->thread_count; i++)
		if (!strcmp(p->threads[i].name, name))
			return i;
	CHECK(false, "no thread %s", name);
	return 0;
}

static bool is_zone(const struct profile *p, uint32_t node, const char *zone)
{
	return !zone || !strcmp(p->zones[p->nodes[node].zone].name, zone);
}

int64_t in_frame(const struct profile *p, uint64_t number, uint32_t thread, uint32_t measure, const char *zone)
{
	const struct profile_frame *frame = profile_find_frame(p, number);
	const struct profile_held *part = frame ? profile_find_part(frame, thread) : NULL;
	struct measure_amounts a;
	int64_t sum = 0;

	if (!part)
		return -1;
	a = profile_amounts(p, part, measure);
	for (uint32_t i = 0; i < a.count; i++)
		sum += is_zone(p, a.nodes[i], zone) ? a.values[i] : 0;
	return a.known ? sum : -1;
}

int64_t in_run(const struct profile *p, uint32_t thread, uint32_t measure, const char *zone)
{
	int64_t sum = 0;

	for (uint32_t n = 0; n < p->node_count; n++)
		if (p->nodes[n].thread == thread && is_zone(p, n, zone))
			sum += profile_amount_of(p, n, measure);
	return sum;
}
