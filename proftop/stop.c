/* SPDX-License-Identifier: MIT */
#include "proftop/stop.h"

#include <signal.h>

static volatile sig_atomic_t caught;

static void catch(int sig)
{
	caught = sig;
}

void stop_on_signals(void)
{
	struct sigaction action = { .sa_handler = catch, .sa_flags = SA_RESETHAND };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

void stop_let_go(void)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

int stop_asked(void)
{
	return caught;
}
