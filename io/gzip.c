/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "io/gzip.h"

#include <stdlib.h>
#ifdef HAVE_ZLIB
#include <limits.h>

#include <zlib.h>
#endif

struct gzip {
	gzip_give *give;
	void *context;
#ifdef HAVE_ZLIB
	z_stream z;
	bool failed;
	unsigned char room[32768];
#endif
};

#ifdef HAVE_ZLIB

#define WINDOW (15 + 16) /* the largest, and a header of gzip around it */

struct gzip *gzip_new(int level, gzip_give *give, void *context)
{
	struct gzip *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->give = give;
	g->context = context;
	if (deflateInit2(&g->z, level ? level : Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK)
		return g;
	free(g);
	return NULL;
}

static void pack_bytes(struct gzip *g, int flush)
{
	do {
		g->z.next_out = g->room;
		g->z.avail_out = sizeof(g->room);
		if (deflate(&g->z, flush) == Z_STREAM_ERROR)
			g->failed = true;
		if (g->z.avail_out < sizeof(g->room))
			g->give(g->context, g->room, sizeof(g->room) - g->z.avail_out);
	} while (!g->z.avail_out && !g->failed);
}

void gzip_put(struct gzip *g, const void *data, size_t length)
{
	const unsigned char *at = data;

	for (size_t piece; length && !g->failed; at += piece, length -= piece) {
		piece = length < INT_MAX ? length : INT_MAX;
		g->z.next_in = (unsigned char *)at;
		g->z.avail_in = (unsigned)piece;
		pack_bytes(g, Z_NO_FLUSH);
	}
}

bool gzip_end(struct gzip *g)
{
	bool done;

	g->z.next_in = (unsigned char *)"";
	g->z.avail_in = 0;
	pack_bytes(g, Z_FINISH);
	deflateEnd(&g->z);
	done = !g->failed;
	free(g);
	return done;
}

const char *gzip_library(void)
{
	return zlibVersion();
}

#else

struct gzip *gzip_new(int level, gzip_give *give, void *context)
{
	struct gzip *g = calloc(1, sizeof(*g));

	(void)level;
	if (!g)
		return NULL;
	g->give = give;
	g->context = context;
	return g;
}

void gzip_put(struct gzip *g, const void *data, size_t length)
{
	if (length)
		g->give(g->context, data, length);
}

bool gzip_end(struct gzip *g)
{
	free(g);
	return true;
}

const char *gzip_library(void)
{
	return NULL;
}

#endif
