// why view: why the selected frame took so long, as proftop's screen and -v why say it: a row a stack, innermost first.

const WHY_SHOWN = 12;

function why_make(p, selection) {
	const holder = element('div');
	by_id('why-section').append(holder);
	let all_shown = false, was_shown = false;
	const title = by_id('why-title');

	let unit = TIME_UNITS[1];
	const ms = ticks => signed(time_in(selection.measure(), ticks, unit), ticks);
	const count = row => row.count === row.base_count ? grouped(row.count) :
		grouped(row.base_count) + '→' + grouped(row.count);

	const of_time = p.why_columns.filter(column => column.key !== 'carried' && column.key !== 'self');
	const of_amounts = of_time.map(column => p.why_amount_columns.find(one => one.key === column.key) || column);

	function zone_cell(row, path, shown) {
		const zone = row.node >= 0 ? p.nodes.zone[row.node] : -1;
		return element('th', { scope: 'row' }, zone >= 0 ? button(shown, () => selection.change({ zone }), { class: 'link', title: cut_text(path, 1000) }) :
			element('span', null, shown));
	}
	function delta_cell(row, most) {
		const delta = element('td', { class: row.delta > 0 ? 'more' : 'less' }, ms(row.delta));
		delta.style.setProperty('--part', (100 * Math.abs(row.delta) / most).toFixed(1) + '%');
		return delta;
	}
	function thread_section(why, thread, limit) {
		const measure = selection.measure(), idle = row => row.waiting && is_time(measure);
		if (thread.lacks) // a difference from what is not known says nothing
			return element('p', { class: 'fine' }, 'It is not known how much ' + cut_text(p.threads.shown[thread.thread], 60) + ' has in both frames.');
		const rows = why.rows.filter(row => row.thread === thread.thread);
		const most = rows.reduce((sum, row) => Math.max(sum, Math.abs(row.delta)), 1);
		unit = unit_for_many(measure, most / 10, most);
		const shown = rows.slice(0, limit), rest = rows.slice(limit).reduce((sum, row) => sum + row.delta, 0) + (thread.rest || 0);
		const left = rows.length - shown.length + (thread.left_out || 0);
		const paths = shown.map(row => why_path(p, row)), cut = cut_apart(paths, 300);
		const cells = {
			path: row => zone_cell(row, paths[shown.indexOf(row)], cut[shown.indexOf(row)]), delta: row => delta_cell(row, most),
			calls: row => element('td', null, idle(row) ? '' : ms(row.calls || 0)), count: row => element('td', null, count(row)),
			cost: row => element('td', null, idle(row) ? '' : ms(row.cost || 0)),
		};
		const last = [];
		if (left)
			last.push(element('tr', { class: 'sum' }, element('th', { scope: 'row' }, plural(left, 'smaller row')), element('td', null, ms(rest)),
				element('td', { colspan: 4 })));
		const waiting = thread.waiting ? '  (' + ms(thread.waiting) + ' waiting)' : '';
		last.push(element('tr', { class: 'sum' }, element('th', { scope: 'row' }, 'sum of ' + cut_text(p.threads.shown[thread.thread] || 'a thread', 60)),
			element('td', null, ms(thread.sum)), element('td', { colspan: 4 }, ms(thread.delta) === ms(thread.sum) ?
				waiting : waiting + '  of ' + ms(thread.delta) + ': slices are missing')));
		return element('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Why, thread ' + cut_text(p.threads.shown[thread.thread] || '', 60) },
			typed_table(p, is_time(measure) ? of_time : of_amounts, shown, { class: 'why', unit, last, cell: (column, row) => cells[column.key] && cells[column.key](row),
				attributes: row => ({ class: idle(row) ? 'idle' : null }) }));
	}
	function instants_in(frame) {
		const from = p.frames.start[frame], to = from + p.frames.length[frame], rows = [];
		const begin = first_at_least(p.instants.tick, from + 1);
		for (let i = begin; i < p.instants.count && p.instants.tick[i] <= to && rows.length < 12; i++)
			rows.push(element('li', null, element('span', { class: 'number' }, '+' + short_time(seconds_of(p, p.instants.tick[i] - from))), ' ',
				element('span', { class: 'mark' }, p.instants.event[i] < 0 ? '◆ ' : '◇ '), cut_text(p.instants.text[i], 300)));
		return rows.length ? element('ul', { class: 'instants' }, ...rows) : null;
	}
	function show() {
		const frame = selection.frame();
		if (frame < 0) {
			const worst = worst_frames(p)[0];
			if (worst === undefined)
				return fill(holder, element('p', { class: 'none' }, 'No frames.'));
			show_frame(worst, element('span', null, ', the longest'));
			return;
		}
		show_frame(frame, '');
	}
	// Where no frame is selected it is of the longest one.
	function show_frame(frame, said) {
		const measure = selection.measure(), why = why_of(p, frame, measure), number = p.frames.number[frame];
		fill(title, 'Why frame ', button(grouped(number), () => selection.change({ first: frame, last: frame }), { class: 'link' }), said);
		if (!why && p.frames.held[frame] && p.usual && number !== p.usual && frame_index(p, p.usual) >= 0 && p.frames.held[frame_index(p, p.usual)])
			return fill(holder, element('p', { class: 'none' }, 'This frame has more than ten times as many calls as the median frame, or less than a tenth, so ' +
				'this page does not compare the two. proftop -v why compares the frame with one of similar calls.'), instants_in(frame));
		if (!why)
			return fill(holder, element('p', { class: 'none' }, number === p.usual ? 'This is the median frame, which others are compared with.' :
				(p.frames.held[frame] ? 'The median frame is' : 'The slices of this frame are') + ' not in this page, so there is no comparison.'), instants_in(frame));
		const words = sentence(why, frame, measure);
		const threads = why.threads.filter(thread => state_thread(thread.thread));
		const shown = all_shown ? threads : threads.slice(0, 1);
		const limit = all_shown ? 1000 : WHY_SHOWN, rows = why.rows.length;
		const is_more = threads.length > 1 || rows > WHY_SHOWN;
		fill(holder, words, ...shown.map(thread => thread_section(why, thread, limit)),
			...(why.said || []).map(text => element('p', { class: 'fine' }, text.replace(/(^| )-(?=\d)/g, '$1−'))), instants_in(frame), is_more ? button(all_shown ? 'Less' :
				'Show all' + (threads.length > 1 ? ', ' + plural(threads.length, 'thread') : ''), () => {
				all_shown = !all_shown;
				show();
			}, { class: 'quiet' }) : null);
	}
	// How far its length, or its amount, is from that of the other frame.
	function sentence(why, frame, measure) {
		const by = frames_by(p, measure), other = frame_index(p, why.base), known = at => is_time(measure) ? KNOWN : by.known(at);
		const [here, there] = is_time(measure) ? [why.length, why.base_length] : [by.value[frame], by.value[other]], delta = here - there;
		const text = (amount, at) => is_time(measure) ? frame_time(p, amount) : full_time(measure, amount, at < 0 ? KNOWN : known(at));
		const words = is_time(measure) ? [' shorter', ' longer'] : [' less', ' more'], says = known(frame) === KNOWN && known(other) === KNOWN;
		return element('p', { class: 'sentence' }, is_time(measure) ? '' : cut_text(measure.name, 60) + ' ', element('b', null, text(here, frame)),
			says ? ': ' : '; not all is known to compare it with ', says ? element('b', { class: delta > 0 ? 'more' : 'less' },
				text(Math.abs(delta), -1), words[delta < 0 ? 0 : 1]) : '', says ? ' than ' : '',
			why.base ? element('span', null, why.base_kind === 'similar' ? 'the typical similar frame (#' : 'the median frame (#', why_base(why.base), ', ') :
			'the average (', text(there, other), ')', why.base_reason ? '  ' + why.base_reason : '');
	}
	const state_thread = thread => selection.state.thread === ALL_THREADS || selection.state.thread === thread;
	function why_base(number) {
		const index = frame_index(p, number);
		return index < 0 ? grouped(number) : button(grouped(number), () => selection.change({ first: index, last: index }), { class: 'link' });
	}
	const print = is_all => () => { // what a button would show is on paper
		[all_shown, was_shown] = is_all ? [true, all_shown] : [was_shown, false];
		show();
	};
	addEventListener('beforeprint', print(true));
	addEventListener('afterprint', print(false));
	selection.on_change(changed => ['first', 'last', 'thread', 'measure'].some(key => changed.has(key)) && show());
	show();
}
