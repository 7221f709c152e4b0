# libprof
# The static library, too, is position-independent, so that a plugin can carry it.  No -Bsymbolic: an
# executable may hold its own copy of prof__on, and that is then the one that counts.
lib_LTLIBRARIES += libprof.la
include_HEADERS = libprof/prof.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = libprof/libprof.pc
cmakedir = $(libdir)/cmake/libprof
nodist_cmake_DATA = libprof/libprofConfig.cmake libprof/libprofConfigVersion.cmake
# Words of the region may be anything, where somebody wrote over it: sums of them wrap.
# Hidden: a plugin that carries the library must not find, or be found by, the parts of another copy.
# nodelete: a plugin that is loaded anew goes on in the region that is there.
libprofparts_la_CFLAGS = $(AM_CFLAGS) -prefer-pic -fwrapv -fvisibility=hidden
libprofparts_la_LIBTOOLFLAGS = $(inside_libtoolflags)
libprof_la_LIBADD = libprofparts.la
libprof_la_SOURCES =
libprof_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 -Wl,-Bsymbolic-functions -Wl,-z,nodelete -Wl,-z,now \
	-Wl,--version-script=$(top_srcdir)/libprof/libprof.map
EXTRA_libprof_la_DEPENDENCIES = $(top_srcdir)/libprof/libprof.map
noinst_LTLIBRARIES += libprofparts.la
libprofparts_la_SOURCES = \
	libprof/adapter.h \
	libprof/arena.c \
	libprof/calibrate.c \
	libprof/counter.c \
	libprof/cpu.c \
	libprof/delay.c \
	libprof/events.c \
	libprof/forks.c \
	libprof/frame.c \
	libprof/libprof_inside.h \
	libprof/lockfree_table.c \
	libprof/lockfree_table.h \
	libprof/log.c \
	libprof/log.h \
	libprof/maps.c \
	libprof/measure.c \
	libprof/modules.c \
	libprof/node.c \
	libprof/part.c \
	libprof/print.c \
	libprof/process.c \
	libprof/real.c \
	libprof/real.h \
	libprof/registry.c \
	libprof/retained.c \
	libprof/sample.c \
	libprof/signal_guard.c \
	libprof/signature.c \
	libprof/signature.h \
	libprof/suspend.c \
	libprof/switch.c \
	libprof/thread.c \
	libprof/timed.c \
	libprof/timer.c \
	libprof/transition.h \
	libprof/unload.c \
	libprof/value.c \
	libprof/zone.c \
	shm/cgroup.c \
	shm/cgroup.h \
	shm/clock.c \
	shm/clock.h \
	shm/create.c \
	shm/create.h \
	shm/event.h \
	shm/pages.h \
	shm/record.h \
	shm/region.h \
	shm/ring.h \
	shm/sentence.h \
	shm/seq.h \
	shm/value.h

# The same with a clock that tests and benchmarks set: clock_of_tests in shm/clock.h.  Made when one needs it.
EXTRA_LTLIBRARIES = libprofclock.la
libprofclock_la_CPPFLAGS = $(AM_CPPFLAGS) -DCLOCK_OF_TESTS
libprofclock_la_CFLAGS = $(libprofparts_la_CFLAGS)
libprofclock_la_LIBTOOLFLAGS = $(inside_libtoolflags)
libprofclock_la_SOURCES = $(libprofparts_la_SOURCES)
CLEANFILES += libprofclock.la

# A static library shows no more than the shared one: its objects become one, whose other names are local.  So a
# program that has a region_make of its own can link it.
one_object = CC="$(CC)" LD="$(LD)" OBJCOPY="$(OBJCOPY)" AR="$(AR)" ARFLAGS="$(ARFLAGS)" \
	$(top_srcdir)/scripts/one-object

# libtool leaves the libraries in .libs; these links make them build/libprof.so and build/libprof.a.
libprof.links: libprof.la
	$(AM_V_GEN)$(one_object) .libs/libprof.a $(top_srcdir)/libprof/libprof.map && \
	for file in .libs/libprof.so* .libs/libprof.a; do \
		test ! -e $$file || $(LN_S) -f $$file . || exit 1; \
	done; echo made >$@
all-local: libprof.links
CLEANFILES += libprof.links libprof.so* libprof.a

EXTRA_DIST += libprof/libprof.map
