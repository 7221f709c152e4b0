/* SPDX-License-Identifier: MIT */
/*
 * app_complete: Tab behind `:`: the rest of a command or of its value, as far as it can only be that, and what it
 * can be.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/text.h"
#include "model/report/file_kinds.h"
#include "tui/app/app_inside.h"
#include "tui/cells/theme.h"

bool app_column_name(const struct app *a, int column, char out[APP_COLUMN_NAME])
{
	const struct table *t = &app_view(a)->table;
	const char *title = table_title(t, column);

	if (!title)
		return false;
	if (table_report(t))
		title = report_columns[column].key;
	snprintf(out, APP_COLUMN_NAME, "%s", title);
	for (char *c = out; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return true;
}

/* Value i that a command may have. NULL: there are no more; "": this place has none. Caller frees. */

static char *view_at(const struct app *a, uint32_t i)
{
	char name[32];

	if (i >= VIEWS)
		return NULL;
	snprintf(name, sizeof(name), "%s", a->views[i]->ops->name);
	*name = (char)tolower((unsigned char)*name);
	return strdup(name);
}

static char *column_at(const struct app *a, uint32_t i)
{
	char name[APP_COLUMN_NAME];

	if (i >= TABLE_COLUMNS)
		return NULL;
	return strdup(app_column_name(a, (int)i, name) ? name : "");
}

static char *zone_at(const struct app *a, uint32_t i)
{
	struct query *query = times_query(&a->at->times);
	const char *name;

	if (!query || i >= query_keys(query)->count)
		return NULL;
	name = keys_shown(query_keys(query), times_profile(&a->at->times), i);
	return strdup(i && name ? name : "");
}

static char *thread_at(const struct app *a, uint32_t i)
{
	const struct profile *p = times_profile(&a->at->times);

	if (!p || i > p->thread_count)
		return NULL;
	if (i == p->thread_count)
		return strdup("all");
	return p->threads[i].namesake == i ? name_safe(p->threads[i].name, a->style.ascii) : strdup("");
}

static char *average_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < AVERAGE_SLOTS ? strdup(average_names[i]) : NULL;
}

static char *unit_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < UNITS ? strdup(unit_names[i]) : NULL;
}

static char *worst_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < WORST_ORDERS ? strdup(worst_names[i]) : NULL;
}

static char *theme_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < THEMES ? strdup(theme_names[i]) : NULL;
}

static char *kind_at(const struct app *a, uint32_t i)
{
	(void)a;
	if (i >= FILE_KINDS)
		return NULL;
	return strdup(file_kinds[i].form == FILE_REPORT ? "" : file_kind_names[i]);
}

static char *mark_at(const struct app *a, uint32_t i)
{
	char name[2] = { (char)('a' + i), '\0' };

	if (i >= FRAME_MARKS)
		return NULL;
	return strdup(a->at->times.marks[i] ? name : "");
}

static char *command_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < line_command_count ? strdup(line_commands[i].name) : NULL;
}

typedef char *candidate(const struct app *a, uint32_t i);

static candidate *const candidates[LINE_ACTS] = {
	[LINE_VIEW] = view_at, [LINE_SORT] = column_at, [LINE_ZONE] = zone_at, [LINE_THREAD] = thread_at,
	[LINE_AVERAGE] = average_at, [LINE_UNIT] = unit_at, [LINE_THEME] = theme_at, [LINE_GO_TO] = mark_at,
	[LINE_EXPORT] = kind_at, [LINE_WORST] = worst_at,
};

/* What of them begins with what is there. */
struct found {
	uint32_t count;
	char common[PROMPT_SIZE]; /* so far all begin */
	char list[256];
};

static void find(const struct app *a, candidate *at, const char *begun, struct found *f)
{
	size_t length = strlen(begun);
	char *name;

	*f = (struct found){ 0 };
	for (uint32_t i = 0; (name = at(a, i)); i++) {
		size_t used = strlen(f->list), same = 0;

		if (*name && !strncasecmp(name, begun, length)) {
			if (!f->count++)
				snprintf(f->common, sizeof(f->common), "%s", name);
			while (name[same] && name[same] == f->common[same])
				same++;
			while (same && ((unsigned char)f->common[same] & 0xc0) == 0x80)
				same--; /* no character is cut */
			f->common[same] = '\0';
			if (used + strlen(name) + 2 < sizeof(f->list))
				snprintf(f->list + used, sizeof(f->list) - used, "%s%s", used ? "  " : "", name);
		}
		free(name);
	}
}

/* The line with what was found in the place of what had been begun at `from`. */
static void take(struct app *a, size_t from, const struct found *f, const char *behind)
{
	char line[2 * PROMPT_SIZE];

	snprintf(line, sizeof(line), "%.*s%s%s", (int)from, a->ask.prompt.text, f->common, behind);
	if (strlen(line) < PROMPT_SIZE)
		prompt_begin(&a->ask.prompt, a->ask.prompt.label, line);
}

void app_complete(struct app *a)
{
	const char *text = a->ask.prompt.text;
	size_t from = strspn(text, " "), length = strcspn(text + from, " ");
	const struct line_command *c;
	candidate *at = command_at;
	struct found f;

	if (a->ask.prompt.cursor != a->ask.prompt.length)
		return;
	if (text[from + length]) { /* it is the value */
		c = line_command_find(text + from, length);
		at = c ? candidates[c->act] : NULL;
		from += length;
		from += strspn(text + from, " ");
	}
	if (!at)
		return;
	find(a, at, text + from, &f);
	if (!f.count) {
		app_say(a, "no match");
		return;
	}
	c = at == command_at && f.count == 1 ? line_command_find(f.common, strlen(f.common)) : NULL;
	if (strlen(f.common) >= strlen(text + from))
		take(a, from, &f, c && c->value ? " " : "");
	if (f.count > 1) {
		app_say(a, "%s", f.list);
		a->said.choices = true;
	}
}
