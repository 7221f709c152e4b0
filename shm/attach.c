/* attach.c: holding a region: mapped while its writer lives, as a private copy afterwards; and how its writer is. */
#include "shm/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "shm/guard.h"
#include "shm/probe.h"

#define TEXT(x)  TEXT_(x)
#define TEXT_(x) #x
#define FORMAT   TEXT(REGION_MAJOR) "." TEXT(REGION_MINOR)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HERE "little"
#else
#define HERE "big"
#endif

/* %1$s: the name; %2$s: the detail. */
static const char *const sentences[ATTACH_STATES] = {
	[ATTACH_OK] = "'%1$s' is attached",
	[ATTACH_ABSENT] = "'%1$s' is not there",
	[ATTACH_BAD_NAME] = "'%1$s' cannot be the name of a region. A name has 1 to 200 bytes and no dot in front. "
	                    "With a slash it is a file",
	[ATTACH_DENIED] = "'%1$s' cannot be opened: %2$s",
	[ATTACH_FOREIGN] = "'%1$s' belongs to another user (uid %2$s). Use --any-user to read it anyway",
	[ATTACH_NOT_A_FILE] = "'%1$s' is a pipe, a directory, a link or a device. A region is a regular file",
	[ATTACH_NOT_A_REGION] = "'%1$s' is not a profiling region: libprof did not write it",
	[ATTACH_OTHER_ORDER] = "'%1$s' was written on a machine of another byte order or word size (%2$s), and this "
	                       "proftop reads " HERE "-endian words of 64 bits, format " FORMAT
	                       ": read it on one of that kind",
	[ATTACH_OTHER_VERSION] = "'%1$s' has format %2$s, and this proftop reads " FORMAT
	                         ". Use the proftop that came with the program's libprof",
	[ATTACH_TRUNCATED] = "'%1$s' is cut off: %2$s. Run the program again, or remove it with proftop clean",
	[ATTACH_DAMAGED] = "'%1$s' is damaged: %2$s. Run the program again, or remove it with proftop clean",
	[ATTACH_MEMORY] = "'%1$s' cannot be read: %2$s",
};

const char *region_directory(void)
{
	return REGION_DIRECTORY;
}

static enum attach_state report_state(enum attach_state state, const char *name, const char *detail, char *why, size_t size)
{
	if (why && size)
		snprintf(why, size, sentences[state], name, detail);
	return state;
}

/* ---- the sections */

static void *section_at(const struct attachment *a, enum region_section_id id)
{
	const struct region_section *s = &a->header.sections[id];

	return s->count ? a->base + s->offset : NULL;
}

static void set_sections(struct attachment *a)
{
	const struct region_section *s = a->header.sections;

	a->process = section_at(a, REGION_PROCESS);
	a->strings = section_at(a, REGION_STRINGS);
	a->thread_chunks = section_at(a, REGION_THREADS);
	a->frames = section_at(a, REGION_FRAMES);
	a->history = section_at(a, REGION_HISTORY);
	a->worst = section_at(a, REGION_WORST);
	a->chunks = section_at(a, REGION_CHUNKS);
	a->zone_count = s[REGION_ZONES].count;
	a->string_bytes = s[REGION_STRINGS].count;
	a->thread_count = CHUNK_BLOCKS * s[REGION_THREADS].count;
	a->frame_count = s[REGION_FRAMES].count;
	a->history_count = s[REGION_HISTORY].count;
	a->worst_count = s[REGION_WORST].count;
	a->chunk_count = s[REGION_CHUNKS].count;
}

/* ---- a private copy */

static bool read_all(int fd, unsigned char *to, size_t size, off_t from)
{
	while (size) {
		ssize_t got = pread(fd, to, size, from);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		size -= (size_t)got;
		from += got;
	}
	return true;
}

/* Reads what is there and leaves holes untouched, so that a sparse file costs what it holds: *held bytes. */
static bool read_extents(int fd, unsigned char *to, size_t size, uint64_t *held)
{
	off_t at = 0, end = (off_t)size;

	while (at < end) {
		off_t data = lseek(fd, at, SEEK_DATA);
		if (data < 0 && errno == ENXIO)
			break;
		off_t hole = data < 0 ? -1 : lseek(fd, data, SEEK_HOLE);
		if (data < 0 || hole < 0) {
			*held += (uint64_t)(end - at);
			return read_all(fd, to + at, (size_t)(end - at), at);
		}
		if (data >= end)
			break;
		if (hole > end)
			hole = end;
		if (hole <= data || !read_all(fd, to + data, (size_t)(hole - data), data))
			return false;
		*held += (uint64_t)(hole - data);
		at = hole;
	}
	return true;
}

static bool read_elements(const struct attachment *a, unsigned char *to, enum region_section_id id, uint64_t first,
                          uint64_t count)
{
	const struct region_section *s = &a->header.sections[id];
	uint64_t from = s->offset + first * s->stride;

	return read_all(a->fd, to + from, count * s->stride, (off_t)from);
}

/* Reads the words that ATTACH_WORDS names. */
static bool read_words(const struct attachment *a, unsigned char *to, uint64_t *held)
{
	struct region_process *p = (struct region_process *)(to + a->header.sections[REGION_PROCESS].offset);
	const struct region_section *s = a->header.sections;
	uint64_t chunks = s[REGION_THREADS].count, first = 0;

	*held = 0;
	if (!read_elements(a, to, REGION_PROCESS, 0, 1) || !read_elements(a, to, REGION_THREADS, 0, chunks))
		return false;
	uint64_t used = WORD_LOAD(p->threads), marker = WORD_LOAD(p->marker);
	if (used < chunks * CHUNK_BLOCKS)
		chunks = (used + CHUNK_BLOCKS - 1) / CHUNK_BLOCKS;
	if (marker && marker <= chunks * CHUNK_BLOCKS) {
		first = (marker - 1) / CHUNK_BLOCKS;
		chunks = first + 1;
	}
	for (uint64_t i = first; i < chunks; i++) {
		uint64_t chunk = WORD_LOAD(((region_word *)(to + s[REGION_THREADS].offset))[i]);
		if (chunk && chunk <= s[REGION_CHUNKS].count && !read_elements(a, to, REGION_CHUNKS, chunk - 1, 1))
			return false;
	}
	return true;
}

static bool read_whole(const struct attachment *a, unsigned char *to, uint64_t *held)
{
	madvise(to, a->size, MADV_HUGEPAGE); /* fewer faults; without it, as well */
	*held = 0;
	return read_extents(a->fd, to, a->size, held);
}

static enum attach_state copy_dead(struct attachment *a, bool words, unsigned char **base)
{
	uint64_t held, most = a->header.sections[REGION_CHUNKS].count;
	struct stat st;
	unsigned char *copy = mmap(NULL, a->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (copy == MAP_FAILED)
		return ATTACH_MEMORY;
	if (!(words ? read_words : read_whole)(a, copy, &held) || fstat(a->fd, &st) != 0 || st.st_size < (off_t)a->size) {
		munmap(copy, a->size);
		return ATTACH_TRUNCATED;
	}
	mprotect(copy, a->size, PROT_READ); /* nobody writes to it, as to the mapping */
	held = (held + REGION_PAGE - 1) / REGION_PAGE;
	a->chunks_there = (uint32_t)(held < most ? held : most);
	*base = copy;
	return ATTACH_OK;
}

/* ---- what there is memory for */

static uint64_t held_by(const struct stat *file)
{
	return (uint64_t)file->st_blocks * 512;
}

/* The bytes of a section; for the history, those of one level. */
static uint64_t bytes_of(const struct attachment *a, unsigned id)
{
	const struct region_section *s = &a->header.sections[id];
	uint64_t bytes = (uint64_t)s->stride * s->count;

	return id == REGION_HISTORY && a->header.history_levels ? bytes / a->header.history_levels : bytes;
}

static uint64_t levels_of(const struct attachment *a, unsigned id)
{
	return id == REGION_HISTORY ? a->header.history_levels : 1;
}

static uint64_t said_of(const struct attachment *a, unsigned id)
{
	uint64_t said = WORD_ACQUIRE(a->process->there[id]); /* pairs with the releases in create.c and arena.c */

	return !said || said > bytes_of(a, id) ? bytes_of(a, id) : said;
}

/* The sizes that the writer claims count only if the file has that much in all. */
static bool ask_what_is_there(const struct attachment *a)
{
	uint64_t said[REGION_SECTIONS], sum = 0;
	struct stat st;

	for (unsigned id = 0; id < REGION_KNOWN; id++) {
		said[id] = said_of(a, id);
		sum += said[id] * levels_of(a, id);
	}
	if (fstat(a->fd, &st) != 0 || sum > held_by(&st))
		return false;
	for (unsigned id = 0; id < REGION_KNOWN; id++)
		a->budget->there[id] = said[id];
	return true;
}

bool region_there(const struct attachment *a, enum region_section_id id, uint64_t bytes)
{
	if (!a->mapped)
		return bytes <= bytes_of(a, id);
	if (bytes <= a->budget->there[id])
		return true;
	ask_what_is_there(a);
	return bytes <= a->budget->there[id];
}

uint32_t region_chunks_there(const struct attachment *a)
{
	const struct region_section *s = &a->header.sections[REGION_CHUNKS];

	if (!a->mapped)
		return a->chunks_there;
	ask_what_is_there(a);
	return a->budget->there[REGION_CHUNKS] / REGION_PAGE < s->count
		       ? (uint32_t)(a->budget->there[REGION_CHUNKS] / REGION_PAGE) : s->count;
}

/* ---- holding it */

static size_t whole_pages(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) & ~(page - 1);
}

static enum attach_state map_live(struct attachment *a, const struct stat *st, bool guarded)
{
	void *base = MAP_FAILED;

	if (held_by(st) < (uint64_t)a->header.sections[REGION_PROCESS].stride)
		return ATTACH_DAMAGED;
	base = mmap(NULL, a->size, PROT_READ, MAP_SHARED, a->fd, 0);
	if (base == MAP_FAILED)
		return ATTACH_MEMORY;
	if (guarded)
		a->guard = guard_add(base, whole_pages(a->size), &a->truncated);
	if (guarded && !a->guard) {
		munmap(base, a->size);
		return ATTACH_MEMORY;
	}
	a->base = base;
	a->mapped = true;
	set_sections(a);
	if (!ask_what_is_there(a))
		return ATTACH_DAMAGED;
	a->chunks_there = region_chunks_there(a);
	return ATTACH_OK;
}

static void let_go(struct attachment *a)
{
	guard_remove(a->guard);
	a->guard = NULL;
	if (a->base)
		munmap(a->base, a->size);
	a->base = NULL;
	a->mapped = false;
}

static bool boot_is(const char *boot_id)
{
	char now[sizeof((struct region_header *)0)->boot_id] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, now, sizeof now - 1);

	if (fd >= 0)
		close(fd);
	now[got > 0 ? got : 0] = '\0';
	now[strcspn(now, "\n")] = '\0';
	return now[0] && !strncmp(now, boot_id, strlen(now));
}

static void fill_attachment(struct attachment *a, const struct probe *p, const char *name)
{
	a->fd = p->fd;
	a->live = p->live;
	a->uid = p->stat.st_uid;
	a->device = p->stat.st_dev;
	a->inode = p->stat.st_ino;
	memcpy(&a->header, &p->header, sizeof a->header);
	a->size = (size_t)p->header.size;
	a->same_boot = boot_is(a->header.boot_id);
	if (!strchr(name, '/'))
		snprintf(a->name, sizeof a->name, "%s", name);
}

static enum attach_state hold_file(struct attachment *a, const struct probe *p, unsigned flags)
{
	uint64_t blocks = CHUNK_BLOCKS * a->header.sections[REGION_THREADS].count;
	enum attach_state state;

	a->budget = calloc(1, sizeof *a->budget + blocks * sizeof *a->budget->node_chunks_of);
	if (!a->budget)
		return ATTACH_MEMORY;
	state = a->live ? map_live(a, &p->stat, !(flags & ATTACH_UNGUARDED))
			: copy_dead(a, flags & ATTACH_WORDS, &a->base);
	if (state == ATTACH_OK)
		set_sections(a);
	return state;
}

static const char *state_reason(enum attach_state state)
{
	return state == ATTACH_TRUNCATED ? "it shrank while proftop read it"
	     : state == ATTACH_DAMAGED   ? "it has holes where its tables are"
	                                 : "no memory, or no address space, for its size";
}

static enum attach_state attach_path(struct attachment *a, struct probe *p, const char *name, const char *path,
                                     unsigned flags)
{
	enum attach_state state = probe_open(p, path, flags);

	a->major = p->header.major;
	a->minor = p->header.minor;
	if (state != ATTACH_OK) {
		probe_close(p);
		return state;
	}
	fill_attachment(a, p, name);
	state = hold_file(a, p, flags);
	if (state == ATTACH_OK)
		return state;
	snprintf(p->detail, sizeof p->detail, "%s", state_reason(state));
	region_detach(a);
	return state;
}

enum attach_state region_attach(struct attachment *a, const char *name, unsigned flags, char *why, size_t size)
{
	char path[PROBE_PATH];
	struct probe p;
	enum attach_state state;

	memset(a, 0, sizeof *a);
	a->fd = -1;
	if (strchr(name, '/')) {
		state = attach_path(a, &p, name, name, flags);
	} else {
		if (!probe_name_valid(name))
			return report_state(ATTACH_BAD_NAME, name, "", why, size);
		probe_path(path, name);
		state = attach_path(a, &p, name, path, flags);
	}
	return report_state(state, name, p.detail, why, size);
}

void region_detach(struct attachment *a)
{
	let_go(a);
	free(a->budget);
	a->budget = NULL;
	if (a->fd >= 0)
		close(a->fd);
	a->fd = -1;
	a->live = false;
}

/* Pages that are lost need not be among those that are read next. */
static bool is_shorter(const struct attachment *a)
{
	struct stat st;

	return a->mapped && fstat(a->fd, &st) == 0 && st.st_size < (off_t)a->size;
}

bool region_refresh_life(struct attachment *a)
{
	unsigned char *copy;

	if (is_shorter(a))
		a->truncated = 1;
	a->chunks_there = region_chunks_there(a);
	if (!a->live || probe_locked(a->fd))
		return a->live;
	a->live = false;
	switch (copy_dead(a, false, &copy)) {
	case ATTACH_OK:
		let_go(a);
		a->base = copy;
		a->truncated = 0;
		set_sections(a);
		break;
	case ATTACH_TRUNCATED:
		a->truncated = 1;
		break;
	default: /* no memory for a copy: the mapping does as well, as long as nobody cuts the file */
		break;
	}
	return false;
}

bool region_same_name(const struct attachment *a)
{
	char path[PROBE_PATH];

	if (!a->name[0])
		return true;
	probe_path(path, a->name);
	return probe_same_file(path, a->device, a->inode);
}

/* ---- whether a signal has stopped the writer, or is ending it
 *
 * /proc/PID/stat is believed only where it is surely that process's: of this boot, and begun when the region says.  A
 * pid of another namespace is somebody else's here, or nobody's. */

/* "" if there is none. */
static void read_stat(uint32_t pid, char *out, size_t size)
{
	char path[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%u/stat", (unsigned)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? 0 : read(fd, out, size - 1);
	if (fd >= 0)
		close(fd);
	out[got > 0 ? got : 0] = '\0';
}

/* flags of the first thread of the process */
#define ENDS 0x604u /* exiting, killed by a signal, writing a core file */
#define PENDING_KILL (1u << 8) /* SIGKILL, which is sent to each thread */

enum region_pulse region_pulse(const struct attachment *a)
{
	unsigned long long start;
	unsigned long flags, pending;
	char text[1024], state;
	const char *behind;

	if (!a->live || !a->same_boot)
		return REGION_UNKNOWN;
	read_stat(a->header.pid, text, sizeof text);
	behind = strrchr(text, ')'); /* the name may have one */
	if (!behind ||
	    sscanf(behind,
	           ") %c %*s %*s %*s %*s %*s %lu %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu"
	           " %*s %*s %*s %*s %*s %*s %*s %*s %lu", &state, &flags, &start, &pending) != 4 ||
	    start != a->header.process_start)
		return REGION_UNKNOWN;
	if (flags & ENDS || pending & PENDING_KILL)
		return REGION_ENDS;
	return state == 'T' ? REGION_STOPPED : REGION_RUNS;
}

bool region_may_be_process(uint32_t pid, uint64_t process_start)
{
	unsigned long long start;
	char text[1024];
	const char *behind;

	read_stat(pid, text, sizeof text);
	behind = strrchr(text, ')');
	return !behind || !process_start ||
	       sscanf(behind,
	              ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &start) != 1 ||
	       start == process_start;
}

bool region_stopped(const struct attachment *a)
{
	return region_pulse(a) == REGION_STOPPED;
}
