// calls: single calls, as spans in rows by their depth: what of them is known, and the shortest and longest of a zone.

// Whether every call of these frames is known: of each thread, from its boundary to its boundary. first −1: the whole run.
function calls_are_known(p, first, last, threads) {
	if (!p.calls)
		return false;
	if (first < 0)
		return p.calls.whole;
	for (let i = first; i <= last; i++) {
		if (!p.frames.held[i])
			return false;
		for (let part = p.frames.part_begin[i]; part < p.frames.part_begin[i + 1]; part++)
			if (in_threads(p.parts.thread[part], threads) && !calls_know(p, part))
				return false;
	}
	return true;
}

function calls_know(p, part) {
	const { thread, bound, end } = p.parts;
	return p.lanes.some(lane => lane.thread === thread[part] &&
		lane.known.some(([from, to]) => from <= bound[part] && end[part] <= to));
}

// The first span of a row that ends behind a tick.
function first_span_behind(row, tick) {
	let low = 0, high = row.begin.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (row.begin[middle] + row.length[middle] <= tick)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// By zone: the shortest call that ended in (from, to], least and most self time of one. Calls of which a part is not known
// are left out.
function calls_extremes(p, from, to, threads) {
	const cut = SPAN.CUT_BEGIN | SPAN.CUT_END | SPAN.RUNNING | SPAN.RESUMED | SPAN.SUSPENDED | SPAN.LEFT_OPEN;
	const found = new Map();
	for (const lane of p.lanes) {
		if (!in_threads(lane.thread, threads))
			continue;
		lane.rows.forEach((row, depth) => {
			const below = lane.rows[depth + 1];
			let i = first_span_behind(row, from), child = below ? first_span_behind(below, row.begin[i] || 0) : 0;
			for (; i < row.begin.length && row.begin[i] <= to; i++) {
				const begin = row.begin[i], end = begin + row.length[i];
				let inside = 0;
				for (; below && child < below.begin.length && below.begin[child] < end; child++)
					inside += below.begin[child] >= begin ? below.length[child] : 0;
				if (row.flags[i] & cut || end > to)
					continue;
				const zone = p.nodes.zone[row.node[i]], self = row.length[i] - inside;
				const one = found.get(zone);
				if (!one)
					found.set(zone, { least: row.length[i], least_self: self, most_self: self, count: 1 });
				else {
					one.least = Math.min(one.least, row.length[i]);
					one.least_self = Math.min(one.least_self, self);
					one.most_self = Math.max(one.most_self, self);
					one.count++;
				}
			}
		});
	}
	return found;
}

// Whether anything is known of the calls between two ticks.
function calls_between(p, from, to) {
	return p.lanes.some(lane => lane.known.some(([begin, end]) => begin < to && end > from));
}
