/* SPDX-License-Identifier: MIT */
#include "io/page/page_inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/gzip.h"

#define LEVEL 5 /* of packing: a higher one takes twice the time for two percent of the size */

struct page_print {
	FILE *out;
	struct gzip *gzip;
	struct json *json;
	uint32_t left; /* bytes that wait for others, to be three: */
	unsigned char three[3];
};

/* Base64: three bytes become four letters */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_four(char *out, const unsigned char *in)
{
	out[0] = letters[in[0] >> 2];
	out[1] = letters[(in[0] & 3) << 4 | in[1] >> 4];
	out[2] = letters[(in[1] & 15) << 2 | in[2] >> 6];
	out[3] = letters[in[2] & 63];
}

static void give_letters(void *context, const void *data, size_t length)
{
	struct page_print *p = context;
	const unsigned char *in = data;
	char out[4096];
	size_t count = 0;

	for (size_t i = 0; i < length; i++) {
		p->three[p->left++] = in[i];
		if (p->left < 3)
			continue;
		put_four(out + count, p->three);
		p->left = 0;
		count += 4;
		if (count == sizeof(out)) {
			fwrite(out, 1, count, p->out);
			count = 0;
		}
	}
	fwrite(out, 1, count, p->out);
}

/* One or two bytes that are left: `=` in the place of each that is not there. */
static void give_last(struct page_print *p)
{
	char out[4];

	if (!p->left)
		return;
	memset(p->three + p->left, 0, sizeof(p->three) - p->left);
	put_four(out, p->three);
	memset(out + p->left + 1, '=', 3 - p->left);
	fwrite(out, 1, sizeof(out), p->out);
}

/* Begin and end */

static bool pack_base64(void *context, const void *data, size_t length)
{
	struct page_print *p = context;

	gzip_put(p->gzip, data, length);
	return true; /* gzip_end says whether all was packed */
}

struct page_print *page_print_begin(FILE *out, struct json **json)
{
	struct page_print *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->out = out;
	p->gzip = gzip_new(LEVEL, give_letters, p);
	*json = p->json = p->gzip ? json_begin_to(pack_base64, p) : NULL;
	if (p->json) {
		json_limit_names(p->json, PAGE_NAME_MOST);
		return p;
	}
	if (p->gzip)
		gzip_end(p->gzip);
	free(p);
	return NULL;
}

bool page_print_end(struct page_print *p)
{
	bool written = json_end(p->json);
	bool packed = gzip_end(p->gzip);

	give_last(p);
	written = written && packed && !ferror(p->out);
	free(p);
	return written;
}

/* Sentences about what the file lacks: `said`, and one after the other in page.said. Behind them come faults of
 * what the page was made from, which the caller knows already. */

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
