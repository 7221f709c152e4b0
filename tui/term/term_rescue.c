/* SPDX-License-Identifier: MIT */
/* term_rescue: the state is of the file, because a signal handler has no argument. */
#include "tui/term/term_rescue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define PATIENCE_MS 200
#define STACK_SIZE 65536 /* SIGSTKSZ is no constant, and small */

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
#define CRASHES (sizeof(crashes) / sizeof(*crashes))

static struct {
	int fd;
	pid_t owner;
	struct termios modes;
	char undo[RESCUE_SIZE];
	size_t undo_length;
	volatile sig_atomic_t armed;
	bool caught;
	struct sigaction before[CRASHES];
	void (*also)(void);
} rescue = { .fd = -1 };

/* Writing */

static bool wait_for_room(void)
{
	struct pollfd out = { .fd = rescue.fd, .events = POLLOUT };

	return poll(&out, 1, PATIENCE_MS) > 0 && out.revents & POLLOUT;
}

/* Nobody may read any more: not to block is worth more than to be complete. */
static void write_undo(void)
{
	int flags = fcntl(rescue.fd, F_GETFL);
	size_t at = 0;
	ssize_t n;

	fcntl(rescue.fd, F_SETFL, flags | O_NONBLOCK);
	while (at < rescue.undo_length) {
		n = write(rescue.fd, rescue.undo + at, rescue.undo_length - at);
		if (n > 0)
			at += (size_t)n;
		else if (errno != EINTR && !(errno == EAGAIN && wait_for_room()))
			break;
	}
	if (flags >= 0)
		fcntl(rescue.fd, F_SETFL, flags);
}

/* In the background it would be stopped for setting modes. */
void rescue_restore_modes(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;

	sigemptyset(&ignore.sa_mask);
	sigaction(SIGTTOU, &ignore, &before);
	tcsetattr(rescue.fd, TCSANOW, &rescue.modes);
	sigaction(SIGTTOU, &before, NULL);
}

void rescue_now(void)
{
	int saved = errno;

	if (rescue.armed && getpid() == rescue.owner) {
		rescue.armed = 0;
		rescue_restore_modes();
		write_undo();
	}
	errno = saved;
}

void rescue_also(void (*remove)(void))
{
	rescue.also = remove;
}

static void end_all(void)
{
	rescue_now();
	if (rescue.also)
		rescue.also();
}

void rescue_die(int number)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t set;

	end_all();
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	_exit(128 + number);
}

/* Crashes */

/* Restores the previous handler, and lets it have the signal: a fault comes again by itself, and a signal that
 * was sent is sent again. */
static void rescue_crashed(int number, siginfo_t *info, void *context)
{
	(void)context;
	end_all();
	for (size_t i = 0; i < CRASHES; i++)
		if (crashes[i] == number)
			sigaction(number, &rescue.before[i], NULL);
	if (info->si_code <= 0)
		raise(number);
}

/* A stack that overflowed is of no use to the handler. */
static void take_stack(void)
{
	static char stack[STACK_SIZE];
	stack_t mine = { .ss_sp = stack, .ss_size = sizeof(stack) }, now;

	if (!sigaltstack(NULL, &now) && now.ss_flags & SS_DISABLE)
		sigaltstack(&mine, NULL);
}

static void catch_crashes(void)
{
	struct sigaction action = { .sa_sigaction = rescue_crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	if (rescue.caught)
		return;
	take_stack();
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < CRASHES; i++)
		sigaction(crashes[i], &action, &rescue.before[i]);
	rescue.caught = true;
}

/* Only where it is still ours: others may have come later, and pass on to it. */
void rescue_end(void)
{
	struct sigaction now;

	rescue_disarm();
	for (size_t i = 0; rescue.caught && i < CRASHES; i++)
		if (!sigaction(crashes[i], NULL, &now) && now.sa_flags & SA_SIGINFO &&
		    now.sa_sigaction == rescue_crashed)
			sigaction(crashes[i], &rescue.before[i], NULL);
	rescue.caught = false;
}

/* Before and after */

bool rescue_begin(int fd)
{
	static bool registered;

	if (tcgetattr(fd, &rescue.modes))
		return false;
	rescue.fd = fd;
	rescue.owner = getpid();
	rescue.undo_length = 0;
	catch_crashes();
	if (!registered)
		registered = !atexit(rescue_now);
	return true;
}

/* The end of a delay that begins here, or NULL. */
static const char *delay_end(const char *text)
{
	size_t length = text[0] == '$' && text[1] == '<' ? strspn(text + 2, "0123456789.*/") + 2 : 0;

	return length > 2 && text[length] == '>' ? text + length + 1 : NULL;
}

void rescue_add(const char *sequence)
{
	const char *end;

	while (sequence && *sequence && rescue.undo_length < RESCUE_SIZE) {
		end = delay_end(sequence);
		if (end)
			sequence = end;
		else
			rescue.undo[rescue.undo_length++] = *sequence++;
	}
}

void rescue_arm(void)
{
	rescue.armed = 1;
}

void rescue_disarm(void)
{
	rescue.armed = 0;
}

void rescue_take_modes(void)
{
	struct termios modes;

	if (tcgetattr(rescue.fd, &modes))
		return;
	modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF | ICRNL | INLCR | IGNCR | ISTRIP);
	modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
	modes.c_lflag |= ISIG;
	modes.c_cc[VMIN] = 1;
	modes.c_cc[VTIME] = 0;
	tcsetattr(rescue.fd, TCSANOW, &modes);
}
