// figures: every figure of the page, out of the columns, by the definitions that proftop's own reports have. Integer
// ticks, added up in doubles, exactly as long as they stay below 2^53; `exact` of the values says whether they did.
//
//   self of a zone    Σ self of its nodes
//   hier of a zone    Σ self of all nodes whose stack holds it, each once, however often it is in there
//   count             Σ entries of its nodes
//   longest           the most over its nodes; Infinity: not known
//   %frame            of the wall time that is covered: the sum of the frames' lengths
//
// In values of another measure, `self` and `time` are its amounts, and no longest call is known. Shares are of its amount of
// all threads.

const ALL_THREADS = -1;

// knows, lacks: by thread, in so many parts its amount is known, and in so many it is not.
function values_new(p, measure) {
	return { measure, self: new Float64Array(p.nodes.count), count: new Float64Array(p.nodes.count),
		 longest: new Float64Array(p.nodes.count), time: new Float64Array(p.threads.count), wall: 0, whole: 0, frames: 0,
		 first: 0, last: 0, incomplete: 0, exact: true, knows: new Uint32Array(p.threads.count), lacks: new Uint32Array(p.threads.count) };
}

function values_finish(p, v) {
	let sum = 0;
	for (let i = 0; i < p.nodes.count && !is_time(v.measure); i++)
		v.time[p.nodes.thread[i]] += v.self[i];
	for (const time of v.time)
		sum += Math.abs(time);
	v.exact = sum + v.wall <= Number.MAX_SAFE_INTEGER;
	v.whole = is_time(v.measure) ? v.wall : sum;
	return v;
}

// All that the page is of: the whole run, or what was asked for.
function values_of_run(p, measure = p.measures[0]) {
	const v = values_new(p, measure), run = p.run;
	v.self.set(measure.run);
	v.count.set(run.count);
	if (is_time(measure)) {
		v.longest.set(run.longest);
		v.time.set(run.time);
	}
	for (const [thread, known] of (measure.known || []).entries()) {
		v.knows[thread] = known !== UNKNOWN ? 1 : 0;
		v.lacks[thread] = known !== KNOWN ? 1 : 0;
	}
	v.wall = run.wall;
	v.frames = run.frames;
	return values_finish(p, v);
}

function values_add_part(p, v, part) {
	const { node, count, longest } = p.cells, { measure } = v, thread = p.parts.thread[part];
	for (let i = measure.begin[part]; i < measure.begin[part + 1]; i++)
		v.self[measure.node[i]] += measure.value[i];
	for (let i = p.parts.cell_begin[part]; i < p.parts.cell_begin[part + 1]; i++) {
		const at = node[i];
		v.count[at] += count[i];
		if (is_time(measure) && longest[i] > v.longest[at])
			v.longest[at] = longest[i];
	}
	if (is_time(measure))
		v.time[thread] += p.parts.end[part] - p.parts.bound[part];
	(measure.lacks && measure.lacks[part] ? v.lacks : v.knows)[thread]++;
	v.incomplete += (p.parts.flags[part] & (PART.MISSING | PART.LAPPED | PART.MERGED | PART.LOSSY)) !== 0 ? 1 : 0;
}

// The sum over the frames first to last, by index; discarded ones are left out. `thin`: so many of them have their length
// alone in this page.
function values_of_frames(p, first, last, measure = p.measures[0]) {
	const v = values_new(p, measure), frames = p.frames;
	v.thin = 0;
	for (let i = first; i <= last; i++) {
		if (frames.flags[i] & FRAME.DISCARDED)
			continue;
		for (let part = frames.part_begin[i]; part < frames.part_begin[i + 1]; part++)
			values_add_part(p, v, part);
		v.thin += frames.held[i] ? 0 : 1;
		if (frames.part_begin[i] === frames.part_begin[i + 1]) { // nothing is known of it but how long it took
			v.incomplete++;
			for (let thread = 0; thread < p.threads.count && !is_time(measure); thread++)
				v.lacks[thread]++;
		}
		v.wall += frames.length[i];
		v.first = v.frames++ ? v.first : frames.number[i];
		v.last = frames.number[i];
	}
	return values_finish(p, v);
}

// Whether the amounts of the threads are known.
function values_known(p, v, threads) {
	let knows = false, lacks = false;
	for (let i = 0; i < p.threads.count; i++)
		if (in_threads(i, threads)) {
			knows = knows || v.knows[i] > 0;
			lacks = lacks || v.lacks[i] > 0;
		}
	return !lacks ? KNOWN : knows ? LEAST : UNKNOWN;
}

// By zone: a part whose amount is not known has it in zones that its thread has entered; amounts of other zones are exact.
function zones_known(p, v, threads) {
	const of_all = values_known(p, v, threads), knows = new Uint8Array(p.zones.count), lacks = new Uint8Array(p.zones.count);
	if (of_all !== LEAST)
		return () => of_all;
	for (let i = 0; i < p.nodes.count; i++)
		if (in_threads(p.nodes.thread[i], threads)) {
			knows[p.nodes.zone[i]] |= v.knows[p.nodes.thread[i]] ? 1 : 0;
			lacks[p.nodes.zone[i]] |= v.lacks[p.nodes.thread[i]] ? 1 : 0;
		}
	return zone => !lacks[zone] ? KNOWN : knows[zone] ? LEAST : UNKNOWN;
}

// By frame: its length, or what all its threads have of the measure, and whether that is known.
function frames_by(p, measure) {
	if (is_time(measure))
		return { value: p.frames.length, known: () => KNOWN };
	if (measure.by_frame)
		return measure.by_frame;
	const value = new Float64Array(p.frames.count), known = new Uint8Array(p.frames.count);
	for (let frame = 0; frame < p.frames.count; frame++) {
		const first = p.frames.part_begin[frame], behind = p.frames.part_begin[frame + 1];
		let lacks = 0;
		for (let part = first; part < behind; part++)
			lacks += measure.lacks && measure.lacks[part] ? 1 : 0;
		for (let i = measure.begin[first]; i < measure.begin[behind]; i++)
			value[frame] += measure.value[i];
		known[frame] = lacks === behind - first ? UNKNOWN : lacks ? LEAST : KNOWN;
	}
	return measure.by_frame = { value, known: frame => known[frame] };
}

function in_threads(thread, threads) {
	return threads === ALL_THREADS || thread === threads;
}

// Merged threads are shown without the time of those that entered no zone: of a program with a hundred workers that sleep,
// most would be theirs.
function values_merged(p, v, threads) {
	if (threads !== ALL_THREADS || !is_time(v.measure))
		return v;
	const entered = new Uint8Array(p.threads.count);
	for (let i = 0; i < p.nodes.count; i++)
		if (p.nodes.parent[i] >= 0 && v.count[i])
			entered[p.nodes.thread[i]] = 1;
	const self = v.self.slice(), time = v.time.slice();
	for (let i = 0; i < p.nodes.count; i++)
		if (p.nodes.parent[i] < 0 && !entered[p.nodes.thread[i]]) {
			time[p.nodes.thread[i]] -= self[i];
			self[i] = 0;
		}
	return { ...v, self, time };
}

// By node: whether its zone is in its stack a second time.
function inner_nodes(p) {
	if (p.inner)
		return p.inner;
	const inner = new Uint8Array(p.nodes.count);
	for (let i = 0; i < p.nodes.count; i++)
		for (let above = p.nodes.parent[i]; above >= 0 && !inner[i]; above = p.nodes.parent[above])
			inner[i] = p.nodes.zone[above] === p.nodes.zone[i] ? 1 : 0;
	return p.inner = inner;
}

// Self of each node and all below it.
function sums_below(p, v, threads) {
	const below = v.self.slice();
	for (let i = p.nodes.count; i-- > 0;)
		if (p.nodes.parent[i] >= 0 && in_threads(p.nodes.thread[i], threads))
			below[p.nodes.parent[i]] += below[i];
	return below;
}

// Counts how many threads have time in a row: they may come mixed.
function thread_counter() {
	const seen = new Set();
	return (row, key, thread) => {
		const both = key * 4194304 + thread; // below 2^53: rows and threads are fewer than 2^31 and 2^22
		if (!seen.has(both)) {
			seen.add(both);
			row.threads++;
		}
	};
}

function new_row(zone) {
	return { zone, self: 0, hier: 0, count: 0, longest: 0, threads: 0 };
}

// One row a zone that has time or entries, in no order.
function flat_rows(p, values, threads) {
	const v = values_merged(p, values, threads), below = sums_below(p, v, threads), inner = inner_nodes(p);
	const rows = new Map(), count_thread = thread_counter();
	for (let i = 0; i < p.nodes.count; i++) {
		if (!in_threads(p.nodes.thread[i], threads))
			continue;
		const zone = p.nodes.zone[i];
		let row = rows.get(zone);
		if (!row)
			rows.set(zone, row = new_row(zone));
		row.self += v.self[i];
		row.count += v.count[i];
		row.longest = Math.max(row.longest, v.longest[i]);
		if (inner[i])
			continue;
		row.hier += below[i];
		if (below[i])
			count_thread(row, zone, p.nodes.thread[i]);
	}
	return [...rows.values()].filter(row => row.self || row.hier || row.count);
}

// The tree of stacks, threads merged: {…row, children, parent}. The root is all.
function tree_of(p, values, threads) {
	const v = values_merged(p, values, threads);
	const root = { ...new_row(NO_ZONE), children: [], parent: null, level: 0 };
	const row_of = new Array(p.nodes.count), branches = new Map(), count_thread = thread_counter();
	const rows = [root];
	root.key = 0;
	for (let i = 0; i < p.nodes.count; i++) {
		if (!in_threads(p.nodes.thread[i], threads))
			continue;
		const parent = p.nodes.parent[i] < 0 ? null : row_of[p.nodes.parent[i]];
		let row = root;
		if (parent) {
			const branch = parent.key * 2097152 + p.nodes.zone[i];
			row = branches.get(branch);
			if (!row) {
				row = { ...new_row(p.nodes.zone[i]), children: [], parent, level: parent.level + 1, key: rows.length };
				branches.set(branch, row);
				rows.push(row);
				parent.children.push(row);
			}
		}
		row_of[i] = row;
		row.self += v.self[i];
		row.count += v.count[i];
		row.longest = Math.max(row.longest, v.longest[i]);
		if (v.self[i])
			for (let above = row; above; above = above.parent)
				count_thread(above, above.key, p.nodes.thread[i]);
	}
	for (let i = rows.length; i-- > 0;) {
		rows[i].hier += rows[i].self;
		if (rows[i].parent)
			rows[i].parent.hier += rows[i].hier;
	}
	for (let i = rows.length; i-- > 0;) // from the leaves up: what has nothing below it any more goes, too
		rows[i].children = rows[i].children.filter(child => child.hier || child.count || child.children.length);
	return root;
}

// For each node: how often the zone is in its stack, the zone before the first of these, and the zone behind the
// last (−1: none, the zone itself is on top).
function around_zone(p, zone) {
	const depth = new Int32Array(p.nodes.count), before = new Int32Array(p.nodes.count).fill(-1);
	const after = new Int32Array(p.nodes.count).fill(-1);
	for (let i = 0; i < p.nodes.count; i++) {
		const above = p.nodes.parent[i], own = p.nodes.zone[i];
		depth[i] = (above >= 0 ? depth[above] : 0) + (own === zone ? 1 : 0);
		if (!depth[i])
			continue;
		if (above >= 0)
			before[i] = depth[above] ? before[above] : p.nodes.zone[above];
		if (own !== zone)
			after[i] = after[above] < 0 ? own : after[above];
	}
	return { depth, before, after };
}

// The callers and the children of a zone, exact under recursion. Each node that holds the zone is given to one
// caller, the zone before the first of them, and to one child, the zone behind the last. So callers add up to
// the focus, and children to what is not its own.
function graph_of(p, values, threads, zone) {
	const v = values_merged(p, values, threads), { depth, before, after } = around_zone(p, zone);
	const callers = new Map(), children = new Map();
	const focus = { ...new_row(zone), direct: 0, recursive: 0, depth: 0 };
	const count_caller = thread_counter(), count_child = thread_counter(), count_focus = thread_counter();
	const of = (rows, key) => {
		if (!rows.has(key))
			rows.set(key, { ...new_row(key), direct: 0 });
		return rows.get(key);
	};
	const add_time = (row, key, i, count) => {
		row.hier += v.self[i];
		if (v.self[i])
			count(row, key, p.nodes.thread[i]);
	};
	for (let i = 0; i < p.nodes.count; i++) {
		if (!depth[i] || !in_threads(p.nodes.thread[i], threads))
			continue;
		const above = p.nodes.parent[i], self = v.self[i], count = v.count[i];
		if ((self || count) && depth[i] > focus.depth)
			focus.depth = depth[i];
		add_time(focus, zone, i, count_focus);
		if (before[i] >= 0)
			add_time(of(callers, before[i]), before[i], i, count_caller);
		if (p.nodes.zone[i] === zone) {
			focus.self += self;
			focus.count += count;
			focus.direct += count;
			focus.longest = Math.max(focus.longest, v.longest[i]);
			focus.recursive += depth[i] > 1 ? count : 0;
			if (above < 0)
				continue;
			const caller = of(callers, before[i]);
			caller.self += self;
			caller.count += count;
			caller.longest = Math.max(caller.longest, v.longest[i]);
			of(callers, p.nodes.zone[above]).direct += count;
			continue;
		}
		const child = of(children, after[i]);
		add_time(child, after[i], i, count_child);
		if (p.nodes.zone[i] === after[i])
			child.self += self;
		if (p.nodes.zone[above] === zone) {
			child.count += count;
			child.direct += count;
			child.longest = Math.max(child.longest, v.longest[i]);
		}
	}
	const there = row => row.self || row.hier || row.count || row.direct;
	return { focus, callers: [...callers.values()].filter(there), children: [...children.values()].filter(there) };
}

// The time of a thread, or of all: in zones, waiting, in no zone. It adds up to their time.
function sums_of(p, values, threads) {
	const v = values_merged(p, values, threads), sums = { busy: 0, waits: 0, none: 0, time: 0 };
	for (let i = 0; i < p.nodes.count; i++) {
		if (!in_threads(p.nodes.thread[i], threads))
			continue;
		const kind = p.nodes.zone[i] === NO_ZONE ? 'none' : p.zones.waits[p.nodes.zone[i]] ? 'waits' : 'busy';
		sums[kind] += v.self[i];
	}
	for (let i = 0; i < p.threads.count; i++)
		sums.time += in_threads(i, threads) ? v.time[i] : 0;
	return sums;
}

// The time in a zone with all below it, for each frame; NaN: not known.
function zone_by_frame(p, zone, threads, measure = p.measures[0]) {
	const inside = new Uint8Array(p.nodes.count), made = new Float64Array(p.frames.count);
	for (let i = 0; i < p.nodes.count; i++)
		inside[i] = p.nodes.zone[i] === zone || (p.nodes.parent[i] >= 0 && inside[p.nodes.parent[i]]) ? 1 : 0;
	for (let frame = 0; frame < p.frames.count; frame++) {
		let sum = 0, known = p.frames.held[frame];
		for (let part = p.frames.part_begin[frame]; part < p.frames.part_begin[frame + 1]; part++) {
			if (!in_threads(p.parts.thread[part], threads))
				continue;
			for (let i = measure.begin[part]; i < measure.begin[part + 1]; i++)
				if (inside[measure.node[i]])
					sum += measure.value[i];
			known = known && !(measure.lacks && measure.lacks[part]);
		}
		made[frame] = known ? sum : NaN;
	}
	return made;
}

// By zone: its time in each of the last frames up to one, oldest first; of the zone itself, or with all in it.
const TREND_FRAMES = 32;

function trends_of(p, last, threads, is_self, measure) {
	const found = new Map(), indices = [], inner = inner_nodes(p);
	for (let i = last < 0 ? p.frames.count - 1 : last; i >= 0 && indices.length < TREND_FRAMES; i--)
		if (p.frames.held[i] && !(p.frames.flags[i] & FRAME.DISCARDED))
			indices.unshift(i);
	indices.forEach((frame, at) => {
		const v = values_of_frames(p, frame, frame, measure), times = is_self ? v.self : sums_below(p, v, threads);
		for (let i = 0; i < p.nodes.count; i++) {
			if (!times[i] || (!is_self && inner[i]) || !in_threads(p.nodes.thread[i], threads))
				continue;
			const zone = p.nodes.zone[i];
			if (!found.has(zone))
				found.set(zone, new Float64Array(indices.length));
			found.get(zone)[at] += times[i];
		}
	});
	return found;
}

// Nearest-rank percentiles, least and most of the frames that count.
function lengths_of(p) {
	if (p.lengths)
		return p.lengths;
	const all = [];
	for (let i = 0; i < p.frames.count; i++)
		if (frame_counts(p, i))
			all.push(p.frames.length[i]);
	const sorted = Float64Array.from(all).sort();
	const at = part => sorted.length ? sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] : 0;
	let sum = 0;
	for (const length of sorted)
		sum += length;
	return p.lengths = { count: sorted.length, sum, median: at(0.5), p99: at(0.99), least: sorted[0] || 0,
			     most: sorted[sorted.length - 1] || 0 };
}
