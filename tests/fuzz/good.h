/* good.h: a small region in which there is some of everything, and the way back to it.
 *
 * 80 frames of two threads, of which the ring holds 16; the longest is kept as the worst, and for hours. `main`
 * stands in two zones, with events; `worker` waits, and has not published the last two frames; `next` is the
 * second owner of its block.  Counters of each kind, events, notes.
 */
#ifndef TESTS_FUZZ_GOOD_H
#define TESTS_FUZZ_GOOD_H

#include "tests/region_builder.h"

struct good {
	struct builder b;
	unsigned char *image; /* as it was */
	size_t used;          /* bytes; what lies behind is a hole */
	size_t size;          /* of the file, now */
	bool dead, wild;      /* its lock is gone; more is to be repaired than the words that were changed */
	char boot_id[40];     /* of this machine; the region says another */
};

/* Made once in a process; its file is removed when that exits. */
void good_begin(struct good *g, const char *tag);

/* The file is cut to so many bytes, or loses pages; the writer dies; it is of this boot. */
void good_cut(struct good *g, size_t size);
void good_punch(struct good *g, uint64_t page, uint64_t pages);
void good_die(struct good *g);
void good_same_boot(struct good *g);
/* The file is these bytes, and nothing else. */
void good_raw(struct good *g, const unsigned char *bytes, size_t size);

/* As it was, but for words that were changed one by one. */
void good_repair(struct good *g);

#endif
