// SPDX-License-Identifier: MIT
// made_page: pages with data that no program made: REPORT is the folder of the page's source. What a document has is said in
// report/profile.js, and written by io/page/.
//
//     write_page(REPORT, FILE, made_document({frames, zones, …}))
'use strict';
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');

// The columns of zones and of Why, as a page of proftop names them.
const typed = ([key, title, kind]) => ({ key, title, kind, help: title });
const zone_columns = [['zone', 'ZONE', 'name'], ['self', 'SELF', 'ticks'], ['hier', 'HIER', 'ticks'], ['count', 'COUNT', 'number'], ['direct', 'DIRECT', 'number'],
	['frame', '%FRAME', 'ratio'], ['share', 'SHARE', 'ratio'], ['trend', 'TREND', 'spark'], ['heat', 'HEAT', 'real'], ['avg', 'AVG', 'ticks'],
	['avg-self', 'AVG SELF', 'ticks'], ['max', 'MAX', 'ticks'], ['thr', 'THR', 'number']].map(typed);
const why_columns = [['path', 'ZONE', 'words'], ['delta', 'DELTA', 'ticks'], ['word', 'WHY', 'words'], ['calls', 'FROM COUNT', 'ticks'],
	['cost', 'FROM SPEED', 'ticks'], ['carried', 'CARRIED', 'ticks'], ['count', 'COUNT', 'number'], ['self', 'SELF', 'ticks']].map(typed);
const worst_columns = [['frame', 'FRAME', 'frame'], ['length', 'LENGTH', 'ticks']].map(typed);

// The same numbers in every run.
function random_new(seed) {
	let state = seed >>> 0;
	return most => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor(state / 4294967296 * most);
	};
}

const differences = values => values.map((value, i) => i ? value - values[i - 1] : value);

// Zones 1 to n below one another in a tree that is four wide: node i + 1 is called by node i / 4.
// chain: each is called by the one before it.
function made_document({ frames = 10, zones = 12, cells = true, chain = false, threads = 1, names, file = 'made.c', losses = [], real_calls = true }) {
	const random = random_new(7 + frames + zones), d = { version: 1, made: { by: 'made_page', real_ns: 0 }, ticks_per_s: 1e9, origin: '0' };
	const count = zones + 1, parent = [-1], zone = [0];
	for (let i = 1; i < count; i++) {
		parent.push(chain ? i - 1 : i === 1 ? 0 : Math.floor((i - 2) / 4) + 1);
		zone.push(i);
	}
	d.process = { region: 'made', program: 'made', command: 'made --up', pid: 1, uid: 0, state: 'ended', started_ns: 1.7e18, frames };
	d.zones = { name: ['(no zone)'], file: [''], line: [0], flags: [0] };
	for (let i = 1; i < count; i++) {
		d.zones.name.push(names ? names[(i - 1) % names.length] : 'zone_' + i);
		d.zones.file.push(file);
		d.zones.line.push(i);
		d.zones.flags.push(i % 7 === 6 ? 1 : 0);
	}
	d.threads = { id: ['1'], tid: [1], name: [names ? names[0] : 'main'], state: ['ended'], marking: [1], several: [0], namesake: [0], shown: [1] };
	d.nodes = { parent, zone, thread: parent.map(() => 0) };
	for (let i = 1; i < threads; i++) { // that do nothing
		for (const [key, value] of Object.entries({ id: String(i + 1), tid: i + 1, name: 'worker', state: 'live', marking: 0, several: 0, namesake: 1, shown: 1 }))
			d.threads[key].push(value);
	}
	const run = { self: new Array(count).fill(0), count: new Array(count).fill(0), longest: new Array(count).fill(0) };
	const out = { number: [], start: [], length: [], flags: [], name: [], parts: [], held: [] }, part = { thread: [], flags: [], bound: [], end: [], cells: [] };
	const cell = { node: [], self: [], count: [], longest: [] }, spans = [];
	let now = 0;
	for (let f = 0; f < frames; f++) {
		const slow = random(50) === 0 ? 3 : 1;
		const held = cells === true || (cells && f % Math.ceil(frames / cells) === 0);
		let length = 16000000 + random(400000) * slow;
		if (held) {
			const self = parent.map(() => 1000 + random(2000000 / count) * slow), below = self.slice();
			for (let i = count; i-- > 1;)
				below[parent[i]] += below[i];
			length = below[0];
			for (let i = 0; i < count; i++) {
				cell.node.push(i ? 1 : 0);
				cell.self.push(self[i]);
				cell.count.push(i ? 1 : 0);
				cell.longest.push(i ? below[i] - self[i] : -self[i]);
				run.self[i] += self[i];
				run.count[i] += i ? 1 : 0;
				run.longest[i] = i ? Math.max(run.longest[i], below[i]) : 0;
			}
			if (real_calls && f < 100)
				made_spans(spans, parent, self, now);
			part.thread.push(0);
			part.flags.push(0);
			part.bound.push(0);
			part.end.push(length);
			part.cells.push(count);
		} else
			run.self[0] += length;
		out.number.push(1);
		out.start.push(0);
		out.length.push(length);
		out.flags.push(0);
		out.name.push(0);
		out.parts.push(held ? 1 : 0);
		out.held.push(held ? 1 : 0);
		now += length;
	}
	Object.assign(d, {
		now, covered: { whole: 1, frames_asked: 0, frame: 0, threads: 'all' }, budget: 17000000,
		run: { wall: now, elapsed: now, frames, time: [now, ...new Array(threads - 1).fill(0)], ...run }, frame_names: [], frames: out, parts: part, cells: cell,
		thinned: cells === true ? null : { frames, kept: part.cells.length, why: part.cells.length + ' of ' + frames + ' frames have their zones' },
		usual: { frame: frames ? 1 : 0 }, why: [], why_columns, why_amount_columns: [], worst_columns, zone_columns, samples: null, allocations: null, losses,
		said: cells === true ? [] : ['The other frames have their length alone.'],
		counters: frames ? [{ name: names ? names[1 % names.length] : 'enemies', real: 0, summed: 0, tracks: [{ thread: 0,
			tick: differences(Array.from({ length: Math.min(frames, 5000) }, (_, i) => Math.floor(now * i / Math.min(frames, 5000)))),
			last: Array.from({ length: Math.min(frames, 5000) }, (_, i) => i % 90), least: Array.from({ length: Math.min(frames, 5000) }, (_, i) => i % 90),
			most: Array.from({ length: Math.min(frames, 5000) }, (_, i) => i % 90), lost: [] }] }] : [],
		events: frames ? { names: ['level'], tick: [1000, 2000000, 1000], thread: [0, 0, 0], event: [0, -1, 0],
				   text: [names ? names.join(' ') : 'a note'] } : null,
		calls: spans.length ? made_calls(spans, now, frames <= 100) : null,
	});
	return d;
}

// A call of each zone once, one behind the other within its caller.
function made_spans(spans, parent, self, start) {
	const next = [], end = self.slice(), level = [];
	for (let i = parent.length; i-- > 1;)
		end[parent[i]] += end[i];
	next[0] = start;
	for (let i = 1; i < parent.length; i++) {
		level[i] = parent[i] ? level[parent[i]] + 1 : 0;
		(spans[level[i]] = spans[level[i]] || []).push([next[parent[i]], end[i], i]);
		next[i] = next[parent[i]];
		next[parent[i]] += end[i];
	}
}

function made_calls(spans, now, whole) {
	const last = Math.max(...spans.map(row => row[row.length - 1][0] + row[row.length - 1][1]));
	return { from: 0, whole: whole ? 1 : 0, left_out: 0, lanes: [{ thread: 0, known: [[0, whole ? now : last]], rows: spans.map(row => {
		row.sort((a, b) => a[0] - b[0]);
		return { begin: differences(row.map(span => span[0])), length: row.map(span => span[1]), node: row.map(span => span[2]), flags: row.map(() => 0) };
	}) }] };
}

function page_of(report, text, packed) {
	const list = fs.readFileSync(path.join(report, 'scripts.list'), 'utf8').split('\n').filter(line => line && !line.startsWith('#'));
	const read = name => fs.readFileSync(path.join(report, name), 'utf8');
	const bytes = packed ? zlib.gzipSync(text, { level: 1 }) : Buffer.from(text);
	const parts = {
		style: '<style>\n' + read('page.css') + '</style>',
		data: '<script id="data" type="application/octet-stream" data-encoding="' + (packed ? 'gzip' : 'none') + '">' + bytes.toString('base64') + '</script>',
		script: '<script>\n' + list.map(read).join('') + '</script>',
	};
	return read('page.html').split('\n').map(line => {
		const mark = line.match(/^<!-- (style|data|script) -->$/);
		return mark ? parts[mark[1]] : line;
	}).join('\n');
}

// Frames with zones that call themselves: two zones, each in the other.
function deep_document(depth) {
	const d = made_document({ frames: 3, zones: depth, chain: true, real_calls: true });
	d.nodes.zone = d.nodes.zone.map(zone => zone ? 1 + zone % 2 : 0);
	return d;
}

function write_page(report, file, made, packed = true) {
	fs.writeFileSync(file, page_of(report, typeof made === 'string' ? made : JSON.stringify(made), packed));
	return fs.statSync(file).size;
}

module.exports = { deep_document, made_document, write_page };
