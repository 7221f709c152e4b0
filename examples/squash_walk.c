/* SPDX-License-Identifier: MIT */
/* squash_walk.c: the zone walk; what is found is left to whichever worker is free. */
#include "squash_walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <prof.h>

enum kind { REGULAR, DIRECTORY, OTHER };

/* Not every file system fills d_type in. */
static enum kind entry_kind(int directory, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type == DT_UNKNOWN) {
		if (fstatat(directory, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			return REGULAR; /* opening it will say why */
		return S_ISREG(st.st_mode) ? REGULAR : S_ISDIR(st.st_mode) ? DIRECTORY : OTHER;
	}
	return entry->d_type == DT_REG ? REGULAR : entry->d_type == DT_DIR ? DIRECTORY : OTHER;
}

static void push_entry(struct queue *queue, struct tally *tally, const char *path, const char *name,
                       enum kind kind)
{
	size_t size = strlen(path) + 1 + strlen(name) + 1;
	char *joined = malloc(size);

	if (joined) {
		snprintf(joined, size, "%s/%s", path, name);
		if (queue_push(queue, (struct job){ joined, kind == DIRECTORY }))
			return;
		free(joined);
	}
	tally_error(tally, ENOMEM);
}

static void push_entries(struct queue *queue, struct tally *tally, DIR *directory, const char *path)
{
	struct dirent *entry;

	while (errno = 0, (entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		enum kind kind = entry_kind(dirfd(directory), entry);
		if (kind == OTHER)
			tally->skipped++;
		else
			push_entry(queue, tally, path, entry->d_name, kind);
	}
	if (errno)
		tally_error(tally, errno);
}

void walk(const char *path, struct queue *queue, struct tally *tally)
{
	Prof(walk);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);

	if (!directory) {
		tally_error(tally, errno);
		if (fd >= 0)
			close(fd);
		return;
	}
	tally->directories++;
	push_entries(queue, tally, directory, path);
	closedir(directory);
}
