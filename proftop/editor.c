/* SPDX-License-Identifier: MIT */
#include "proftop/editor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* What stands between quotes. False: they have no end. */
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
static bool split(struct editor *e, const char *command, int *count, char *why, size_t why_size)
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

static const char *fallback(void)
{
	for (size_t i = 0; i < sizeof(fallbacks) / sizeof(*fallbacks); i++)
		if (is_installed(fallbacks[i]))
			return fallbacks[i];
	return NULL;
}

/* Blanks alone say nothing. */
static bool says(const char *text)
{
	return text && text[strspn(text, " \t")];
}

bool editor_init(struct editor *e, const char *visual, const char *editor, const char *file, uint32_t line,
		 char *why, size_t why_size)
{
	const char *command = says(visual) ? visual : says(editor) ? editor : fallback();
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
	if (e->argv && e->text && split(e, command, &count, why, why_size)) {
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
