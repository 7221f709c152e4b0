/* SPDX-License-Identifier: MIT */
/*
 * proftop_run: the program behind `--`, without a screen: it is started, and what is asked for is read while it runs,
 * or once it has ended.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "proftop/messages.h"
#include "proftop/proftop.h"

int run_program(const struct options *o)
{
	bool while_it_runs = o->output || o->stream || o->freeze_ms > 0 || o->check;
	struct launch l = { .pid = 0 };
	int status = EXIT_DONE, app_status;

	if (!launch_start(&l, o->app, LAUNCH_BATCH)) {
		say("cannot run %s: %s", o->app[0], strerror(l.error));
		return status_of_launch(&l);
	}
	signal(SIGPIPE, SIG_IGN);
	if (o->output)
		status = record_report(o, &l);
	else if (o->stream)
		status = stream_report(o, &l);
	else if (o->freeze_ms > 0)
		status = freeze_report(o, &l);
	else if (o->check)
		status = check_report(o, &l);
	launch_wait(&l);
	app_status = launch_exit_status(&l);
	if (WIFSIGNALED(l.status))
		say("%s ended by signal %d (%s)", o->app[0], WTERMSIG(l.status), strsignal(WTERMSIG(l.status)));
	if (!while_it_runs)
		status = batch_report(o, &l);
	remove_region(&l);
	return app_status && status != EXIT_FALSE ? app_status : status;
}
