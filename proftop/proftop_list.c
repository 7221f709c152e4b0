/* SPDX-License-Identifier: MIT */
/*
 * proftop_list: what regions there are, and the removal of those whose process is dead.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export.h"
#include "io/find.h"
#include "io/region/live_list.h"
#include "proftop/messages.h"
#include "proftop/output.h"
#include "proftop/proftop.h"

int list_print(const struct options *o)
{
	struct export_style style = output_style(o);
	enum list_result result = o->json ? export_list_json(source_flags(o), stdout)
					  : export_list(source_flags(o), &style, stdout);
	int status = output_finish(result != LIST_FAILED);

	if (status || result == LIST_DONE)
		return status;
	say("cannot read %s: %s", live_directory(), strerror(errno));
	return EXIT_FAILED;
}

/* A region that may be removed. Another region that gets its name meanwhile
 * must stay. */
struct dead_region {
	char *name;
	struct live_identity identity;
};

static int clean_one(const struct options *o, const char *name, const struct live_identity *identity)
{
	enum open_result result;
	char why[WHY_SIZE];

	if (identity->inode && !o->yes && !say_agreed(name)) {
		say("'%s' not removed", name);
		return EXIT_FAILED;
	}
	result = live_remove(name, identity, why, sizeof(why));
	if (result == OPEN_ABSENT)
		find_absent(name, why, sizeof(why));
	say("%s", why);
	return status_of(result);
}

struct dead_list {
	struct dead_region *regions;
	size_t count;
	bool failed;
};

static void say_dead(const struct live_region *region)
{
	say("'%s': %s %lld, %.1f MiB, %.80s", region->name, region->exited ? "ended, process" : "dead, process",
	    (long long)region->pid, (double)region->size / (1 << 20), region->command);
}

static bool add_dead(const struct live_region *region, void *context)
{
	struct dead_list *l = context;
	struct dead_region *more;

	if (region->state != LIVE_IS_DEAD)
		return true;
	more = reallocarray(l->regions, l->count + 1, sizeof(*more));
	if (more)
		l->regions = more;
	l->failed = !more || !(more[l->count].name = strdup(region->name));
	if (l->failed)
		return false;
	more[l->count++].identity = region->identity;
	say_dead(region);
	return true;
}

/* Lists all regions first. Then asks for each, also if the user kept one
 * before. */
static int clean_dead(const struct options *o)
{
	struct dead_list l = { 0 };
	int status = EXIT_DONE;

	if (!live_list(0, add_dead, &l)) {
		say("cannot read %s: %s", live_directory(), strerror(errno));
		status = EXIT_FAILED;
	}
	if (l.failed)
		status = say_no_memory();
	else if (!status && !l.count)
		say("no region of a dead process");
	for (size_t i = 0; i < l.count; i++) {
		int one = l.failed ? status : clean_one(o, l.regions[i].name, &l.regions[i].identity);

		status = status ? status : one;
		free(l.regions[i].name);
	}
	free(l.regions);
	return status;
}

struct named_region {
	const char *name;
	/* All zeros, which matches no region, if this user has no such region,
	 * or it is live: then nobody is asked. */
	struct live_identity identity;
};

static bool find_named(const struct live_region *region, void *context)
{
	struct named_region *n = context;

	if (strcmp(region->name, n->name))
		return true;
	if (region->state != LIVE_IS_LIVE && region->state != LIVE_IS_FOREIGN)
		n->identity = region->identity;
	return false;
}

static int clean_named(const struct options *o)
{
	struct named_region n = { .name = o->target };

	if (live_list(0, find_named, &n))
		return clean_one(o, n.name, &n.identity);
	say("cannot read %s: %s", live_directory(), strerror(errno));
	return EXIT_FAILED;
}

int list_clean(const struct options *o)
{
	return o->target ? clean_named(o) : clean_dead(o);
}
