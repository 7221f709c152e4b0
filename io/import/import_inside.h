/* SPDX-License-Identifier: MIT */
/*
 * import_inside: an importer is a function that reads all of an input and tells it to a trace (trace.h). What it finds
 * wrong it counts; false says only that the file cannot be of its format at all, and result->why what it is then.
 */
#ifndef IO_IMPORT_INSIDE_H
#define IO_IMPORT_INSIDE_H

#include "io/import/import.h"
#include "io/import/input.h"
#include "io/import/trace.h"

/* A trace in memory: profile and calls are both set, or both NULL. */
struct import_output {
	struct profile *profile;
	struct transitions *calls;
	int spool; /* else a recording of it, at its end; -1 */
};

struct importing {
	struct input in;
	const struct import_options *options;
	struct import_result *result;
	struct anomalies *anomalies; /* of the result */
	struct trace *trace; /* NULL: it is not known yet what the file is */
	bool abandoned;      /* nobody wants it any more */
};

/* Reads all of `fd`, which stays open. False: result->why. */
bool import_convert(int fd, const struct import_options *options, struct import_output *out, struct import_result *result);

typedef bool importer(struct importing *i);

importer import_text, import_timer_json, import_timer_binary, import_chrome, import_folded;

/* Says how far it is. False: it is to stop, or all fails. Also asked while a pipe gives nothing. */
bool import_goes_on(struct importing *i);

/* input_more, as long as it goes on. */
bool import_more(struct importing *i);

/* A sentence into result->why. Returns false. */
bool import_refuses(struct importing *i, const char *what);

/* The same, and what ended the reading, if anything did. */
bool import_lacks(struct importing *i, const char *what);

/* The file ends here, but its records do not: it was cut off, or what is packed could not be unpacked. */
void import_cut(struct importing *i, uint64_t place);

/* Each line without its end. One that is longer than fits is given as far as it does, and then `cut`. */
typedef void import_line(void *context, const char *line, size_t size, bool cut, uint64_t number);
void import_lines(struct importing *i, import_line *line, void *context);

/* The same of the first lines in some bytes, but for a last one without an end.
 * Returns how many of at most `most` lines `is` holds for, and in *lines how
 * many there were. Blank lines do not count. Neither do lines that begin with
 * #, if `is` does not hold for them: they are comments. */
uint32_t import_count_lines(const char *bytes, size_t size, uint32_t most, bool (*is)(const char *line, size_t size),
			    uint32_t *lines);

/* Space between the fields of a line. */
static inline bool import_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

bool import_is_blank(const char *line, size_t size);

/* Tests of the importers for their own format. */
bool text_is(const char *line, size_t size);
bool folded_is(const char *line, size_t size);

#endif
