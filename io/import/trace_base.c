/* SPDX-License-Identifier: MIT */
#include "io/import/trace_inside.h"
#include "model/base/array.h"

bool trace_fails(struct trace *t, int error)
{
	if (!t->failed)
		t->error = error;
	t->failed = true;
	return false;
}

uint32_t trace_name(struct trace *t, const char *bytes, size_t size, uint64_t place)
{
	uint32_t name = names_add(&t->names, bytes, size, t->anomalies, place);

	if (name == NAMES_NONE)
		trace_fails(t, 0);
	return name;
}

const char *trace_text(const struct trace *t, uint32_t name)
{
	return name == NAMES_NONE ? "" : names_text(&t->names, name); /* there was no memory */
}

uint32_t trace_zone(struct trace *t, uint32_t name)
{
	struct name *n = &t->names.names[name];
	struct profile_zone zone = { .name = n->text };

	if (n->zone == NAMES_NONE) {
		writer_zone(t->w, &zone);
		n->zone = ++t->zone_count;
	}
	return n->zone;
}

/* The root's name is NAMES_NONE. */
uint32_t trace_add_node(struct trace *t, uint32_t parent, uint32_t name, uint32_t row)
{
	if (!array_reserve(&t->nodes, &t->node_capacity, (uint64_t)t->node_count + 1, sizeof(*t->nodes))) {
		trace_fails(t, 0);
		return 0;
	}
	if (parent != PROFILE_NONE)
		writer_node(t->w, parent, trace_zone(t, name));
	t->nodes[t->node_count] = (struct trace_node){ .name = name, .parent = parent, .row = row,
						       .child = NAMES_NONE, .follows = NAMES_NONE, .key = TRACE_NO_KEY };
	return t->node_count++;
}
