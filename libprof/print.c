/* print.c: lines on standard error.  There are two kinds: what is wrong with the environment, once, and what a zone
 * that is timed took, which the program asked for.
 *
 * A line is one write.  A closed pipe, or a limit on the size of the file there, must not kill the program that
 * would never have written to it; a pipe that is full, or a stopped terminal, must not hold it up; nor must a terminal
 * stop it because it runs in the background (stty tostop).  A thread that is to be cancelled is not cancelled here.
 * No malloc, no lock, no stdio: a signal handler may come here.
 */
#include "libprof/libprof_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* The terminal of another user (after su or sudo), or without /proc or a free descriptor: what poll says holds for one
 * byte. */
static ssize_t write_bytes(const char *line, size_t size)
{
	struct pollfd room = { .fd = STDERR_FILENO, .events = POLLOUT };
	size_t done = 0;

	while (done < size && poll(&room, 1, 0) > 0 && write(STDERR_FILENO, line + done, 1) == 1)
		done++;
	return done ? (ssize_t)done : -1;
}

/* A terminal that has room for a part of a line waits with the rest of it, whatever poll said: a way of writing to it
 * of its own does not wait. */
static ssize_t write_line(const char *line, size_t size)
{
	if (!isatty(STDERR_FILENO))
		return write(STDERR_FILENO, line, size);
	int terminal = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t written = terminal < 0 ? write_bytes(line, size) : write(terminal, line, size);
	if (terminal >= 0)
		close(terminal);
	return written;
}

bool prof__say(char *line, size_t size)
{
	static const struct timespec none = { 0, 0 };
	struct pollfd room = { .fd = STDERR_FILENO, .events = POLLOUT };
	sigset_t fatal, pending;
	struct calm calm;

	line[size] = '\n';
	prof__calm_begin(&calm);
	if (poll(&room, 1, 0) <= 0) {
		prof__calm_end(&calm);
		return false;
	}
	sigpending(&pending);
	ssize_t written = write_line(line, size + 1);
	int raised = written >= 0 ? 0 : errno == EPIPE ? SIGPIPE : errno == EFBIG ? SIGXFSZ : 0;
	if (raised && !sigismember(&pending, raised)) {
		sigemptyset(&fatal);
		sigaddset(&fatal, raised);
		sigtimedwait(&fatal, NULL, &none);
	}
	prof__calm_end(&calm);
	return written >= 0;
}

/* ---- text that a terminal may see */

/* Bytes of the UTF-8 sequence that text begins with, and its character; 0: it is none. */
static size_t read_character(const unsigned char *text, uint32_t *out)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = text[0] < 0x80 ? 1 : text[0] >> 5 == 6 ? 2 : text[0] >> 4 == 14 ? 3 : text[0] >> 3 == 30 ? 4 : 0;
	uint32_t c = size == 1 ? text[0] : text[0] & (0x7fu >> size);

	for (size_t i = 1; i < size; i++) {
		if (text[i] >> 6 != 2)
			return 0;
		c = c << 6 | (text[i] & 0x3fu);
	}
	*out = c;
	return size && c >= least[size] && c <= 0x10ffff && c >> 11 != 0x1b ? size : 0;
}

/* Controls, and what turns the direction of text or hides it. */
static bool steers_text(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

size_t prof__printable(char *out, size_t size, const char *text)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *at = (const unsigned char *)text;
	size_t used = 0;
	uint32_t c;

	while (*at) {
		size_t bytes = read_character(at, &c);
		bool plain = bytes && !steers_text(c);
		if (used + (plain ? bytes : 4) > size)
			break;
		if (plain) {
			memcpy(out + used, at, bytes);
			used += bytes;
			at += bytes;
		} else {
			const char escape[] = { '\\', 'x', digits[*at >> 4], digits[*at & 15] };
			memcpy(out + used, escape, sizeof escape);
			used += sizeof escape;
			at++;
		}
	}
	return used;
}

static size_t put_text(char *line, size_t used, size_t size, const char *text)
{
	return used + prof__printable(line + used, size - used, text);
}

/* A child that closed its standard error may have a file or a client there, whom no line of ours is for. */
static enum { UNSEEN, THERE, CLOSED } error_was;
static struct stat error_at_start;

void prof__say_begin(void)
{
	int saved = errno;

	error_was = fstat(STDERR_FILENO, &error_at_start) == 0 ? THERE : CLOSED;
	errno = saved;
}

static bool is_standard_error(void)
{
	struct stat now;

	return error_was == UNSEEN || isatty(STDERR_FILENO) ||
	       (error_was == THERE && fstat(STDERR_FILENO, &now) == 0 && now.st_dev == error_at_start.st_dev &&
	        now.st_ino == error_at_start.st_ino);
}

/* Each copy of the library in the process comes here and knows nothing of the others: who comes first leaves a page,
 * without memory, where all look. */
#define SAID_AT 0x2070726f6000ul
static bool is_first_copy(void)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	long at = syscall(SYS_mmap, SAID_AT & ~(size - 1), size, PROT_NONE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (at == -1)
		return errno != EEXIST;
	if ((unsigned long)at == (SAID_AT & ~(size - 1)))
		return true;
	munmap((void *)at, size); /* a kernel before 4.17, and something is there */
	return false;
}

/* A process and all its children print one line at most: a server may have a
 * child for each of its clients. */
static _Atomic bool complained;
static _Atomic bool *child_complained; /* shared with the children; NULL: no memory */

void prof__say_for_children(void)
{
	child_complained = prof__common_pages(sizeof *child_complained);
}

static bool is_first_line(void)
{
	return !atomic_exchange(&complained, true) && (!child_complained || !atomic_exchange(child_complained, true));
}

void prof__complain(const char *what, const char *why)
{
	char line[2048];
	size_t used, room = sizeof line - 1;

	if (!is_standard_error() || !is_first_line() || !is_first_copy())
		return;
	used = put_text(line, 0, room, "prof: ");
	used = put_text(line, used, room, what);
	used = put_text(line, used, room, ": ");
	used = put_text(line, used, room, why);
	prof__say(line, used);
}
