/* SPDX-License-Identifier: MIT */
#include "io/symbols_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/array.h"

/*
 * A file:
 *
 *   proftop functions 1
 *   OFFSET COUNT             hexadecimal; then COUNT lines, the function and those that were inlined in it:
 *   LINE AT<tab>NAME<tab>FILE
 */
#define FIRST_LINE "proftop functions 1\n"
#define FILE_MOST  (64u << 20) /* bytes */
#define FILES_MOST 100         /* the one that was written longest ago goes */
#define BUILD_MOST 128         /* digits of a build id */

struct entry {
	uint64_t offset;
	uint32_t at; /* in the text: the line behind OFFSET COUNT */
	uint32_t count;
};

struct symbols_cache {
	char *path;
	char *text; /* of the file, and of what was added */
	uint32_t size, room;
	struct entry *entries; /* those of the file ascend; those that were added stand behind */
	uint32_t known, count, capacity;
};

static char *folder; /* NULL: nothing is kept */

void symbols_keep_in(const char *path)
{
	free(folder);
	folder = path ? strdup(path) : NULL;
}

/* A line, which ends where the next one begins. NULL: there is none. */
static char *next_line(const struct symbols_cache *c, const char *line)
{
	const char *end = memchr(line, '\n', (size_t)(c->text + c->size - line));

	return end ? c->text + (end - c->text) + 1 : NULL;
}

/* False: it is no entry. */
static bool read_entry(struct symbols_cache *c, char **at)
{
	char *line = *at, *space, *end;
	struct entry e = { .offset = strtoull(line, &space, 16) };
	unsigned long count = *space == ' ' ? strtoul(space + 1, &end, 16) : 0;

	if (!count || count > SYMBOLS_MOST || *end != '\n' || (c->count && e.offset <= c->entries[c->count - 1].offset))
		return false;
	e.count = (uint32_t)count;
	line = end + 1;
	e.at = (uint32_t)(line - c->text);
	for (uint32_t i = 0; line && i < e.count; i++) {
		const char *tab = strchr(line, '\t'), *second = tab ? strchr(tab + 1, '\t') : NULL, *end = strchr(line, '\n');

		if (!second || !end || second > end)
			return false;
		line = next_line(c, line);
	}
	*at = line;
	return line && array_reserve(&c->entries, &c->capacity, c->count + 1ull, sizeof(*c->entries)) &&
	       (c->entries[c->count++] = e, true);
}

/* The file is in the text, with a NUL behind it. */
static void read_entries(struct symbols_cache *c)
{
	char *at = c->text + strlen(FIRST_LINE);

	if (strncmp(c->text, FIRST_LINE, strlen(FIRST_LINE)) != 0 || strlen(c->text) != c->size)
		c->size = 0;
	while (c->size && at < c->text + c->size)
		if (!read_entry(c, &at)) {
			c->size = c->count = 0;
			break;
		}
	c->known = c->count;
}

static void read_file(struct symbols_cache *c)
{
	int fd = open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat about;
	ssize_t got;

	if (fd < 0)
		return;
	if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() && about.st_size < FILE_MOST &&
	    (c->text = malloc((size_t)about.st_size + 1))) {
		c->room = (uint32_t)about.st_size + 1;
		got = read(fd, c->text, (size_t)about.st_size);
		c->size = got > 0 ? (uint32_t)got : 0;
		c->text[c->size] = '\0';
		read_entries(c);
	}
	close(fd);
}

struct symbols_cache *symbols_cache_open(const struct profile_module *module)
{
	size_t digits = strspn(module->build, "0123456789abcdef");
	struct symbols_cache *c;

	if (!folder || !digits || digits > BUILD_MOST || module->build[digits] || !(c = calloc(1, sizeof(*c))))
		return NULL;
	if (asprintf(&c->path, "%s/%s", folder, module->build) < 0) {
		free(c);
		return NULL;
	}
	read_file(c);
	return c;
}

static const struct entry *find_entry(const struct symbols_cache *c, uint64_t offset)
{
	uint32_t low = 0, high = c->known;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->entries[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low && c->entries[low - 1].offset == offset ? &c->entries[low - 1] : NULL;
}

uint32_t symbols_cache_find(const struct symbols_cache *c, uint64_t offset, struct symbol out[SYMBOLS_MOST])
{
	const struct entry *e = find_entry(c, offset);
	const char *line = e ? c->text + e->at : NULL;
	bool complete = true;

	for (uint32_t i = 0; e && i < e->count; i++, line = next_line(c, line)) {
		const char *tab = strchr(line, '\t'), *second = strchr(tab + 1, '\t');
		char *space;

		out[i] = (struct symbol){ .line = (uint32_t)strtoul(line, &space, 10),
					  .at = (uint32_t)strtoul(space, NULL, 10),
					  .name = strndup(tab + 1, (size_t)(second - tab - 1)),
					  .file = strndup(second + 1, strcspn(second + 1, "\n")) };
		complete &= out[i].name && out[i].file;
	}
	for (uint32_t i = 0; e && !complete && i < e->count; i++) {
		free(out[i].name);
		free(out[i].file);
	}
	return e && complete ? e->count : 0;
}

static bool is_plain(const char *text)
{
	while (*text && (unsigned char)*text >= ' ')
		text++;
	return !*text;
}

/* False: out of memory, or the file would be too long. */
static bool put_text(struct symbols_cache *c, const char *text, int length)
{
	if (length < 0 || (uint64_t)c->size + (uint32_t)length + 1 >= FILE_MOST ||
	    !array_reserve(&c->text, &c->room, (uint64_t)c->size + (uint32_t)length + 1, 1))
		return false;
	memcpy(c->text + c->size, text, (size_t)length + 1);
	c->size += (uint32_t)length;
	return true;
}

static bool put_function(struct symbols_cache *c, const struct symbol *s)
{
	char *line = NULL;
	int length = is_plain(s->name) && is_plain(s->file)
			     ? asprintf(&line, "%" PRIu32 " %" PRIu32 "\t%s\t%s\n", s->line, s->at, s->name, s->file)
			     : -1;
	bool done = put_text(c, line, length);

	free(length >= 0 ? line : NULL);
	return done;
}

void symbols_cache_add(struct symbols_cache *c, uint64_t offset, const struct symbol *found, uint32_t count)
{
	struct entry e = { .offset = offset, .at = c->size, .count = count };

	for (uint32_t i = 0; i < count; i++)
		if (!put_function(c, &found[i])) {
			c->size = e.at;
			return;
		}
	if (array_reserve(&c->entries, &c->capacity, c->count + 1ull, sizeof(*c->entries)))
		c->entries[c->count++] = e;
}

static int by_offset(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool write_entries(struct symbols_cache *c, FILE *out)
{
	qsort(c->entries, c->count, sizeof(*c->entries), by_offset);
	fputs(FIRST_LINE, out);
	for (uint32_t i = 0; i < c->count; i++) {
		const struct entry *e = &c->entries[i];
		const char *end = c->text + e->at;

		if (i && e->offset == e[-1].offset)
			continue;
		for (uint32_t k = 0; k < e->count; k++)
			end = next_line(c, end);
		fprintf(out, "%" PRIx64 " %" PRIx32 "\n%.*s", e->offset, e->count, (int)(end - c->text - e->at), c->text + e->at);
	}
	return !ferror(out);
}

/* Removes the file that was written longest ago, if there are too many. */
static void bound_folder(void)
{
	DIR *in = opendir(folder);
	char oldest[NAME_MAX + 1] = "";
	int64_t age = INT64_MAX;
	unsigned count = 0;

	for (struct dirent *e; in && (e = readdir(in));) {
		struct stat about;

		if (fstatat(dirfd(in), e->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode))
			continue;
		count++;
		if (about.st_mtim.tv_sec < age) {
			age = about.st_mtim.tv_sec;
			snprintf(oldest, sizeof(oldest), "%s", e->d_name);
		}
	}
	if (in && count > FILES_MOST)
		unlinkat(dirfd(in), oldest, 0);
	if (in)
		closedir(in);
}

/* The folder, and the one around it, are made if they are missing. */
static bool make_folder(void)
{
	char *around = strdup(folder), *slash = around ? strrchr(around, '/') : NULL;
	struct stat about;

	if (slash && slash > around) {
		*slash = '\0';
		mkdir(around, 0700);
	}
	free(around);
	mkdir(folder, 0700);
	return lstat(folder, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid();
}

/* Whoever reads it meanwhile finds the file of before, or this one. */
static void write_file(struct symbols_cache *c)
{
	char *path = NULL;
	int fd = make_folder() && asprintf(&path, "%s.XXXXXX", c->path) >= 0 ? mkostemp(path, O_CLOEXEC) : -1;
	FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
	bool written = out && write_entries(c, out);

	if (out)
		written = fclose(out) == 0 && written;
	else if (fd >= 0)
		close(fd);
	if (fd >= 0 && (!written || rename(path, c->path) != 0))
		unlink(path);
	else if (fd >= 0)
		bound_folder();
	free(path);
}

void symbols_cache_close(struct symbols_cache *c)
{
	if (!c)
		return;
	if (c->count > c->known)
		write_file(c);
	free(c->path);
	free(c->text);
	free(c->entries);
	free(c);
}
