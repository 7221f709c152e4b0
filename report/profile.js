// profile: what the document says, as columns that figures can be made of.
//
// Times are ticks since the run began (`origin` in the document says when that was), so that all of them are integers that
// a double has exactly, below 2^53: 34 days of a run at 3 GHz. Whatever does not fit is counted in `inexact`, and the page
// says so. Columns of points in time are differences, each to the one before.
//
//     frames   number start length flags name | part_begin          frame i has parts part_begin[i] .. part_begin[i + 1]
//     parts    thread flags bound end         | cell_begin          likewise
//     cells    node self count longest                              longest: Infinity where it is not known
//
// Views show one measure at a time: time, entries, or one that only some programs and traces have.
//
//     measures   key unit ticks_per_s run | begin node value lacks  part i has the amounts begin[i] .. begin[i + 1] of these nodes;
//                                                                   lacks[i]: it is not known how much the part has

const NO_ZONE = 0;
const ZONE_WAITING = 1;
const FRAME = { DISCARDED: 1, BOUNDED: 2, SLOW: 4, GUESSED: 8, KEPT: 16, TIMER: 32 };
const PART = { MISSING: 1, LAPPED: 2, MERGED: 4, INFERRED: 8, DISCARDED: 16, EXIT: 32, KEPT: 64, LOSSY: 128 };
const SPAN = { CUT_BEGIN: 1, CUT_END: 2, RUNNING: 4, RESUMED: 8, SUSPENDED: 16, LEFT_OPEN: 32 };

let inexact = 0;

function exact_number(value) {
	if (typeof value !== 'string')
		return value;
	const number = Number(value);
	if (!Number.isSafeInteger(number))
		inexact++;
	return number;
}

function column(values) {
	const made = new Float64Array(values.length);
	for (let i = 0; i < values.length; i++)
		made[i] = exact_number(values[i]);
	return made;
}

function small_column(values) {
	return Int32Array.from(values);
}

function running_sums(values) {
	const made = new Float64Array(values.length);
	let at = 0;
	for (let i = 0; i < values.length; i++)
		made[i] = at += exact_number(values[i]);
	return made;
}

// Where the things of each begin, and behind the last one their number.
function begins(counts) {
	const made = new Int32Array(counts.length + 1);
	for (let i = 0; i < counts.length; i++)
		made[i + 1] = made[i] + counts[i];
	return made;
}

// A frame's start is said as its distance from the end of the one before.
function frames_of(d) {
	const length = column(d.length), start = new Float64Array(length.length);
	for (let i = 0; i < length.length; i++)
		start[i] = (i ? start[i - 1] + length[i - 1] : 0) + exact_number(d.start[i]);
	return {
		count: length.length, number: running_sums(d.number), start, length, flags: small_column(d.flags),
		name: small_column(d.name), held: small_column(d.held), part_begin: begins(d.parts),
	};
}

function parts_of(d, frames) {
	const bound = column(d.bound), end = column(d.end);
	for (let frame = 0; frame < frames.count; frame++)
		for (let i = frames.part_begin[frame]; i < frames.part_begin[frame + 1]; i++) {
			bound[i] += frames.start[frame];
			end[i] += bound[i];
		}
	return { thread: small_column(d.thread), flags: small_column(d.flags), bound, end, cell_begin: begins(d.cells) };
}

function cells_of(d, parts) {
	const node = new Int32Array(d.node.length), self = column(d.self), longest = new Float64Array(d.node.length);
	for (let part = 0; part + 1 < parts.cell_begin.length; part++)
		for (let i = parts.cell_begin[part], at = 0; i < parts.cell_begin[part + 1]; i++)
			node[i] = at += d.node[i];
	for (let i = 0; i < longest.length; i++)
		longest[i] = d.longest[i] === null ? Infinity : self[i] + exact_number(d.longest[i]);
	return { node, self, count: column(d.count), longest };
}

function run_of(d) {
	const longest = column(d.longest);
	for (let i = 0; i < longest.length; i++)
		if (longest[i] < 0)
			longest[i] = Infinity;
	return { wall: exact_number(d.wall), elapsed: exact_number(d.elapsed), frames: exact_number(d.frames), time: column(d.time), self: column(d.self),
		 count: column(d.count), longest };
}

const TIME_KEY = 'self';

// How much is known of an amount: all of it, a part of it, nothing.
const KNOWN = 0, LEAST = 1, UNKNOWN = 2;

// Amounts of each part: `cells` says how many it has; −1: they are not known.
function amounts_of(d, parts) {
	const begin = begins(d.cells.map(count => Math.max(0, count))), node = new Int32Array(d.node.length);
	for (let part = 0; part + 1 < begin.length && part < parts.thread.length; part++)
		for (let i = begin[part], at = 0; i < begin[part + 1]; i++)
			node[i] = at += d.node[i];
	return { begin, node, value: column(d.value), lacks: d.cells.map(count => count < 0), run: d.run && column(d.run), known: d.known };
}

// The first two are in each document.
function measures_of(d, parts, cells, run, ticks_per_s, threads, has_calls) {
	const entries_known = has_calls ? {} : { lacks: Array.from(parts.thread, () => true), known: threads.id.map(() => UNKNOWN) };
	const of_cells = { begin: parts.cell_begin, node: cells.node, is_of_slice: false };
	return [{ key: TIME_KEY, name: 'time', unit: 'ticks', ticks_per_s, help: 'Time in the zone.', ...of_cells, value: cells.self, run: run.self },
		{ key: 'entries', name: 'entries', unit: 'count', ticks_per_s: 1, help: 'Calls: how often the zone was entered.', ...of_cells,
		  value: cells.count, run: run.count, ...entries_known },
		...(d || []).map(one => ({ key: one.key, name: one.key, unit: one.unit, help: one.help, is_of_slice: Boolean(one.of_slice), is_hidden: Boolean(one.hidden),
			ticks_per_s: one.unit === 'ticks' ? ticks_per_s : one.unit === 'ns' ? 1e9 : 1, ...amounts_of(one, parts) }))];
}

function is_time(measure) {
	return measure.key === TIME_KEY;
}

// By node the nodes below it; nodes stand behind their parents.
function nodes_of(d) {
	const parent = small_column(d.parent), zone = small_column(d.zone), thread = small_column(d.thread);
	return { count: parent.length, parent, zone, thread };
}

// As little of a file's path as tells zones of one name and line apart would be better; the last part does for most.
function zone_names(d) {
	const seen = new Map();
	for (const name of d.name)
		seen.set(name, (seen.get(name) || 0) + 1);
	return d.name.map((name, i) => {
		const file = d.file[i] || '';
		if (i === NO_ZONE || seen.get(name) === 1 || !file)
			return name;
		const alike = d.name.some((other, k) => k !== i && other === name && d.line[k] === d.line[i] &&
			String(d.file[k]).split('/').pop() === file.split('/').pop());
		return name + ' (' + (alike ? file : file.split('/').pop()) + ':' + d.line[i] + ')';
	});
}

function zones_of(d) {
	return { count: d.name.length, name: d.name, file: d.file, line: d.line, flags: small_column(d.flags),
		 shown: zone_names(d), waits: Array.from(d.flags, flags => Boolean(flags & ZONE_WAITING)) };
}

// Threads of one name are told apart by their number among them.
function thread_names(d) {
	const of_name = new Map();
	d.name.forEach(name => of_name.set(name, (of_name.get(name) || 0) + 1));
	const so_far = new Map();
	return d.name.map((name, i) => {
		if (!name)
			return 'thread ' + (d.tid[i] || d.id[i]);
		so_far.set(name, (so_far.get(name) || 0) + 1);
		return of_name.get(name) > 1 ? name + ' #' + so_far.get(name) : name;
	});
}

function threads_of(d) {
	return { count: d.id.length, id: d.id, tid: d.tid, name: d.name, state: d.state, marking: d.marking,
		 shown: thread_names(d), listed: d.shown || d.id.map(() => 1) };
}

function track_of(d) {
	return { thread: d.thread, tick: running_sums(d.tick), last: d.last, least: d.least, most: d.most,
		 lost: d.lost || [], left_out: d.left_out || 0 };
}

function counters_of(list) {
	return (list || []).map(d => ({ name: d.name, real: Boolean(d.real), summed: Boolean(d.summed),
					tracks: d.tracks.map(track => track_of(track)) }));
}

function instants_of(d) {
	if (!d)
		return { count: 0, tick: new Float64Array(0), thread: [], event: [], names: [], text: [] };
	let notes = 0;
	const text = d.event.map(event => event < 0 ? d.text[notes++] : d.names[event]);
	return { count: d.tick.length, tick: running_sums(d.tick), thread: small_column(d.thread),
		 event: small_column(d.event), names: d.names, text };
}

function row_of(d) {
	const begin = running_sums(d.begin);
	return { begin, length: column(d.length), node: small_column(d.node), flags: small_column(d.flags) };
}

function lanes_of(d) {
	if (!d)
		return [];
	return d.lanes.map(lane => ({
		thread: lane.thread,
		known: lane.known.map(([begin, end]) => [exact_number(begin), exact_number(end)]),
		rows: lane.rows.map(row => row_of(row)),
	}));
}

// The document as it comes from unpack; it is not kept, only what is made of it.
function profile_of(d) {
	inexact = 0;
	const frames = frames_of(d.frames), parts = parts_of(d.parts, frames), zones = zones_of(d.zones);
	const cells = cells_of(d.cells, parts), run = run_of(d.run), threads = threads_of(d.threads), has_calls = !d.entries_unknown;
	const measures = measures_of(d.measures, parts, cells, run, exact_number(d.ticks_per_s), threads, has_calls);
	const p = {
		made: d.made || {}, process: d.process, ticks_per_s: exact_number(d.ticks_per_s),
		covered: d.covered || { whole: 1, frames_asked: 0, frame: 0, threads: 'all' }, budget: exact_number(d.budget || 0),
		zones, threads, has_calls, nodes: nodes_of(d.nodes), run,
		frame_names: d.frame_names || [], frames, parts, cells, thinned: d.thinned,
		usual: d.usual ? exact_number(d.usual.frame) : 0, counters: counters_of(d.counters),
		instants: instants_of(d.events), calls: d.calls, lanes: lanes_of(d.calls), why: new Map(), why_columns: d.why_columns, why_amount_columns: d.why_amount_columns, worst_columns: d.worst_columns, zone_columns: zone_columns_of(d.zone_columns),
		losses: (d.losses || []).filter(loss => Number(loss.count)), said: d.said || [],
		unseen_frames: exact_number(d.unseen_frames || 0), left_out_frames: exact_number(d.left_out_frames || 0),
		left_open: d.left_open || '',
		measures: measures.filter(measure => !measure.is_hidden), hidden_measures: measures.filter(measure => measure.is_hidden), measure: d.measure || TIME_KEY,
	};
	for (const why of d.why || [])
		p.why.set(why.frame, why);
	if (p.calls)
		p.calls = { whole: Boolean(d.calls.whole), left_out: d.calls.left_out || 0 };
	p.inexact = inexact;
	return p;
}

// The unit for times of which one is typical and one the longest: as proftop chooses it for a column. The largest in which
// the typical one has three digits or more, with three decimals; but a larger one where the longest would have more than five
// digits before the point. `of` is the profile, for times, or a measure: amounts that are no times have other units, and no
// decimals but of fractions.
const TIME_UNITS = [{ name: 's', size: 1 }, { name: 'ms', size: 1e-3 }, { name: 'µs', size: 1e-6 }, { name: 'ns', size: 1e-9 }];
const BYTE_UNITS = [['GiB', 30], ['MiB', 20], ['KiB', 10], ['bytes', 0]].map(([name, power]) => ({ name, size: 2 ** power, is_amount: true }));
const COUNT_UNIT = { name: '', size: 1, is_amount: true };

function unit_for_many(of, middle, most) {
	let at = BYTE_UNITS.length - 1;
	if (of.unit === 'count' || of.unit === 'samples')
		return COUNT_UNIT;
	if (of.unit === 'bytes') {
		while (at > 0 && Math.max(Math.abs(middle), Math.abs(most) / 10) / BYTE_UNITS[at].size >= 1e4)
			at--;
		return BYTE_UNITS[at];
	}
	at = TIME_UNITS.findIndex(unit => unit.name !== 's' && Math.abs(middle) / of.ticks_per_s / unit.size >= 0.1);
	at = at < 0 ? (middle ? 3 : 1) : at;
	while (at > 0 && Math.abs(most) / of.ticks_per_s / TIME_UNITS[at].size >= 1e5)
		at--;
	return TIME_UNITS[at];
}

function time_in(of, amount, unit, digits = 3) {
	const number = amount / of.ticks_per_s / unit.size;
	if (unit.is_amount)
		return fixed(number, Number.isInteger(number) ? 0 : 1);
	return fixed(number, unit.name === 'ns' ? Math.min(digits, 1) : digits);
}

// A time or an amount by itself: 43.449 ms, 610, ≥12.5 KiB, –.
function full_time(of, amount, known = KNOWN) {
	const unit = unit_for_many(of, amount, amount);
	return known === UNKNOWN ? '–' : (known === LEAST ? '≥' : '') + time_in(of, amount, unit) + (unit.name && ' ') + unit.name;
}

// Lengths of frames have one unit in all of the page.
function frame_unit(p) {
	if (!p.frame_unit) {
		const lengths = lengths_of(p);
		p.frame_unit = lengths.count ? unit_for_many(p, lengths.median, lengths.most) : unit_for_many(p, p.run.wall / 10, p.run.wall);
	}
	return p.frame_unit;
}

function frame_time(p, ticks, digits = 3) {
	return time_in(p, ticks, frame_unit(p), digits) + ' ' + frame_unit(p).name;
}

function ms_of(p, ticks) {
	return ticks * 1000 / p.ticks_per_s;
}

function ns_of(p, ticks) {
	return ticks / p.ticks_per_s * 1e9;
}

function seconds_of(p, ticks) {
	return ticks / p.ticks_per_s;
}

// The index of a frame by its number: the one with it, or −1.
function frame_index(p, number) {
	let low = 0, high = p.frames.count - 1;
	while (low <= high) {
		const middle = (low + high) >> 1;
		if (p.frames.number[middle] === number)
			return middle;
		if (p.frames.number[middle] < number)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return -1;
}

// The first index in an ascending column whose value is at least that.
function first_at_least(values, wanted) {
	let low = 0, high = values.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (values[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// The frame to which a moment belongs, start < tick <= end; −1: none.
function frame_at(p, tick) {
	const at = first_at_least(p.frames.start, tick) - 1;
	return at >= 0 && tick <= p.frames.start[at] + p.frames.length[at] ? at : -1;
}

// It has a length, was not discarded, and was not kept for being long alone: frame lengths are judged by these.
function frame_counts(p, index) {
	return p.frames.length[index] > 0 && !(p.frames.flags[index] & (FRAME.DISCARDED | FRAME.KEPT));
}
