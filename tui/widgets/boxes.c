/* SPDX-License-Identifier: MIT */
#include "tui/widgets/boxes.h"

#include <stdlib.h>

#include "model/base/array.h"

#define LINE_BYTES 4096 /* of a run, at most: what is longer is wider than any screen */

_Static_assert(ROLE_BOX_6 - ROLE_BOX_1 + 1 == BOX_HUES, "a role for each hue");

enum role boxes_role_of(const char *name)
{
	return ROLE_BOX_1 + box_hue(name);
}

/* Caller frees; NULL: out of memory, or there is no room. */
static struct box_run *runs_of(const struct boxes *b, int width, uint32_t *count)
{
	struct box_run *runs = width > 0 ? array_zeroed((uint64_t)width, sizeof(*runs)) : NULL;

	*count = runs ? box_row_runs(b->row, b->from, b->to, (uint32_t)width, runs) : 0;
	return runs;
}

static bool has_chosen(const struct boxes *b, const struct box_run *run)
{
	return run->kind != BOX_NONE && b->chosen - run->box < run->count;
}

static void draw_run(const struct boxes *b, const struct box_run *run, struct canvas *c, struct area a, int y)
{
	struct box_label label = { .name = "" };
	char text[LINE_BYTES];
	enum role role = ROLE_PLAIN;

	if (run->kind == BOX_NONE)
		return;
	if (run->kind == BOX_MERGED)
		role = has_chosen(b, run) ? ROLE_BOX_CHOSEN : b->merged ? b->merged(b->context, run) : ROLE_DIM;
	if (run->kind == BOX_ONE) {
		b->label(b->context, run->box, &label);
		role = has_chosen(b, run) ? ROLE_BOX_CHOSEN : b->role(b->context, run->box);
	}
	box_run_text(run, &label, b->braces ? BOX_BRACES : b->coloured ? BOX_AREAS : BOX_BRACKETS, b->ascii, text, sizeof(text));
	canvas_text(c, a, (int)run->x, y, role, text);
	if (has_chosen(b, run)) {
		c->cursor_x = a.x + (int)run->x;
		c->cursor_y = a.y + y;
	}
}

void boxes_draw(const struct boxes *b, struct canvas *c, struct area a, int y)
{
	uint32_t count;
	struct box_run *runs = runs_of(b, a.width, &count);

	for (uint32_t i = 0; i < count; i++)
		draw_run(b, &runs[i], c, a, y);
	free(runs);
}

uint32_t boxes_beside(const struct boxes *b, int width, int step)
{
	uint32_t count, found = UINT32_MAX;
	struct box_run *runs = runs_of(b, width, &count);

	for (uint32_t i = 0; i < count && found == UINT32_MAX; i++) {
		const struct box_run *run = &runs[step > 0 ? i : count - 1 - i];

		if (run->kind != BOX_NONE && (step > 0 ? run->box > b->chosen : run->box + run->count - 1 < b->chosen) &&
		    !has_chosen(b, run))
			found = run->box;
	}
	free(runs);
	return found;
}

bool boxes_at(const struct boxes *b, int width, int x, struct box_run *out)
{
	uint32_t count;
	struct box_run *runs = runs_of(b, width, &count);
	bool found = false;

	for (uint32_t i = 0; i < count && !found; i++) {
		*out = runs[i];
		found = out->kind != BOX_NONE && x >= (int)out->x && x < (int)(out->x + out->cells);
	}
	free(runs);
	return found;
}
