// frame graph: a bar a frame, or a bar for several where there is not a pixel for each: then the longest of them, and their
// mean in it. Click selects, drag selects a range, zoom and pan, arrow keys step. Events, notes and counters stand below.
//
//     [from, to)   the frames in view, by index
//     a column     of `wide` pixels is of frames [floor(from + i·per), …)

const GRAPH = { left: 52, right: 10, top: 14, bars: 150, axis: 21, marks: 16, least_wide: 3 };

function frame_graph_make(p, selection) {
	const { state } = selection, view = { from: 0, to: Math.max(1, p.frames.count) };
	let high = frames_by(p, selection.measure()), measure = selection.measure();
	const tracks = tracks_of(p);
	let tracks_shown = Math.min(TRACKS_AT_FIRST, tracks.length), hover = null, anchor = -1, of_zone = null;
	const has_marks = p.instants.count > 0;

	const height_of = () => GRAPH.top + GRAPH.bars + GRAPH.axis + (has_marks ? GRAPH.marks : 0) +
		tracks_shown * (TRACK_HIGH + 2) + 4;
	const graph = canvas_new({ tabindex: 0, role: 'slider', 'aria-label': 'Frame graph', 'aria-describedby': 'frames-hint',
				   class: 'frame-graph' }, draw, height_of);

	function room() {
		const width = Math.max(10, graph.width() - GRAPH.left - GRAPH.right), count = view.to - view.from;
		const per = Math.max(1, count / Math.floor(width / (count > width ? 1 : 1)));
		const columns = Math.ceil(count / per - 1e-9);
		return { width, per, columns, step: width / (count / per) };
	}
	const frames_of_column = (r, i) => {
		const first = Math.floor(view.from + i * r.per), behind = Math.floor(view.from + (i + 1) * r.per);
		return [first, Math.max(first, Math.min(view.to, behind) - 1)];
	};
	const frame_of_x = x => {
		const r = room(), at = Math.floor(view.from + (x - GRAPH.left) / r.step * r.per);
		return Math.min(view.to - 1, Math.max(view.from, at));
	};
	const x_of_frame = (r, frame) => GRAPH.left + (frame - view.from) / r.per * r.step;

	// The highest value of the axis: one frame that is far longer than the others does not flatten them.
	function top_of(r) {
		let most = 0;
		const all = [];
		for (let i = view.from; i < view.to; i++) {
			if (p.frames.flags[i] & FRAME.DISCARDED)
				continue;
			most = Math.max(most, high.value[i]);
			if (i % Math.ceil((view.to - view.from) / 2000) === 0)
				all.push(high.value[i]);
		}
		all.sort((a, b) => a - b);
		const usual = all[Math.floor(all.length * 0.9)] || most, sight = Math.max(usual * 3, budget_now() * 1.6);
		return { top: most > sight * 2 ? sight * 1.25 : Math.max(most, budget_now()) * 1.06 || 1, most };
	}
	// A budget is of time.
	function budget_now() {
		return is_time(measure) ? state.budget : 0;
	}
	function unit_of(top) {
		return is_time(measure) ? frame_unit(p) : unit_for_many(measure, top, top);
	}

	function draw(context, width) {
		const now = colours.now, r = room(), base = GRAPH.top + GRAPH.bars, { top } = top_of(r);
		if (!p.frames.count) {
			context.fillStyle = now.dim;
			context.fillText('No frames.', GRAPH.left, base / 2);
			return;
		}
		draw_selection(context, r, base, height_of());
		draw_axis(context, r, base, top, width);
		for (let i = 0; i < r.columns; i++)
			draw_column(context, r, i, base, top);
		draw_budget(context, r, base, top, width);
		draw_numbers(context, r, base);
		draw_below(context, r, base + GRAPH.axis);
		if (hover !== null) {
			context.fillStyle = now.text;
			context.globalAlpha = 0.35;
			context.fillRect(Math.round(x_of_frame(r, hover + 0.5)), GRAPH.top, 1, height_of() - GRAPH.top);
			context.globalAlpha = 1;
		}
	}

	function draw_selection(context, r, base, bottom) {
		if (state.first < 0 || state.last < view.from || state.first >= view.to)
			return;
		const left = x_of_frame(r, Math.max(view.from, state.first)), right = x_of_frame(r, Math.min(view.to, state.last + 1));
		context.fillStyle = colours.now.chosen_pale;
		context.fillRect(left, 2, Math.max(2, right - left), bottom - 4);
	}

	function draw_axis(context, r, base, top, width) {
		const now = colours.now, unit = unit_of(top), ms = top / measure.ticks_per_s / unit.size, step = nice_step(ms, 5);
		context.textAlign = 'right';
		for (let value = 0; value < ms; value += step) {
			const y = Math.round(base - value / ms * GRAPH.bars);
			context.fillStyle = value ? now.faint : now.line;
			context.fillRect(GRAPH.left, y, r.width, 1);
			context.fillStyle = now.dim;
			context.fillText(value ? fixed(value, step_digits(step)) : unit.name || '0', GRAPH.left - 6, y);
		}
		context.textAlign = 'left';
	}

	function draw_column(context, r, i, base, top) {
		const now = colours.now, [first, last] = frames_of_column(r, i);
		let most = 0, sum = 0, zone = 0, known = 0, grey = true, chosen = false, lacks = false;
		for (let k = first; k <= last; k++) {
			most = Math.max(most, high.value[k]);
			sum += high.value[k];
			lacks = lacks || high.known(k) !== KNOWN;
			grey = grey && Boolean(p.frames.flags[k] & FRAME.DISCARDED);
			if (of_zone && of_zone[k] === of_zone[k]) {
				zone += of_zone[k];
				known++;
			}
		}
		chosen = state.first >= 0 && first <= state.last && last >= state.first;
		const x = GRAPH.left + i * r.step, gap = r.step > 6 ? 1 : r.step > 3 ? 0.5 : 0;
		const part = (from, to, colour) => {
			const low = Math.min(1, from / top) * GRAPH.bars, high = Math.min(1, to / top) * GRAPH.bars;
			context.fillStyle = colour;
			if (to > from)
				context.fillRect(x, base - high, Math.max(0.75, r.step - gap), high - low);
		};
		// Green as far as the budget reaches, red above; where a column is of several frames, paler from their mean to the longest.
		const bar = (from, to, usual, over) => {
			const budget = budget_now() && !grey ? budget_now() : Infinity;
			part(from, Math.min(to, budget), usual);
			part(Math.max(from, budget), to, over);
		};
		const mean = last > first ? sum / (last - first + 1) : most, over = Boolean(budget_now()) && most > budget_now() && !grey;
		bar(0, mean, grey ? now.line : chosen ? now.chosen : of_zone ? now.bar_pale : now.bar, chosen ? now.chosen : now.over);
		bar(mean, most, grey ? now.line : now.bar_pale, now.over_pale);
		if (lacks) // its height is a lower bound, if anything is known
			part(most, most + 3 * top / GRAPH.bars, now.unknown);
		if (of_zone && known)
			part(0, zone / known, now.part);
		if (over && last > first)
			part(Math.min(most, top) - 2 * top / GRAPH.bars, Math.min(most, top), now.over);
		if (most > top && !grey) {
			context.fillStyle = now.over;
			context.textAlign = 'center';
			context.fillText('!', x + r.step / 2, GRAPH.top - 6);
			context.textAlign = 'left';
		}
	}

	function draw_budget(context, r, base, top) {
		if (!budget_now() || budget_now() > top)
			return;
		const y = Math.round(base - budget_now() / top * GRAPH.bars) + 0.5;
		context.strokeStyle = colours.now.budget;
		context.setLineDash([5, 4]);
		context.beginPath();
		context.moveTo(GRAPH.left, y);
		context.lineTo(GRAPH.left + r.width, y);
		context.stroke();
		context.setLineDash([]);
	}

	function draw_numbers(context, r, base) {
		const now = colours.now, count = view.to - view.from, step = Math.max(1, Math.round(nice_step(count, r.width / 90)));
		context.fillStyle = now.dim;
		context.textAlign = 'center';
		const first = p.frames.number[view.from];
		for (let i = view.from + (step - first % step) % step, last_x = -100; i < view.to; i += step) {
			const x = x_of_frame(r, i + 0.5);
			if (x - last_x < 60 || x > GRAPH.left + r.width - 20)
				continue;
			context.fillText(grouped(p.frames.number[i]), x, base + 14);
			last_x = x;
		}
		if (state.first >= view.from && state.last < view.to && state.first >= 0) {
			context.fillStyle = now.chosen;
			const x = (x_of_frame(r, state.first) + x_of_frame(r, state.last + 1)) / 2;
			context.beginPath();
			context.moveTo(x, base + 1);
			context.lineTo(x - 4, base + 7);
			context.lineTo(x + 4, base + 7);
			context.fill();
		}
		context.textAlign = 'left';
	}

	function draw_below(context, r, top) {
		const spans = [];
		for (let i = 0; i < r.columns; i++) {
			const [first, last] = frames_of_column(r, i);
			spans.push([p.frames.start[first], p.frames.start[last] + p.frames.length[last]]);
		}
		if (has_marks)
			instants_draw(p, context, spans, GRAPH.left, top + GRAPH.marks / 2, r.step);
		top += has_marks ? GRAPH.marks : 0;
		context.font = SMALL_FONT;
		for (let i = 0; i < tracks_shown; i++, top += TRACK_HIGH + 2) {
			track_draw(p, context, tracks[i], spans, GRAPH.left, top, r);
			const at = hover !== null ? hover : selection.frame();
			const value = at >= 0 && at !== null ?
				counter_text(tracks[i].counter, track_value(tracks[i].track, p.frames.start[at] + p.frames.length[at])) : '';
			const text = fitting(context, tracks[i].name + (value ? '  ' + value : ''), r.width - 12);
			context.globalAlpha = 0.85;
			context.fillStyle = colours.now.card;
			context.fillRect(GRAPH.left + 2, top + 3, context.measureText(text).width + 8, 14);
			context.globalAlpha = 1;
			context.fillStyle = colours.now.text;
			context.fillText(text, GRAPH.left + 6, top + 10);
		}
		context.font = FONT;
	}

	// ---- where one looks
	function look(from, to) {
		const count = p.frames.count, wide = Math.max(GRAPH.least_wide, Math.min(count, Math.round(to - from)));
		view.from = Math.max(0, Math.min(count - wide, Math.round(from)));
		view.to = Math.max(1, Math.min(count, view.from + wide));
		show_where();
		graph.redraw();
	}
	function zoom(factor, at) {
		const middle = at === undefined ? (selection.frame() >= 0 ? selection.frame() : (view.from + view.to) / 2) : at;
		look(middle - (middle - view.from) * factor, middle + (view.to - middle) * factor);
	}
	function see(frame) {
		if (frame >= view.from && frame < view.to)
			return;
		const wide = view.to - view.from;
		look(frame - wide / 2, frame + wide / 2);
	}

	// ---- pointer and keys
	draggable(graph.canvas, {
		begin: (at, event) => {
			anchor = event.shiftKey && state.first >= 0 ? state.first : frame_of_x(at.x);
			tip.hide();
		},
		move: at => {
			const to = frame_of_x(at.x);
			selection.change({ first: Math.min(anchor, to), last: Math.max(anchor, to) }, false);
		},
		end: (at, from, moved, event) => {
			const to = frame_of_x(at.x);
			if (!moved && !event.shiftKey)
				return selection.change({ first: widest(at.x), last: widest(at.x) });
			selection.change({ first: Math.min(anchor, to), last: Math.max(anchor, to) });
		},
		hover: (at, event) => {
			const frame = at.x < GRAPH.left || !p.frames.count ? null : widest(at.x);
			if (frame !== hover)
				graph.redraw();
			hover = frame;
			if (frame === null)
				return tip.hide();
			tip.show(event, ...frame_lines(frame));
		},
		leave: () => {
			hover = null;
			tip.hide();
			graph.redraw();
		},
	});

	// If a column has several frames, the longest is meant.
	function widest(x) {
		const r = room(), i = Math.floor((x - GRAPH.left) / r.step);
		const [first, last] = frames_of_column(r, Math.min(r.columns - 1, Math.max(0, i)));
		let best = first;
		for (let k = first; k <= last; k++)
			if (high.value[k] > high.value[best])
				best = k;
		return best;
	}

	function frame_lines(frame) {
		const from = p.frames.start[frame], to = from + p.frames.length[frame], lines = [];
		const name = p.frames.name[frame] ? '  ' + p.frame_names[p.frames.name[frame] - 1] : '';
		lines.push('frame ' + grouped(p.frames.number[frame]) + name, frame_time(p, p.frames.length[frame]) +
			(state.budget && p.frames.length[frame] > state.budget ? '  OVER' : ''));
		if (!is_time(measure))
			lines.push(cut_text(measure.name, 60) + ' ' + full_time(measure, high.value[frame], high.known(frame)));
		if (of_zone && state.zone >= 0 && of_zone[frame] === of_zone[frame])
			lines.push(cut_text(p.zones.shown[state.zone], 40) + ' ' + full_time(measure, of_zone[frame]));
		const first = first_at_least(p.instants.tick, from + 1);
		for (let i = first; i < p.instants.count && p.instants.tick[i] <= to && i < first + 5; i++)
			lines.push((p.instants.event[i] < 0 ? '◆ ' : '◇ ') + cut_text(p.instants.text[i], 70));
		return lines;
	}

	graph.canvas.addEventListener('dblclick', event => zoom(0.35, frame_of_x(event.offsetX)));
	graph.canvas.addEventListener('wheel', event => {
		const wide = view.to - view.from;
		if (event.ctrlKey || event.metaKey || event.altKey)
			zoom(Math.exp(event.deltaY * 0.004), frame_of_x(event.offsetX));
		else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && wide < p.frames.count)
			look(view.from + event.deltaX * wide / graph.width(), view.to + event.deltaX * wide / graph.width());
		else
			return;
		event.preventDefault();
	}, { passive: false });

	const keys = {
		ArrowLeft: () => step(-1), ArrowRight: () => step(1), PageUp: () => step(-10), PageDown: () => step(10),
		Home: () => step(-Infinity), End: () => step(Infinity), '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
		0: () => look(0, p.frames.count), Enter: () => zoom(0.2), z: () => zoom_selected(),
	};
	let extending = false;
	const range = { fixed: -1, moved: -1 }; // the two ends of what Shift extends: one stays
	function step(by) {
		if (!extending || state.first < 0)
			return step_frame(p, selection, by);
		if (Math.min(range.fixed, range.moved) !== state.first || Math.max(range.fixed, range.moved) !== state.last)
			Object.assign(range, by < 0 ? { fixed: state.last, moved: state.first } : { fixed: state.first, moved: state.last });
		range.moved = Math.max(0, Math.min(p.frames.count - 1, range.moved + by));
		selection.change({ first: Math.min(range.fixed, range.moved), last: Math.max(range.fixed, range.moved) }, 'many');
	}
	graph.canvas.addEventListener('keydown', event => {
		if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys))
			return;
		extending = event.shiftKey && event.key.startsWith('Arrow');
		event.preventDefault();
		event.stopPropagation();
		keys[event.key]();
	});
	function zoom_selected() {
		if (state.first < 0)
			return look(0, p.frames.count);
		const around = state.first === state.last ? 20 : (state.last - state.first) * 0.1 + 1;
		look(state.first - around, state.last + 1 + around);
	}

	// ---- what stands around it
	const where = element('span', { class: 'where' });
	function show_where() {
		const all = view.to - view.from >= p.frames.count;
		where.textContent = (is_time(measure) || !p.frames.count ? '' : cut_text(measure.name, 60) + ', ') + (!p.frames.count ? '' : all ? 'all ' + plural(p.frames.count, 'frame') :
			grouped(p.frames.number[view.from]) + ' to ' + grouped(p.frames.number[view.to - 1]) + ' of ' + plural(p.frames.count, 'frame'));
	}
	const budget = element('input', { type: 'number', min: 0, step: 'any', id: 'budget', placeholder: 'none', inputmode: 'decimal' });
	budget.addEventListener('change', () => selection.change({ budget: Math.max(0, Math.round(Number(budget.value) * p.ticks_per_s / 1000)) }));
	const more = tracks.length > TRACKS_AT_FIRST ? button('', () => {
		tracks_shown = tracks_shown < tracks.length ? Math.min(tracks.length, 60) : TRACKS_AT_FIRST;
		show_more();
		graph.redraw();
	}, { class: 'quiet more' }) : null;
	const show_more = () => more && (more.textContent = tracks_shown > TRACKS_AT_FIRST ? 'Fewer counters' :
		plural(tracks.length - tracks_shown, 'more counter'));
	const tools = element('div', { class: 'tools' }, where,
		element('label', null, 'budget ', budget, ' ms'),
		element('div', { class: 'choice', role: 'group', 'aria-label': 'Zoom' },
			button('−', () => zoom(2), { 'aria-label': 'Zoom out', title: 'Zoom out (−)' }),
			button('+', () => zoom(0.5), { 'aria-label': 'Zoom in', title: 'Zoom in (+)' }),
			button('Selected', zoom_selected, { title: 'Zoom to the selection (z)' }),
			button('All', () => look(0, p.frames.count), { title: 'All frames (0)' })));
	by_id('frames-section').append(tools, graph.holder, element('div', { class: 'foot' },
		element('p', { class: 'hint', id: 'frames-hint' },
			'Click a frame; drag to select a range. ← → step, Shift extends the range, + − or Ctrl+wheel zoom.'), more));

	function show_value() {
		const frame = selection.frame(), canvas = graph.canvas;
		canvas.setAttribute('aria-valuemin', p.frames.count ? p.frames.number[0] : 0);
		canvas.setAttribute('aria-valuemax', p.frames.count ? p.frames.number[p.frames.count - 1] : 0);
		canvas.setAttribute('aria-valuenow', p.frames.count ? p.frames.number[frame >= 0 ? frame : p.frames.count - 1] : 0);
		const text = frame >= 0 ? selection.frames_text() + ', ' + frame_time(p, p.frames.length[frame], 2) +
			(state.budget && p.frames.length[frame] > state.budget ? ', over the budget' : '') : selection.frames_text();
		canvas.setAttribute('aria-valuetext', text);
	}
	const show_zone = () => {
		of_zone = state.zone > 0 && !measure.is_of_slice ? zone_by_frame(p, state.zone, state.thread, measure) : null;
	};
	selection.on_change(changed => {
		measure = selection.measure();
		high = frames_by(p, measure);
		if (changed.has('measure'))
			show_where();
		if (changed.has('zone') || changed.has('thread') || changed.has('measure'))
			show_zone();
		if (changed.has('first') || changed.has('last'))
			state.first >= 0 && state.first === state.last && see(state.first);
		budget.value = state.budget ? +ms_of(p, state.budget).toPrecision(6) : '';
		show_value();
		graph.redraw();
	});
	budget.value = state.budget ? +ms_of(p, state.budget).toPrecision(6) : '';
	show_zone();
	show_where();
	show_more();
	show_value();
	if (selection.frame() >= 0)
		see(selection.frame());
	return { redraw: graph.redraw, x_of_frame: frame => x_of_frame(room(), frame), view };
}
