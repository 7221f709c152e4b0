/* SPDX-License-Identifier: MIT */
#include "model/report/callgraph.h"

#include "model/base/array.h"

#define ON_TOP (PROFILE_NONE - 1) /* instead of the key after the last Z: nothing is after it */

/* A row while it is gathered. */
struct gathered {
	struct callgraph_row row;
	uint32_t last_thread; /* 1 + the thread counted last: threads come one after another */
	bool there;
};

struct gathering {
	const struct profile *p;
	const struct keys *k;
	const struct values *v;
	uint32_t focus;
	uint32_t *before; /* by node: key before the first Z of its path; PROFILE_NONE: no Z in it */
	uint32_t *after;  /* by node: key after the last Z, or ON_TOP */
	uint32_t *depth;  /* by node: how many Z are in its path */
	struct gathered *callers;  /* by key */
	struct gathered *children; /* by key */
	struct gathered whole;
	struct callgraph *graph;
};

static void gathering_fini(struct gathering *g)
{
	free(g->before);
	free(g->after);
	free(g->depth);
	free(g->callers);
	free(g->children);
}

static bool gathering_init(struct gathering *g)
{
	g->before = reallocarray(NULL, g->p->node_count + 1ull, sizeof(*g->before));
	g->after = reallocarray(NULL, g->p->node_count + 1ull, sizeof(*g->after));
	g->depth = reallocarray(NULL, g->p->node_count + 1ull, sizeof(*g->depth));
	g->callers = array_zeroed(g->k->count, sizeof(*g->callers));
	g->children = array_zeroed(g->k->count, sizeof(*g->children));
	if (g->before && g->after && g->depth && g->callers && g->children)
		return true;
	gathering_fini(g);
	return false;
}

/* Fills before, after and depth of a node from those of its parent. False: its path holds no Z. The
 * root of a tree has no key before it: `(no zone)` in focus has no callers. */
static bool place_node(struct gathering *g, uint32_t node)
{
	uint32_t parent = g->p->nodes[node].parent;
	uint32_t key = g->k->of_node[node];
	bool inside = parent != PROFILE_NONE && g->after[parent] != PROFILE_NONE;

	g->before[node] = g->after[node] = PROFILE_NONE;
	g->depth[node] = (parent != PROFILE_NONE ? g->depth[parent] : 0) + (key == g->focus);
	if (inside) {
		g->before[node] = g->before[parent];
		g->after[node] = g->after[parent] == ON_TOP ? key : g->after[parent];
	}
	if (key != g->focus)
		return inside;
	if (!inside && parent != PROFILE_NONE)
		g->before[node] = g->k->of_node[parent];
	g->after[node] = ON_TOP;
	return true;
}

static void add_hier(struct gathered *to, const struct gathering *g, uint32_t node)
{
	uint32_t thread = g->p->nodes[node].thread + 1;

	to->there = true;
	to->row.hier += g->v->self[node];
	if (g->v->self[node] && to->last_thread != thread) {
		to->last_thread = thread;
		to->row.threads++;
	}
}

static void add_longest(struct gathered *to, const struct gathering *g, uint32_t node)
{
	if (g->v->longest[node] > to->row.longest)
		to->row.longest = g->v->longest[node];
}

/* An entry of Z itself: also a direct one for the key that made it, which may stand inside. */
static void add_focus_entry(struct gathering *g, uint32_t node)
{
	struct gathered *caller = &g->callers[g->before[node]];
	struct gathered *direct = &g->callers[g->k->of_node[g->p->nodes[node].parent]];

	caller->row.self += g->v->self[node];
	caller->row.count += g->v->count[node];
	add_longest(caller, g, node);
	direct->there = true;
	direct->row.direct += g->v->count[node];
}

static void add_on_top(struct gathering *g, uint32_t node)
{
	g->whole.row.self += g->v->self[node];
	g->whole.row.count += g->v->count[node];
	g->whole.row.direct += g->v->count[node];
	add_longest(&g->whole, g, node);
	if (!keys_outermost(g->k, node))
		g->graph->recursive += g->v->count[node];
	if (g->p->nodes[node].parent != PROFILE_NONE)
		add_focus_entry(g, node);
}

static void add_below(struct gathering *g, uint32_t node)
{
	struct gathered *child = &g->children[g->after[node]];

	add_hier(child, g, node);
	if (g->k->of_node[node] == g->after[node])
		child->row.self += g->v->self[node];
	if (g->after[g->p->nodes[node].parent] != ON_TOP)
		return;
	child->row.count += g->v->count[node];
	child->row.direct += g->v->count[node];
	add_longest(child, g, node);
}

static void gather_node(struct gathering *g, uint32_t node)
{
	if (!place_node(g, node))
		return;
	add_hier(&g->whole, g, node);
	if ((g->v->self[node] || g->v->count[node]) && g->depth[node] > g->graph->depth)
		g->graph->depth = g->depth[node];
	if (g->before[node] != PROFILE_NONE)
		add_hier(&g->callers[g->before[node]], g, node);
	if (g->after[node] == ON_TOP)
		add_on_top(g, node);
	else
		add_below(g, node);
}

/* The rows that are there, in the order of their keys. NULL: out of memory. */
static struct callgraph_row *rows_of(const struct gathered *gathered, uint32_t keys,
				     uint32_t *count)
{
	struct callgraph_row *rows;

	*count = 0;
	for (uint32_t i = 0; i < keys; i++)
		*count += gathered[i].there;
	rows = array_zeroed(*count, sizeof(*rows));
	if (!rows)
		return NULL;
	for (uint32_t i = 0, n = 0; i < keys; i++) {
		if (!gathered[i].there)
			continue;
		rows[n] = gathered[i].row;
		rows[n].key = i;
		rows[n++].inner = !gathered[i].row.hier && !gathered[i].row.count;
	}
	return rows;
}

static bool graph_finish(struct gathering *g)
{
	struct callgraph *graph = g->graph;

	graph->focus = g->whole.row;
	graph->focus.key = g->focus;
	graph->there = g->whole.there;
	graph->callers = rows_of(g->callers, g->k->count, &graph->caller_count);
	graph->children = rows_of(g->children, g->k->count, &graph->child_count);
	return graph->callers && graph->children;
}

struct callgraph *callgraph_make(const struct profile *p, const struct keys *k,
				 const struct values *v, uint32_t thread, uint32_t focus)
{
	struct callgraph *graph = calloc(1, sizeof(*graph));
	struct gathering g = { .p = p, .k = k, .v = v, .focus = focus, .graph = graph };
	uint32_t end;
	bool done;

	if (!graph || !gathering_init(&g)) {
		free(graph);
		return NULL;
	}
	for (uint32_t i = keys_nodes(k, p, thread, &end); i < end; i++) {
		uint32_t node = k->order[i];

		if (node < v->node_count &&
		    profile_selects(p, thread, p->nodes[node].thread))
			gather_node(&g, node);
	}
	done = graph_finish(&g);
	gathering_fini(&g);
	if (done)
		return graph;
	callgraph_free(graph);
	return NULL;
}

void callgraph_free(struct callgraph *g)
{
	if (!g)
		return;
	free(g->callers);
	free(g->children);
	free(g);
}
