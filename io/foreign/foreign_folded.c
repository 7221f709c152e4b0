/* SPDX-License-Identifier: MIT */
/*
 * foreign_folded: folded stacks: `main;update;ai 1250`, a line each, with the self time in nanoseconds.
 *
 * In front stands the thread, unless there is only one or all are merged. Stacks that several
 * threads of one name have stand there as often; who reads them adds them up. Those without time are left out.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "io/foreign/foreign_names.h"
#include "io/foreign/foreign_sums.h"

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
