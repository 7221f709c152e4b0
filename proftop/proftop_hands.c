/* SPDX-License-Identifier: MIT */
#include "proftop/proftop_hands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "model/base/text.h"
#include "proftop/copy_file.h"
#include "proftop/editor.h"
#include "proftop/source_file.h"
#include "tui/cells/figures.h"
#include "tui/widgets/clipping.h"

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

static void edit(struct app *app, const char *path, void (*meanwhile)(void *context), void *context)
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
	struct source_file source = { .file = app->wanted.source };
	char path[SOURCE_PATH], why[sizeof(app->said.text)];

	if (!p)
		return;
	source.command = p->process.command ? p->process.command : "";
	source.pid = scene_lives(app->at->state) && p->process.state == PROFILE_LIVE ? p->process.pid : 0;
	if (source_find(&source, app->style.ascii, path, why, sizeof(why)))
		edit(app, path, meanwhile, context);
	else
		app_say(app, "%s", why);
}

/* The clipboard */

static void copy(struct app *app, const char *text, const char *what)
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
		copy(app, text, row ? "row" : "screen");
	free(text);
}
