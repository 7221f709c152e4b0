/* signal_guard.c: where the library calls the system, a thread of the program does not end, and none of its signal handlers comes
 * in: it might jump out and leave the thread so, or fork, or wait for what its own thread holds.
 */
#include "libprof/libprof_inside.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>

/* Holds back all signals except those that the thread causes itself, such as faults. */
static void block_signals(sigset_t *before)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT };
	sigset_t others;

	sigfillset(&others);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		sigdelset(&others, own[i]);
	pthread_sigmask(SIG_BLOCK, &others, before);
}

/* A signal handler that was held back may jump out of pthread_sigmask, so that
 * call comes last at the end.  Asynchronous cancellation is the exception.  Its
 * cleanup handlers must not run with signals blocked, so the thread is of
 * deferred type before its signals are blocked and until they are back.  If a
 * handler jumps out of here in between, the thread stays deferred: no order
 * avoids both. */
cold void prof__calm_begin(struct calm *calm)
{
	calm->error = errno;
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &calm->type);
	if (calm->type != PTHREAD_CANCEL_DEFERRED)
		poll(NULL, 0, 0); /* glibc's signal may be on its way.  It would end the thread in any later system call */
	block_signals(&calm->signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &calm->cancel);
}

cold void prof__calm_end(const struct calm *calm)
{
	pthread_setcancelstate(calm->cancel, NULL);
	errno = calm->error;
	pthread_sigmask(SIG_SETMASK, &calm->signals, NULL);
	if (calm->type != PTHREAD_CANCEL_DEFERRED)
		pthread_setcanceltype(calm->type, NULL);
}
