/* SPDX-License-Identifier: MIT */
#include "proftop/source_below.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ENTRIES_MOST 20000
#define FOLDERS_MOST 2000
#define DEPTH_MOST 8

struct folder {
	char *path; /* owned */
	int depth;
};

struct search {
	const char *file, *name; /* the name is the last of the file's */
	struct folder folders[FOLDERS_MOST]; /* found so far, those nearest first */
	int count, entries;
	char *best; /* owned; NULL: none yet */
	int best_names, best_depth;
};

/* How many whole names a path has in common with the end of the file's. */
static int common_names(const char *path, const char *file)
{
	const char *x = path + strlen(path), *y = file + strlen(file);
	int names = 0;

	for (; x > path && y > file && x[-1] == y[-1]; x--, y--)
		names += x[-1] == '/';
	return names + (y == file && x > path && x[-1] == '/');
}

/* Takes the path over. */
static void add_folder(struct search *s, char *path, int depth)
{
	if (path && s->count < FOLDERS_MOST && depth <= DEPTH_MOST)
		s->folders[s->count++] = (struct folder){ path, depth };
	else
		free(path);
}

/* Takes the path over. */
static void add_file(struct search *s, char *path, int depth)
{
	int names = common_names(path, s->file);

	if (!s->best || names > s->best_names ||
	    (names == s->best_names && (depth < s->best_depth || (depth == s->best_depth && strcmp(path, s->best) < 0)))) {
		free(s->best);
		s->best = path;
		s->best_names = names;
		s->best_depth = depth;
	} else {
		free(path);
	}
}

static void look_at_entry(struct search *s, const struct folder *in, const struct dirent *e)
{
	bool named = !strcmp(e->d_name, s->name);
	struct stat st;
	char *path;

	if (!named && (*e->d_name == '.' || (e->d_type != DT_DIR && e->d_type != DT_UNKNOWN)))
		return;
	if (asprintf(&path, "%s/%s", in->path, e->d_name) < 0)
		return;
	if (named && !stat(path, &st) && S_ISREG(st.st_mode))
		add_file(s, path, in->depth);
	else if (*e->d_name != '.' && !lstat(path, &st) && S_ISDIR(st.st_mode))
		add_folder(s, path, in->depth + 1);
	else
		free(path);
}

static void look_in_folder(struct search *s, const struct folder *in)
{
	DIR *dir = opendir(in->path);
	const struct dirent *e;

	while (dir && s->entries < ENTRIES_MOST && (e = readdir(dir))) {
		s->entries++;
		look_at_entry(s, in, e);
	}
	if (dir)
		closedir(dir);
}

bool source_below(const char *folder, const char *file, char out[SOURCE_PATH])
{
	struct search *s = calloc(1, sizeof(*s));
	const char *slash = strrchr(file, '/');
	bool found;

	if (!s)
		return false;
	s->file = file;
	s->name = slash ? slash + 1 : file;
	add_folder(s, strdup(folder), 0);
	for (int i = 0; i < s->count; i++)
		look_in_folder(s, &s->folders[i]);
	found = s->best && snprintf(out, SOURCE_PATH, "%s", s->best) < SOURCE_PATH;
	while (s->count)
		free(s->folders[--s->count].path);
	free(s->best);
	free(s);
	return found;
}
