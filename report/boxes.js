// boxes: the tree of stacks as both pictures draw it, without what waits unless that is asked for, and where in it one is.

// {zone, row, value, self, count, children, parent}: value is what a box is large by. The root is all.
function box_tree(p, root, with_waits) {
	const make = (row, parent) => {
		const waits = p.zones.waits[row.zone] || (row.parent === null);
		const box = { zone: row.zone, row, parent, self: waits && !with_waits ? 0 : row.self, children: [],
			      level: parent ? parent.level + 1 : 0, is_root: row.parent === null };
		return box;
	};
	const top = make(root, null), all = [top];
	for (let i = 0; i < all.length; i++)
		for (const child of all[i].row.children) {
			const box = make(child, all[i]);
			all[i].children.push(box);
			all.push(box);
		}
	for (const box of all)
		box.value = box.self;
	for (let i = all.length; i-- > 1;)
		all[i].parent.value += all[i].value;
	for (const box of all) {
		box.children = box.children.filter(child => child.value > 0);
		box.children.sort((a, b) => b.value - a.value);
	}
	return top;
}

// The box at the end of a path of zones, and as far as there is one.
function box_of_path(top, path) {
	let box = top;
	for (const zone of path) {
		const next = box.children.find(child => child.zone === zone);
		if (!next)
			return { box, is_whole: false };
		box = next;
	}
	return { box, is_whole: true };
}

function path_of_box(box) {
	const path = [];
	for (let at = box; at && !at.is_root; at = at.parent)
		path.unshift(at.zone);
	return path;
}

function box_name(p, box) {
	return box.is_root ? 'all' : p.zones.shown[box.zone];
}
