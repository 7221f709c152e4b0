/* SPDX-License-Identifier: MIT */
#include "proftop/export_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proftop/messages.h"
#include "proftop/stop.h"

#define ASIDE "/.proftop-XXXXXX"
#define TRIES 100
#define PIECE 65536 /* bytes that are written at once, where somebody is asked */
#define LOOK_MS 50

/* Caller frees. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

static mode_t file_permissions(const struct export_file *f)
{
	mode_t mask = umask(0);

	umask(mask);
	return f->mode < 0 ? 0666 & ~mask : (mode_t)f->mode;
}

/* A file without a name, or else with one of its own. Below 0: errno. */
static int open_aside(struct export_file *f)
{
	char *folder = folder_of(f->path);
	int fd = folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;

	if (folder && fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
		if (asprintf(&f->aside, "%s" ASIDE, folder) < 0)
			f->aside = NULL;
		stop_hold();
		fd = f->aside ? mkostemp(f->aside, O_CLOEXEC) : -1;
		if (fd < 0) {
			free(f->aside);
			f->aside = NULL;
		}
		stop_removes(f->aside);
		stop_release();
	}
	free(folder);
	return fd;
}

/* Writing, while somebody is asked */

static bool is_wanted(struct export_file *f)
{
	if (f->watch->goes_on(f->watch->context, f->bytes))
		return true;
	errno = ECANCELED;
	return false;
}

/* A signal ends a write and a wait, that of another size of the screen too: it is the watch that knows what to do about it. */
static ssize_t write_watched(void *context, const char *bytes, size_t size)
{
	struct export_file *f = context;
	struct pollfd room = { .fd = f->fd, .events = POLLOUT };
	size_t at = 0;

	while (at < size) {
		ssize_t n = is_wanted(f) ? write(f->fd, bytes + at, size - at) : -1;

		if (n > 0) {
			at += (size_t)n;
			f->bytes += (uint64_t)n;
		} else if (errno == EAGAIN) {
			poll(&room, 1, LOOK_MS);
		} else if (errno != EINTR) {
			return 0;
		}
	}
	return (ssize_t)size;
}

static int close_watched(void *context)
{
	return close(((struct export_file *)context)->fd);
}

static bool open_stream(struct export_file *f)
{
	static const cookie_io_functions_t watched = { .write = write_watched, .close = close_watched };

	f->out = f->watch ? fopencookie(f, "w", watched) : fdopen(f->fd, "w");
	if (f->out && f->watch)
		setvbuf(f->out, NULL, _IOFBF, PIECE);
	return f->out;
}

/* A pipe that nobody reads yet cannot be opened. */
static int open_watched(struct export_file *f, const char *path)
{
	int fd;

	while ((fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) < 0 && errno == ENXIO && is_wanted(f))
		poll(NULL, 0, LOOK_MS);
	return fd;
}

/* If no program reads the pipe yet, says so, and waits for one. */
static int open_unwatched(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0) {
		fcntl(fd, F_SETFL, 0);
		return fd;
	}
	if (errno != ENXIO)
		return fd;
	say("no program reads the pipe %s yet. Waiting for one", path);
	return open(path, O_WRONLY | O_CLOEXEC);
}

static int open_as_it_is(struct export_file *f, const char *path)
{
	return f->watch ? open_watched(f, path) : open_unwatched(path);
}

/* The file that is written anew is the one that the link leads to. */
static bool open_file(struct export_file *f, const char *path)
{
	struct stat st;

	f->fd = -1;
	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode)) {
			errno = EISDIR;
			return false;
		}
		f->mode = (int)(st.st_mode & 07777);
		if (S_ISREG(st.st_mode))
			f->path = realpath(path, NULL);
		else
			f->fd = open_as_it_is(f, path);
	} else if (errno == ENOENT) {
		f->path = strdup(path);
	}
	if (f->path)
		f->fd = open_aside(f);
	if (f->fd >= 0 && !open_stream(f))
		close(f->fd);
	return f->out;
}

bool export_file_open(struct export_file *f, const char *path, const struct export_watch *watch, int *error)
{
	*f = (struct export_file){ .mode = -1, .watch = watch };
	if (open_file(f, path)) {
		errno = 0;
		return true;
	}
	*error = errno;
	if (f->aside)
		unlink(f->aside);
	stop_removes(NULL);
	free(f->aside);
	free(f->path);
	return false;
}

/* Gives it a name of its own, beside the one that it shall have. */
static bool name_aside(struct export_file *f)
{
	char *folder = folder_of(f->path), from[64];
	int result = -1;

	snprintf(from, sizeof(from), "/proc/self/fd/%d", f->fd);
	errno = EEXIST;
	stop_hold();
	for (int i = 0; folder && result && errno == EEXIST && i < TRIES; i++) {
		free(f->aside);
		if (asprintf(&f->aside, "%s/.proftop-%ld-%d", folder, (long)getpid(), i) < 0)
			f->aside = NULL;
		result = f->aside ? linkat(AT_FDCWD, from, AT_FDCWD, f->aside, AT_SYMLINK_FOLLOW) : -1;
	}
	free(folder);
	if (result) {
		free(f->aside);
		f->aside = NULL;
	}
	stop_removes(f->aside);
	stop_release();
	return !result;
}

/* All is in the file, and it can get its name. */
static bool settle_file(struct export_file *f)
{
	return !fflush(f->out) && !ferror(f->out) && !fchmod(f->fd, file_permissions(f)) && (f->aside || name_aside(f));
}

/* The error of the last write. Each write since the first that failed has the same. */
static int error_of(const struct export_file *f)
{
	return ferror(f->out) && !errno ? EIO : errno;
}

/* A device, a pipe. */
static bool finish_as_it_is(struct export_file *f, bool written, int *error)
{
	bool done = written && !ferror(f->out) && !fflush(f->out);

	*error = error_of(f);
	if (fclose(f->out) && done) {
		done = false;
		*error = errno;
	}
	return done;
}

bool export_file_finish(struct export_file *f, bool written, int *error)
{
	bool done;

	if (!f->path)
		return finish_as_it_is(f, written, error);
	done = written && !ferror(f->out) && settle_file(f);
	*error = error_of(f);
	if (fclose(f->out) && done) {
		done = false;
		*error = errno;
	}
	if (done && rename(f->aside, f->path)) {
		done = false;
		*error = errno;
	}
	if (!done && f->aside)
		unlink(f->aside);
	stop_removes(NULL);
	free(f->aside);
	free(f->path);
	return done;
}

/* Beside the screen */

#define FILES_MOST 1024 /* descriptors that are closed where the kernel cannot close them all */

/* Signals that the screen catches. Keys of the terminal are for the screen, or for the editor. A pipe without a
 * reader and a file that is too large are errors. */
static const struct {
	int signal;
	void (*handler)(int);
} signals[] = {
	{ SIGTERM, SIG_DFL }, { SIGHUP, SIG_DFL }, { SIGALRM, SIG_DFL }, { SIGWINCH, SIG_DFL }, { SIGTSTP, SIG_DFL },
	{ SIGCONT, SIG_DFL }, { SIGINT, SIG_IGN }, { SIGQUIT, SIG_IGN }, { SIGPIPE, SIG_IGN }, { SIGXFSZ, SIG_IGN },
};

/* A recording's lock would hold for as long as the child has the file open. */
static void close_files(void)
{
#ifdef SYS_close_range
	if (!syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0))
		return;
#endif
	for (int fd = STDERR_FILENO + 1; fd < FILES_MOST; fd++)
		close(fd);
}

static void stand_alone(pid_t parent)
{
	sigset_t none;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i].signal, signals[i].handler);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent) /* it has ended before it could be asked for */
		_exit(1);
	close_files();
}

#define NUMBERS 1000 /* of files of one name */

bool export_find_name(const char *wanted, const char *proposed, const char *ending, char *path, size_t size)
{
	struct stat st;

	snprintf(path, size, "%s", wanted);
	if (strcmp(wanted, proposed) != 0)
		return stat(path, &st) || !S_ISREG(st.st_mode); /* follows a link to its target */
	for (int i = 2; !lstat(path, &st) && i < NUMBERS; i++)
		snprintf(path, size, "%.*s-%d%s", (int)(strlen(wanted) - strlen(ending)), wanted, i, ending);
	return lstat(path, &st);
}

bool export_beside_begin(struct export_beside *b, void (*write)(void *context, struct export_state *s), void *context)
{
	pid_t parent = getpid();
	sigset_t all, before;

	export_beside_fini(b);
	b->state = mmap(NULL, sizeof(*b->state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (b->state == MAP_FAILED) {
		b->state = NULL;
		return false;
	}
	/* a signal that came before the child has its own handlers would be lost */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	b->pid = fork();
	if (!b->pid) {
		stand_alone(parent);
		write(context, b->state);
		_exit(0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL); /* errno stays that of fork */
	if (b->pid > 0)
		return true;
	b->pid = 0;
	return false;
}

static bool wait_for(struct export_beside *b, int flags)
{
	pid_t ended;

	do {
		ended = waitpid(b->pid, &b->status, flags);
	} while (ended < 0 && errno == EINTR);
	if (ended)
		b->pid = 0;
	return ended;
}

bool export_beside_is_over(struct export_beside *b)
{
	return !b->pid || wait_for(b, WNOHANG);
}

void export_beside_end(struct export_beside *b)
{
	if (!b->pid)
		return;
	kill(b->pid, SIGTERM);
	kill(b->pid, SIGCONT); /* a stopped one would not see it */
	wait_for(b, 0);
}

void export_beside_fini(struct export_beside *b)
{
	export_beside_end(b);
	if (b->state)
		munmap(b->state, sizeof(*b->state));
	b->state = NULL;
}
