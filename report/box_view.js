// box view: the tree map or the flame graph of what is selected. A click zooms and selects the zone, breadcrumbs lead back.
// With the keyboard: arrows go from box to box, Enter zooms, Backspace goes out.

const MAP_HIGH = width => Math.max(280, Math.min(520, width * 0.42));

function box_view_make(p, selection) {
	const { state } = selection;
	let top = null, at = null, unit = TIME_UNITS[1], known = KNOWN, known_of = null, boxes = [], hover = null, cursor = null, before = null, step = 1;
	const paper = canvas_new({ tabindex: 0, role: 'application', 'aria-roledescription': 'picture of boxes', class: 'boxes',
				   'aria-label': 'Flame graph', 'aria-describedby': 'boxes-hint' }, draw, height_of);
	const crumbs = element('nav', { class: 'crumbs', 'aria-label': 'Zoomed to' });
	const kinds = choice('Picture', [['flame', 'Flame graph'], ['map', 'Tree map']], kind => selection.change({ boxes: kind }));
	const waits = element('input', { type: 'checkbox', id: 'with-waits' });
	waits.addEventListener('change', () => selection.change({ waits: waits.checked }));
	const note = element('span', { class: 'where' });
	by_id('boxes-section').append(
		element('div', { class: 'tools' }, note, element('label', null, waits, ' waits and (no zone)'), kinds.element),
		crumbs, paper.holder, element('p', { class: 'hint', id: 'boxes-hint' },
			'Click a box to zoom in, or a name above to zoom out. Keys: arrows, Enter, Backspace.'));

	function gather() {
		top = box_tree(p, tree_of(p, selection.values(), state.thread), state.waits);
		at = box_of_path(top, state.path).box;
		unit = unit_for_many(selection.measure(), top.value / 10, top.value);
		known = values_known(p, selection.values(), state.thread);
		known_of = zones_known(p, selection.values(), state.thread);
		cursor = null;
	}
	function lay_out(width) {
		return state.boxes === 'map' ? tree_map_boxes(at, width, MAP_HIGH(width)) : flame_boxes(at, width);
	}
	function height_of(width) {
		boxes = lay_out(width);
		return state.boxes === 'map' ? MAP_HIGH(width) : Math.max(5, flame_rows(boxes)) * FLAME_ROW + 2;
	}

	function draw(context, width, height) {
		const now = colours.now;
		if (!top.value) {
			context.fillStyle = now.dim;
			context.fillText(nothing_text(selection.measure()), 12, 24);
			return;
		}
		for (const seen of boxes)
			draw_box(context, moving(seen));
		for (const seen of boxes)
			if (seen === hover || (cursor && seen.box === cursor))
				outline(context, moving(seen), now.text);
	}
	function nothing_text(measure) {
		if (is_time(measure))
			return state.waits ? 'No time here.' : 'All of the time here is waiting.';
		if (measure.is_of_slice)
			return 'It is known of threads how much they have of this measure, but not of zones.';
		return known === UNKNOWN ? 'It is not known how much there is.' : 'No amounts here.';
	}
	// From where a box was when the picture began to zoom.
	function moving(seen) {
		const from = before && before.get(seen.box);
		if (!from || step >= 1)
			return seen;
		const part = (a, b) => a + (b - a) * step;
		return { ...seen, x0: part(from.x0, seen.x0), x1: part(from.x1, seen.x1), y0: part(from.y0, seen.y0), y1: part(from.y1, seen.y1) };
	}
	function outline(context, s, colour) {
		context.strokeStyle = colour;
		context.lineWidth = 2;
		context.strokeRect(s.x0 + 1, s.y0 + 1, Math.max(1, s.x1 - s.x0 - 2), s.y1 - s.y0 - 2);
	}
	function draw_box(context, s) {
		const now = colours.now, wide = s.x1 - s.x0, high = s.y1 - s.y0, is_map = state.boxes === 'map';
		const is_zone = state.zone >= 0 && s.box.zone === state.zone && !s.box.is_root;
		context.fillStyle = s.box.is_root ? now.faint : colours.of_zone(p, s.box.zone);
		const dimmed = s.is_above || (state.zone > 0 && !is_zone) || filtered(s.box);
		context.globalAlpha = filtered(s.box) ? 0.25 : dimmed ? PALED : 1;
		context.fillRect(s.x0, s.y0, Math.max(0.5, wide - (is_map ? 0 : wide > 3 ? 1 : 0)), high - (is_map ? 0 : 1));
		if (is_map && wide > 3) {
			context.strokeStyle = now.box_edge;
			context.lineWidth = 1;
			context.strokeRect(s.x0 + 0.5, s.y0 + 0.5, wide - 1, high - 1);
		}
		context.globalAlpha = 1;
		if (is_zone)
			outline(context, s, now.chosen);
		if (high < 12)
			return;
		const time = (known_of(s.box.zone) === LEAST ? '≥' : '') + time_in(selection.measure(), s.box.value, unit), name = box_name(p, s.box);
		context.fillStyle = filtered(s.box) ? now.dim : s.box.is_root ? now.text : now.box_text;
		const y = is_map ? s.y0 + Math.min(MAP_HEAD, high) / 2 + 1 : s.y0 + high / 2;
		const text = fitting(context, name, wide - 8);
		context.fillText(text, s.x0 + 4, y);
		const room = wide - 8 - context.measureText(text).width - 10;
		if (text === name && room > context.measureText(time).width) {
			context.textAlign = is_map ? 'left' : 'right';
			context.fillText(time, is_map ? s.x0 + 4 + context.measureText(text).width + 8 : s.x1 - 6, y);
			context.textAlign = 'left';
		}
	}
	const filtered = box => state.filter && !box.is_root && !matches_filter(p, box.zone, state.filter);

	function box_at(x, y) {
		for (let i = boxes.length; i-- > 0;)
			if (x >= boxes[i].x0 && x < boxes[i].x1 && y >= boxes[i].y0 && y < boxes[i].y1)
				return boxes[i];
		return null;
	}
	function lines_of(box) {
		const { row } = box, v = selection.values(), all = top.value;
		const ms = ticks => full_time(selection.measure(), ticks, known_of(box.zone)), share = v.whole && known === KNOWN;
		return [box_name(p, box), p.zones.file[box.zone] && !box.is_root ? p.zones.file[box.zone] + ':' + p.zones.line[box.zone] : '',
			'self ' + ms(row.self) + '   hier ' + ms(row.hier) + (row.count ? '   count ' + grouped(row.count) : ''),
			percent(box.value, all) + ' of the picture' + (share ? '   ' + percent(row.hier, v.whole) + (is_time(v.measure) ? ' of the frame time' : ' of all') : ''),
			row.longest && row.longest !== Infinity ? 'longest call ' + ms(row.longest) : ''];
	}

	// ---- acts
	function go(box) {
		const path = path_of_box(box);
		before = new Map(boxes.map(seen => [seen.box, seen]));
		selection.change(path.length ? { path, zone: path[path.length - 1] } : { path });
	}
	function animate() {
		step = matchMedia('(prefers-reduced-motion: reduce)').matches || !before ? 1 : 0;
		const begun = performance.now(), next = () => {
			step = Math.min(1, (performance.now() - begun) / 160);
			step = 1 - (1 - step) * (1 - step);
			paper.redraw();
			if (step < 1)
				requestAnimationFrame(next);
			else
				before = null;
		};
		next();
	}
	paper.canvas.addEventListener('pointermove', event => {
		const seen = box_at(event.offsetX, event.offsetY);
		if (seen !== hover)
			paper.redraw();
		hover = seen;
		paper.canvas.style.cursor = seen ? 'pointer' : '';
		if (seen)
			tip.show(event, ...lines_of(seen.box));
		else
			tip.hide();
	});
	paper.canvas.addEventListener('pointerleave', () => {
		hover = null;
		tip.hide();
		paper.redraw();
	});
	paper.canvas.addEventListener('click', event => {
		const seen = box_at(event.offsetX, event.offsetY);
		if (seen)
			go(seen.box);
	});
	const moves = {
		ArrowDown: box => state.boxes === 'map' ? box.children[0] : box.children[0],
		ArrowUp: box => box.parent,
		ArrowRight: box => beside(box, 1),
		ArrowLeft: box => beside(box, -1),
	};
	function beside(box, by) {
		const all = box.parent ? box.parent.children : [box];
		return all[all.indexOf(box) + by];
	}
	paper.canvas.addEventListener('keydown', event => {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		const here = cursor || at;
		if (event.key in moves) {
			cursor = moves[event.key](here) || here;
			say([box_name(p, cursor), full_time(selection.measure(), cursor.value, known_of(cursor.zone)), percent(cursor.value, top.value)].join(', '));
			paper.redraw();
		} else if (event.key === 'Enter' || event.key === ' ')
			go(here);
		else if (event.key === 'Backspace' && at.parent)
			go(at.parent);
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	});

	function show_crumbs() {
		const steps = [];
		for (let box = at; box; box = box.parent)
			steps.unshift(box);
		fill(crumbs, ...steps.flatMap((box, i) => [i ? element('span', { 'aria-hidden': 'true' }, '›') : null,
			button(cut_text(box_name(p, box), 60), () => go(box), { class: 'link', 'aria-current': box === at ? 'true' : null })]),
			element('span', { class: 'number' }, at === top ? '' : percent(at.value, top.value)));
	}
	function show_note() {
		const measure = selection.measure(), name = cut_text(measure.name, 60);
		by_id('boxes-title').textContent = is_time(measure) ? 'Where the time goes' : 'Stacks by ' + name;
		note.textContent = selection.frames_text() + ', ' + (state.thread === ALL_THREADS ? 'all threads' : cut_text(p.threads.shown[state.thread], 40)) +
			': ' + full_time(measure, top.value, measure.is_of_slice && !state.waits ? UNKNOWN : known) + (state.waits ? '' : is_time(measure) ? ' busy' : ' in zones');
		paper.canvas.setAttribute('aria-label', (state.boxes === 'map' ? 'Tree map of ' : 'Flame graph of ') + note.textContent);
	}
	function show(changed) {
		if (!changed || ['first', 'last', 'thread', 'waits', 'measure'].some(key => changed.has(key)))
			gather();
		const next = box_of_path(top, state.path).box, is_zoom = next !== at;
		if (!changed || next !== at || changed.has('boxes'))
			cursor = null;
		at = next;
		kinds.set(state.boxes);
		waits.checked = state.waits;
		show_crumbs();
		show_note();
		if (is_zoom && changed)
			animate();
		else
			step = 1, before = null;
		paper.redraw();
	}
	selection.on_change(show);
	show();
	return { boxes: () => boxes, redraw: paper.redraw };
}
