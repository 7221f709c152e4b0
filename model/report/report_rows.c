/* SPDX-License-Identifier: MIT */
#include "model/report/report_rows.h"

#include "model/base/array.h"
#include "model/query/values.h"
#include "model/query/overhead.h"

#define BIT(column) (1u << (column))
#define DUST 0.01 /* of the frame */

/* Values */

#define PER_FRAME_COLUMNS (BIT(COLUMNS) - BIT(COLUMN_FRAMES))

/* What each role of row can have at all. */
static const uint32_t role_columns[] = {
	[ROW_ZONE] = ~(BIT(COLUMN_DIRECT) | BIT(COLUMN_SHARE)),
	[ROW_NO_ZONE] = BIT(COLUMN_ZONE) | BIT(COLUMN_SELF) | BIT(COLUMN_DELTA) | BIT(COLUMN_FRAME) |
			BIT(COLUMN_TREND) | PER_FRAME_COLUMNS,
	[ROW_CALLER] = ~BIT(COLUMN_HEAT),
	[ROW_FOCUS] = ~0u,
	[ROW_CHILD] = ~BIT(COLUMN_HEAT),
};

/* Their integers are exported from every row. */
#define EXACT_COLUMNS                                                                             \
	(BIT(COLUMN_SELF) | BIT(COLUMN_HIER) | BIT(COLUMN_COUNT) | BIT(COLUMN_DIRECT) |           \
	 BIT(COLUMN_MAX))

static bool is_by_self(const struct making *m, enum row_role role)
{
	return m->options->view == REPORT_SELF || role == ROW_NO_ZONE;
}

bool row_waits(const struct making *m, const struct draft *d)
{
	return m->p->zones[m->keys->keys[d->key].zone].flags & ZONE_WAITING;
}

static bool set_exact(struct report_value *out, int64_t value, int64_t scale)
{
	out->exact = value;
	out->real = scale == 1 ? (double)value : (double)value / (double)scale;
	return true;
}

static bool set_quotient(struct report_value *out, int64_t part, int64_t whole)
{
	if (whole > 0)
		out->real = (double)part / (double)whole;
	return whole > 0;
}

static bool rate_value(const struct making *m, const struct draft *d, struct report_value *out)
{
	bool known = set_quotient(out, d->count, m->v->elapsed);

	out->real *= (double)m->p->ticks_per_s;
	return known;
}

#define ENTRIES_LEAST 100 /* of 1/scale: with less, rounding is more than half a percent of them */

/* In an average that fades, entries do, and the time of a call that goes on does not: what comes out at more than the
 * average goes back is the time of no call. */
static bool per_entry(const struct making *m, const struct draft *d, int64_t ticks, struct report_value *out)
{
	return set_quotient(out, ticks, d->count) &&
	       (!m->v->reach || (d->count >= ENTRIES_LEAST && out->real <= m->v->reach));
}

static bool heat_value(const struct making *m, const struct draft *d, struct report_value *out)
{
	enum extent extent = report_extent(m->options->view);

	if (!m->options->heat || row_waits(m, d))
		return false;
	out->real = heat_of(m->options->heat, m->p, d->key, extent);
	return true;
}

/* Time in no zone is nobody's trend where threads come and go in it. The frames are looked at where
 * they are sorted by, and else only in the rows that are drawn. */
static bool trend_value(const struct making *m, const struct draft *d, struct report_value *out)
{
	enum extent extent = is_by_self(m, d->role) ? EXTENT_SELF : EXTENT_HIER;
	int64_t values[TREND_FRAMES], most = 0;
	uint32_t count;

	if (!m->options->trend || !(m->report->columns & BIT(COLUMN_TREND)) ||
	    (d->key == PROFILE_NO_ZONE && m->merged))
		return false;
	if (m->report->sort != COLUMN_TREND)
		return true;
	count = trend_values(m->options->trend, d->key, extent, values);
	for (uint32_t i = 0; i < count; i++)
		most = values[i] > most ? values[i] : most;
	return set_exact(out, most, 1);
}

/* Time in no zone: as the trend; and what of a frame is inside of it is all. */
static bool has_stats(const struct making *m, const struct draft *d)
{
	return m->stats && (d->role != ROW_NO_ZONE ||
			    (!m->merged && m->options->view == REPORT_SELF));
}

static bool stat_value(const struct making *m, const struct draft *d, enum column column,
		       struct report_value *out)
{
	const struct zone_stat *stat = has_stats(m, d) ? zone_stats_of(m->stats, d->key) : NULL;

	if (!stat)
		return false;
	switch (column) {
	case COLUMN_FRAMES:
		return set_exact(out, stat->per_frame.count, 1);
	case COLUMN_FRAME_MIN:
		return set_exact(out, stat->per_frame.min, 1);
	case COLUMN_FRAME_MEAN:
		out->real = stat->per_frame.mean;
		return true;
	case COLUMN_FRAME_MEDIAN:
		return set_exact(out, stat->per_frame.median, 1);
	case COLUMN_FRAME_P90:
		return set_exact(out, stat->per_frame.p90, 1);
	case COLUMN_FRAME_P99:
		return set_exact(out, stat->per_frame.p99, 1);
	case COLUMN_FRAME_MAX:
		return set_exact(out, stat->per_frame.max, 1);
	default:
		return set_exact(out, (int64_t)stat->first, 1) && stat->first;
	}
}

static bool value_of(const struct making *m, const struct draft *d, enum column column,
		     struct report_value *out)
{
	int64_t scale = m->v->scale;

	switch (column) {
	case COLUMN_SELF:
		return set_exact(out, d->self, scale);
	case COLUMN_HIER:
		return set_exact(out, d->hier, scale);
	case COLUMN_COUNT:
		return set_exact(out, d->count, scale);
	case COLUMN_RATE:
		return rate_value(m, d, out);
	case COLUMN_DELTA:
		return set_exact(out, d->delta, scale);
	case COLUMN_DIRECT:
		return set_exact(out, d->direct, scale);
	case COLUMN_FRAME:
		return set_quotient(out, is_by_self(m, d->role) ? d->self : d->hier, values_whole(m->v));
	case COLUMN_SHARE:
		return set_quotient(out, d->hier, m->whole);
	case COLUMN_TREND:
		return trend_value(m, d, out);
	case COLUMN_HEAT:
		return heat_value(m, d, out);
	case COLUMN_AVG:
		return per_entry(m, d, d->hier, out);
	case COLUMN_AVG_SELF:
		return per_entry(m, d, d->self, out);
	case COLUMN_MAX:
		return set_exact(out, d->longest, 1) && d->longest &&
		       d->longest != PROFILE_LONGEST_UNKNOWN;
	case COLUMN_THREADS:
		return set_exact(out, d->threads, 1);
	case COLUMN_FRAMES:
	case COLUMN_FRAME_MIN:
	case COLUMN_FRAME_MEAN:
	case COLUMN_FRAME_MEDIAN:
	case COLUMN_FRAME_P90:
	case COLUMN_FRAME_P99:
	case COLUMN_FRAME_MAX:
	case COLUMN_FIRST:
		return stat_value(m, d, column, out);
	default:
		return false;
	}
}

#define SUMS                                                                                              \
	(BIT(COLUMN_SELF) | BIT(COLUMN_HIER) | BIT(COLUMN_AVG) | BIT(COLUMN_AVG_SELF))
#define SHARES (BIT(COLUMN_DELTA) | BIT(COLUMN_FRAME) | BIT(COLUMN_SHARE))

#define CALLS                                                                                            \
	(BIT(COLUMN_COUNT) | BIT(COLUMN_RATE) | BIT(COLUMN_DIRECT) | BIT(COLUMN_AVG) | BIT(COLUMN_AVG_SELF) | \
	 BIT(COLUMN_MAX))

/* Nobody knows the zones of what a slice has as a whole: a row has it alone that all of the slice is in. The row of a caller
 * is a part of the focus, which is a zone. */
static bool has_amounts(const struct making *m, const struct draft *d)
{
	return m->p->measures[m->v->measure].of == MEASURE_OF_NODE || (d->key == PROFILE_NO_ZONE && d->role != ROW_CALLER);
}

/* A slice whose amount is not known has it in zones that its thread has entered. Amounts of other zones are exact. */
enum { KNOWS = 1, LACKS = 2 };

static enum measure_known known_of(const struct making *m, const struct draft *d)
{
	if (!has_amounts(m, d))
		return MEASURE_UNKNOWN;
	if (m->known != MEASURE_LEAST)
		return m->known;
	if (!(m->knows[d->key] & LACKS))
		return MEASURE_KNOWN;
	return m->knows[d->key] & KNOWS ? MEASURE_LEAST : MEASURE_UNKNOWN;
}

static uint32_t columns_of(const struct making *m, const struct draft *d)
{
	uint32_t columns = role_columns[d->role] & m->report->columns;

	if (!profile_has_calls(m->p))
		columns &= ~CALLS;
	if (known_of(m, d) == MEASURE_UNKNOWN)
		return columns & ~(SUMS | SHARES | PER_FRAME_COLUMNS | BIT(COLUMN_TREND) | BIT(COLUMN_HEAT));
	return m->known == MEASURE_LEAST ? columns & ~SHARES : columns;
}

bool row_value(const struct making *m, const struct draft *d, enum column column,
	       struct report_value *out)
{
	return value_of(m, d, column, out) && columns_of(m, d) & BIT(column);
}

/* How restless dust is does not matter: linear, from a hundredth of the frame down. */
static double shown_heat(const struct making *m, const struct draft *d, double heat)
{
	struct report_value share;

	return value_of(m, d, COLUMN_FRAME, &share) && share.real < DUST ? heat * (share.real > 0 ? share.real / DUST : 0)
									  : heat;
}

bool row_sort_value(const struct making *m, const struct draft *d, enum column column, struct report_value *out)
{
	if (!row_value(m, d, column, out))
		return false;
	if (column == COLUMN_HEAT)
		out->real = shown_heat(m, d, out->real);
	return true;
}

uint32_t row_pin(const struct making *m, const struct draft *d)
{
	return m->options->pins ? pins_number(m->options->pins, m->keys->id[d->key]) : 0;
}

bool row_is_first(const struct making *m, const struct draft *d)
{
	return d->role == ROW_ZONE && m->options->view != REPORT_TREE && row_pin(m, d);
}

/* Where overhead was taken off, what was it in the zone itself is time again: so a row is costly in either way. */
static bool is_costly(const struct making *m, const struct draft *d)
{
	double pair = overhead_pair(m->p), entries = (double)d->count;
	double off = m->v->less_overhead ? pair / 2 * entries : 0;

	return m->v->measure == MEASURE_SELF && d->role != ROW_NO_ZONE && d->role != ROW_CALLER &&
	       overhead_is_much(pair, entries, (double)d->hier + off);
}

/* The root of a tree: its HIER is all time, its SELF the time in no zone. */
static bool is_root(const struct making *m, const struct draft *d)
{
	return m->options->view == REPORT_TREE && d->parent == PROFILE_NONE;
}

/* Calls of a function are not known. In the row of a caller they are the
 * focus's. */
static bool is_uncounted(const struct making *m, const struct draft *d, uint32_t zone)
{
	uint32_t called = d->role == ROW_CALLER ? m->keys->keys[m->focus].zone : zone;

	return m->p->zones[called].flags & ZONE_FUNCTION;
}

struct report_row *row_put(struct making *m, struct report_section *section,
			   const struct draft *d)
{
	struct report_row *row = &section->rows[section->row_count++];
	uint32_t has = columns_of(m, d);

	*row = (struct report_row){ .id = d->id,
				    .role = d->role,
				    .key = d->key,
				    .zone = m->keys->keys[d->key].zone,
				    .depth = m->keys->keys[d->key].depth,
				    .name = is_root(m, d) ? "all" : m->report->store->names[d->key],
				    .level = d->level,
				    .parent = PROFILE_NONE,
				    .mark = d->role == ROW_FOCUS ? '-' : d->calls ? '+' : ' ',
				    .pin = (uint8_t)row_pin(m, d),
				    .waiting = row_waits(m, d),
				    .costly = is_costly(m, d),
				    .unknown = known_of(m, d) == MEASURE_UNKNOWN,
				    .least = known_of(m, d) == MEASURE_LEAST,
				    .uncounted = is_uncounted(m, d, m->keys->keys[d->key].zone),
				    .shown = BIT(COLUMN_ZONE) };
	for (enum column c = COLUMN_ZONE + 1; c < COLUMNS; c++)
		if ((EXACT_COLUMNS | has) & BIT(c) && value_of(m, d, c, &row->values[c]))
			row->shown |= BIT(c);
	row->shown &= has;
	if (row->uncounted || is_root(m, d)) /* which nobody calls */
		row->shown &= ~(BIT(COLUMN_COUNT) | BIT(COLUMN_RATE) | BIT(COLUMN_DIRECT));
	if (row->shown & BIT(COLUMN_HEAT))
		row->heat = shown_heat(m, d, row->values[COLUMN_HEAT].real);
	return row;
}

/* Drafts */

/* One identity of two; neither of them comes back in other pairs. */
static uint64_t id_of_pair(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ (a >> 31)) * UINT64_C(0x9E3779B97F4A7C15) + b;

	x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
	return x ^ (x >> 31);
}

/* The next draft, of which `d` has the numbers. Room is there. */
static struct draft *draft_add(struct making *m, enum row_role role, uint32_t key, struct draft d)
{
	d.role = role;
	d.key = key;
	d.parent = PROFILE_NONE;
	d.id = m->keys->id[key];
	d.calls = m->calls && m->calls[key] && role != ROW_NO_ZONE;
	m->drafts[m->draft_count] = d;
	return &m->drafts[m->draft_count++];
}

static bool drafts_room(struct making *m, uint64_t count)
{
	m->draft_count = 0;
	m->drafts = reallocarray(NULL, count ? count : 1, sizeof(*m->drafts));
	return m->drafts;
}

/* The base: its rows come in the same order as those of the report, because nodes give the order, not values. */

static int64_t difference(int64_t now, int64_t base)
{
	int64_t delta;

	return __builtin_sub_overflow(now, base, &delta) ? 0 : delta;
}

static int64_t flat_delta(const struct making *m, enum row_role role, const struct flat_row *now,
			  const struct flat_row *base)
{
	return is_by_self(m, role) ? difference(now->self, base->self)
				   : difference(now->hier, base->hier);
}

static void flat_fill(struct making *m, const struct flat_row *base)
{
	for (uint32_t i = 0; i < m->flat.count; i++) {
		uint32_t key = m->flat.keys[i];
		enum row_role role = key == 0 ? ROW_NO_ZONE : ROW_ZONE;
		const struct flat_row *f = &m->flat.rows[key];
		struct draft d = { .self = f->self, .hier = f->hier, .count = f->count,
				   .longest = f->longest, .threads = f->threads };

		if (base)
			d.delta = flat_delta(m, role, f, &base[key]);
		draft_add(m, role, key, d);
	}
}

static bool flat_drafts(struct making *m, struct report_section *section)
{
	if (!m->flat.rows && !flat_init(&m->flat, m->keys, m->v))
		return false;
	if (m->base && !m->flat_base.rows && !flat_init(&m->flat_base, m->keys, m->base))
		return false;
	flat_sum(&m->flat, m->p, m->keys, m->v, section->thread);
	if (m->base)
		flat_sum(&m->flat_base, m->p, m->keys, m->base, section->thread);
	if (!drafts_room(m, m->flat.count))
		return false;
	flat_fill(m, m->base ? m->flat_base.rows : NULL);
	return true;
}

/* A zone may be the caller, the focus and a child at once: its rows are not the same. */
static void graph_draft(struct making *m, enum row_role role, const struct callgraph_row *row,
			const struct callgraph_row *base)
{
	struct draft d = { .self = row->self, .hier = row->hier, .count = row->count,
			   .direct = row->direct, .longest = row->longest,
			   .threads = row->threads,
			   .delta = base ? difference(row->hier, base->hier) : 0 };
	struct draft *made = draft_add(m, role, row->key, d);

	made->id = id_of_pair(made->id, role);
}

static bool graph_fill(struct making *m, struct report_section *section,
		       const struct callgraph *g, const struct callgraph *base)
{
	if (!drafts_room(m, (uint64_t)g->caller_count + g->child_count + 1))
		return false;
	m->whole = g->focus.hier;
	section->depth = g->depth;
	section->recursive = g->recursive;
	if (!g->there)
		return true;
	for (uint32_t i = 0; i < g->caller_count; i++)
		graph_draft(m, ROW_CALLER, &g->callers[i], base ? &base->callers[i] : NULL);
	graph_draft(m, ROW_FOCUS, &g->focus, base ? &base->focus : NULL);
	for (uint32_t i = 0; i < g->child_count; i++)
		graph_draft(m, ROW_CHILD, &g->children[i], base ? &base->children[i] : NULL);
	return true;
}

static bool graph_drafts(struct making *m, struct report_section *section)
{
	struct callgraph *g = callgraph_make(m->p, m->keys, m->v, section->thread, m->focus);
	struct callgraph *base = m->base ? callgraph_make(m->p, m->keys, m->base, section->thread, m->focus) : NULL;
	bool done = g && (base || !m->base) && graph_fill(m, section, g, base);

	callgraph_free(g);
	callgraph_free(base);
	return done;
}

static void tree_draft(struct making *m, const struct treeview_row *t,
		       const struct treeview_row *base)
{
	struct draft d = { .self = t->self, .hier = t->hier, .count = t->count,
			   .longest = t->longest, .threads = t->threads, .level = t->level,
			   .delta = base ? difference(t->hier, base->hier) : 0 };
	struct draft *made = draft_add(m, ROW_ZONE, t->key, d);

	made->parent = t->parent;
	made->calls = t->children;
	if (t->parent != PROFILE_NONE)
		made->id = id_of_pair(m->drafts[t->parent].id, made->id);
}

static struct treeview *tree_of(const struct making *m, const struct values *v, const struct values *also, uint32_t thread)
{
	return m->options->bottom_up ? treeview_make_up(m->p, m->keys, v, also, thread)
				     : treeview_make(m->p, m->keys, v, thread);
}

static bool tree_drafts(struct making *m, struct report_section *section)
{
	struct treeview *t = tree_of(m, m->v, m->base, section->thread);
	struct treeview *base = m->base ? tree_of(m, m->base, m->v, section->thread) : NULL;
	bool done = t && (base || !m->base) && drafts_room(m, t->count);

	for (uint32_t i = 0; done && i < t->count; i++)
		tree_draft(m, &t->rows[i], base ? &base->rows[i] : NULL);
	treeview_free(t);
	treeview_free(base);
	return done;
}

static void section_times(struct making *m, struct report_section *section)
{
	uint32_t end, first = keys_nodes(m->keys, m->p, section->thread, &end);

	section->time = section->waiting = 0;
	for (uint32_t i = first; i < end; i++) {
		uint32_t node = m->keys->order[i], thread = m->p->nodes[node].thread;

		if (node >= m->v->node_count || !profile_selects(m->p, section->thread, thread))
			continue;
		section->time += m->p->threads[thread].root == node ? m->v->time[thread] : 0;
		section->waiting += m->p->zones[m->p->nodes[node].zone].flags & ZONE_WAITING ? m->v->self[node] : 0;
		if (m->knows)
			m->knows[m->keys->of_node[node]] |= (m->v->known[thread] ? KNOWS : 0) | (m->v->unknown[thread] ? LACKS : 0);
	}
}

static bool draft_view(struct making *m, struct report_section *section)
{
	static bool (*const drafters[REPORT_VIEWS])(struct making *, struct report_section *) = {
		[REPORT_SELF] = flat_drafts,
		[REPORT_HIER] = flat_drafts,
		[REPORT_GRAPH] = graph_drafts,
		[REPORT_TREE] = tree_drafts,
	};

	m->whole = 0;
	m->merged = profile_selected(m->p, section->thread) > 1;
	m->known = section->known = values_known(m->v, m->p, section->thread);
	free(m->knows);
	m->knows = m->known == MEASURE_LEAST ? array_zeroed(m->keys->count, sizeof(*m->knows)) : NULL;
	if (m->known == MEASURE_LEAST && !m->knows)
		return false;
	section_times(m, section);
	m->busy = section->time - section->waiting;
	if (!drafters[m->options->view](m, section))
		return false;
	for (uint32_t i = 0; i < m->draft_count; i++)
		if (m->drafts[i].role == ROW_NO_ZONE)
			section->outside = m->drafts[i].self;
	return true;
}

bool rows_draft(struct making *m, struct report_section *section)
{
	const struct values *v = m->v;
	struct merged merged;
	bool done = merged_init(&merged, m->p, v, m->options->base, section->thread);

	m->v = &merged.now;
	m->base = merged.has_base ? &merged.base : NULL;
	done = done && draft_view(m, section);
	merged_fini(&merged);
	m->v = v;
	m->base = NULL;
	return done;
}
