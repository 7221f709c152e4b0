// selection: what all sections are of: one state, which the address keeps (#frame=2084&zone=raycast).
//
//   first, last   frames, by index; −1: the whole run
//   thread        by index; ALL_THREADS
//   zone          −1: none
//   path          of zones from the root: what the tree map and the flame graph have zoomed to
//   budget        ticks; 0: none
//   measure       the key of what views show
//
// Each part of the page registers with on_change, and is told which of these changed.

function selection_new(p) {
	const known_key = key => p.measures.some(measure => measure.key === key) ? key : TIME_KEY;
	const measure_now = () => p.measures.find(measure => measure.key === state.measure);
	const state = { first: -1, last: -1, thread: ALL_THREADS, zone: -1, path: [], view: 'tree', boxes: 'flame',
			sort: '', filter: '', waits: false, budget: p.budget, measure: known_key(p.measure) };
	const listeners = [];
	let values_key = '', values = new Map(), shown = '', quiet = 0, many_at = -Infinity;

	// Where two zones look the same the second one's number is behind its name.
	const zone_word = zone => p.zones.shown.indexOf(p.zones.shown[zone]) === zone ? p.zones.shown[zone] : p.zones.shown[zone] + '#' + zone;

	// Words for the address. Zones and threads by name, as numbers differ from file to file.
	const written = () => {
		const words = [];
		const put = (key, value) => words.push(key + '=' + encodeURIComponent(value));
		if (state.first >= 0)
			put(state.first === state.last ? 'frame' : 'frames', state.first === state.last ? p.frames.number[state.first] :
				p.frames.number[state.first] + '-' + p.frames.number[state.last]);
		if (state.thread !== ALL_THREADS)
			put('thread', p.threads.shown[state.thread]);
		if (state.zone >= 0)
			put('zone', zone_word(state.zone));
		if (state.path.length)
			put('path', state.path.map(zone => zone_word(zone).replace(/[%/]/g, encodeURIComponent)).join('/'));
		if (state.view !== 'tree')
			put('view', state.view);
		if (state.boxes !== 'flame')
			put('boxes', state.boxes);
		if (state.sort)
			put('sort', state.sort);
		if (state.filter)
			put('filter', state.filter);
		if (state.waits)
			put('waits', 1);
		if (state.budget !== p.budget)
			put('budget', +ms_of(p, state.budget).toPrecision(6));
		if (state.measure !== known_key(p.measure))
			put('measure', state.measure);
		return words.join('&');
	};

	const zone_called = word => {
		const numbered = word.match(/^([^]*)#(\d+)$/);
		if (p.zones.shown.indexOf(word) >= 0)
			return p.zones.shown.indexOf(word);
		if (numbered && p.zones.shown[Number(numbered[2])] === numbered[1])
			return Number(numbered[2]);
		return p.zones.name.indexOf(word);
	};

	const read_frames = (words, next) => {
		const back = words.match(/^-(\d+)$/), range = words.match(/^(\d+)(?:-(\d+))?$/);
		const from = back ? p.frames.number[p.frames.count - Number(back[1])] : range ? Number(range[1]) : NaN;
		const first = first_at_least(p.frames.number, from), behind = first_at_least(p.frames.number, (range && range[2] ? Number(range[2]) : from) + 1);
		if (from >= 0 && first < behind) {
			next.first = first;
			next.last = behind - 1;
		} else
			say('Frame ' + words + ' is not in this page.');
	};

	// Reads the selection from the address. Members that it lacks are as at the beginning.
	const read = text => {
		const next = { first: -1, last: -1, thread: ALL_THREADS, zone: -1, path: [], view: 'tree', boxes: 'flame', sort: '',
			       filter: '', waits: false, budget: p.budget, measure: known_key(p.measure) };
		let words, path;
		try {
			words = new Map(text.replace(/^#/, '').split('&').filter(Boolean).map(word => {
				const at = word.indexOf('=');
				return at < 0 ? [word, ''] : [word.slice(0, at), decodeURIComponent(word.slice(at + 1).replace(/\+/g, ' '))];
			}));
			path = (words.get('path') || '').split('/').filter(Boolean).map(name => zone_called(decodeURIComponent(name)));
		} catch (error) {
			return next; // no address of ours
		}
		if (words.has('frame') || words.has('frames'))
			read_frames(words.get('frame') || words.get('frames'), next);
		next.thread = words.has('thread') ? p.threads.shown.indexOf(words.get('thread')) : ALL_THREADS;
		next.zone = words.has('zone') ? zone_called(words.get('zone')) : -1;
		next.path = path.includes(-1) ? [] : path;
		next.view = ['self', 'hier', 'graph', 'tree'].includes(words.get('view')) ? words.get('view') : 'tree';
		next.boxes = words.get('boxes') === 'map' ? 'map' : 'flame';
		next.sort = words.get('sort') || '';
		next.filter = words.get('filter') || '';
		next.waits = words.get('waits') === '1';
		const budget = Number(words.get('budget'));
		if (words.has('budget') && budget >= 0)
			next.budget = Math.round(budget * p.ticks_per_s / 1000);
		if (words.has('measure'))
			next.measure = known_key(words.get('measure'));
		return next;
	};

	// A step that one would want to come back from is one in the browser's history.
	const write_address = is_step => {
		const text = written();
		if (text === shown)
			return;
		shown = text;
		try {
			history[is_step ? 'pushState' : 'replaceState'](null, '', '#' + text);
		} catch (error) {
			quiet++; // too often, or a browser that does not allow it here: the page works without
		}
	};

	const apply = patch => {
		const changed = new Set(Object.keys(patch).filter(key => key === 'path' ?
			patch.path.join() !== state.path.join() : patch[key] !== state[key]));
		if (!changed.size)
			return changed;
		Object.assign(state, patch);
		for (const listener of listeners)
			listener(changed);
		return changed;
	};

	addEventListener('popstate', () => {
		shown = location.hash.replace(/^#/, '');
		apply(read(shown));
	});

	return {
		state,
		on_change: listener => listeners.push(listener),
		// is_step: false where a drag goes on. 'many': a step that may be one of many, as of a key that is held: those that
		// follow within a second are one in the browser's history.
		change(patch, is_step = true) {
			const changed = apply(patch), now = performance.now(), is_late = is_step === 'many' && now - many_at < 1000;
			many_at = is_step === 'many' ? now : -Infinity;
			if (changed.size)
				write_address(is_step && !is_late && ['first', 'last', 'zone', 'path', 'view', 'thread', 'measure'].some(key => changed.has(key)));
		},
		open() {
			shown = location.hash.replace(/^#/, '');
			apply(read(shown));
		},
		frame: () => state.first >= 0 && state.first === state.last ? state.first : -1,
		measure: measure_now,
		// Figures of what is selected, of the measure that is shown or another one, made once.
		values(measure = measure_now()) {
			const key = state.first + ' ' + state.last;
			if (key !== values_key)
				values = new Map();
			values_key = key;
			if (!values.has(measure))
				values.set(measure, state.first < 0 ? values_of_run(p, measure) : values_of_frames(p, state.first, state.last, measure));
			return values.get(measure);
		},
		times() {
			return this.values(p.measures[0]);
		},
		// [from, to] in ticks; null: the whole run.
		span: () => state.first < 0 ? null :
			[p.frames.start[state.first], p.frames.start[state.last] + p.frames.length[state.last]],
		frames_text() {
			if (state.first < 0)
				return p.covered.whole ? 'the whole run' : p.covered.frame ? 'frame ' + grouped(p.covered.frame) :
					p.covered.frames_asked ? 'the last ' + plural(p.run.frames, 'frame') : covered_range(p);
			if (state.first === state.last)
				return 'frame ' + grouped(p.frames.number[state.first]);
			return 'frames ' + grouped(p.frames.number[state.first]) + ' to ' + grouped(p.frames.number[state.last]);
		},
	};
}
