// colours: which ones the page has now, for what is drawn into a canvas. They stand in page.css, once for light and once
// for dark; a zone has the same one everywhere.

const BOX_COLOURS = 8;

const colours = {
	now: {},
	listeners: [],
	read() {
		const style = getComputedStyle(document.documentElement);
		const get = name => style.getPropertyValue('--' + name).trim();
		const names = ['ground', 'card', 'text', 'dim', 'line', 'faint', 'bar', 'bar-pale', 'over', 'over-pale', 'chosen',
			       'chosen-pale', 'budget', 'accent', 'mark', 'wait', 'box-text', 'box-edge', 'part', 'unknown', 'counter'];
		this.now = Object.fromEntries(names.map(name => [name.replace('-', '_'), get(name)]));
		this.now.boxes = Array.from({ length: BOX_COLOURS }, (_, i) => get('box-' + i));
	},
	of_zone(p, zone) {
		if (zone === NO_ZONE || p.zones.waits[zone])
			return this.now.wait;
		return this.now.boxes[colour_index(p, zone)];
	},
	// light, dark, or as the system has it: ''
	set_theme(theme) {
		if (theme)
			document.documentElement.dataset.theme = theme;
		else
			delete document.documentElement.dataset.theme;
		this.read();
		for (const listener of this.listeners)
			listener();
	},
	is_dark() {
		const theme = document.documentElement.dataset.theme;
		return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
	},
};

// By the name, so that two pages of one program agree.
function colour_index(p, zone) {
	let hash = 2166136261;
	const name = p.zones.name[zone];
	for (let i = 0; i < name.length && i < 64; i++)
		hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
	hash ^= hash >>> 15;
	return (hash >>> 0) % BOX_COLOURS;
}
