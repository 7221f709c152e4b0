// dom: elements of the page. Whatever is shown of the program goes in as a text node, never as markup.

function element(name, options, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(options || {})) {
		if (value === undefined || value === null || value === false)
			continue;
		if (key === 'on')
			for (const [event, listener] of Object.entries(value))
				made.addEventListener(event, listener);
		else if (key === 'class')
			made.className = value;
		else
			made.setAttribute(key, value === true ? '' : value);
	}
	made.append(...children.filter(child => child !== null && child !== undefined));
	return made;
}

function by_id(id) {
	return document.getElementById(id);
}

// Puts these children in the place of all that are there.
function fill(parent, ...children) {
	parent.replaceChildren(...children.filter(child => child !== null && child !== undefined));
}

function button(text, act, options) {
	return element('button', { type: 'button', on: { click: act }, ...options }, text);
}

// Buttons of which one is on: [[key, text, title]]. set(key) shows which.
function choice(label, kinds, choose) {
	const buttons = kinds.map(([key, text, title]) =>
		button(text, () => choose(key), { title, 'data-key': key, 'aria-pressed': 'false' }));
	const group = element('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons);
	return {
		element: group,
		set(key) {
			for (const one of buttons)
				one.setAttribute('aria-pressed', String(one.dataset.key === key));
		},
	};
}

// Lets a screen reader say a text.
function say(text) {
	by_id('spoken').textContent = text;
}

// Lines beside the pointer.
const tip = {
	show(event, ...lines) {
		const box = by_id('tip');
		fill(box, ...lines.filter(line => line).map((line, i) => element(i ? 'div' : 'b', null, line)));
		box.hidden = false;
		const room = box.getBoundingClientRect();
		const right = event.clientX + 14 + room.width > innerWidth - 4;
		const below = event.clientY + 18 + room.height > innerHeight - 4;
		box.style.left = Math.max(4, right ? event.clientX - room.width - 10 : event.clientX + 14) + 'px';
		box.style.top = Math.max(4, below ? event.clientY - room.height - 10 : event.clientY + 18) + 'px';
	},
	hide() {
		by_id('tip').hidden = true;
	},
};

// One of many elements can be reached by Tab; arrow keys go on from it. `all` says which there are.
function roving(list, all, options) {
	const go = to => {
		for (const one of all())
			one.tabIndex = -1;
		if (!to)
			return;
		to.tabIndex = 0;
		to.focus({ preventScroll: false });
	};
	list.addEventListener('keydown', event => {
		const there = all(), at = there.indexOf(event.target.closest(options.of));
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
		if (at < 0 || event.target !== there[at] || !(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		go(there[Math.min(there.length - 1, Math.max(0, at + steps[event.key]))]);
	});
	return go;
}
