/* SPDX-License-Identifier: MIT */
/*
 * live_list: what regions there are, and the removal of those of dead processes.
 *
 * Each is looked at by itself, and left as it is; a list needs no profile.
 */
#include "io/region/live_list.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "io/region/live_inside.h"
#include "shm/probe.h"

const char *live_state_name(const struct live_region *region)
{
	static const char *const names[LIVE_STATES] = {
		[LIVE_IS_LIVE] = "live",     [LIVE_IS_DEAD] = "dead",       [LIVE_IS_FOREIGN] = "foreign",
		[LIVE_IS_OLD] = "old",       [LIVE_IS_DAMAGED] = "damaged",
	};

	return region->stopped ? "stopped" : names[region->state];
}

const char *live_directory(void)
{
	return region_directory();
}

const char *live_format(void)
{
#define LIVE_TEXT(x) LIVE_TEXT_(x)
#define LIVE_TEXT_(x) #x
	return LIVE_TEXT(REGION_MAJOR) "." LIVE_TEXT(REGION_MINOR);
}

#define NOT_KNOWN (-1)

/* The tick from which the parts of the marking thread, or else of the thread that has most, are
 * still there; NOT_KNOWN: its writer does not say. INT64_MAX: there are none. */
static int64_t history_begin(struct attachment *a, const struct snapshot_process *process)
{
	bool marked = process->marker < process->threads;
	uint32_t first = marked ? process->marker : 0, end = marked ? first + 1 : process->threads;
	int64_t begin = INT64_MAX;

	for (uint32_t i = first; i < end; i++) {
		struct snapshot_thread thread;

		snapshot_thread(a, i, &thread);
		if (thread.part_head && !thread.parts_begin)
			return NOT_KNOWN;
		if (thread.part_head && thread.parts_begin < begin)
			begin = thread.parts_begin;
	}
	return begin;
}

static double history_seconds(struct attachment *a, const struct snapshot_process *process, uint64_t rate)
{
	int64_t now = snapshot_newest_tick(a), begin = history_begin(a, process);

	if (a->live)
		snapshot_now(a, &now);
	if (begin == NOT_KNOWN)
		return NOT_KNOWN;
	return begin < now ? (double)(now - begin) / (double)rate : 0;
}

static enum live_state state_of(const struct region_entry *entry)
{
	switch (entry->state) {
	case ATTACH_OK:
		return entry->live ? LIVE_IS_LIVE : LIVE_IS_DEAD;
	case ATTACH_FOREIGN:
	case ATTACH_DENIED:
		return LIVE_IS_FOREIGN;
	case ATTACH_OTHER_VERSION:
	case ATTACH_OTHER_ORDER:
		return LIVE_IS_OLD;
	default:
		return LIVE_IS_DAMAGED;
	}
}

struct listing {
	unsigned flags;
	bool (*visit)(const struct live_region *, void *);
	void *context;
};

/* Since the wall clock's time at its creation; that clock may have been set back since. */
static double age_seconds(const struct attachment *a)
{
	int64_t age = clock_ns(CLOCK_REALTIME) - (int64_t)a->header.created.real_ns;

	return age > 0 ? (double)age / 1e9 : 0;
}

static void look_at_losses(struct live_region *region, const struct snapshot_process *process,
			   struct live_loss *losses)
{
	region->losses = losses;
	for (unsigned cause = 0; cause < LOSS_CAUSES; cause++)
		if (process->lost[cause])
			losses[region->loss_count++] = (struct live_loss){
				region_loss_key(cause), process->lost[cause],
				cause == LOSS_LEFT_OPEN || cause == LOSS_CALLS_ROOM };
}

static void look_at_clock(struct live_region *region, uint32_t clock, bool rate_guessed)
{
	region->clock = rate_guessed ? "unknown rate" : live_clock_name(clock);
	region->clock_usual = !rate_guessed && clock != REGION_CLOCK_MONOTONIC;
}

/* A closer look at a region that can be attached. */
static void look_inside(struct live_region *region, struct attachment *a, char *command,
			struct live_loss *losses)
{
	struct snapshot_process process;
	bool guessed;
	uint64_t rate = snapshot_rate(a, &guessed);

	snapshot_process(a, &process);
	live_command_line(&a->header, command);
	region->command = command;
	region->pid = a->header.pid;
	region->exited = process.exited;
	region->stopped = region_stopped(a);
	region->age_s = age_seconds(a);
	region->history_s = history_seconds(a, &process, rate);
	look_at_clock(region, a->header.clock, guessed);
	look_at_losses(region, &process, losses);
}

static bool list_entry(const struct region_entry *entry, void *context)
{
	const struct listing *listing = context;
	const struct region_identity *i = &entry->identity;
	struct live_region region = { .name = entry->name, .state = state_of(entry),
				      .identity = { i->device, i->inode, i->created },
				      .uid = entry->uid, .size = entry->size, .command = "", .clock = "",
				      .major = entry->major, .minor = entry->minor };
	char command[sizeof(((struct region_header *)0)->command)];
	struct live_loss losses[LOSS_CAUSES];
	struct attachment a;
	bool more;

	if (entry->state == ATTACH_OK) {
		enum attach_state state = region_attach(&a, entry->name, listing->flags | ATTACH_WORDS,
							NULL, 0);

		if (state == ATTACH_ABSENT)
			return true;
		if (state == ATTACH_OK)
			look_inside(&region, &a, command, losses);
		else if (state != ATTACH_MEMORY)
			region.state = LIVE_IS_DAMAGED;
		more = listing->visit(&region, listing->context);
		if (state == ATTACH_OK)
			region_detach(&a);
		return more;
	}
	return listing->visit(&region, listing->context);
}

bool live_list(unsigned flags, bool (*visit)(const struct live_region *, void *), void *context)
{
	struct listing listing = { flags & LIVE_ANY_USER ? ATTACH_ANY_USER : 0, visit, context };

	return region_list(listing.flags, list_entry, &listing);
}

enum open_result live_remove(const char *name, const struct live_identity *listed, char *why, size_t why_size)
{
	static const struct {
		enum open_result result;
		const char *why;
	} outcomes[] = {
		[REMOVE_DONE] = { OPEN_OK, "'%s' removed" },
		[REMOVE_ABSENT] = { OPEN_ABSENT, "'%s' is not there" },
		[REMOVE_LIVE] = { OPEN_IN_USE, "'%s' not removed: its process is running" },
		[REMOVE_CHANGED] = { OPEN_IN_USE, "'%s' not removed: another process just took the name" },
		[REMOVE_OTHER] = { OPEN_IN_USE, "'%s' not removed: it has changed since it was listed" },
		[REMOVE_REFUSED] = { OPEN_NOT_OURS, "'%s' not removed: it is not a region of this user" },
	};
	struct region_identity only = { 0 };
	enum remove_state state;

	if (listed)
		only = (struct region_identity){ listed->device, listed->inode, listed->created };
	state = region_remove(name, listed ? &only : NULL);

	snprintf(why, why_size, outcomes[state].why, name);
	return outcomes[state].result;
}

/* The file behind a name */

bool live_file_find(const char *name, unsigned flags, struct source_file *out)
{
	bool path = strchr(name, '/');
	char in_directory[PROBE_PATH];
	struct probe p;
	bool found;

	if (!path && !probe_name_valid(name))
		return false;
	if (!path)
		probe_path(in_directory, name);
	found = probe_open(&p, path ? name : in_directory,
			   flags & LIVE_ANY_USER ? ATTACH_ANY_USER : 0) == ATTACH_OK;
	*out = (struct source_file){ p.stat.st_dev, p.stat.st_ino, p.header.pid, p.live };
	probe_close(&p);
	return found;
}

struct by_pid {
	int64_t pid;
	char *out;
	size_t size;
	bool found;
};

/* An id that a live region has may be one of another namespace: here it is somebody else's. */
static bool is_here(const char *name)
{
	char path[PROBE_PATH];
	struct probe p;
	bool here;

	probe_path(path, name);
	here = probe_open(&p, path, ATTACH_ANY_USER) == ATTACH_OK &&
	       (!p.live || region_may_be_process(p.header.pid, p.header.process_start));
	probe_close(&p);
	return here;
}

static bool visit_pid(const struct region_entry *entry, void *context)
{
	struct by_pid *b = context;
	struct source_file file;

	if (entry->state != ATTACH_OK || !live_file_find(entry->name, LIVE_ANY_USER, &file) ||
	    file.pid != b->pid || !is_here(entry->name))
		return true;
	snprintf(b->out, b->size, "%s", entry->name);
	b->found = true;
	return !file.live; /* an older one of that id may be dead */
}

bool live_file_of_pid(int64_t pid, char *out, size_t size)
{
	struct by_pid b = { pid, out, size, false };

	region_list(ATTACH_ANY_USER, visit_pid, &b);
	return b.found;
}
