/* SPDX-License-Identifier: MIT */
/*
 * proftop_list: what regions there are, and the removal of those whose process is dead.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_list.h"
#include "io/region/live_list.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/say.h"

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

static int clean_one(const struct options *o, const char *name)
{
	enum live_result result;
	char why[WHY_SIZE];

	if (!o->yes && !say_agreed(name)) {
		say("'%s' not removed", name);
		return EXIT_FAILED;
	}
	result = live_remove(name, why, sizeof(why));
	say("%s", why);
	return status_of(result);
}

struct names {
	char **names;
	size_t count;
	bool failed;
};

static bool add_dead(const struct live_region *region, void *context)
{
	struct names *n = context;
	char **more;

	if (region->state != LIVE_IS_DEAD)
		return true;
	more = reallocarray(n->names, n->count + 1, sizeof(*more));
	if (more)
		n->names = more;
	n->failed = !more || !(more[n->count] = strdup(region->name));
	n->count += !n->failed;
	return !n->failed;
}

static int clean_dead(const struct options *o)
{
	struct names n = { 0 };
	int status = EXIT_DONE;

	if (!live_list(0, add_dead, &n)) {
		say("cannot read %s: %s", live_directory(), strerror(errno));
		status = EXIT_FAILED;
	}
	if (n.failed)
		status = say_no_memory();
	else if (!status && !n.count)
		say("no region of a dead process");
	for (size_t i = 0; i < n.count; i++) {
		int one = status ? 0 : clean_one(o, n.names[i]);

		status = one ? one : status;
		free(n.names[i]);
	}
	free(n.names);
	return status;
}

int list_clean(const struct options *o)
{
	return o->target ? clean_one(o, o->target) : clean_dead(o);
}
