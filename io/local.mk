# io
noinst_LIBRARIES += libio.a
libio_a_CPPFLAGS = $(AM_CPPFLAGS) $(YAJL_CFLAGS)
if HAVE_ZSTD
libio_a_CPPFLAGS += $(ZSTD_CFLAGS) -DHAVE_ZSTD
endif
libio_a_SOURCES = $(io_reading) \
	io/export/export_check.c \
	io/export/export_check.h \
	io/export/export_csv.c \
	io/export/export_calls_json.c \
	io/export/export_why_json.c \
	io/export/export_json.c \
	io/export/export_list.c \
	io/export/export_list.h \
	io/export/export_stacks.c \
	io/export/export_stream.c \
	io/export/export_stream.h \
	io/export/export_threads_json.c \
	io/export/export_timeline_json.c \
	io/export/export_values.c \
	io/export/export_values.h \
	io/follow.c \
	io/follow.h \
	io/recording/block.c \
	io/recording/block.h \
	io/recording/bytes.c \
	io/recording/bytes.h \
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
	io/recording/recording.h \
	io/recording/writer.c \
	io/recording/writer.h \
	io/open.c \
	io/open.h \
	io/opening.c \
	io/opening.h \
	io/export/json.c \
	io/export/json.h \
	io/export/json_members.c \
	io/export/json_members.h

# What libprofview has of io/, too: sources, and the text report; nothing of JSON, CSV or the list above.
io_reading = \
	io/export/export.h \
	io/export/export_calls.c \
	io/export/export_calls.h \
	io/export/export_flame.c \
	io/export/export_flame.h \
	io/export/export_sheet.c \
	io/export/export_sheet.h \
	io/export/export_text.c \
	io/export/export_threads.c \
	io/export/export_threads.h \
	io/export/export_timeline.c \
	io/export/export_timeline.h \
	io/export/export_values_text.c \
	io/export/export_values_text.h \
	io/export/export_why.c \
	io/export/export_why.h \
	io/export/title.c \
	io/export/title.h \
	io/find.c \
	io/find.h \
	io/hold.c \
	io/hold.h \
	io/region/join.c \
	io/region/join.h \
	io/region/live.c \
	io/region/live.h \
	io/region/live_catch.c \
	io/region/live_ends.c \
	io/region/live_file.c \
	io/region/live_file.h \
	io/region/live_frames.c \
	io/region/live_happened.c \
	io/region/live_hours.c \
	io/region/live_infer.c \
	io/region/live_inside.h \
	io/region/live_limit.c \
	io/region/live_list.c \
	io/region/live_list.h \
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
	io/source.c \
	io/source.h
