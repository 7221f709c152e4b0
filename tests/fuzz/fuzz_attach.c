/* fuzz_attach: the opener: whatever the bytes of a file are, it is attached with every section inside of it, or
 * refused with a sentence that says why. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "shm/attach.h"
#include "tests/fuzz/systematic.h"

static struct good good;
static struct places places;

/* The first and the last byte of a section can be read, and the section is where the header says. */
static void touch(const struct attachment *a, enum region_section_id id, const void *begin, size_t element)
{
	const struct region_section *s = &a->header.sections[id];
	const volatile unsigned char *bytes = begin;
	size_t size = (size_t)s->count * element;

	if (!s->count)
		return;
	assert(bytes >= a->base && size <= a->size && (size_t)(bytes - a->base) <= a->size - size);
	(void)bytes[0];
	(void)bytes[size - 1];
}

static void check_attached(struct attachment *a)
{
	assert(a->base && a->process && a->frames && a->frame_count >= 2);
	assert(!(a->frame_count & (a->frame_count - 1)));
	assert(a->major == REGION_MAJOR);
	assert(memchr(a->header.program, '\0', sizeof a->header.program));
	touch(a, REGION_PROCESS, a->process, sizeof *a->process);
	touch(a, REGION_STRINGS, a->strings, 1);
	touch(a, REGION_THREADS, a->thread_chunks, sizeof *a->thread_chunks);
	touch(a, REGION_FRAMES, a->frames, sizeof *a->frames);
	touch(a, REGION_HISTORY, a->history, sizeof *a->history);
	touch(a, REGION_WORST, a->worst, sizeof *a->worst);
	touch(a, REGION_CHUNKS, a->chunks, sizeof *a->chunks);
	for (enum region_section_id id = REGION_ZONES; id < REGION_KNOWN; id++)
		if (a->header.sections[id].count) /* an empty one may say that it is anywhere */
			touch(a, id, a->base + a->header.sections[id].offset, 1);
}

/* A version that is refused is named, and so is ours. */
static void check_versions(const struct attachment *a, const char *why)
{
	char theirs[32], ours[32];

	snprintf(theirs, sizeof theirs, "format %d.%d", a->major, a->minor);
	snprintf(ours, sizeof ours, "reads %d.%d", REGION_MAJOR, REGION_MINOR);
	assert(a->major != REGION_MAJOR && strstr(why, theirs) && strstr(why, ours));
}

static void check_order(const char *why)
{
	char ours[32];

	snprintf(ours, sizeof ours, "format %d.%d: ", REGION_MAJOR, REGION_MINOR);
	assert(strstr(why, "-endian, with words of ") && strstr(why, "-endian words of 64 bits, ") && strstr(why, ours));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe r;
	struct attachment a;
	char why[512] = "";
	enum attach_state state;
	uint64_t value;

	if (!good.b.base) {
		good_begin(&good, "attach");
		places_find(&places, &good);
	}
	recipe_begin(&r, &good, &places, data, size);
	state = region_attach(&a, good.b.name, 0, why, sizeof why);
	assert(state >= ATTACH_OK && state < ATTACH_STATES && strlen(why) > 20 && !strchr(why, '\n'));
	if (state == ATTACH_OTHER_VERSION)
		check_versions(&a, why);
	if (state == ATTACH_OTHER_ORDER)
		check_order(why);
	if (state == ATTACH_OK) {
		check_attached(&a);
		while (recipe_go_on(&r, &value) != RECIPE_END)
			region_refresh_life(&a);
		region_refresh_life(&a);
		check_attached(&a);
		region_same_name(&a);
	}
	region_detach(&a);
	recipe_end(&r);
	return 0;
}

void fuzz_systematic(fuzz_try *one)
{
	static const uint8_t live[RECIPE_HEAD] = { 0 }, dead[RECIPE_HEAD] = { REGION_DEAD };

	systematic_bits(live, one);
	systematic_fields(live, 0, 1, one);
	systematic_fields(dead, 0, 1, one);
}
