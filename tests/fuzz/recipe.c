/* recipe.c: changing the good region, and taking it back. */
#include "tests/fuzz/recipe.h"

#include <string.h>
#include <time.h>
#include "tests/fuzz/fuzz.h"

/* Nobody else works on the region, so that nothing is to be waited for: linked with --wrap=nanosleep. */
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest)
{
	(void)time;
	(void)rest;
	return 0;
}

struct change change_read(const uint8_t *bytes)
{
	return (struct change){ bytes[0], bytes[1], (uint16_t)fuzz_number(bytes + 2, 2), fuzz_number(bytes + 4, 8) };
}

void change_write(uint8_t *bytes, struct change c)
{
	bytes[0] = c.field;
	bytes[1] = c.how;
	for (unsigned i = 0; i < 2; i++)
		bytes[2 + i] = (uint8_t)(c.index >> 8 * i);
	for (unsigned i = 0; i < 8; i++)
		bytes[4 + i] = (uint8_t)(c.value >> 8 * i);
}

static uint64_t load(const struct recipe *r, size_t at, unsigned width)
{
	return fuzz_number(r->good->b.base + at, width);
}

static void store(struct recipe *r, size_t at, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++)
		r->good->b.base[at + i] = (unsigned char)(value >> 8 * i);
}

/* Outside of the file nothing is touched: it would be a signal here. */
static bool is_there(const struct recipe *r, size_t at, unsigned width)
{
	return at <= r->good->size && width <= r->good->size - at;
}

static void make(struct recipe *r, const struct field *f, struct change c)
{
	size_t at = field_at(r->places, f, c.index), from = field_at(r->places, f, (uint32_t)c.value);
	uint64_t before;

	if (!is_there(r, at, f->width) || !is_there(r, from, f->width) || r->made_count == RECIPE_CHANGES)
		return;
	before = load(r, at, f->width);
	r->made[r->made_count].at = at;
	r->made[r->made_count].width = f->width;
	r->made[r->made_count++].before = before;
	switch (c.how % CHANGE_WAYS) {
	case CHANGE_SET:
		store(r, at, f->width, c.value);
		break;
	case CHANGE_XOR:
		store(r, at, f->width, before ^ c.value);
		break;
	case CHANGE_ADD:
		store(r, at, f->width, before + c.value);
		break;
	case CHANGE_COPY:
		store(r, at, f->width, load(r, from, f->width));
	}
}

enum recipe_step recipe_go_on(struct recipe *r, uint64_t *value)
{
	for (; r->end - r->at >= RECIPE_CHANGE;) {
		struct change c = change_read(r->at);
		const struct field *f = &fields[c.field % field_count];

		r->at += RECIPE_CHANGE;
		*value = c.value;
		switch (f->meaning) {
		case MEANS_LOOK:
			return RECIPE_LOOK;
		case MEANS_KEY:
			return RECIPE_KEY;
		case MEANS_CUT:
			good_cut(r->good, c.value % (r->good->b.size + 1));
			break;
		case MEANS_PUNCH:
			good_punch(r->good, c.value, c.index);
			break;
		case MEANS_DEATH:
			good_die(r->good);
			break;
		default:
			make(r, f, c);
		}
	}
	return RECIPE_END;
}

void recipe_begin(struct recipe *r, struct good *g, const struct places *p, const uint8_t *data, size_t size)
{
	size_t head = size < RECIPE_HEAD ? size : RECIPE_HEAD;
	uint8_t first[RECIPE_HEAD] = { 0 };
	uint64_t ignored;

	memset(r, 0, sizeof *r);
	memcpy(first, data, head);
	r->good = g;
	r->places = p;
	memcpy(r->choice, first + 1, sizeof r->choice);
	r->at = data + head;
	r->end = data + size;
	if (r->end - r->at > RECIPE_CHANGE * RECIPE_CHANGES && !(first[0] & REGION_RAW))
		r->end = r->at + RECIPE_CHANGE * RECIPE_CHANGES;
	if (first[0] & REGION_RAW) {
		good_raw(g, r->at, (size_t)(r->end - r->at));
		r->at = r->end;
	}
	if (first[0] & REGION_SAME_BOOT)
		good_same_boot(g);
	if (first[0] & REGION_DEAD)
		good_die(g);
	recipe_go_on(r, &ignored);
}

void recipe_end(struct recipe *r)
{
	while (r->made_count-- > 0)
		if (is_there(r, r->made[r->made_count].at, r->made[r->made_count].width))
			store(r, r->made[r->made_count].at, r->made[r->made_count].width, r->made[r->made_count].before);
	good_repair(r->good);
}
