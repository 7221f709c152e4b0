# shm, the reader's side
noinst_LTLIBRARIES += libshm.la
libshm_la_CFLAGS = $(inside_cflags)
libshm_la_LIBTOOLFLAGS = $(inside_libtoolflags)
libshm_la_SOURCES = \
	shm/attach.c \
	shm/attach.h \
	shm/clock.c \
	shm/clock.h \
	shm/event.h \
	shm/guard.c \
	shm/guard.h \
	shm/list.c \
	shm/probe.c \
	shm/probe.h \
	shm/record.c \
	shm/record.h \
	shm/region.h \
	shm/ring.h \
	shm/sentence.h \
	shm/seq.h \
	shm/snapshot.c \
	shm/snapshot.h \
	shm/snapshot_events.c \
	shm/snapshot_frame.c \
	shm/snapshot_log.c \
	shm/snapshot_measures.c \
	shm/snapshot_parts.c \
	shm/snapshot_read.c \
	shm/snapshot_read.h \
	shm/snapshot_thread.c \
	shm/snapshot_totals.c \
	shm/snapshot_values.c \
	shm/value.h
