// timeline: single calls on a time axis, one lane per thread, one row per depth. Drag to pan, Ctrl+wheel or + − to zoom,
// click to select a zone, double-click to zoom to a call.
//
// Calls narrower than a pixel are merged: the more of the pixel they cover, the stronger it is. If nothing is known of a
// thread, the background is hatched.

const LANE = { row: 17, head: 18, gap: 8, left: 0, ruler: 22, marks: 16, deepest: 40, highest: 1400 };

function timeline_make(p, selection) {
	const { state } = selection, view = { from: 0, to: 1 }, home = { from: 0, to: 1 };
	let places = [], hover = null, cursor = null, hidden_lanes = 0;
	const words = element('span', { class: 'where' }), found = element('p', { class: 'called', 'aria-live': 'polite' });
	const paper = canvas_new({ tabindex: 0, role: 'application', 'aria-roledescription': 'timeline', class: 'timeline', 'aria-label': 'Timeline',
				   'aria-describedby': 'timeline-hint' }, draw, height_of);
	const scroll = element('div', { class: 'lanes' }, paper.holder), none = element('p', { class: 'none' });
	const tools = element('div', { class: 'tools' }, words, element('div', { class: 'choice', role: 'group', 'aria-label': 'Zoom' },
		button('−', () => zoom(2), { 'aria-label': 'Zoom out', title: 'Zoom out (−)' }),
		button('+', () => zoom(0.5), { 'aria-label': 'Zoom in', title: 'Zoom in (+)' }),
		button('Frame', go_home, { title: 'Zoom to the selection (0)' })));
	const hint = element('p', { class: 'hint', id: 'timeline-hint' }, 'Drag to pan, Ctrl+wheel or + − to zoom. Double-click a call to zoom to it. ' +
		'Arrow keys select a call, a and d pan.');
	by_id('timeline-section').append(tools, scroll, none, found, hint);

	const lanes = p.lanes.slice().sort((a, b) => (p.threads.marking[b.thread] ? 1 : 0) - (p.threads.marking[a.thread] ? 1 : 0));
	const knows = (lane, from, to) => lane.known.some(([begin, end]) => begin < to && end > from);
	const depth_in = (lane, from, to) => {
		let depth = 0;
		lane.rows.forEach((row, i) => {
			const at = first_span_behind(row, from);
			if (at < row.begin.length && row.begin[at] < to)
				depth = i + 1;
		});
		return Math.min(depth, LANE.deepest);
	};

	// Lanes are as high as what is selected needs, so that they do not jump while one zooms.
	function height_of() {
		let y = LANE.ruler + (p.instants.count ? LANE.marks : 0);
		places = [];
		hidden_lanes = 0;
		for (const lane of lanes) {
			if (!in_threads(lane.thread, state.thread) || (lanes.length > 16 && !knows(lane, home.from, home.to)))
				continue;
			const rows = Math.max(1, depth_in(lane, home.from, home.to)), high = LANE.head + rows * LANE.row + LANE.gap;
			if (y + high > LANE.highest) {
				hidden_lanes++;
				continue;
			}
			places.push({ lane, y, rows });
			y += high;
		}
		return y + 4;
	}
	const x_of = tick => (tick - view.from) / (view.to - view.from) * paper.width();
	const tick_of = x => view.from + x / paper.width() * (view.to - view.from);

	function draw(context, width, height) {
		draw_unknown(context, width);
		draw_frames(context, width, height);
		draw_ruler(context, width);
		if (p.instants.count)
			draw_instants(context, width);
		for (const place of places)
			draw_lane(context, place, width);
	}
	function draw_ruler(context, width) {
		const now = colours.now, span = seconds_of(p, view.to - view.from), step = nice_step(span, width / 110);
		const [unit, name] = UNITS.find(([size]) => step >= size) || UNITS[3];
		const first = seconds_of(p, view.from - home.from);
		context.font = SMALL_FONT;
		for (let i = Math.ceil(first / step); i * step <= first + span; i++) {
			const x = Math.round((i * step - first) / span * width);
			context.fillStyle = now.line;
			context.fillRect(x, LANE.ruler - 6, 1, 6);
			context.fillStyle = now.dim;
			context.fillText(fixed(i * step / unit, step_digits(step / unit)) + ' ' + name, x + 4, LANE.ruler - 12);
		}
		context.font = FONT;
		context.fillStyle = now.line;
		context.fillRect(0, LANE.ruler - 1, width, 1);
	}
	function draw_frames(context, width, height) {
		const now = colours.now;
		let last_x = -10;
		for (let i = Math.max(0, first_at_least(p.frames.start, view.from) - 1); i < p.frames.count && p.frames.start[i] <= view.to; i++) {
			const x = Math.round(x_of(p.frames.start[i])), end = Math.round(x_of(p.frames.start[i] + p.frames.length[i]));
			if (end - x > 3 && x - last_x > 3) {
				context.fillStyle = now.line;
				context.fillRect(x, LANE.ruler, 1, height);
				last_x = x;
			}
		}
		if (state.first < 0)
			return;
		context.fillStyle = now.faint; // what is not of what is selected
		context.fillRect(0, LANE.ruler, x_of(home.from), height);
		context.fillRect(x_of(home.to), LANE.ruler, width, height);
	}
	function draw_instants(context, width) {
		const { instants } = p, y = LANE.ruler + LANE.marks / 2;
		context.font = SMALL_FONT;
		let free = -Infinity;
		for (let i = first_at_least(instants.tick, view.from); i < instants.count && instants.tick[i] <= view.to; i++) {
			const x = x_of(instants.tick[i]);
			if (x - free < -4)
				continue;
			diamond(context, x, y, 4, instants.event[i] < 0, colours.now.mark);
			const text = fitting(context, instants.text[i], Math.min(160, width - x - 10));
			context.fillStyle = colours.now.dim;
			context.fillText(text, x + 8, y);
			free = x + 12 + context.measureText(text).width;
		}
		context.font = FONT;
	}
	// Where nothing is known of a thread.
	function draw_unknown(context, width) {
		for (const { lane, y, rows } of places) {
			let from = view.from;
			const gap = (begin, end) => {
				const x = Math.max(0, x_of(begin)), to = Math.min(width, x_of(end));
				if (to - x < 1)
					return;
				context.fillStyle = hatch(context);
				context.fillRect(x, y + LANE.head, to - x, rows * LANE.row);
			};
			for (const [begin, end] of lane.known) {
				if (end <= from)
					continue;
				if (begin >= view.to)
					break;
				gap(from, begin);
				from = end;
			}
			gap(from, view.to);
		}
	}
	let pattern = null, pattern_of = '';
	function hatch(context) {
		if (pattern_of === colours.now.unknown)
			return pattern;
		const small = element('canvas', { width: 8, height: 8 }), pen = small.getContext('2d');
		pen.strokeStyle = pattern_of = colours.now.unknown;
		pen.beginPath();
		pen.moveTo(0, 8);
		pen.lineTo(8, 0);
		pen.moveTo(-2, 2);
		pen.lineTo(2, -2);
		pen.moveTo(6, 10);
		pen.lineTo(10, 6);
		pen.stroke();
		return pattern = context.createPattern(small, 'repeat');
	}
	function draw_lane(context, { lane, y, rows }, width) {
		context.fillStyle = colours.now.text;
		context.font = 'bold ' + SMALL_FONT;
		const name = p.threads.shown[lane.thread] + (knows(lane, view.from, view.to) ? '' : ': calls not known here');
		context.fillText(fitting(context, name, width - 8), 4, y + LANE.head / 2);
		context.font = SMALL_FONT;
		for (let depth = 0; depth < rows && depth < lane.rows.length; depth++)
			draw_row(context, lane.rows[depth], y + LANE.head + depth * LANE.row, width);
		context.font = FONT;
	}
	function draw_row(context, row, y, width) {
		const scale = width / (view.to - view.from), high = LANE.row - 2;
		const dust = new Float32Array(Math.ceil(width) + 1), dust_zone = new Int32Array(dust.length);
		let is_dust = false;
		for (let i = first_span_behind(row, view.from); i < row.begin.length && row.begin[i] < view.to; i++) {
			const x = (row.begin[i] - view.from) * scale, wide = row.length[i] * scale;
			if (wide < 1) {
				const at = Math.floor(x);
				if (at >= 0) {
					dust[at] += wide;
					dust_zone[at] = p.nodes.zone[row.node[i]];
				}
				is_dust = true;
				if (wide < 0.02) { // a thousand in a pixel: the next ones by a jump, counted as this one
					const next = first_at_least_from(row.begin, view.from + (at + 1) / scale, i + 1);
					if (at >= 0 && next > i + 64) {
						const last = row.begin[next - 1] + row.length[next - 1];
						dust[at] += (last - row.begin[i]) * scale * 0.5;
						i = next - 1;
					}
				}
				continue;
			}
			draw_span(context, row, i, x, wide, y, high, width);
		}
		if (!is_dust)
			return;
		for (let x = 0; x < dust.length; x++)
			if (dust[x]) {
				context.globalAlpha = Math.min(1, 0.3 + dust[x] * 0.7);
				context.fillStyle = colours.of_zone(p, dust_zone[x]);
				context.fillRect(x, y, 1, high);
			}
		context.globalAlpha = 1;
	}
	function draw_span(context, row, i, x, wide, y, high, width) {
		const now = colours.now, zone = p.nodes.zone[row.node[i]], left = Math.max(-2, x), right = Math.min(width + 2, x + wide);
		context.globalAlpha = state.zone > 0 && zone !== state.zone ? PALED : 1;
		context.fillStyle = colours.of_zone(p, zone);
		context.fillRect(left, y, Math.max(1, right - left - (wide > 3 ? 1 : 0)), high);
		context.globalAlpha = 1;
		if ((state.zone === zone && wide > 5) || (hover && hover.row === row && hover.i === i) || (cursor && cursor.row === row && cursor.i === i)) {
			context.strokeStyle = state.zone === zone ? now.chosen : now.text;
			context.lineWidth = 1.5;
			context.strokeRect(left + 0.75, y + 0.75, Math.max(1, right - left - 2.5), high - 1.5);
		}
		if (row.flags[i] & (SPAN.CUT_BEGIN | SPAN.RESUMED))
			jag(context, left, y, high, 1);
		if (row.flags[i] & (SPAN.CUT_END | SPAN.SUSPENDED | SPAN.RUNNING))
			jag(context, right - 1, y, high, -1);
		const room = right - Math.max(0, left) - 8;
		if (room < 14)
			return;
		context.fillStyle = now.box_text;
		const name = fitting(context, p.zones.shown[zone], room), begin = Math.max(0, left) + 4;
		context.fillText(name, begin, y + high / 2 + 0.5);
		const time = short_time(seconds_of(p, row.length[i])), used = context.measureText(name).width;
		if (room - used - 10 > context.measureText(time).width) {
			context.fillText(time, begin + used + 8, y + high / 2 + 0.5);
		}
	}
	// An end that is not the call's own.
	function jag(context, x, y, high, way) {
		context.fillStyle = colours.now.card;
		context.beginPath();
		context.moveTo(x, y);
		context.lineTo(x + way * 4, y + high / 2);
		context.lineTo(x, y + high);
		context.fill();
	}

	function span_at(x, y) {
		for (const { lane, y: top, rows } of places) {
			const depth = Math.floor((y - top - LANE.head) / LANE.row);
			if (depth < 0 || depth >= rows || depth >= lane.rows.length)
				continue;
			const row = lane.rows[depth], tick = tick_of(x), i = first_span_behind(row, tick);
			if (i < row.begin.length && row.begin[i] <= tick)
				return { lane, depth, row, i };
		}
		return null;
	}
	function lines_of({ lane, depth, row, i }) {
		const zone = p.nodes.zone[row.node[i]], end = row.begin[i] + row.length[i], below = lane.rows[depth + 1];
		let inside = 0;
		for (let k = below ? first_span_behind(below, row.begin[i]) : 0; below && k < below.begin.length && below.begin[k] < end; k++)
			inside += below.length[k];
		const path = [];
		for (let node = p.nodes.parent[row.node[i]]; node >= 0 && p.nodes.parent[node] >= 0; node = p.nodes.parent[node])
			path.push(p.zones.shown[p.nodes.zone[node]]);
		const flags = row.flags[i], parts = [flags & SPAN.CUT_BEGIN ? 'began before' : '', flags & SPAN.CUT_END ? 'ended later' : '',
			flags & SPAN.RUNNING ? 'unfinished' : '', flags & SPAN.RESUMED ? 'goes on here' : '', flags & SPAN.SUSPENDED ? 'was suspended' : '',
			flags & SPAN.LEFT_OPEN ? 'unclosed' : ''].filter(Boolean);
		return [p.zones.shown[zone], short_time(seconds_of(p, row.length[i])) + '   self ' + short_time(seconds_of(p, row.length[i] - inside)) +
			'   at +' + short_time(seconds_of(p, row.begin[i] - home.from)), path.length ? '‹ ' + cut_text(path.join(' ‹ '), 200) : '',
			cut_text(p.threads.shown[lane.thread], 60) + (parts.length ? ': ' + parts.join(', ') : '')];
	}

	// ---- where one looks
	function look(from, to) {
		const most = Math.max(1, (home.to - home.from) * 20), wide = Math.min(most, Math.max(to - from, p.ticks_per_s / 2e7));
		const middle = (from + to) / 2;
		view.from = middle - wide / 2;
		view.to = middle + wide / 2;
		show_words();
		paper.redraw();
	}
	function zoom(factor, x) {
		const at = x === undefined ? (view.from + view.to) / 2 : tick_of(x);
		look(at - (at - view.from) * factor, at + (view.to - at) * factor);
	}
	function go_home() {
		const margin = (home.to - home.from) * 0.005;
		look(home.from - margin, home.to + margin);
	}
	let begun = null;
	draggable(paper.canvas, {
		begin: () => {
			begun = { ...view };
			tip.hide();
		},
		move: (at, from) => {
			const by = (from.x - at.x) / paper.width() * (begun.to - begun.from);
			look(begun.from + by, begun.to + by);
		},
		end: (at, from, moved) => {
			const seen = span_at(at.x, at.y);
			if (moved || !seen)
				return;
			found.textContent = lines_of(seen).filter(Boolean).join('  ·  ');
			selection.change({ zone: p.nodes.zone[seen.row.node[seen.i]] });
		},
		hover: (at, event) => {
			const seen = span_at(at.x, at.y);
			if ((seen && seen.i) !== (hover && hover.i) || (seen && seen.row) !== (hover && hover.row))
				paper.redraw();
			hover = seen;
			if (seen)
				tip.show(event, ...lines_of(seen));
			else
				tip.hide();
		},
		leave: () => {
			hover = null;
			tip.hide();
			paper.redraw();
		},
	});
	paper.canvas.addEventListener('dblclick', event => {
		const seen = span_at(event.offsetX, event.offsetY);
		if (!seen)
			return go_home();
		const begin = seen.row.begin[seen.i], length = seen.row.length[seen.i];
		look(begin - length * 0.02, begin + length * 1.02);
	});
	paper.canvas.addEventListener('wheel', event => {
		const wide = view.to - view.from;
		if (event.ctrlKey || event.metaKey || event.altKey)
			zoom(Math.exp(event.deltaY * 0.004), event.offsetX);
		else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
			look(view.from + event.deltaX * wide / paper.width(), view.to + event.deltaX * wide / paper.width());
		else
			return;
		event.preventDefault();
	}, { passive: false });
	paper.canvas.addEventListener('keydown', event => {
		const wide = view.to - view.from, move = by => look(view.from + by * wide, view.to + by * wide);
		const keys = { ArrowLeft: () => step('left'), ArrowRight: () => step('right'), ArrowUp: () => step('up'), ArrowDown: () => step('down'),
			       Enter: () => cursor && selection.change({ zone: p.nodes.zone[cursor.row.node[cursor.i]] }),
			       '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
			       0: go_home, a: () => move(-0.1), d: () => move(0.1), w: () => zoom(0.5), s: () => zoom(2) };
		if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys))
			return;
		event.preventDefault();
		event.stopPropagation();
		keys[event.key]();
	});

	// The cursor is a call: ← and → lead to its neighbours, ↑ and ↓ to the call around it and into it, or to another thread.
	function call_in(lane, depth, tick, end) {
		const row = lane.rows[depth], i = row ? first_span_behind(row, tick) : 0;
		return row && i < row.begin.length && row.begin[i] < end ? { lane, depth, row, i } : null;
	}
	function step(way) {
		const at = places.findIndex(place => cursor && place.lane === cursor.lane);
		if (at < 0)
			return go(places.map(({ lane }) => call_in(lane, 0, view.from, view.to)).find(Boolean));
		const { lane, depth, row, i } = cursor, begin = row.begin[i], end = begin + row.length[i];
		const beside = by => row.begin[i + by] === undefined ? null : { lane, depth, row, i: i + by };
		const other = by => places[at + by] && call_in(places[at + by].lane, 0, Math.max(begin, view.from), view.to);
		go(way === 'left' ? beside(-1) : way === 'right' ? beside(1) : way === 'up' ? (depth ? call_in(lane, depth - 1, begin, end) : other(-1)) :
			call_in(lane, depth + 1, begin, end) || other(1));
	}
	function go(next) {
		if (!next)
			return;
		cursor = next;
		const begin = cursor.row.begin[cursor.i], end = begin + cursor.row.length[cursor.i], wide = view.to - view.from;
		if (end < view.from || begin > view.to)
			look(begin - wide / 2, begin + wide / 2);
		found.textContent = lines_of(cursor).filter(Boolean).join('  ·  ');
		paper.redraw();
	}

	// ---- what it is of
	function show_words() {
		words.textContent = short_time(seconds_of(p, view.to - view.from)) + ' wide' + (hidden_lanes ? ', ' +
			plural(hidden_lanes, 'more thread') + ': choose one above' : '') + (p.calls && p.calls.left_out ? ', ' +
			plural(p.calls.left_out, 'older call') + ' left out' : '');
	}
	function show() {
		const span = selection.span() || newest_known();
		found.textContent = '';
		cursor = null;
		if (span)
			[home.from, home.to] = span;
		const is_known = Boolean(span) && calls_between(p, home.from, home.to);
		scroll.hidden = tools.hidden = hint.hidden = !is_known;
		none.hidden = is_known;
		if (!is_known) {
			fill(none, p.lanes.length ? 'Single calls of ' + selection.frames_text() + ' are not known. ' : 'This page has no single calls.',
				p.lanes.length ? nearest_button() : null);
			return;
		}
		paper.canvas.setAttribute('aria-label', 'Timeline of ' + (state.first < 0 ? 'newest known time' : selection.frames_text()));
		go_home();
	}
	// For the whole run: the newest frames whose calls are known.
	function newest_known() {
		for (let i = p.frames.count; i-- > 0;) {
			const to = p.frames.start[i] + p.frames.length[i];
			if (p.frames.length[i] && calls_between(p, p.frames.start[i], to) && i > p.frames.count - 4000)
				return [p.frames.start[Math.max(0, i - 2)], to];
		}
		const last = p.lanes.flatMap(lane => lane.known.slice(-1)).sort((a, b) => a[1] - b[1]).pop();
		return last || null;
	}
	function nearest_button() {
		const frame = worst_frames(p).find(i => calls_between(p, p.frames.start[i], p.frames.start[i] + p.frames.length[i]));
		return frame === undefined ? null : button('Frame ' + grouped(p.frames.number[frame]) + ' has them', () => selection.change({ first: frame, last: frame }));
	}
	selection.on_change(changed => {
		if (['first', 'last', 'thread'].some(key => changed.has(key)))
			show();
		else
			paper.redraw();
	});
	show();
	return { view, redraw: paper.redraw };
}

function first_at_least_from(values, wanted, low) {
	let high = values.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (values[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
