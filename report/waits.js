// waits: off the CPU, apart from the work: zones that wait, and what is left of the time.

function waits_make(p, selection) {
	const holder = element('div');
	by_id('waits-section').append(holder);
	const show = () => {
		const { thread } = selection.state, v = selection.times(), sums = sums_of(p, v, thread);
		const rows = flat_rows(p, v, thread).filter(row => p.zones.waits[row.zone]).sort((a, b) => b.self - a.self);
		const unit = unit_for_many(p, sums.time / 10, sums.time);
		const line = (name, ticks, kind) => element('tr', { class: kind }, element('th', { scope: 'row' }, name),
			element('td', null, time_in(p, ticks, unit)), element('td', null, ''), element('td', null, percent(ticks, v.wall)));
		const body = rows.slice(0, 50).map(row => {
			const name = button(p.zones.shown[row.zone], () => selection.change({ zone: row.zone }),
				{ class: 'link', title: zone_place(p, row.zone), 'aria-current': String(row.zone === selection.state.zone) });
			return element('tr', null, element('th', { scope: 'row' }, name), element('td', null, time_in(p, row.self, unit)),
				element('td', null, grouped(row.count)), element('td', null, percent(row.self, v.wall)));
		});
		const head = typed_head(['zone', 'self', 'count', 'frame'].map(key => zone_column(p, key)), unit);
		fill(holder, element('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Zones that wait' },
			element('table', { class: 'plain', id: 'waits' }, head, element('tbody', null, ...body,
				line('waits', sums.waits, 'sum'), line('busy', sums.busy + sums.none, 'sum'), line('of it (no zone)', sums.none, 'sum')))));
	};
	selection.on_change(changed => ['first', 'last', 'thread', 'zone'].some(key => changed.has(key)) && show());
	show();
}
