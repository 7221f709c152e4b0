/* core_read.h: what a program left in its region, as the product's own reader sees it.
 *
 * The program has ended, its region was kept.  All sums are over every block, present owners and former.
 */
#ifndef TESTS_CORE_READ_H
#define TESTS_CORE_READ_H

#include "shm/snapshot.h"

struct view {
	const char *name; /* of the region; borrowed */
	struct attachment region;
	struct snapshot_process process;
	bool torn; /* threads may have stopped in the middle of an update */
	const char *told; /* what the program said of itself: lines of a word and a number */
};

/* Attaches and checks that all of it is sound: no damaged node, and for each thread the sum of self is its
 * time.  False, and a failure counted: it cannot be read. */
bool view_open(struct view *view, const char *name);
void view_close(struct view *view);

/* Runs this program with that argument, and opens what it leaves; false, and a failure counted: it cannot be read, and
 * is removed.  view_done closes and removes it. */
bool view_of(struct view *view, const char *mode);
void view_done(struct view *view);

/* Each is done in a program of its own, whose argument says which, and what it leaves is checked. */
struct view_case {
	const char *what;
	void (*run)(void);
	void (*check)(struct view *view);
	const char *size;      /* PROF_SHM_SIZE; NULL: unset */
	void (*prepare)(void); /* before exec; may be NULL */
};
/* The case of that word is run; false: there is none. */
bool view_run_case(const struct view_case *cases, size_t count, const char *what);
void view_check_cases(const struct view_case *cases, size_t count);

/* The program's own word for a number; a failure is counted if it did not say it. */
uint64_t view_told(const struct view *view, const char *word);

uint64_t view_entries(struct view *view, const char *zone); /* of all zones of that name; NULL: of all */
unsigned view_rows(struct view *view, const char *zone);    /* zones of that name */
unsigned view_blocks(struct view *view, enum region_block_state state);
void view_left_open(struct view *view, char *name, size_t size); /* "" if none */

/* What was lost by that cause is `expected`. */
#define CHECK_LOST(view, cause, expected) view_check_lost((view), (cause), (expected), __FILE__, __LINE__)
void view_check_lost(const struct view *view, enum region_loss cause, uint64_t expected, const char *file, int line);

/* No zone, mark or thread was lost but by these causes (bits 1 << cause). */
#define CHECK_LOST_ONLY(view, causes) view_check_lost_only((view), (causes), __FILE__, __LINE__)
void view_check_lost_only(const struct view *view, uint64_t causes, const char *file, int line);

#endif
