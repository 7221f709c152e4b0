# Tests
# A script is added to check_scripts.  A program tests/NAME, of tests/NAME.c unless tests_NAME_SOURCES
# says more, is added to test_programs and links one of these, the layer that it tests and no other:
#
#   tests_NAME_LDADD = $(test_model)
#
# A test runs in the build directory and finds top_srcdir and top_builddir in its environment.  It ends
# with 0, with 77 if this machine cannot run it, or with anything else if it failed.
check_scripts = \
	tests/proftop_import \
	tests/proftop_export

# The sanitizers find something where a test reads bytes that anybody may have written, allocates memory or computes
# indices: in model/, io/ and tui/.  A short run leaves the tests of ALL_TESTS out of the sanitized pass.
# Either they run the same code once more, from outside; or they are about the order of stores, and about threads,
# forks and processes that end.  The sanitizers change these things and do not watch them.
if ALL_TESTS
check_scripts += \
	tests/completions \
	tests/examples \
	tests/exports \
	tests/manual_examples \
	tests/proftop_cli \
	tests/proftop_readonly \
	tests/proftop_record \
	tests/squash
endif

# Models and the lines of sources are not of what is built here, and what is installed is never sanitized:
# once, in the plain build, is enough.
if !SANITIZED
check_scripts += tests/amalgamation tests/bench tests/browser/run tests/circles tests/cmake tests/deb tests/fault_table tests/found_later tests/headers tests/install tests/layers tests/page_table tests/spin/run
check_DATA = amalgamation/prof.c
endif

# Tests that take hours, or tools that not everybody has.
if LONG_TESTS
if !SANITIZED
check_scripts += tests/aarch64 tests/fuzz/run tests/tsan tests/valgrind
endif
endif

failing_memory = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=reallocarray,--wrap=strdup

test_model = libmodel.la $(CMOCKA_LIBS) $(LIBM)
test_shm = tests/libregion.a libshm.la $(CMOCKA_LIBS)
test_tui = libproftop.a libtui.a libmodel.la $(CMOCKA_LIBS) $(NCURSESW_LIBS) $(LIBM)
test_screen = tests/libregion.a tests/libscreen.a $(test_tui) $(VTERM_LIBS)
test_io = tests/libregion.a libio.la libshm.la libmodel.la $(CMOCKA_LIBS) $(YAJL_LIBS) $(ZSTD_LIBS) $(ZLIB_LIBS) $(LIBM)
test_prof = libprof.la libshm.la $(CMOCKA_LIBS)

# Shared by the tests of the core, which run themselves again as the program that is profiled.
check_LIBRARIES = tests/libcore.a tests/libregion.a
tests_libcore_a_SOURCES = \
	tests/core_check.c \
	tests/core_check.h \
	tests/core_image.c \
	tests/core_image.h \
	tests/core_kept.c \
	tests/core_kept.h \
	tests/core_read.c \
	tests/core_read.h \
	tests/core_replay.c \
	tests/core_replay.h \
	tests/core_run.c \
	tests/core_run.h \
	tests/core_seen.c \
	tests/core_seen.h \
	tests/core_shown.c \
	tests/core_shown.h \
	tests/core_sums.c \
	tests/core_sums.h \
	tests/core_values.h \
	tests/core_values_read.c \
	tests/core_watch.c \
	tests/core_watch.h \
	tests/core_work.c \
	tests/core_work.h
test_core = tests/libcore.a libprof.la libshm.la
test_core_within = tests/libcore.a libprofparts.la libshm.la # for those that look into it
test_core_shown = tests/libcore.a libprof.la libio.la libshm.la libmodel.la $(YAJL_LIBS) $(LIBM)

# Regions that no program made, or one that a test tells what to do; and what tests of one layer share.
tests_libregion_a_SOURCES = \
	tests/game_region.c \
	tests/game_region.h \
	tests/io_frames.h \
	tests/proftop_run.h \
	tests/region_ask.c \
	tests/region_ask.h \
	tests/region_builder.c \
	tests/region_builder.h

# A terminal to run programs in.
tests_libscreen_a_CPPFLAGS = $(AM_CPPFLAGS) $(VTERM_CFLAGS)
tests_libscreen_a_SOURCES = tests/screen.c tests/screen.h

# Modules that core_limits loads: in tests/.libs, with the library's functions from the program.
check_LTLIBRARIES += tests/core_bound.la tests/core_carrier.la tests/core_copy.la tests/core_module.la tests/core_other.la
tests_core_bound_la_SOURCES = tests/core_carrier.c
tests_core_bound_la_LDFLAGS = $(module_link) -Wl,-Bsymbolic-functions
tests_core_bound_la_LIBADD = libprofclock.la
tests_core_carrier_la_LDFLAGS = $(module_link)
tests_core_carrier_la_LIBADD = libprofclock.la
tests_core_copy_la_LDFLAGS = $(module_link) -export-symbols-regex '^copy_'
tests_core_copy_la_LIBADD = libprofclock.la
tests_core_module_la_LDFLAGS = $(module_link)
tests_core_other_la_LDFLAGS = $(module_link)
if HAVE_CXX
check_LTLIBRARIES += tests/core_throw.la tests/core_unload.la
tests_core_throw_la_SOURCES = tests/core_throw.cpp
tests_core_throw_la_LDFLAGS = $(module_link)
tests_core_unload_la_SOURCES = tests/core_unload.cpp
tests_core_unload_la_LDFLAGS = $(module_link)
endif

# Tests of these layers are compiled without optimisation, which takes gcc a quarter of the time.  The code that they
# test is compiled as it is for use.
tests/io_%.o tests/model_%.o tests/proftop_%.o tests/profview_%.o tests/tui_%.o: CFLAGS = -O0 -g1

test_programs = \
	tests/core_calibrate \
	tests/core_clock \
	tests/core_cpu \
	tests/core_fibers \
	tests/core_fibers_clock \
	tests/core_hours \
	tests/core_lap \
	tests/core_limits \
	tests/core_reload \
	tests/core_scribble \
	tests/core_signature \
	tests/core_known \
	tests/core_measures \
	tests/core_names \
	tests/core_values \
	tests/fuzz/fuzz_attach \
	tests/fuzz/fuzz_import \
	tests/fuzz/fuzz_model \
	tests/fuzz/fuzz_settings \
	tests/fuzz/fuzz_snapshot \
	tests/io_busy \
	tests/io_calls \
	tests/io_kept_calls \
	tests/io_churn \
	tests/io_counters \
	tests/io_export \
	tests/io_follow \
	tests/io_foreign \
	tests/io_hang \
	tests/io_hours \
	tests/io_import \
	tests/io_import_bad \
	tests/io_import_memory \
	tests/io_input \
	tests/io_join \
	tests/io_live \
	tests/io_memory \
	tests/io_opening \
	tests/io_page \
	tests/io_recording \
	tests/io_own \
	tests/io_round \
	tests/io_run \
	tests/io_symbols_cache \
	tests/io_threads \
	tests/io_values \
	tests/io_values_kept \
	tests/io_values_late \
	tests/io_values_live \
	tests/io_watch \
	tests/io_why \
	tests/io_work \
	tests/io_worst \
	tests/model_average \
	tests/model_boxes \
	tests/model_calls \
	tests/model_cause \
	tests/model_check \
	tests/model_compare \
	tests/model_counters \
	tests/model_delta \
	tests/model_format \
	tests/model_frame_order \
	tests/model_gone \
	tests/model_held \
	tests/model_identities \
	tests/model_large \
	tests/model_layout \
	tests/model_query \
	tests/model_lines \
	tests/model_load \
	tests/model_longest \
	tests/model_measures \
	tests/model_memory \
	tests/model_moment \
	tests/model_open_stacks \
	tests/model_overhead \
	tests/model_path \
	tests/model_pins \
	tests/model_profile \
	tests/model_recursion \
	tests/model_report \
	tests/model_sheet \
	tests/model_spans \
	tests/model_statistics \
	tests/model_sums \
	tests/model_transitions \
	tests/model_why \
	tests/model_work \
	tests/model_worst \
	tests/proftop_damage \
	tests/proftop_keys \
	tests/proftop_names \
	tests/proftop_screen \
	tests/proftop_settings \
	tests/proftop_tables \
	tests/proftop_terminal \
	tests/profview_anew \
	tests/profview_calls \
	tests/profview_flame \
	tests/profview_locale \
	tests/profview_memory \
	tests/profview_self \
	tests/profview_view \
	tests/shm_attach \
	tests/shm_bounds \
	tests/shm_damage \
	tests/shm_list \
	tests/shm_parts \
	tests/shm_record \
	tests/shm_snapshot \
	tests/shm_totals \
	tests/shm_values \
	tests/tui_app \
	tests/tui_banner \
	tests/tui_canvas \
	tests/tui_cause \
	tests/tui_compare \
	tests/tui_counters \
	tests/tui_export \
	tests/tui_flame \
	tests/tui_frame_graph \
	tests/tui_functions \
	tests/tui_frame_times \
	tests/tui_hands \
	tests/tui_input \
	tests/tui_instants \
	tests/tui_keys \
	tests/tui_launch \
	tests/tui_line \
	tests/tui_memory \
	tests/tui_output \
	tests/tui_parts \
	tests/tui_pins \
	tests/tui_range \
	tests/tui_settings \
	tests/tui_singles \
	tests/tui_slow_frames \
	tests/tui_stacks \
	tests/tui_strips \
	tests/tui_term \
	tests/tui_theme \
	tests/tui_timeline \
	tests/tui_typed_table \
	tests/tui_why \
	tests/tui_worst

if ALL_TESTS
test_programs += \
	tests/core_begins \
	tests/core_claim \
	tests/core_ends \
	tests/core_fibers_fork \
	tests/core_fork \
	tests/core_guest \
	tests/core_inside \
	tests/core_keys \
	tests/core_kill \
	tests/core_live \
	tests/core_oracle \
	tests/core_quiet \
	tests/core_stderr \
	tests/core_steps \
	tests/core_switch \
	tests/core_timer \
	tests/io_sleeps \
	tests/proftop_check \
	tests/proftop_measures \
	tests/proftop_comings \
	tests/proftop_compare \
	tests/proftop_hands \
	tests/proftop_json \
	tests/proftop_left \
	tests/proftop_namesakes \
	tests/proftop_options \
	tests/proftop_readers \
	tests/proftop_several \
	tests/proftop_slow \
	tests/proftop_soak \
	tests/proftop_stacks \
	tests/proftop_stream \
	tests/proftop_time \
	tests/proftop_timeline \
	tests/proftop_unmarked \
	tests/proftop_why \
	tests/shm_race
endif

# They step through every instruction, make system calls fail around forks, or are sampled 10,000 times a second: sanitizers
# have many more of the first, locks of their own that a fork may take along or a signal interrupt, and cannot be preloaded.
if !SANITIZED
test_programs += tests/core_death tests/core_sample tests/core_syscalls tests/proftop_sample
endif

if HAVE_CXX20
test_programs += tests/core_await
tests_core_await_SOURCES = tests/core_await.c tests/core_await.h tests/core_await_run.cpp
tests_core_await_CXXFLAGS = $(AM_CXXFLAGS) -std=c++20
tests_core_await_LDADD = $(test_core_shown)
endif

tests_core_calibrate_LDADD = $(test_core_within)
tests_core_calibrate_LDFLAGS = $(profiled_link)
tests_core_signature_LDADD = $(test_core_within)
tests_core_claim_SOURCES = tests/core_claim.c tests/core_claim.h tests/core_claim_races.c
tests_core_claim_LDADD = $(test_core)
tests_core_claim_LDFLAGS = $(AM_LDFLAGS) -static
tests_core_clock_CPPFLAGS = $(AM_CPPFLAGS) -DCLOCK_OF_TESTS
tests_core_clock_LDADD = tests/libcore.a libprofclock.la libshm.la
tests_core_cpu_LDADD = tests/libcore.a libprofparts.la libio.la libshm.la libmodel.la $(YAJL_LIBS) $(ZSTD_LIBS) \
	$(ZLIB_LIBS) $(LIBM)
tests_core_death_SOURCES = tests/core_death.c tests/core_traced.c tests/core_traced.h
tests_core_death_LDADD = tests/libcore.a libprofparts.la libio.la libshm.la libmodel.la $(YAJL_LIBS) $(LIBM)
tests_core_death_LDFLAGS = $(AM_LDFLAGS) -static
tests_core_fibers_LDADD = $(test_core_shown)
tests_core_fibers_clock_SOURCES = tests/core_fibers.c
tests_core_fibers_clock_CPPFLAGS = $(AM_CPPFLAGS) -DCLOCK_OF_TESTS
tests_core_fibers_clock_LDADD = tests/libcore.a libprofclock.la libio.la libshm.la libmodel.la $(YAJL_LIBS) $(LIBM)
tests_core_fibers_fork_LDADD = $(test_core_shown)
tests_core_fork_LDADD = $(test_core)
tests_core_inside_LDADD = $(test_core)
tests_core_kill_LDADD = $(test_core_shown)
tests_core_measures_SOURCES = tests/core_measures.c tests/core_amounts.c tests/core_amounts.h
tests_core_sample_SOURCES = tests/core_sample.c tests/core_amounts.c tests/core_amounts.h
tests_core_names_LDADD = $(tests_core_measures_LDADD)
tests_core_sample_LDADD = $(tests_core_measures_LDADD)
tests_core_measures_LDADD = tests/libcore.a libprofparts.la libio.la libshm.la libmodel.la $(YAJL_LIBS) $(ZSTD_LIBS) \
	$(ZLIB_LIBS) $(LIBM)
tests_core_limits_SOURCES = \
	tests/core_brim.c \
	tests/core_crowd.c \
	tests/core_inline.h \
	tests/core_limits.c \
	tests/core_limits.h \
	tests/core_misuse.c \
	tests/core_modules.c \
	tests/core_room.c \
	tests/core_signals.c \
	tests/core_within.c \
	tests/core_within.h
tests_core_limits_LDFLAGS = $(profiled_link) -export-dynamic
tests_core_limits_LDADD = $(test_core_within)
tests_core_hours_LDADD = $(test_core)
tests_core_lap_LDADD = $(test_core)
tests_core_live_LDADD = $(test_core)
tests_core_oracle_LDADD = $(test_core)
tests_core_scribble_LDADD = $(test_core)
tests_core_switch_LDADD = $(test_core)
tests_core_syscalls_SOURCES = tests/core_host.h tests/core_inject.c tests/core_inject.h tests/core_syscalls.c
tests_core_syscalls_LDADD = $(test_core)
tests_core_syscalls_LDFLAGS = $(profiled_link)
tests_core_begins_LDADD = $(test_core)
tests_core_ends_LDADD = $(test_core)
tests_core_timer_LDADD = $(test_core)
tests_core_timer_LDFLAGS = $(AM_LDFLAGS) -static
tests_core_keys_LDADD = $(test_core)
tests_core_keys_LDFLAGS = $(profiled_link)
tests_core_known_LDADD = $(test_core)
tests_core_known_LDFLAGS = $(profiled_link)
tests_core_steps_LDADD = $(test_core)
tests_core_steps_LDFLAGS = $(profiled_link)
tests_core_stderr_LDADD = $(test_core)
tests_core_values_SOURCES = tests/core_values.c tests/core_values_run.c
tests_core_values_LDADD = $(test_core) $(LIBM)
# A program without the library.
tests_core_guest_LDADD = tests/libcore.a
tests_core_guest_LDFLAGS = -export-dynamic
tests_core_reload_LDADD = tests/libcore.a
tests_core_quiet_SOURCES = \
	tests/core_host.c \
	tests/core_host.h \
	tests/core_mounts.c \
	tests/core_quiet.c \
	tests/core_quiet.h
tests_core_quiet_LDFLAGS = $(profiled_link)
tests_core_quiet_LDADD = $(test_core)

# Fuzz targets: linked with replay.c they try what is kept in tests/fuzz; scripts/fuzz builds them with libFuzzer.
fuzz_recipe = tests/fuzz/fields.c tests/fuzz/fields.h tests/fuzz/fuzz.h tests/fuzz/good.c tests/fuzz/good.h \
	tests/fuzz/recipe.c tests/fuzz/recipe.h tests/fuzz/systematic.c tests/fuzz/systematic.h
fuzz_attach = tests/fuzz/fuzz_attach.c $(fuzz_recipe)
fuzz_import = tests/fuzz/fuzz.h tests/fuzz/fuzz_import.c tests/imported.c tests/imported.h
fuzz_model = tests/fuzz/fuzz_model.c $(fuzz_recipe)
fuzz_settings = tests/fuzz/fuzz.h tests/fuzz/fuzz_settings.c
fuzz_snapshot = tests/fuzz/fuzz_snapshot.c $(fuzz_recipe)
fuzz_all = tests/libregion.a libproftop.a libtui.a libio.la libshm.la libmodel.la $(YAJL_LIBS) $(ZSTD_LIBS) $(ZLIB_LIBS) $(NCURSESW_LIBS) $(LIBM)
fuzz_link = $(AM_LDFLAGS) -Wl,--wrap=nanosleep
tests_fuzz_fuzz_attach_SOURCES = tests/fuzz/replay.c $(fuzz_attach)
tests_fuzz_fuzz_attach_LDFLAGS = $(fuzz_link)
tests_fuzz_fuzz_attach_LDADD = tests/libregion.a libshm.la
tests_fuzz_fuzz_import_SOURCES = tests/fuzz/replay.c $(fuzz_import)
tests_fuzz_fuzz_import_LDADD = $(fuzz_all)
tests_fuzz_fuzz_model_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_fuzz_fuzz_model_SOURCES = tests/fuzz/replay.c $(fuzz_model)
tests_fuzz_fuzz_model_LDFLAGS = $(fuzz_link)
tests_fuzz_fuzz_model_LDADD = $(fuzz_all)
tests_fuzz_fuzz_settings_SOURCES = tests/fuzz/replay.c $(fuzz_settings)
tests_fuzz_fuzz_settings_LDADD = $(fuzz_all)
tests_fuzz_fuzz_snapshot_SOURCES = tests/fuzz/replay.c $(fuzz_snapshot)
tests_fuzz_fuzz_snapshot_LDFLAGS = $(fuzz_link)
tests_fuzz_fuzz_snapshot_LDADD = tests/libregion.a libshm.la
libfuzzer = -fsanitize=fuzzer
EXTRA_PROGRAMS += tests/fuzz/fuzz_attach_fuzzer tests/fuzz/fuzz_import_fuzzer tests/fuzz/fuzz_model_fuzzer \
	tests/fuzz/fuzz_settings_fuzzer tests/fuzz/fuzz_snapshot_fuzzer
tests_fuzz_fuzz_attach_fuzzer_SOURCES = tests/fuzz/mutate.c $(fuzz_attach)
tests_fuzz_fuzz_attach_fuzzer_LDFLAGS = $(fuzz_link) $(libfuzzer)
tests_fuzz_fuzz_attach_fuzzer_LDADD = tests/libregion.a libshm.la
tests_fuzz_fuzz_import_fuzzer_SOURCES = $(fuzz_import)
tests_fuzz_fuzz_import_fuzzer_LDFLAGS = $(AM_LDFLAGS) $(libfuzzer)
tests_fuzz_fuzz_import_fuzzer_LDADD = $(fuzz_all)
tests_fuzz_fuzz_model_fuzzer_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_fuzz_fuzz_model_fuzzer_SOURCES = tests/fuzz/mutate.c $(fuzz_model)
tests_fuzz_fuzz_model_fuzzer_LDFLAGS = $(fuzz_link) $(libfuzzer)
tests_fuzz_fuzz_model_fuzzer_LDADD = $(fuzz_all)
tests_fuzz_fuzz_settings_fuzzer_SOURCES = $(fuzz_settings)
tests_fuzz_fuzz_settings_fuzzer_LDFLAGS = $(AM_LDFLAGS) $(libfuzzer)
tests_fuzz_fuzz_settings_fuzzer_LDADD = $(fuzz_all)
tests_fuzz_fuzz_snapshot_fuzzer_SOURCES = tests/fuzz/mutate.c $(fuzz_snapshot)
tests_fuzz_fuzz_snapshot_fuzzer_LDFLAGS = $(fuzz_link) $(libfuzzer)
tests_fuzz_fuzz_snapshot_fuzzer_LDADD = tests/libregion.a libshm.la

tests_io_counters_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_io_counters_LDADD = $(test_io)
tests_io_symbols_cache_LDADD = $(test_io)
tests_io_threads_LDADD = $(test_io)
tests_io_export_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_io_export_LDADD = $(test_io)
tests_io_why_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_io_why_LDADD = $(test_io)
tests_io_follow_LDADD = $(test_io)
tests_io_foreign_LDADD = $(test_io) $(ZLIB_LIBS)
tests_io_join_LDADD = $(test_io)
tests_io_calls_CPPFLAGS = $(AM_CPPFLAGS) -DCLOCK_OF_TESTS
tests_io_calls_LDFLAGS = $(profiled_link)
tests_io_calls_LDADD = libprofclock.la $(test_io)
tests_io_kept_calls_CPPFLAGS = $(AM_CPPFLAGS) -DCLOCK_OF_TESTS
tests_io_kept_calls_LDFLAGS = $(profiled_link)
tests_io_kept_calls_LDADD = libprofclock.la $(test_io)
tests_io_run_CPPFLAGS = $(AM_CPPFLAGS) -DCLOCK_OF_TESTS
tests_io_run_LDFLAGS = $(profiled_link)
tests_io_run_LDADD = libprofclock.la $(test_io)
tests_io_sleeps_LDFLAGS = $(profiled_link)
tests_io_sleeps_LDADD = libprof.la $(test_io)
tests_io_busy_LDADD = $(test_io)
tests_io_live_LDADD = $(test_io)
tests_io_values_LDADD = $(test_io)
tests_io_values_late_LDFLAGS = $(profiled_link)
tests_io_values_late_LDADD = libprof.la $(test_io)
tests_io_values_kept_LDFLAGS = $(profiled_link)
tests_io_values_kept_LDADD = libprof.la $(test_io)
tests_io_memory_LDFLAGS = $(failing_memory)
tests_io_memory_LDADD = $(test_io)
tests_io_opening_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=live_open
tests_io_opening_LDADD = $(test_io)
tests_io_page_SOURCES = tests/io_page.c tests/page_read.h
tests_io_page_CPPFLAGS = $(libio_la_CPPFLAGS)
tests_io_page_LDADD = $(test_io)
tests_io_recording_LDADD = $(test_io)
imported = tests/imported.c tests/imported.h tests/made_trace.c tests/made_trace.h
tests_io_import_SOURCES = tests/io_import.c $(imported)
tests_io_import_LDADD = $(test_io)
tests_io_round_SOURCES = tests/io_round.c $(imported)
tests_io_round_LDADD = $(test_io) $(ZLIB_LIBS)
tests_io_import_bad_SOURCES = tests/io_import_bad.c $(imported)
tests_io_import_bad_LDADD = $(test_io)
tests_io_import_bad_CPPFLAGS = $(libio_la_CPPFLAGS)
tests_io_import_memory_SOURCES = tests/io_import_memory.c tests/made_trace.c tests/made_trace.h
tests_io_import_memory_LDADD = $(test_io)
tests_io_import_memory_LDFLAGS = $(failing_memory)
tests_io_input_LDADD = $(test_io)
tests_io_input_CPPFLAGS = $(libio_la_CPPFLAGS)
check_PROGRAMS += tests/gen_trace
tests_gen_trace_SOURCES = tests/gen_trace.c tests/made_trace.c tests/made_trace.h
tests_proftop_tables_SOURCES = tests/proftop_tables.c tests/made_trace.c tests/made_trace.h
tests_proftop_tables_LDADD = $(CMOCKA_LIBS)
tests_io_work_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=snapshot_frame,--wrap=snapshot_nodes
tests_io_work_LDADD = $(test_io)
tests_io_values_live_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_io_values_live_LDFLAGS = $(profiled_link)
tests_io_values_live_LDADD = libprof.la $(test_io)
tests_io_worst_LDFLAGS = $(profiled_link)
tests_io_worst_LDADD = libprof.la $(test_io)
tests_io_hours_LDFLAGS = $(profiled_link)
tests_io_hang_LDFLAGS = $(profiled_link)
tests_io_hang_LDADD = libprof.la $(test_io)
tests_io_hours_LDADD = libprof.la $(test_io)
tests_io_churn_LDFLAGS = $(profiled_link)
tests_io_churn_LDADD = libprof.la $(test_io)
tests_io_own_LDFLAGS = $(profiled_link)
tests_io_own_LDADD = libprofparts.la $(test_io)
tests_io_watch_LDFLAGS = $(profiled_link)
tests_io_watch_LDADD = libprof.la $(test_io)
tests_model_average_LDADD = $(test_model)
tests_model_boxes_LDADD = $(test_model)
tests_model_calls_LDADD = $(test_model)
tests_model_cause_LDADD = $(test_model)
tests_model_compare_LDADD = $(test_model)
tests_model_counters_LDADD = $(test_model)
tests_model_delta_LDADD = $(test_model)
tests_model_check_LDADD = $(test_model)
tests_model_format_LDADD = $(test_model)
tests_model_held_LDADD = $(test_model)
tests_model_identities_LDADD = $(test_model)
tests_model_large_LDADD = $(test_model)
tests_model_work_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=tally_frame -Wl,--wrap=flat_init
tests_model_work_LDADD = $(test_model)
tests_model_frame_order_LDADD = $(test_model)
tests_model_gone_LDADD = $(test_model)
tests_model_query_LDADD = $(test_model)
tests_model_layout_LDADD = $(test_model)
tests_model_lines_LDADD = $(test_model)
tests_model_load_LDADD = $(test_model)
tests_model_longest_LDADD = $(test_model)
tests_model_measures_LDADD = $(test_model)
tests_model_memory_LDADD = $(test_model)
tests_model_memory_LDFLAGS = $(failing_memory)
tests_model_moment_LDADD = $(test_model)
tests_model_overhead_LDADD = $(test_model)
tests_model_open_stacks_LDADD = $(test_model)
tests_model_path_LDADD = $(test_model)
tests_model_pins_LDADD = $(test_model)
tests_model_profile_LDADD = $(test_model)
tests_model_recursion_LDADD = $(test_model)
tests_model_report_LDADD = $(test_model)
tests_model_sheet_LDADD = $(test_model)
tests_model_spans_LDADD = $(test_model)
tests_model_statistics_LDADD = $(test_model)
tests_model_sums_LDADD = $(test_model)
tests_model_transitions_LDADD = $(test_model)
tests_model_why_LDADD = $(test_model)
tests_model_worst_LDADD = $(test_model)
tests_proftop_comings_LDADD = $(test_screen)
tests_proftop_damage_LDADD = $(test_screen)
tests_proftop_json_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_proftop_json_LDADD = libprof.la $(CMOCKA_LIBS) $(YAJL_LIBS)
tests_proftop_measures_LDADD = libprofview.la libprofparts.la $(test_screen) libshm.la
tests_proftop_slow_LDADD = libprof.la $(test_screen) libshm.la
told_app = tests/told_app.c tests/told_app.h
tests_proftop_readers_SOURCES = tests/proftop_readers.c $(told_app)
tests_proftop_readers_LDADD = libprof.la libio.la $(test_screen) libshm.la $(YAJL_LIBS)
tests_proftop_soak_SOURCES = tests/proftop_soak.c $(told_app)
tests_proftop_soak_LDADD = $(tests_proftop_readers_LDADD)
tests_proftop_check_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS) -DCLOCK_OF_TESTS
tests_proftop_check_LDADD = libprofclock.la libshm.la $(CMOCKA_LIBS) $(YAJL_LIBS)
tests_proftop_check_LDFLAGS = $(profiled_link)
tests_proftop_stream_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_proftop_stream_LDADD = libprof.la $(CMOCKA_LIBS) $(YAJL_LIBS)
tests_proftop_why_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_proftop_why_LDADD = libprof.la $(CMOCKA_LIBS) $(YAJL_LIBS)
tests_proftop_names_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_proftop_names_LDFLAGS = $(profiled_link)
tests_proftop_names_LDADD = libprof.la $(test_screen) $(YAJL_LIBS)
tests_proftop_namesakes_LDFLAGS = $(profiled_link)
tests_proftop_namesakes_LDADD = libprof.la $(CMOCKA_LIBS)
tests_proftop_options_LDFLAGS = $(profiled_link)
tests_proftop_options_LDADD = libprof.la $(CMOCKA_LIBS)
tests_proftop_unmarked_LDFLAGS = $(profiled_link)
tests_proftop_unmarked_LDADD = libprof.la $(test_screen)
tests_proftop_keys_LDADD = $(test_screen)
tests_proftop_left_LDADD = $(test_screen)
tests_proftop_screen_LDADD = $(test_screen)
tests_proftop_compare_LDADD = $(test_screen)
tests_proftop_hands_LDADD = $(test_screen)
tests_proftop_settings_LDADD = $(test_screen)
tests_proftop_terminal_LDADD = $(test_screen)
tests_proftop_sample_LDADD = libprofparts.la $(CMOCKA_LIBS)
tests_proftop_stacks_LDADD = $(test_screen)
tests_proftop_timeline_LDADD = $(test_screen)
tests_proftop_several_LDADD = $(test_screen)
tests_proftop_time_LDADD = $(test_screen)

tests_profview_anew_LDFLAGS = $(profiled_link)
tests_profview_anew_LDADD = libprofview.la $(test_shm)
tests_profview_calls_LDFLAGS = $(profiled_link)
tests_profview_calls_LDADD = libprofview.la $(test_shm) $(LIBM)
tests_profview_flame_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_profview_flame_LDFLAGS = $(profiled_link)
tests_profview_flame_LDADD = libprofview.la $(test_shm) $(YAJL_LIBS) $(LIBM)
tests_profview_locale_LDFLAGS = $(profiled_link)
tests_profview_locale_LDADD = libprofview.la $(test_shm)
tests_profview_memory_LDFLAGS = $(failing_memory) -static
tests_profview_memory_LDADD = libprofview.la $(test_shm) $(LIBM)
tests_profview_self_LDFLAGS = $(profiled_link)
tests_profview_self_SOURCES = tests/profview_self.c tests/page_read.h
tests_profview_self_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS)
tests_profview_self_LDADD = libprofview.la libprof.la $(CMOCKA_LIBS) $(ZLIB_LIBS)
tests_profview_view_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
tests_profview_view_LDFLAGS = $(profiled_link)
tests_profview_view_LDADD = libprofview.la $(test_shm) $(YAJL_LIBS)
tests_shm_attach_LDADD = $(test_shm)
tests_shm_bounds_LDADD = $(test_shm)
tests_shm_damage_LDADD = $(test_shm)
tests_shm_list_LDADD = $(test_shm)
tests_shm_parts_LDADD = $(test_shm)
tests_shm_race_LDADD = $(test_shm)
tests_shm_record_LDADD = $(test_shm)
tests_shm_snapshot_LDADD = $(test_shm)
tests_shm_values_LDADD = $(test_shm)
tests_shm_totals_LDADD = $(test_shm)
tests_tui_app_LDADD = $(test_tui)
tests_tui_banner_LDADD = $(test_tui)
tests_tui_canvas_LDADD = $(test_tui)
tests_tui_compare_LDADD = $(test_tui)
tests_tui_cause_LDADD = $(test_tui)
tests_tui_why_LDADD = $(test_tui)
tests_tui_range_LDADD = $(test_tui)
tests_tui_worst_LDADD = $(test_tui)
tests_tui_typed_table_LDADD = libtui.a libio.la libmodel.la $(CMOCKA_LIBS) $(YAJL_LIBS) $(ZSTD_LIBS) $(ZLIB_LIBS) $(LIBM)
tests_tui_counters_LDADD = $(test_tui)
tests_tui_frame_graph_LDADD = $(test_tui)
tests_tui_functions_LDADD = $(test_tui)
tests_tui_frame_times_LDADD = $(test_tui)
tests_tui_hands_LDADD = $(test_tui)
tests_tui_slow_frames_LDADD = $(test_tui)
tests_tui_keys_LDADD = $(test_tui)
tests_tui_launch_LDADD = $(test_tui)
tests_tui_line_LDADD = $(test_tui)
tests_tui_input_LDADD = $(test_tui)
tests_tui_instants_LDADD = $(test_tui)
tests_tui_export_LDADD = $(test_tui)
tests_tui_flame_LDADD = $(test_tui)
tests_tui_timeline_LDADD = $(test_tui)
tests_tui_stacks_LDADD = $(test_tui)
tests_tui_memory_LDADD = $(test_tui)
tests_tui_memory_LDFLAGS = $(failing_memory)
tests_tui_output_LDADD = $(test_tui)
tests_tui_parts_LDADD = $(test_tui)
tests_tui_pins_LDADD = $(test_tui)
tests_tui_singles_LDADD = $(test_tui)
tests_tui_settings_LDADD = $(test_tui)
tests_tui_strips_LDADD = $(test_tui)
tests_tui_term_LDADD = $(test_screen)
tests_tui_theme_LDADD = $(test_tui)

# A program that is exported.
tests_exported_LDADD = libprof.la

if CAN_CHECK
AM_CPPFLAGS += $(CMOCKA_CFLAGS)
check_LIBRARIES += tests/libscreen.a
check_PROGRAMS += $(test_programs) tests/exported
TESTS += $(check_scripts) $(test_programs)
else
EXTRA_LIBRARIES = tests/libscreen.a
EXTRA_PROGRAMS += $(test_programs) tests/exported
check-local:
	@echo "make check needs cmocka and libvterm: install them (Debian: libcmocka-dev, libvterm-dev)" \
		"and run configure again" >&2
	@exit 1
endif

.PHONY: list-test-programs
list-test-programs:
	@echo $(test_programs)

if HAVE_TIMEOUT
LOG_COMPILER = $(TIMEOUT)
if LONG_TESTS
AM_LOG_FLAGS = 7200
else
AM_LOG_FLAGS = 900
endif
endif
AM_TESTS_ENVIRONMENT = \
	export top_srcdir top_builddir SPIN TEST_LONG; \
	top_srcdir='$(abs_top_srcdir)'; top_builddir='$(abs_top_builddir)'; SPIN='$(SPIN)'; TEST_LONG='$(TEST_LONG)'; \
	export XDG_CACHE_HOME; XDG_CACHE_HOME=/dev/null; \
	unset PROF_SHM PROF_SHM_SIZE PROF_FRAME_MS PROF_EVENTS PROF_CPU PROF_KEEP PROF_CHILDREN;

EXTRA_DIST += \
	$(check_scripts) \
	tests/aarch64 \
	tests/amalgamation \
	tests/bench \
	tests/deb \
	tests/FAULTS \
	tests/RESULTS \
	tests/browser/acts.js \
	tests/browser/browser.js \
	tests/browser/figures.js \
	tests/browser/looks.js \
	tests/browser/made_page.js \
	tests/browser/measures.js \
	tests/browser/opens.js \
	tests/browser/package-lock.json \
	tests/browser/package.json \
	tests/browser/picture.js \
	tests/browser/run \
	tests/comma_locale.h \
	tests/failing_memory.h \
	tests/fuzz/corpus \
	tests/fuzz/crashes \
	tests/fuzz/run \
	tests/install \
	tests/json_read.h \
	tests/long.h \
	tests/shows.h \
	tests/model_dsl.h \
	tests/model_random.h \
	tests/own_runs.h \
	tests/proftop_export.py \
	tests/profview_rows.h \
	tests/screens \
	tests/spin/frame.pml \
	tests/spin/handover.pml \
	tests/spin/infer.pml \
	tests/spin/kept.pml \
	tests/spin/memory.pml \
	tests/spin/orderings \
	tests/spin/owner.pml \
	tests/spin/publish.pml \
	tests/spin/ring.pml \
	tests/spin/run \
	tests/spin/seq.pml \
	tests/spin/table.pml \
	tests/spin/values.pml \
	tests/speedscope_read.js \
	tests/tsan \
	tests/tui_lines.h \
	tests/tui_stage.h \
	tests/valgrind
