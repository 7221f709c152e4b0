/* SPDX-License-Identifier: MIT */
#include "proftop/proftop_hands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/text.h"
#include "proftop/output.h"
#include "proftop/source_text.h"
#include "tui/cells/figures.h"

#define CELL_BYTES (CELL_CODES * 4)

static const struct cell *cell_at(const struct canvas *c, int x, int y)
{
	return &c->cells[(size_t)y * (size_t)c->width + (size_t)x];
}

/* Cells [from, end) of a line, without blanks around them if `both`, else behind them. Returns the end. */
static char *put_cells(const struct canvas *c, int y, int from, int end, bool both, char *to)
{
	if (from < 0)
		from = 0;
	if (end > c->width)
		end = c->width;
	while (end > from && cell_at(c, end - 1, y)->codes[0] == ' ')
		end--;
	while (both && from < end && cell_at(c, from, y)->codes[0] == ' ')
		from++;
	for (; from < end; from++) {
		const struct cell *cell = cell_at(c, from, y);

		for (int i = 0; i < CELL_CODES && cell->codes[i]; i++)
			to += utf8_encode(cell->codes[i], to);
	}
	return to;
}

char *clipping_screen(const struct canvas *c)
{
	size_t line = (size_t)c->width * CELL_BYTES + 1;
	char *text = malloc(line * (size_t)c->height + 1), *to = text;

	for (int y = 0; text && y < c->height; y++) {
		to = put_cells(c, y, 0, c->width, false, to);
		*to++ = '\n';
	}
	if (text)
		*to = '\0';
	return text;
}

/* The line of the row of the cursor; below 0: it is not in sight. */
static int selected_line(const struct canvas *c, const struct table *t)
{
	for (int y = t->drawn.y < 0 ? 0 : t->drawn.y; y < t->drawn.y + t->drawn.height && y < c->height; y++)
		if (t->drawn.x >= 0 && t->drawn.x < c->width && cell_at(c, t->drawn.x, y)->selected)
			return y;
	return -1;
}

/* The column that begins behind x, and nearest to it; -1: none. */
static int column_behind(const struct table *t, int x)
{
	int found = -1;

	for (int i = 0; i < TABLE_COLUMNS; i++)
		if (t->shown >> i & 1 && (int)t->places[i].x > x &&
		    (found < 0 || t->places[i].x < t->places[found].x))
			found = i;
	return found;
}

char *clipping_row(const struct canvas *c, const struct table *t)
{
	char *text = malloc((size_t)c->width * CELL_BYTES + TABLE_COLUMNS + 2), *to = text;
	int y = selected_line(c, t), left = t->drawn.x + TABLE_POINTER;

	if (!text)
		return NULL;
	for (int column = column_behind(t, -1); y >= 0 && column >= 0;
	     column = column_behind(t, (int)t->places[column].x)) {
		int x = left + (int)t->places[column].x, end = x + (int)t->places[column].width;

		if (to > text)
			*to++ = '\t';
		to = put_cells(c, y, x, end < t->drawn.x + t->drawn.width ? end : t->drawn.x + t->drawn.width, true,
			       to);
	}
	*to = '\0';
	return text;
}

#define FILE_NAME "copy.txt"

/* False: its name is too long. */
static bool find_folder(char path[COPY_FILE_PATH])
{
	const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
	size_t room = COPY_FILE_PATH - sizeof("/" FILE_NAME);
	int length;

	if (runtime && *runtime == '/')
		length = snprintf(path, room, "%s/proftop", runtime);
	else
		length = snprintf(path, room, "%s/proftop-%ld", temporary && *temporary == '/' ? temporary : "/tmp",
				  (long)geteuid());
	return length >= 0 && (size_t)length < room;
}

/* Below 0: *why says why. */
static int open_folder(const char *path, const char **why)
{
	struct stat st;
	int fd;

	if (mkdir(path, 0700) && errno != EEXIST) {
		*why = strerror(errno);
		return -1;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		*why = strerror(errno);
		return -1;
	}
	if (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	*why = "other users can write to that folder";
	close(fd);
	return -1;
}

/* A reader of the file has the old copy as a whole until the new one takes its place. */
static bool replace_copy(int folder, const char *text, size_t length)
{
	static const char new_name[] = FILE_NAME ".new";
	bool written;
	int fd;

	unlinkat(folder, new_name, 0);
	fd = openat(folder, new_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	written = output_all(fd, text, length);
	return !close(fd) && written && !renameat(folder, new_name, folder, FILE_NAME);
}

bool copy_file_write(const char *text, size_t length, char path[COPY_FILE_PATH], char *why, size_t why_size)
{
	const char *reason = "its name is too long";
	int folder = find_folder(path) ? open_folder(path, &reason) : -1;
	bool done = folder >= 0 && replace_copy(folder, text, length);

	if (folder >= 0 && !done)
		reason = strerror(errno);
	if (folder >= 0)
		close(folder);
	strcat(path, "/" FILE_NAME);
	if (!done)
		snprintf(why, why_size, "%s", reason);
	return done;
}

#define ARGUMENTS_MOST 64
#define FORM_WORDS 3

/* How editors are told the line: words, in which %f is the file and %l the line. */
static const struct form {
	const char *names; /* with a blank on both sides of each */
	const char *words[FORM_WORDS];
} forms[] = {
	{ " vi vim nvim gvim view vimx vimr nvi elvis vile ex nano pico rnano emacs emacsclient mg zile jove "
	  "joe jmacs jstar jpico rjoe micro kak ne mcedit gedit pluma xed ",
	  { "+%l", "%f" } },
	{ " code code-insiders codium vscodium cursor ", { "-g", "%f:%l" } },
	{ " subl sublime_text hx helix zed zeditor ", { "%f:%l" } },
	{ " kate kwrite ", { "-l", "%l", "%f" } },
	{ " idea clion ", { "--line", "%l", "%f" } },
};
#define FORMS (sizeof(forms) / sizeof(*forms))

const char *editor_name(const struct editor *e)
{
	const char *slash = strrchr(e->argv[0], '/');

	return slash ? slash + 1 : e->argv[0];
}

/* The first `length` letters of a name are one of the list. */
static bool is_listed(const char *names, const char *name, size_t length)
{
	for (const char *at = names; length && (at = strstr(at, " ")) && at[1]; at++)
		if (!strncmp(at + 1, name, length) && at[1 + length] == ' ')
			return true;
	return false;
}

/* `vim.basic` and `emacs-29` are what they begin with, unless they have a line of their own. */
static const struct form *form_of(const char *name)
{
	for (size_t i = 0; i < FORMS; i++)
		if (is_listed(forms[i].names, name, strlen(name)))
			return &forms[i];
	for (size_t i = 0; i < FORMS; i++)
		if (is_listed(forms[i].names, name, strcspn(name, ".-")))
			return &forms[i];
	return &forms[0];
}

/* Words. They are written one behind the other, each with its NUL, and told apart as sh does. */

struct reader {
	const char *at;
	char *to;
};

/* Reads the text between quotes. False: they have no end. */
static bool read_quoted(struct reader *r)
{
	char quote = *r->at++;

	while (*r->at && *r->at != quote) {
		if (quote == '"' && *r->at == '\\' && r->at[1] && strchr("\"\\$`", r->at[1]))
			r->at++;
		*r->to++ = *r->at++;
	}
	return *r->at++ == quote;
}

static bool read_word(struct reader *r)
{
	while (*r->at && *r->at != ' ' && *r->at != '\t') {
		if (*r->at == '\'' || *r->at == '"') {
			if (!read_quoted(r))
				return false;
			continue;
		}
		if (*r->at == '\\' && r->at[1])
			r->at++;
		*r->to++ = *r->at++;
	}
	*r->to++ = '\0';
	return true;
}

/* False: `why` says what is wrong. */
static bool split_command(struct editor *e, const char *command, int *count, char *why, size_t why_size)
{
	struct reader r = { command, e->text };

	for (*count = 0; *(r.at += strspn(r.at, " \t"));) {
		if (*count == ARGUMENTS_MOST) {
			snprintf(why, why_size, "VISUAL or EDITOR has more than %d words", ARGUMENTS_MOST);
			return false;
		}
		e->argv[(*count)++] = r.to;
		if (!read_word(&r)) {
			snprintf(why, why_size, "VISUAL or EDITOR has a quote without an end");
			return false;
		}
	}
	if (*count && !*e->argv[0])
		snprintf(why, why_size, "VISUAL or EDITOR begins with an empty name");
	return *count && *e->argv[0];
}

/* The file and its line, in the words of the editor. */
static void add_place(struct editor *e, int count, const char *file, uint32_t line, char *to)
{
	const struct form *form = form_of(editor_name(e));

	if (!line) {
		e->argv[count++] = to;
		strcpy(to, file);
	}
	for (int i = 0; line && i < FORM_WORDS && form->words[i]; i++) {
		e->argv[count++] = to;
		for (const char *at = form->words[i]; *at; at++) {
			if (*at != '%')
				*to++ = *at;
			else if (*++at == 'f')
				to = stpcpy(to, file);
			else
				to += sprintf(to, "%u", line);
		}
		*to++ = '\0';
	}
	e->argv[count] = NULL;
}

/* Where the user names none: the first of them that is installed. */
static const char *const fallbacks[] = { "vi", "vim", "nano", "editor" };

static bool is_in(const char *folder, size_t length, const char *name)
{
	char path[4096];
	struct stat st;

	return snprintf(path, sizeof(path), "%.*s/%s", (int)length, folder, name) < (int)sizeof(path) &&
	       !access(path, X_OK) && !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_installed(const char *name)
{
	const char *folders = getenv("PATH");

	for (const char *at = folders ? folders : "/usr/bin:/bin"; *at; at += *at == ':') {
		size_t length = strcspn(at, ":");

		if (is_in(length ? at : ".", length ? length : 1, name))
			return true;
		at += length;
	}
	return false;
}

static const char *fallback_editor(void)
{
	for (size_t i = 0; i < sizeof(fallbacks) / sizeof(*fallbacks); i++)
		if (is_installed(fallbacks[i]))
			return fallbacks[i];
	return NULL;
}

/* Blanks alone say nothing. */
static bool is_said(const char *text)
{
	return text && text[strspn(text, " \t")];
}

bool editor_init(struct editor *e, const char *visual, const char *editor, const char *file, uint32_t line,
		 char *why, size_t why_size)
{
	const char *command = is_said(visual) ? visual : is_said(editor) ? editor : fallback_editor();
	size_t size = command ? strlen(command) + 1 : 0;
	int count;

	*e = (struct editor){ 0 };
	if (!command) {
		snprintf(why, why_size, "no editor: set VISUAL or EDITOR to one, as in EDITOR=nano (%s, %s and %s are not installed)",
			 fallbacks[0], fallbacks[1], fallbacks[2]);
		return false;
	}
	e->argv = calloc(ARGUMENTS_MOST + FORM_WORDS + 1, sizeof(*e->argv));
	e->text = calloc(2 * size + strlen(file) + 64, 1);
	snprintf(why, why_size, "out of memory");
	if (e->argv && e->text && split_command(e, command, &count, why, why_size)) {
		add_place(e, count, file, line, e->text + 2 * size);
		return true;
	}
	editor_fini(e);
	return false;
}

void editor_fini(struct editor *e)
{
	free(e->argv);
	free(e->text);
	*e = (struct editor){ 0 };
}

/* The editor */

static void say_end(struct app *app, const char *name, int status, int error)
{
	if (status < 0)
		app_say(app, "%s cannot be run: %s. Set VISUAL or EDITOR to your editor", name, strerror(error));
	else if (WIFSIGNALED(status))
		app_say(app, "%s was killed by signal %d (%s)", name, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		app_say(app, "%s failed: exit status %d", name, WEXITSTATUS(status));
}

static void edit_source(struct app *app, const char *path, void (*meanwhile)(void *context), void *context)
{
	struct editor e = { 0 };
	char why[256], *name;
	int error = 0, status;

	if (!editor_init(&e, getenv("VISUAL"), getenv("EDITOR"), path, app->wanted.source_line, why, sizeof(why))) {
		app_say(app, "%s", why);
		return;
	}
	status = term_lend(e.argv, meanwhile, context, &error);
	name = name_safe(editor_name(&e), app->style.ascii);
	say_end(app, name ? name : "the editor", status, error);
	free(name);
	editor_fini(&e);
}

void hands_edit(struct app *app, void (*meanwhile)(void *context), void *context)
{
	const struct profile *p = times_profile(&app->at->times);
	char path[SOURCE_PATH], why[sizeof(app->said.text)];

	if (!p)
		return;
	if (source_of_zone(p, app->wanted.source, app->style.ascii, path, why, sizeof(why)))
		edit_source(app, path, meanwhile, context);
	else
		app_say(app, "%s", why);
}

/* The clipboard */

static void copy_text(struct app *app, const char *text, const char *what)
{
	size_t length = strlen(text);
	char path[COPY_FILE_PATH], why[256], *shown;
	bool clipped = term_clip(text, length), filed = copy_file_write(text, length, path, why, sizeof(why));

	shown = name_safe(path, app->style.ascii);
	if (filed)
		app_say(app, clipped ? "%s copied (also in %s)" : "%s copied to %s; the terminal has no clipboard", what,
			shown ? shown : "?");
	else if (clipped)
		app_say(app, "%s copied (but not to %s: %s)", what, shown ? shown : "?", why);
	else
		app_say(app, "not copied: the terminal has no clipboard, and %s: %s", shown ? shown : "?", why);
	free(shown);
}

void hands_copy(struct app *app, const struct canvas *c, bool row)
{
	char *text = row ? clipping_row(c, &app->views[app->view]->table) : clipping_screen(c);

	if (!text)
		app_say(app, "out of memory");
	else if (!*text)
		app_say(app, "no row here to copy");
	else
		copy_text(app, text, row ? "row" : "screen");
	free(text);
}
