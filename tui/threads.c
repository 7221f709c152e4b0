/* SPDX-License-Identifier: MIT */
/*
 * threads: the threads that -t means.
 */
#include "tui/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/report.h"
#include "model/text.h"
#include "tui/say.h"

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

bool threads_choose(const struct profile *p, const char *text, uint32_t *threads)
{
	char list[512];

	*threads = THREADS_ALL;
	if (!text || !strcmp(text, "all"))
		return true;
	if (!strcmp(text, "each")) {
		*threads = REPORT_EACH;
		return true;
	}
	*threads = profile_parse_threads(p, text);
	if (*threads != PROFILE_NONE)
		return true;
	list_threads(p, list, sizeof(list));
	say("no thread '%s'; there are: %s", text, *list ? list : "none");
	return false;
}
