/* SPDX-License-Identifier: MIT */
#include "io/import/import_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/unlinked.h"
#include "io/recording/player.h"

/* The writer's output. */
struct put {
	int fd, error;
};

static bool put(void *context, const void *bytes, size_t size)
{
	struct put *p = context;

	if (unlinked_write(p->fd, bytes, size))
		return true;
	p->error = errno ? errno : EIO;
	return false;
}

static struct source *play(int fd, const struct import_options *o, struct import_result *r)
{
	if (lseek(fd, 0, SEEK_SET) != 0) {
		snprintf(r->why, sizeof r->why, "its converted form cannot be read: %s", strerror(errno));
		close(fd);
		return NULL;
	}
	return player_open(fd, o->source, r->why, sizeof r->why);
}

static bool convert(int fd, const struct import_options *o, struct put *p, struct import_result *r)
{
	struct writer *w = writer_new(put, p);
	bool done;

	if (!w) {
		snprintf(r->why, sizeof r->why, "out of memory");
		return false;
	}
	done = import_convert(fd, o, w, r);
	writer_free(w);
	if (!done && p->error)
		snprintf(r->why, sizeof r->why, "no space in %s for its converted form: %s. Set TMPDIR to another "
		                                "folder",
			 unlinked_folder(o->temporary), strerror(p->error));
	return done;
}

struct source *import_source(int fd, const struct import_options *o, struct import_result *r)
{
	struct put p = { .fd = unlinked_open(unlinked_folder(o->temporary)) };
	bool done;

	if (p.fd < 0) {
		memset(r, 0, sizeof *r);
		snprintf(r->why, sizeof r->why, "cannot write in %s: %s. Set TMPDIR to another folder",
			 unlinked_folder(o->temporary), strerror(errno));
		close(fd);
		return NULL;
	}
	done = convert(fd, o, &p, r);
	close(fd);
	if (done)
		return play(p.fd, o, r);
	close(p.fd);
	return NULL;
}
