/* attach.h: finding a region, checking it, and holding it read-only.
 *
 * The layout is read once into private memory, checked with arithmetic that cannot overflow, and never
 * read again: whatever stands in the region later, no access leaves it.
 *
 * A live region is mapped read-only.  If its file shrinks under us, the lost pages read as zeros and `truncated` is
 * set; no signal gets through.  Only what its writer has reserved is touched, because reading a hole of the file would
 * take room in the shared memory.  A dead region is read into private memory, all but its holes.  Nothing here writes
 * to a region.  region_remove unlinks a name.
 *
 * An attachment stays where it is from region_attach to region_detach (a signal handler knows where its
 * `truncated` lies), and belongs to one thread.
 */
#ifndef SHM_ATTACH_H
#define SHM_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>
#include "shm/region.h"

/* Every way that attaching can end, each with its sentence in attach.c. */
enum attach_state {
	ATTACH_OK,
	ATTACH_ABSENT,       /* no such name */
	ATTACH_BAD_NAME,     /* cannot be a name: empty, a slash, too long */
	ATTACH_DENIED,       /* the system says no */
	ATTACH_FOREIGN,      /* belongs to another user, and that was not asked for */
	ATTACH_NOT_A_FILE,   /* a FIFO, a directory, a link */
	ATTACH_NOT_A_REGION, /* no magic */
	ATTACH_OTHER_ORDER,  /* byte order or word size of another machine */
	ATTACH_OTHER_VERSION,
	ATTACH_TRUNCATED,    /* shorter than its header says */
	ATTACH_DAMAGED,      /* a section lies outside, or sizes make no sense */
	ATTACH_MEMORY,
	ATTACH_STATES
};

/* How much a reader believes.  Each chunk belongs to one block, so all blocks together cannot have more chunks than the
 * region has.  What the blocks say they have is counted here, and beyond that number it is not believed.  Without this
 * a damaged region could lead a reader through the same chunks again and again, once for each block. */
struct attach_budget {
	uint64_t log_words;   /* read from logs since snapshot_process; snapshot_log.c */
	uint64_t kept_chunks; /* of event logs, likewise; snapshot_events.c */
	uint64_t measured_chunks; /* read since snapshot_process; snapshot_measures.c */
	uint64_t node_chunks; /* that blocks say they have; snapshot_node_count */
	uint64_t there[REGION_SECTIONS]; /* bytes of each that a live region has memory for, when last asked; attach.c */
	uint32_t node_chunks_of[]; /* each block */
};

struct attachment {
	char name[REGION_NAME_MAX + 1]; /* "" for a file */
	int fd;
	unsigned char *base; /* the mapping, or the private copy; region.h's structures lie in it */
	size_t size;
	bool mapped;
	bool live;           /* its writer held the lock when last asked */
	volatile int truncated; /* the file shrank under the mapping: discard what was just copied */
	struct guard *guard; /* of the mapping */
	bool same_boot;      /* its ticks and the ones of this machine can be compared */
	uid_t uid;           /* the object's owner */
	dev_t device;
	ino_t inode;
	struct region_header header; /* private, checked */
	int major, minor;    /* also when refused for its version */

	/* The sections: inside [base, base+size), with the strides that this version knows.  The elements of zones,
	 * counters, modules and measures may be longer than that: snapshot_element finds them. */
	struct region_process *process;
	const char *strings;
	region_word *thread_chunks;
	struct region_frame *frames;
	struct region_group *history;
	struct region_worst *worst;
	struct region_chunk *chunks;
	uint32_t zone_count, string_bytes, thread_count, frame_count, history_count, worst_count, chunk_count;
	/* Chunks that can have something in them: of a live region those that are reserved, as of attaching or the last
	 * region_refresh_life; of a dead one as many as its file has bytes for, wherever they lie. */
	uint32_t chunks_there;
	struct attach_budget *budget;
};

#define ATTACH_ANY_USER  1u /* also regions of other users */
#define ATTACH_UNGUARDED 2u /* no SIGBUS handler (guard.h): whoever cuts the file off ends the reader.  For one
                             * that lives in somebody else's program and trusts whom the file belongs to */
#define ATTACH_WORDS 4u /* for a list.  Of a dead region only the words of the process are copied, and the block of the
                         * thread that sets the marks, or all blocks if no thread does.  All other bytes are 0 */

/* Attaches to the region of that name, or, with a slash in it, to a file that holds one.  On any result
 * but ATTACH_OK nothing is held (region_detach may be called all the same); `why` (of `size` bytes, may be
 * NULL) gets one sentence that names the cause and the way out. */
enum attach_state region_attach(struct attachment *a, const char *name, unsigned flags, char *why, size_t size);
void region_detach(struct attachment *a);

/* Asks anew whether the file is as long as it was, and whether the writer lives (its lock); when it died since, re-reads
 * the region whole into private memory and renews the section pointers.  False: it is dead. */
bool region_refresh_life(struct attachment *a);

/* True if the first `bytes` of a section (of the history: of each level) can be read.  If a live writer goes on,
 * it is asked again. */
bool region_there(const struct attachment *a, enum region_section_id id, uint64_t bytes);

/* chunks_there, asked anew: a live writer may have reserved more. */
uint32_t region_chunks_there(const struct attachment *a);

/* The state of the writer, by the system.  Its lock is held until it is gone, which may be long after it ran
 * last: a thread that is killed ends when it gets a core, and memory is given back before. */
enum region_pulse {
	REGION_UNKNOWN, /* it is gone, /proc is not mounted, or the pid is one of another namespace */
	REGION_RUNS,
	REGION_STOPPED, /* by a signal; not by a debugger, as strace stops it all the time */
	REGION_ENDS,    /* it was killed, or its first thread has ended: it may run no more */
};
enum region_pulse region_pulse(const struct attachment *a);
bool region_stopped(const struct attachment *a);

/* Whether the process `pid` of this namespace began then, as field 22 of /proc/PID/stat has it.  True, too, where that cannot
 * be read. */
bool region_may_be_process(uint32_t pid, uint64_t process_start);

/* Whether the name still leads to the object that is attached (false: unlinked or replaced).  A file has
 * no name that could change hands: true. */
bool region_same_name(const struct attachment *a);

/* Tells a region from others that have, or had, its name. */
struct region_identity {
	uint64_t device, inode;
	uint64_t created; /* ticks */
};

/* An entry of a list of regions, made without attaching. */
struct region_entry {
	char name[REGION_NAME_MAX + 1];
	struct region_identity identity;
	enum attach_state state; /* ATTACH_OK, ATTACH_FOREIGN, ATTACH_OTHER_VERSION, ATTACH_DENIED, ATTACH_DAMAGED... */
	bool live;
	uid_t uid;
	off_t size;
	int major, minor;
};

/* Calls visit for every region in the shared-memory directory (files without our magic are passed over), the live
 * ones first, and these and the others in order of name; visit returns false to stop.  Only headers are read.  Returns
 * false if the directory cannot be read, or there is no memory. */
bool region_list(unsigned flags, bool (*visit)(const struct region_entry *, void *), void *context);

enum remove_state {
	REMOVE_DONE,
	REMOVE_ABSENT,
	REMOVE_LIVE,
	REMOVE_CHANGED, /* somebody else is retiring or has replaced it: look again */
	REMOVE_OTHER,   /* the name belongs to a region other than `listed` */
	REMOVE_REFUSED, /* no region, or not of this user */
};

/* Unlinks a region that is proved dead: flock its inode, look again that the
 * name still is that inode and that its lock is free, then unlink.  Only
 * regions of this user, and only `listed` (NULL: whichever has the name). */
enum remove_state region_remove(const char *name, const struct region_identity *listed);

/* The directory that holds names: REGION_DIRECTORY. */
const char *region_directory(void);

#endif
