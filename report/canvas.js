// canvas: a canvas that is as sharp as the screen, is drawn once a picture, and knows its width in CSS pixels.

const PALED = 0.8; // what is not selected, where something is: its text keeps 4.5 to 1
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, Ubuntu, sans-serif';
const SMALL_FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, Ubuntu, sans-serif';

// draw(context, width, height); height_of(width) says how high it wants to be.
function canvas_new(options, draw, height_of) {
	const canvas = element('canvas', options), holder = element('div', { class: 'canvas' }, canvas);
	let asked = false, width = 0, height = 0;

	const paint = () => {
		asked = false;
		width = Math.floor(holder.clientWidth);
		if (!width)
			return;
		height = Math.ceil(height_of(width));
		const ratio = window.devicePixelRatio || 1;
		if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(height * ratio);
			canvas.style.height = height + 'px';
		}
		const context = canvas.getContext('2d');
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, width, height);
		context.font = FONT;
		context.textBaseline = 'middle';
		draw(context, width, height);
	};
	const redraw = () => {
		if (!asked)
			requestAnimationFrame(paint);
		asked = true;
	};
	if (typeof ResizeObserver === 'function')
		new ResizeObserver(() => holder.clientWidth !== width && redraw()).observe(holder);
	colours.listeners.push(redraw);
	addEventListener('beforeprint', paint);
	return { holder, canvas, redraw, paint, width: () => width, height: () => height,
		 at: event => ({ x: event.offsetX, y: event.offsetY }) };
}

// Steps of 1, 2 or 5 of which about `count` fit into a range.
function nice_step(range, count) {
	const rough = range / Math.max(1, count), power = Math.pow(10, Math.floor(Math.log10(rough)));
	const part = rough / power;
	return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * power;
}

function step_digits(step) {
	return Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
}

// As much of a text as there is room for; '' where that would say nothing.
function fitting(context, text, room) {
	if (room < 14)
		return '';
	if (text.length > 200)
		text = text.slice(0, 200);
	const width = context.measureText(text).width;
	if (width <= room)
		return text;
	const letters = Math.floor(text.length * room / width) - 1;
	return letters < 2 ? '' : text.slice(0, letters) + '…';
}

// Drags and clicks of a pointer on a canvas: begin(at, event), move(at, from), end(at, from, moved).
function draggable(canvas, acts) {
	let from = null, moved = false;
	canvas.addEventListener('pointerdown', event => {
		if (event.button !== 0)
			return;
		from = { x: event.offsetX, y: event.offsetY };
		moved = false;
		canvas.setPointerCapture(event.pointerId);
		acts.begin && acts.begin(from, event);
	});
	canvas.addEventListener('pointermove', event => {
		const at = { x: event.offsetX, y: event.offsetY };
		if (!from)
			return acts.hover && acts.hover(at, event);
		if (Math.abs(at.x - from.x) + Math.abs(at.y - from.y) > 4)
			moved = true;
		if (moved && acts.move)
			acts.move(at, from, event);
	});
	const stop = event => {
		if (!from)
			return;
		const begun = from;
		from = null;
		if (event.type === 'pointerup')
			acts.end && acts.end({ x: event.offsetX, y: event.offsetY }, begun, moved, event);
	};
	canvas.addEventListener('pointerup', stop);
	canvas.addEventListener('pointercancel', stop);
	canvas.addEventListener('pointerleave', () => acts.leave && acts.leave());
}
