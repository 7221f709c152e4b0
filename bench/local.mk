# bench: what everything costs, see bench/README.  Programs that make bench builds, and so that they are
# not forgotten make check, too (not with sanitizers: there is nothing to measure then).
bench_programs = \
	bench/clock \
	bench/counts \
	bench/curves \
	bench/frames \
	bench/hello \
	bench/history \
	bench/import \
	bench/interpreter \
	bench/interpreter_plain \
	bench/keys \
	bench/load \
	bench/memory \
	bench/order \
	bench/pairs \
	bench/pairs_constant \
	bench/pairs_shared \
	bench/programs \
	bench/record \
	bench/regions \
	bench/screen \
	bench/values
if HAVE_ZSTD
bench_programs += bench/squash_plain
endif
bench_libraries = bench/libshapes.la bench/shapes_module.la
if SANITIZED
EXTRA_PROGRAMS += $(bench_programs)
EXTRA_LTLIBRARIES += $(bench_libraries)
CLEANFILES += $(bench_programs) $(bench_libraries)
else
check_PROGRAMS += $(bench_programs)
check_LTLIBRARIES += $(bench_libraries)
endif

bench_measure = bench/measure.c bench/measure.h bench/stage.c
bench_walk = bench/walk.c bench/walk.h
bench_mark = bench/mark.c bench/mark.h $(bench_walk)
bench_hiding = bench/hiding.c bench/hiding.h
bench_shapes = bench/shapes.c bench/shapes.h
bench_pairs = bench/pairs.c $(bench_hiding) $(bench_measure)
bench_screen = bench/looked_at.c bench/looked_at.h bench/terminal.c bench/terminal.h $(bench_measure)
bench_library = libprof.la libshm.la

bench_clock_SOURCES = bench/clock.c $(bench_hiding) $(bench_measure)
bench_counts_SOURCES = \
	bench/compiled_out.c \
	bench/compiled_out.h \
	bench/counts.c \
	bench/reads.c \
	bench/reads.h \
	$(bench_measure)
bench_counts_LDFLAGS = $(profiled_link)
bench_counts_LDADD = $(bench_library)
bench_curves_SOURCES = bench/curves.c $(bench_mark) $(bench_measure)
bench_curves_LDFLAGS = $(profiled_link)
bench_curves_LDADD = $(bench_library)
bench_frames_SOURCES = bench/frames.c $(bench_mark) $(bench_measure)
bench_frames_LDFLAGS = $(profiled_link)
bench_frames_LDADD = $(bench_library)
bench_memory_SOURCES = bench/memory.c $(bench_measure) $(bench_walk)
bench_memory_LDFLAGS = $(profiled_link)
bench_memory_LDADD = $(bench_library)
bench_import_SOURCES = bench/import.c tests/made_trace.c tests/made_trace.h $(bench_measure)
bench_import_LDADD = libio.la libshm.la libmodel.la $(YAJL_LIBS) $(ZSTD_LIBS) $(ZLIB_LIBS) $(LIBM)
bench_order_SOURCES = bench/order.c $(bench_measure)
bench_order_LDADD = libmodel.la libshm.la $(LIBM)
bench_regions_SOURCES = bench/regions.c $(bench_mark) $(bench_measure)
bench_regions_LDFLAGS = $(profiled_link)
bench_regions_LDADD = $(bench_library)
bench_values_SOURCES = bench/values.c $(bench_hiding) $(bench_measure)
bench_values_LDFLAGS = $(profiled_link)
bench_values_LDADD = $(bench_library)
bench_programs_SOURCES = bench/programs.c $(bench_measure)

# On a clock that they set.
bench_history_CPPFLAGS = $(AM_CPPFLAGS) -DCLOCK_OF_TESTS
bench_history_SOURCES = bench/history.c $(bench_measure) $(bench_walk)
bench_history_LDFLAGS = $(profiled_link)
bench_history_LDADD = libprofclock.la libshm.la
bench_pairs_constant_SOURCES = $(bench_pairs) $(bench_shapes)
bench_pairs_constant_LDFLAGS = $(profiled_link)
bench_pairs_constant_LDADD = libprofclock.la libshm.la

# The same zones in a program, in a library that a program is linked with, and in a module that it loads; the
# library's functions are then those of libprof.so.
bench_pairs_SOURCES = $(bench_pairs) $(bench_shapes)
bench_pairs_LDFLAGS = $(profiled_link)
bench_pairs_LDADD = $(bench_library)
bench_pairs_shared_SOURCES = $(bench_pairs)
bench_pairs_shared_LDFLAGS = $(AM_LDFLAGS) -no-install
bench_pairs_shared_LDADD = bench/libshapes.la $(bench_library)
bench_libshapes_la_CFLAGS = $(AM_CFLAGS) # of its own, so that its object is not that of a program
bench_libshapes_la_SOURCES = $(bench_shapes)
bench_libshapes_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -shared -rpath /nowhere
bench_libshapes_la_LIBADD = libprof.la
bench_shapes_module_la_CFLAGS = $(AM_CFLAGS)
bench_shapes_module_la_SOURCES = $(bench_shapes)
bench_shapes_module_la_LDFLAGS = $(module_link)
bench_shapes_module_la_LIBADD = libprof.la

# Programs to be profiled, and the same without instrumentation.
bench_hello_LDFLAGS = $(profiled_link)
bench_hello_LDADD = libprof.la
bench_interpreter_LDFLAGS = $(profiled_link)
bench_interpreter_LDADD = libprof.la
bench_interpreter_plain_CPPFLAGS = $(AM_CPPFLAGS) -DProf_ENABLED=0
bench_interpreter_plain_SOURCES = bench/interpreter.c
if HAVE_ZSTD
bench_squash_plain_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS) -DProf_ENABLED=0
bench_squash_plain_SOURCES = $(examples_squash_SOURCES)
bench_squash_plain_LDADD = $(ZSTD_LIBS)
endif

# proftop on a pseudo-terminal, and a program for it to look at.
bench_load_SOURCES = bench/load.c $(bench_walk)
bench_load_LDFLAGS = $(profiled_link)
bench_load_LDADD = libprof.la
bench_keys_SOURCES = bench/keys.c $(bench_screen)
bench_record_SOURCES = bench/record.c $(bench_screen)
bench_screen_SOURCES = bench/screen.c $(bench_screen)

# All of it, or make bench BENCH='pairs frames'.
.PHONY: bench bench-results
bench_run = top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' CC='$(CC)' CXX='$(CXX)' CFLAGS='$(CFLAGS)' \
	$(SHELL) $(srcdir)/bench/run
bench: all $(bench_programs) $(bench_libraries)
	@$(bench_run) $(BENCH)
bench-results: all $(bench_programs) $(bench_libraries)
	@$(bench_run) --results $(srcdir)/bench/RESULTS $(BENCH)

EXTRA_DIST += \
	bench/README \
	bench/RESULTS \
	bench/peers/functions.c \
	bench/peers/lttng.c \
	bench/peers/lttng_tp.h \
	bench/peers/microprofile.cpp \
	bench/peers/peer.c \
	bench/peers/peer.h \
	bench/peers/run \
	bench/peers/zones.h \
	bench/run
