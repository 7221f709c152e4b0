/* delay.c: how long a thread waited for a core: the run delay that the system
 * counts (schedstat, since Linux 2.6.23).
 *
 * Each thread has its own file for it. Opening the file for each reading would
 * cost more than all other readings together. It would also take the lowest
 * free descriptor, which the program may expect to get from its next open. So
 * a thread opens the file once, and moves it to a high number. At most
 * DELAY_THREADS threads have the file open at the same time, and only if the
 * limit of descriptors is high enough.
 *
 * The program may close the descriptor, and open a file of its own under the
 * same number. So the library compares the CPU time in the file with the
 * thread's own clock, and ignores the file if they differ. Before it closes the
 * descriptor, it checks that this is still the same file.
 */
#include "libprof/libprof_inside.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DELAY_THREADS 64
#define PLENTY_PART   8          /* of the descriptors that the program may have */
#define BEHIND_NS     1000000000 /* how far the file's CPU time may be behind the clock's: it is counted at each tick */

/* A thread has its file until it ends. A child of a fork has the files of its
 * parent, and closes them. */
static struct delay_file {
	_Atomic bool taken;
	int fd;
	dev_t device;
	ino_t inode;
} files[DELAY_THREADS];

static void close_file(struct delay_file *f)
{
	struct stat now;

	if (f->fd >= 0 && fstat(f->fd, &now) == 0 && now.st_dev == f->device && now.st_ino == f->inode)
		syscall(SYS_close, f->fd); /* close may be the program's own, and ends a thread that is cancelled */
	atomic_store(&f->taken, false);
}

static bool open_file(struct delay_file *f)
{
	struct rlimit limit;
	struct stat about;

	f->fd = -1;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < PLENTY_PART * DELAY_THREADS)
		return false;
	f->fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (f->fd >= 0)
		f->fd = prof__move_descriptor(f->fd);
	if (f->fd < 0 || fstat(f->fd, &about) != 0)
		return false;
	f->device = about.st_dev;
	f->inode = about.st_ino;
	return true;
}

static struct delay_file *take_file(void)
{
	for (unsigned i = 0; i < DELAY_THREADS; i++)
		if (!atomic_exchange(&files[i].taken, true)) {
			if (open_file(&files[i]))
				return &files[i];
			close_file(&files[i]);
			return NULL;
		}
	return NULL;
}

/* The number, behind which `end` must stand.  -1: it is none. */
static int64_t take_number(const char **text, char end)
{
	int64_t n = 0;
	const char *at = *text;

	for (; *at >= '0' && *at <= '9' && n < INT64_MAX / 16; at++)
		n = n * 10 + (*at - '0');
	if (at == *text || *at != end)
		return -1;
	*text = at + 1;
	return n;
}

bool prof__delay_read(struct thread *t, int64_t cpu, int64_t *ns)
{
	struct delay_file *f = t->cpu.file;
	char text[72];
	const char *at = text;

	if (!f && !(f = t->cpu.file = take_file()))
		return false;
	ssize_t size = syscall(SYS_pread64, f->fd, text, sizeof text - 1, 0);
	text[size > 0 ? size : 0] = '\0';
	int64_t ran = take_number(&at, ' ');
	*ns = take_number(&at, ' ');
	return ran >= 0 && *ns >= 0 && take_number(&at, '\n') >= 0 && !*at && ran <= cpu + BEHIND_NS && cpu <= ran + BEHIND_NS;
}

void prof__delay_end(struct thread *t)
{
	if (t->cpu.file)
		close_file(t->cpu.file);
	t->cpu.file = NULL;
}

void prof__delay_drop(void)
{
	for (unsigned i = 0; i < DELAY_THREADS; i++)
		if (atomic_load(&files[i].taken))
			close_file(&files[i]);
}
