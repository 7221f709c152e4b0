/* create.h: making a region, giving it its name, and retiring a dead one that holds it.
 *
 * A region is an unnamed file (O_TMPFILE) until it is complete: locked, laid out, filled.  Then it is
 * linked to its name, so a visible name is always whole, and locked while its writer lives.  The lock is an
 * open-file-description lock: the descriptor is closed at once, the mapping keeps it.
 *
 * The file is as long as the region may get, but it has memory only where something was asked for (region_reserve).
 * Nothing is written where there is none: that would be a SIGBUS when the memory is short.
 *
 * Runs in somebody else's program: nothing here prints, exits, waits for long, or leaves a descriptor open.
 */
#ifndef SHM_CREATE_H
#define SHM_CREATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "shm/region.h"

#define REGION_SIZE_DEFAULT (32ull << 20)
#define REGION_SIZE_LEAST   (256ull << 10)

enum create_state {
	CREATE_OK,
	CREATE_BAD_NAME,
	CREATE_TAKEN,   /* by a live process: `owner` */
	CREATE_REFUSED, /* by something that is not a region of this user */
	CREATE_FAILED,  /* the system says no */
};

struct region_made {
	struct region_header *header; /* the mapping; sections filled in, magic not yet */
	size_t size;
	bool less; /* than was asked for: there is not so much memory */
	bool whole; /* it has all of its memory: the kernel cannot take it in steps (before Linux 5.14) */
	dev_t device;
	ino_t inode;
	/* CREATE_TAKEN: whose it is, and when that began, as far as the header says.  The id may be one of another namespace. */
	pid_t owner;
	uint64_t owner_start;
	int fd;
	char temporary[REGION_NAME_MAX + 64]; /* path until it is named, where unnamed files cannot be */
};

/* Whether a region could be made under that name: no slash, no dot in front, 1 to REGION_NAME_MAX - 2 bytes (so
 * that NAME~1 is a name, too), and not a retired region's, which end in "~1". */
bool region_name_valid(const char *name);

/* Whether nothing stands in the way of a region of that name: it is valid, and nobody has it but a dead region. */
bool region_name_free(const char *name);

/* Makes an unnamed region of `size` bytes, or of less where the directory has not so much, or the control group may not
 * have four times as much, locked and zeroed, with its layout, and memory for the beginning of each section, or for all
 * of it.  `why` gets half a sentence that names the cause.  The caller has signals blocked. */
enum create_state region_make(struct region_made *made, const char *name, uint64_t size, char *why, size_t why_size);

/* Stores the magic and links the region to its name; a dead region that holds it is renamed to NAME~1, or unlinked
 * where something that is no dead region of this user has that name.  The descriptor is closed; on failure the region
 * is gone. */
enum create_state region_publish(struct region_made *made, const char *name, char *why, size_t why_size);

/* A section that grows, in steps of so many bytes; of the history each level does. */
struct region_space {
	char *at;
	uint64_t bytes, step;
	uint32_t levels;
};
struct region_space region_space(struct region_header *h, enum region_section_id id);

/* Memory for bytes [from, to) of it.  0, or an error: ENOSPC where there is none.  Any thread at any time, signal
 * handlers, too. */
int region_reserve(const struct region_space *space, uint64_t from, uint64_t to);

/* Removes the dead region that is kept as NAME~1.  False: there is none. */
bool region_drop_old(const char *name);

/* Gives up a region that was made and not published. */
void region_unmake(struct region_made *made);

/* The writer is done with its region: its lock is given up, and readers keep what there is.  The addresses stay the
 * caller's, as memory of its own that is 0: a thread that goes on writing there does no harm. */
void region_leave(struct region_header *header, uint64_t size);

/* Unlinks the name if it still leads to this very region. */
void region_unlink(const char *name, dev_t device, ino_t inode);

#endif
