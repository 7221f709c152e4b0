/* SPDX-License-Identifier: MIT */
/* term_signal: the state is of the file, because a signal handler has no argument. */
#include "tui/term/term_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "tui/term/term_rescue.h"

static struct {
	int pipe[2];
	timer_t deadline;
	volatile sig_atomic_t resized, suspended, continued, ending;
} state = { .pipe = { -1, -1 } };

static void wake_reader(void)
{
	ssize_t n = write(state.pipe[1], "", 1);

	(void)n; /* full: it wakes already */
}

static void on_resize(int number)
{
	int saved = errno;

	(void)number;
	state.resized = 1;
	wake_reader();
	errno = saved;
}

static void on_suspend(int number)
{
	int saved = errno;

	(void)number;
	state.suspended = 1;
	wake_reader();
	errno = saved;
}

static void on_continue(int number)
{
	int saved = errno;

	(void)number;
	state.continued = 1;
	wake_reader();
	errno = saved;
}

void signals_hurry(void)
{
	struct itimerspec in = { .it_value.tv_nsec = SIGNAL_DEADLINE_MS * 1000000L };

	timer_settime(state.deadline, 0, &in, NULL);
}

static void on_end(int number)
{
	int saved = errno;

	if (!state.ending)
		signals_hurry();
	state.ending = number;
	wake_reader();
	errno = saved;
}

static void on_deadline(int number)
{
	(void)number;
	rescue_die(state.ending ? state.ending : SIGHUP);
}

/* Not SIG_IGN, which a program that is started from here would inherit. */
static void on_nothing(int number)
{
	(void)number;
}

static struct taken {
	int number;
	void (*handler)(int);
	bool taken;
	struct sigaction before;
} signals[] = {
	{ .number = SIGALRM, .handler = on_deadline }, /* first: the others need it */
	{ .number = SIGWINCH, .handler = on_resize },
	{ .number = SIGTSTP, .handler = on_suspend },
	{ .number = SIGCONT, .handler = on_continue },
	{ .number = SIGHUP, .handler = on_end },
	{ .number = SIGINT, .handler = on_end },
	{ .number = SIGQUIT, .handler = on_end },
	{ .number = SIGTERM, .handler = on_end },
	{ .number = SIGPIPE, .handler = on_nothing },
};
#define SIGNALS (sizeof(signals) / sizeof(*signals))

/* No SA_RESTART: what waits is to return. */
static void set_handler(int number, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

void signals_retake(void)
{
	for (size_t i = 0; i < SIGNALS; i++)
		if (signals[i].taken)
			set_handler(signals[i].number, signals[i].handler);
}

void signals_lend(void)
{
	for (size_t i = 0; i < SIGNALS; i++) {
		int number = signals[i].number;

		if (signals[i].taken && (number == SIGINT || number == SIGQUIT))
			set_handler(number, on_nothing);
		if (signals[i].taken && number == SIGTSTP)
			set_handler(number, SIG_DFL);
	}
}

static bool may_be_ignored(int number)
{
	return number != SIGALRM && number != SIGWINCH && number != SIGCONT;
}

static void take_all(void)
{
	for (size_t i = 0; i < SIGNALS; i++) {
		struct taken *s = &signals[i];

		sigaction(s->number, NULL, &s->before);
		s->taken = !may_be_ignored(s->number) || s->before.sa_handler != SIG_IGN;
	}
	signals_retake();
}

bool signals_take(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };

	if (pipe2(state.pipe, O_CLOEXEC | O_NONBLOCK))
		return false;
	if (timer_create(CLOCK_MONOTONIC, &event, &state.deadline)) {
		close(state.pipe[0]);
		close(state.pipe[1]);
		return false;
	}
	state.resized = state.suspended = state.continued = state.ending = 0;
	take_all();
	return true;
}

/* The deadline first, then the handlers, then what they use. */
void signals_return(void)
{
	timer_delete(state.deadline);
	for (size_t i = SIGNALS; i-- > 0;)
		if (signals[i].taken)
			sigaction(signals[i].number, &signals[i].before, NULL);
	close(state.pipe[0]);
	close(state.pipe[1]);
	state.pipe[0] = state.pipe[1] = -1;
}

int signals_fd(void)
{
	return state.pipe[0];
}

void signals_clear(void)
{
	char bytes[64];

	while (read(state.pipe[0], bytes, sizeof(bytes)) > 0)
		;
}

static bool was_set(volatile sig_atomic_t *flag)
{
	bool was = *flag;

	if (was)
		*flag = 0;
	return was;
}

bool signals_resized(void)
{
	return was_set(&state.resized);
}

bool signals_suspended(void)
{
	return was_set(&state.suspended);
}

bool signals_continued(void)
{
	return was_set(&state.continued);
}

int signals_ending(void)
{
	return state.ending;
}

void signals_stop(void)
{
	sigset_t stop, before;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	set_handler(SIGTSTP, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &stop, &before);
	raise(SIGTSTP);
	sigprocmask(SIG_SETMASK, &before, NULL);
	set_handler(SIGTSTP, on_suspend);
}
