/* SPDX-License-Identifier: MIT */
/*
 * proftop: the command line of the program, and what its ways through have in common.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/gzip.h"
#include "io/import/import.h"
#include "io/recording/block.h"
#include "io/region/live_list.h"
#include "proftop/batch.h"
#include "proftop/choose.h"
#include "proftop/help.h"
#include "proftop/messages.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/proftop_export.h"
#include "proftop/proftop_heap.h"
#include "proftop/settings_file.h"
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
	return output_finish(true);
}

static int dispatch(const struct options *o)
{
	if (o->help)
		return help_print(o);
	if (o->export_help)
		return help_exports();
	if (o->version)
		return print_version();
	if (o->sort && !strcmp(o->sort, "help"))
		return help_sort_keys();
	if (o->list)
		return list_print(o);
	if (o->clean)
		return list_clean(o);
	if (o->export >= 0 && !export_usable(o))
		return EXIT_USAGE;
	if (!batch_usable(o) || !check_usable(o))
		return EXIT_USAGE;
	if (!options_batch(o))
		return screen_show(o);
	if (o->app)
		return run_program(o);
	if (o->output)
		return record_report(o, NULL);
	if (o->check)
		return check_report(o, NULL);
	if (o->diff)
		return diff_report(o);
	if (o->freeze_ms > 0)
		return freeze_report(o, NULL);
	return o->stream ? stream_report(o, NULL) : batch_report(o, NULL);
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

static bool understand(struct options *o, int argc, char **argv)
{
	char why[WHY_SIZE];

	options_begin(o);
	if (options_parse(o, argc, argv, why, sizeof(why)) &&
	    (o->help || o->version || o->export_help || o->no_config || !options_screen(o) ||
	     take_settings(o, argc, argv, why, sizeof(why))))
		return true;
	say("%s (proftop -h lists all options)", why);
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

int main(int argc, char **argv)
{
	struct options o;

	heap_prepare();
	setlocale(LC_CTYPE, "");
	if (!understand(&o, argc, argv) || !take_input(&o))
		return EXIT_USAGE;
	if (!o.app)
		signal(SIGPIPE, SIG_IGN);
	return dispatch(&o);
}
