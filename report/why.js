// why: by how much each stack took longer in a frame than in the usual one, and whether by its calls or by what a call
// costs. proftop has put in the longest frames and those over the budget; of any other frame whose cells are here, and
// with the usual frame here, it is worked out by the same rules.
//
// With counts c0, c1 and self times s0, s1: both are called: calls = (c1 − c0) · s0 / c0, and cost is the rest. Time without
// an entry on either side: all carried. Else it is new, or gone. Of another measure than time all is worked out here.

// The stack of a node, outermost first, in which each zone is once: a zone that is entered inside itself is where it was
// first entered.
function collapsed_stack(p, node) {
	const stack = [];
	const nodes = [];
	for (let i = node; i >= 0 && p.nodes.parent[i] >= 0; i = p.nodes.parent[i])
		nodes.push(p.nodes.zone[i]);
	for (const zone of nodes.reverse()) {
		const at = stack.indexOf(zone);
		if (at >= 0)
			stack.length = at;
		stack.push(zone);
	}
	return stack;
}

// Innermost first, zones of one name with their places.
function why_path(p, row) {
	return row.node < 0 ? row.path : (stack => stack.length ? stack : [NO_ZONE])(collapsed_stack(p, row.node)).reverse()
		.map(zone => p.zones.shown[zone]).join(' ‹ ');
}

function why_row(p, stack, thread, node) {
	const zones = stack.length ? stack : [NO_ZONE];
	return { thread, node, self: 0, base_self: 0, delta: 0, count: 0, base_count: 0,
		 waiting: p.zones.waits[zones[zones.length - 1]], root: !stack.length };
}

function why_split(row) {
	const { self: s1, base_self: s0, count: c1, base_count: c0, delta } = row;
	row.calls = row.cost = row.carried = 0;
	row.kind = 'changed';
	if (row.root || (!c0 && s0) || (!c1 && s1)) {
		row.kind = 'carried';
		row.carried = delta;
	} else if (!c0 || !c1) {
		row.kind = c0 ? 'gone' : 'new';
		row.calls = delta;
	} else {
		row.calls = Number(BigInt(c1 - c0) * BigInt(s0) / BigInt(c0));
		row.cost = delta - row.calls;
	}
}

function why_word(row, measure) {
	if (row.waiting && is_time(measure))
		return row.delta < 0 ? 'waited less' : 'waited longer';
	if (row.kind === 'carried')
		return (row.root && is_time(measure) ? 'outside zones' : 'carried over') + (row.at_most ? ', at most' : '');
	if (row.kind !== 'changed')
		return row.kind;
	const calls = Math.abs(row.calls), cost = Math.abs(row.cost);
	if (is_time(measure) && (row.calls > 0) === (row.cost > 0) && Math.min(calls, cost) > (calls + cost) / 3)
		return row.calls < 0 ? 'fewer and faster calls' : 'more and slower calls';
	if (calls > cost)
		return row.calls < 0 ? 'fewer calls' : 'more calls';
	if (!is_time(measure))
		return row.cost < 0 ? 'less per call' : 'more per call';
	if (row.at_most)
		return 'slower, at most';
	return row.cost < 0 ? 'faster calls' : 'slower calls';
}

// How long a thread did not run, as model/stats/off_cpu.h says: if a zone is slower, perhaps the thread only had no core.

const OFF_PART = 100; // of the thread's time: what is less explains nothing
const AT_MOST_PART = 10; // of what slower calls took
const NANOSECONDS = { ticks_per_s: 1e9 };

// A slice's amount of a measure of slices; undefined: not known.
function slice_amount(p, key, part) {
	const of = [...p.measures, ...p.hidden_measures].find(measure => measure.is_of_slice && measure.key === key);
	return !of || part < 0 || of.lacks[part] ? undefined :
		of.value.slice(of.begin[part], of.begin[part + 1]).reduce((sum, one) => sum + one, 0);
}

// By how many nanoseconds more or less, at the least, a thread did not run; 0: not known, or too little to explain anything.
function off_cpu_change(p, here, usual, time) {
	const now = slice_amount(p, 'off_cpu', here), before = slice_amount(p, 'off_cpu', usual);
	if (now === undefined || before === undefined)
		return 0;
	const more = now - before - 2 * (slice_amount(p, 'cpu_doubt', usual) || 0);
	const less = now - before + 2 * (slice_amount(p, 'cpu_doubt', here) || 0);
	const change = more > 0 ? more : less < 0 ? less : 0;
	return Math.abs(change) * OFF_PART >= ns_of(p, time) ? change : 0;
}

// With three decimals, from 10 µs on in µs and from 1 ms on in ms.
function off_cpu_time(ns) {
	const unit = TIME_UNITS[Math.abs(ns) >= 1e6 ? 1 : Math.abs(ns) >= 1e4 ? 2 : 3];
	return time_in(NANOSECONDS, ns, unit) + ' ' + unit.name;
}

// `preempted 3 times, waited 87.9 ms for a core`: of the frame in which it did not run for longer.
function off_cpu_text(p, longer, other) {
	const times = (what, n) => n > 1 ? what + ' ' + n + ' times' : n ? what + ' once' : '';
	const [preempted, blocked] = ['involuntary', 'voluntary'].map(key => slice_amount(p, key, longer));
	const waited = slice_amount(p, 'run_delay', longer) - slice_amount(p, 'run_delay', other);
	const is_counted = preempted !== undefined && blocked !== undefined;
	return [is_counted && times('preempted', preempted), is_counted && times('blocked', blocked),
		waited > 0 && waited >= slice_amount(p, 'off_cpu', longer) / 100 && 'waited ' + off_cpu_time(waited) + ' for a core'].filter(Boolean).join(', ');
}

function off_cpu_sentence(p, thread) {
	const { here, usual, off } = thread, times = off < 0 ? off_cpu_text(p, usual, here) : off_cpu_text(p, here, usual);
	return 'did not run: ' + signed(off_cpu_time(off), off) + (times && (off < 0 ? ' (before: ' : ' (') + times + ')');
}

function why_add(p, rows, frame, self, count, measure) {
	const row_of = node => {
		const thread = p.nodes.thread[node], stack = collapsed_stack(p, node), key = thread + ':' + stack.join(',');
		if (!rows.has(key))
			rows.set(key, why_row(p, stack, thread, node));
		return rows.get(key);
	};
	const first = p.frames.part_begin[frame], behind = p.frames.part_begin[frame + 1];
	for (let i = p.parts.cell_begin[first]; i < p.parts.cell_begin[behind]; i++)
		row_of(p.cells.node[i])[count] += p.cells.count[i];
	for (let i = measure.begin[first]; i < measure.begin[behind]; i++)
		row_of(measure.node[i])[self] += measure.value[i];
}

function part_of(p, frame, thread) {
	for (let part = p.frames.part_begin[frame]; part < p.frames.part_begin[frame + 1]; part++)
		if (p.parts.thread[part] === thread)
			return part;
	return -1;
}

function why_thread(p, thread, frame, base, rows, measure) {
	const own = rows.filter(row => row.thread === thread);
	const time = at => {
		let amount = at < 0 ? 0 : p.parts.end[at] - p.parts.bound[at];
		if (at >= 0 && !is_time(measure))
			amount = measure.value.slice(measure.begin[at], measure.begin[at + 1]).reduce((sum, one) => sum + one, 0);
		return amount;
	};
	const lacks = at => Boolean(at >= 0 && measure.lacks && measure.lacks[at]);
	const here = part_of(p, frame, thread), usual = part_of(p, base, thread);
	const total = kind => own.reduce((sum, row) => sum + (kind(row) ? row.delta : 0), 0);
	const off = is_time(measure) ? off_cpu_change(p, here, usual, Math.max(time(here), time(usual))) : 0;
	return { thread, here, usual, off, time: time(here), base_time: time(usual), delta: time(here) - time(usual), sum: total(() => true),
		 waiting: is_time(measure) ? total(row => row.waiting) : 0, missing: here < 0 || usual < 0 ? 1 : 0, rest: 0, left_out: 0,
		 lacks: lacks(here) || lacks(usual) };
}

function why_worked_out(p, frame, base, measure) {
	const by_key = new Map();
	why_add(p, by_key, frame, 'self', 'count', measure);
	why_add(p, by_key, base, 'base_self', 'base_count', measure);
	const rows = [...by_key.values()];
	for (const row of rows) {
		row.delta = row.self - row.base_self;
		why_split(row);
	}
	const threads = [...new Set(rows.map(row => row.thread))].sort((a, b) =>
		(p.threads.marking[b] ? 1 : 0) - (p.threads.marking[a] ? 1 : 0) || a - b);
	const changed = rows.filter(row => row.delta).sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta));
	const compared = threads.map(thread => why_thread(p, thread, frame, base, changed, measure));
	for (const row of changed) {
		const slower = row.cost + row.carried, { off } = compared.find(one => one.thread === row.thread);
		row.at_most = slower > 0 && !row.waiting && off > 0 && off * AT_MOST_PART >= ns_of(p, slower);
		row.word = why_word(row, measure);
	}
	return { frame: p.frames.number[frame], base: p.frames.number[base], length: p.frames.length[frame],
		 base_length: p.frames.length[base], rows: changed, threads: compared,
		 said: compared.length && compared[0].off ? [off_cpu_sentence(p, compared[0])] : [] };
}

// The number of calls of the frame thread.
function calls_in(p, frame) {
	let calls = 0;
	for (let part = p.frames.part_begin[frame]; part < p.frames.part_begin[frame + 1]; part++)
		for (let i = p.parts.cell_begin[part]; p.threads.marking[p.parts.thread[part]] && i < p.parts.cell_begin[part + 1]; i++)
			calls += p.cells.count[i];
	return calls;
}

// The number of calls differs by more than ten times, so proftop compares the
// frame with one of similar calls. The page has that comparison only if proftop
// put it in.
function is_other_kind(p, frame, base) {
	const a = calls_in(p, frame), b = calls_in(p, base);
	return Math.max(a, b) > 10 * Math.min(a, b);
}

// The comparison of a frame, by index; null: only its length is known, or there
// is no frame to compare it with.
function why_of(p, frame, measure = p.measures[0]) {
	const given = p.why.get(p.frames.number[frame]);
	if (given && is_time(measure))
		return given;
	const number = given ? given.base : p.usual, base = number ? frame_index(p, number) : -1;
	if (base < 0 || base === frame || !p.frames.held[frame] || !p.frames.held[base] || p.frames.flags[frame] & FRAME.DISCARDED ||
		(!given && is_other_kind(p, frame, base)))
		return null;
	const made = why_worked_out(p, frame, base, measure);
	return given ? { ...made, base_kind: given.base_kind, base_reason: given.base_reason } : made;
}
