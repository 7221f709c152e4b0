/* SPDX-License-Identifier: MIT */
#include "proftop/source_file.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/text.h"

#define FOLDERS_ABOVE 40 /* of one, at most */
#define NAME_MOST 1024 /* bytes of what a program says */
#define PLACES 3

/* A folder to look in, and what it is. */
struct place {
	char folder[SOURCE_PATH]; /* "": there is none */
	char shown[SOURCE_PATH];
	const char *whose;
};

/* False: it is too long. */
static bool put(char out[SOURCE_PATH], const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool put(char out[SOURCE_PATH], const char *format, ...)
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
static void straighten(char path[SOURCE_PATH])
{
	char straight[PATH_MAX];
	struct stat a, b;

	if (realpath(path, straight) && !stat(path, &a) && !stat(straight, &b) && a.st_dev == b.st_dev &&
	    a.st_ino == b.st_ino && !has_controls(straight))
		put(path, "%s", straight);
}

static bool is_root(const char *folder)
{
	char above[SOURCE_PATH];
	struct stat a, b;

	return !put(above, "%s/..", folder) || stat(folder, &a) || stat(above, &b) ||
	       (a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

/* In a folder, and in all above it. */
static bool look_in(const char *folder, const char *file, char out[SOURCE_PATH])
{
	char at[SOURCE_PATH];

	if (!*folder || !put(at, "%s", folder))
		return false;
	for (int i = 0; i < FOLDERS_ABOVE; i++) {
		if (put(out, "%s/%s", at, file) && is_file(out))
			return true;
		if (is_root(at) || strlen(at) + 4 > sizeof(at))
			return false;
		strcat(at, "/..");
	}
	return false;
}

static void find_places(const struct source_file *s, struct place places[PLACES])
{
	const char *slash = strrchr(s->program, '/');
	ssize_t length;

	memset(places, 0, PLACES * sizeof(*places));
	places[0].whose = "that the process is in";
	places[1].whose = "of its program";
	places[2].whose = "that proftop is in";
	if (s->pid > 0 && put(places[0].folder, "/proc/%lld/cwd", (long long)s->pid)) {
		length = readlink(places[0].folder, places[0].shown, SOURCE_PATH - 1);
		if (length <= 0)
			*places[0].folder = '\0';
		else
			places[0].shown[length] = '\0';
	}
	if (*s->program == '/' && put(places[1].folder, "%.*s", slash == s->program ? 1 : (int)(slash - s->program),
				      s->program))
		put(places[1].shown, "%s", places[1].folder);
	if (getcwd(places[2].folder, SOURCE_PATH))
		put(places[2].shown, "%s", places[2].folder);
	else
		*places[2].folder = '\0';
}

/* `ray.cpp is not there; looked for in /build (that the process is in), /bin (of its program) and all above` */
static void say_places(const char *name, const struct place places[PLACES], bool ascii, char *why, size_t why_size)
{
	size_t length;
	bool any = false;

	snprintf(why, why_size, "%s is not there: looked for in", name);
	for (int i = 0; i < PLACES; i++) {
		char *folder = *places[i].folder ? name_safe(places[i].shown, ascii) : NULL;

		length = strlen(why);
		if (folder)
			snprintf(why + length, why_size - length, "%s %s (%s)", any ? "," : "", folder,
				 places[i].whose);
		any |= folder != NULL;
		free(folder);
	}
	length = strlen(why);
	snprintf(why + length, why_size - length, "%s", any ? " and the folders above" : " no folder");
}

/* As it is; where the process sees other files, as it is there. */
static bool find_absolute(const struct source_file *s, char out[SOURCE_PATH])
{
	if (put(out, "%s", s->file) && is_file(out))
		return true;
	return s->pid > 0 && put(out, "/proc/%lld/root%s", (long long)s->pid, s->file) && is_file(out);
}

bool source_find(const struct source_file *s, bool ascii, char out[SOURCE_PATH], char *why, size_t why_size)
{
	char *name = name_safe(s->file, ascii);
	struct place *places = malloc(PLACES * sizeof(*places));
	bool found = false;

	*why = '\0';
	if (!name || !places) {
		snprintf(why, why_size, "out of memory");
	} else if (strlen(s->file) > NAME_MOST) {
		snprintf(why, why_size, "the name of the source is too long to be one");
	} else if (!*s->file || has_controls(s->file)) {
		snprintf(why, why_size, "'%s' is no name of a source that can be opened", name);
	} else if (*s->file == '/') {
		found = find_absolute(s, out);
		if (!found)
			snprintf(why, why_size, "%s is not there, or no file that can be read", name);
	} else {
		find_places(s, places);
		for (int i = 0; i < PLACES && !found; i++)
			found = look_in(places[i].folder, s->file, out);
		if (!found)
			say_places(name, places, ascii, why, why_size);
	}
	free(name);
	free(places);
	if (found)
		straighten(out);
	return found;
}
