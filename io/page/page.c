/* SPDX-License-Identifier: MIT */
#include "io/page/page_inside.h"

#include <inttypes.h>
#include <time.h>

#include "io/gzip.h"
#include "io/json_members.h"
#include "io/json_table.h"
#include "model/report/zone_table.h"

#define VERSION 1 /* of the document: another one where the page of before would misread it */

/* What is covered */

static void put_origin(struct page_work *w)
{
	char origin[24];

	snprintf(origin, sizeof(origin), "%" PRId64, w->origin);
	json_text(w->j, "origin", origin);
	json_integer(w->j, "now", page_minus(w->p->now_tick, w->origin));
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void put_made(struct json *j, const struct page *page)
{
	json_object(j, "made");
	json_text(j, "by", page->by);
	json_integer(j, "real_ns", page->made_ns ? page->made_ns : now_ns());
	json_object_end(j);
}

static void put_covered(struct json *j, const struct page *page)
{
	json_object(j, "covered");
	json_integer(j, "whole", page->whole);
	json_unsigned(j, "frames_asked", page->asked);
	json_unsigned(j, "frame", page->frame);
	json_name(j, "threads", page->threads_asked ? page->threads_asked : "all");
	json_object_end(j);
	json_integer(j, "budget", page->budget);
}

/* Columns of what there is */

static void put_zones(struct json *j, const struct profile *p)
{
	json_object(j, "zones");
	PAGE_COLUMN(j, "name", i, p->zone_count, json_name(j, NULL, p->zones[i].name));
	PAGE_COLUMN(j, "file", i, p->zone_count, json_name(j, NULL, p->zones[i].file));
	PAGE_COLUMN(j, "line", i, p->zone_count, json_unsigned(j, NULL, p->zones[i].line));
	PAGE_COLUMN(j, "flags", i, p->zone_count, json_unsigned(j, NULL, p->zones[i].flags));
	json_object_end(j);
}

static void put_threads(struct page_work *w)
{
	static const char *const states[] = { [THREAD_LIVE] = "live", [THREAD_ENDED] = "ended", [THREAD_AGGREGATE] = "sum" };
	const struct profile *p = w->p;
	struct json *j = w->j;

	json_object(j, "threads");
	json_array(j, "id");
	for (uint32_t i = 0; i < p->thread_count; i++) {
		char id[24];

		snprintf(id, sizeof(id), "%" PRIu64, p->threads[i].id);
		json_text(j, NULL, id);
	}
	json_array_end(j);
	PAGE_COLUMN(j, "tid", i, p->thread_count, json_integer(j, NULL, p->threads[i].tid));
	PAGE_COLUMN(j, "name", i, p->thread_count, json_name(j, NULL, p->threads[i].name));
	PAGE_COLUMN(j, "state", i, p->thread_count, json_text(j, NULL, states[p->threads[i].state]));
	PAGE_COLUMN(j, "marking", i, p->thread_count, json_integer(j, NULL, p->threads[i].marking));
	PAGE_COLUMN(j, "several", i, p->thread_count, json_integer(j, NULL, profile_thread_is_several(&p->threads[i])));
	PAGE_COLUMN(j, "namesake", i, p->thread_count, json_unsigned(j, NULL, p->threads[i].namesake));
	PAGE_COLUMN(j, "shown", i, p->thread_count, json_integer(j, NULL, page_selects(w, i)));
	json_object_end(j);
}

static void put_nodes(struct json *j, const struct profile *p)
{
	json_object(j, "nodes");
	PAGE_COLUMN(j, "parent", i, p->node_count,
		    json_integer(j, NULL, p->nodes[i].parent == PROFILE_NONE ? -1 : (int64_t)p->nodes[i].parent));
	PAGE_COLUMN(j, "zone", i, p->node_count, json_unsigned(j, NULL, p->nodes[i].zone));
	PAGE_COLUMN(j, "thread", i, p->node_count, json_unsigned(j, NULL, p->nodes[i].thread));
	json_object_end(j);
}

static void put_by_node(const struct page_work *w, const char *key, const int64_t *values)
{
	json_array(w->j, key);
	for (uint32_t i = 0; i < w->p->node_count; i++) {
		int64_t value = page_value(w, w->page->values, values, i);

		json_integer(w->j, NULL, value == PROFILE_LONGEST_UNKNOWN ? -1 : value);
	}
	json_array_end(w->j);
}

static void put_run(const struct page_work *w)
{
	const struct values *v = w->page->values;

	json_object(w->j, "run");
	json_integer(w->j, "wall", v->wall);
	json_integer(w->j, "elapsed", v->elapsed);
	json_unsigned(w->j, "frames", v->frames);
	json_unsigned(w->j, "incomplete", v->incomplete);
	PAGE_COLUMN(w->j, "time", i, w->p->thread_count,
		    json_integer(w->j, NULL, i < v->thread_count && page_selects(w, i) ? v->time[i] : 0));
	put_by_node(w, "self", v->self);
	put_by_node(w, "count", v->count);
	put_by_node(w, "longest", v->longest);
	json_object_end(w->j);
}

static void put_losses(struct json *j, const struct profile *p)
{
	json_array(j, "losses");
	for (uint32_t i = 0; i < p->loss_count; i++) {
		json_object(j, NULL);
		json_text(j, "key", p->losses[i].key);
		json_unsigned(j, "count", p->losses[i].count);
		json_name(j, "sentence", p->losses[i].sentence);
		json_object_end(j);
	}
	json_array_end(j);
	json_unsigned(j, "unseen_frames", p->unseen_frames);
	json_unsigned(j, "left_out_frames", p->left_out_frames);
	json_name(j, "left_open", p->left_open);
}

static void put_document(struct page_work *w)
{
	struct json *j = w->j;

	json_object(j, NULL);
	json_integer(j, "version", VERSION);
	put_made(j, w->page);
	json_process(j, w->p);
	put_origin(w);
	put_covered(j, w->page);
	put_zones(j, w->p);
	put_threads(w);
	put_nodes(j, w->p);
	if (!profile_has_calls(w->p))
		json_bool(j, "entries_unknown", true);
	json_page_columns(j, "zone_columns", &zone_table_type);
	put_run(w);
	page_put_frames(w);
	page_put_measures(w);
	page_put_counters(w);
	page_put_events(w);
	page_put_calls(w);
	page_put_why(w);
	json_null(j, "samples");
	json_null(j, "allocations");
	put_losses(j, w->p);
	page_say(w, json_names_cut(j), "name is cut", "names are cut"); /* behind all that may lack something */
	page_put_said(w);
	json_object_end(j);
}

/* The file */

static bool put_data(struct page_work *w, FILE *out)
{
	struct page_print *print;

	fprintf(out, "<script id=\"data\" type=\"application/octet-stream\" data-encoding=\"%s\">",
		gzip_library() ? "gzip" : "none");
	print = page_print_begin(out, &w->j);
	if (!print)
		return false;
	put_document(w);
	if (!page_print_end(print))
		return false;
	fputs("</script>\n", out);
	return true;
}

bool page_write(struct page *page, FILE *out)
{
	struct page_work w = { .page = page, .p = page->profile, .origin = page->profile->first_tick };
	bool done;

	page->said[0] = '\0';
	fwrite(page_head, 1, page_head_size, out);
	done = page_choose(&w) && put_data(&w, out);
	fwrite(page_tail, 1, page_tail_size, out);
	page_choose_fini(&w);
	return done && !ferror(out);
}
