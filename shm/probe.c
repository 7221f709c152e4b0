/* probe.c: opening a region's file and checking its header. */
#include "shm/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "shm/sentence.h"

bool probe_name_valid(const char *name)
{
	size_t size = strnlen(name, REGION_NAME_MAX + 1);

	return size > 0 && size <= REGION_NAME_MAX && name[0] != '.' && !memchr(name, '/', size);
}

void probe_path(char path[PROBE_PATH], const char *name)
{
	snprintf(path, PROBE_PATH, "%s/%s", REGION_DIRECTORY, name);
}

bool probe_locked(int fd)
{
	/* A read lock would wait for a write lock alone, and may be asked for on a read-only descriptor. */
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool probe_same_file(const char *path, dev_t device, ino_t inode)
{
	struct stat now;

	return lstat(path, &now) == 0 && now.st_dev == device && now.st_ino == inode;
}

/* ---- the sections */

/* The sections that this version knows.  `longer`: its elements may be longer than that, because tables are read
 * by their stride (snapshot_element).  All others are arrays. */
static const struct {
	const char *name;
	uint32_t stride, least, most, align;
	bool longer;
} known[] = {
	[REGION_PROCESS] = { "process", sizeof(struct region_process), 1, 1, 64, true },
	[REGION_ZONES] = { "zones", sizeof(struct region_zone), 0, REGION_ZONES_MOST, 64, true },
	[REGION_STRINGS] = { "strings", 1, 0, REGION_STRINGS_MOST, 64, false },
	[REGION_THREADS] = { "threads", sizeof(region_word), 0, REGION_THREADS_MOST, 64, false },
	[REGION_FRAMES] = { "frames", sizeof(struct region_frame), 2, REGION_FRAMES_MOST, 64, false },
	[REGION_HISTORY] = { "history", sizeof(struct region_group), 0, REGION_HOURS * REGION_SLOTS_MOST, 64, false },
	[REGION_WORST] = { "worst", sizeof(struct region_worst), 0, REGION_WORST_FRAMES, 64, false },
	[REGION_CHUNKS] = { "chunks", sizeof(struct region_chunk), 0, UINT32_MAX, REGION_PAGE, false },
	[REGION_COUNTERS] = { "counters", sizeof(struct region_counter), 0, REGION_COUNTERS_MOST, 64, true },
	[REGION_MODULES] = { "modules", sizeof(struct region_module), 0, REGION_MODULES_MOST, 64, true },
	[REGION_MEASURES] = { "measures", sizeof(struct region_measure), 0, REGION_MEASURES_MOST, 64, true },
};

static enum attach_state section_damaged(struct probe *p, const char *section, const char *what)
{
	snprintf(p->detail, sizeof p->detail, "its section of %s %s", section, what);
	return ATTACH_DAMAGED;
}

static enum attach_state check_section(struct probe *p, unsigned id)
{
	const struct region_section *s = &p->header.sections[id];
	uint64_t size = p->header.size;

	if (s->count < known[id].least || s->count > known[id].most)
		return section_damaged(p, known[id].name, "has an impossible number of elements");
	if (s->count == 0)
		return ATTACH_OK;
	if (s->stride < known[id].stride || (s->stride > known[id].stride && !known[id].longer) ||
	    (known[id].stride > 1 && s->stride % sizeof(region_word)))
		return section_damaged(p, known[id].name, "has elements of another size");
	if (s->offset % known[id].align || s->offset < REGION_PAGE)
		return section_damaged(p, known[id].name, "lies in an impossible place");
	if (s->offset > size || (uint64_t)s->stride * s->count > size - s->offset)
		return section_damaged(p, known[id].name, "reaches beyond its end");
	return ATTACH_OK;
}

static enum attach_state check_sections(struct probe *p)
{
	const struct region_header *h = &p->header;
	uint32_t frames = h->sections[REGION_FRAMES].count;
	enum attach_state state = ATTACH_OK;

	for (unsigned id = 0; id < sizeof known / sizeof *known && state == ATTACH_OK; id++)
		state = check_section(p, id);
	if (state != ATTACH_OK)
		return state;
	if (frames & (frames - 1))
		return section_damaged(p, "frames", "has a size that is no power of two");
	if (h->history_levels > 62 ||
	    (uint64_t)h->history_levels * h->history_slots != h->sections[REGION_HISTORY].count)
		return section_damaged(p, "history", "does not match its levels");
	return ATTACH_OK;
}

/* ---- the header */

/* Describes a header of another machine, whose words may be in another byte order. */
static enum attach_state other_order(struct probe *p)
{
	const struct region_header *h = &p->header;
	bool swapped = WORD_LOAD(h->magic) != REGION_MAGIC || h->byte_order == __builtin_bswap32(REGION_BYTE_ORDER);
	bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != swapped;
	unsigned bits = h->word_bits, major = h->major, minor = h->minor;

	if (swapped) {
		bits = __builtin_bswap16(h->word_bits);
		major = __builtin_bswap16(h->major);
		minor = __builtin_bswap16(h->minor);
	}
	snprintf(p->detail, sizeof p->detail, "%s-endian, with words of %u bits, format %u.%u", little ? "little" : "big",
	         bits, major, minor);
	return ATTACH_OTHER_ORDER;
}

static enum attach_state check_header(struct probe *p, size_t have)
{
	struct region_header *h = &p->header;
	uint64_t magic = WORD_LOAD(h->magic), file_size = (uint64_t)p->stat.st_size;

	if (have < sizeof h->magic || (magic != REGION_MAGIC && magic != __builtin_bswap64(REGION_MAGIC)))
		return ATTACH_NOT_A_REGION;
	p->magic = true;
	if (have < sizeof *h || file_size < REGION_PAGE) {
		snprintf(p->detail, sizeof p->detail, "it has %llu bytes, less than a header", (unsigned long long)file_size);
		return ATTACH_TRUNCATED;
	}
	if (magic != REGION_MAGIC || h->byte_order == __builtin_bswap32(REGION_BYTE_ORDER) || h->word_bits != 64)
		return other_order(p);
	snprintf(p->detail, sizeof p->detail, "its header makes no sense");
	if (h->byte_order != REGION_BYTE_ORDER)
		return ATTACH_DAMAGED;
	if (h->major != REGION_MAJOR) {
		snprintf(p->detail, sizeof p->detail, "%u.%u", h->major, h->minor);
		return ATTACH_OTHER_VERSION;
	}
	if (h->header_size < sizeof *h || h->header_size > REGION_PAGE || h->size < REGION_PAGE)
		return ATTACH_DAMAGED;
	if (h->size > file_size) {
		snprintf(p->detail, sizeof p->detail, "it has %llu of %llu bytes", (unsigned long long)file_size,
		         (unsigned long long)h->size);
		return ATTACH_TRUNCATED;
	}
	return check_sections(p);
}

static void end_texts(struct region_header *h)
{
	h->boot_id[sizeof h->boot_id - 1] = '\0';
	h->program[sizeof h->program - 1] = '\0';
	h->command[sizeof h->command - 1] = '\0';
}

/* ---- the file */

static enum attach_state open_refused(struct probe *p, int error)
{
	static const struct {
		int error;
		enum attach_state state;
	} meanings[] = {
		{ ENOENT, ATTACH_ABSENT },     { ENOTDIR, ATTACH_ABSENT },      { ENAMETOOLONG, ATTACH_BAD_NAME },
		{ ELOOP, ATTACH_NOT_A_FILE },  { ENXIO, ATTACH_NOT_A_FILE },    { EMFILE, ATTACH_MEMORY },
		{ ENFILE, ATTACH_MEMORY },     { ENOMEM, ATTACH_MEMORY },
	};
	char text[128] = "";

	snprintf(p->detail, sizeof p->detail, "%s", sentence_of(error, text, sizeof text));
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (meanings[i].error == error)
			return meanings[i].state;
	return ATTACH_DENIED;
}

static enum attach_state check_owner(struct probe *p, unsigned flags)
{
	if (!S_ISREG(p->stat.st_mode))
		return ATTACH_NOT_A_FILE;
	snprintf(p->detail, sizeof p->detail, "%lu", (unsigned long)p->stat.st_uid);
	return p->stat.st_uid != geteuid() && !(flags & ATTACH_ANY_USER) ? ATTACH_FOREIGN : ATTACH_OK;
}

static enum attach_state read_header(struct probe *p)
{
	ssize_t got;

	do {
		got = pread(p->fd, &p->header, sizeof p->header, 0);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return open_refused(p, errno);
	end_texts(&p->header);
	return check_header(p, (size_t)got);
}

enum attach_state probe_open(struct probe *p, const char *path, unsigned flags)
{
	enum attach_state state;

	memset(p, 0, sizeof *p);
	p->fd = -1;
	/* A FIFO or a device must not be opened at all, so look before, and at what was opened again. */
	if (lstat(path, &p->stat) != 0)
		return open_refused(p, errno);
	state = check_owner(p, flags);
	if (state != ATTACH_OK)
		return state;
	p->fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (p->fd < 0)
		return open_refused(p, errno);
	state = fstat(p->fd, &p->stat) == 0 ? check_owner(p, flags) : open_refused(p, errno);
	if (state == ATTACH_OK)
		state = read_header(p);
	if (!p->magic)
		probe_close(p);
	else
		p->live = probe_locked(p->fd);
	return state;
}

void probe_close(struct probe *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
