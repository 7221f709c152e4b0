/* modules.c: lists the loaded files that contain code, to find the file of an address.
 *
 * The list is made from /proc/self/maps, because a signal handler that reads the loader's own list may wait for the thread
 * that it interrupted.  There are two lists: signal handlers look addresses up in one of them, and the other one is rebuilt.
 */
#include "libprof/libprof_inside.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define CODES_MOST  (2u * REGION_MODULES_MOST) /* stretches of code */
#define TEXT_BYTES  (64u << 10)
#define BUILD_BYTES 32u
#define UNKNOWN     "[unknown]" /* code in no file, such as that of a compiler at run time */

struct code {
	uint64_t from, to; /* addresses */
	uint64_t begin;    /* of the module */
	uint64_t line;     /* hash of its line: another file may come to the same addresses */
	uint32_t module;   /* as prof__module */
};

struct codes {
	uint32_t count;
	struct code code[CODES_MOST]; /* ascending */
};

struct map_reading {
	const struct codes *before; /* NULL: none */
	struct codes *to;
	uint64_t begin; /* of the module that the last line is of */
	uint64_t begin_of_file; /* that has the path */
	char path[PROF_NAME_BYTES + 1];
};

struct modules {
	const struct codes *_Atomic newest; /* NULL: none yet */
	struct codes list[2];
	struct map_reading reading;
	char text[TEXT_BYTES];
};

static struct modules *_Atomic modules;

void prof__modules_drop(void)
{
	atomic_store_explicit(&modules, NULL, memory_order_relaxed);
}

/* ---- memory that may go at any moment */

static pid_t own_pid; /* getpid is a system call, and a sample asks several times */

bool prof__peek(uint64_t from, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)(uintptr_t)from, size };

	return syscall(SYS_process_vm_readv, own_pid, &here, 1ul, &there, 1ul, 0ul) == (ssize_t)size;
}

/* ---- build ids */

/* Writes the id of a note as hexadecimal digits. */
static bool build_of_note(const unsigned char *note, size_t size, char *build)
{
	static const char digits[] = "0123456789abcdef";
	ElfW(Nhdr) head;
	size_t at = 0;

	while (at + sizeof head <= size) {
		memcpy(&head, note + at, sizeof head);
		size_t name = at + sizeof head, id = name + ((head.n_namesz + 3ull) & ~3ull);
		if (head.n_namesz > size || head.n_descsz > size || id + head.n_descsz > size)
			return false;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && !memcmp(note + name, "GNU", 4) &&
		    head.n_descsz <= BUILD_BYTES) {
			for (size_t i = 0; i < head.n_descsz; i++) {
				*build++ = digits[note[id + i] >> 4];
				*build++ = digits[note[id + i] & 15];
			}
			*build = '\0';
			return true;
		}
		at = id + ((head.n_descsz + 3ull) & ~3ull);
	}
	return false;
}

/* The build id of the module that begins there; "" if it has none. */
static void read_build(uint64_t begin, char *build)
{
	unsigned char note[1024];
	ElfW(Ehdr) head;
	ElfW(Phdr) part;

	*build = '\0';
	if (!prof__peek(begin, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
		return;
	for (unsigned i = 0; i < head.e_phnum && i < 64; i++) {
		if (!prof__peek(begin + head.e_phoff + i * sizeof part, &part, sizeof part))
			return;
		size_t size = part.p_filesz < sizeof note ? part.p_filesz : sizeof note;
		if (part.p_type == PT_NOTE && prof__peek(begin + part.p_offset, note, size) && build_of_note(note, size, build))
			return;
	}
}

/* ---- the list */

/* A line of /proc/self/maps. */
struct map_line {
	uint64_t from, to, offset, line;
	bool runs;
	const char *path;
};

static bool parse_mapping(char *line, struct map_line *m)
{
	static const char gone[] = " (deleted)"; /* a file that was replaced since: its code is the same */
	size_t size = strlen(line);
	char *at;

	if (size > sizeof gone && !strcmp(line + size - (sizeof gone - 1), gone))
		line[size - (sizeof gone - 1)] = '\0';
	m->line = 0xcbf29ce484222325ull;
	for (at = line; *at; at++)
		m->line = (m->line ^ (unsigned char)*at) * 0x100000001b3ull;
	m->from = strtoull(line, &at, 16);
	if (*at != '-')
		return false;
	m->to = strtoull(at + 1, &at, 16);
	if (strlen(at) < 6)
		return false;
	m->runs = at[3] == 'x';
	m->offset = strtoull(at + 6, &at, 16);
	at = strpbrk(at, "/[\n");
	m->path = at ? at : "";
	return true;
}

/* NULL: none has the address. */
static const struct code *code_at(const struct codes *all, uint64_t address)
{
	uint32_t low = 0, high = all->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct code *c = &all->code[middle];
		if (address < c->from)
			high = middle;
		else if (address >= c->to)
			low = middle + 1;
		else
			return c;
	}
	return NULL;
}

/* The lines of a file follow each other, and its first line is its beginning.  There may be lines of no file between them. */
static void follow_module(struct map_reading *r, const struct map_line *m)
{
	if (*m->path != '/') {
		r->begin = m->from;
		return;
	}
	if (!m->offset || strcmp(m->path, r->path) != 0) {
		r->begin_of_file = m->from;
		r->path[0] = '\0';
		strncat(r->path, m->path, sizeof r->path - 1);
	}
	r->begin = r->begin_of_file;
}

static uint32_t module_of(const struct map_reading *r, const struct map_line *m)
{
	const struct codes *before = r->before;
	char build[2 * BUILD_BYTES + 1];

	const struct code *known = before ? code_at(before, m->from) : NULL;
	if (known && known->line == m->line && known->begin == r->begin)
		return known->module;
	if (*m->path != '/' && strcmp(m->path, "[vdso]") != 0)
		return prof__unknown_module();
	read_build(r->begin, build);
	return prof__module(m->path, build, r->begin, m->to - r->begin);
}

static void take_mapping(struct map_reading *r, const struct map_line *m)
{
	struct codes *to = r->to;

	follow_module(r, m);
	if (m->runs && to->count < CODES_MOST)
		to->code[to->count++] = (struct code){ m->from, m->to, r->begin, m->line, module_of(r, m) };
}

/* Takes whole lines. Returns how many bytes of the last one there are. */
static size_t take_lines(struct map_reading *r, char *text, size_t used)
{
	char *line = text, *end;
	struct map_line m;

	text[used] = '\0';
	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (parse_mapping(line, &m))
			take_mapping(r, &m);
	}
	used -= (size_t)(line - text);
	memmove(text, line, used);
	return used;
}

static bool read_maps(struct map_reading *r, char *text)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t got;

	if (fd < 0)
		return false;
	while ((got = read(fd, text + used, TEXT_BYTES - 1 - used)) > 0)
		used = take_lines(r, text, used + (size_t)got);
	close(fd);
	return r->to->count > 0;
}

void prof__modules_read(void)
{
	struct modules *m = atomic_load_explicit(&modules, memory_order_relaxed);
	const struct codes *newest;

	own_pid = getpid();
	if (!m && !(m = prof__inherited_pages(sizeof *m)))
		return;
	atomic_store(&modules, m);
	prof__unknown_module(); /* its row comes first: all that have none are counted there */
	newest = atomic_load_explicit(&m->newest, memory_order_relaxed);
	m->reading = (struct map_reading){ .before = newest, .to = &m->list[newest == &m->list[0]] };
	m->reading.to->count = 0;
	if (read_maps(&m->reading, m->text))
		atomic_store(&m->newest, m->reading.to);
}

uint32_t prof__unknown_module(void)
{
	return prof__module(UNKNOWN, "", 0, 0);
}

bool prof__module_of(uint64_t address, uint32_t *module, uint64_t *offset)
{
	const struct modules *m = atomic_load(&modules);
	const struct codes *all = m ? atomic_load(&m->newest) : NULL;
	const struct code *c = all ? code_at(all, address) : NULL;

	if (!c)
		return false;
	*module = c->module;
	*offset = address - c->begin;
	return true;
}
