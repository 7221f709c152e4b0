// rows: what the table has in each view, in order: {…figures, level, path, kind, can_open, is_open}.

// A part of the name, in upper or lower case, or a regular expression after ~. An invalid expression is a part of a name.
let filter_words = '', filter_test = null;

function matches_filter(p, zone, filter) {
	if (filter !== filter_words) {
		const part = filter.toLowerCase();
		filter_words = filter;
		filter_test = name => name.toLowerCase().includes(part);
		try {
			const expression = filter.startsWith('~') && filter.length > 1 ? new RegExp(filter.slice(1), /[A-Z]/.test(filter) ? '' : 'i') : null;
			filter_test = expression ? name => expression.test(name) : filter_test;
		} catch (error) {
			filter_test = name => name.toLowerCase().includes(part);
		}
	}
	return filter_test(p.zones.shown[zone]);
}

// state.sort is a column's key, '-' in front for the other direction; names ascend, numbers descend.
function row_order(of, sort) {
	const is_back = sort.startsWith('-'), key = is_back ? sort.slice(1) : sort;
	const wanted = zone_column(of.p, key);
	const name = (a, b) => of.p.zones.shown[a.zone].localeCompare(of.p.zones.shown[b.zone]) || a.zone - b.zone;
	const none = is_back ? Infinity : -Infinity;
	const number = row => {
		const value = wanted.value(row, of);
		return value === undefined ? none : value;
	};
	const compare = key === 'zone' || !wanted ? name : (a, b) => number(b) === number(a) ? name(a, b) : number(b) > number(a) ? 1 : -1;
	return is_back ? (a, b) => -compare(a, b) : compare;
}

function default_sort(view) {
	return view === 'self' ? 'self' : 'hier';
}

// A wait or no zone: told apart, below the table.
function is_work(p, row) {
	return row.zone !== NO_ZONE && !p.zones.waits[row.zone];
}

function flat_view_rows(p, state, of, order) {
	const all = flat_rows(p, of.values, state.thread);
	of.total = state.view === 'self' ? all.reduce((sum, row) => sum + (state.waits || is_work(p, row) ? row.self : 0), 0) :
		all.reduce((sum, row) => sum + row.self, 0);
	return all.filter(row => (state.waits || is_work(p, row)) && (!state.filter || matches_filter(p, row.zone, state.filter)))
		.sort(order).map(row => ({ ...row, level: 1, path: String(row.zone) }));
}

// Callers above, the largest next to the focus, children below: proftop's order.
function graph_view_rows(p, state, of, order) {
	const zone = graph_focus(p, state, of);
	if (zone < 0)
		return [];
	const { focus, callers, children } = graph_of(p, of.values, state.thread, zone);
	of.total = focus.hier;
	of.focus = focus;
	const fits = row => !state.filter || matches_filter(p, row.zone, state.filter);
	const kind = (rows, name) => rows.filter(fits).sort(order).map(row => ({ ...row, level: 1, kind: name, path: name + row.zone }));
	return [...kind(callers, 'caller').reverse(), { ...focus, level: 1, kind: 'focus', path: 'focus' }, ...kind(children, 'child')];
}

// Without a zone the graph is of the one with most time that does not wait.
function graph_focus(p, state, of) {
	if (state.zone >= 0)
		return state.zone;
	const rows = flat_rows(p, of.values, state.thread).filter(row => is_work(p, row));
	return rows.reduce((best, row) => !best || row.hier > best.hier ? row : best, null)?.zone ?? -1;
}

// opened: by path, what a user opened or closed; else what is large is open.
function tree_view_rows(p, state, of, order, opened) {
	const root = tree_of(p, of.values, state.thread), rows = [];
	of.total = root.hier;
	const busy = sums_of(p, of.values, state.thread).busy || root.hier;
	const kept = state.filter ? tree_filtered(p, root, state.filter) : null;
	if (kept && kept.size === 1)
		return rows;
	const add = (row, path) => {
		const below = row.children.filter(child => (!kept || kept.has(child)) &&
			(state.waits || !p.zones.waits[child.zone] || child.children.length));
		const is_open = kept ? true : opened.has(path) ? opened.get(path) : row.level < 6 && row.hier >= busy * 0.03;
		rows.push({ ...row, level: row.level + 1, path, is_all: !row.parent, can_open: below.length > 0, is_open: below.length > 0 && is_open,
			    is_match: kept ? matches_filter(p, row.zone, state.filter) : false });
		if (is_open)
			for (const child of below.sort(order))
				add(child, path + '/' + child.zone);
	};
	add(root, '');
	return rows;
}

// The rows that match, and what stands above them.
function tree_filtered(p, root, filter) {
	const kept = new Set([root]), all = [root];
	for (let i = 0; i < all.length; i++)
		all.push(...all[i].children);
	for (const row of all)
		if (row.parent && matches_filter(p, row.zone, filter))
			for (let at = row; at && !kept.has(at); at = at.parent)
				kept.add(at);
	return kept;
}

function view_rows(p, state, of, opened) {
	const order = row_order(of, state.sort || default_sort(state.view));
	if (state.view === 'tree')
		return tree_view_rows(p, state, of, order, opened);
	return state.view === 'graph' ? graph_view_rows(p, state, of, order) : flat_view_rows(p, state, of, order);
}
