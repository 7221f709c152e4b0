/* SPDX-License-Identifier: MIT */
/*
 * app_type: what is typed into a line: a search, a filter, the budget.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"

void app_ask(struct app *a, enum command command, const char *label, const char *text)
{
	a->ask.overlay = OVERLAY_PROMPT;
	a->ask.command = command;
	prompt_begin_filled(&a->ask.prompt, label, text);
}

/* False: it is no expression, which is said. */
static bool understand_pattern(struct app *a, struct pattern *pattern, const char *text)
{
	char why[256];

	if (pattern_init(pattern, text, why, sizeof(why)))
		return true;
	app_say(a, "%s", why);
	return false;
}

/* True if a zone of the program matches the search. Called if no row does. */
static bool has_zone(const struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
	bool rows_are_zones = a->view != VIEW_COUNTERS && a->view != VIEW_EVENTS && a->view != VIEW_WORST &&
			      a->view != VIEW_FUNCTIONS;
	uint32_t i = PROFILE_NO_ZONE + 1;

	if (!p || p->thread_count < 2 || !rows_are_zones || app_threads(a, p) == THREADS_ALL)
		return false;
	while (i < p->zone_count && !pattern_matches(&a->search.pattern, p->zones[i].name))
		i++;
	return i < p->zone_count;
}

static void say_not_found(struct app *a)
{
	if (a->search.longer_s > 0 || a->search.shorter_s > 0)
		app_say(a, a->view == VIEW_TIMELINE ? "no single call of '%s' is known"
						    : "'%s' searches by length, which works in the timeline: press "
						      "6",
			a->search.text);
	else if (strpbrk(a->search.text, "<>"))
		app_say(a, "not found: %s (a time needs a unit: >20us)", a->search.text);
	else if (has_zone(a))
		app_say(a, "not found here: %s (the program has such a zone; T shows other threads)", a->search.text);
	else
		app_say(a, "not found: %s", a->search.text);
}

/* Sets the search. False: the text is no pattern. */
static bool take_search(struct app *a, const char *text)
{
	struct pattern pattern;

	snprintf(a->search.text, sizeof(a->search.text), "%s", text);
	snprintf(a->search.name, sizeof(a->search.name), "%s", text);
	condition_parse(a->search.name, &a->search.longer_s, &a->search.shorter_s);
	if (!understand_pattern(a, &pattern, a->search.name)) {
		*a->search.text = '\0';
		return false;
	}
	pattern_fini(&a->search.pattern);
	a->search.pattern = pattern;
	return true;
}

static bool find_pattern(struct app *a, int step, bool here)
{
	struct view *v = app_view(a);
	struct look look = app_looks(a);

	a->stale = true;
	return v->ops->find ? v->ops->find(v, &look, &a->search.pattern, step, here)
			    : table_search(&v->table, &a->search.pattern, step, here);
}

/* As it is typed, a search moves the cursor from where it was when it began. False: it is none. */
bool app_search(struct app *a, const char *text)
{
	struct view *v = app_view(a);

	if (!take_search(a, text))
		return false;
	if (a->search.typed && v->ops->stands)
		v->ops->stands(v, true);
	else if (a->search.from)
		table_go(&v->table, a->search.from);
	if (*a->search.text && !find_pattern(a, 1, true))
		say_not_found(a);
	return true;
}

void app_search_ends(struct app *a)
{
	a->search.typed = false;
	a->search.from = 0;
	app_search(a, "");
	a->stale = true;
}

/* False: the filter stays as it was. */
bool app_filter(struct app *a, const char *text)
{
	struct pattern pattern;

	if (!understand_pattern(a, &pattern, text))
		return false;
	pattern_fini(&pattern);
	snprintf(a->choice.filters[app_filter_of(a)], PROMPT_SIZE, "%s", text);
	app_show_top(a);
	a->stale = true;
	return true;
}

bool app_set_budget(struct app *a, const char *text)
{
	double ms = 0;

	if (*text && !budget_parse(text, &ms)) {
		app_say(a, "not a time; try " BUDGET_FORMS);
		return false;
	}
	a->choice.budget_ms = ms;
	a->at->stats_made = -1;
	a->stale = true;
	app_say_over(a);
	return true;
}

/* In the help, what is searched for is looked for there. */
static bool search_guide(struct app *a, const char *text)
{
	char why[256];

	if (guide_search(&a->guide, text, why, sizeof(why)))
		return true;
	app_say(a, "%s", why);
	return false;
}

static void typed_so_far(struct app *a)
{
	*a->said.text = '\0';
	if (a->guide.open)
		search_guide(a, a->ask.prompt.text);
	else if (a->ask.command == COMMAND_SEARCH)
		app_search(a, a->ask.prompt.text);
	else if (a->ask.command == COMMAND_FILTER)
		app_filter(a, a->ask.prompt.text);
}

/* False: something is wrong with it, which has been said, and it can be mended. */
static bool line_done(struct app *a)
{
	if (a->guide.open)
		return search_guide(a, a->ask.prompt.text);
	if (a->ask.command == COMMAND_BUDGET)
		return app_set_budget(a, a->ask.prompt.text);
	if (a->ask.command == COMMAND_FREEZE) {
		if (!app_set_budget(a, a->ask.prompt.text))
			return false;
		app_arm_freeze(a);
		return true;
	}
	if (a->ask.command == COMMAND_EXPORT)
		return app_export_to(a, a->ask.prompt.text);
	if (a->ask.command == COMMAND_RECORD)
		return app_record_to(a, a->ask.prompt.text);
	return a->ask.command == COMMAND_SEARCH ? app_search(a, a->ask.prompt.text) : app_filter(a, a->ask.prompt.text);
}

static void given_up(struct app *a)
{
	if (a->guide.open) {
		search_guide(a, a->ask.before);
	} else if (a->ask.command == COMMAND_SEARCH) {
		app_search(a, "");
		take_search(a, a->ask.before);
	}
	if (a->ask.command == COMMAND_FILTER)
		app_filter(a, a->ask.before);
}

/* The lines that were typed before, the newest first; and the one that is typed now. */
static void step_history(struct app *a, int step)
{
	struct line_history *h = &a->ask.lines;
	int at = h->at + step;

	if (at < 0 || at > h->count)
		return;
	if (!h->at)
		snprintf(a->ask.before, sizeof(a->ask.before), "%s", a->ask.prompt.text);
	h->at = at;
	prompt_begin(&a->ask.prompt, a->ask.prompt.label, at ? h->texts[at - 1] : a->ask.before);
}

static void remember_line(struct app *a)
{
	struct line_history *h = &a->ask.lines;

	if (!*a->ask.prompt.text || (h->count && !strcmp(h->texts[0], a->ask.prompt.text)))
		return;
	memmove(h->texts[1], h->texts[0], (LINES_KEPT - 1) * sizeof(h->texts[0]));
	memcpy(h->texts[0], a->ask.prompt.text, sizeof(h->texts[0]));
	h->count += h->count < LINES_KEPT;
}

/* Keys that a line of commands has beside those of every prompt. */
static bool line_key(struct app *a, uint32_t key)
{
	if (a->ask.command != COMMAND_LINE)
		return false;
	if (key == TERM_TAB)
		app_complete(a);
	else if (key == TERM_UP || key == TERM_DOWN)
		step_history(a, key == TERM_UP ? 1 : -1);
	else
		return false;
	return true;
}

/* A prompt or list that the typed command opens stays open. */
static unsigned run_line(struct app *a)
{
	unsigned effects;

	a->ask.overlay = OVERLAY_NONE;
	effects = app_run_line(a, a->ask.prompt.text);
	if (effects == LINE_REFUSED) {
		a->ask.overlay = OVERLAY_PROMPT;
		a->ask.command = COMMAND_LINE;
		return EFFECT_DRAW;
	}
	return effects;
}

unsigned app_typed(struct app *a, uint32_t key)
{
	enum prompt_result result;

	if (line_key(a, key))
		return EFFECT_DRAW;
	result = prompt_key(&a->ask.prompt, key);
	if (result == PROMPT_DONE && a->ask.command == COMMAND_LINE) {
		remember_line(a);
		return run_line(a);
	}
	if (result == PROMPT_GOES_ON)
		typed_so_far(a);
	else if (result == PROMPT_GIVEN_UP)
		given_up(a);
	if (result == PROMPT_GIVEN_UP || (result == PROMPT_DONE && line_done(a)))
		a->ask.overlay = OVERLAY_NONE;
	if (result != PROMPT_DONE || a->ask.overlay != OVERLAY_NONE)
		return EFFECT_DRAW;
	return EFFECT_DRAW | (a->ask.command == COMMAND_EXPORT ? EFFECT_EXPORT : 0) |
	       (a->ask.command == COMMAND_RECORD ? EFFECT_RECORD : 0);
}

unsigned app_pasted(struct app *a, uint32_t code)
{
	if (a->ask.overlay == OVERLAY_PICKER && code >= ' ' && code < KEY_FIRST_SPECIAL)
		return app_picked(a, picker_key(&a->ask.picker, code));
	if (a->ask.overlay != OVERLAY_PROMPT)
		return EFFECT_NONE;
	prompt_paste(&a->ask.prompt, code);
	if (!code)
		typed_so_far(a);
	return EFFECT_DRAW;
}

unsigned app_ask_line(struct app *a, int unused)
{
	(void)unused;
	a->ask.lines.at = 0;
	app_ask(a, COMMAND_LINE, ":", "");
	return EFFECT_DRAW;
}

/* `game.prof`: of what is looked at, without what a path has that nobody wants in a name. */
static void propose_recording(const struct app *a, char *out, size_t size)
{
	const struct profile *p = times_profile(&a->at->times);
	const char *program = p ? strrchr(p->process.program, '/') : NULL;
	char name[64];
	size_t length = 0;

	snprintf(name, sizeof(name), "%s", program ? program + 1 : p ? p->process.program : "");
	while (isalnum((unsigned char)name[length]) || (name[length] && strchr("._-", name[length])))
		length++;
	snprintf(out, size, "%.*s.prof", length ? (int)length : 7, length ? name : "program");
}

unsigned app_record(struct app *a, int unused)
{
	char *proposed = a->wanted.record_proposed;

	(void)unused;
	if (*a->at->recording) {
		*a->wanted.record = '\0';
		return EFFECT_DRAW | EFFECT_RECORD;
	}
	propose_recording(a, proposed, sizeof(a->wanted.record_proposed));
	app_ask(a, COMMAND_RECORD, "Record to:", proposed);
	return EFFECT_DRAW;
}

bool app_record_to(struct app *a, const char *file)
{
	if (*file && a->at->times.live) {
		snprintf(a->wanted.record, sizeof(a->wanted.record), "%s", file);
		return true;
	}
	app_say(a, *file ? "nothing to record yet" : "type a file name to record to");
	return false;
}

unsigned app_ask_budget(struct app *a, int unused)
{
	char set[32] = "";

	(void)unused;
	if (a->choice.budget_ms > 0)
		snprintf(set, sizeof(set), "%.6g", a->choice.budget_ms);
	app_ask(a, COMMAND_BUDGET, "Budget in ms, or 60fps (empty = off):", set);
	return EFFECT_DRAW;
}

/* Without a budget, the time that is typed becomes the budget. */
unsigned app_ask_freeze(struct app *a)
{
	app_ask(a, COMMAND_FREEZE, "Pause at the first frame over, in ms or 60fps:", "");
	return EFFECT_DRAW;
}

unsigned app_ask_search(struct app *a, int unused)
{
	const char *text = a->guide.open ? a->guide.find : a->search.text;

	(void)unused;
	a->search.from = table_id(&app_view(a)->table);
	a->search.typed = true;
	if (app_view(a)->ops->stands)
		app_view(a)->ops->stands(app_view(a), false);
	snprintf(a->ask.before, sizeof(a->ask.before), "%s", text);
	app_ask(a, COMMAND_SEARCH, a->guide.open ? "Search the help:" : "Search:", text);
	return EFFECT_DRAW;
}

unsigned app_ask_filter(struct app *a, int unused)
{
	const char *filter = a->choice.filters[app_filter_of(a)];

	(void)unused;
	if (app_view(a)->ops->unfiltered) {
		app_say(a, "the timeline has no filter; / finds calls, T chooses threads");
		return EFFECT_DRAW;
	}
	snprintf(a->ask.before, sizeof(a->ask.before), "%s", filter);
	app_ask(a, COMMAND_FILTER, "Filter:", filter);
	return EFFECT_DRAW;
}

unsigned app_search_on(struct app *a, int step)
{
	if (!*a->search.text)
		app_say(a, "no search yet; / searches");
	else if (find_pattern(a, step, false))
		return EFFECT_DRAW;
	else if (a->view == VIEW_TIMELINE)
		app_say(a, "no call of '%s' is known %s this one", a->search.text, step > 0 ? "after" : "before");
	else
		say_not_found(a);
	return EFFECT_DRAW;
}
