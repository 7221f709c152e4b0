// columns: cells of the table of zones. Key, title, kind and help of a column are the document's, which has them from
// model/report/columns.c, as all outputs of proftop. A column that has no row here is not in the page.
//
//   value(row, of)   what it is sorted by: a number, or undefined where it is not known or says nothing
//   views            that have it; without it, all
//   more             a sentence behind its help
//   of               {p, measure, known, known_of, values, total, view, extremes}: what the rows are of; known_of: by zone

const ZONE_CELLS = {
	zone: {},
	self: { value: (row, of) => amount_value(row, of, row.self), bar: true },
	hier: { value: (row, of) => amount_value(row, of, row.hier), bar: true },
	count: { value: (row, of) => row.is_all || !of.p.has_calls ? undefined : row.count },
	direct: { views: ['graph'], value: (row, of) => of.p.has_calls ? row.direct : undefined },
	frame: { value: (row, of) => part_value(row, of, of.view === 'self' ? row.self : row.hier, of.values.whole) },
	share: { value: share_value, bar: true, more: ' Self: share of the self time of all zones in the table. Hier: share of all time. ' +
	  'Tree: share of the hierarchical time of the parent row.' },
	trend: { views: ['self', 'hier', 'graph'], value: (row, of) => of.trends && of.trends.has(row.zone) && of.known !== UNKNOWN ?
	  Math.max(...of.trends.get(row.zone)) : undefined },
	avg: { value: (row, of) => row.count && !row.is_all ? amount_value(row, of, row.hier / row.count) : undefined },
	'avg-self': { value: (row, of) => row.count && !row.is_all ? amount_value(row, of, row.self / row.count) : undefined },
	max: { value: row => row.is_all || !row.longest || row.longest === Infinity ? undefined : row.longest },
	thr: { value: row => row.threads },
};

// Of the single calls, which the page alone looks through.
const CALL_COLUMNS = [['min', 'MIN', 'least', 'The shortest single call, if all selected calls are known.'],
	['min-self', 'MIN SELF', 'least_self', 'The minimum self time of a single call, likewise.'],
	['max-self', 'MAX SELF', 'most_self', 'The maximum self time of a single call, likewise.']]
	.map(([key, title, which, help]) => ({ key, title, kind: 'ticks', help, value: (row, of) => extreme(row, of, which) }));

function zone_columns_of(columns) {
	const known = columns.filter(column => ZONE_CELLS[column.key]).map(column => {
		const cell = ZONE_CELLS[column.key];
		return { ...column, ...cell, help: column.help + (cell.more || '') };
	});
	return known.flatMap(column => column.key === 'max' ? [column, ...CALL_COLUMNS] : column);
}

function zone_column(p, key) {
	return p.zone_columns.find(column => column.key === key);
}

function zone_cell_text(column, value, row, of) {
	return column.kind === 'ticks' ? time_text(value, of, column, row) : column.kind === 'number' ? grouped(value) : TYPED_TEXT[column.kind](value);
}

// Amounts of a slice as a whole belong to no known zone.
function amount_value(row, of, amount) {
	return of.known_of(row.zone) === UNKNOWN || (of.measure.is_of_slice && (row.zone !== NO_ZONE || row.kind === 'caller')) ? undefined : amount;
}

// A lower bound has no share.
function part_value(row, of, amount, whole) {
	return whole && of.known === KNOWN && amount_value(row, of, amount) !== undefined ? amount / whole : undefined;
}

function time_text(value, of, column, row) {
	return (of.known_of(row.zone) === LEAST ? '≥' : '') + time_in(of.measure, value, of.units[column.key]);
}

// By column: the unit of its times, which those of zones that wait have no part in.
function units_of(p, columns, rows, of) {
	const unit = (middle, most) => unit_for_many(of.measure, middle, most);
	const both = unit(of.values.whole / 10, of.values.whole), units = { self: both, hier: both }; // of these one is read beside the other
	for (const column of columns.filter(one => one.kind === 'ticks' && !units[one.key])) {
		const values = rows.filter(row => !row.is_all && is_work(p, row)).map(row => column.value(row, of)).filter(value => value > 0).sort((a, b) => a - b);
		const longest = rows.reduce((most, row) => Math.max(most, column.value(row, of) || 0), 0);
		units[column.key] = values.length ? unit(values[(values.length - 1) >> 1], values[values.length - 1]) : unit(longest / 10, longest);
	}
	for (const key of ['avg', 'min', 'max'])
		if (units[key] && units[key + '-self'])
			units[key + '-self'] = units[key]; // never the smaller one
	return units;
}

// Bars, the last one at the right.
function trend_picture(values) {
	const most = Math.max(...values), space = 'http://www.w3.org/2000/svg', svg = document.createElementNS(space, 'svg');
	const path = document.createElementNS(space, 'path'), left = TREND_FRAMES - values.length;
	path.setAttribute('d', Array.from(values, (value, i) => {
		const high = most ? Math.max(value ? 0.6 : 0, 12 * value / most) : 0;
		return high ? 'M' + (left + i) * 3 + ' ' + (13 - high).toFixed(1) + 'h2V13h-2z' : '';
	}).join(''));
	svg.setAttribute('viewBox', '0 0 ' + TREND_FRAMES * 3 + ' 13');
	svg.setAttribute('aria-hidden', 'true');
	svg.append(path);
	return svg;
}

function share_value(row, of) {
	if (of.view === 'self')
		return part_value(row, of, row.self, of.total);
	return part_value(row, of, row.hier, of.view === 'tree' ? (row.parent ? row.parent.hier : 0) : of.total);
}

// Extremes of a zone wherever it is called: the flat views alone have them.
function extreme(row, of, which) {
	const found = of.extremes && (of.view === 'self' || of.view === 'hier') ? of.extremes.get(row.zone) : null;
	return found ? found[which] : undefined;
}

function columns_of(p, view, thread) {
	return p.zone_columns.filter(column => column.value && (!column.views || column.views.includes(view)) &&
		(!CALL_COLUMNS.includes(column) || (p.lanes.length && (view === 'self' || view === 'hier'))) &&
		(column.key !== 'thr' || (thread === ALL_THREADS && p.threads.count > 1)));
}
