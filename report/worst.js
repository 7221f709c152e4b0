// worst: the longest frames, longest first; discarded ones are none.

const WORST_SHOWN = 100;

function worst_frames(p) {
	if (p.worst)
		return p.worst;
	const all = [];
	for (let i = 0; i < p.frames.count; i++)
		if (p.frames.length[i] > 0 && !(p.frames.flags[i] & FRAME.DISCARDED))
			all.push(i);
	all.sort((a, b) => p.frames.length[b] - p.frames.length[a] || a - b);
	return p.worst = all.slice(0, WORST_SHOWN);
}

// The longest; when that is selected the next longest, and so on.
function worst_next(p, selection) {
	const all = worst_frames(p);
	if (!all.length)
		return;
	const at = all.indexOf(selection.frame()), to = all[(at + 1) % all.length];
	selection.change({ first: to, last: to }, 'many');
	say('longest frame ' + (all.indexOf(to) + 1) + ' of ' + all.length + ': frame ' + p.frames.number[to] + ', ' +
		frame_time(p, p.frames.length[to], 2));
}

function worst_make(p, selection) {
	const all = worst_frames(p), most = all.length ? p.frames.length[all[0]] : 1;
	const list = element('ol', { class: 'worst', 'aria-label': 'The longest frames' });
	const title = key => {
		const column = p.worst_columns.find(one => one.key === key);
		return element('span', { class: 'number', title: column.help }, column.title);
	};
	const rows = all.map((frame, i) => {
		const row = element('li', null, button('', () => selection.change({ first: frame, last: frame }), {
			tabindex: i ? -1 : 0, class: 'row' }));
		const part = p.frames.length[frame] / most;
		row.firstChild.append(element('span', { class: 'number' }, grouped(p.frames.number[frame])),
			element('span', { class: 'meter' }, element('i', { style: 'width:' + (100 * part).toFixed(2) + '%' })),
			element('span', { class: 'number' }, time_in(p, p.frames.length[frame], frame_unit(p), 2), element('small', null, ' ' + frame_unit(p).name)),
			element('span', { class: 'mark', title: 'This page explains why it took so long' },
				p.why.has(p.frames.number[frame]) ? 'why' : ''));
		return row;
	});
	list.append(element('li', { class: 'row head', 'aria-hidden': 'true' }, title('frame'), element('span'), title('length')), ...rows);
	roving(list, () => [...list.querySelectorAll('button')], { of: 'button' });
	by_id('worst-section').append(all.length ? list : element('p', { class: 'none' }, 'No frames.'));
	const show = () => {
		const frame = selection.frame();
		all.forEach((one, i) => {
			const own = rows[i].firstChild;
			own.setAttribute('aria-current', String(one === frame));
			own.classList.toggle('over', Boolean(selection.state.budget && p.frames.length[one] > selection.state.budget));
		});
		const at = all.indexOf(frame);
		if (at >= 0) {
			const box = rows[at];
			list.scrollTop = Math.max(0, Math.min(box.offsetTop - list.offsetTop - 60, list.scrollHeight));
		}
	};
	selection.on_change(changed => ['first', 'last', 'budget'].some(key => changed.has(key)) && show());
	show();
}
