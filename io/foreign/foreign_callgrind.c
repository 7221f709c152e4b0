/* SPDX-License-Identifier: MIT */
/*
 * foreign_callgrind: the profile format of callgrind, with one event: nanoseconds, or another measure.
 *
 * A function is a zone, of all threads together; what calls those at the top is (no zone). What a call cost, all that runs
 * inside included, is told of each pair of zones. Of a stack in which a zone stands several times it is told where the zone
 * stands first: so the costs of all calls of a zone add up to its hierarchical time, and a call from inside of itself costs
 * nothing more. callgrind_annotate --inclusive adds them up that way.
 *
 * The cost of a zone is at its line. In a sampled function, costs are at the
 * lines where the samples were taken.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/foreign/foreign.h"
#include "io/foreign/foreign_sums.h"
#include "model/base/array.h"
#include "model/profile/measures.h"

struct pair {
	uint32_t caller, callee; /* zones; no callee (NOBODY): the caller's own cost */
	uint32_t line;           /* of the caller */
	int64_t calls, cost;
};

#define NOBODY UINT32_MAX

struct callgrind {
	struct foreign *t;
	struct foreign_names names;
	struct foreign_sums sums;
	uint32_t *stack;
	uint32_t *seen; /* by zone: the node of which it was seen last, plus 1 */
	struct pair *pairs;
	uint32_t count, capacity;
	bool *named, *file_named; /* by zone: its number has been said what it means */
	uint32_t *file;           /* by zone: the first zone of that file */
	uint64_t guessed;         /* calls that were entered before what is covered */
	uint64_t functions;       /* callees in which samples were taken: nobody counted their calls */
	FILE *out;
};

/* Pairs of zones */

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

/* The own cost of a caller comes before the costs of its calls. */
static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = compare_numbers(x->caller, y->caller);

	order = order ? order : compare_numbers(x->callee + 1, y->callee + 1);
	return order ? order : compare_numbers(x->line, y->line);
}

/* The same pairs become one. */
static void join_pairs(struct callgrind *c)
{
	uint32_t last = 0;

	if (!c->count)
		return;
	qsort(c->pairs, c->count, sizeof(*c->pairs), compare_pairs);
	for (uint32_t i = 1; i < c->count; i++) {
		if (compare_pairs(&c->pairs[last], &c->pairs[i])) {
			c->pairs[++last] = c->pairs[i];
			continue;
		}
		c->pairs[last].calls += c->pairs[i].calls;
		c->pairs[last].cost = foreign_add(c->pairs[last].cost, c->pairs[i].cost);
	}
	c->count = last + 1;
}

static bool add_pair(struct callgrind *c, struct pair pair)
{
	if (!pair.cost && !pair.calls)
		return true;
	if (c->count > UINT32_C(1) << 20 && c->count == c->capacity) /* they are many stacks, not many zones */
		join_pairs(c);
	if (!array_reserve(&c->pairs, &c->capacity, (uint64_t)c->count + 1, sizeof(*c->pairs)))
		return false;
	c->pairs[c->count++] = pair;
	return true;
}

/* From the top of the stack down: each zone that was not seen yet has the self time of the node. */
static bool add_node(struct callgrind *c, uint32_t node)
{
	const struct profile *p = c->t->profile;
	uint32_t count = p->nodes[node].parent == PROFILE_NONE ? 0 : foreign_stack(p, node, c->stack);
	uint32_t caller = PROFILE_NO_ZONE, line = p->zones[PROFILE_NO_ZONE].line;

	if (!foreign_has(&c->sums, node))
		return true;
	while (count--) {
		uint32_t zone = foreign_zone(&c->sums, c->stack[count]);
		int64_t cost = c->seen[zone] == node + 1 ? 0 : c->sums.self[node];
		int64_t calls = count ? 0 : c->sums.calls[node];

		if (!add_pair(c, (struct pair){ caller, zone, line, calls, cost }))
			return false;
		c->seen[zone] = node + 1;
		caller = zone;
		line = p->nodes[c->stack[count]].line ? p->nodes[c->stack[count]].line : p->zones[zone].line;
	}
	return add_pair(c, (struct pair){ caller, NOBODY, line, 0, c->sums.self[node] });
}

/* The file */

static int compare_files(const void *a, const void *b, void *context)
{
	const struct profile_zone *zones = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = strcmp(zones[x].file, zones[y].file);

	return order ? order : x < y ? -1 : x > y;
}

/* Files are known by the first zone that lies in each. */
static bool find_files(struct callgrind *c)
{
	const struct profile *p = c->t->profile;
	uint32_t *order = array_zeroed(p->zone_count, sizeof(*order)), first = 0;

	if (!order)
		return false;
	for (uint32_t i = 0; i < p->zone_count; i++)
		order[i] = i;
	qsort_r(order, p->zone_count, sizeof(*order), compare_files, p->zones);
	for (uint32_t i = 0; i < p->zone_count; i++) {
		if (!i || strcmp(p->zones[order[i]].file, p->zones[order[first]].file) != 0)
			first = i;
		c->file[order[i]] = order[first];
	}
	free(order);
	return true;
}

/* A name stands behind its number where that is written first. */
static void put_file(struct callgrind *c, const char *key, uint32_t zone)
{
	uint32_t file = c->file[zone];
	const char *path = c->t->profile->zones[file].file;
	char *text = c->file_named[file] ? NULL : foreign_names_text(&c->names, *path ? path : "???");

	fprintf(c->out, "%s=(%u)%s%s\n", key, file + 1, text ? " " : "", text ? text : "");
	c->t->no_memory |= !text && !c->file_named[file];
	c->file_named[file] = true;
	free(text);
}

static void put_zone(struct callgrind *c, const char *key, uint32_t zone)
{
	bool named = c->named[zone];

	fprintf(c->out, "%s=(%u)%s%s\n", key, zone + 1, named ? "" : " ", named ? "" : c->names.zones[zone]);
	c->named[zone] = true;
}

/* Readers take no calls for no line of a call. */
static void put_pair(struct callgrind *c, const struct pair *pair)
{
	const struct profile_zone *zones = c->t->profile->zones;

	if (!pair->calls)
		++*(zones[pair->callee].flags & ZONE_FUNCTION ? &c->functions : &c->guessed);
	put_file(c, "cfi", pair->callee);
	put_zone(c, "cfn", pair->callee);
	fprintf(c->out, "calls=%" PRId64 " %u\n%u %" PRId64 "\n", pair->calls ? pair->calls : 1, zones[pair->callee].line, pair->line,
		pair->cost);
}

/* Returns the first pair of another caller. */
static uint32_t put_function(struct callgrind *c, uint32_t pair)
{
	uint32_t zone = c->pairs[pair].caller;

	fputc('\n', c->out);
	put_file(c, "fl", zone);
	put_zone(c, "fn", zone);
	if (c->pairs[pair].callee != NOBODY)
		fprintf(c->out, "%u 0\n", c->t->profile->zones[zone].line);
	for (; pair < c->count && c->pairs[pair].caller == zone; pair++)
		if (c->pairs[pair].callee == NOBODY)
			fprintf(c->out, "%u %" PRId64 "\n", c->pairs[pair].line, c->pairs[pair].cost);
		else
			put_pair(c, &c->pairs[pair]);
	return pair;
}

/* The name of an event has letters, digits and _. */
static void put_event(struct callgrind *c)
{
	const char *key = foreign_is_time(c->t) ? "ns" : foreign_measure(c->t)->key;
	char *title = foreign_is_time(c->t) ? strdup("Nanoseconds") : foreign_names_text(&c->names, key), name[64];
	size_t count = 0;

	for (; key[count] && count < sizeof(name) - 1; count++)
		name[count] = isalnum((unsigned char)key[count]) ? key[count] : '_';
	name[count] = '\0';
	fprintf(c->out, "positions: line\nevent: %s : %s\nevents: %s\n", name, title ? title : "", name);
	c->t->no_memory |= !title;
	free(title);
}

static void put_head(struct callgrind *c, int64_t total)
{
	const struct profile_process *process = &c->t->profile->process;
	char *command = foreign_names_text(&c->names, process->command);

	fprintf(c->out, "# callgrind format\nversion: 1\ncreator: proftop\npid: %" PRId64 "\ncmd: %s\npart: 1\n\n", process->pid,
		command ? command : "");
	put_event(c);
	fprintf(c->out, "summary: %" PRId64 "\n", total);
	c->t->no_memory |= !command;
	free(command);
}

static void put_all(struct callgrind *c)
{
	int64_t total = 0;

	for (uint32_t i = 0; i < c->sums.count; i++)
		total = foreign_add(total, c->sums.self[i]);
	put_head(c, total);
	for (uint32_t pair = 0; pair < c->count;)
		pair = put_function(c, pair);
	fprintf(c->out, "\ntotals: %" PRId64 "\n", total);
}

static bool prepare_tables(struct callgrind *c)
{
	uint32_t zones = c->t->profile->zone_count;

	c->stack = foreign_stack_room(c->t, c->sums.count);
	c->seen = array_zeroed(zones, sizeof(*c->seen));
	c->named = array_zeroed(zones, sizeof(*c->named));
	c->file_named = array_zeroed(zones, sizeof(*c->file_named));
	c->file = array_zeroed(zones, sizeof(*c->file));
	return c->stack && c->seen && c->named && c->file_named && c->file && find_files(c);
}

static void free_tables(struct callgrind *c)
{
	foreign_sums_fini(&c->sums);
	foreign_names_fini(&c->names);
	free(c->stack);
	free(c->seen);
	free(c->pairs);
	free(c->named);
	free(c->file_named);
	free(c->file);
}

bool foreign_callgrind(struct foreign *t, FILE *out)
{
	struct callgrind c = { .t = t, .out = out };
	bool done = foreign_names_init(&c.names, t->profile, TEXT_LINE) && foreign_sums_init(&c.sums, t) && prepare_tables(&c);

	for (uint32_t i = 0; done && i < c.sums.count; i++)
		done = add_node(&c, i);
	if (done) {
		join_pairs(&c);
		put_all(&c);
	}
	t->no_memory |= !done;
	if (!profile_has_calls(t->profile))
		foreign_say(t, "numbers of calls are not known. The format needs one, so each pair of caller and callee has 1");
	else
		foreign_say_count(t, c.guessed, "pair of caller and callee was given one call, which began before the covered time",
				  "pairs of caller and callee were given one call each, which began before the covered time");
	foreign_say_count(t, c.functions, "function was given one call: samples do not count calls",
			  "pairs of caller and function were given one call each: samples do not count calls");
	foreign_say_names(t, &c.names);
	foreign_say_incomplete(t);
	free_tables(&c);
	return done && !ferror(out);
}
