/* SPDX-License-Identifier: MIT */
#include "proftop/source_file.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/text.h"

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

#define FOLDERS_ABOVE 40 /* searched above one place, at most */
#define NAME_MOST 1024 /* bytes of the name that a program gives */
#define PLACES 4

/* A folder to search, and whose it is. */
struct place {
	char folder[SOURCE_PATH]; /* "": not known */
	char shown[SOURCE_PATH];
	const char *whose;
};

/* False: it is too long. */
static bool put_path(char out[SOURCE_PATH], const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool put_path(char out[SOURCE_PATH], const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(out, SOURCE_PATH, format, args);
	va_end(args);
	if (length >= 0 && length < SOURCE_PATH)
		return true;
	*out = '\0';
	return false;
}

static bool has_controls(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			return true;
	return false;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Without detours, if that leads to the same file: what a process in a container has below /proc is found
 * only there. */
static void straighten_path(char path[SOURCE_PATH])
{
	char straight[PATH_MAX];
	struct stat a, b;

	if (realpath(path, straight) && !stat(path, &a) && !stat(straight, &b) && a.st_dev == b.st_dev &&
	    a.st_ino == b.st_ino && !has_controls(straight))
		put_path(path, "%s", straight);
}

static bool is_root(const char *folder)
{
	char above[SOURCE_PATH];
	struct stat a, b;

	return !put_path(above, "%s/..", folder) || stat(folder, &a) || stat(above, &b) ||
	       (a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

/* In a folder, and in all above it. */
static bool look_in(const char *folder, const char *file, char out[SOURCE_PATH])
{
	char at[SOURCE_PATH];

	if (!*folder || !put_path(at, "%s", folder))
		return false;
	for (int i = 0; i < FOLDERS_ABOVE; i++) {
		if (put_path(out, "%s/%s", at, file) && is_file(out))
			return true;
		if (is_root(at) || strlen(at) + 4 > sizeof(at))
			return false;
		strcat(at, "/..");
	}
	return false;
}

/* A link of /proc: where it leads, and a path that leads there from here. A
 * process in a container may see the folder under another name, so it is
 * reached through /proc. */
static bool read_link(int64_t pid, const char *name, char path[SOURCE_PATH], char shown[SOURCE_PATH])
{
	ssize_t length = put_path(path, "/proc/%lld/%s", (long long)pid, name) ? readlink(path, shown, SOURCE_PATH - 1) : -1;

	shown[length > 0 ? length : 0] = '\0';
	if (length <= 0)
		*path = '\0';
	return length > 0;
}

static void put_folder(struct place *place, const char *path, const char *slash)
{
	if (put_path(place->folder, "%.*s", slash == path ? 1 : (int)(slash - path), path))
		put_path(place->shown, "%s", place->folder);
}

static void find_executable(const struct wanted_source *s, struct place *place)
{
	char path[SOURCE_PATH], shown[SOURCE_PATH], *slash;

	if (s->pid <= 0 || !read_link(s->pid, "exe", path, shown) || !(slash = strrchr(shown, '/')))
		return;
	put_folder(place, shown, slash);
	if (access(place->folder, X_OK))
		put_path(place->folder, "/proc/%lld/root%s", (long long)s->pid, place->shown);
}

/* If the process has ended, its command line names the executable. Words of it
 * are joined by blanks, and the first may have blanks itself: the longest text
 * that names a file is taken. A relative name counts from the folder in which
 * the program was started. */
static void find_command(const struct wanted_source *s, const char *started_in, struct place *place)
{
	char path[SOURCE_PATH], *slash;

	for (size_t length = strlen(s->command); length; length--) {
		if (s->command[length] && s->command[length] != ' ')
			continue;
		if (*s->command == '/')
			put_path(path, "%.*s", (int)length, s->command);
		else if (!*started_in || !put_path(path, "%s/%.*s", started_in, (int)length, s->command))
			continue;
		slash = strrchr(path, '/');
		if (memchr(s->command, '/', length) && is_file(path)) {
			put_folder(place, path, slash);
			return;
		}
	}
}

static void find_places(const struct wanted_source *s, struct place places[PLACES])
{
	static const char *const whose[PLACES] = { "where the process is", "of the program", "of the program",
						   "where proftop is" };

	memset(places, 0, PLACES * sizeof(*places));
	for (int i = 0; i < PLACES; i++)
		places[i].whose = whose[i];
	if (s->pid > 0)
		read_link(s->pid, "cwd", places[0].folder, places[0].shown);
	if (getcwd(places[3].folder, SOURCE_PATH))
		put_path(places[3].shown, "%s", places[3].folder);
	else
		*places[3].folder = '\0';
	find_executable(s, &places[1]);
	find_command(s, *places[0].folder ? places[0].folder : places[3].folder, &places[2]);
	for (int i = 1; i < PLACES; i++)
		for (int j = 0; j < i; j++)
			if (!strcmp(places[i].shown, places[j].shown))
				*places[i].folder = '\0';
}

/* `no file ray.cpp: searched /build (of the program), /tmp (where proftop is),
 * the folders below and above these` */
static void say_places(const char *name, const struct place places[PLACES], bool ascii, char *why, size_t why_size)
{
	size_t length;
	bool any = false;

	snprintf(why, why_size, "no file %s: searched", name);
	for (int i = 0; i < PLACES; i++) {
		char *folder = *places[i].folder ? name_safe(places[i].shown, ascii) : NULL;

		length = strlen(why);
		if (folder)
			snprintf(why + length, why_size - length, " %s (%s),", folder, places[i].whose);
		any |= folder != NULL;
		free(folder);
	}
	length = strlen(why);
	snprintf(why + length, why_size - length, "%s", any ? " the folders below and above these" : " no folder");
}

/* As it is; where the process sees other files, as it is there. */
static bool find_absolute(const struct wanted_source *s, char out[SOURCE_PATH])
{
	if (put_path(out, "%s", s->file) && is_file(out))
		return true;
	return s->pid > 0 && put_path(out, "/proc/%lld/root%s", (long long)s->pid, s->file) && is_file(out);
}

/* The rest of a path after its first name; NULL: nothing. */
static const char *next_name(const char *path)
{
	const char *slash = strchr(path, '/');

	return slash ? slash + strspn(slash, "/") : NULL;
}

/* The name behind its last `../`, which counts from an unknown folder. */
static const char *known_end(const char *file)
{
	const char *end = file + strspn(file, "/");

	for (const char *at = end; at; at = next_name(at))
		if (at[0] == '.' && (at[1] == '/' || (at[1] == '.' && at[2] == '/')))
			end = next_name(at);
	return end;
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool look_above(const struct place places[PLACES], const char *file, char out[SOURCE_PATH])
{
	for (int i = 0; i < PLACES; i++)
		if (look_in(places[i].folder, file, out))
			return true;
	return false;
}

static bool look_below(const char *folder, const char *file, char out[SOURCE_PATH])
{
	return *folder && !is_root(folder) && source_below(folder, file, out);
}

/* The program's folder often stands beside that of the sources. */
static bool look_around(const struct place places[PLACES], const char *file, char out[SOURCE_PATH])
{
	char beside[SOURCE_PATH];

	for (int i = 1; i < PLACES; i++)
		if (look_below(places[i].folder, file, out))
			return true;
	for (int i = 1; i < 3; i++)
		if (*places[i].folder && put_path(beside, "%s/..", places[i].folder) && look_below(beside, file, out))
			return true;
	return look_below(places[0].folder, file, out);
}

/* First the name as the program gives it, then its ends, longer ones first. */
static bool look_everywhere(const struct place places[PLACES], const char *file, char out[SOURCE_PATH])
{
	const char *end = known_end(file);

	if (*file != '/' && look_above(places, file, out))
		return true;
	for (const char *at = end; at && next_name(at); at = next_name(at))
		if (look_above(places, at, out))
			return true;
	return *end && (look_around(places, end, out) || look_above(places, last_name(file), out));
}

bool source_find(const struct wanted_source *s, bool ascii, char out[SOURCE_PATH], char *why, size_t why_size)
{
	char *name = name_safe(s->file, ascii);
	struct place *places = malloc(PLACES * sizeof(*places));
	bool found = false;

	*why = '\0';
	if (!name || !places) {
		snprintf(why, why_size, "out of memory");
	} else if (strlen(s->file) > NAME_MOST) {
		snprintf(why, why_size, "the name of the source is too long");
	} else if (!*s->file || has_controls(s->file)) {
		snprintf(why, why_size, "'%s' is not a name that can be opened", name);
	} else {
		find_places(s, places);
		found = (*s->file == '/' && find_absolute(s, out)) || look_everywhere(places, s->file, out);
		if (!found)
			say_places(name, places, ascii, why, why_size);
	}
	free(name);
	free(places);
	if (found)
		straighten_path(out);
	return found;
}
