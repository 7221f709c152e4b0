/* SPDX-License-Identifier: MIT */
/*
 * profview_titles: what a view shows, in words: the fields that stand above a text report, and what was lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profview/profview_inside.h"
#include "io/export/title.h"

#define FIELD_A_LINE 1 /* cells of a line in which no two fields fit */

/* How far back the frame is that is shown. */
static void put_age(const Prof_view *v, FILE *out)
{
	const struct profile *p = v->paused;
	const struct profile_frame *frame = p ? profile_find_frame(p, v->chosen) : NULL, *newest;
	char length[32], age[32];

	if (!frame)
		return;
	newest = &p->frames[p->frame_count - 1];
	format_time(length, sizeof(length), frame->length, 1, p->ticks_per_s, UNIT_MS, -1, 0);
	format_fixed(age, sizeof(age), (double)(newest->start + newest->length - frame->start - frame->length) /
		     (double)p->ticks_per_s, 1);
	fprintf(out, "PAUSED frame %llu, -%llu (-%s s), %s ms\n", (unsigned long long)frame->number,
		(unsigned long long)(newest->number - frame->number + 1), age, length);
}

static bool put_fields(Prof_view *v, FILE *out)
{
	const struct profile *p = profview_profile(v);
	struct export_style style = { .width = FIELD_A_LINE, .ascii = v->ascii };
	struct export e = { .profile = p, .values = query_values(profview_query(v)), .report = v->report,
			    .count = p->frame_count, .whole_run = v->look.average == AVERAGE_RUN,
			    .average = v->look.average, .chosen = v->paused };

	if (!e.values)
		return false;
	put_age(v, out);
	export_titles(&e, &style, out);
	title_losses(p, NULL, &style, out);
	return !ferror(out);
}

/* Lines of causes of loss begin with a blank. They are not wanted, and neither is the end of the last line. */
static void cut_causes(char *text)
{
	char *causes = strstr(text, "\n ");
	size_t length = strlen(text);

	if (causes)
		*causes = '\0';
	else if (length && text[length - 1] == '\n')
		text[length - 1] = '\0';
}

static bool make(Prof_view *v)
{
	size_t size;
	FILE *out;
	bool done;

	if (!profview_report(v))
		return false;
	out = open_memstream(&v->titles, &size);
	if (!out)
		return false;
	done = put_fields(v, out);
	if (fclose(out) == 0 && done) {
		cut_causes(v->titles);
		return true;
	}
	free(v->titles);
	v->titles = NULL;
	return false;
}

const char *Prof_view_title(Prof_view *v, unsigned index)
{
	const char *at;

	if (!v->titles && !make(v))
		return NULL;
	for (at = v->titles + strspn(v->titles, "\n"); *at; at += strspn(at, "\n")) {
		size_t length = strcspn(at, "\n");

		if (!index--)
			return profview_name(v, strndup(at, length));
		at += length;
	}
	return NULL;
}
