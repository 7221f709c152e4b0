/* SPDX-License-Identifier: MIT */
/*
 * proftop_sample: samples on the command line: the view functions, the log, a recording, and programs without libprof, which
 * proftop preloads.
 *
 * The program with zones is this one with the argument `burn`.
 */
#include <config.h>

#include <time.h>
#include <unistd.h>

#include "libprof/prof.h"
#include "tests/shows.h"

static volatile uint64_t sink;

/* The compiler puts it into burner. */
static inline __attribute__((always_inline)) void spin(void)
{
	uint64_t x = sink;

	for (int i = 0; i < 200000; i++)
		x = x * 3 + (uint64_t)i;
	sink = x;
}

__attribute__((noinline, noclone, optimize("no-omit-frame-pointer,no-optimize-sibling-calls"))) static void burner(void)
{
	spin();
}

static int burn(void)
{
	struct timespec time;

	do {
		Prof_Begin(work)
		burner();
		Prof_End
		Prof_update(1);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	} while (time.tv_sec == 0 && time.tv_nsec < 300000000);
	return 0;
}

/* Commands: `%S` is this program, `%F` a recording of it. */
static char self[1024], file[128];

static void shows(int status, const char *command, const char *pattern)
{
	const struct shows_word words[] = { { 'S', self }, { 'F', file }, { 0, NULL } };

	shows_words(words, status, command, pattern);
}

static void test_functions_are_listed(void **state)
{
	(void)state;
	shows(0, "%P record --sample -o %F -- %S burn", "");
	shows(0, "%P report --measure samples %F", "measure: samples, sampled each 1 ms");
	shows(0, "%P report -v functions --min 0 --min-samples 0 %F", "^FUNCTION +SELF +SELF% +TOTAL +TOTAL% +WHERE");
	shows(0, "%P report -v functions --csv %F", "^function,self,self_part_pct,total,total_part_pct,file,line");
	shows(0, "%P export samples-log %F", "^Functions have at least: 10 samples, 1.00%");
	shows(2, "%P export samples-log -t each %F 2>&1", "each");
	shows(0, "%P report -j -v functions %F", "\"view\":\"functions\"");
	shows(0, "%P export samples-log --min-samples 3 --min 0.5 %F", "^Functions have at least: 3 samples, 0.50%");
	shows(0, "%P report -v functions --min-samples 1000000 %F", "no function has enough samples");
#ifdef HAVE_LIBDW
	shows(0, "%P report -v functions %F", "^burner +[0-9]+ +[0-9.]+% +[0-9]+ +[0-9.]+% ");
	shows(0, "%P report -j -v functions %F", "\"functions\":\\[");
	shows(0, "%P report -j -v functions %F", "\"function\":\"burner\",\"self\":[0-9]+,\"self_part\":[01][.][0-9]+,\"total\":[0-9]+");
	shows(0, "%P export samples-log %F", "^spin: [0-9.]+% \\([0-9]+ samples\\)");
	shows(0, "%P report -v graph -z burner --measure samples %F", "call graph of burner");
	shows(0, "%P report -v functions %F", "^spin +[0-9]+ +[0-9.]+% +[0-9]+ +[0-9.]+% .*proftop_sample[.]c:[0-9]+");
	shows(0, "%P report -v graph -z spin --measure samples %F", "^ +[+] burner ");
	shows(0, "%P report -v lines %F", " spin +proftop_sample[.]c:2[0-9] .*x = x [*] 3");
	shows(0, "%P report -v lines -z burner %F", "^ +[0-9]+ +[0-9.]+% +[0-9 ]+ +[0-9.]+% +proftop_sample[.]c:30 +spin[(][)];$");
	shows(0, "%P report --csv -v lines -z spin --min 0 --min-samples 0 %F", "^[0-9]+,[0-9.]+,[0-9]+,[0-9.]+,spin,.*tests/proftop_sample[.]c,2[34]$");
	shows(0, "%P report -j -v lines -z spin %F", "\"lines\":\\[");
	shows(1, "%P report -v lines -z nothing %F 2>&1", "no zone 'nothing' has been entered");
	shows(0, "%P export folded --measure samples %F", "^work;burn;burner;spin [0-9]+$");
	shows(0, "%P export speedscope-sums --measure samples %F", "\"type\":\"sampled\",\"name\":\"main\",\"unit\":\"none\"");
	shows(0, "%P export callgrind --measure samples %F 2>&1", "^events: samples$");
	shows(0, "%P export callgrind --measure samples %F 2>&1", "given one call: samples do not count calls|given one call each: samples");
	shows(0, "%P export pprof --measure samples %F | gzip -dc | grep -a -c samples", "^[1-9]");
#endif
	shows(0, "%P report %F | grep -c burner | grep -x 0", "0"); /* times are those of zones */
	unlink(file);
}

/* clang writes no table of where units are (.debug_aranges). */
static void test_lines_need_no_table_of_units(void **state)
{
	(void)state;
#ifdef HAVE_LIBDW
	shows(0, "objcopy -R .debug_aranges %S %F.bin", "");
	shows(0, "%P record --sample -o %F -- %F.bin burn", "");
	shows(0, "%P report -v lines %F", " spin +proftop_sample[.]c:2[0-9] .*x = x [*] 3");
	shows(0, "%P report -v lines -z burner %F", "proftop_sample[.]c:30 +spin[(][)];$");
	shows(0, "rm %F.bin %F", "");
#endif
}

/* A build that was replaced keeps the names that were found before, and without the cache it has none. */
static void test_functions_are_kept(void **state)
{
	(void)state;
#ifdef HAVE_LIBDW
	shows(0, "cp %S %F.bin; PROF_KEEP=1 PROF_SAMPLE=1000 PROF_SHM=$(basename %F) %F.bin burn", "");
	shows(0, "XDG_CACHE_HOME=%F.cache %P report -v functions $(basename %F)", "^burner +[0-9]");
	shows(0, "rm %F.bin; XDG_CACHE_HOME=%F.cache %P report -v functions $(basename %F)", "^burner +[0-9]");
	shows(0, "XDG_CACHE_HOME=%F.cache %P report -v lines $(basename %F)", " spin +proftop_sample[.]c:2[0-9] ");
	shows(0, "XDG_CACHE_HOME=/dev/null %P report -v functions $(basename %F) | grep -c burner | grep -x 0", "0");
	shows(0, "%P clean -y $(basename %F); rm -r %F.cache", "");
#endif
}

/* A program that knows nothing of libprof, and one that has no samples. */
static void test_any_program_is_sampled(void **state)
{
	(void)state;
	shows(0, "%P report --sample -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'", "measure: samples");
	shows(0, "%P report --sample -v functions --min-samples 1 -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'",
	      "^[0-9]+ samples, [0-9]+ of [0-9]+ functions");
	shows(1, "%P report -v functions -- %S burn 2>&1", "there are no samples. Start the program with PROF_SAMPLE=1000");
	shows(2, "%P report --sample name 2>&1", "--sample needs a program to start");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_are_listed),
		cmocka_unit_test(test_lines_need_no_table_of_units),
		cmocka_unit_test(test_functions_are_kept),
		cmocka_unit_test(test_any_program_is_sampled),
	};
	ssize_t length;

	if (argc > 1 && !strcmp(argv[1], "burn"))
		return burn();
	length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[length > 0 ? length : 0] = '\0';
	snprintf(file, sizeof(file), "/tmp/proftop_sample.%ld.prec", (long)getpid());
	unsetenv("PROF_SAMPLE");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
