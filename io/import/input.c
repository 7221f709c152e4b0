/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "io/import/input.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#define RAW_ROOM (UINT32_C(128) << 10)
#define WAIT_MS 100
#define ZSTD_WINDOW 27 /* of 128 MiB: what `zstd --ultra` makes, and more is refused */

struct unpacker {
#ifdef HAVE_ZLIB
	z_stream gzip;
#endif
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd;
#endif
	bool between; /* one packed file has ended, and the next has not begun */
};

enum input_packed input_is_packed(const void *bytes, size_t size)
{
	static const uint8_t gzip[] = { 0x1f, 0x8b }, zstd[] = { 0x28, 0xb5, 0x2f, 0xfd }, skippable[] = { 0x2a, 0x4d, 0x18 };
	const uint8_t *b = bytes;

	if (size >= sizeof gzip && !memcmp(b, gzip, sizeof gzip))
		return INPUT_GZIP;
	if (size < sizeof zstd)
		return INPUT_PLAIN;
	return !memcmp(b, zstd, sizeof zstd) || ((b[0] & 0xf0) == 0x50 && !memcmp(b + 1, skippable, sizeof skippable))
		       ? INPUT_ZSTD : INPUT_PLAIN;
}

enum input_encoding input_encoding(const void *bytes, size_t size)
{
	const uint8_t *b = bytes;

	if (size >= 4 && (!memcmp(b, "\xff\xfe\0\0", 4) || !memcmp(b, "\0\0\xfe\xff", 4)))
		return INPUT_UTF32;
	if (size >= 2 && (!memcmp(b, "\xff\xfe", 2) || !memcmp(b, "\xfe\xff", 2)))
		return b[0] == 0xff ? INPUT_UTF16_LE : INPUT_UTF16_BE;
	if (size >= 4 && b[0] && b[0] < 0x80 && !b[1] && b[2] && b[2] < 0x80 && !b[3])
		return INPUT_UTF16_LE;
	if (size >= 4 && !b[0] && b[1] && b[1] < 0x80 && !b[2] && b[3] && b[3] < 0x80)
		return INPUT_UTF16_BE;
	return INPUT_BYTES;
}

const char *input_library(enum input_packed packed, char *out, size_t size)
{
	(void)out, (void)size;
#ifdef HAVE_ZLIB
	if (packed == INPUT_GZIP) {
		snprintf(out, size, "zlib %s", zlibVersion());
		return out;
	}
#endif
#ifdef HAVE_ZSTD
	if (packed == INPUT_ZSTD) {
		snprintf(out, size, "zstd %s", ZSTD_versionString());
		return out;
	}
#endif
	(void)packed;
	return NULL;
}

static bool input_fails(struct input *in, const char *what, const char *more)
{
	snprintf(in->why, sizeof in->why, "%s%s", what, more);
	in->failed = true;
	return false;
}

/* The writer of a pipe may be slow. */
static bool wait_for_more(struct input *in)
{
	struct pollfd ready = { .fd = in->fd, .events = POLLIN };

	poll(&ready, 1, WAIT_MS);
	return !in->goes_on || in->goes_on(in->context);
}

/* As much as there is at once; 0: no more, or it failed. */
static size_t take_raw(struct input *in, void *room, size_t size)
{
	ssize_t n;

	if (in->raw_over)
		return 0;
	while ((n = read(in->fd, room, size)) < 0 && (errno == EINTR || errno == EAGAIN))
		if (errno == EAGAIN && !wait_for_more(in)) {
			n = 0;
			break;
		}
	if (n <= 0)
		in->raw_over = true;
	if (n < 0)
		input_fails(in, "it cannot be read: ", strerror(errno));
	in->taken += n > 0 ? (uint64_t)n : 0;
	return n > 0 ? (size_t)n : 0;
}

#if defined HAVE_ZLIB || defined HAVE_ZSTD
static void ends_early(struct input *in, enum input_lost lost)
{
	static const char *const what[] = { [INPUT_CUT] = "ends in the middle", [INPUT_DAMAGED] = "is damaged",
					    [INPUT_CHECKSUM] = "does not match its checksum" };

	snprintf(in->why, sizeof in->why, "its %s data %s, after byte %llu of the file",
		 in->packed == INPUT_GZIP ? "gzip" : "zstd", what[lost],
		 (unsigned long long)(in->taken - (in->raw_count - in->raw_at)));
	in->lost = lost;
}

static bool raw_more(struct input *in)
{
	if (in->raw_at == in->raw_count) {
		in->raw_at = 0;
		in->raw_count = (uint32_t)take_raw(in, in->raw, RAW_ROOM);
	}
	return in->raw_at < in->raw_count;
}

/* Whether a packed file may begin with this byte. */
static bool may_begin(enum input_packed packed, uint8_t byte)
{
	return packed == INPUT_GZIP ? byte == 0x1f : byte == 0x28 || (byte & 0xf0) == 0x50;
}

/* True: a packed file goes on or begins. Some programs pad a packed file with
 * zeros. Other bytes behind it are not read (`rest`). */
static bool packed_more(struct input *in)
{
	while (raw_more(in)) {
		if (!in->rest && (!in->unpacker->between || may_begin(in->packed, in->raw[in->raw_at])))
			return true;
		in->rest |= in->raw[in->raw_at++] != 0;
		if (in->rest)
			in->raw_at = in->raw_count;
	}
	return false;
}
#endif

#ifdef HAVE_ZLIB
static enum input_lost gzip_error(const z_stream *z)
{
	return z->msg && (!strcmp(z->msg, "incorrect data check") || !strcmp(z->msg, "incorrect length check"))
		       ? INPUT_CHECKSUM : INPUT_DAMAGED;
}

static size_t gzip_more(struct input *in, uint8_t *room, size_t size)
{
	z_stream *z = &in->unpacker->gzip;
	int result;

	z->next_out = room;
	z->avail_out = (uInt)size;
	while (z->avail_out == size && packed_more(in)) {
		in->unpacker->between = false;
		z->next_in = in->raw + in->raw_at;
		z->avail_in = in->raw_count - in->raw_at;
		result = inflate(z, Z_NO_FLUSH);
		in->raw_at = in->raw_count - z->avail_in;
		if (result == Z_STREAM_END) {
			inflateReset(z);
			in->unpacker->between = true;
		} else if (result != Z_OK && result != Z_BUF_ERROR) {
			ends_early(in, gzip_error(z));
			break;
		}
	}
	if (!in->lost && !in->failed && z->avail_out == size && !in->unpacker->between)
		ends_early(in, INPUT_CUT);
	return size - z->avail_out;
}
#endif

#ifdef HAVE_ZSTD
static void zstd_error(struct input *in, ZSTD_ErrorCode error)
{
	if (error == ZSTD_error_frameParameter_windowTooLarge)
		input_fails(in, "its zstd data can be unpacked only with a window of more than 128 MiB", ". Unpack it first");
	else if (error == ZSTD_error_memory_allocation)
		input_fails(in, "out of memory", "");
	else
		ends_early(in, error == ZSTD_error_checksum_wrong ? INPUT_CHECKSUM : INPUT_DAMAGED);
}

static size_t zstd_more(struct input *in, uint8_t *room, size_t size)
{
	ZSTD_outBuffer out = { room, size, 0 };

	while (!out.pos && packed_more(in)) {
		ZSTD_inBuffer from = { in->raw, in->raw_count, in->raw_at };
		size_t result = ZSTD_decompressStream(in->unpacker->zstd, &out, &from);

		in->raw_at = (uint32_t)from.pos;
		if (ZSTD_isError(result)) {
			zstd_error(in, ZSTD_getErrorCode(result));
			break;
		}
		in->unpacker->between = !result;
	}
	if (!in->lost && !in->failed && !out.pos && !in->unpacker->between)
		ends_early(in, INPUT_CUT);
	return out.pos;
}
#endif

static size_t unpack_bytes(struct input *in, uint8_t *room, size_t size)
{
	if (in->lost || in->failed)
		return 0;
#ifdef HAVE_ZLIB
	if (in->packed == INPUT_GZIP)
		return gzip_more(in, room, size);
#endif
#ifdef HAVE_ZSTD
	if (in->packed == INPUT_ZSTD)
		return zstd_more(in, room, size);
#endif
	return take_raw(in, room, size);
}

static uint32_t wide_left(const struct input *in)
{
	return in->wide_count - in->wide_at;
}

/* Reads until there are `least` bytes. False: the file ends before. */
static bool wide_more(struct input *in, uint32_t least)
{
	size_t more = 1;

	while (wide_left(in) < least && more) {
		memmove(in->wide, in->wide + in->wide_at, wide_left(in));
		in->wide_count = wide_left(in);
		in->wide_at = 0;
		more = unpack_bytes(in, in->wide + in->wide_count, RAW_ROOM - in->wide_count);
		in->wide_count += (uint32_t)more;
	}
	return wide_left(in) >= least;
}

static uint32_t wide_unit(const struct input *in, uint32_t at)
{
	const uint8_t *b = in->wide + in->wide_at + at;

	return in->encoding == INPUT_UTF16_LE ? b[0] | (uint32_t)b[1] << 8 : b[1] | (uint32_t)b[0] << 8;
}

/* Decodes the next character into in->utf8. False: there is none. */
static bool put_character(struct input *in)
{
	uint32_t c, size;

	if (!wide_more(in, 2)) {
		if (wide_left(in)) {
			snprintf(in->why, sizeof in->why, "its UTF-16 ends in the middle of a character");
			in->lost = INPUT_CUT;
		}
		return false;
	}
	c = wide_unit(in, 0);
	size = 2;
	if (c >= 0xd800 && c < 0xdc00 && wide_more(in, 4) && wide_unit(in, 2) >> 10 == 0xdc00 >> 10) {
		c = 0x10000 + ((c & 0x3ff) << 10 | (wide_unit(in, 2) & 0x3ff));
		size = 4;
	}
	in->wide_at += size;
	in->utf8_at = in->utf8_count = 0;
	if (c < 0x80) {
		in->utf8[in->utf8_count++] = (uint8_t)c;
		return true;
	}
	if (c >= 0x10000)
		in->utf8[in->utf8_count++] = (uint8_t)(0xf0 | c >> 18);
	if (c >= 0x800)
		in->utf8[in->utf8_count++] = (uint8_t)(c >= 0x10000 ? 0x80 | (c >> 12 & 0x3f) : 0xe0 | c >> 12);
	in->utf8[in->utf8_count++] = (uint8_t)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6);
	in->utf8[in->utf8_count++] = (uint8_t)(0x80 | (c & 0x3f));
	return true;
}

/* Returns as soon as there is something, as a pipe may be slow. */
static size_t unpack_some(struct input *in, uint8_t *room, size_t size)
{
	size_t count = 0;

	if (in->encoding == INPUT_BYTES)
		return unpack_bytes(in, room, size);
	while (count < size) {
		if (in->utf8_at == in->utf8_count && ((count && wide_left(in) < 4) || !put_character(in)))
			break;
		room[count++] = in->utf8[in->utf8_at++];
	}
	return count;
}

bool input_more(struct input *in)
{
	size_t left = (size_t)(in->end - in->at), more;

	memmove(in->room, in->at, left);
	in->at = in->room;
	in->end = in->room + left;
	if (left == INPUT_ROOM)
		return false;
	more = unpack_some(in, in->room + left, INPUT_ROOM - left);
	in->end += more;
	in->ahead += more;
	return more;
}

static bool unpacker_begin(struct input *in)
{
	in->unpacker = calloc(1, sizeof(*in->unpacker));
	in->raw = malloc(RAW_ROOM);
	if (!in->unpacker || !in->raw)
		return input_fails(in, "out of memory", "");
#ifdef HAVE_ZLIB
	if (in->packed == INPUT_GZIP && inflateInit2(&in->unpacker->gzip, 15 + 16) != Z_OK)
		return input_fails(in, "out of memory", "");
#endif
#ifdef HAVE_ZSTD
	if (in->packed == INPUT_ZSTD) {
		in->unpacker->zstd = ZSTD_createDStream();
		if (!in->unpacker->zstd)
			return input_fails(in, "out of memory", "");
		ZSTD_DCtx_setParameter(in->unpacker->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW);
	}
#endif
	return true;
}

/* The bytes read so far are compressed. */
static bool unpack_from_here(struct input *in)
{
	char library[64];
	size_t count = (size_t)(in->end - in->at);

	in->packed = input_is_packed(in->at, count);
	if (in->packed == INPUT_PLAIN)
		return true;
	if (!input_library(in->packed, library, sizeof library))
		return input_fails(in, in->packed == INPUT_GZIP ? "it is packed by gzip, and this proftop was built "
		                                            "without zlib"
							  : "it is packed by zstd, and this proftop was built "
							    "without zstd",
			     ". Unpack it first");
	if (!unpacker_begin(in))
		return false;
	memcpy(in->raw, in->at, count);
	in->raw_count = (uint32_t)count;
	in->end = in->at;
	in->ahead = 0;
	return true;
}

/* If it is UTF-16, decodes from here on, also the bytes that were read
 * already. */
static bool decode_from_here(struct input *in)
{
	size_t count = (size_t)(in->end - in->at);

	in->encoding = input_encoding(in->at, count);
	if (in->encoding == INPUT_BYTES)
		return true;
	if (in->encoding == INPUT_UTF32)
		return input_fails(in, "it is text in UTF-32", ". Convert it to UTF-8 first");
	in->wide = malloc(RAW_ROOM);
	if (!in->wide)
		return input_fails(in, "out of memory", "");
	memcpy(in->wide, in->at, count);
	in->wide_count = (uint32_t)count;
	in->end = in->at;
	in->ahead = 0;
	return true;
}

/* Until there is as much as fits, as a pipe gives it in small pieces. */
static void fill_room(struct input *in, size_t most)
{
	while ((size_t)(in->end - in->at) < most) {
		size_t more = unpack_some(in, in->room + (in->end - in->at), most - (size_t)(in->end - in->at));

		in->end += more;
		in->ahead += more;
		if (!more)
			break;
	}
}

bool input_open(struct input *in, int fd, bool (*goes_on)(void *context), void *context)
{
	struct stat st;

	*in = (struct input){ .fd = fd, .goes_on = goes_on, .context = context };
	in->room = malloc(INPUT_ROOM);
	if (!in->room)
		return input_fails(in, "out of memory", "");
	in->at = in->end = in->room;
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode))
		return input_fails(in, "it is a directory", "");
	in->total = !fstat(fd, &st) && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	fill_room(in, RAW_ROOM);
	if (in->failed || !unpack_from_here(in))
		return false;
	fill_room(in, RAW_ROOM);
	if (in->failed || !decode_from_here(in))
		return false;
	fill_room(in, RAW_ROOM);
	return !in->failed;
}

void input_close(struct input *in)
{
	if (in->unpacker) {
#ifdef HAVE_ZLIB
		if (in->packed == INPUT_GZIP)
			inflateEnd(&in->unpacker->gzip);
#endif
#ifdef HAVE_ZSTD
		ZSTD_freeDStream(in->unpacker->zstd);
#endif
	}
	free(in->unpacker);
	free(in->raw);
	free(in->wide);
	free(in->room);
	*in = (struct input){ .fd = -1 };
}
