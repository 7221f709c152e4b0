# examples
# -static: of the libraries built here, not of the system.  The programs are what they seem, no wrapper
# scripts that run something in .libs.
profiled_link = $(AM_LDFLAGS) -static
# A module that a program loads: in .libs of its folder.
module_link = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

noinst_PROGRAMS += examples/game_loop
examples_game_loop_LDFLAGS = $(profiled_link)
examples_game_loop_LDADD = libprof.la $(LIBM)
examples_game_loop_SOURCES = \
	examples/game/ai.c \
	examples/game/ai.h \
	examples/game/bodies.c \
	examples/game/bodies.h \
	examples/game/canvas.c \
	examples/game/canvas.h \
	examples/game/hitch.c \
	examples/game/hitch.h \
	examples/game/jobs.c \
	examples/game/jobs.h \
	examples/game/maths.h \
	examples/game/particles.c \
	examples/game/particles.h \
	examples/game/path.c \
	examples/game/path.h \
	examples/game/player.c \
	examples/game/player.h \
	examples/game/ray.c \
	examples/game/ray.h \
	examples/game/rocks.c \
	examples/game/rocks.h \
	examples/game/scene.c \
	examples/game/scene.h \
	examples/game/world.c \
	examples/game/world.h \
	examples/game_loop.c

noinst_PROGRAMS += examples/hello
examples_hello_LDFLAGS = $(profiled_link)
examples_hello_LDADD = libprof.la

if HAVE_CXX
noinst_PROGRAMS += examples/hello_cpp
examples_hello_cpp_SOURCES = examples/hello.cpp
examples_hello_cpp_CXXFLAGS = $(AM_CXXFLAGS) # of its own, so that its object is not hello.c's
examples_hello_cpp_LDFLAGS = $(profiled_link)
examples_hello_cpp_LDADD = libprof.la
endif

noinst_PROGRAMS += examples/overlay
examples_overlay_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/profview
examples_overlay_LDFLAGS = $(profiled_link)
examples_overlay_LDADD = libprofview.la libprof.la $(LIBM)

noinst_PROGRAMS += examples/report
examples_report_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/profview
examples_report_LDFLAGS = $(profiled_link)
examples_report_LDADD = libprofview.la libprof.la

noinst_PROGRAMS += examples/recursion
examples_recursion_LDFLAGS = $(profiled_link)
examples_recursion_LDADD = libprof.la

if HAVE_ZSTD
noinst_PROGRAMS += examples/squash
examples_squash_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS)
examples_squash_LDFLAGS = $(profiled_link)
examples_squash_LDADD = libprof.la $(ZSTD_LIBS)
examples_squash_SOURCES = \
	examples/squash.c \
	examples/squash_file.c \
	examples/squash_file.h \
	examples/squash_queue.c \
	examples/squash_queue.h \
	examples/squash_tally.c \
	examples/squash_tally.h \
	examples/squash_walk.c \
	examples/squash_walk.h
endif
