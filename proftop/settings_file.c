/* SPDX-License-Identifier: MIT */
#include "proftop/settings_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/text.h"
#include "proftop/output.h"
#include "proftop/settings.h"

#define SIZE_MOST 65536 /* bytes of a file that can be one of these */

/* What is said may have any path in it. */
static void say_safely(char *said, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say_safely(char *said, size_t size, const char *format, ...)
{
	char text[PATH_MAX + SETTINGS_WHY_SIZE + 64], *safe;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	safe = name_safe(text, false);
	snprintf(said, size, "%s", safe ? safe : "out of memory");
	free(safe);
}

/* Where it is. False: there is no such place, or its name is too long. A folder that is not told by its whole
 * path is none: so the XDG Base Directory Specification has it. */
static bool usual_path(char *path, size_t size)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int length = -1;

	if (config && *config == '/')
		length = snprintf(path, size, "%s/proftop/config", config);
	else if (home && *home == '/')
		length = snprintf(path, size, "%s/.config/proftop/config", home);
	return length >= 0 && (size_t)length < size;
}

static bool find_path(const char *file, char *path, size_t size)
{
	if (!file)
		return usual_path(path, size);
	return (size_t)snprintf(path, size, "%s", file) < size;
}

/* Why a file is not to be read; NULL: it may be. */
static const char *objection(const struct stat *s)
{
	if (!S_ISREG(s->st_mode))
		return "it is not a regular file";
	if (s->st_uid != 0 && s->st_uid != geteuid())
		return "it belongs to another user";
	if (s->st_mode & S_IWOTH)
		return "all users can write to it (run chmod o-w)";
	if (s->st_size > SIZE_MOST)
		return "it is too large for a settings file";
	return NULL;
}

static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

/* Its text. NULL: *why, and errno where that says why. */
static char *read_all(int fd, const char **why)
{
	char *text;
	size_t length = 0;
	ssize_t n = 1;
	struct stat s;

	if (fstat(fd, &s) || (*why = objection(&s)))
		return NULL;
	text = malloc(SIZE_MOST + 1);
	while (text && length < SIZE_MOST && n > 0) {
		n = read(fd, text + length, SIZE_MOST - length);
		length += n > 0 ? (size_t)n : 0;
	}
	if (text && n < 0) {
		free(text);
		return NULL;
	}
	if (text)
		text[length] = '\0';
	if (text && strlen(text) != length) {
		*why = "it is not text";
		free(text);
		return NULL;
	}
	return text;
}

/* The text of a file; NULL: *why says why not, and errno tells is_absent where there is none. Never waits,
 * whatever the path leads to. */
static char *read_file(const char *path, const char **why)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), error;
	char *text;

	*why = NULL;
	if (fd < 0) {
		*why = strerror(errno);
		return NULL;
	}
	text = read_all(fd, why);
	error = errno;
	close(fd);
	if (!text && !*why)
		*why = strerror(error);
	errno = 0;
	return text;
}

/* Where it is, as one writes it. */
static void say_path(char *out, size_t size, const char *path)
{
	const char *home = getenv("HOME");
	size_t length = home ? strlen(home) : 0;

	if (length > 1 && !strncmp(path, home, length) && path[length] == '/')
		snprintf(out, size, "~%s", path + length);
	else
		snprintf(out, size, "%s", path);
}

bool settings_read(struct options *o, const char *file, char *said, size_t said_size)
{
	struct settings_fault fault;
	char path[PATH_MAX], shown[PATH_MAX], more[32] = "", *text;
	const char *why;

	if (!find_path(file, path, sizeof(path)))
		return true;
	say_path(shown, sizeof(shown), path);
	text = read_file(path, &why);
	if (!text) {
		if (is_absent(errno) && !file)
			return true;
		say_safely(said, said_size, "settings not read: %s: %s", shown, why);
		return false;
	}
	settings_parse(o, text, &fault);
	free(text);
	if (!fault.line)
		return true;
	if (fault.more)
		snprintf(more, sizeof(more), " (and %u more)", fault.more);
	say_safely(said, said_size, "%s:%u: %s%s", shown, fault.line, fault.why, more);
	return false;
}

/* Writing */

/* Makes the folders of a path that are not there, for the user alone. What cannot be made shows when the file
 * is written. */
static void make_folders(char *path)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
}

/* A new file beside the path takes its place, with the rights of the one that was there. */
static bool replace(const char *path, const char *text)
{
	char fresh[PATH_MAX + 8];
	struct stat s;
	int fd, error;
	bool done;

	snprintf(fresh, sizeof(fresh), "%s.XXXXXX", path);
	fd = mkostemp(fresh, O_CLOEXEC);
	if (fd < 0)
		return false;
	done = (stat(path, &s) || !fchmod(fd, s.st_mode & 0777)) && output_all(fd, text, strlen(text)) && !fsync(fd);
	done = !close(fd) && done && !rename(fresh, path);
	error = errno;
	if (!done)
		unlink(fresh);
	errno = error;
	return done;
}

/* The text that is to be there; NULL: `said` says why not. What is there and is not settings is not touched. */
static char *new_text(const struct options *o, const char *path, char *said, size_t said_size)
{
	const char *why;
	char *before = read_file(path, &why), *text;

	if (!before && !is_absent(errno)) {
		say_safely(said, said_size, "not saved: %s: %s", path, why);
		return NULL;
	}
	text = settings_text(o, before ? before : "");
	free(before);
	if (!text)
		say_safely(said, said_size, "not saved: out of memory");
	return text;
}

bool settings_save(const struct options *o, const char *file, char *said, size_t said_size)
{
	char path[PATH_MAX], target[PATH_MAX], *text;
	bool done;

	if (!find_path(file, path, sizeof(path))) {
		say_safely(said, said_size, "not saved: HOME is not set. Use --config FILE");
		return false;
	}
	if (!realpath(path, target)) { /* a link stays one, and what it leads to is renewed */
		make_folders(path);
		snprintf(target, sizeof(target), "%s", path);
	}
	text = new_text(o, target, said, said_size);
	if (!text)
		return false;
	done = replace(target, text);
	if (done)
		say_safely(said, said_size, "saved in %s", target);
	else
		say_safely(said, said_size, "not saved: %s: %s", target, strerror(errno));
	free(text);
	return done;
}
