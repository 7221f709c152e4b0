/* fields.h: every field of a region's format, as a table: where it is, how wide, what it means.
 *
 * A mutator changes one field of one element; what a field means says which values are worth a try.  Elements are
 * those that the good region has something in, so that a change is met by whoever reads.
 */
#ifndef TESTS_FUZZ_FIELDS_H
#define TESTS_FUZZ_FIELDS_H

#include "tests/fuzz/good.h"

/* What elements there are: where each of them begins is in struct places. */
enum place {
	IN_HEADER, IN_SECTION, IN_PROCESS, IN_ZONE, IN_TEXT, IN_COUNTER, IN_BLOCKS, IN_THREAD, IN_LOG, IN_KEPT, IN_FRAME,
	IN_GROUP, IN_WORST, IN_CHUNK, IN_NODE, IN_ENDED, IN_SLOT, IN_EVENT, IN_RECORD, IN_VALUE, IN_ANY, IN_MODULE, IN_MEASURE, IN_MEASURED,
	IN_CELL, IN_GROUPS, PLACES
};

enum meaning {
	MEANS_NUMBER, MEANS_COUNT, MEANS_OFFSET, MEANS_LINK, MEANS_ID, MEANS_TICK, MEANS_INTERVAL, MEANS_SEQ,
	MEANS_FLAGS, MEANS_BYTES,
	/* no field, but something that happens */
	MEANS_CUT, MEANS_PUNCH, MEANS_DEATH, MEANS_LOOK, MEANS_KEY,
};

struct field {
	const char *name;
	enum place place;
	enum meaning meaning;
	uint16_t offset; /* in the element */
	uint8_t width;   /* bytes of a value */
	uint16_t repeat; /* so many of them in an element, one behind the other */
};

extern const struct field fields[];
extern const unsigned field_count;

/* The first field of that meaning. */
unsigned field_that_means(enum meaning meaning);

struct places {
	uint32_t *at[PLACES]; /* offsets in the region */
	uint32_t count[PLACES];
};

/* Finds all elements of the good region. */
void places_find(struct places *p, const struct good *g);

/* Where value `index` of a field is; SIZE_MAX: nowhere. */
size_t field_at(const struct places *p, const struct field *f, uint32_t index);

#endif
