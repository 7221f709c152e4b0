/* SPDX-License-Identifier: MIT */

#include <config.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "io/foreign/foreign.h"
#include "io/page/page.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/proftop_import.h"
#include "proftop/wait.h"

bool export_is_foreign(const struct options *o)
{
	return o->export >= 0 && file_kinds[o->export].form != FILE_REPORT;
}

bool export_is_events(const struct options *o)
{
	return o->export >= 0 && (file_kinds[o->export].form == FILE_EVENTS || export_is_page(o));
}

bool export_usable(const struct options *o)
{
	const char *name = file_kind_names[o->export];

	if (!o->output && file_kinds[o->export].binary && isatty(STDOUT_FILENO)) {
		say("refusing to write binary data (%s) to a terminal: use -o FILE", name);
		return false;
	}
	return !export_is_events(o) || batch_timeline_usable(o);
}

static int say_failed(const char *path, int error)
{
	say("cannot write %s: %s", path, strerror(error ? error : ENOMEM));
	return EXIT_FAILED;
}

bool export_begin(const struct options *o, struct export_file *file)
{
	int error;

	if (export_file_open(file, o->output, NULL, &error))
		return true;
	say_failed(o->output, error);
	return false;
}

int export_end(const struct options *o, struct export_file *file, bool written, int status)
{
	int error = 0;

	if (!file)
		return status ? status : output_finish(written);
	if (export_file_finish(file, written && !status, &error) || status)
		return status;
	return say_failed(o->output, error);
}

/* Stacks have their thread in front, unless all are merged into one. */
static struct foreign foreign_of(const struct batch *b)
{
	bool merged = b->o->thread && !strcmp(b->o->thread, "all");

	return (struct foreign){ .profile = b->p, .threads = b->options.thread, .values = b->values, .merged = merged,
			       .spans = b->spans, .frame = b->frame, .from = b->timeline.from, .to = b->timeline.to,
			       .each_frame = b->o->each_frame, .ascii = output_style(b->o).ascii,
			       .whole = !b->frame && !b->asked && !b->o->from && !b->o->to };
}

static bool show_written(void *context, uint64_t done, uint64_t all)
{
	char what[64];

	(void)context;
	if (!all || !progress_due())
		return true;
	snprintf(what, sizeof(what), "written: %d %%", done < all ? (int)((double)done * 100 / (double)all) : 99);
	progress_tell(what);
	return true;
}

static int export_file(struct batch *b, FILE *out, bool *written)
{
	int status = export_is_events(b->o) ? batch_make_timeline(b) : EXIT_DONE;
	struct foreign t = foreign_of(b);

	if (status)
		return status;
	if (!isatty(fileno(out))) /* there the file itself is seen */
		t.goes_on = show_written;
	progress_begin();
	*written = foreign_write(&t, (enum file_kind)b->o->export, out);
	progress_end();
	if (t.no_memory)
		return say_no_memory();
	if (*t.said)
		say("%s: %s", file_kind_names[b->o->export], t.said);
	return EXIT_DONE;
}

static struct page page_of(const struct batch *b)
{
	return (struct page){ .profile = b->p, .values = b->values, .spans = b->spans, .threads = b->options.thread, .measure = b->measure,
			      .threads_asked = b->o->thread, .first = b->first, .count = b->count, .whole = b->whole_run,
			      .asked = b->asked, .frame = b->frame, .by = "proftop " PACKAGE_VERSION,
			      .budget = (int64_t)(b->o->budget_ms * (double)b->p->ticks_per_s / 1e3),
			      .unread = b->transitions->left_out };
}

static int export_page(struct batch *b, FILE *out, bool *written)
{
	int status = batch_make_timeline(b);
	struct page_remark remarks[ANOMALIES];
	struct page page;

	if (status)
		return status;
	page = page_of(b);
	page.remarks = remarks;
	page.remark_count = importing_remarks(b->source, remarks);
	*written = page_write(&page, out);
	if (!*written && !ferror(out))
		return say_no_memory();
	if (*page.said)
		say("html: %s", page.said);
	return EXIT_DONE;
}

int export_foreign(struct batch *b, FILE *out, bool *written)
{
	if (export_is_page(b->o))
		return export_page(b, out, written);
	return export_file(b, out, written);
}
