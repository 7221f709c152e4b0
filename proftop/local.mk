# proftop
bin_PROGRAMS += proftop/proftop
noinst_LIBRARIES += libproftop.a
libproftop_a_SOURCES = \
	proftop/batch.c \
	proftop/batch.h \
	proftop/batch_timeline.c \
	proftop/choose.c \
	proftop/choose.h \
	proftop/export_file.c \
	proftop/export_file.h \
	proftop/launch.c \
	proftop/launch.h \
	proftop/messages.c \
	proftop/messages.h \
	proftop/options.c \
	proftop/options.h \
	proftop/options_help.c \
	proftop/options_table.c \
	proftop/options_table.h \
	proftop/output.c \
	proftop/output.h \
	proftop/proftop.h \
	proftop/proftop_batch.c \
	proftop/proftop_check.c \
	proftop/proftop_diff.c \
	proftop/proftop_export.c \
	proftop/proftop_export_screen.c \
	proftop/proftop_freeze.c \
	proftop/proftop_hands.c \
	proftop/proftop_hands.h \
	proftop/proftop_import.c \
	proftop/proftop_import.h \
	proftop/proftop_list.c \
	proftop/proftop_looks.c \
	proftop/proftop_programs.c \
	proftop/proftop_reading.c \
	proftop/proftop_reading.h \
	proftop/proftop_record.c \
	proftop/proftop_screen.c \
	proftop/proftop_screen.h \
	proftop/proftop_stream.c \
	proftop/program_output.c \
	proftop/program_output.h \
	proftop/record_file.c \
	proftop/record_file.h \
	proftop/settings.c \
	proftop/settings.h \
	proftop/source_file.c \
	proftop/source_file.h \
	proftop/source_text.c \
	proftop/source_text.h \
	proftop/stop.c \
	proftop/stop.h \
	proftop/wait.c \
	proftop/wait.h
libproftop_a_CPPFLAGS = $(AM_CPPFLAGS) -DLIBRARY_FOLDER='"$(libdir)"'
proftop_proftop_SOURCES = proftop/proftop.c
proftop_proftop_LDADD = libproftop.a libtui.a libio.la libmodel.la libshm.la $(YAJL_LIBS) $(ZSTD_LIBS) $(ZLIB_LIBS) $(NCURSESW_LIBS) $(LIBM)
