/* SPDX-License-Identifier: MIT */
#include "io/export_cause_text.h"

#include "io/title.h"
#include "model/cause_text.h"

#define COUNTERS_MOST 5 /* of a line */

static const char *const measure_names[MEASURES] = { [MEASURE_SELF] = "self", [MEASURE_HIER] = "hier" };

static void put_varies(const struct export *e, enum measure measure, const struct export_style *style, FILE *out)
{
	const struct variance *v = &e->cause->varies[measure];
	struct title_line line = { .out = out, .width = style->width };
	char text[CAUSE_TEXT], whole[CAUSE_TEXT + 32];

	cause_varies_text(v, text, sizeof(text));
	snprintf(whole, sizeof(whole), "%s varies: %s", measure_names[measure], text);
	title_field(&line, whole);
	if (v->known) {
		snprintf(whole, sizeof(whole), "in %u frames", v->frames);
		title_field(&line, whole);
	}
	title_end(&line);
}

static void put_correlates(const struct export *e, enum correlate_with with, const struct export_style *style,
			   FILE *out)
{
	const struct correlation *rows[COUNTERS_MOST];
	uint32_t count = correlations_strongest(&e->cause->correlations, with, COUNTERS_MOST, rows);
	struct title_line line = { .out = out, .width = style->width };
	char text[CAUSE_TEXT], whole[CAUSE_TEXT + 64];

	if (!count)
		return;
	for (uint32_t i = 0; i < count; i++) {
		cause_counter_text(e->profile, rows[i], with, style->ascii, text, sizeof(text));
		snprintf(whole, sizeof(whole), "correlates with %s: %s", correlate_with_words[with], text);
		title_field(&line, i ? text : whole);
	}
	title_end(&line);
}

void text_cause(const struct export *e, const struct export_style *style, FILE *out)
{
	if (!e->cause)
		return;
	for (int measure = 0; measure < MEASURES; measure++)
		put_varies(e, measure, style, out);
	put_correlates(e, CORRELATE_TIME, style, out);
	put_correlates(e, CORRELATE_LENGTH, style, out);
	fputc('\n', out);
}
