/* SPDX-License-Identifier: MIT */
#include "io/find.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "io/region/live_list.h"
#include "model/base/text.h"
#include "model/report/file_kinds.h"

/* By process id */

struct wanted_inode {
	dev_t device;
	ino_t inode;
};

/* Parses a line of /proc/PID/maps. False: the mapping is not of the shared-memory directory. */
static bool parse_mapping(const char *line, struct wanted_inode *file)
{
	unsigned major, minor;
	unsigned long inode;

	if (!strstr(line, live_directory()))
		return false;
	if (sscanf(line, "%*s %*s %*s %x:%x %lu", &major, &minor, &inode) != 3)
		return false;
	file->device = makedev(major, minor);
	file->inode = inode;
	return true;
}

/* A file of that directory that is this inode: its path into out. */
static bool find_inode(const char *directory, const struct wanted_inode *file, char *out,
		       size_t size)
{
	DIR *d = opendir(directory);
	const struct dirent *entry;
	bool found = false;

	while (d && !found && (entry = readdir(d))) {
		struct stat st;

		if (*entry->d_name == '.' || entry->d_ino != file->inode)
			continue;
		found = (size_t)snprintf(out, size, "%s/%s", directory, entry->d_name) < size &&
			lstat(out, &st) == 0 && st.st_ino == file->inode &&
			S_ISREG(st.st_mode);
	}
	if (d)
		closedir(d);
	return found;
}

/* One that cannot be attached is one, too: the reason is wanted. Nothing is mapped to find out. */
static bool is_region(const char *path, unsigned flags)
{
	enum open_result result = OPEN_OK;
	struct source_file file;
	char why[512];

	if (!live_file_find(path, flags, &file))
		source_close(live_open(path, flags, &result, why, sizeof(why)));
	return result == OPEN_OK || result == OPEN_NOT_OURS;
}

/* The process itself has mapped the regions that it reads, too: its own is the one it made. */
static bool is_own(const char *path, unsigned flags)
{
	struct source_file file;

	return live_file_find(path, flags, &file) && file.live && file.pid == getpid();
}

/* The shared-memory files that the process has mapped, until one is wanted. */
static bool find_mapped(long pid, bool (*wanted)(const char *path, unsigned flags), char *out,
			size_t size)
{
	char path[64], directory[FIND_SIZE], line[FIND_SIZE];
	struct wanted_inode file, before = { 0 };
	bool found = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%ld/maps", pid);
	snprintf(directory, sizeof(directory), "/proc/%ld/root%s", pid, live_directory());
	maps = fopen(path, "re");
	while (maps && !found && fgets(line, sizeof(line), maps)) {
		if (!parse_mapping(line, &file) || file.inode == before.inode)
			continue;
		before = file;
		found = (find_inode(live_directory(), &file, out, size) ||
			 find_inode(directory, &file, out, size)) &&
			wanted(out, LIVE_ANY_USER);
	}
	if (maps)
		fclose(maps);
	return found;
}

static enum find_result find_pid(long pid, char *out, size_t size, char *why, size_t why_size)
{
	char path[64];
	struct stat st;

	if (find_mapped(pid, is_region, out, size) || live_file_of_pid(pid, out, size))
		return FIND_DONE;
	snprintf(path, sizeof(path), "/proc/%ld", pid);
	if (stat(path, &st) == 0) {
		snprintf(why, why_size,
			 "process %ld has no region. Start it with PROF_SHM=name as this user, or list what is "
			 "there: proftop list", pid);
		return FIND_NONE;
	}
	snprintf(why, why_size, "no region and no process '%ld'. List what is there: proftop list",
		 pid);
	return FIND_GONE;
}

/* By what the user typed */

static bool is_name(const char *text)
{
	char path[FIND_SIZE];
	struct stat st;

	return (size_t)snprintf(path, sizeof(path), "%s/%s", live_directory(), text) <
		       sizeof(path) && lstat(path, &st) == 0;
}

/* A recording, or whatever: not a directory of that name. */
static bool is_file_here(const char *text)
{
	struct stat st;

	return stat(text, &st) == 0 && !S_ISDIR(st.st_mode);
}

static bool is_number(const char *text, long *number)
{
	char *end;

	*number = strtol(text, &end, 10);
	return *text >= '1' && *text <= '9' && !*end && *number < INT_MAX;
}

/* A region in its own directory goes by its name. */
static void shorten_name(char *path)
{
	size_t length = strlen(live_directory());

	if (!strncmp(path, live_directory(), length) && path[length] == '/' &&
	    !strchr(path + length + 1, '/'))
		memmove(path, path + length + 1, strlen(path + length + 1) + 1);
}

enum find_result find_region(const char *text, char *out, size_t size, char *why, size_t why_size)
{
	enum find_result result;
	long pid;

	if (strchr(text, '/') || is_name(text) || !is_number(text, &pid)) {
		const char *here = !strchr(text, '/') && !is_name(text) && is_file_here(text) ? "./" : "";

		if ((size_t)snprintf(out, size, "%s%s", here, text) < size)
			return FIND_DONE;
		snprintf(why, why_size, "the name is too long");
		return FIND_NONE;
	}
	result = find_pid(pid, out, size, why, why_size);
	shorten_name(out);
	return result;
}

bool find_is_file_name(const char *text)
{
	static const char *const endings[] = { ".prec", ".prec.1", ".prof", ".region", ".gz", ".zst", ".data", ".trace", ".pprof",
					       ".pb" };
	size_t length = strlen(text), count = sizeof(endings) / sizeof(*endings);

	if (strchr(text, '/'))
		return true;
	for (size_t i = 0; i < count + FILE_KINDS; i++) {
		const char *ending = i < count ? endings[i] : file_kinds[i - count].ending;

		if (length > strlen(ending) && !strcmp(text + length - strlen(ending), ending))
			return true;
	}
	return false;
}

bool find_is_there(const char *text)
{
	return strchr(text, '/') ? !access(text, F_OK) : is_name(text) || is_file_here(text);
}

void find_absent(const char *text, char *why, size_t why_size)
{
	if (strchr(text, '/'))
		snprintf(why, why_size, "no file '%s'. Check the path", text);
	else if (find_is_file_name(text))
		snprintf(why, why_size, "no file and no region '%s'. Check the name, or list the regions: proftop list", text);
	else
		snprintf(why, why_size, "no program publishes under \"%s\". Start it with PROF_SHM=%s, or list what is there: "
		                        "proftop list", text, text);
}

/* Digits alone, behind a minus perhaps: at most 18, and not all of them 0. */
static bool is_frame(const char *text, int64_t *frame)
{
	bool back = *text == '-';
	size_t digits = strspn(text + back, "0123456789");

	if (!digits || digits > 18 || text[back + digits])
		return false;
	*frame = strtoll(text, NULL, 10);
	return *frame != 0;
}

bool find_frame(const char *text, char *out, size_t size, int64_t *frame)
{
	const char *at = strrchr(text, '@');
	struct stat st;

	snprintf(out, size, "%s", text);
	if (!at || !is_frame(at + 1, frame) || (size_t)(at - text) >= size ||
	    lstat(text, &st) == 0 || (!strchr(text, '/') && is_name(text)))
		return false;
	out[at - text] = '\0';
	return true;
}

enum find_result find_self(char *out, size_t size, char *why, size_t why_size)
{
	if (find_mapped(getpid(), is_own, out, size)) {
		shorten_name(out);
		return FIND_DONE;
	}
	snprintf(why, why_size, "this process has no region. It was not started with PROF_SHM=name, or has not "
	                        "entered a zone yet");
	return FIND_NONE;
}

/* By default */

struct choice {
	char live[LIVE_NAME_SIZE], dead[LIVE_NAME_SIZE];
	uint32_t live_count, dead_count;
	char list[1024];
};

static void list_choice(struct choice *c, const struct live_region *region)
{
	size_t length = strlen(c->list);
	char *shown = name_escape(region->name, strlen(region->name));

	snprintf(c->list + length, sizeof(c->list) - length, "%s%s (%s)", length ? ", " : "",
		 shown ? shown : "", live_state_name(region));
	free(shown);
}

static bool visit_choice(const struct live_region *region, void *context)
{
	struct choice *c = context;

	if (region->state == LIVE_IS_LIVE) {
		snprintf(c->live, sizeof(c->live), "%s", region->name);
		c->live_count++;
	} else if (region->state == LIVE_IS_DEAD) {
		snprintf(c->dead, sizeof(c->dead), "%s", region->name);
		c->dead_count++;
	} else {
		return true;
	}
	list_choice(c, region);
	return true;
}

enum find_result find_default(unsigned flags, char *out, size_t size, char *why, size_t why_size)
{
	const char *named = getenv("PROF_SHM");
	struct choice c = { .live_count = 0 };

	if (named && *named && !strstr(named, "%p")) {
		/* libprof takes the slash for one of shm_open's */
		snprintf(out, size, "%s", named + (*named == '/'));
		return FIND_DONE;
	}
	live_list(flags, visit_choice, &c);
	if (c.live_count == 1 || (!c.live_count && c.dead_count == 1)) {
		snprintf(out, size, "%s", c.live_count ? c.live : c.dead);
		return FIND_DONE;
	}
	if (c.live_count + c.dead_count == 0) {
		snprintf(why, why_size, "no program publishes here. Start one with PROF_SHM=name, or run proftop -- "
		                        "PROGRAM");
		return FIND_NONE;
	}
	snprintf(why, why_size, "several programs publish. Choose one: %s", c.list);
	return FIND_MANY;
}
