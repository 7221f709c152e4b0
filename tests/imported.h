/* imported.h: a trace of some bytes, and the profile that it is. */
#ifndef TESTS_IMPORTED_H
#define TESTS_IMPORTED_H

#include "io/import/import.h"

struct imported {
	bool done;                   /* else `why` */
	const char *why;
	struct import_result result;
	struct source *source;       /* NULL, if it is not done */
	const struct profile *p;
	struct transitions *calls;
};

/* The caller frees with imported_fini. `options` may be NULL. */
struct imported *imported_bytes(const void *bytes, size_t size, const struct import_options *options);
struct imported *imported_fd(int fd, const struct import_options *options);
void imported_free(struct imported *i);

/* Sums over the frames [first, end), by index, or of the whole run: of the thread with this name, or index if it is NULL. */
struct imported_figures {
	int64_t self, inclusive, count, longest;
};
struct imported_figures imported_zone(const struct imported *i, uint32_t thread, const char *zone, uint32_t first,
				      uint32_t end);
struct imported_figures imported_zone_run(const struct imported *i, uint32_t thread, const char *zone);

/* The index of the thread with this id. */
uint32_t imported_thread(const struct imported *i, uint64_t id);

/* What stays true of any profile (profile.h): parts add up, and the run is the sum of what its threads did. */
void imported_check(const struct imported *i);

/* `a` is in memory, `b` went through a recording on disk (calls_most = 1): the two do not differ. */
void imported_same(const struct imported *a, const struct imported *b);

#endif
