// head: which program this is of, what is covered, what is lost; and below it the bar that says what is selected.

const THEMES_KEY = 'proftop-theme';

// The rate over all covered frames. If the program bounds its frames, the time between them counts, too.
function frame_rate(p) {
	return p.run.frames && p.run.elapsed ? p.run.frames / seconds_of(p, p.run.elapsed) : 0;
}

// As in the screen's title: the time of the frames without the declared waits of their thread. (no zone) is in it.
function head_busy(p) {
	const thread = p.threads.marking.findIndex(Boolean);
	return thread >= 0 && p.run.frames ? (p.run.wall - sums_of(p, values_of_run(p), thread).waits) / p.run.frames : 0;
}

// The screen's title: fps, avg, p99, max, each with what it is of.
function head_figures(p) {
	const lengths = lengths_of(p), figures = [];
	const add = (name, value, title) => figures.push(element('div', { class: 'figure', title },
		element('dt', null, name), element('dd', null, value)));
	add('covered', short_time(seconds_of(p, p.run.wall)), 'Elapsed time that this page covers');
	add('frames', grouped(p.run.frames), 'Frames that this page covers');
	if (lengths.count) {
		const ms = ticks => frame_time(p, ticks, 2);
		const of = 'Of ' + plural(lengths.count, 'frame');
		add('fps', fixed(frame_rate(p), 1), 'Of ' + plural(p.run.frames, 'frame') + ': frames ÷ time');
		add('avg', ms(lengths.sum / lengths.count), of + ': mean length');
		const busy = head_busy(p);
		if (busy > 0)
			add('busy', ms(busy), 'Average time per frame that the frame thread did not wait');
		add('median', ms(lengths.median), of + ': lower median');
		add('p99', ms(lengths.p99), of + ': 99 of 100 are not longer');
		add('max', ms(lengths.most), of + ': the longest');
	}
	if (p.unseen_frames)
		add('before attach', grouped(p.unseen_frames), 'Frames that were overwritten before proftop attached');
	if (p.left_out_frames)
		add('left out', grouped(p.left_out_frames), 'Frames that were not recorded, because only slow frames were asked for');
	return element('dl', { class: 'figures' }, ...figures);
}

function head_when(word, ns) {
	const at = Number(ns) / 1e6;
	const when = at > 0 ? new Date(at) : null;
	return when && !isNaN(when) ? word + ' ' + when.toISOString().slice(0, 19).replace('T', ' ') + ' UTC' : '';
}

// What became of the program. A page is not live: it knows what the program did when it was read last.
function head_state(process) {
	const running = { live: 'running when saved', stopped: 'stopped when saved' };
	return String(running[process.state] || process.state || '').toUpperCase();
}

// Sentences about what this page lacks, and what the program could not record.
function head_losses(p) {
	const lines = [];
	if (p.thinned)
		lines.push(p.thinned.why || plural(p.thinned.kept, 'frame') + ' of ' + grouped(p.thinned.frames) +
			' are complete in this page; the others have only their lengths.');
	lines.push(...p.said.filter(sentence => !p.thinned || sentence !== p.thinned.why));
	if (p.inexact)
		lines.push('Some numbers exceed 2^53 ticks: they are rounded here. proftop report -j has exact ones.');
	const losses = p.losses.map(loss => [grouped(Number(loss.count)), (loss.sentence || loss.key) +
		(loss.key === 'left_open' && p.left_open ? ': ' + cut_text(p.left_open, 200) : ''), loss.key]);
	if (!lines.length && !losses.length)
		return null;
	const items = lines.map(line => element('li', null, line)).concat(losses.map(([count, sentence, key]) =>
		element('li', { title: key }, element('b', null, count), ' ', sentence)));
	const count = losses.length ? plural(losses.length, 'cause') + ' of loss' : 'what this page lacks';
	return element('details', { class: 'losses', open: lines.length > 0 },
		element('summary', null, losses.length && lines.length ? 'Lost or left out' : 'Note: ' + count),
		element('ul', null, ...items));
}

function theme_button() {
	const one = button('', () => {
		const dark = !colours.is_dark();
		const system = matchMedia('(prefers-color-scheme: dark)').matches;
		const theme = dark === system ? '' : dark ? 'dark' : 'light';
		try {
			localStorage.setItem(THEMES_KEY, theme);
		} catch (error) {
			// a file that may not keep anything: the switch works all the same
		}
		colours.set_theme(theme);
	}, { class: 'quiet', id: 'theme' });
	const show = () => {
		one.textContent = colours.is_dark() ? '☀ Light' : '☾ Dark';
	};
	colours.listeners.push(show);
	show();
	return one;
}

function theme_begin() {
	let theme = '';
	try {
		theme = localStorage.getItem(THEMES_KEY) || '';
	} catch (error) {
		theme = '';
	}
	colours.set_theme(theme === 'dark' || theme === 'light' ? theme : '');
	let on_screen = '';
	addEventListener('beforeprint', () => { // paper is light; canvases paint themselves behind this
		on_screen = document.documentElement.dataset.theme || '';
		colours.set_theme('light');
	});
	addEventListener('afterprint', () => colours.set_theme(on_screen));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => colours.set_theme(document.documentElement.dataset.theme));
}

// The frames that somebody selected before the page was made.
function covered_range(p) {
	const number = p.frames.number;
	return p.frames.count ? 'frames ' + grouped(number[0]) + ' to ' + grouped(number[p.frames.count - 1]) : '';
}

function head_make(p, show_help) {
	const process = p.process;
	const title = (process.program || 'a program') + (process.pid ? '[' + process.pid + ']' : '');
	document.title = (process.program || 'profile') + ' · proftop';
	const state = element('span', { class: 'state ' + (process.state || '') }, head_state(process));
	const facts = [process.region, head_when('started', process.started_ns), head_when('saved', p.made.real_ns),
		p.covered.whole ? '' : p.covered.frame ? 'only frame ' + p.covered.frame :
		p.covered.frames_asked ? 'the last ' + grouped(p.covered.frames_asked) + ' frames' : covered_range(p),
		p.covered.threads && p.covered.threads !== 'all' ? 'threads: ' + p.covered.threads : '', p.made.by].filter(Boolean);
	fill(by_id('head'),
		element('div', { class: 'title' },
			element('h1', null, title, ' ', state),
			element('div', { class: 'switches' },
				button('? Keys', show_help, { class: 'quiet' }), theme_button())),
		element('p', { class: 'facts' }, facts.join('  ·  ')),
		process.command ? element('p', { class: 'command', title: 'The command line' }, cut_text(process.command, 500)) : null,
		head_figures(p), head_losses(p));
}

// The bar: frame 2 084 · 43.449 ms · OVER +23.4 · vs median 16.7, and steps to others.
function bar_make(p, selection) {
	const { state } = selection;
	const words = element('div', { class: 'selected' });
	const step = by => () => step_frame(p, selection, by);
	const threads = element('select', { 'aria-label': 'Thread', id: 'thread' },
		element('option', { value: ALL_THREADS }, 'all threads'));
	p.threads.shown.forEach((name, i) => p.threads.listed[i] &&
		threads.append(element('option', { value: i }, cut_text(name, 60) + (p.threads.marking[i] ? ' (frame thread)' : ''))));
	threads.addEventListener('change', () => selection.change({ thread: Number(threads.value) }));
	const measures = element('select', { 'aria-label': 'Measure', id: 'measure' }, ...p.measures.map(measure =>
		element('option', { value: measure.key, title: measure.help }, cut_text(measure.name, 60))));
	measures.addEventListener('change', () => selection.change({ measure: measures.value }));
	const steps = element('div', { class: 'steps' },
		button('‹', step(-1), { 'aria-label': 'Previous frame', title: 'Previous frame ([ or ←)' }),
		button('›', step(1), { 'aria-label': 'Next frame', title: 'Next frame (] or →)' }),
		button('Worst', () => worst_next(p, selection), { title: 'Go to the longest frame; again: the next longest (w)' }),
		button('Whole run', () => selection.change({ first: -1, last: -1 }), { title: 'Select everything (Esc)', id: 'whole' }));
	const zone = element('div', { class: 'chip', hidden: true });
	fill(by_id('bar'), steps, words, zone, element('label', { class: 'thread' }, threads),
		has_measures(p) ? element('label', { class: 'thread' }, measures) : null);

	const show = () => {
		const frame = selection.frame(), v = selection.values(), parts = [element('b', null, selection.frames_text())];
		const say_ms = ticks => frame >= 0 ? frame_time(p, ticks) : full_time(p, ticks);
		if (frame >= 0) {
			const name = p.frames.name[frame] ? p.frame_names[p.frames.name[frame] - 1] : '';
			parts.push(name || '', say_ms(p.frames.length[frame]));
			const over = state.budget && p.frames.length[frame] > state.budget;
			if (over)
				parts.push(element('b', { class: 'over' }, 'OVER +' + time_in(p, p.frames.length[frame] - state.budget, frame_unit(p), 1)));
			const median = lengths_of(p).median;
			if (median)
				parts.push('vs median ' + time_in(p, median, frame_unit(p), 1));
			parts.push(short_time(seconds_of(p, p.frames.start[frame])) + ' in');
			if (!p.frames.held[frame])
				parts.push('only its length is known here');
			if (p.frames.flags[frame] & FRAME.DISCARDED)
				parts.push('discarded');
		} else
			parts.push(say_ms(v.wall), state.first < 0 ? '' : plural(v.frames, 'frame'),
				v.thin ? plural(v.thin, 'frame') + ' of them with only their length' : '');
		if (v.incomplete && frame >= 0 && p.frames.held[frame])
			parts.push('incomplete: ' + plural(v.incomplete, 'slice') + ' missing');
		if (!is_time(v.measure))
			parts.push(element('span', { id: 'amount' }, cut_text(v.measure.name, 60) + ' ',
				element('b', null, full_time(v.measure, v.whole, values_known(p, v, ALL_THREADS)))));
		if (!v.exact)
			parts.push(element('b', { class: 'over' }, 'sums exceed 2^53 ticks and are rounded'));
		fill(words, ...parts.filter(Boolean).map(part => element('span', null, part)));
		measures.value = state.measure;
		threads.value = String(state.thread);
		by_id('whole').disabled = state.first < 0;
		zone.hidden = state.zone < 0;
		if (state.zone >= 0)
			fill(zone, element('i', { class: 'dot', style: 'background:' + colours.of_zone(p, state.zone) }),
				element('span', { class: 'name', title: zone_place(p, state.zone) }, cut_text(p.zones.shown[state.zone], 80)),
				button('×', () => selection.change({ zone: -1, path: [] }), { 'aria-label': 'Deselect the zone', class: 'quiet' }));
	};
	selection.on_change(show);
	colours.listeners.push(show);
	show();
}

// More than time, and the entries that each profile has.
function has_measures(p) {
	return p.measures.length > 2 || p.measure !== TIME_KEY;
}

function zone_place(p, zone) {
	const file = p.zones.file[zone];
	return p.zones.shown[zone] + (file ? '  ' + file + ':' + p.zones.line[zone] : '');
}

// To the frame before or behind the selected one; of the whole run, to the newest or the oldest.
function step_frame(p, selection, by) {
	const { first, last } = selection.state, count = p.frames.count;
	if (!count)
		return;
	const from = by < 0 ? first : last;
	const to = first < 0 ? (by < 0 ? count - 1 : 0) : Math.min(count - 1, Math.max(0, from + by));
	selection.change({ first: to, last: to }, 'many');
	say('frame ' + p.frames.number[to] + ', ' + frame_time(p, p.frames.length[to], 2));
}
