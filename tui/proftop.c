/* SPDX-License-Identifier: MIT */
/*
 * proftop: wires a source, the model and an exporter, as the command line says.
 *
 * Batch mode: a report, one document, or a list goes to stdout; all that is said about it goes to
 * stderr, a line each, with the program's name in front.
 */
#include <config.h>

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "io/export.h"
#include "io/export_list.h"
#include "io/find.h"
#include "io/json.h"
#include "io/live_list.h"
#include "tui/launch.h"
#include "tui/options.h"

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_ABSENT = 3,
	EXIT_NOT_OURS = 5,
};

#define WIDTH_ELSEWHERE 100 /* cells, where there is no terminal */
#define WHY_SIZE 1536
#define POLL_NS 20000000 /* while waiting for frames or a region */

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	va_list values;

	fflush(stdout);
	fputs("proftop: ", stderr);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
}

static void rest(void)
{
	const struct timespec time = { .tv_nsec = POLL_NS };

	nanosleep(&time, NULL);
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The output */

static bool is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

static uint32_t output_width(void)
{
	const char *columns = getenv("COLUMNS");
	long given = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (given > 0 && given < 100000)
		return (uint32_t)given;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return WIDTH_ELSEWHERE;
}

static int output_colours(const struct options *o)
{
	static const int counts[COLOUR_CHOICES] = { [COLOUR_8] = 8, [COLOUR_16] = 16,
						    [COLOUR_256] = 256 };
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->colour != COLOUR_AUTO)
		return counts[o->colour];
	if (!isatty(STDOUT_FILENO) || (none && *none) || !term || !strcmp(term, "dumb"))
		return 0;
	return strstr(term, "256color") ? 256 : 8;
}

static struct export_style output_style(const struct options *o)
{
	return (struct export_style){ .width = output_width(), .ascii = o->ascii || !is_utf8(),
				      .colours = output_colours(o) };
}

/* What was written has arrived, or nobody wanted more of it: a reader that left is no error. */
static int finish_output(bool written)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout) && written)
		return EXIT_DONE;
	if (errno == EPIPE)
		return EXIT_DONE;
	say("the output could not be written: %s", errno ? strerror(errno) : "out of memory");
	return EXIT_FAILED;
}

static int status_of(enum live_result result)
{
	static const int statuses[] = {
		[LIVE_OK] = EXIT_DONE,           [LIVE_ABSENT] = EXIT_ABSENT,
		[LIVE_BAD_NAME] = EXIT_USAGE,    [LIVE_NOT_OURS] = EXIT_NOT_OURS,
		[LIVE_IN_USE] = EXIT_FAILED,     [LIVE_FAILED] = EXIT_FAILED,
	};

	return statuses[result];
}

static unsigned source_flags(const struct options *o)
{
	return o->any_user ? LIVE_ANY_USER : 0;
}

/* Reports */

/* All that belongs to one report. */
struct batch {
	const struct options *o;
	struct source *source;
	struct profile *p;
	struct values *values;
	struct averages *averages;
	struct keys *keys;
	struct heat *heat;
	struct report *report;
	struct report *graph;
	struct report_options options;
	struct export e;
	char why[WHY_SIZE];
};

static void batch_fini(struct batch *b)
{
	report_free(b->report);
	report_free(b->graph);
	heat_free(b->heat);
	keys_free(b->keys);
	values_free(b->values);
	averages_free(b->averages);
}

static int no_memory(void)
{
	say("out of memory");
	return EXIT_FAILED;
}

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
		char *name = name_escape(p->threads[i].name, strlen(p->threads[i].name));

		if (name && at + strlen(name) + 32 < size)
			at += (size_t)snprintf(out + at, size - at, "%s%llu (%s)", at ? ", " : "",
					       (unsigned long long)p->threads[i].id, name);
		free(name);
	}
}

/* What -t means. False: there is no such thread, which has been said. */
static bool choose_thread(const struct profile *p, const char *text, uint32_t *thread)
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

/* Whether all that was published of the frame is still known. */
static bool is_complete(const struct profile_frame *frame)
{
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (frame->parts[i].flags & PART_LAPPED)
			return false;
	return frame->part_count && !(frame->flags & FRAME_KEPT);
}

/* Index of the first of the last n complete frames that follow one another; discarded ones among
 * them do not count. *count gets how many there are, n at most. */
static uint32_t last_frames(const struct profile *p, long n, long *count)
{
	uint32_t first = p->frame_count, i = p->frame_count;

	for (*count = 0; i && *count < n; i--) {
		const struct profile_frame *frame = &p->frames[i - 1];

		if (!is_complete(frame))
			break;
		if (frame->flags & FRAME_DISCARDED)
			continue;
		++*count;
		first = i - 1;
	}
	return first;
}

/* Sums over n frames, divided by n without rounding. */
static struct values *sums_as_average(struct values *v)
{
	if (v && v->frames) {
		v->scale = (int64_t)v->frames;
		v->average = true;
	}
	return v;
}

static struct values *average_values(struct batch *b)
{
	b->averages = averages_new();
	if (!b->averages || !averages_update(b->averages, b->p))
		return NULL;
	return values_average(b->averages, b->p, (enum average_slot)b->o->average);
}

/* What is covered, and its values. */
static bool cover(struct batch *b)
{
	const struct options *o = b->o;
	long count;

	if (o->frames) {
		profile_drop_frames(b->p, last_frames(b->p, o->frames, &count));
		b->e.asked = (uint64_t)o->frames;
	}
	b->e.count = b->p->frame_count;
	b->e.whole_run = !o->frames && (o->average < 0 || o->average == AVERAGE_RUN);
	if (o->average >= 0)
		b->e.average = (enum average_slot)o->average;
	if (!o->frames && o->average < 0)
		b->values = values_of_run(b->p);
	else if (o->average < 0)
		b->values = values_of_frames(b->p, 0, b->p->frame_count);
	else if (o->frames && o->average == AVERAGE_RUN)
		b->values = sums_as_average(values_of_frames(b->p, 0, b->p->frame_count));
	else
		b->values = average_values(b);
	return b->values;
}

static bool has_heat(const struct batch *b)
{
	return b->options.thread != REPORT_EACH && !b->o->json && b->p->frame_count;
}

static bool make_heat(struct batch *b)
{
	enum average_slot slot = b->o->average < 0 ? AVERAGE_FAST : b->e.average;

	b->heat = heat_new(b->keys, b->options.thread, slot);
	return b->heat && heat_update(b->heat, b->p);
}

static int report_status(enum report_error error)
{
	return error == REPORT_NO_MEMORY || error == REPORT_NO_SUCH_ZONE ? EXIT_FAILED : EXIT_USAGE;
}

static int make_report(struct batch *b, enum report_view view, struct report **out)
{
	struct report_options options = b->options;
	enum report_error error;

	options.view = view;
	if (options.sort < COLUMNS && !(report_columns[options.sort].views >> view & 1))
		options.sort = COLUMNS; /* of the graph, and this is the flat report beside it */
	error = report_make(b->p, b->values, &options, out, b->why, sizeof(b->why));
	if (!error)
		return EXIT_DONE;
	say("%s", b->why);
	return report_status(error);
}

static int make_reports(struct batch *b)
{
	const struct options *o = b->o;
	bool graph_beside = o->view == REPORT_GRAPH && (o->json || o->csv);
	int status;

	b->keys = keys_new(o->spread);
	if (!b->keys || !keys_update(b->keys, b->p) || (has_heat(b) && !make_heat(b)))
		return no_memory();
	b->options.keys = b->keys;
	b->options.heat = b->heat;
	status = make_report(b, graph_beside ? REPORT_SELF : (enum report_view)o->view, &b->report);
	if (!status && graph_beside)
		status = make_report(b, REPORT_GRAPH, &b->graph);
	b->e.report = b->report;
	b->e.graph = b->graph;
	return status;
}

static struct report_options report_options(const struct options *o)
{
	struct report_options r = REPORT_OPTIONS_DEFAULT;

	r.view = (enum report_view)o->view;
	r.spread = o->spread;
	r.zone = o->zone;
	r.sort = o->sort ? report_column(o->sort) : COLUMNS;
	r.filter = o->filter;
	r.unit = (enum unit)o->unit;
	if (o->csv && r.unit == UNIT_AUTO)
		r.unit = UNIT_NS;
	r.precision = (int)o->precision;
	return r;
}

static int print_stacks(struct batch *b)
{
	struct export_style style = output_style(b->o);
	uint32_t thread = b->options.thread;

	return finish_output(b->o->json ? export_stacks_json(b->source, thread, stdout)
					: export_stacks(b->source, thread, &style, stdout));
}

static int print_report(struct batch *b)
{
	struct export_style style = output_style(b->o);
	bool done;

	b->e.profile = b->p;
	b->e.values = b->values;
	if (b->o->json)
		done = export_json(&b->e, stdout);
	else if (b->o->csv)
		done = export_csv(&b->e, stdout);
	else
		done = export_text(&b->e, &style, stdout);
	return finish_output(done);
}

static int report_source(const struct options *o, struct source *source)
{
	struct batch b = { .o = o, .source = source, .p = source->profile,
			   .options = report_options(o) };
	int status = EXIT_FAILED;

	if (!choose_thread(b.p, o->thread, &b.options.thread))
		return EXIT_FAILED;
	if (o->stacks)
		return print_stacks(&b);
	if (o->average >= 0 && !b.p->frame_count)
		say("there are no frames to average: the program has marked none (Prof_update)");
	else if (!cover(&b))
		no_memory();
	else
		status = make_reports(&b);
	if (!status)
		status = print_report(&b);
	batch_fini(&b);
	return status;
}

/* Reading */

static int bad_source(const struct source *source)
{
	say("%s", source->why);
	return EXIT_NOT_OURS;
}

/* Reads until there is all that -n asks for, or no more comes. */
static int read_source(const struct options *o, struct source *source)
{
	enum source_result result = source_next(source);
	long count = 0;

	while (o->frames && (result == SOURCE_MORE || result == SOURCE_LOST)) {
		last_frames(source->profile, o->frames, &count);
		if (count >= o->frames)
			break;
		if (result != SOURCE_LOST)
			rest();
		result = source_next(source);
	}
	if (result == SOURCE_BAD)
		return bad_source(source);
	last_frames(source->profile, o->frames, &count);
	if (count < o->frames && (uint64_t)o->frames > source->profile->frames_ended)
		say("only %ld of %ld frames: the program has ended", count, o->frames);
	else if (count < o->frames)
		say("only %ld of %ld frames are still whole: the rest was overwritten, as the region "
		    "is too small for them (PROF_SHM_SIZE), or discarded", count, o->frames);
	return EXIT_DONE;
}

/* The region that is meant, and a source of it; NULL: *status, and why in `why`. */
static struct source *open_target(const struct options *o, int *status, char *why)
{
	char name[FIND_SIZE];
	enum live_result result;
	enum find_result found;
	struct source *source;

	if (o->target)
		found = find_region(o->target, name, sizeof(name), why, WHY_SIZE);
	else
		found = find_default(source_flags(o), name, sizeof(name), why, WHY_SIZE);
	*status = found == FIND_MANY ? EXIT_USAGE : EXIT_ABSENT;
	if (found != FIND_DONE)
		return NULL;
	source = live_open(name, source_flags(o), &result, why, WHY_SIZE);
	*status = status_of(result);
	return source;
}

static int report_target(const struct options *o)
{
	double until = seconds_now() + o->wait_s;
	char why[WHY_SIZE];
	int status;
	struct source *source;

	while (!(source = open_target(o, &status, why)) && status == EXIT_ABSENT &&
	       seconds_now() < until)
		rest();
	if (!source) {
		say("%s", why);
		return status;
	}
	status = read_source(o, source);
	if (!status)
		status = report_source(o, source);
	source_close(source);
	return status;
}

/* Programs behind `--` */

static int report_launched(const struct options *o, const struct launch *l)
{
	enum live_result result;
	char why[WHY_SIZE];
	struct source *source = live_open(l->region, 0, &result, why, sizeof(why));
	int status;

	if (!source && result == LIVE_ABSENT) {
		say("%s left no region: is it linked with libprof, built with Prof_ENABLED, and "
		    "did it enter a zone?", o->app[0]);
		return EXIT_ABSENT;
	}
	if (!source) {
		say("%s", why);
		return status_of(result);
	}
	status = read_source(o, source);
	if (!status)
		status = report_source(o, source);
	source_close(source);
	return status;
}

/* The region, and the one of a run before that had the same name. */
static void remove_region(const struct launch *l)
{
	char why[WHY_SIZE], before[LAUNCH_NAME_SIZE + 2];

	live_remove(l->region, why, sizeof(why));
	snprintf(before, sizeof(before), "%s~1", l->region);
	live_remove(before, why, sizeof(why));
}

static int run_app(const struct options *o)
{
	struct launch l = { .pid = 0 };
	int status, app_status;

	if (!launch_start(&l, o->app)) {
		say("%s cannot be run: %s", o->app[0], strerror(l.error));
		return l.error == ENOENT ? EXIT_ABSENT : EXIT_FAILED;
	}
	launch_wait(&l);
	signal(SIGPIPE, SIG_IGN);
	app_status = launch_exit_status(&l);
	if (app_status > 128)
		say("%s ended by signal %d (%s)", o->app[0], app_status - 128,
		    strsignal(app_status - 128));
	status = report_launched(o, &l);
	remove_region(&l);
	return app_status ? app_status : status;
}

/* Lists and cleaning */

static int list_regions(const struct options *o)
{
	struct export_style style = output_style(o);
	enum list_result result = o->json ? export_list_json(source_flags(o), stdout)
					  : export_list(source_flags(o), &style, stdout);
	int status = finish_output(result != LIST_FAILED);

	if (status || result == LIST_DONE)
		return status;
	say("%s cannot be read: %s", live_directory(), strerror(errno));
	return EXIT_FAILED;
}

static bool agreed(const char *name)
{
	char *shown = name_escape(name, strlen(name));
	char answer[16];

	fprintf(stderr, "proftop: remove '%s'? [y/N] ", shown ? shown : "");
	free(shown);
	return fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y');
}

static int clean_one(const struct options *o, const char *name)
{
	enum live_result result;
	char why[WHY_SIZE];

	if (!o->yes && !agreed(name)) {
		say("'%s' stays", name);
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
		say("%s cannot be read: %s", live_directory(), strerror(errno));
		status = EXIT_FAILED;
	}
	if (n.failed)
		status = no_memory();
	else if (!status && !n.count)
		say("there is no region of a dead process");
	for (size_t i = 0; i < n.count; i++) {
		int one = status ? 0 : clean_one(o, n.names[i]);

		status = one ? one : status;
		free(n.names[i]);
	}
	free(n.names);
	return status;
}

/* The command line */

static int print_sort_keys(void)
{
	for (enum column c = 0; c < COLUMNS; c++)
		printf("%-10s %s\n", report_columns[c].key, report_columns[c].help);
	return finish_output(true);
}

static int print_version(void)
{
	char library[64];

	printf("proftop %s\nregion format %s\n%s\n", PACKAGE_VERSION, live_format(),
	       json_library(library, sizeof(library)));
	return finish_output(true);
}

static int print_help(const struct options *o)
{
	if (o->roff)
		options_roff(stdout);
	else
		options_help(stdout);
	return finish_output(true);
}

/* What can be seen to be wrong before a program is run for minutes. */
static bool usable(const struct options *o)
{
	enum column sort = o->sort ? report_column(o->sort) : COLUMN_ZONE;
	struct report_options options = report_options(o);
	struct profile *nothing;
	struct values *values;
	struct report *report = NULL;
	char why[WHY_SIZE] = "";
	bool good;

	if (sort == COLUMNS || !(report_columns[sort].views >> o->view & 1)) {
		say("-s: there is no column '%s' in the view %s (-s help lists them)", o->sort,
		    report_view_names[o->view]);
		return false;
	}
	options.view = REPORT_SELF;
	nothing = profile_new();
	values = nothing ? values_of_run(nothing) : NULL;
	good = !values || report_make(nothing, values, &options, &report, why, sizeof(why)) !=
				  REPORT_BAD_FILTER;
	if (!good)
		say("%s", why);
	report_free(report);
	values_free(values);
	profile_free(nothing);
	return good;
}

static int no_screen(void)
{
	say("the live screen is not part of this version; -1 prints a report, -j one JSON document "
	    "(proftop -h lists all)");
	return EXIT_USAGE;
}

static int dispatch(const struct options *o)
{
	if (o->help)
		return print_help(o);
	if (o->version)
		return print_version();
	if (o->sort && !strcmp(o->sort, "help"))
		return print_sort_keys();
	if (o->list)
		return list_regions(o);
	if (o->clean)
		return o->target ? clean_one(o, o->target) : clean_dead(o);
	if (!options_batch(o))
		return no_screen();
	if (!usable(o))
		return EXIT_USAGE;
	return o->app ? run_app(o) : report_target(o);
}

int main(int argc, char **argv)
{
	struct options o;
	char why[WHY_SIZE];

	setlocale(LC_CTYPE, "");
	if (!options_parse(&o, argc, argv, why, sizeof(why))) {
		say("%s (proftop -h lists all options)", why);
		return EXIT_USAGE;
	}
	if (!o.app)
		signal(SIGPIPE, SIG_IGN);
	return dispatch(&o);
}
