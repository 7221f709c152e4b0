/* SPDX-License-Identifier: MIT */
/*
 * proftop: the command line of the program, and what its ways through have in common.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/find.h"
#include "io/gzip.h"
#include "io/import/import.h"
#include "io/recording/block.h"
#include "io/region/live_list.h"
#include "io/symbols.h"
#include "proftop/batch.h"
#include "proftop/choose.h"
#include "proftop/options.h"
#include "proftop/messages.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/proftop_reading.h"
#include "proftop/settings.h"
#include "tui/term/term.h"

struct export_style output_style(const struct options *o)
{
	return (struct export_style){ .width = output_width(), .ascii = o->ascii || !output_utf8(),
				      .colours = output_colours(o) };
}

int status_of(enum open_result result)
{
	static const int statuses[] = {
		[OPEN_OK] = EXIT_DONE,           [OPEN_ABSENT] = EXIT_ABSENT,
		[OPEN_BAD_NAME] = EXIT_USAGE,    [OPEN_NOT_OURS] = EXIT_NOT_OURS,
		[OPEN_IN_USE] = EXIT_FAILED,     [OPEN_FAILED] = EXIT_FAILED,
	};

	return statuses[result];
}

int status_of_launch(const struct launch *l)
{
	return l->error == ENOENT ? EXIT_ABSENT : EXIT_FAILED;
}

unsigned source_flags(const struct options *o)
{
	return o->any_user ? LIVE_ANY_USER : 0;
}

void remove_region(const struct launch *l)
{
	char why[WHY_SIZE], before[LAUNCH_NAME_SIZE + 2];

	live_remove(l->region, NULL, why, sizeof(why));
	snprintf(before, sizeof(before), "%s~1", l->region);
	live_remove(before, NULL, why, sizeof(why));
}

static int print_version(void)
{
	char library[64], packer[64];
	const char *zlib = gzip_library();

	printf("proftop %s\nregion format %s\nrecording format %u\n%s\n%s\n%s\n", PACKAGE_VERSION, live_format(), RECORDING_MAJOR,
	       import_json_library(library, sizeof(library)), term_library(), block_library(packer, sizeof(packer)));
	if (zlib)
		printf("zlib %s\n", zlib);
	printf("%s\n", symbols_library(packer, sizeof(packer)));
	return output_finish(true);
}

static void keep_symbols(void)
{
	char folder[PATH_MAX];

	if (settings_place("XDG_CACHE_HOME", ".cache", "proftop", folder, sizeof(folder)))
		symbols_keep_in(folder);
}

static int why_report(const struct options *o, struct launch *l)
{
	return o->over_ms > 0 ? freeze_report(o, l) : batch_report(o, l);
}

/* The commands that read a program. */
static const struct {
	int (*report)(const struct options *o, struct launch *l);
	bool while_it_runs; /* else the program behind -- has ended */
} reports[SUBCOMMANDS] = {
	[SUBCOMMAND_REPORT] = { batch_report, false },  [SUBCOMMAND_WHY] = { why_report, false },
	[SUBCOMMAND_STREAM] = { stream_report, true },  [SUBCOMMAND_STACKS] = { batch_report, false },
	[SUBCOMMAND_RECORD] = { record_report, true },  [SUBCOMMAND_EXPORT] = { batch_report, false },
	[SUBCOMMAND_CHECK] = { check_report, true },
};

/* Starts the program behind `--`, and reads it while it runs, or once it has ended. */
static int run_program(const struct options *o)
{
	bool while_it_runs = reports[o->command].while_it_runs || o->over_ms > 0;
	struct launch l = { .pid = 0 };
	int status = EXIT_DONE, app_status;

	if (!launch_start(&l, o->app, LAUNCH_BATCH, o->sample)) {
		say("cannot run %s: %s", o->app[0], strerror(l.error));
		return status_of_launch(&l);
	}
	signal(SIGPIPE, SIG_IGN);
	if (while_it_runs)
		status = reports[o->command].report(o, &l);
	launch_wait(&l);
	app_status = launch_exit_status(&l);
	if (WIFSIGNALED(l.status))
		say("%s ended by signal %d (%s)", o->app[0], WTERMSIG(l.status), strsignal(WTERMSIG(l.status)));
	if (!while_it_runs)
		status = reports[o->command].report(o, &l);
	remove_region(&l);
	return app_status && status != EXIT_FALSE ? app_status : status;
}

/* The screen waits for a region that is not there yet: not for a file, nor for a word that has a meaning elsewhere on the
 * command line. */
static bool is_awaited(const struct options *o)
{
	char why[WHY_SIZE], instead[256];

	for (int i = o->named; i < o->target_count && o->wait_s < 0; i++) {
		const char *name = o->targets[i];

		if (find_is_there(name) || (!find_is_file_name(name) && !options_instead(name, instead, sizeof(instead)) &&
					    (i || !options_similar_command(name))))
			continue;
		find_absent(name, why, sizeof(why));
		reading_say_absent(o, name, why);
		return false;
	}
	return true;
}

static int answer_command(const struct options *o)
{
	if (o->help)
		return help_print(o);
	if (o->export_help)
		return help_exports();
	if (o->version)
		return print_version();
	if (o->sort && !strcmp(o->sort, "help"))
		return help_sort_keys();
	if ((o->export >= 0 && !export_usable(o)) || !batch_usable(o) || !check_usable(o))
		return EXIT_USAGE;
	switch (o->command) {
	case SUBCOMMAND_SCREEN:
		return is_awaited(o) ? screen_show(o) : EXIT_ABSENT;
	case SUBCOMMAND_LIST:
		return list_print(o);
	case SUBCOMMAND_CLEAN:
		return list_clean(o);
	case SUBCOMMAND_DIFF:
		return diff_report(o);
	default:
		return o->app ? run_program(o) : reports[o->command].report(o, NULL);
	}
}

/* The screen begins as its settings say, and the command line goes over them. An order that the view of the
 * command line does not have is that of another view. */
static bool take_settings(struct options *o, int argc, char **argv, char *why, size_t why_size)
{
	static char notice[WHY_SIZE];
	struct options with;
	bool read, sorted = o->sort;

	options_begin(&with);
	read = settings_read(&with, o->config, notice, sizeof(notice));
	if (!options_parse(&with, argc, argv, why, why_size))
		return false;
	if (!sorted && with.sort && !sort_key_fits(with.view, with.sort))
		with.sort = NULL;
	with.notice = read ? NULL : notice;
	*o = with;
	return true;
}

static bool understand_command(struct options *o, int argc, char **argv)
{
	char why[WHY_SIZE];

	options_begin(o);
	if (options_parse(o, argc, argv, why, sizeof(why)) &&
	    (o->help || o->version || o->export_help || o->no_config || o->command != SUBCOMMAND_SCREEN ||
	     take_settings(o, argc, argv, why, sizeof(why))))
		return true;
	if (o->command == SUBCOMMAND_HELP)
		say("%s", why);
	else
		say("%s (proftop help %s lists all options)", why, options_command_name(o->command));
	return false;
}

/* A recording that comes on standard input: keys come from the terminal then. */
static bool take_input(struct options *o)
{
	static char path[32];
	int fd, terminal;

	for (int i = 0; i < o->target_count; i++) {
		if (strcmp(o->targets[i], "-"))
			continue;
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
		terminal = open("/dev/tty", O_RDWR);
		if (terminal >= 0 && fd >= 0)
			dup2(terminal, STDIN_FILENO);
		if (terminal > STDIN_FILENO)
			close(terminal);
		if (fd < 0 || *path) {
			say(*path ? "- is standard input, of which there is one" : "standard input is closed");
			return false;
		}
		snprintf(path, sizeof(path), "/dev/fd/%d", fd);
		o->targets[i] = path;
		o->from_input = true;
		if (!i)
			o->target = path;
	}
	return true;
}

/*
 * The heap: where the history of a program lies, in memory of large pages.
 *
 * Nearly all of proftop's memory is the cells of the frames that it holds: some tens of MiB, which are allocated one
 * after the other as fast as a region can be read. With small pages, each new page is a fault in the kernel, and these
 * faults were a fifth of the time until the first picture. So the heap grows in large steps, and the system is asked
 * to make the first step of large pages. Room that was never used takes no memory. Room that becomes free is kept for
 * the frames to come. All threads share this one heap, because the thread that first reads a region hands over what it
 * allocated. Where the system cannot do it, the heap works as it always does.
 */

#define HEAP_STEP (64 << 20) /* bytes; as much as is held of a region */
#define HEAP_ARRAYS (1 << 20) /* what is larger is mapped apart: where it grows it leaves no hole in the heap */
#define LARGE_PAGE ((uintptr_t)2 << 20)

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
/* Before the first allocation of any size. */
static void prepare_heap(void)
{
	uintptr_t begin, end;
	void *first;

	if (!mallopt(M_TOP_PAD, HEAP_STEP) || !mallopt(M_MMAP_THRESHOLD, HEAP_ARRAYS) || !mallopt(M_ARENA_MAX, 1))
		return;
	first = malloc(HEAP_ARRAYS / 2); /* more than there is, so the heap is grown */
	begin = ((uintptr_t)first + LARGE_PAGE - 1) & -LARGE_PAGE;
	end = (uintptr_t)sbrk(0) & -LARGE_PAGE;
	if (first && begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
	free(first);
}
#else
static void prepare_heap(void)
{
}
#endif

int main(int argc, char **argv)
{
	struct options o;

	prepare_heap();
	setlocale(LC_CTYPE, "");
	if (!understand_command(&o, argc, argv) || !take_input(&o))
		return EXIT_USAGE;
	if (!o.app)
		signal(SIGPIPE, SIG_IGN);
	keep_symbols();
	return answer_command(&o);
}
