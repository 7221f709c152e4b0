/* reads.c: the counter is made to fault, and whoever reads it is given the next number and counted. */
#include "bench/reads.h"

#if defined(__x86_64__)

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>

static volatile long reads;

static void read_by(int signal, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	const unsigned char *code = (const unsigned char *)at->uc_mcontext.gregs[REG_RIP];
	static uint64_t tick;

	(void)info;
	if (code[0] != 0x0f || code[1] != 0x31) {
		struct sigaction usual = { .sa_handler = SIG_DFL };

		sigaction(signal, &usual, NULL); /* some other fault: it comes again */
		return;
	}
	tick = tick ? tick + 1 : UINT64_C(1) << 62; /* later than any tick that was real */
	at->uc_mcontext.gregs[REG_RAX] = (greg_t)(uint32_t)tick;
	at->uc_mcontext.gregs[REG_RDX] = (greg_t)(tick >> 32);
	at->uc_mcontext.gregs[REG_RIP] += 2;
	reads++;
}

double reads_each(void (*run)(long times), long times)
{
	struct sigaction counted = { .sa_sigaction = read_by, .sa_flags = SA_SIGINFO }, before;

	if (sigaction(SIGSEGV, &counted, &before) != 0 || prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0)
		return -1;
	reads = 0;
	run(times);
	prctl(PR_SET_TSC, PR_TSC_ENABLE);
	sigaction(SIGSEGV, &before, NULL);
	return (double)reads / (double)times;
}

#else

double reads_each(void (*run)(long times), long times)
{
	(void)run;
	(void)times;
	return -1;
}

#endif
