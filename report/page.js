// page: opens the data, makes the sections, and is what tests see of all this.

const page = { profile: null, selection: null, ready: null, figures: { values_of_run, values_of_frames, values_known, zones_known, flat_rows, tree_of, graph_of, sums_of, head_busy,
	why_of, collapsed_stack, zone_by_frame }, ALL_THREADS };

function page_make(p) {
	const selection = selection_new(p);
	let show_help = () => {};
	page.profile = p;
	page.selection = selection;
	by_id('main').hidden = false;
	selection.open();
	head_make(p, () => show_help());
	bar_make(p, selection);
	page.frame_graph = frame_graph_make(p, selection);
	worst_make(p, selection);
	why_make(p, selection);
	page.timeline = timeline_make(p, selection);
	page.box_view = box_view_make(p, selection);
	page.table = table_make(p, selection);
	waits_make(p, selection);
	threads_make(p, selection);
	notes_make(p, selection);
	show_help = keys_make(p, selection, page.table);
	by_id('opening').remove();
}

async function page_open() {
	const begun = performance.now();
	try {
		theme_begin();
		page_make(profile_of(await unpack(by_id('data'))));
		page.milliseconds = performance.now() - begun;
	} catch (error) {
		by_id('opening').textContent = 'This page could not be opened: ' + (error && error.message || error);
		by_id('opening').className = 'failed';
		console.error(error);
	}
}

page.ready = page_open();
