/* SPDX-License-Identifier: MIT */
/*
 * live_list: what regions there are, which file each is, and the removal of those whose process is dead.
 */
#ifndef IO_LIVE_LIST_H
#define IO_LIVE_LIST_H

#include "io/region/live.h"

enum live_state { LIVE_IS_LIVE, LIVE_IS_DEAD, LIVE_IS_FOREIGN, LIVE_IS_OLD, LIVE_IS_DAMAGED,
		  LIVE_STATES };

/* A loss of the region, by the key of its cause. */
struct live_loss {
	const char *key;
	uint64_t count; /* not 0 */
	bool apart;     /* something was found wrong, but nothing is missing */
};

/* Tells a region from others that have or had its name. */
struct live_identity {
	uint64_t device, inode, created;
};

/* A line of the list of regions. What cannot be known is 0 or "". */
struct live_region {
	const char *name;
	struct live_identity identity;
	enum live_state state;
	bool exited;  /* dead: it said goodbye */
	bool stopped; /* live, but a signal has stopped it */
	int64_t uid;
	int64_t pid;
	int64_t size;      /* bytes */
	double age_s;      /* since it was made */
	double history_s;  /* how far back frames can be read; below 0: not known */
	const char *clock; /* as in struct profile_process */
	bool clock_usual;  /* it is the machine's counter, at a known rate */
	const struct live_loss *losses;
	uint32_t loss_count;
	const char *command;
	int major, minor;  /* of its format */
};

/* live, stopped, dead, foreign, old, damaged. */
const char *live_state_name(const struct live_region *region);

/* Calls visit for each region of the machine, the live ones first, each kind in order of name, until
 * it returns false. A region is not read but for its header and a few words. False: there is no
 * shared-memory directory, or no memory. */
bool live_list(unsigned flags, bool (*visit)(const struct live_region *, void *), void *context);

/* Removes a region whose process is proved dead, if it is `listed` (NULL:
 * whichever has the name). `why` says what was done, or why not. */
enum open_result live_remove(const char *name, const struct live_identity *listed, char *why, size_t why_size);

/* The file behind the name of a region, which is looked at without attaching it. A process that is started again makes
 * another file of the same name. While a source of the old file is open, no new file can be taken for it. A few system
 * calls, nothing is mapped or copied. False: there is no region that could be attached. */
bool live_file_find(const char *name, unsigned flags, struct source_file *out);

/* The name of a region of that process, of the living one if there are several. As above. */
bool live_file_of_pid(int64_t pid, char *out, size_t size);

/* The directory in which regions have their names. */
const char *live_directory(void);

/* `1.0`: the format that this reads and all of its own major number. */
const char *live_format(void);

#endif
