/* SPDX-License-Identifier: MIT */
/*
 * threads: the thread that -t means.
 */
#include "tui/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/report.h"
#include "model/text.h"
#include "tui/say.h"

/* The ids of the threads of that name. */
static void list_ids(const struct profile *p, uint32_t like, char *out, size_t size)
{
	size_t at = 0;

	*out = '\0';
	for (uint32_t i = 0; i < p->thread_count; i++)
		if (!strcmp(p->threads[i].name, p->threads[like].name) && at + 24 < size)
			at += (size_t)snprintf(out + at, size - at, "%s%llu", at ? ", " : "",
					       (unsigned long long)p->threads[i].id);
}

static void list_threads(const struct profile *p, char *out, size_t size)
{
	size_t at = 0;

	*out = '\0';
	for (uint32_t i = 0; i < p->thread_count; i++) {
		char *name = name_safe(p->threads[i].name, false);

		if (name && at + strlen(name) + 32 < size)
			at += (size_t)snprintf(out + at, size - at, "%s%llu (%s)", at ? ", " : "",
					       (unsigned long long)p->threads[i].id, name);
		free(name);
	}
}

bool threads_choose(const struct profile *p, const char *text, uint32_t *thread)
{
	char list[512];
	bool several;

	*thread = THREADS_ALL;
	if (!text || !strcmp(text, "all"))
		return true;
	if (!strcmp(text, "each")) {
		*thread = REPORT_EACH;
		return true;
	}
	*thread = profile_parse_thread(p, text, &several);
	if (*thread == PROFILE_NONE) {
		list_threads(p, list, sizeof(list));
		say("no thread '%s'; there are: %s", text, *list ? list : "none");
		return false;
	}
	if (several) {
		list_ids(p, *thread, list, sizeof(list));
		say("several threads are called '%s': say which, by its id: %s", text, list);
	}
	return !several;
}
