/* fuzz_import: a trace of any bytes, and the profile that it is.
 *
 *   byte 0  by which options; the rest is the file
 *
 * Imported profiles are sound: slices add up, and threads' totals are their times.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/imported.h"

static const struct import_options ways[] = {
	{ .source = "x" },
	{ .source = "x", .frame_event = "f" },
	{ .source = "x", .frame_zone = "f" },
	{ .source = "x", .merge_namesakes = true },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct imported *i;

	if (!size)
		return 0;
	i = imported_bytes(data + 1, size - 1, &ways[data[0] % 4]);
	imported_check(i);
	assert(i->done || strlen(i->why) > 3);
	imported_free(i);
	return 0;
}

static void two_of(fuzz_try *one, const char *const *heads, const char *const *rests)
{
	uint8_t bytes[512];

	for (uint8_t way = 0; way < 4; way++)
		for (size_t h = 0; heads[h]; h++)
			for (size_t a = 0; rests[a]; a++)
				for (size_t b = 0; rests[b]; b++) {
					int length = snprintf((char *)bytes + 1, sizeof bytes - 1, "%s%s%s", heads[h], rests[a],
							      rests[b]);

					bytes[0] = way;
					one(bytes, (size_t)length + 1, "two records");
				}
}

/* Each record behind each other, by each of the options. */
void fuzz_systematic(fuzz_try *one)
{
	static const char *const text_heads[] = { "T 1 f\nF 1 1 f\nS 1 1 5\n", "S 1 1 -5\n", NULL };
	static const char *const text[] = { "T 1 a\n", "F 1 1 b\n", "S 1 1 7\n", "E 1 1 9\n", "E 1 2 3\n", "S 2 1 8\n",
					    "E 2 1 9223372036854775807\n", "V 1 1 f\n", "Y 1 1 6\n", "C 1 c\n", "D 1 7 -1\n",
					    "\n", "x\n", "T 2 f\nS 2 2 100\n", NULL };
	static const char *const timer_heads[] = { "[[0,1,1,5,\"f\"]", "[[0,1,-1,5,\"f\"]", NULL };
	static const char *const timer[] = { ",[0,1,1,6,\"f\"]", ",[1,1,1,7,\"f\"]", ",[0,1,2,8,\"g\"]", ",[1,1,9,9,\"x\"]",
					     ",[0,1,0,9,\"g\"]", ",[2,1,1,6,\"n\"]", ",[2,2,7,1,\"n\"]", ",[0,2,-1,3,\"f\"]",
					     ",[1,2,0,18446744073709551615,\"f\"]", ",[1]", ",5", "]", ",", NULL };
	static const char *const chrome_heads[] = { "[{\"ph\":\"B\",\"ts\":1,\"name\":\"f\"}",
						    "{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":9,\"name\":\"f\"}", NULL };
	static const char *const chrome[] = {
		",{\"ph\":\"B\",\"ts\":2,\"name\":\"f\"}", ",{\"ph\":\"E\",\"ts\":3}", ",{\"ph\":\"E\",\"ts\":12,\"name\":\"q\"}",
		",{\"ph\":\"X\",\"ts\":1,\"dur\":9,\"name\":\"g\"}", ",{\"ph\":\"X\",\"ts\":5,\"dur\":90,\"name\":\"f\"}",
		",{\"ph\":\"X\",\"ts\":-1e9,\"dur\":0,\"tid\":\"x\"}", ",{\"ph\":\"i\",\"ts\":4,\"name\":\"f\"}",
		",{\"ph\":\"C\",\"ts\":4,\"name\":\"c\",\"args\":{\"a\":1,\"b\":1.5}}",
		",{\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"f\"}}", ",{\"ph\":\"b\",\"pid\":2}", ",{}", "]", NULL };

	two_of(one, text_heads, text);
	two_of(one, timer_heads, timer);
	two_of(one, chrome_heads, chrome);
}
