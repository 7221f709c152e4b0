/* SPDX-License-Identifier: MIT */
/* stop: the state is of the file, because a signal handler has no argument. */
#include "proftop/stop.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static struct {
	char path[PATH_MAX];
	pid_t owner; /* a child that is about to become another program has the handlers, too */
	volatile sig_atomic_t there;
	sigset_t before;
} aside;

/* Signals from outside that end a program by default. */
static const int endings[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ };
#define ENDINGS (sizeof(endings) / sizeof(*endings))

void stop_remove(void)
{
	if (aside.there && getpid() == aside.owner)
		unlink(aside.path);
}

/* The signal has its default action again, and the raised one comes when this returns. */
static void end_by_signal(int sig)
{
	stop_remove();
	raise(sig);
}

static void set_handler(int sig, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&action.sa_mask);
	sigaction(sig, &action, NULL);
}

static void end_with(int sig)
{
	set_handler(sig, end_by_signal, SA_RESETHAND);
}

static void catch_signal(int sig)
{
	caught = sig;
	end_with(sig);
}

void stop_on_signals(void)
{
	set_handler(SIGINT, catch_signal, 0);
	set_handler(SIGTERM, catch_signal, 0);
}

int stop_asked(void)
{
	return caught;
}

void stop_hold(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGABRT); /* it can be sent, too, and rescue.h has its end */
	for (size_t i = 0; i < ENDINGS; i++)
		sigaddset(&set, endings[i]);
	sigprocmask(SIG_BLOCK, &set, &aside.before);
}

void stop_release(void)
{
	sigprocmask(SIG_SETMASK, &aside.before, NULL);
}

void stop_removes(const char *path)
{
	struct sigaction now;

	aside.there = 0;
	if (!path || snprintf(aside.path, sizeof(aside.path), "%s", path) >= (int)sizeof(aside.path))
		return;
	aside.owner = getpid();
	aside.there = 1;
	for (size_t i = 0; i < ENDINGS; i++)
		if (!sigaction(endings[i], NULL, &now) && now.sa_handler == SIG_DFL)
			end_with(endings[i]);
}
