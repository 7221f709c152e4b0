/* SPDX-License-Identifier: MIT */
#include "proftop/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/text.h"
#include "proftop/choose.h"
#include "proftop/options_table.h"
#include "proftop/output.h"

#define NAME_SIZE 32
#define VALUE_SIZE 64
#define COMMENT_WIDTH 78

/* A line of the file: its setting and its value. */
struct setting_line {
	const char *text;
	size_t length;     /* without the end of the line */
	char name[NAME_SIZE], value[VALUE_SIZE];
	const char *comment; /* from the # on; the end of the line where there is none */
	bool blank;        /* a comment alone, or nothing */
	const char *why;   /* it is none; NULL: it is one */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Copies the text between two places, without the blanks around it. False: it is too long. */
static bool copy_trimmed(char *out, size_t size, const char *begin, const char *end)
{
	while (begin < end && is_blank(*begin))
		begin++;
	while (end > begin && is_blank(end[-1]))
		end--;
	snprintf(out, size, "%.*s", (int)(end - begin < (long)size ? end - begin : (long)size), begin);
	return (size_t)(end - begin) < size;
}

static void read_line(struct setting_line *l, const char *text)
{
	const char *end = text + strcspn(text, "\n"), *equals;

	*l = (struct setting_line){ .text = text, .length = (size_t)(end - text) };
	l->comment = memchr(text, '#', l->length);
	if (!l->comment)
		l->comment = end;
	equals = memchr(text, '=', (size_t)(l->comment - text));
	if (copy_trimmed(l->name, sizeof(l->name), text, l->comment) && !*l->name) {
		l->blank = true;
		return;
	}
	if (!equals)
		l->why = "no = found. A line is `name = value`. Comments begin with #";
	else if (!copy_trimmed(l->name, sizeof(l->name), text, equals))
		l->why = "no setting has such a long name";
	else if (!copy_trimmed(l->value, sizeof(l->value), equals + 1, l->comment))
		l->why = "no setting has such a long value";
}

static const char *next_line(const struct setting_line *l)
{
	const char *end = l->text + l->length;

	return *end ? end + 1 : end;
}

static const struct option_def *find_setting(const char *name)
{
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].setting && !strcmp(option_table[i].setting, name))
			return &option_table[i];
	return NULL;
}

/* Values */

static bool take_flag(struct options *o, const struct option_def *def, const char *value, char *why,
		      size_t why_size)
{
	static const char *const words[][2] = { { "no", "yes" }, { "off", "on" }, { "false", "true" },
						{ "0", "1" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		for (int on = 0; on < 2; on++)
			if (!strcmp(words[i][on], value)) {
				*(bool *)((char *)o + def->field) = on != def->opposite;
				return true;
			}
	snprintf(why, why_size, "%s: '%s' is neither yes nor no", def->setting, value);
	return false;
}

/* The only text is a column, and has to outlive the file that it is from. */
static bool take_column(struct options *o, const struct option_def *def, const char *value, char *why,
			size_t why_size)
{
	const char *key = sort_key(value);

	if (!key) {
		snprintf(why, why_size, "%s: no column '%s'. List all columns: proftop report -s help",
			 def->setting, value);
		return false;
	}
	*(const char **)((char *)o + def->field) = key;
	return true;
}

static bool take_value(struct options *o, const struct option_def *def, const char *value, char *why,
		       size_t why_size)
{
	bool is_unset = def->unset && !strcmp(value, def->unset);

	if (def->kind == KIND_FLAG)
		return take_flag(o, def, value, why, why_size);
	if (def->kind == KIND_TEXT && !is_unset)
		return take_column(o, def, value, why, why_size);
	return option_take(o, def, def->setting, value, why, why_size);
}

static void take_line(struct options *o, const struct setting_line *l, char *why, size_t why_size)
{
	const struct option_def *def = find_setting(l->name);
	struct options changed = *o;

	if (l->why)
		snprintf(why, why_size, "%s", l->why);
	else if (!def)
		snprintf(why, why_size, "no setting '%s'. See proftop.conf(5) for all settings", l->name);
	else if (take_value(&changed, def, l->value, why, why_size))
		*o = changed;
}

static void add_fault(struct settings_fault *fault, unsigned line, const char *why)
{
	char *safe;

	if (fault->line) {
		fault->more++;
		return;
	}
	fault->line = line;
	safe = name_safe(why, true);
	snprintf(fault->why, sizeof(fault->why), "%s", safe ? safe : "it cannot be understood");
	free(safe);
}

void settings_parse(struct options *o, const char *text, struct settings_fault *fault)
{
	struct setting_line l;
	unsigned number = 0;

	*fault = (struct settings_fault){ 0 };
	for (; *text; text = next_line(&l)) {
		char why[SETTINGS_WHY_SIZE] = "";

		number++;
		read_line(&l, text);
		if (!l.blank)
			take_line(o, &l, why, sizeof(why));
		if (*why)
			add_fault(fault, number, why);
	}
}

/* Writing */

static void put_value(const struct options *o, const struct option_def *def, FILE *out)
{
	const void *field = (const char *)o + def->field;
	const char *text;

	switch (def->kind) {
	case KIND_FLAG:
		fputs(*(const bool *)field != def->opposite ? "yes" : "no", out);
		break;
	case KIND_TEXT:
		text = *(const char *const *)field;
		fputs(text ? text : def->unset, out);
		break;
	case KIND_COUNT:
		if (*(const long *)field < def->least && def->unset)
			fputs(def->unset, out);
		else
			fprintf(out, "%ld", *(const long *)field);
		break;
	case KIND_SIZE:
	case KIND_REAL:
	case KIND_BUDGET:
		fprintf(out, "%.10g", *(const double *)field);
		break;
	case KIND_CHOICE:
		fputs(def->choices[*(const int *)field], out);
		break;
	case KIND_HELP:
	case KIND_TARGET:
		break;
	}
}

/* False if the value has no name: nobody chose it, so that the screen decides, or the screen is in a state
 * beyond the choices. Such a value is not written. */
static bool has_value(const struct options *o, const struct option_def *def)
{
	int choice = def->kind == KIND_CHOICE ? *(const int *)((const char *)o + def->field) : 0;

	return def->kind != KIND_CHOICE || (choice >= 0 && choice < def->choice_count && def->choices[choice]);
}

static const char *setting_about(const struct option_def *def)
{
	static const char screen[] = "Screen: ";
	const char *text = def->about ? def->about : def->help;

	return strncmp(text, screen, sizeof(screen) - 1) ? text : text + sizeof(screen) - 1;
}

static void put_comment(const char *text, FILE *out)
{
	while (*text) {
		size_t length = strlen(text), end = COMMENT_WIDTH - 2;

		if (length <= end)
			end = length;
		else
			while (end && text[end] != ' ')
				end--;
		fprintf(out, "# %.*s\n", (int)end, text);
		text += end + (text[end] == ' ');
	}
}

/* ` yes|no`, ` a|b|c`, ` N`; as the command line has it, and the word for what is unset. */
static void value_text(const struct option_def *def, char *out, size_t size)
{
	size_t length;

	if (def->kind == KIND_FLAG)
		snprintf(out, size, " yes|no");
	else
		option_argument(def, out, size);
	length = strlen(out);
	if (def->unset)
		snprintf(out + length, size - length, "|%s", def->unset);
}

static void put_missing(const struct options *o, const struct option_def *def, FILE *out)
{
	char values[160];

	value_text(def, values, sizeof(values));
	fputc('\n', out);
	put_comment(setting_about(def), out);
	fprintf(out, "# %s =%s\n%s = ", def->setting, values, def->setting);
	put_value(o, def, out);
	fputc('\n', out);
}

/* The line with the new value. */
static void put_line(const struct options *o, const struct option_def *def, const struct setting_line *l,
		     FILE *out)
{
	int comment = (int)(l->text + l->length - l->comment);

	fprintf(out, "%s = ", def->setting);
	put_value(o, def, out);
	fprintf(out, "%s%.*s\n", comment ? "  " : "", comment, l->comment);
}

static const struct option_def *setting_of(const struct setting_line *l)
{
	return l->blank || l->why ? NULL : find_setting(l->name);
}

static bool is_in(const struct option_def *def, const char *text)
{
	struct setting_line l;

	for (; *text; text = next_line(&l)) {
		read_line(&l, text);
		if (setting_of(&l) == def)
			return true;
	}
	return false;
}

static void put_all(const struct options *o, const char *before, FILE *out)
{
	struct setting_line l;

	if (!*before)
		fputs("# Settings of the screen of proftop. Press S on the screen to write this file.\n"
	      "# Unknown lines stay. See proftop.conf(5).\n", out);
	for (const char *at = before; *at; at = next_line(&l)) {
		const struct option_def *def;

		read_line(&l, at);
		def = setting_of(&l);
		if (def && has_value(o, def))
			put_line(o, def, &l, out);
		else
			fprintf(out, "%.*s\n", (int)l.length, l.text);
	}
	for (size_t i = 0; i < option_count; i++) {
		const struct option_def *def = &option_table[i];

		if (def->setting && has_value(o, def) && !is_in(def, before))
			put_missing(o, def, out);
	}
}

char *settings_text(const struct options *o, const char *before)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool failed;

	if (!out)
		return NULL;
	put_all(o, before, out);
	failed = ferror(out);
	if (fclose(out) || failed) {
		free(text);
		return NULL;
	}
	return text;
}

void settings_roff(FILE *out)
{
	char values[160];

	for (size_t i = 0; i < option_count; i++) {
		const struct option_def *def = &option_table[i];

		if (!def->setting)
			continue;
		value_text(def, values, sizeof(values));
		fputs(".TP\n.B ", out);
		roff_text(def->setting, out);
		fputs(" \\fR=\\fB", out);
		roff_text(values, out);
		fputs("\\fR\n", out);
		roff_text(setting_about(def), out);
		fputc('\n', out);
	}
}

/* The file */

#define SIZE_MOST 65536 /* bytes of a file that can be one of these */

/* A message may contain any path. */
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

/* A folder that is not told by its whole path is none: so the XDG Base Directory Specification has it. */
bool settings_place(const char *variable, const char *usual, const char *name, char *path, size_t size)
{
	const char *told = getenv(variable), *home = getenv("HOME");
	int length = -1;

	if (told && *told == '/')
		length = snprintf(path, size, "%s/%s", told, name);
	else if (home && *home == '/')
		length = snprintf(path, size, "%s/%s/%s", home, usual, name);
	return length >= 0 && (size_t)length < size;
}

static bool usual_path(char *path, size_t size)
{
	return settings_place("XDG_CONFIG_HOME", ".config", "proftop/config", path, size);
}

static bool find_path(const char *file, char *path, size_t size)
{
	if (!file)
		return usual_path(path, size);
	return (size_t)snprintf(path, size, "%s", file) < size;
}

/* Why a file is not to be read; NULL: it may be. */
static const char *why_not_read(const struct stat *s)
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

	if (fstat(fd, &s) || (*why = why_not_read(&s)))
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
static bool replace_file(const char *path, const char *text)
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
	done = replace_file(target, text);
	if (done)
		say_safely(said, said_size, "saved in %s", target);
	else
		say_safely(said, said_size, "not saved: %s: %s", target, strerror(errno));
	free(text);
	return done;
}
