/* probe.h: looking at a file that may be a region, without mapping it.
 *
 * A file that is not regular, or belongs to somebody else, is not even opened.  The first page is copied and
 * checked; from then on only that copy says where the sections are.
 */
#ifndef SHM_PROBE_H
#define SHM_PROBE_H

#include <sys/stat.h>
#include "shm/attach.h"

#define PROBE_PATH (sizeof REGION_DIRECTORY + REGION_NAME_MAX + 2)

struct probe {
	int fd; /* -1 unless the state is ATTACH_OK, or anything behind the check of the magic */
	bool magic; /* it says that it is a region, whatever else is wrong */
	bool live;
	struct stat stat;
	struct region_header header; /* its texts end in a NUL */
	char detail[160];            /* what exactly is wrong, for the sentence */
};

/* Whether it could be the name of a region. */
bool probe_name_valid(const char *name);
void probe_path(char path[PROBE_PATH], const char *name);

/* Opens, reads and checks.  flags: ATTACH_ANY_USER. */
enum attach_state probe_open(struct probe *p, const char *path, unsigned flags);
void probe_close(struct probe *p);

/* Whether the lock that a writer holds while it lives is held. */
bool probe_locked(int fd);

/* Whether path still leads to that very file. */
bool probe_same_file(const char *path, dev_t device, ino_t inode);

#endif
