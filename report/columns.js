// columns: of the table of zones, in proftop's words and order. A column more is a row here.
//
//   value(row, of)   what it is sorted by: a number, or undefined where it is not known or says nothing
//   text(value, of)  how it is written
//   of               {p, wall, total, view, extremes}: what the rows are of

const COLUMNS = [
	{ key: 'self', title: 'SELF', unit: 'ms', help: 'Time in the zone itself. Of a caller: the focus’ own time on its behalf.',
	  value: row => row.self, text: ms_text, bar: true },
	{ key: 'hier', title: 'HIER', unit: 'ms', bar: true,
	  help: 'Hierarchical time: in the zone and all that runs inside it, recursion counted once.',
	  value: row => row.hier, text: ms_text },
	{ key: 'count', title: 'COUNT', help: 'Entries. Of a caller: all entries of the focus that go back to it; of a child: those ' +
	  'made directly from the focus.', value: row => row.is_all ? undefined : row.count, text: value => grouped(value) },
	{ key: 'direct', title: 'DIRECT', views: ['graph'], help: 'Entries that the caller made itself; a caller inside a recursion ' +
	  'has these and no time.', value: row => row.direct, text: value => grouped(value) },
	{ key: 'frame', title: '%FRAME', help: 'The time that the view is about, of the wall time that is covered. With several ' +
	  'threads merged it may exceed 100 %.', value: (row, of) => of.wall ? (of.view === 'self' ? row.self : row.hier) / of.wall : undefined,
	  text: value => fixed(100 * value, 1) + '%' },
	{ key: 'share', title: 'SHARE', help: 'Self: of the self time of all zones in the table. Hier: of all time. Graph: of the hierarchical time of ' +
	  'the focus. Tree: of the hierarchical time of the row above.', value: share_value, text: value => fixed(100 * value, 1) + '%', bar: true },
	{ key: 'trend', title: 'TREND', views: ['self', 'hier', 'graph'], help: 'The zone’s time in each of the last 32 frames, up to the selected ones, of its ' +
	  'greatest there, by which it is sorted. In a call graph too it is of the whole zone.',
	  value: (row, of) => of.trends && of.trends.has(row.zone) ? Math.max(...of.trends.get(row.zone)) : undefined,
	  draw: (row, of) => trend_picture(of.trends.get(row.zone)) },
	{ key: 'avg', title: 'AVG', unit: 'µs', help: 'Hierarchical time an entry: HIER by COUNT, which may be more than MAX where ' +
	  'calls last over frame marks.', value: row => row.count && !row.is_all ? row.hier / row.count : undefined, text: us_text },
	{ key: 'avg-self', title: 'AVG SELF', unit: 'µs', help: 'Self time an entry.',
	  value: row => row.count && !row.is_all ? row.self / row.count : undefined, text: us_text },
	{ key: 'max', title: 'MAX', unit: 'ms', help: 'The longest single call, with all inside it, that ended in what is covered.',
	  value: row => row.is_all || !row.longest || row.longest === Infinity ? undefined : row.longest, text: ms_text },
	{ key: 'min', title: 'MIN', unit: 'µs', calls: true, help: 'The shortest single call; where each call of what is selected is known.',
	  value: (row, of) => extreme(row, of, 'least'), text: us_text },
	{ key: 'min-self', title: 'MIN SELF', unit: 'µs', calls: true, help: 'The least self time of a single call, likewise.',
	  value: (row, of) => extreme(row, of, 'least_self'), text: us_text },
	{ key: 'max-self', title: 'MAX SELF', unit: 'µs', calls: true, help: 'The most self time of a single call, likewise.',
	  value: (row, of) => extreme(row, of, 'most_self'), text: us_text },
	{ key: 'thr', title: 'THR', help: 'Threads with time in the row.', value: row => row.threads, text: value => grouped(value) },
];

function ms_text(value, of) {
	return fixed(ms_of(of.p, value), 3);
}

function us_text(value, of) {
	return fixed(ms_of(of.p, value) * 1000, 3);
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
		return of.total ? row.self / of.total : undefined;
	const whole = of.view === 'tree' ? (row.parent ? row.parent.hier : 0) : of.total;
	return whole ? row.hier / whole : undefined;
}

// Of a zone wherever it is called: in the flat views alone.
function extreme(row, of, which) {
	const found = of.extremes && (of.view === 'self' || of.view === 'hier') ? of.extremes.get(row.zone) : null;
	return found ? found[which] : undefined;
}

function columns_of(p, view, thread) {
	return COLUMNS.filter(column => (!column.views || column.views.includes(view)) &&
		(!column.calls || (p.lanes.length && (view === 'self' || view === 'hier'))) &&
		(column.key !== 'thr' || (thread === ALL_THREADS && p.threads.count > 1)));
}
