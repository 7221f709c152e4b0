/* SPDX-License-Identifier: MIT */
#include "io/region/live_file.h"

#include <stdio.h>
#include <string.h>

#include "io/region/live_inside.h"
#include "shm/probe.h"

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

static bool visit_pid(const struct region_entry *entry, void *context)
{
	struct by_pid *b = context;
	struct source_file file;

	if (entry->state != ATTACH_OK || !live_file_find(entry->name, LIVE_ANY_USER, &file) ||
	    file.pid != b->pid)
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
