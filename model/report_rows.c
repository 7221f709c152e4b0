/* SPDX-License-Identifier: MIT */
#include "model/report_rows.h"


#include "model/array.h"

/* What the values of a row are made from. */
struct numbers {
	int64_t self;
	int64_t hier;
	int64_t count;
	int64_t direct;
	int64_t longest;
	uint32_t threads;
};

#define BIT(column) (1u << (column))

/* What each role of row can have at all. */
static const uint32_t role_columns[] = {
	[ROW_ZONE] = ~(BIT(COLUMN_DIRECT) | BIT(COLUMN_SHARE)),
	[ROW_NO_ZONE] = BIT(COLUMN_ZONE) | BIT(COLUMN_SELF) | BIT(COLUMN_FRAME),
	[ROW_CALLER] = ~BIT(COLUMN_HEAT),
	[ROW_FOCUS] = ~0u,
	[ROW_CHILD] = ~BIT(COLUMN_HEAT),
};

static const char *row_name(struct making *m, uint32_t key)
{
	char **name = &m->report->store->names[key];

	if (!*name)
		*name = keys_name(m->keys, m->p, key);
	return *name;
}

static void put_exact(struct report_row *row, enum column column, int64_t value, int64_t scale)
{
	row->values[column].exact = value;
	row->values[column].real = (double)value / (double)scale;
	row->shown |= BIT(column);
}

static void put_real(struct report_row *row, enum column column, double value)
{
	row->values[column].real = value;
	row->shown |= BIT(column);
}

static void put_heat(struct making *m, struct report_row *row)
{
	enum measure measure = m->options->view == REPORT_SELF ? MEASURE_SELF : MEASURE_HIER;

	if (m->options->heat && !row->waiting)
		put_real(row, COLUMN_HEAT, heat_of(m->options->heat, m->p, row->key, measure));
}

static void put_numbers(struct making *m, struct report_row *row, const struct numbers *n,
			int64_t whole)
{
	int64_t scale = m->v->scale, wall = m->v->wall;
	bool by_self = m->options->view == REPORT_SELF || row->role == ROW_NO_ZONE;
	int64_t main = by_self ? n->self : n->hier;

	put_exact(row, COLUMN_SELF, n->self, scale);
	put_exact(row, COLUMN_HIER, n->hier, scale);
	put_exact(row, COLUMN_COUNT, n->count, scale);
	put_exact(row, COLUMN_DIRECT, n->direct, scale);
	put_exact(row, COLUMN_THREADS, n->threads, 1);
	if (n->longest)
		put_exact(row, COLUMN_MAX, n->longest, 1);
	if (wall > 0)
		put_real(row, COLUMN_FRAME, (double)main / (double)wall);
	if (whole > 0)
		put_real(row, COLUMN_SHARE, (double)n->hier / (double)whole);
	if (n->count > 0) {
		put_real(row, COLUMN_AVG, (double)n->hier / (double)n->count);
		put_real(row, COLUMN_AVG_SELF, (double)n->self / (double)n->count);
	}
	put_heat(m, row);
	row->shown &= role_columns[row->role] & m->report->columns;
}

/* The next row of a section, its name and values set. False: out of memory. */
static bool row_add(struct making *m, struct report_section *section, enum row_role role,
		    uint32_t key, const struct numbers *n, int64_t whole)
{
	struct report_row *row = &section->rows[section->row_count++];

	row->role = role;
	row->key = key;
	row->zone = m->keys->keys[key].zone;
	row->depth = m->keys->keys[key].depth;
	row->parent = PROFILE_NONE;
	row->waiting = m->p->zones[row->zone].flags & ZONE_WAITING;
	row->mark = role == ROW_FOCUS ? '-' : m->calls[key] && role != ROW_NO_ZONE ? '+' : ' ';
	row->shown = BIT(COLUMN_ZONE) & m->report->columns;
	row->name = row_name(m, key);
	put_numbers(m, row, n, whole);
	return row->name;
}

/* What merged threads spend in no zone while they enter none is not shown as anybody's time. */
static int64_t idle_time(const struct making *m, uint32_t thread)
{
	int64_t idle = 0;

	for (uint32_t i = 0; profile_merges(thread) && i < m->v->thread_count; i++)
		if (profile_selects(m->p, thread, i))
			idle += m->v->idle[i];
	return idle;
}

static bool flat_rows(struct making *m, struct report_section *section)
{
	struct flat_row *flat = flat_make(m->p, m->keys, m->v, section->thread);
	bool done;

	section->rows = array_zeroed(m->keys->count, sizeof(*section->rows));
	done = flat && section->rows;
	if (done) {
		flat[PROFILE_NO_ZONE].self -= idle_time(m, section->thread);
		flat[PROFILE_NO_ZONE].hier -= idle_time(m, section->thread);
	}
	for (uint32_t key = 0; done && key < m->keys->count; key++) {
		const struct flat_row *f = &flat[key];
		struct numbers n = { f->self, f->hier, f->count, 0, f->longest, f->threads };

		if (f->present)
			done = row_add(m, section, key == 0 ? ROW_NO_ZONE : ROW_ZONE, key, &n, 0);
	}
	free(flat);
	return done;
}

static bool graph_row(struct making *m, struct report_section *section, enum row_role role,
		      const struct callgraph_row *row, int64_t whole)
{
	struct numbers n = { row->self,   row->hier,    row->count,
			     row->direct, row->longest, row->threads };

	return row_add(m, section, role, row->key, &n, whole);
}

static bool graph_fill(struct making *m, struct report_section *section,
		       const struct callgraph *g)
{
	int64_t whole = g->focus.hier;
	bool done = true;

	section->rows = array_zeroed((uint64_t)g->caller_count + g->child_count + 1,
				     sizeof(*section->rows));
	if (!section->rows)
		return false;
	section->depth = g->depth;
	section->recursive = g->recursive;
	if (!g->depth)
		return true;
	for (uint32_t i = 0; done && i < g->caller_count; i++)
		done = graph_row(m, section, ROW_CALLER, &g->callers[i], whole);
	done = done && graph_row(m, section, ROW_FOCUS, &g->focus, whole);
	for (uint32_t i = 0; done && i < g->child_count; i++)
		done = graph_row(m, section, ROW_CHILD, &g->children[i], whole);
	return done;
}

static bool graph_rows(struct making *m, struct report_section *section)
{
	struct callgraph *g = callgraph_make(m->p, m->keys, m->v, section->thread, m->focus);
	bool done;

	if (!g)
		return false;
	if (m->focus == PROFILE_NO_ZONE) {
		g->focus.self -= idle_time(m, section->thread);
		g->focus.hier -= idle_time(m, section->thread);
	}
	done = graph_fill(m, section, g);
	callgraph_free(g);
	return done;
}

static bool tree_row(struct making *m, struct report_section *section,
		     const struct treeview_row *t)
{
	struct numbers n = { t->self, t->hier, t->count, 0, t->longest, t->threads };
	struct report_row *row = &section->rows[section->row_count];

	if (!row_add(m, section, ROW_ZONE, t->key, &n, 0))
		return false;
	row->level = t->level;
	row->parent = t->parent;
	row->mark = t->children ? '+' : ' ';
	return true;
}

static bool tree_rows(struct making *m, struct report_section *section)
{
	struct treeview *t = treeview_make(m->p, m->keys, m->v, section->thread);
	bool done;

	if (t)
		section->rows = array_zeroed(t->count, sizeof(*section->rows));
	done = t && section->rows;
	if (done && t->count) {
		t->rows[0].self -= idle_time(m, section->thread);
		t->rows[0].hier -= idle_time(m, section->thread);
	}
	for (uint32_t i = 0; done && i < t->count; i++)
		done = tree_row(m, section, &t->rows[i]);
	treeview_free(t);
	return done;
}

static void section_times(struct making *m, struct report_section *section)
{
	section->time = -idle_time(m, section->thread);
	for (uint32_t i = 0; i < m->v->thread_count; i++)
		if (profile_selects(m->p, section->thread, i))
			section->time += m->v->time[i];
	for (uint32_t i = 0; i < m->v->node_count; i++)
		if (profile_selects(m->p, section->thread, m->p->nodes[i].thread) &&
		    m->p->zones[m->p->nodes[i].zone].flags & ZONE_WAITING)
			section->waiting += m->v->self[i];
}

bool rows_make(struct making *m, struct report_section *section)
{
	static bool (*const makers[REPORT_VIEWS])(struct making *, struct report_section *) = {
		[REPORT_SELF] = flat_rows,
		[REPORT_HIER] = flat_rows,
		[REPORT_GRAPH] = graph_rows,
		[REPORT_TREE] = tree_rows,
	};

	section_times(m, section);
	return makers[m->options->view](m, section);
}
