/* SPDX-License-Identifier: MIT */
/*
 * report_units: the unit of each column of times, for report.c.
 */
#include "model/report/report_rows.h"

/* A zone that matters has about this fraction of the covered time. */
#define ZONES_IN_WALL 10

enum unit report_wall_unit(const struct report *r)
{
	int64_t wall = r->wall / r->scale;

	return unit_for_many(wall / ZONES_IN_WALL, wall, r->ticks_per_s, UNIT_AUTO);
}

static bool has_own_unit(enum column column)
{
	return report_columns[column].kind == TYPED_MEAN_TICKS || column == COLUMN_MAX || column_is_per_frame(column);
}

/* How many values there are of so many binary digits, and the greatest of them. Zones that wait may be
 * as long as they like: what works would be nothing in their unit. */
struct magnitudes {
	uint32_t counts[64];
	uint32_t count;
	int64_t most;
};

static void magnitudes_add(struct magnitudes *m, const struct report_row *row, enum column column)
{
	int64_t ticks = row->values[column].real < 9e18 ? (int64_t)row->values[column].real : 0;

	if (!(row->shown >> column & 1) || row->waiting || ticks <= 0)
		return;
	m->counts[63 - __builtin_clzll((uint64_t)ticks)]++;
	m->count++;
	if (ticks > m->most)
		m->most = ticks;
}

/* About their median: nobody sees a unit change because of less than its half. */
static int64_t magnitudes_middle(const struct magnitudes *m)
{
	uint32_t below = 0, digits = 0;

	while (below + m->counts[digits] < (m->count + 1) / 2)
		below += m->counts[digits++];
	return m->count ? (INT64_C(1) << digits) + (INT64_C(1) << digits) / 2 : 0;
}

static void column_unit(struct report *r, enum column column)
{
	struct magnitudes m = { 0 };

	for (uint32_t i = 0; i < r->section_count; i++)
		for (uint32_t k = 0; k < r->sections[i].row_count; k++)
			magnitudes_add(&m, &r->sections[i].rows[k], column);
	r->middle[column] = magnitudes_middle(&m);
	r->most[column] = m.most;
	if (m.count)
		r->units[column] = unit_for_many(r->middle[column], m.most, r->ticks_per_s,
						 UNIT_AUTO);
}

/* The longest time of a zone, in ticks; 0: there are none. */
static int64_t longest_time(const struct report *r)
{
	int64_t most = 0;

	for (uint32_t i = 0; i < r->section_count; i++)
		for (uint32_t k = 0; k < r->sections[i].row_count; k++) {
			const struct report_row *row = &r->sections[i].rows[k];

			if (row->role == ROW_NO_ZONE)
				continue;
			if (row->values[COLUMN_HIER].exact > most)
				most = row->values[COLUMN_HIER].exact;
			if (row->values[COLUMN_SELF].exact > most)
				most = row->values[COLUMN_SELF].exact;
		}
	return most / r->scale;
}

/* Gives a column the unit of another one that it is read beside, also where zone_table_hold holds units. */
static void share_unit(struct report *r, enum column column, enum column of)
{
	r->units[column] = r->units[of];
	r->middle[column] = r->middle[of];
	r->most[column] = r->most[of];
}

/* SELF and HIER have one unit: that of the wall time, unless no zone comes near it. AVG SELF has that of AVG, which is never
 * the shorter one. */
void report_units(struct report *r)
{
	bool automatic = r->asked == UNIT_AUTO || r->asked == UNIT_PCT;
	int64_t wall = r->wall / r->scale, longest = longest_time(r);
	int64_t about = longest && longest < wall / ZONES_IN_WALL ? longest : wall / ZONES_IN_WALL;

	for (enum column c = 0; c < COLUMNS; c++) {
		r->units[c] = r->asked == UNIT_AUTO
				      ? unit_for_many(about, about, r->ticks_per_s, UNIT_AUTO)
				      : r->unit;
		r->middle[c] = about;
		r->most[c] = about;
		if (!has_own_unit(c) || !(r->columns >> c & 1) || !automatic)
			continue;
		r->units[c] = report_wall_unit(r);
		if (!column_is_per_frame(c) || c == COLUMN_FRAME_MEAN)
			column_unit(r, c);
	}
	for (enum column c = COLUMN_FRAMES; c < COLUMNS; c++)
		share_unit(r, c, COLUMN_FRAME_MEAN);
	if ((r->columns >> COLUMN_AVG & 1) && r->most[COLUMN_AVG])
		share_unit(r, COLUMN_AVG_SELF, COLUMN_AVG);
}
