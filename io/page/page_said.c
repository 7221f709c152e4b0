/* SPDX-License-Identifier: MIT */
/*
 * page_said: what the file lacks, as sentences: `said`, and one after the other in page.said. Behind them stands what was found
 * wrong in what it was made of, which its caller knows already.
 */
#include "io/page/page_inside.h"

#include <inttypes.h>
#include <string.h>

void page_say(struct page_work *w, uint64_t count, const char *one, const char *many)
{
	char *said = w->page->said;
	size_t used = strlen(said);

	if (count)
		snprintf(said + used, PAGE_SAID - used, "%s%" PRIu64 " %s", used ? "; " : "", count, count == 1 ? one : many);
}

static void put_remark(struct json *j, const struct page_remark *remark)
{
	char sentence[PAGE_SAID];

	snprintf(sentence, sizeof(sentence), "%" PRIu64 ": %s", remark->count, remark->sentence);
	if (remark->count)
		json_text(j, NULL, sentence);
}

void page_put_said(struct page_work *w)
{
	json_array(w->j, "said");
	for (char *at = w->page->said, *end; *at; at = end) {
		char sentence[PAGE_SAID];

		end = strstr(at, "; ");
		snprintf(sentence, sizeof(sentence), "%.*s", (int)(end ? end - at : (ptrdiff_t)strlen(at)), at);
		end = end ? end + 2 : at + strlen(at);
		json_text(w->j, NULL, sentence);
	}
	for (uint32_t i = 0; i < w->page->remark_count; i++)
		put_remark(w->j, &w->page->remarks[i]);
	json_array_end(w->j);
}
