// keys: those of the whole page, as on proftop's screen where that has them; what a section does with keys is its own.

const KEYS = [
	['[  ]', 'previous frame, next frame'],
	['w', 'longest frame; again: the next longest'],
	['d', 'why the frame took so long'],
	['Esc', 'whole run, no zone selected'],
	['1  2  3  4', 'Self, Hier, Graph, Tree'],
	['8', 'flame graph or tree map'],
	['/', 'filter zones'],
	['T', 'choose a thread'],
	['Z', 'show or hide waits and (no zone)'],
	['&', 'choose a measure, if there is more than time'],
	['?', 'these keys'],
	['in the frame graph', '← → step, Shift extends the range, + − zoom, z zooms to the range, 0 shows all'],
	['in the picture', 'arrows select a box, Enter zooms in, Backspace zooms out'],
	['in the table', '↑ ↓ select a row, → ← open and close it, Enter selects its zone, g opens its call graph'],
	['in the timeline', 'arrows select a call, Enter selects its zone, a d pan, + − zoom, 0 resets'],
];

function keys_make(p, selection, table) {
	const dialog = element('dialog', { class: 'keys', 'aria-label': 'Keys' }, element('h2', null, 'Keys'),
		element('dl', null, ...KEYS.flatMap(([key, text]) => [element('dt', null, key), element('dd', null, text)])),
		element('form', { method: 'dialog' }, element('button', null, 'Close')));
	document.body.append(dialog);
	const view = name => selection.change({ view: name, sort: '' });
	const acts = {
		'[': () => step_frame(p, selection, -1), ']': () => step_frame(p, selection, 1), w: () => worst_next(p, selection),
		d: () => by_id('why-section').scrollIntoView({ block: 'nearest' }),
		Escape: () => selection.change({ first: -1, last: -1, zone: -1, path: [] }),
		1: () => view('self'), 2: () => view('hier'), 3: () => view('graph'), 4: () => view('tree'),
		8: () => selection.change({ boxes: selection.state.boxes === 'map' ? 'flame' : 'map' }),
		'/': () => table.focus_filter(), T: () => by_id('thread').focus(),
		'&': () => has_measures(p) && by_id('measure').focus(),
		Z: () => selection.change({ waits: !selection.state.waits }), '?': () => dialog.showModal(),
	};
	addEventListener('keydown', event => {
		const typed = event.target.matches('input, select, textarea');
		if (event.ctrlKey || event.metaKey || event.altKey || dialog.open || (typed && event.key !== 'Escape') || event.defaultPrevented)
			return;
		if (typed) {
			event.target.blur();
			return;
		}
		if (!(event.key in acts))
			return;
		event.preventDefault();
		acts[event.key]();
	});
	return () => dialog.showModal();
}
