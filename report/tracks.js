// tracks: what is drawn under the bars of the frame graph, on the same axis: events and notes, and counters.

const TRACK_HIGH = 36;
const TRACKS_AT_FIRST = 4;

// One line a counter: the sum over all threads where it is only added to; a line a thread where each has a value of its own.
function tracks_of(p) {
	const tracks = [];
	for (const counter of p.counters) {
		const own = counter.summed && counter.tracks.length > 1 ? [track_sum(counter.tracks)] : counter.tracks;
		for (const track of own)
			tracks.push({ counter, track, name: counter.name + (own.length > 1 && track.thread >= 0 ?
				' · ' + p.threads.shown[track.thread] : '') });
	}
	return tracks;
}

// The sum of several tracks. It is unknown while one of them is. Least and most within a change are those at its
// end.
function track_sum(tracks) {
	const changes = tracks.flatMap((track, which) => Array.from(track.tick, (tick, i) => ({ tick, which, i })));
	changes.sort((a, b) => a.tick - b.tick);
	const sum = { thread: -1, tick: [], last: [], least: [], most: [], lost: [], left_out: 0 };
	const now = tracks.map(() => 0), unknown = tracks.map(() => 0);
	for (const { tick, which, i } of changes) {
		const value = tracks[which].last[i];
		unknown[which] = tracks[which].lost[i] || value === null ? 1 : 0;
		now[which] = Number(value);
		if (sum.tick[sum.tick.length - 1] !== tick)
			for (const key of ['tick', 'last', 'least', 'most', 'lost'])
				sum[key].push(tick);
		const at = sum.tick.length - 1, total = now.reduce((all, one) => all + one, 0);
		sum.last[at] = sum.least[at] = sum.most[at] = total;
		sum.lost[at] = unknown.some(Boolean) ? 1 : 0;
	}
	return sum;
}

// The newest value at a tick; null: not known.
function track_value(track, tick) {
	const at = first_at_least(track.tick, tick + 1) - 1;
	return at < 0 || track.lost[at] || track.last[at] === null ? null : track.last[at];
}

// Values of 16 digits and more are text (unpack.js).
function counter_text(counter, value) {
	if (value === null || value === undefined)
		return '–';
	if (typeof value === 'string')
		return grouped(BigInt(value));
	return counter.real ? real_number(value) : grouped(value);
}

// Least and most of what changed in (from, to], else what held on from before.
function track_between(track, from, to) {
	const begin = first_at_least(track.tick, from + 1), end = first_at_least(track.tick, to + 1);
	let least = Infinity, most = -Infinity;
	for (let i = begin; i < end; i++) {
		if (track.lost[i] || track.least[i] === null)
			continue;
		least = Math.min(least, Number(track.least[i]));
		most = Math.max(most, Number(track.most[i]));
	}
	const last = track_value(track, to);
	if (last !== null) {
		least = Math.min(least, Number(last));
		most = Math.max(most, Number(last));
	}
	return least <= most ? { least, most, last: last === null ? least : Number(last) } : null;
}

// spans: by pixel, the ticks [from, to] that it stands for. pick: the pixel whose value is written out, or −1.
function track_draw(p, context, one, spans, left, top, room) {
	const { track, counter } = one, now = colours.now, count = spans.length;
	const values = spans.map(([from, to]) => track_between(track, from, to));
	let least = Infinity, most = -Infinity;
	for (const value of values)
		if (value) {
			least = Math.min(least, value.least);
			most = Math.max(most, value.most);
		}
	context.fillStyle = now.line;
	context.fillRect(left, top, count * room.step, 1);
	if (least > most)
		return context.fillStyle = now.dim, context.fillText('no values here', left + 6, top + TRACK_HIGH / 2);
	const low = least > 0 && least < most * 0.6 ? 0 : least, range = most - low || 1, base = top + TRACK_HIGH - 3;
	const y = value => base - (value - low) / range * (TRACK_HIGH - 9);
	context.beginPath();
	context.strokeStyle = now.counter;
	context.lineWidth = 1.25;
	let is_open = false;
	values.forEach((value, i) => {
		const x = left + i * room.step;
		if (!value)
			return is_open = false;
		if (!is_open)
			context.moveTo(x, y(value.last));
		is_open = true;
		if (value.most > value.least && count > 200) {
			context.lineTo(x, y(value.least));
			context.lineTo(x, y(value.most));
		}
		context.lineTo(x, y(value.last));
		context.lineTo(x + room.step, y(value.last));
	});
	context.stroke();
}

// Events and notes by pixel: the first few of each, and how many there are.
function instants_draw(p, context, spans, left, y, step) {
	const { instants } = p, now = colours.now;
	let last = -Infinity;
	const marks = [];
	spans.forEach(([from, to], i) => {
		const begin = first_at_least(instants.tick, from + (i ? 1e-9 : 0)), end = first_at_least(instants.tick, to + 1e-9);
		if (begin >= end)
			return;
		let is_note = false;
		for (let k = begin; k < end && k < begin + 1000; k++)
			is_note = is_note || instants.event[k] < 0;
		marks.push([left + (i + 0.5) * step, is_note]);
	});
	// Where they stand close, a line stands for an event; a note always has its sign.
	for (const [x, is_note] of marks) {
		if (is_note || x - last >= 7)
			diamond(context, last = x, y, 4, is_note, now.mark);
		else {
			context.fillStyle = now.mark;
			context.fillRect(Math.round(x), y - 3, 1, 6);
		}
	}
}

function diamond(context, x, y, size, is_filled, colour) {
	context.beginPath();
	context.moveTo(x, y - size);
	context.lineTo(x + size, y);
	context.lineTo(x, y + size);
	context.lineTo(x - size, y);
	context.closePath();
	context.lineWidth = 1.25;
	context.strokeStyle = context.fillStyle = colour;
	if (is_filled)
		context.fill();
	context.stroke();
}
