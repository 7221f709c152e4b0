/* create.c: making and naming a region. */
#include "shm/create.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "shm/cgroup.h"
#include "shm/pages.h"
#include "shm/sentence.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#define PATH_SIZE (sizeof REGION_DIRECTORY + REGION_NAME_MAX + 32)
#define CONTROL_GROUP_PART 4 /* of what the control group may have, the region is one part at most */
#define RETIRE_TRIES 50
#define RETIRED "~1" /* behind the name of a dead region that made way */

static void path_of(char path[PATH_SIZE], const char *name)
{
	snprintf(path, PATH_SIZE, "%s/%s", REGION_DIRECTORY, name);
}

bool region_name_valid(const char *name)
{
	size_t size = strnlen(name, REGION_NAME_MAX + 1), behind = strlen(RETIRED);

	return size > 0 && size + behind <= REGION_NAME_MAX && name[0] != '.' && !memchr(name, '/', size) &&
	       (size < behind || strcmp(name + size - behind, RETIRED));
}

static enum create_state creation_failed(char *why, size_t size, const char *what, int error)
{
	char text[128] = "";

	snprintf(why, size, "%s: %s", what, sentence_of(error, text, sizeof text));
	return CREATE_FAILED;
}

/* ---- layout */

static uint64_t clamped(uint64_t value, uint64_t least, uint64_t most)
{
	return value < least ? least : value > most ? most : value;
}

static uint64_t power_of_two(uint64_t value)
{
	return 1ull << (63 - __builtin_clzll(value));
}

static void place_section(struct region_header *h, uint64_t *at, enum region_section_id id, uint64_t align, uint32_t stride,
                          uint64_t count)
{
	*at = (*at + align - 1) & ~(align - 1);
	h->sections[id] = (struct region_section){ *at, stride, (uint32_t)count };
	*at += stride * count;
}

#define ZONES_MADE    (256u << 10) /* at most, of however large a region */
#define MEASURES_MADE 64u          /* of each region: a bit for each fits a word */

/* A region of 32 MiB has 16,384 zones, 1,024 counters, 128 modules, 64 measures, 1 MiB of strings, 2,048 threads
 * at once, 65,536 frames, 3 levels of 4,096 groups, which reach back over 262,144, 4 million and 67 million
 * frames; the remaining 28 MiB are chunks. */
static void lay_out(struct region_header *h, uint64_t size)
{
	uint64_t at = REGION_PAGE;

	h->header_size = sizeof *h;
	h->size = size;
	h->history_levels = REGION_HOURS;
	h->history_slots = (uint32_t)power_of_two(clamped(size / 8192, 16, REGION_SLOTS_MOST));
	place_section(h, &at, REGION_PROCESS, 4096, sizeof(struct region_process), 1);
	place_section(h, &at, REGION_ZONES, 64, sizeof(struct region_zone), clamped(size / 2048, 64, ZONES_MADE));
	place_section(h, &at, REGION_COUNTERS, 64, sizeof(struct region_counter), clamped(size / 32768, 16, REGION_COUNTERS_MOST));
	place_section(h, &at, REGION_MODULES, 64, sizeof(struct region_module), clamped(size / 262144, 8, REGION_MODULES_MOST));
	place_section(h, &at, REGION_MEASURES, 64, sizeof(struct region_measure), MEASURES_MADE);
	place_section(h, &at, REGION_STRINGS, 64, 1, clamped(size / 32, 8192, REGION_STRINGS_MOST));
	place_section(h, &at, REGION_THREADS, 64, sizeof(region_word), clamped(size / 65536, 4, REGION_THREADS_MOST));
	place_section(h, &at, REGION_FRAMES, 64, sizeof(struct region_frame),
	      power_of_two(clamped(size / 512, 256, REGION_FRAMES_MOST)));
	place_section(h, &at, REGION_HISTORY, 64, sizeof(struct region_group), (uint64_t)h->history_levels * h->history_slots);
	place_section(h, &at, REGION_WORST, 64, sizeof(struct region_worst), REGION_WORST_FRAMES);
	at = (at + REGION_PAGE - 1) & ~(uint64_t)(REGION_PAGE - 1);
	place_section(h, &at, REGION_CHUNKS, REGION_PAGE, sizeof(struct region_chunk), (size - at) / REGION_PAGE);
}

/* ---- memory */

/* A MiB takes half a millisecond and more: little at the start, then so much at a time that it is not often. */
static const uint32_t steps[REGION_SECTIONS] = {
	[REGION_ZONES] = 32u << 10, [REGION_COUNTERS] = 16u << 10, [REGION_STRINGS] = 32u << 10, [REGION_THREADS] = 4u << 10,
	[REGION_FRAMES] = 32u << 10, [REGION_HISTORY] = 4u << 10, [REGION_CHUNKS] = 64u << 10,
	[REGION_MODULES] = 2u << 10, [REGION_MEASURES] = 1u << 10,
};

struct region_space region_space(struct region_header *h, enum region_section_id id)
{
	const struct region_section *s = &h->sections[id];
	uint32_t levels = id == REGION_HISTORY ? h->history_levels : 1;
	uint64_t bytes = (uint64_t)s->stride * s->count / levels;

	return (struct region_space){ (char *)h + s->offset, bytes, steps[id] ? steps[id] : bytes, levels };
}

#define TRIES 100 /* a filter of system calls may say `interrupted' for ever */

/* 0, or an error. */
static int take_pages(char *from, char *to)
{
	char *first = (char *)((uintptr_t)from & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1));
	int error = EINTR;

	for (int i = 0; i < TRIES && (error == EINTR || error == EAGAIN); i++)
		error = to == from || madvise(first, (size_t)(to - first), MADV_POPULATE_WRITE) == 0 ? 0 : errno;
	return error == EFAULT ? ENOSPC : error; /* to write there would be a SIGBUS */
}

int region_reserve(const struct region_space *space, uint64_t from, uint64_t to)
{
	int error = 0;

	for (uint32_t i = 0; i < space->levels && !error; i++)
		error = take_pages(space->at + i * space->bytes + from, space->at + i * space->bytes + to);
	return error;
}

/* Before Linux 5.14 the kernel does not know how to, and an emulator may say that it did. */
static bool takes_pages(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *page = pages_map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	unsigned char there = 0;
	bool takes = page && madvise(page, size, MADV_DONTNEED) == 0 && mincore(page, size, &there) == 0 && !(there & 1) &&
	             take_pages(page, page + size) == 0 && mincore(page, size, &there) == 0 && there & 1;

	if (page)
		munmap(page, size);
	return takes;
}

/* The first step of each section; all of it, where it has memory already. */
static int first_steps(struct region_header *h, bool whole)
{
	struct region_process *p = (struct region_process *)((char *)h + h->sections[REGION_PROCESS].offset);
	int error = 0;

	for (unsigned id = 0; id < REGION_SECTIONS && !error; id++) {
		struct region_space space = region_space(h, id);
		uint64_t bytes = whole || space.step > space.bytes ? space.bytes : space.step;

		error = whole ? 0 : region_reserve(&space, 0, bytes);
		if (!error)
			WORD_RELEASE(p->there[id], bytes); /* pairs with the acquire in region_there */
	}
	return error;
}

/* ---- names */

static bool owner_holds_lock(int fd, struct region_made *made)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	uint32_t pid;

	made->owner = 0;
	made->owner_start = 0;
	if (fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
		return false;
	if (pread(fd, &pid, sizeof pid, offsetof(struct region_header, pid)) == (ssize_t)sizeof pid &&
	    pread(fd, &made->owner_start, sizeof made->owner_start, offsetof(struct region_header, process_start)) ==
	            (ssize_t)sizeof made->owner_start)
		made->owner = (pid_t)pid;
	return true;
}

/* Opens what holds the name, if it is a region of this user; -1 with *state otherwise (CREATE_OK: nothing
 * holds it). */
static int open_holder(const char *path, struct stat *st, enum create_state *state, char *why, size_t why_size)
{
	uint64_t magic = 0;

	/* A FIFO must not block, a device must not be touched: look before, and again after. */
	if (lstat(path, st) != 0) {
		*state = errno == ENOENT ? CREATE_OK : creation_failed(why, why_size, path, errno);
		return -1;
	}
	*state = CREATE_REFUSED;
	snprintf(why, why_size, "%s exists already and is not a region of this user", path);
	if (!S_ISREG(st->st_mode) || st->st_uid != geteuid())
		return -1;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		if (errno == ENOENT)
			*state = CREATE_OK; /* it went just now */
		else if (errno != ELOOP)
			*state = creation_failed(why, why_size, path, errno);
		return -1;
	}
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
	    pread(fd, &magic, sizeof magic, 0) == (ssize_t)sizeof magic && magic == REGION_MAGIC)
		return fd;
	close(fd);
	return -1;
}

static bool still_named(const char *path, const struct stat *st)
{
	struct stat now;

	return lstat(path, &now) == 0 && now.st_ino == st->st_ino && now.st_dev == st->st_dev;
}

/* Nothing is there, or a dead region of this user. */
static bool may_replace(const char *path)
{
	char why[PATH_SIZE + 64];
	struct stat st;
	enum create_state state;
	struct region_made owner;
	int fd = open_holder(path, &st, &state, why, sizeof why);

	if (fd < 0)
		return state == CREATE_OK;
	bool may = !owner_holds_lock(fd, &owner);
	close(fd);
	return may;
}

bool region_name_free(const char *name)
{
	char path[PATH_SIZE];

	path_of(path, name);
	return region_name_valid(name) && may_replace(path);
}

/* A dead region is kept as NAME~1.  Where that name cannot be had (another user may hold it for ever) it goes. */
static bool put_aside(const char *path)
{
	char old[PATH_SIZE + 4];

	snprintf(old, sizeof old, "%s" RETIRED, path);
	return (may_replace(old) && rename(path, old) == 0) || unlink(path) == 0;
}

/* Moves a dead region out of the way.  CREATE_OK: the name is free, or somebody else changed it: try again. */
static enum create_state retire_dead_region(const char *path, struct region_made *made, char *why, size_t why_size)
{
	struct stat st;
	enum create_state state;
	int fd = open_holder(path, &st, &state, why, why_size);

	if (fd < 0)
		return state;
	if (owner_holds_lock(fd, made)) {
		state = CREATE_TAKEN;
		snprintf(why, why_size, "process %ld uses this name", (long)made->owner);
	} else if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		state = CREATE_OK; /* another is retiring it just now */
		usleep(1000);
	} else {
		state = CREATE_OK;
		if (still_named(path, &st) && !owner_holds_lock(fd, made) && !put_aside(path))
			state = creation_failed(why, why_size, "cannot remove a dead region", errno);
	}
	close(fd);
	return state;
}

bool region_drop_old(const char *name)
{
	char path[PATH_SIZE], why[PATH_SIZE + 64];
	struct stat st;
	enum create_state state;
	struct region_made owner;

	path_of(path, name);
	strcat(path, RETIRED);
	int fd = open_holder(path, &st, &state, why, sizeof why);
	if (fd < 0)
		return false;
	bool gone = !owner_holds_lock(fd, &owner) && flock(fd, LOCK_EX | LOCK_NB) == 0 && still_named(path, &st) &&
	            unlink(path) == 0;
	close(fd);
	if (gone)
		cgroup_freed();
	return gone;
}

/* ---- the file */

/* Numbers 0, 1 and 2 are the program's: one that has closed them may still write there, and that must not come into the
 * region.  Descriptors that take no bytes hold them meanwhile. */
static int open_above(const char *path, int flags)
{
	int held[STDERR_FILENO + 1], count = 0, fd;

	while (count <= STDERR_FILENO && (fd = open("/", O_PATH | O_CLOEXEC)) >= 0) {
		if (fd > STDERR_FILENO) {
			close(fd);
			break;
		}
		held[count++] = fd;
	}
	fd = open(path, flags | O_RDWR | O_CLOEXEC, 0600);
	int error = errno;
	while (count)
		close(held[--count]);
	errno = error;
	return fd;
}

/* Without O_TMPFILE, or without /proc to name such a file by, it has a hidden name until it is complete. */
static bool open_file(struct region_made *made, const char *name, char *why, size_t why_size)
{
	made->temporary[0] = '\0';
	made->fd = -1;
	if (access("/proc/self/fd", X_OK) == 0)
		made->fd = open_above(REGION_DIRECTORY, O_TMPFILE);
	if (made->fd < 0) {
		snprintf(made->temporary, sizeof made->temporary, "%s/.%.190s.%ld", REGION_DIRECTORY, name, (long)getpid());
		unlink(made->temporary); /* of a process of this id that died just here */
		made->fd = open_above(made->temporary, O_CREAT | O_EXCL | O_NOFOLLOW);
	}
	if (made->fd < 0)
		creation_failed(why, why_size, REGION_DIRECTORY, errno);
	return made->fd >= 0;
}

static int link_to(const struct region_made *made, const char *path)
{
	char self[64];

	if (made->temporary[0])
		return link(made->temporary, path);
	snprintf(self, sizeof self, "/proc/self/fd/%d", made->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

static void close_file(struct region_made *made)
{
	if (made->temporary[0])
		unlink(made->temporary);
	close(made->fd);
	made->fd = -1;
}

/* The free space of the directory; UINT64_MAX: there is no limit. */
static uint64_t room_in_directory(int fd)
{
	struct statvfs fs;

	return fstatvfs(fd, &fs) != 0 || !fs.f_blocks ? UINT64_MAX : (uint64_t)fs.f_bavail * fs.f_frsize;
}

/* No more than there is memory for, as far as one can know: a region that fits laps its logs, and nothing is lost.  A dead
 * one that is kept makes room. */
static enum create_state plan_size(struct region_made *made, const char *name, char *why, size_t why_size)
{
	uint64_t wanted = made->size, most = cgroup_memory() / CONTROL_GROUP_PART;
	bool granted = cgroup_grants(REGION_SIZE_LEAST);

	if (room_in_directory(made->fd) < wanted || !granted)
		granted = (region_drop_old(name) && cgroup_grants(REGION_SIZE_LEAST)) || granted;
	if (!granted) {
		snprintf(why, why_size, "the control group has no more than an eighth of its memory left");
		return CREATE_FAILED;
	}
	if (room_in_directory(made->fd) < most)
		most = room_in_directory(made->fd);
	if (made->whole && cgroup_spare() < most)
		most = cgroup_spare();
	if (most < wanted)
		made->size = clamped(most, REGION_SIZE_LEAST, wanted) & ~(uint64_t)(REGION_PAGE - 1);
	made->less = made->size < wanted;
	return CREATE_OK;
}

static enum create_state set_size(int fd, uint64_t size, char *why, size_t why_size)
{
	struct rlimit limit;

	/* Beyond the limit the call would not fail but kill the process with SIGXFSZ. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size) {
		snprintf(why, why_size, "the limit on file sizes (ulimit -f) is below %llu bytes",
		         (unsigned long long)size);
		return CREATE_FAILED;
	}
	return ftruncate(fd, (off_t)size) == 0 ? CREATE_OK : creation_failed(why, why_size, REGION_DIRECTORY, errno);
}

/* Many a kernel gives up at a signal, and what it had is gone: with a timer that is quick there would be no end, were they
 * not blocked. */
static int reserve_all(int fd, uint64_t size)
{
	int error = EINTR;

	for (int i = 0; i < TRIES && error == EINTR; i++)
		error = posix_fallocate(fd, 0, (off_t)size);
	return error;
}

/* Its layout, and memory for the beginning, or for all of it.  A dead region that is kept makes room. */
static enum create_state furnish_file(struct region_made *made, const char *name, char *why, size_t why_size)
{
	char *page = (char *)made->header;
	int error;

	do {
		error = made->whole ? reserve_all(made->fd, made->size) : take_pages(page, page + REGION_PAGE);
		if (error)
			continue;
		lay_out(made->header, made->size);
		error = first_steps(made->header, made->whole);
	} while (error == ENOSPC && region_drop_old(name));
	return error ? creation_failed(why, why_size, REGION_DIRECTORY " cannot hold the region (PROF_SHM_SIZE)", error) : CREATE_OK;
}

static enum create_state lock_and_map(struct region_made *made, char *why, size_t why_size)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat st;
	void *map;

	if (fcntl(made->fd, F_OFD_SETLK, &lock) != 0 || fstat(made->fd, &st) != 0)
		return creation_failed(why, why_size, "cannot lock the region", errno);
	map = pages_map(made->size, MAP_SHARED, made->fd);
	if (!map)
		return creation_failed(why, why_size, "cannot map the region", errno);
	if (madvise(map, made->size, MADV_DONTFORK) != 0) {
		enum create_state state = creation_failed(why, why_size, "cannot hide the region from child processes", errno);
		munmap(map, made->size);
		return state;
	}
	made->header = map;
	made->device = st.st_dev;
	made->inode = st.st_ino;
	return CREATE_OK;
}

enum create_state region_make(struct region_made *made, const char *name, uint64_t size, char *why, size_t why_size)
{
	char path[PATH_SIZE];
	enum create_state state;

	*made = (struct region_made){ .size = size & ~(uint64_t)(REGION_PAGE - 1), .fd = -1 };
	if (!region_name_valid(name)) {
		snprintf(why, why_size, "not a valid name for a region (no slash, no dot in front, no " RETIRED
		                        " at the end, at most %zu bytes)", REGION_NAME_MAX - strlen(RETIRED));
		return CREATE_BAD_NAME;
	}
	if (made->size < REGION_SIZE_LEAST) {
		snprintf(why, why_size, "a region of less than 256K cannot hold anything");
		return CREATE_FAILED;
	}
	path_of(path, name);
	state = retire_dead_region(path, made, why, why_size); /* says early that the name is taken */
	if (state != CREATE_OK)
		return state;
	if (!open_file(made, name, why, why_size))
		return CREATE_FAILED;
	made->whole = !takes_pages();
	if (fchmod(made->fd, 0600) != 0)
		state = creation_failed(why, why_size, "cannot set the region's mode", errno);
	if (state == CREATE_OK)
		state = plan_size(made, name, why, why_size);
	if (state == CREATE_OK)
		state = set_size(made->fd, made->size, why, why_size);
	if (state == CREATE_OK)
		state = lock_and_map(made, why, why_size);
	if (state == CREATE_OK) {
		state = furnish_file(made, name, why, why_size);
		if (state == CREATE_OK)
			return CREATE_OK;
		munmap(made->header, made->size);
	}
	close_file(made);
	return state;
}

enum create_state region_publish(struct region_made *made, const char *name, char *why, size_t why_size)
{
	char path[PATH_SIZE];
	enum create_state state = CREATE_OK;
	int error = EEXIST;

	path_of(path, name);
	WORD_RELEASE(made->header->magic, REGION_MAGIC);
	for (int i = 0; i < RETIRE_TRIES && state == CREATE_OK && error == EEXIST; i++) {
		error = link_to(made, path) == 0 ? 0 : errno;
		if (error == EEXIST)
			state = retire_dead_region(path, made, why, why_size);
	}
	if (state == CREATE_OK && error)
		state = creation_failed(why, why_size, path, error);
	close_file(made);
	if (state != CREATE_OK)
		munmap(made->header, made->size);
	return state;
}

void region_unmake(struct region_made *made)
{
	munmap(made->header, made->size);
	close_file(made);
}

/* In two steps: where there is no memory the first one fails, and nothing has happened.  A program that locks all its
 * memory (mlockall) does not get pages for these addresses: they are locked no more when they become writable. */
void region_leave(struct region_header *header, uint64_t size)
{
	void *zeros = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (zeros == MAP_FAILED)
		return;
	if (munlock(zeros, size) != 0 || mprotect(zeros, size, PROT_READ | PROT_WRITE) != 0 ||
	    mremap(zeros, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, header) == MAP_FAILED)
		munmap(zeros, size);
}

void region_unlink(const char *name, dev_t device, ino_t inode)
{
	char path[PATH_SIZE];
	struct stat st;

	path_of(path, name);
	if (lstat(path, &st) == 0 && st.st_dev == device && st.st_ino == inode)
		unlink(path);
}
