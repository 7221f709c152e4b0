/* SPDX-License-Identifier: MIT */
#include "io/export/export.h"

#include <stdlib.h>

#include "io/export/export_table.h"
#include "io/json_members.h"
#include "io/export/title.h"
#include "io/json_table.h"
#include "model/table/stack_table.h"

static bool add_stack(struct open_stacks *o, const struct profile *p, uint32_t thread, const struct source_stack *stack)
{
	bool added = open_stacks_add_thread(o, p, thread, stack->busy, stack->last, stack->now);

	for (uint32_t i = 0; added && i < stack->count; i++)
		added = open_stacks_add_zone(o, p, stack->zones[i].node, stack->zones[i].entered);
	return added;
}

struct open_stacks *stacks_read(struct source *s, uint32_t wanted, uint32_t most)
{
	struct open_stacks *o = open_stacks_new(s->profile, most);
	struct source_stack stack;

	for (uint32_t i = 0; o && i < s->profile->thread_count; i++) {
		if (!profile_selects(s->profile, wanted, i) || !source_stack(s, i, &stack))
			continue;
		if (!add_stack(o, s->profile, i, &stack)) {
			open_stacks_free(o);
			o = NULL;
		}
		free(stack.zones);
	}
	return o;
}

static bool text_stacks(const struct profile *p, const struct stack_table *t, const struct export_style *style, FILE *out)
{
	struct title_line title = { .out = out, .width = style->width };
	bool done = true;

	title_process(&title, p, style);
	title_end(&title);
	fputc('\n', out);
	if (t->table.count)
		done = export_table_text(&t->table, style, out);
	else
		fputs("no thread was running\n\n", out);
	if (profile_loss_total(p)) /* a zone that found no room is in no stack */
		title_losses(p, NULL, style, out);
	return done && !ferror(out);
}

/* The zones of a thread are in its object. */
static void json_open(struct json *j, const struct typed_table *table, uint32_t row)
{
	const struct stack_table *t = (const struct stack_table *)table;

	json_array(j, "open");
	for (row++; row < table->count && stack_table_row(t, row)->level; row++)
		json_table_row(j, table, row, NULL);
	json_array_end(j);
}

static bool json_stacks(const struct profile *p, const struct stack_table *t, FILE *out)
{
	struct json *j = json_begin(out);

	if (!j)
		return false;
	json_object(j, NULL);
	json_process(j, p);
	json_array(j, "stacks");
	for (uint32_t i = 0; i < t->table.count; i++)
		if (!stack_table_row(t, i)->level) {
			json_line(j);
			json_table_row(j, &t->table, i, json_open);
		}
	json_array_end(j);
	json_losses(j, p);
	json_object_end(j);
	return json_end(j);
}

bool export_stacks(struct source *s, uint32_t thread, enum export_form form, const struct export_style *style, FILE *out)
{
	struct open_stacks *o = stacks_read(s, thread, UINT32_MAX);
	struct stack_table t;
	bool done;

	if (!o)
		return false;
	stack_table_init(&t, o);
	done = form == EXPORT_JSON ? json_stacks(s->profile, &t, out)
	       : form == EXPORT_TEXT ? text_stacks(s->profile, &t, style, out)
				     : export_table_csv(&t.table, form == EXPORT_SPREADSHEET, out);
	open_stacks_free(o);
	return done;
}
