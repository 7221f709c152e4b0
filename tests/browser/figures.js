// SPDX-License-Identifier: MIT
// figures PROFTOP SOURCE PAGE: the page's figures are those of `proftop report -j`, to the tick: of the whole run, and of every frame
// (FRAMES of them, evenly spread, where that is set).
//
// The page computes all of it; what it shows in its table is compared with that for a few frames. The same of each other measure
// that the page has.
'use strict';
const { execFileSync } = require('child_process');
const { check, same, open, drawn, main } = require('./browser.js');

const [, , proftop, source, file] = process.argv;

function report(view, at, options) {
	const words = [...(view === 'why' ? ['why'] : ['report', '-v', view]), '-j', ...(options || []), source + (at ? '@' + at : '')];
	return JSON.parse(execFileSync(proftop, words, { maxBuffer: 1 << 30, encoding: 'utf8' }));
}

const word = row => row.map(value => value === null || value === undefined ? '-' : value).join(' ');

// Rows of -j as lines: zone, place, self, hier, count, threads are not in -j; max where it is known.
function line(row, more) {
	return word([row.zone, row.file + ':' + row.line, row.self, row.hier, row.count, row.max, ...(more || [])]);
}

function level_lines(rows) {
	const paths = [];
	return rows.map((row, i) => {
		paths[i] = row.parent === null ? '' : paths[row.parent] + '/' + row.zone + '@' + row.file + ':' + row.line;
		return line(row, [paths[i]]);
	}).sort();
}

function expected(at, zone, measure) {
	const more = measure ? ['--measure', measure] : [];
	const flat = report('self', at, more), graph = zone ? report('graph', at, ['-z', zone, ...more]).graph : null;
	const there = row => row.self || row.hier || row.count;
	return {
		wall: flat.covered.wall,
		times: flat.threads.map(thread => measure ? thread.amount : thread.time),
		flat: flat.rows.filter(there).map(row => line(row)).sort(),
		tree: level_lines(report('tree', at, more).rows),
		graph: graph && { focus: line(graph.focus, [graph.focus.direct, graph.focus.recursive, graph.depth]),
				  callers: graph.callers.map(row => line(row, [row.direct])).sort(),
				  children: graph.children.map(row => line(row, [row.direct])).sort() },
	};
}

// The same of the page. The zone is named by name and place.
function computed({ number, zone, key }) {
	const p = proftop.profile, all = proftop.ALL_THREADS, f = proftop.figures;
	const at = Array.from(p.frames.number).indexOf(number), measure = key ? p.measures.find(one => one.key === key) : p.measures[0];
	const v = number ? f.values_of_frames(p, at, at, measure) : f.values_of_run(p, measure), UNKNOWN = 2;
	const known_of = f.zones_known(p, v, all);
	// What a slice has as a whole belongs to no known zone, nor to a caller of one.
	const amount = (row, value) => known_of(row.zone) === UNKNOWN || (measure.is_of_slice && (row.zone || row.is_caller)) ? '-' : value;
	const line = (row, more) => [p.zones.name[row.zone], p.zones.file[row.zone] + ':' + p.zones.line[row.zone], amount(row, row.self),
		amount(row, row.hier), row.count, key || row.longest === Infinity ? '-' : row.longest, ...(more || [])].join(' ');
	const tree = [], walk = (row, path) => {
		tree.push(line(row, [path]));
		row.children.forEach(child => walk(child, path + '/' + p.zones.name[child.zone] + '@' + p.zones.file[child.zone] + ':' + p.zones.line[child.zone]));
	};
	walk(f.tree_of(p, v, all), '');
	const index = zone ? p.zones.name.indexOf(zone) : -1, graph = index >= 0 ? f.graph_of(p, v, all, index) : null;
	return {
		wall: v.wall, times: Array.from(v.time, (time, i) => f.values_known(p, v, i) === UNKNOWN ? null : time), flat: f.flat_rows(p, v, all).map(row => line(row)).sort(), tree: tree.sort(),
		graph: graph && { focus: line(graph.focus, [graph.focus.direct, graph.focus.recursive, graph.focus.depth]),
				  callers: graph.callers.map(row => line({ ...row, is_caller: true }, [row.direct])).sort(),
				  children: graph.children.map(row => line(row, [row.direct])).sort() },
		sums: f.sums_of(p, v, all),
	};
}

function differ(what, got, wanted) {
	const there = new Set(wanted), here = new Set(got);
	const more = got.filter(one => !there.has(one)), less = wanted.filter(one => !here.has(one));
	check(what, !more.length && !less.length && got.length === wanted.length, 'page: ' + more.slice(0, 3).join(' | ') + '   -j: ' + less.slice(0, 3).join(' | '));
}

function compare(what, got, wanted) {
	same(what + ': wall', got.wall, wanted.wall);
	same(what + ': times of threads', got.times, wanted.times);
	differ(what + ': flat', got.flat, wanted.flat);
	differ(what + ': tree', got.tree, wanted.tree);
	if (wanted.graph) {
		same(what + ': focus of the graph', got.graph.focus, wanted.graph.focus);
		differ(what + ': callers', got.graph.callers, wanted.graph.callers);
		differ(what + ': children', got.graph.children, wanted.graph.children);
	}
}

// The exact figures that the table shows, by zone and column.
function shown_rows() {
	return [...document.querySelectorAll('#zones tbody tr[data-zone]')].map(tr => [Number(tr.dataset.zone),
		...['self', 'hier', 'count'].map(key => Number(tr.querySelector('td.' + key).dataset.value))]);
}

async function compare_shown(page, number) {
	await page.evaluate(number => {
		const at = Array.from(proftop.profile.frames.number).indexOf(number);
		proftop.selection.change({ first: at, last: at, view: 'self', sort: '', waits: true, filter: '', measure: 'self' });
	}, number);
	await drawn(page);
	const rows = await page.evaluate(shown_rows), names = await page.evaluate(() => [proftop.profile.zones.name, proftop.profile.zones.file, proftop.profile.zones.line]);
	const lines = rows.map(([zone, ...values]) => [names[0][zone], names[1][zone] + ':' + names[2][zone], ...values].join(' ')).sort();
	const wanted = report('self', number).rows.filter(row => row.self || row.hier || row.count).map(row => word([row.zone, row.file + ':' + row.line, row.self, row.hier, row.count]));
	if (lines.length < wanted.length) { // a long table shows its first rows
		const there = new Set(wanted);
		check('frame ' + number + ': what the table shows', lines.length >= 200 && lines.every(one => there.has(one)), lines.filter(one => !there.has(one)).slice(0, 3));
	} else
		differ('frame ' + number + ': what the table shows', lines, wanted);
}

// Why a frame took so long: what is worked out here and what proftop put in have the same rows.
async function compare_why(page) {
	const found = await page.evaluate(() => {
		const p = proftop.profile, results = [];
		for (const [number, given] of [...p.why]) {
			const at = Array.from(p.frames.number).indexOf(number);
			p.why.delete(number);
			const own = proftop.figures.why_of(p, at);
			p.why.set(number, given);
			if (!own || given.base !== own.base)
				continue;
			const lines = rows => rows.map(row => [row.thread, proftop.figures.collapsed_stack(p, row.node).join('/'), row.difference, row.word, row.calls, row.cost, row.carried, row.calls_here, row.calls_usual].join(' ')).sort();
			const cut = given.threads.some(thread => thread.left_out);
			const off = why => why.said.filter(text => text.startsWith('did not run')).map(text => text.replace('-', '−'));
			results.push({ number, cut, said: off(given), own_said: off(own), is_at_most: given.rows.some(row => row.word.includes('at most')), given: lines(given.rows), own: lines(own.rows),
				       given_sums: given.threads.map(one => [one.thread, one.delta, one.sum, one.waiting]), own_sums: own.threads.map(one => [one.thread, one.delta, one.sum, one.waiting]) });
		}
		return results;
	});
	for (const one of found) {
		if (one.cut) {
			const own = new Set(one.own);
			check('why ' + one.number + ': each row', one.given.every(row => own.has(row)), one.given.filter(row => !own.has(row)).slice(0, 3));
		} else
			differ('why ' + one.number, one.own, one.given);
		const order = rows => rows.slice().sort((a, b) => a[0] - b[0]);
		same('why ' + one.number + ': how long it did not run', one.own_said, one.said);
		same('why ' + one.number + ': sums', order(one.own_sums.filter(sum => one.given_sums.some(other => other[0] === sum[0]))), order(one.given_sums));
	}
	const how_many = key => found.filter(one => one[key].length || one[key] === true).length;
	console.log('why of ' + found.length + ' frames compared, ' + how_many('said') + ' say how long the thread did not run, ' + how_many('is_at_most') + ' have rows with at most');
}

// The headings of the table have the titles of the report as text, and the help of the sort keys.
async function compare_headings(page) {
	const text = (...words) => execFileSync(proftop, ['report', ...words], { encoding: 'utf8' });
	const titles = text('-v', 'self', source).split('\n').find(one => one.includes(' SELF')), help = text('-s', 'help').split('\n');
	const heads = await page.evaluate(() => [...document.querySelectorAll('#zones thead button')].map(one => [one.dataset.key, one.title, one.firstChild.data]));
	for (const key of ['self', 'hier', 'count', 'frame', 'avg', 'max']) {
		const [, sentence, title] = heads.find(one => one[0] === key) || [];
		check('help of ' + key, sentence && help.includes(key.padEnd(13) + sentence), sentence);
		check('title of ' + key, title && titles.includes(' ' + title), title + ' is not in ' + titles);
	}
}

// One thread alone, if it is the only one of its name.
async function compare_threads(page, number) {
	const names = await page.evaluate(() => proftop.profile.threads.name);
	for (const [i, name] of names.entries()) {
		if (!name || names.indexOf(name) !== names.lastIndexOf(name) || /[\\]/.test(name) || i > 4)
			continue;
		const got = await page.evaluate(({ number, i }) => {
			const p = proftop.profile, at = Array.from(p.frames.number).indexOf(number), f = proftop.figures;
			const v = number ? f.values_of_frames(p, at, at) : f.values_of_run(p);
			return f.flat_rows(p, v, i).map(row => [p.zones.name[row.zone], p.zones.file[row.zone] + ':' + p.zones.line[row.zone], row.self, row.hier, row.count,
				row.longest === Infinity ? '-' : row.longest].join(' ')).sort();
		}, { number, i });
		const wanted = report('self', number, ['-t', name]).rows.filter(row => row.self || row.hier || row.count).map(row => line(row)).sort();
		differ((number ? 'frame ' + number : 'the whole run') + ', thread ' + name, got, wanted);
	}
}

// Busy in the page's head is busy in the screen's title: frames without the declared waits of the thread that marks them.
async function compare_busy(page) {
	const [name, frames, busy, waits] = await page.evaluate(() => {
		const p = proftop.profile, f = proftop.figures, i = p.threads.marking.findIndex(Boolean);
		const is_alone = i >= 0 && p.threads.name.indexOf(p.threads.name[i]) === p.threads.name.lastIndexOf(p.threads.name[i]);
		return is_alone ? [p.threads.name[i], p.run.frames, f.head_busy(p), p.zones.name.filter((_, zone) => p.zones.waits[zone])] : [''];
	});
	if (!name || !frames || /[\\]/.test(name))
		return;
	const flat = report('self', 0, ['-t', name]);
	const waiting = flat.rows.filter(row => waits.includes(row.zone)).reduce((sum, row) => sum + row.self, 0);
	same('busy of the head', Math.round(busy * frames), flat.covered.wall - waiting);
}

// Another measure than time: the computed figures, and those of the table.
async function compare_measure(page, key, number, zone) {
	const what = key + (number ? ' of frame ' + number : ' of the whole run');
	compare(what, await page.evaluate(computed, { number, zone, key }), expected(number, zone, key));
	await page.evaluate(({ number, key }) => {
		const at = Array.from(proftop.profile.frames.number).indexOf(number);
		proftop.selection.change({ first: at, last: at, view: 'self', sort: '', waits: true, filter: '', measure: key });
	}, { number, key });
	await drawn(page);
	const shown = await page.evaluate(() => [...document.querySelectorAll('#zones tbody tr[data-zone]')].map(tr => [
		proftop.profile.zones.name[Number(tr.dataset.zone)], ...['self', 'hier'].map(key => tr.querySelector('td.' + key)).map(td =>
			td.textContent === '–' ? '-' : (td.textContent.startsWith('≥') ? '≥' : '') + td.dataset.value)].join(' ')).sort());
	const rows = report('self', number, ['--measure', key]).rows.filter(row => row.self || row.hier || row.count);
	const wanted = rows.map(row => [row.zone, ...[row.self, row.hier].map(value => value === null ? '-' :
		(row.lower_bound ? '≥' : '') + value)].join(' ')).sort();
	if (shown.length >= 200) // a long table shows its first rows
		check(what + ', as it is shown', shown.every(one => wanted.includes(one)), shown.filter(one => !wanted.includes(one)).slice(0, 3));
	else
		differ(what + ', as it is shown', shown, wanted);
}

main(async () => {
	const page = await open(file);
	const zones = await page.evaluate(() => {
		const p = proftop.profile, rows = proftop.figures.flat_rows(p, proftop.figures.values_of_run(p), proftop.ALL_THREADS);
		const alone = rows.filter(row => row.zone && p.zones.name.indexOf(p.zones.name[row.zone]) === p.zones.name.lastIndexOf(p.zones.name[row.zone]));
		return alone.sort((a, b) => b.hier - a.hier).slice(0, 5).map(row => p.zones.name[row.zone]);
	});
	const zone_of = i => zones.length ? zones[i % zones.length] : '';
	compare('the whole run', await page.evaluate(computed, { number: 0, zone: zone_of(0) }), expected(0, zone_of(0)));
	const frames = await page.evaluate(() => Array.from(proftop.profile.frames.number).filter((_, i) => proftop.profile.frames.held[i] && !(proftop.profile.frames.flags[i] & 1)));
	const step = process.env.FRAMES ? Math.max(1, Math.floor(frames.length / Number(process.env.FRAMES))) : 1;
	let compared = 0;
	for (let i = 0; i < frames.length; i += step, compared++)
		compare('frame ' + frames[i], await page.evaluate(computed, { number: frames[i], zone: zone_of(i) }), expected(frames[i], zone_of(i)));
	console.log(compared + ' of ' + frames.length + ' frames compared');
	for (const i of [0, frames.length >> 1, frames.length - 1])
		if (frames[i] !== undefined)
			await compare_shown(page, frames[i]);
	same('where nothing but the root has time there is nothing else in the tree', await page.evaluate(() => {
		const p = proftop.profile, v = proftop.figures.values_of_run(p);
		v.self.fill(0);
		v.count.fill(0);
		v.self[0] = 1;
		return proftop.figures.tree_of(p, v, 0).children.length;
	}), 0);
	for (const number of [0, frames[frames.length >> 1]])
		if (number !== undefined)
			await compare_threads(page, number);
	await compare_busy(page);
	await compare_why(page);
	await compare_headings(page);
	const keys = await page.evaluate(() => proftop.profile.measures.map(measure => measure.key).filter(key => key !== 'self'));
	for (const key of keys)
		for (const [i, number] of [0, ...frames.filter((_, i) => i % step === 0).slice(0, 12)].entries())
			await compare_measure(page, key, number, zone_of(i));
	await page.close_well();
});
