/* list.c: what regions there are, and removing dead ones. */
#include "shm/attach.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "shm/probe.h"

static int is_region_name(const struct dirent *entry)
{
	return probe_name_valid(entry->d_name);
}

static int live_first(const void *a, const void *b)
{
	const struct region_entry *x = a, *y = b;

	return x->live != y->live ? y->live - x->live : strcmp(x->name, y->name);
}

static struct region_identity identity_of(const struct probe *p)
{
	return (struct region_identity){ p->stat.st_dev, p->stat.st_ino, p->header.created.ticks };
}

/* False: no region, or nothing that could be said of it. */
static bool look_at(struct region_entry *entry, const char *name, unsigned flags)
{
	char path[PROBE_PATH];
	struct probe p;

	probe_path(path, name);
	memset(entry, 0, sizeof *entry);
	memcpy(entry->name, name, strlen(name)); /* a valid name fits */
	entry->state = probe_open(&p, path, ATTACH_ANY_USER);
	entry->identity = identity_of(&p);
	entry->live = p.live;
	entry->uid = p.stat.st_uid;
	entry->size = p.stat.st_size;
	entry->major = p.header.major;
	entry->minor = p.header.minor;
	if (p.stat.st_uid != geteuid() && !(flags & ATTACH_ANY_USER))
		entry->state = ATTACH_FOREIGN;
	probe_close(&p);
	return p.magic;
}

static void free_names(struct dirent **names, int count)
{
	for (int i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

bool region_list(unsigned flags, bool (*visit)(const struct region_entry *, void *), void *context)
{
	struct dirent **names;
	int count = scandir(REGION_DIRECTORY, &names, is_region_name, NULL);
	struct region_entry *entries = count > 0 ? malloc((size_t)count * sizeof *entries) : NULL;
	size_t found = 0;

	if (count < 0)
		return false;
	for (int i = 0; entries && i < count; i++)
		found += look_at(&entries[found], names[i]->d_name, flags);
	free_names(names, count);
	if (found)
		qsort(entries, found, sizeof *entries, live_first);
	for (size_t i = 0; i < found && visit(&entries[i], context); i++)
		;
	free(entries);
	return entries || !count;
}

static bool is_listed(const struct probe *p, const struct region_identity *listed)
{
	struct region_identity i = identity_of(p);

	return !listed || (i.device == listed->device && i.inode == listed->inode && i.created == listed->created);
}

static enum remove_state remove_opened(const struct probe *p, const char *path, const struct region_identity *listed)
{
	if (p->live)
		return REMOVE_LIVE;
	if (!is_listed(p, listed))
		return REMOVE_OTHER;
	/* A new process that wants the name does the same steps: whoever has this lock goes on alone. */
	if (flock(p->fd, LOCK_EX | LOCK_NB) != 0)
		return REMOVE_CHANGED;
	if (!probe_same_file(path, p->stat.st_dev, p->stat.st_ino))
		return REMOVE_CHANGED;
	if (probe_locked(p->fd))
		return REMOVE_LIVE;
	return unlink(path) == 0 ? REMOVE_DONE : errno == ENOENT ? REMOVE_CHANGED : REMOVE_REFUSED;
}

enum remove_state region_remove(const char *name, const struct region_identity *listed)
{
	char path[PROBE_PATH];
	struct probe p;
	enum remove_state result;

	if (!probe_name_valid(name))
		return REMOVE_REFUSED;
	probe_path(path, name);
	if (probe_open(&p, path, 0) == ATTACH_ABSENT)
		return REMOVE_ABSENT;
	result = p.magic ? remove_opened(&p, path, listed) : REMOVE_REFUSED;
	probe_close(&p); /* and with it the lock */
	return result;
}
