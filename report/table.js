// table: zones as rows, in the views Self, Hier, Graph and Tree. Arrow keys go along the rows, right and left open and close
// in the tree, Enter selects the zone, g shows its call graph.

const ROWS_AT_FIRST = 200;

function table_make(p, selection) {
	const { state } = selection, opened = new Map();
	let limit = ROWS_AT_FIRST, of = null, focused = '';
	const kinds = choice('View', [['self', '1 Self', 'Zones by self time'], ['hier', '2 Hier', 'Zones by hierarchical time'],
		['graph', '3 Graph', 'Who calls a zone, and what it calls'], ['tree', '4 Tree', 'Stacks from the root down']],
		view => selection.change({ view, sort: '' }));
	const filter = element('input', { type: 'search', id: 'filter', placeholder: 'Filter (/)', 'aria-label': 'Filter zones', spellcheck: 'false' });
	const head = element('thead'), body = element('tbody'), table = element('table', { class: 'zones', id: 'zones' }, head, body);
	const note = element('span', { class: 'where' }), foot = element('p', { class: 'sums', id: 'sums' });
	const more = element('div', { class: 'more-rows' });
	const unfold = element('span', { class: 'choice', role: 'group', 'aria-label': 'Tree' },
		button('Open all', () => open_all(true)), button('Close', () => open_all(false)));
	by_id('table-section').append(element('div', { class: 'tools' }, note, unfold, filter, kinds.element),
		element('div', { class: 'scroll', id: 'zones-scroll' }, table), more, foot);
	filter.addEventListener('input', () => selection.change({ filter: filter.value }, false));

	function open_all(is_open) {
		opened.clear();
		const open = (row, path) => {
			opened.set(path, is_open || !row.parent);
			row.children.forEach(child => open(child, path + '/' + child.zone));
		};
		open(tree_of(p, selection.values(), state.thread), '');
		show();
	}
	function sort_by(key) {
		const now = state.sort || default_sort(state.view);
		selection.change({ sort: now === key ? '-' + key : key });
	}
	function heading(column, sort) {
		const is_on = sort.replace(/^-/, '') === column.key, is_back = sort.startsWith('-');
		const ascends = (column.key === 'zone') !== is_back;
		const act = button(column.title, () => sort_by(column.key), { title: column.help, 'data-key': column.key });
		act.append(column.kind === 'ticks' ? element('small', null, unit_behind(of.units[column.key])) : '',
			element('span', { class: 'arrow', 'aria-hidden': 'true' }, is_on ? (ascends ? '▲' : '▼') : ''));
		return element('th', { scope: 'col', class: column.key, 'aria-sort': is_on ? (ascends ? 'ascending' : 'descending') : null }, act);
	}
	function cell(column, row) {
		const value = column.value(row, of), td = element('td', { class: column.key });
		if (value === undefined) {
			td.textContent = '–';
			return td;
		}
		td.append(column.kind === 'spark' ? trend_picture(of.trends.get(row.zone)) : zone_cell_text(column, value, row, of));
		td.dataset.value = value;
		if (column.kind === 'ticks' && Number.isInteger(value))
			td.title = grouped(value) + ' ' + of.measure.unit;
		if (column.bar && of.most[column.key] > 0)
			td.style.setProperty('--part', (100 * Math.min(1, value / of.most[column.key])).toFixed(1) + '%');
		return td;
	}
	function name_cell(row) {
		const th = element('th', { scope: 'row', class: 'zone' });
		const name = row.is_all ? 'all' : p.zones.shown[row.zone];
		th.style.setProperty('--level', row.level - 1);
		if (state.view === 'tree')
			th.append(element('span', { class: 'fold', 'aria-hidden': 'true' }, row.can_open ? (row.is_open ? '▾' : '▸') : ''));
		if (row.kind)
			th.append(element('span', { class: 'fold', 'aria-hidden': 'true' }, row.kind === 'focus' ? '–' : row.kind === 'caller' ? '↳' : '↱'));
		th.append(element('i', { class: 'dot', style: 'background:' + colours.of_zone(p, row.zone) }),
			element('span', { class: 'name', title: cut_text(zone_place(p, row.zone), 600) }, cut_text(name, 300)));
		if (row.kind)
			th.append(element('span', { class: 'unseen' }, row.kind === 'focus' ? ' (focus)' : row.kind === 'caller' ? ' (caller)' : ' (child)'));
		if (p.zones.waits[row.zone])
			th.append(element('small', { class: 'tag' }, 'waits'));
		return th;
	}
	function row_element(row, columns) {
		const is_tree = state.view === 'tree';
		const tr = element('tr', { class: [row.kind || '', row.is_match ? 'found' : '', is_work(p, row) ? '' : 'idle'].join(' ').trim() || null,
			tabindex: -1, 'data-path': row.path, 'data-zone': row.zone, 'aria-level': is_tree ? row.level : null,
			'aria-expanded': is_tree && row.can_open ? String(row.is_open) : null,
			'aria-selected': String(!row.is_all && row.zone === state.zone) });
		tr.append(name_cell(row), ...columns.map(column => cell(column, row)));
		tr.row = row;
		return tr;
	}

	function show() {
		const v = selection.values();
		of = { p, measure: v.measure, known: values_known(p, v, state.thread), known_of: zones_known(p, v, state.thread), view: state.view, values: v, total: 0, extremes: extremes_of(),
		       trends: trends() };
		const columns = columns_of(p, state.view, state.thread), rows = view_rows(p, state, of, opened);
		of.units = units_of(p, columns, rows, of);
		of.most = {};
		for (const column of columns.filter(one => one.bar))
			of.most[column.key] = rows.reduce((most, row) => row.is_all ? most : Math.max(most, column.value(row, of) || 0), 0);
		table.setAttribute('role', state.view === 'tree' ? 'treegrid' : 'grid');
		table.setAttribute('aria-label', table_title());
		const sort = state.sort || default_sort(state.view);
		fill(head, element('tr', null, ...[zone_column(p, 'zone'), ...columns].map(column => heading(column, sort))));
		const shown = rows.slice(0, limit), had_focus = body.contains(document.activeElement);
		fill(body, ...shown.map(row => row_element(row, columns)));
		if (!rows.length)
			fill(body, element('tr', null, element('td', { colspan: columns.length + 1, class: 'none' },
				state.filter ? 'No match for “' + cut_text(state.filter, 60) + '”.' : 'No zones.')));
		const at = body.querySelector('tr[data-path="' + CSS.escape(focused) + '"]') || body.querySelector('tr[aria-selected="true"]') ||
			body.querySelector('tr[data-path]');
		if (at) {
			at.tabIndex = 0;
			if (had_focus)
				at.focus({ preventScroll: true });
		}
		const left = rows.length - shown.length;
		fill(more, left > 0 ? button('Show ' + plural(Math.min(left, 1000), 'more row') + ' of ' + grouped(rows.length), () => {
			limit += 1000;
			show();
		}) : null);
		show_words(rows);
	}
	function extremes_of() {
		if (state.view !== 'self' && state.view !== 'hier' || !p.lanes.length || !is_time(selection.measure()))
			return null;
		const v = selection.values();
		if (v.extremes === undefined || v.extremes_thread !== state.thread) {
			const span = selection.span() || [-Infinity, Infinity];
			v.extremes_thread = state.thread;
			v.extremes = calls_are_known(p, state.first, state.last, state.thread) ? calls_extremes(p, span[0], span[1], state.thread) : null;
		}
		return v.extremes;
	}
	let trends_key = '', trends_made = null;
	function trends() {
		const key = [state.last, state.thread, state.view === 'self', state.measure].join();
		if (key !== trends_key && state.view !== 'tree') {
			trends_key = key;
			trends_made = trends_of(p, state.last, state.thread, state.view === 'self', selection.measure());
		}
		return trends_made;
	}
	function table_title() {
		const name = cut_text(selection.measure().name, 60);
		const names = { self: 'Zones by self ' + name, hier: 'Zones by hierarchical ' + name, tree: 'Tree of stacks', graph: 'Call graph' };
		return names[state.view] + (state.view === 'graph' && of.focus ? ' of ' + cut_text(p.zones.shown[of.focus.zone], 100) : '');
	}
	function show_words(rows) {
		const sums = sums_of(p, selection.values(), state.thread), ms = ticks => full_time(of.measure, ticks, of.known);
		const zone_ms = ticks => full_time(of.measure, ticks, of.measure.is_of_slice ? UNKNOWN : of.known);
		note.textContent = [table_title(), selection.frames_text(), state.thread === ALL_THREADS ? 'all threads' :
			cut_text(p.threads.shown[state.thread], 40), plural(rows.length, 'row')].join(' · ');
		const busy = is_time(of.measure) ? sums.busy + sums.none : sums.busy; // as in the screen's line below a table
		fill(foot, element('span', null, is_time(of.measure) ? 'busy ' : 'in zones ', element('b', null, zone_ms(busy))),
			element('span', null, '(no zone ', element('b', null, ms(sums.none)), ')'),
			element('span', null, 'waits ', element('b', null, zone_ms(sums.waits))),
			of.focus && of.focus.recursive ? element('span', null, 'recursive entries ', element('b', null, grouped(of.focus.recursive)),
				', depth ', element('b', null, grouped(of.focus.depth))) : null,
			!state.waits && (state.view === 'self' || state.view === 'hier') ? element('span', { class: 'fine' }, 'waits are listed below') : null);
		kinds.set(state.view);
		unfold.hidden = state.view !== 'tree';
		if (filter.value !== state.filter)
			filter.value = state.filter;
	}

	// ---- acts
	function toggle(row, is_open) {
		opened.set(row.path, is_open);
		focused = row.path;
		show();
	}
	function select(row) {
		focused = row.path;
		if (row.is_all)
			return selection.change({ zone: -1, path: [] });
		const path = state.view === 'tree' ? row.path.split('/').filter(Boolean).map(Number) : [];
		selection.change(path.length ? { zone: row.zone, path } : { zone: row.zone });
	}
	body.addEventListener('click', event => {
		const tr = event.target.closest('tr[data-path]');
		if (!tr || String(getSelection()))
			return;
		if (event.target.closest('.fold') && tr.row.can_open)
			return toggle(tr.row, !tr.row.is_open);
		select(tr.row);
	});
	body.addEventListener('dblclick', event => {
		const tr = event.target.closest('tr[data-path]');
		if (tr && !tr.row.is_all)
			selection.change({ view: 'graph', zone: tr.row.zone, sort: '' });
	});
	const go = roving(body, () => [...body.querySelectorAll('tr[data-path]')], { of: 'tr' });
	body.addEventListener('keydown', event => {
		const tr = event.target.closest('tr[data-path]'), row = tr && tr.row;
		if (!row || event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key === 'ArrowRight' && row.can_open && !row.is_open)
			toggle(row, true);
		else if (event.key === 'ArrowRight' && row.is_open)
			go(tr.nextElementSibling);
		else if (event.key === 'ArrowLeft' && row.is_open)
			toggle(row, false);
		else if (event.key === 'ArrowLeft' && state.view === 'tree')
			go(body.querySelector('tr[data-path="' + CSS.escape(row.path.slice(0, row.path.lastIndexOf('/'))) + '"]') || tr);
		else if (event.key === 'Enter' || event.key === ' ')
			select(row);
		else if (event.key === 'g' && !row.is_all)
			selection.change({ view: 'graph', zone: row.zone, sort: '' });
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	});

	selection.on_change(changed => {
		if (changed.has('view') || changed.has('filter'))
			limit = ROWS_AT_FIRST, of.focus = null;
		if (['first', 'last', 'thread', 'zone', 'view', 'sort', 'filter', 'waits', 'measure'].some(key => changed.has(key)))
			show();
	});
	colours.listeners.push(() => show());
	show();
	return { show, focus_filter: () => filter.focus(), element: table };
}
