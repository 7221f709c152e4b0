// notes: events and notes of what is selected, at their times, notes first where there are many. A click goes to the frame.

const NOTES_SHOWN = 200;

function notes_make(p, selection) {
	const section = by_id('notes-section');
	if (!p.instants.count) {
		section.hidden = true;
		return;
	}
	const has_notes = p.instants.event.some(event => event < 0);
	let kind = has_notes ? 'notes' : 'all', is_chosen = false;
	const list = element('tbody'), note = element('span', { class: 'where' });
	const kinds = choice('Which', [['notes', '◆ Notes'], ['all', '◇ Events too']], key => {
		kind = key;
		is_chosen = true;
		show();
	});
	const head = element('tr', null, ...['', 'TIME', 'FRAME', 'THREAD', 'WHAT'].map((text, i) => element('th', { scope: 'col' },
		i ? text : element('span', { class: 'unseen' }, 'KIND'))));
	section.append(element('div', { class: 'tools' }, note, kinds.element),
		element('div', { class: 'scroll notes', tabindex: 0, role: 'group', 'aria-label': 'Events and notes' },
			element('table', { class: 'plain', id: 'notes' }, element('thead', null, head), list)));

	function row(i) {
		const { instants } = p, frame = frame_at(p, instants.tick[i]);
		return element('tr', null, element('td', { class: 'mark' }, instants.event[i] < 0 ? '◆' : '◇'),
			element('td', { class: 'number' }, fixed(seconds_of(p, instants.tick[i]), 3) + ' s'),
			element('td', { class: 'number' }, frame < 0 ? '–' : button(grouped(p.frames.number[frame]), () => selection.change({ first: frame, last: frame }),
				{ class: 'link' })),
			element('td', null, instants.thread[i] < 0 ? '' : cut_text(p.threads.shown[instants.thread[i]], 60)),
			element('td', { class: 'text' }, cut_text(instants.text[i], 1000)));
	}
	function show() {
		const span = selection.span(), { instants } = p, rows = [];
		let all = 0;
		if (!is_chosen)
			kind = has_notes && !span ? 'notes' : 'all';
		const from = span ? first_at_least(instants.tick, span[0] + 1) : 0;
		for (let i = from; i < instants.count && (!span || instants.tick[i] <= span[1]); i++) {
			if (kind === 'notes' && instants.event[i] >= 0 || !in_threads(instants.thread[i], selection.state.thread))
				continue;
			if (all++ < NOTES_SHOWN)
				rows.push(row(i));
		}
		kinds.set(kind);
		note.textContent = selection.frames_text() + ': ' + plural(all, kind === 'notes' ? 'note' : 'event or note', kind === 'notes' ? 'notes' : 'events and notes') +
			(all > NOTES_SHOWN ? ', the first ' + NOTES_SHOWN : '');
		fill(list, ...rows.length ? rows : [element('tr', null, element('td', { colspan: 5, class: 'none' }, 'No events.'))]);
	}
	selection.on_change(changed => ['first', 'last', 'thread'].some(key => changed.has(key)) && show());
	show();
}
