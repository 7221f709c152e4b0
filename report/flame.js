// flame graph: a row a depth, the outermost on top, each box as wide as its time. Boxes narrower than half a pixel are not
// drawn; what a zone needed itself is what is free below it.

const FLAME_ROW = 20;
const FLAME_DEEPEST = 80;

// The boxes around the one that is looked at stand above it, as wide as the picture.
function flame_boxes(top, width) {
	const seen = [], above = [];
	for (let box = top; box; box = box.parent)
		above.unshift(box);
	above.forEach((box, level) => seen.push({ box, x0: 0, x1: width, y0: level * FLAME_ROW, y1: (level + 1) * FLAME_ROW, level,
						  is_above: box !== top }));
	let row = [seen[seen.length - 1]];
	for (let level = above.length; row.length && level < FLAME_DEEPEST; level++) {
		const next = [];
		for (const outer of row) {
			let x = outer.x0;
			for (const child of outer.box.children) {
				const wide = top.value ? child.value / top.value * width : 0;
				if (wide >= 0.5)
					next.push({ box: child, x0: x, x1: x + wide, y0: level * FLAME_ROW, y1: (level + 1) * FLAME_ROW, level });
				x += wide;
			}
		}
		seen.push(...next);
		row = next;
	}
	return seen;
}

function flame_rows(boxes) {
	return boxes.reduce((most, seen) => Math.max(most, seen.level + 1), 1);
}
