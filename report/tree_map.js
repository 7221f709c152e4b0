// tree map: boxes in boxes, each as large as its time: d3-hierarchy's squarified layout. What a zone needed itself is the
// part of its box that is free.

const MAP_HEAD = 17;

// Boxes that are large enough to be seen, outermost first: {box, x0, y0, x1, y1, level}.
function tree_map_layout(top, width, height) {
	const root = exports.hierarchy(top, box => box.children);
	// d3 adds up values from below: what is given is the self time.
	root.sum(box => box.self);
	exports.treemap().tile(exports.treemapSquarify.ratio(1.3)).size([width, height]).round(true)
		.paddingInner(1).paddingOuter(2).paddingTop(node => node.depth || node.children ? MAP_HEAD : 0)(root);
	const seen = [];
	const walk = node => {
		if (node.x1 - node.x0 < 2 || node.y1 - node.y0 < 2)
			return;
		seen.push({ box: node.data, x0: node.x0, y0: node.y0, x1: node.x1, y1: node.y1, level: node.depth,
			    has_inner: Boolean(node.children) });
		for (const child of node.children || [])
			walk(child);
	};
	walk(root);
	return seen;
}

// Boxes that nothing of could be seen take long to lay out: those below a share of the whole go before.
function tree_map_pruned(top, pixels) {
	const least = top.value / Math.max(1, pixels / 6);
	const copy = box => {
		const kept = box.children.filter(child => child.value >= least);
		const rest = box.value - kept.reduce((sum, child) => sum + child.value, 0);
		return { ...box, original: box, self: rest, children: kept.map(copy) };
	};
	return copy(top);
}

function tree_map_boxes(top, width, height) {
	if (!top.value)
		return [];
	return tree_map_layout(tree_map_pruned(top, width * height / 8), width, height)
		.map(seen => ({ ...seen, box: seen.box.original }));
}
