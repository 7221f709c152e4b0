/* replay.c: a fuzz target without a fuzzer: tries the files that are kept, and what can be tried systematically.
 *
 *   NAME [FILE or DIRECTORY...]   those alone; none: those of tests/fuzz, and the systematic ones
 *
 * An input that takes a minute is an endless loop.  Which one it was is said when the process ends by a signal.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/fuzz/fuzz.h"

#define WATCHDOG_S 60

static char running[1100];
static unsigned long tried;

static void say_running(void)
{
	static const char before[] = "\nthe input was: ";

	if (write(STDERR_FILENO, before, sizeof before - 1) < 0 || write(STDERR_FILENO, running, strlen(running)) < 0 ||
	    write(STDERR_FILENO, "\n", 1) < 0)
		_exit(1);
}

/* The sanitizers' own way to end. */
void __asan_on_error(void);
void __asan_on_error(void)
{
	say_running();
}

static void by_signal(int number)
{
	say_running();
	signal(number, SIG_DFL);
	raise(number);
}

static void try_input(const uint8_t *data, size_t size, const char *what)
{
	snprintf(running, sizeof running, "%s", what);
	alarm(WATCHDOG_S);
	if (LLVMFuzzerTestOneInput(data, size) != 0)
		abort();
	tried++;
}

static void try_file(const char *path, off_t size)
{
	uint8_t *bytes = malloc(size ? (size_t)size : 1);
	FILE *file = fopen(path, "rb");

	if (!bytes || !file || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
		perror(path);
		exit(1);
	}
	fclose(file);
	try_input(bytes, (size_t)size, path);
	free(bytes);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void try_path(const char *path)
{
	struct dirent **names;
	struct stat st;
	char inside[1024];
	int count;

	if (stat(path, &st) != 0)
		return; /* a target need not have crashed yet */
	if (!S_ISDIR(st.st_mode)) {
		try_file(path, st.st_size);
		return;
	}
	count = scandir(path, &names, is_visible, alphasort);
	for (int i = 0; i < count; i++) {
		snprintf(inside, sizeof inside, "%s/%s", path, names[i]->d_name);
		try_path(inside);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}

int main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir"), *name = strrchr(argv[0], '/');
	char path[1024];

	signal(SIGABRT, by_signal);
	signal(SIGALRM, by_signal);
	for (int i = 1; i < argc; i++)
		try_path(argv[i]);
	if (argc == 1) {
		name = name ? name + 1 : argv[0];
		snprintf(path, sizeof path, "%s/tests/fuzz/crashes/%s", top ? top : ".", name);
		try_path(path);
		snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", top ? top : ".", name);
		try_path(path);
		if (!tried) {
			fprintf(stderr, "no inputs in %s\n", path);
			return 1;
		}
		fuzz_systematic(try_input);
	}
	printf("%lu inputs\n", tried);
	return 0;
}
