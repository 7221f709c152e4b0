/* io_input: bytes of a file, packed or not, come as they were; records come sorted, however many there are; numbers are what
 * stands there. */
#include <config.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "io/import/import_inside.h"
#include "io/import/input.h"
#include "io/import/number.h"
#include "io/import/sorter.h"
#include "io/import/trace.h"

#define SIZE 3000001u

static uint8_t plain[SIZE];

static int file_of(const void *bytes, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Takes all but a few bytes each time, and compares with what it should be. Returns how much there was. */
static size_t take_all(struct input *in, bool damaged)
{
	size_t taken = 0;

	do {
		size_t left = (size_t)(in->end - in->at), keep = left > 100 ? taken % 97 : 0;

		assert_int_equal(input_offset(in, in->at), taken);
		assert_true(damaged || (taken + left <= SIZE && !memcmp(in->at, plain + taken, left)));
		in->at += left - keep;
		taken += left - keep;
	} while (input_more(in));
	return taken + (size_t)(in->end - in->at);
}

static void is_whole(const void *bytes, size_t size, enum input_packed packed, size_t expected)
{
	int fd = file_of(bytes, size);
	struct input in;

	assert_true(input_open(&in, fd, NULL, NULL));
	assert_int_equal(in.packed, packed);
	assert_int_equal(in.total, size);
	assert_int_equal(take_all(&in, false), expected);
	assert_false(in.failed || in.lost || in.rest);
	assert_int_equal(in.taken, size);
	input_close(&in);
	close(fd);
}

/* Gives the bytes that are whole, and says why the rest is missing. */
static void is_lost(const void *bytes, size_t size, enum input_lost lost)
{
	int fd = file_of(bytes, size);
	struct input in;

	assert_true(input_open(&in, fd, NULL, NULL));
	assert_true(take_all(&in, lost != INPUT_CUT) <= SIZE);
	assert_int_equal(in.lost, lost);
	assert_true(!in.failed && strstr(in.why, " after byte "));
	input_close(&in);
	close(fd);
}

static void plain_bytes_come_as_they_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		plain[i] = (uint8_t)(i * 2654435761u >> 13 & (i / 70000 % 2 ? 255 : 7)) | 64;
	is_whole(plain, SIZE, INPUT_PLAIN, SIZE);
	is_whole(plain, 1, INPUT_PLAIN, 1);
	is_whole(plain, 0, INPUT_PLAIN, 0);
}

static void a_pipe_comes_in_pieces(void **state)
{
	struct input in;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	if (!fork()) {
		for (size_t i = 0; i < SIZE; i += 4999)
			if (write(ends[1], plain + i, SIZE - i < 4999 ? SIZE - i : 4999) < 0)
				_exit(1);
		_exit(0);
	}
	close(ends[1]);
	assert_true(input_open(&in, ends[0], NULL, NULL));
	assert_int_equal(take_all(&in, false), SIZE);
	input_close(&in);
	close(ends[0]);
}

static void what_is_packed_is_unpacked(void **state)
{
	uint8_t *packed = malloc(3 * SIZE);
	size_t first, second;

	(void)state;
	(void)first, (void)second;
	assert_non_null(packed);
#ifdef HAVE_ZLIB
	first = 0;
	for (size_t from = 0, to = SIZE / 3; from < SIZE; from = to, to = SIZE) { /* two behind one another */
		z_stream z = { .next_in = plain + from, .avail_in = (uInt)(to - from), .next_out = packed + first,
			       .avail_out = (uInt)(3 * SIZE - first) };

		assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
		assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
		first += z.total_out;
		deflateEnd(&z);
	}
	is_whole(packed, first, INPUT_GZIP, SIZE);
	for (size_t size = 2; size < first; size += first / 7)
		is_lost(packed, size, INPUT_CUT);
	packed[first - 8] ^= 0x55;
	is_lost(packed, first, INPUT_CHECKSUM);
	packed[10] = 7; /* a block of no type that there is */
	is_lost(packed, first, INPUT_DAMAGED);
#endif
#ifdef HAVE_ZSTD
	first = ZSTD_compress(packed, 3 * SIZE, plain, SIZE / 3, 3);
	second = ZSTD_compress(packed + first, 3 * SIZE - first, plain + SIZE / 3, SIZE - SIZE / 3, 3);
	is_whole(packed, first + second, INPUT_ZSTD, SIZE);
	for (size_t size = 5; size < first; size += first / 7)
		is_lost(packed, size, INPUT_CUT);
	memset(packed + first / 2, 0x55, 100);
	is_lost(packed, first, INPUT_DAMAGED);
#endif
	free(packed);
}

/* Frames that are to be skipped (pzstd begins with one), padding, checksums, and windows that are too large. */
static void zstd_as_others_write_it(void **state)
{
#ifdef HAVE_ZSTD
	static const uint8_t skipped[] = { 0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'x', 'y', 'z' };
	static const uint8_t window[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 1, 0, 0 };
	uint8_t *packed = calloc(1, 3 * SIZE);
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	size_t size = sizeof skipped, once;
	struct input in;
	int fd;

	assert_true(packed && zstd);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
	memcpy(packed, skipped, sizeof skipped);
	once = size += ZSTD_compress2(zstd, packed + size, 2 * SIZE, plain, SIZE / 3);
	size += 700; /* zeros */
	size += ZSTD_compress2(zstd, packed + size, 2 * SIZE - size, plain + SIZE / 3, SIZE - SIZE / 3);
	is_whole(packed, size + 9, INPUT_ZSTD, SIZE);
	packed[once - 1] ^= 1;
	is_lost(packed, size, INPUT_CHECKSUM);
	packed[once - 1] ^= 1;

	memcpy(packed + size, "words", 5);
	fd = file_of(packed, size + 5);
	assert_true(input_open(&in, fd, NULL, NULL));
	assert_int_equal(take_all(&in, false), SIZE);
	assert_true(in.rest && !in.lost && !in.failed);
	input_close(&in);
	close(fd);

	fd = file_of(window, sizeof window);
	assert_false(input_open(&in, fd, NULL, NULL));
	assert_non_null(strstr(in.why, "more than 128 MiB"));
	input_close(&in);
	close(fd);
	ZSTD_freeCCtx(zstd);
	free(packed);
	(void)state;
#else
	(void)state;
	skip();
#endif
}

static void what_cannot_be_unpacked_is_refused(void **state)
{
	const char *const begin[] = { "\x1f\x8b\x08", "\x28\xb5\x2f\xfd" };

	(void)state;
	for (int k = 0; k < 2; k++) {
		int fd = file_of(begin[k], strlen(begin[k]));
		struct input in;
		char library[64];

		if (input_library(k ? INPUT_ZSTD : INPUT_GZIP, library, sizeof library)) {
			assert_true(strchr(library, ' '));
		} else {
			assert_false(input_open(&in, fd, NULL, NULL));
			assert_non_null(strstr(in.why, "unpack it first"));
			input_close(&in);
		}
		close(fd);
	}
}

/* Sorting */

struct record {
	uint32_t key, number;
	uint64_t more;
};

static int by_key(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static void put_all(struct sorter *s, uint32_t count, uint32_t keys)
{
	for (uint32_t i = 0; i < count; i++) {
		struct record *r = sorter_add(s);

		assert_non_null(r);
		*r = (struct record){ keys ? (i * 2654435761u >> 7) % keys : i, i, ~(uint64_t)i };
	}
}

static void take_sorted(struct sorter *s, uint32_t count)
{
	struct record before = { 0 };
	const struct record *r;
	uint32_t taken = 0;

	for (; (r = sorter_next(s)); taken++) {
		assert_true(r->more == ~(uint64_t)r->number);
		assert_true(!taken || r->key > before.key || (r->key == before.key && r->number > before.number));
		before = *r;
	}
	assert_false(s->failed);
	assert_int_equal(taken, count);
}

static void records_come_in_order(void **state)
{
	static const uint32_t counts[] = { 0, 1, 2, 9, 1000, 1024, 1025, 2500, 50000 }, keys[] = { 0, 1, 7, 100000 };

	(void)state;
	for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			for (uint32_t held = 1024; held < 100000; held *= 10) { /* in 49 pieces, in 5, in one */
				struct sorter s;

				sorter_init(&s, sizeof(struct record), by_key, "/tmp", held);
				put_all(&s, counts[c], keys[k]);
				assert_true(sorter_sort(&s));
				assert_int_equal(s.fd >= 0, counts[c] > held);
				take_sorted(&s, counts[c]);
				assert_true(sorter_again(&s));
				take_sorted(&s, counts[c]);
				sorter_fini(&s);
			}
}

static void where_there_is_no_room_it_fails(void **state)
{
	struct sorter s;

	(void)state;
	sorter_init(&s, sizeof(struct record), by_key, "/nowhere/at/all", 1024);
	put_all(&s, 1024, 9);
	assert_null(sorter_add(&s));
	assert_true(s.failed && s.error == ENOENT);
	assert_null(sorter_add(&s));
	assert_false(sorter_sort(&s));
	assert_null(sorter_next(&s));
	sorter_fini(&s);
}

/* Numbers, and names */

static void scaled(const char *text, int64_t expected, bool expected_rounded)
{
	bool rounded;
	int64_t is;

	assert_true(number_scaled(text, strlen(text), 3, &is, &rounded));
	if (is != expected || rounded != expected_rounded)
		fail_msg("%s is %lld, %d", text, (long long)is, rounded);
}

static void numbers_are_exact(void **state)
{
	static const char *const none[] = { "", "-", "+1", "1.2.3", "1e", "1e+", "e5", ".", "1 ", "0x1", "1e5x", "--1" };
	uint64_t value;
	int64_t is;
	bool rounded, minus;

	(void)state;
	scaled("0", 0, false);
	scaled("1609044830711675.392", INT64_C(1609044830711675392), false);
	scaled("9223372036854775.807", INT64_MAX, false);
	scaled("9007199254740993", INT64_C(9007199254740993000), false);
	scaled("-1.5", -1500, false);
	scaled("1.0005", 1001, true);
	scaled("1.00049", 1000, true);
	scaled("1.5e3", 1500000, false);
	scaled("15E-1", 1500, false);
	scaled("1e-9", 0, true);
	scaled("0e99999999999", 0, false);
	scaled("1e300", INT64_MAX, true);
	scaled("-1e300", -INT64_MAX, true);
	scaled("0.000000000000000000000000000001e30", 1000, false);
	scaled("123456789012345678901234567890", INT64_MAX, true);
	scaled("1.2345678901234567890123456789", 1235, true);
	for (size_t k = 0; k < sizeof none / sizeof *none; k++)
		assert_false(number_scaled(none[k], strlen(none[k]), 3, &is, &rounded));
	assert_true(number_whole("18446744073709551615", 20, &value, &minus) && value == UINT64_MAX);
	assert_false(number_whole("18446744073709551616", 20, &value, &minus));
	assert_true(number_signed("-9223372036854775808", 20, &is) && is == INT64_MIN);
	assert_false(number_signed("-9223372036854775809", 20, &is));
	assert_true(number_signed("9223372036854775808", 19, &is) && is == INT64_MAX);
	assert_false(number_signed("1.0", 3, &is));
	assert_false(number_signed("", 0, &is));
}

/* A long name is not cut inside of a character. Bytes that are not UTF-8 are cut anywhere. */
static void a_name_is_cut_between_characters(void **state)
{
	static const struct {
		const char *character;
		unsigned begins; /* so many bytes before the longest name ends; 0: with the byte behind it */
		unsigned lost;
	} all[] = { { "\xc3\xa9", 1, 1 },         { "\xc3\xa9", 0, 0 },         { "\xc3\xa9", 2, 0 },
		    { "\xe2\x82\xac", 1, 1 },     { "\xe2\x82\xac", 2, 2 },     { "\xe2\x82\xac", 3, 0 },
		    { "\xf0\x9f\x98\x80", 3, 3 }, { "\xf0\x9f\x98\x80", 4, 0 }, { "\x80\x80\x80\x80\x80\x80", 4, 0 } };
	static const struct import_options options = { .source = "x" };
	static struct anomalies a;
	struct trace *t = trace_new(&options, &a, 1, false);

	(void)state;
	assert_non_null(t);
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		char many[NAME_MOST + 1];

		memset(many, 'x', sizeof many);
		many[0] = (char)('a' + k);
		for (unsigned i = 0; all[k].character[i] && NAME_MOST - all[k].begins + i < sizeof many; i++)
			many[NAME_MOST - all[k].begins + i] = all[k].character[i];
		if (strlen(trace_text(t, trace_name(t, many, sizeof many, 1))) != NAME_MOST - all[k].lost)
			fail_msg("%zu", k);
	}
	trace_free(t);
}

static void names_are_kept_once(void **state)
{
	static const struct import_options options = { .source = "x" };
	static char many[1 << 20];
	static struct anomalies a;
	struct trace *t = trace_new(&options, &a, 1, false);
	uint32_t first, last = 0;

	(void)state;
	assert_non_null(t);
	memset(many, 'x', sizeof many);
	first = trace_name(t, "main", 4, 1);
	assert_int_equal(trace_name(t, "main", 4, 1), first);
	assert_int_equal(trace_name(t, "mai", 3, 1), first + 1);
	assert_string_equal(trace_text(t, trace_name(t, "", 0, 1)), "(no name)");
	assert_int_equal(anomalies_total(&a), 0);
	assert_string_equal(trace_text(t, trace_name(t, "a\0b", 3, 7)), "a\xc0\x80" "b");
	assert_int_equal(a.counts[ANOMALY_NAME_NUL], 1);
	assert_int_equal(a.places[0].at, 7);
	assert_int_equal(strlen(trace_text(t, trace_name(t, many, sizeof many, 1))), NAME_MOST);
	assert_int_equal(a.counts[ANOMALY_NAME_CUT], 1);
	for (uint32_t i = 0; i < 20000; i++) { /* of 16 KiB each: not all of them */
		memcpy(many, &i, sizeof i);
		last = trace_name(t, many, NAME_MOST, 1);
	}
	assert_string_equal(trace_text(t, last), "(too many names)");
	assert_true(last <= (UINT32_C(128) << 20) / NAME_MOST + 10 && a.counts[ANOMALY_MANY] > 0);
	assert_int_equal(trace_name(t, "main", 4, 1), first);
	trace_free(t);
}

/* A record of which the name, the thread and the path are one too many is one
 * record. */
static void a_record_that_is_left_out_counts_once(void **state)
{
	enum { ZONES = 800, NEW = 5, THREADS = 65536 };
	static const struct import_options options = { .source = "x" };
	static char many[NAME_MOST];
	static uint32_t zones[ZONES];
	char name[16];

	(void)state;
	for (int gathered = 0; gathered < 2; gathered++) {
		struct anomalies a = { 0 };
		struct import_output out = { .spool = -1 };
		struct trace *t = trace_new(&options, &a, 1000000000, gathered);
		uint32_t thread = trace_thread(t, 1, 1);
		int64_t tick = 0;
		uint64_t place = 1, left_out;

		for (int i = 0; i < ZONES; i++) {
			snprintf(name, sizeof name, "zone %d", i);
			zones[i] = trace_name(t, name, strlen(name), place);
		}
		memset(many, 'x', sizeof many);
		for (uint32_t i = 0; i < 10000; i++) { /* of 16 KiB each: not all of them */
			memcpy(many, &i, sizeof i);
			trace_name(t, many, NAME_MOST, ++place);
		}
		left_out = a.counts[ANOMALY_MANY];
		assert_true(left_out > 0 && left_out < 10000);
		for (uint64_t i = 2; i <= THREADS; i++)
			trace_thread(t, i, ++place);
		for (int i = 0; i < ZONES; i++) { /* 640,000 paths: not all of them */
			trace_enter(t, thread, zones[i], zones[i], tick++, TRACE_NO_FRAME, ++place);
			for (int k = 0; k < ZONES; k++) {
				trace_enter(t, thread, zones[k], zones[k], tick++, TRACE_NO_FRAME, ++place);
				trace_leave(t, thread, zones[k], tick++, ++place);
			}
			trace_leave(t, thread, zones[i], tick++, ++place);
		}
		left_out += ZONES + ZONES * ZONES - (524288 - THREADS); /* each thread has a node */
		trace_enter(t, thread, zones[ZONES - 1], zones[ZONES - 1], tick++, TRACE_NO_FRAME, ++place);
		left_out++;
		for (int i = 0; i < NEW; i++) { /* paths and names */
			uint32_t none;

			snprintf(name, sizeof name, "new %d", i);
			none = trace_name(t, name, strlen(name), ++place);
			trace_enter(t, thread, none, none, tick++, TRACE_NO_FRAME, place);
			trace_leave(t, thread, none, tick++, ++place);
		}
		left_out += NEW;
		for (int i = 0; i < NEW; i++) { /* threads and names */
			place++;
			snprintf(name, sizeof name, "more %d", i);
			assert_int_equal(trace_thread(t, 70000, place), TRACE_NONE);
			trace_name(t, name, strlen(name), place);
		}
		left_out += NEW;
		trace_finish(t, &out);
		assert_int_equal(a.counts[ANOMALY_MANY], left_out);
		profile_free(out.profile);
		transitions_free(out.calls);
		if (out.spool >= 0)
			close(out.spool);
		trace_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_bytes_come_as_they_are),
		cmocka_unit_test(a_pipe_comes_in_pieces),
		cmocka_unit_test(what_is_packed_is_unpacked),
		cmocka_unit_test(zstd_as_others_write_it),
		cmocka_unit_test(what_cannot_be_unpacked_is_refused),
		cmocka_unit_test(records_come_in_order),
		cmocka_unit_test(where_there_is_no_room_it_fails),
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(a_name_is_cut_between_characters),
		cmocka_unit_test(names_are_kept_once),
		cmocka_unit_test(a_record_that_is_left_out_counts_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
