/* SPDX-License-Identifier: MIT */
#include "proftop/source_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "model/base/array.h"
#include "model/base/text.h"

#define FILES_MOST 256
#define FILE_BYTES (16u << 20) /* larger files are not read */
#define LINE_BYTES 500         /* of a line; the rest is cut */

struct source_text {
	char *file;  /* as the program names it */
	char *path;  /* on this machine; NULL: the file was not found */
	char *bytes; /* NULL: not read yet, or it could not be read */
	size_t size;
	struct stat read; /* the state of the file when it was read */
	time_t looked;    /* second of the last check for changes */
	uint32_t *begins; /* by line, from line 1 on */
	uint32_t line_count, line_capacity;
};

struct source_texts {
	struct source_text files[FILES_MOST];
	uint32_t count;
	char *shown; /* the line that was given last */
};

struct source_texts *source_texts_new(void)
{
	return calloc(1, sizeof(struct source_texts));
}

void source_texts_free(struct source_texts *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->count; i++) {
		free(s->files[i].file);
		free(s->files[i].path);
		free(s->files[i].bytes);
		free(s->files[i].begins);
	}
	free(s->shown);
	free(s);
}

bool source_of_zone(const struct profile *p, const char *file, bool ascii, char out[SOURCE_PATH], char *why, size_t why_size)
{
	struct wanted_source source = { .file = file, .command = p->process.command ? p->process.command : "" };

	if (p->process.state == PROFILE_LIVE && p->process.here)
		source.pid = p->process.pid;
	return source_find(&source, ascii, out, why, why_size);
}

static void find_lines(struct source_text *t)
{
	for (size_t i = 0; i < t->size; i++)
		if (t->bytes[i] == '\t')
			t->bytes[i] = ' ';
	for (size_t at = 0; at < t->size;) {
		const char *end = memchr(t->bytes + at, '\n', t->size - at);

		if (!array_reserve(&t->begins, &t->line_capacity, t->line_count + 1ull, sizeof(*t->begins)))
			return;
		t->begins[t->line_count++] = (uint32_t)at;
		at = end ? (size_t)(end - t->bytes) + 1 : t->size;
	}
}

/* The end of a path: its folder and its name. */
static const char *with_folder(const char *path)
{
	const char *at = path + strlen(path);

	for (int slashes = 0; at > path && slashes < 2;)
		slashes += *--at == '/';
	return at;
}

static void find_file(struct source_text *t, const struct profile *p)
{
	char path[SOURCE_PATH], why[512];

	if (source_of_zone(p, t->file, false, path, why, sizeof(why)) && !strcmp(with_folder(path), with_folder(t->file)))
		t->path = strdup(path);
}

static void read_file(struct source_text *t)
{
	FILE *in = fopen(t->path, "re");

	free(t->bytes);
	t->bytes = NULL;
	t->size = 0;
	t->line_count = 0;
	if (!in)
		return;
	if (fstat(fileno(in), &t->read) == 0 && S_ISREG(t->read.st_mode) && (t->bytes = malloc(FILE_BYTES)))
		t->size = fread(t->bytes, 1, FILE_BYTES, in);
	if (ferror(in) || t->size == FILE_BYTES)
		t->size = 0;
	fclose(in);
	if (t->bytes && t->size) {
		char *less = realloc(t->bytes, t->size);

		t->bytes = less ? less : t->bytes;
		find_lines(t);
	}
}

/* Once a second, checks whether the file was replaced or changed. */
static void renew_file(struct source_text *t)
{
	time_t now = time(NULL);
	struct stat about;

	if (!t->path || t->looked == now)
		return;
	t->looked = now;
	if (stat(t->path, &about) != 0 || !S_ISREG(about.st_mode))
		t->size = t->line_count = 0;
	else if (!t->bytes || about.st_ino != t->read.st_ino || about.st_size != t->read.st_size ||
		 about.st_mtim.tv_sec != t->read.st_mtim.tv_sec || about.st_mtim.tv_nsec != t->read.st_mtim.tv_nsec)
		read_file(t);
}

static struct source_text *text_of(struct source_texts *s, const struct profile *p, const char *file)
{
	struct source_text *t;

	for (uint32_t i = 0; i < s->count; i++)
		if (!strcmp(s->files[i].file, file)) {
			renew_file(&s->files[i]);
			return &s->files[i];
		}
	if (s->count == FILES_MOST || !(s->files[s->count].file = strdup(file)))
		return NULL;
	t = &s->files[s->count++];
	find_file(t, p);
	renew_file(t);
	return t;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A line is shown and not read back, so `\\\\` may be `\\` again. */
static void join_backslashes(char *text)
{
	char *out = text;

	for (const char *in = text; *in; in++) {
		in += in[0] == '\\' && in[1] == '\\';
		*out++ = *in;
	}
	*out = '\0';
}

const char *source_texts_line(void *texts, const struct profile *p, const char *file, uint32_t line)
{
	struct source_texts *s = texts;
	struct source_text *t = *file ? text_of(s, p, file) : NULL;
	const char *from, *end;

	if (!t || !line || line > t->line_count)
		return NULL;
	from = t->bytes + t->begins[line - 1];
	end = t->bytes + (line < t->line_count ? t->begins[line] : t->size);
	while (from < end && is_blank(*from))
		from++;
	while (end > from && is_blank(end[-1]))
		end--;
	free(s->shown);
	s->shown = name_escape(from, end - from < LINE_BYTES ? (size_t)(end - from) : LINE_BYTES);
	if (s->shown)
		join_backslashes(s->shown);
	return s->shown;
}
