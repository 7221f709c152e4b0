/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign_sums.h"

#include <inttypes.h>
#include <stdlib.h>

#include "io/foreign/foreign.h"
#include "model/base/array.h"
#include "model/base/format.h"
#include "model/profile/measures.h"
#include "model/query/values.h"

/* Only ticks are written in another unit than they are kept in. */
static int64_t in_units(const struct profile *p, uint32_t measure, int64_t amount)
{
	return p->measures[measure].unit == MEASURE_TICKS ? format_ns(amount, p->ticks_per_s) : amount;
}

/* Ticks of a zone's stacks so far become nanoseconds so far. `sums` is by zone. */
static void round_self(struct foreign_sums *s, const struct values *v, int64_t *sums)
{
	const struct profile *p = s->t->profile;

	for (uint32_t i = 0; i < s->count; i++) {
		int64_t *sum = &sums[p->nodes[i].zone], before;

		if (!foreign_selects(s->t, p->nodes[i].thread) || v->self[i] <= 0)
			continue;
		before = in_units(p, v->measure, *sum);
		*sum += v->self[i];
		s->self[i] = in_units(p, v->measure, *sum) - before;
	}
}

static void take_calls(struct foreign_sums *s, const struct values *v)
{
	const struct profile *p = s->t->profile;

	for (uint32_t i = 0; i < s->count; i++)
		if (foreign_selects(s->t, p->nodes[i].thread) && p->nodes[i].parent != PROFILE_NONE && v->count[i] > 0)
			s->calls[i] = v->count[i];
}

bool foreign_sums_init(struct foreign_sums *s, struct foreign *t)
{
	const struct profile *p = t->profile;
	int64_t *sums = array_zeroed(p->zone_count, sizeof(*sums));
	struct merged merged = { .now = *t->values };
	bool done;

	*s = (struct foreign_sums){ .t = t, .count = t->values->node_count };
	s->self = array_zeroed(s->count, sizeof(*s->self));
	s->calls = array_zeroed(s->count, sizeof(*s->calls));
	done = sums && s->self && s->calls && merged_init(&merged, p, t->values, NULL, t->threads);
	if (done) {
		round_self(s, &merged.now, sums);
		take_calls(s, &merged.now);
	}
	merged_fini(&merged);
	free(sums);
	if (!done)
		foreign_sums_fini(s);
	t->no_memory |= !done;
	return done;
}

void foreign_sums_fini(struct foreign_sums *s)
{
	free(s->self);
	free(s->calls);
	s->self = s->calls = NULL;
}

uint32_t foreign_stack(const struct profile *p, uint32_t node, uint32_t *out)
{
	uint32_t count = 0;

	do {
		out[count++] = node;
		node = p->nodes[node].parent;
	} while (node != PROFILE_NONE && p->nodes[node].parent != PROFILE_NONE);
	return count;
}

uint32_t *foreign_stack_room(struct foreign *t, uint32_t nodes)
{
	const struct profile *p = t->profile;
	uint32_t *depth = array_zeroed(nodes, sizeof(*depth)), *room = NULL, deepest = 1;

	for (uint32_t i = 0; depth && i < nodes; i++) {
		depth[i] = p->nodes[i].parent == PROFILE_NONE ? 1 : depth[p->nodes[i].parent] + 1;
		deepest = depth[i] > deepest ? depth[i] : deepest;
	}
	if (depth)
		room = array_zeroed(deepest, sizeof(*room));
	free(depth);
	t->no_memory |= !room;
	return room;
}

void foreign_say_incomplete(struct foreign *t)
{
	if (values_known(t->values, t->profile, t->threads) != MEASURE_KNOWN)
		foreign_say(t, "some amounts are not known: the sums are at least so much");
	foreign_say_count(t, t->values->frames ? t->values->incomplete : 0, "slice is incomplete",
			"slices are incomplete");
}

/*
 * Folded stacks: `main;update;ai 1250`, a line each, with the self time in nanoseconds, or the amount of another measure.
 *
 * In front stands the thread, unless there is only one or all are merged. Stacks that several
 * threads of one name have stand there as often; who reads them adds them up. Those without time are left out.
 */

struct folded {
	struct foreign *t;
	struct foreign_names names;
	struct foreign_sums sums;
	uint32_t *stack;
	FILE *out;
};

static bool says_thread(const struct folded *f)
{
	return !f->t->merged && f->t->profile->thread_count > 1;
}

static void put_thread(struct folded *f, uint32_t thread)
{
	char *name = foreign_names_thread(&f->names, thread);

	f->t->no_memory |= !name;
	fprintf(f->out, "%s;", name ? name : "");
	free(name);
}

static void put_node(struct folded *f, uint32_t node)
{
	uint32_t count = foreign_stack(f->t->profile, node, f->stack);

	if (says_thread(f))
		put_thread(f, f->t->profile->nodes[node].thread);
	while (count--)
		fprintf(f->out, "%s%c", f->names.zones[foreign_zone(&f->sums, f->stack[count])], count ? ';' : ' ');
	fprintf(f->out, "%" PRId64 "\n", f->sums.self[node]);
}

bool foreign_folded(struct foreign *t, FILE *out)
{
	struct folded f = { .t = t, .out = out };
	bool done = foreign_names_init(&f.names, t->profile, TEXT_STACK);

	t->no_memory |= !done;
	done = done && foreign_sums_init(&f.sums, t);
	f.stack = done ? foreign_stack_room(t, f.sums.count) : NULL;
	for (uint32_t i = 0; f.stack && i < f.sums.count; i++)
		if (f.sums.self[i])
			put_node(&f, i);
	foreign_say_names(t, &f.names);
	foreign_say_incomplete(t);
	foreign_sums_fini(&f.sums);
	foreign_names_fini(&f.names);
	free(f.stack);
	return done && !ferror(out);
}
