/* gen_trace: a trace of a format, made of a number, on stdout; its true figures as JSON, or as lines of text, into a
 * file.
 *
 *   gen_trace FORMAT SEED [FRAMES [CALLS [THREADS]]] [--mixed] [--no-frames] [--anomalies]
 *     [--figures FILE] [--csv FILE]
 *
 * FORMAT: text timer-json timer-binary chrome chrome-calls folded
 */
#include <stdlib.h>
#include <string.h>

#include "tests/made_trace.h"

static int usage(void)
{
	fputs("usage: gen_trace text|timer-json|timer-binary|chrome|chrome-calls|folded SEED [FRAMES [CALLS [THREADS]]] "
	      "[--mixed] [--no-frames] [--anomalies] [--figures FILE] [--csv FILE]\n", stderr);
	return 2;
}

/* As lines, of a trace of the format; or as JSON, if it is none. */
static bool say(const struct made *m, enum made_format format, const char *path)
{
	FILE *out = fopen(path, "w");

	if (out && format == MADE_FORMATS)
		made_say(m, out);
	else if (out)
		made_say_csv(m, format, out);
	if (!out || fclose(out)) {
		perror(path);
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct made_options o = { .threads = 3, .frames = 20, .calls = 30, .zones = 12, .depth = 8, .values = 4, .events = 3 };
	uint32_t *const numbers[] = { &o.frames, &o.calls, &o.threads };
	const char *figures = NULL, *csv = NULL;
	enum made_format format = 0;
	unsigned given = 0;
	struct made *m;

	if (argc < 3)
		return usage();
	while (format < MADE_FORMATS && strcmp(argv[1], made_names[format]) != 0)
		format++;
	if (format == MADE_FORMATS)
		return usage();
	o.seed = strtoull(argv[2], NULL, 10);
	for (int i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "--mixed"))
			o.mixed = true;
		else if (!strcmp(argv[i], "--no-frames"))
			o.no_frames = true;
		else if (!strcmp(argv[i], "--anomalies"))
			o.anomalies = true;
		else if (!strcmp(argv[i], "--figures") && i + 1 < argc)
			figures = argv[++i];
		else if (!strcmp(argv[i], "--csv") && i + 1 < argc)
			csv = argv[++i];
		else if (given < 3 && *argv[i] >= '1' && *argv[i] <= '9')
			*numbers[given++] = (uint32_t)strtoul(argv[i], NULL, 10);
		else
			return usage();
	}
	m = made_new(&o);
	made_write(m, format, stdout);
	if (figures && !say(m, MADE_FORMATS, figures))
		return 1;
	if (csv && !say(m, format, csv))
		return 1;
	made_free(m);
	return fflush(stdout) || ferror(stdout);
}
