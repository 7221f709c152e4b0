# io
noinst_LTLIBRARIES += libio.la libreading.la
libio_la_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS) $(ZSTD_CFLAGS) $(ZLIB_CFLAGS)
libio_la_CFLAGS = $(inside_cflags)
libio_la_LIBTOOLFLAGS = $(inside_libtoolflags)
libio_la_LIBADD = libreading.la
libio_la_SOURCES = \
	io/export/export_check.c \
	io/export/export_calls_json.c \
	io/export/export_why_json.c \
	io/export/export_json.c \
	io/export/export_list.c \
	io/export/export_samples.c \
	io/export/export_stacks.c \
	io/export/export_stream.c \
	io/export/export_stream.h \
	io/export/export_table.c \
	io/export/export_timeline_json.c \
	io/export/export_values.c \
	io/follow.c \
	io/follow.h \
	io/import/anomaly.c \
	io/import/import.c \
	io/import/import.h \
	io/import/import_chrome.c \
	io/import/import_folded.c \
	io/import/import_inside.h \
	io/import/import_source.c \
	io/import/import_text.c \
	io/import/import_timer.c \
	io/import/importing.c \
	io/import/input.c \
	io/import/input.h \
	io/import/number.c \
	io/import/number.h \
	io/import/json_tokens.c \
	io/import/parse_json.c \
	io/import/parse_json.h \
	io/import/sorter.c \
	io/import/sorter.h \
	io/import/trace.c \
	io/import/trace.h \
	io/import/trace_base.c \
	io/import/trace_frames.c \
	io/import/trace_gather.c \
	io/import/trace_inside.h \
	io/import/trace_stacks.c \
	io/import/trace_values.c \
	io/recording/block.c \
	io/recording/block.h \
	io/recording/code.c \
	io/recording/code.h \
	io/recording/player.c \
	io/recording/player.h \
	io/recording/player_calls.c \
	io/recording/player_inside.h \
	io/recording/player_items.c \
	io/recording/player_spool.c \
	io/recording/recorder.c \
	io/recording/recorder.h \
	io/recording/recorder_frames.c \
	io/recording/recorder_inside.h \
	io/recording/recorder_size.c \
	io/recording/recording.h \
	io/recording/writer.c \
	io/recording/writer.h \
	io/open.c \
	io/unlinked.c \
	io/unlinked.h \
	io/foreign/foreign.c \
	io/foreign/foreign.h \
	io/foreign/foreign_callgrind.c \
	io/foreign/foreign_chrome.c \
	io/foreign/foreign_kinds.c \
	io/foreign/foreign_perf_timer.c \
	io/foreign/foreign_pprof.c \
	io/foreign/foreign_speedscope.c \
	io/foreign/foreign_sums.c \
	io/foreign/foreign_sums.h \
	io/foreign/foreign_table.c \
	io/foreign/foreign_visualiser.c \
	io/foreign/foreign_events.c \
	io/foreign/foreign_events.h

# The part of io/ that libprofview has, too: sources, the text report and the page.
libreading_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS) $(LIBDW_CFLAGS)
libreading_la_CFLAGS = $(inside_cflags)
libreading_la_LIBTOOLFLAGS = $(inside_libtoolflags)
libreading_la_LIBADD = $(LIBDW_LIBS)
nodist_libreading_la_SOURCES = io/page/page_source.c
libreading_la_SOURCES = \
	io/export/export.h \
	io/export/export_calls.c \
	io/export/export_calls.h \
	io/export/export_table.h \
	io/export/export_table_text.c \
	io/export/export_text.c \
	io/export/export_timeline.c \
	io/export/export_timeline.h \
	io/export/export_values.h \
	io/export/export_values_text.c \
	io/export/export_why.c \
	io/export/export_why.h \
	io/export/title.c \
	io/export/title.h \
	io/aside.c \
	io/aside.h \
	io/find.c \
	io/find.h \
	io/gzip.c \
	io/gzip.h \
	io/hold.c \
	io/hold.h \
	io/json.c \
	io/json.h \
	io/json_members.c \
	io/json_members.h \
	io/json_table.c \
	io/json_table.h \
	io/page/page.c \
	io/page/page.h \
	io/page/page_calls.c \
	io/page/page_choose.c \
	io/page/page_frames.c \
	io/page/page_inside.h \
	io/page/page_print.c \
	io/page/page_values.c \
	io/page/page_why.c \
	io/region/join.c \
	io/region/join.h \
	io/region/live.c \
	io/region/live.h \
	io/region/live_catch.c \
	io/region/live_ends.c \
	io/region/live_frames.c \
	io/region/live_happened.c \
	io/region/live_hours.c \
	io/region/live_infer.c \
	io/region/live_inside.h \
	io/region/live_limit.c \
	io/region/live_measures.c \
	io/region/live_list.c \
	io/region/live_list.h \
	io/region/live_names.c \
	io/region/live_nodes.c \
	io/region/live_own.c \
	io/region/live_owners.c \
	io/region/live_process.c \
	io/region/live_records.c \
	io/region/live_stack.c \
	io/region/live_sums.c \
	io/region/live_totals.c \
	io/region/live_transitions.c \
	io/region/live_values.c \
	io/region/nodes.c \
	io/region/nodes.h \
	io/source.h \
	io/symbols.c \
	io/symbols_cache.c \
	io/symbols_cache.h \
	io/symbols.h

# The page of report/ as bytes, made where it is built.
io/page/page_source.c: scripts/page-source $(report_files)
	$(AM_V_GEN)$(MKDIR_P) io/page && $(SHELL) $(top_srcdir)/scripts/page-source $(top_srcdir)/report >$@.new && mv $@.new $@
CLEANFILES += io/page/page_source.c
EXTRA_DIST += scripts/page-source
