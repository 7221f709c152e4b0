// columns: of the table of zones, in proftop's words and order. A column more is a row here.
//
//   value(row, of)   what it is sorted by: a number, or undefined where it is not known or says nothing
//   text(value, of)  how it is written
//   of               {p, measure, known, known_of, values, total, view, extremes}: what the rows are of; known_of: by zone

const COLUMNS = [
	{ key: 'self', title: 'SELF', unit: true, help: 'Time in the zone itself. In the row of a caller: self time of the focus on its behalf.',
	  value: (row, of) => amount_value(row, of, row.self), text: time_text, bar: true },
	{ key: 'hier', title: 'HIER', unit: true, bar: true,
	  help: 'Hierarchical time (inclusive, total): in the zone and everything inside it. Recursion counts once.',
	  value: (row, of) => amount_value(row, of, row.hier), text: time_text },
	{ key: 'count', title: 'COUNT', help: 'Calls. In the row of a caller: all calls of the focus that go back to it. In the row of a child: ' +
	  'calls made directly from the focus.', value: (row, of) => row.is_all || !of.p.has_calls ? undefined : row.count, text: value => grouped(value) },
	{ key: 'direct', title: 'DIRECT', views: ['graph'], help: 'Calls that the caller made itself. A caller inside a recursion ' +
	  'has direct calls but no time.', value: (row, of) => of.p.has_calls ? row.direct : undefined, text: value => grouped(value) },
	{ key: 'frame', title: '%FRAME', help: '% of elapsed time, or of the amount of all threads. With merged threads, time may exceed 100 %.',
	  value: (row, of) => part_value(row, of, of.view === 'self' ? row.self : row.hier, of.values.whole),
	  text: value => fixed(100 * value, 1) + '%' },
	{ key: 'share', title: 'SHARE', help: 'Self: share of the self time of all zones in the table. Hier: share of all time. Graph: share of the ' +
	  'hierarchical time of the focus. Tree: share of the hierarchical time of the parent row.', value: share_value, text: value => fixed(100 * value, 1) + '%', bar: true },
	{ key: 'trend', title: 'TREND', views: ['self', 'hier', 'graph'], help: 'Time of the zone in each of the last 32 frames up to the selected ones, scaled to its own ' +
	  'peak. Sorted by this peak. In a call graph, it covers the whole zone.',
	  value: (row, of) => of.trends && of.trends.has(row.zone) && of.known !== UNKNOWN ? Math.max(...of.trends.get(row.zone)) : undefined,
	  draw: (row, of) => trend_picture(of.trends.get(row.zone)) },
	{ key: 'avg', title: 'AVG', unit: true, help: 'Time per call: HIER ÷ COUNT. If calls last over several frames, it may exceed MAX.', value: (row, of) => row.count && !row.is_all ? amount_value(row, of, row.hier / row.count) : undefined, text: time_text },
	{ key: 'avg-self', title: 'AVG SELF', unit: true, help: 'Self time per call.',
	  value: (row, of) => row.count && !row.is_all ? amount_value(row, of, row.self / row.count) : undefined, text: time_text },
	{ key: 'max', title: 'MAX', unit: true, help: 'The longest single call that ended in the covered time. It includes everything inside it.',
	  value: row => row.is_all || !row.longest || row.longest === Infinity ? undefined : row.longest, text: time_text },
	{ key: 'min', title: 'MIN', unit: true, calls: true, help: 'The shortest single call, if all selected calls are known.',
	  value: (row, of) => extreme(row, of, 'least'), text: time_text },
	{ key: 'min-self', title: 'MIN SELF', unit: true, calls: true, help: 'The minimum self time of a single call, likewise.',
	  value: (row, of) => extreme(row, of, 'least_self'), text: time_text },
	{ key: 'max-self', title: 'MAX SELF', unit: true, calls: true, help: 'The maximum self time of a single call, likewise.',
	  value: (row, of) => extreme(row, of, 'most_self'), text: time_text },
	{ key: 'thr', title: 'THR', help: 'Number of threads with time in the row.', value: row => row.threads, text: value => grouped(value) },
];

// Amounts of a slice as a whole belong to no known zone.
function amount_value(row, of, amount) {
	return of.known_of(row.zone) === UNKNOWN || (of.measure.is_of_slice && row.zone !== NO_ZONE) ? undefined : amount;
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
	for (const column of columns.filter(one => one.unit && !units[one.key])) {
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
	return COLUMNS.filter(column => (!column.views || column.views.includes(view)) &&
		(!column.calls || (p.lanes.length && (view === 'self' || view === 'hier'))) &&
		(column.key !== 'thr' || (thread === ALL_THREADS && p.threads.count > 1)));
}
