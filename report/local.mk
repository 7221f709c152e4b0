# report: the page that io/page/ fills with a profile. All that it is made of stands here: what is changed makes the page anew.
report_files = \
	report/begin.js \
	report/box_view.js \
	report/boxes.js \
	report/calls.js \
	report/canvas.js \
	report/colours.js \
	report/columns.js \
	report/dom.js \
	report/end.js \
	report/figures.js \
	report/flame.js \
	report/frame_graph.js \
	report/head.js \
	report/keys.js \
	report/notes.js \
	report/page.css \
	report/page.html \
	report/page.js \
	report/profile.js \
	report/rows.js \
	report/scripts.list \
	report/selection.js \
	report/table.js \
	report/text.js \
	report/threads.js \
	report/timeline.js \
	report/tracks.js \
	report/tree_map.js \
	report/typed_table.js \
	report/unpack.js \
	report/vendor/README \
	report/vendor/d3-hierarchy.LICENSE \
	report/vendor/d3-hierarchy.js \
	report/waits.js \
	report/why.js \
	report/why_view.js \
	report/worst.js

EXTRA_DIST += $(report_files)
