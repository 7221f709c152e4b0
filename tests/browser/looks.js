// SPDX-License-Identifier: MIT
// looks REPORT WORK [PAGE…]: pages of all kinds open, nothing is wider than the window, and axe-core has nothing to say, in
// light and dark: names that are markup, quotes or 10,000 characters long, no frame, one, a hundred with a thousand zones
// each, a million; data that are damaged.
'use strict';
const fs = require('fs');
const path = require('path');
const { check, same, open, drawn, main } = require('./browser.js');
const { deep_document, made_document, write_page } = require('./made_page.js');

const [, , report, work, ...pages] = process.argv;
const axe = fs.readFileSync(path.join(process.env.MODULES, 'axe-core', 'axe.min.js'), 'utf8');
const file = name => path.join(work, name + '.html');

async function axe_says(page, what) {
	await page.evaluate(axe);
	const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
	for (const one of found.violations)
		check(what + ': axe: ' + one.id, false, one.help + ' ' + one.nodes.slice(0, 3).map(node => node.html.slice(0, 160) + ' ' +
			node.any.concat(node.all, node.none).map(any => any.message).join('; ')).join(' || '));
	check(what + ': axe looked', found.passes.length > 10, found.passes.length);
}

// axe does not see text in a canvas: checks it on each colour behind it, as it is and where it is paled.
async function contrasts(page, what) {
	const found = await page.evaluate(() => {
		const style = getComputedStyle(document.documentElement), probe = document.createElement('canvas').getContext('2d');
		const rgb = name => {
			probe.fillStyle = style.getPropertyValue('--' + name).trim();
			const number = parseInt(probe.fillStyle.slice(1), 16);
			return [number >> 16, number >> 8 & 255, number & 255];
		};
		const light = colour => colour.map(part => part / 255).map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
			.reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
		const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
		const mixed = (a, b, part) => a.map((value, i) => value * part + b[i] * (1 - part));
		const pairs = [];
		for (const name of ['box-0', 'box-1', 'box-2', 'box-3', 'box-4', 'box-5', 'box-6', 'box-7', 'wait'])
			for (const part of [1, 0.8])
				pairs.push(['box-text on ' + name + ' ' + part, ratio(rgb('box-text'), mixed(rgb(name), rgb('card'), part))]);
		for (const [text, ground] of [['text', 'card'], ['dim', 'card'], ['text', 'faint'], ['dim', 'ground'], ['mark', 'card'], ['over', 'card'], ['text', 'chosen-pale'],
			['dim', 'chosen-pale'], ['text', 'meter'], ['dim', 'meter'], ['more', 'meter'], ['less', 'meter'], ['more', 'card'], ['less', 'card'], ['dim', 'hover'],
			['more', 'hover'], ['less', 'hover'], ['text', 'found'], ['accent', 'hover'], ['mark', 'chosen-pale']])
			pairs.push([text + ' on ' + ground, ratio(rgb(text), rgb(ground))]);
		return pairs;
	});
	for (const [name, ratio] of found)
		check(what + ': ' + name + ' has 4.5 to 1', ratio >= 4.5, ratio);
}

async function fits(page, what) {
	const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
	check(what + ': nothing is wider than the window', wide[0] <= wide[1], wide);
}

// A selected frame and zone in each view, so that all sections have something to show.
const SIGHTS = [{ first: -1, last: -1, view: 'tree', boxes: 'flame' }, { first: 0, last: 0, view: 'graph', boxes: 'map' },
	{ first: 0, last: 0, view: 'self', boxes: 'map', waits: true }];

async function look_at(name, at) {
	for (const theme of ['light', 'dark'])
		for (const width of [400, 1280, 2560]) {
			const page = await open(at, { theme, width });
			if (width === 400)
				await contrasts(page, name + ' ' + theme);
			for (const sight of SIGHTS) {
				await page.evaluate(sight => {
					const p = proftop.profile;
					proftop.selection.change(p.frames.count || sight.first < 0 ? { ...sight, zone: p.zones.count > 1 && sight.first >= 0 ? 1 : -1 } : {});
				}, sight);
				await drawn(page);
				await fits(page, name + ' ' + theme + ' ' + width + ' ' + sight.view);
				if (width !== 2560)
					await axe_says(page, name + ' ' + theme + ' ' + width + ' ' + sight.view);
			}
			await page.close_well();
		}
}

const NAMES = ['</script><script>window.bad = 1</script>', '<img src=x onerror="window.bad = 1">', '"quotes" \'and\' `more` \\\\', 'two\\nlines\\t\\x01',
	'not UTF-8: \\xff\\xfe', 'x'.repeat(10000), '__proto__', 'constructor', 'ünï — 日本語 ‮right to left', '&lt;&amp;', '', ' ', '(no zone)', '=1+1', 'a/b%2Fc', '-->', '${1}'];

async function bad_names() {
	write_page(report, file('names'), made_document({ frames: 6, zones: 40, names: NAMES, file: '/a/very/long/' + 'path/'.repeat(400) + '</script>.c' }));
	const page = await open(file('names'), { width: 400 });
	await fits(page, 'names');
	same('names: none of them is markup', await page.evaluate(() => [window.bad, document.querySelectorAll('img').length, document.scripts.length]), [undefined, 0, 1]);
	for (const name of NAMES.filter(Boolean)) {
		const hash = await page.evaluate(name => {
			const zone = proftop.profile.zones.name.indexOf(name, 1);
			proftop.selection.change({ zone, first: 1, last: 1 });
			return [zone, proftop.profile.zones.shown[zone], location.hash];
		}, name);
		const again = await page.evaluate(hash => {
			proftop.selection.change({ zone: -1, first: -1, last: -1 });
			location.hash = hash;
			return new Promise(done => setTimeout(() => done(proftop.selection.state.zone), 30));
		}, hash[2]);
		same('names: the address finds ' + name.slice(0, 40), again, hash[0]);
	}
	await page.close_well();
}

// Frames of two microseconds: no time is 0.00.
async function short_times() {
	const made = made_document({ frames: 20, zones: 10 });
	made.ticks_per_s = 1e12;
	made.budget = 0;
	write_page(report, file('short'), made);
	const page = await open(file('short'));
	await page.evaluate(() => proftop.selection.change({ first: 3, last: 3, view: 'self' }));
	const text = selector => page.textContent(selector);
	for (const selector of ['.figures', '#bar', '.worst'])
		check('short times: ' + selector, !/(^|[^.\d])0\.00/.test(await text(selector)), await text(selector));
	check('short times: columns have units', /SELF (µs|ns)/.test(await text('#zones thead')), await text('#zones thead'));
	check('short times: they are in µs', (await page.textContent('.figures')).includes('µs'), await page.textContent('.figures'));
	await page.close_well();
}

async function no_places() {
	write_page(report, file('places'), made_document({ frames: 2, zones: 4, names: ['(no zone)', 'a', '(no zone)', 'a'], file: '' }));
	const page = await open(file('places'));
	for (const zone of [0, 1, 2, 3, 4])
		same('zones that look the same: the address finds ' + zone, await page.evaluate(zone => {
			proftop.selection.change({ zone });
			const { hash } = location;
			proftop.selection.change({ zone: -1 });
			location.hash = hash;
			return new Promise(done => setTimeout(() => done(proftop.selection.state.zone), 30));
		}, zone), zone);
	await page.close_well();
}

async function sizes() {
	for (const [name, options] of [['no-frame', { frames: 0 }], ['one-frame', { frames: 1 }], ['no-zone', { frames: 3, zones: 0 }]]) {
		write_page(report, file(name), made_document(options));
		const page = await open(file(name));
		await fits(page, name);
		for (const key of ['w', '[', ']', 'd', '1', '2', '3', '4', '8', 'Z', 'Escape'])
			await page.keyboard.press(key);
		await drawn(page);
		await axe_says(page, name);
		await page.close_well();
	}
}

// 2,000 calls in one another, of two zones; and 3,000 threads.
async function extremes() {
	write_page(report, file('deep'), deep_document(2000));
	write_page(report, file('threads'), made_document({ frames: 3, threads: 3000 }));
	for (const name of ['deep', 'threads']) {
		const page = await open(file(name));
		for (const patch of [{ first: 1, last: 1 }, { view: 'self' }, { view: 'graph', zone: 1 }, { view: 'tree' }, { boxes: 'map' }, { boxes: 'flame' }]) {
			await page.evaluate(patch => proftop.selection.change(patch), patch);
			await drawn(page);
		}
		await page.click('text=Open all');
		await drawn(page);
		check(name + ': its rows are there', await page.locator('#zones tbody tr').count() > 5);
		await fits(page, name);
		await page.close_well();
	}
}

async function times(name, options, most_ms) {
	const begun = Date.now(), size = write_page(report, file(name), made_document(options));
	const made = Date.now(), page = await open(file(name)), own = await page.evaluate(() => proftop.milliseconds);
	console.log(name + ': ' + (size / 1e6).toFixed(1) + ' MB, made in ' + (made - begun) + ' ms, opens in ' + own.toFixed(0) + ' ms');
	check(name + ': it opens within ' + most_ms + ' ms', own < most_ms, own);
	const step = await page.evaluate(() => {
		const begun = performance.now();
		proftop.selection.change({ first: proftop.profile.frames.count - 1, last: proftop.profile.frames.count - 1 });
		return performance.now() - begun;
	});
	console.log(name + ': another frame in ' + step.toFixed(0) + ' ms');
	await page.close_well();
	fs.unlinkSync(file(name));
}

// A damaged page says so, and does not hang.
async function damaged() {
	const kinds = { 'cut-off': JSON.stringify(made_document({})).slice(0, 500), 'other-version': JSON.stringify({ ...made_document({}), version: 2 }), empty: '{}' };
	for (const [name, text] of Object.entries(kinds)) {
		write_page(report, file(name), text);
		const page = await open(file(name), { loud: true });
		const said = await page.evaluate(() => document.getElementById('opening').textContent);
		check(name + ': it says that it could not be opened', /could not be opened/.test(said), said);
		await page.close_well();
	}
	write_page(report, file('unpacked'), made_document({}), false);
	const page = await open(file('unpacked'));
	await page.close_well();
}

// Integers beyond 2^53 are said to be rounded; those below are exact.
async function large_numbers() {
	const made = made_document({ frames: 2 });
	const text = JSON.stringify(made).replace('"wall":' + made.run.wall, '"wall":9007199254740991').replace(/"last":\[0,1,/, '"last":[9223372036854775807,1,');
	write_page(report, file('large'), text);
	const page = await open(file('large'));
	same('large: 2^53 - 1 is exact', await page.evaluate(() => [proftop.profile.run.wall, proftop.profile.inexact]), [9007199254740991, 0]);
	await page.close_well();
	write_page(report, file('larger'), text.replace('9007199254740991', '9007199254740993'));
	const other = await open(file('larger'));
	same('larger: it is counted', await other.evaluate(() => proftop.profile.inexact), 1);
	check('larger: and said', (await other.textContent('#head')).includes('rounded'));
	await other.close_well();
}

main(async () => {
	write_page(report, file('made'), made_document({ frames: 120, zones: 60 }));
	await look_at('made', file('made'));
	for (const page of pages)
		await look_at(path.basename(page), page);
	await bad_names();
	await no_places();
	await short_times();
	await sizes();
	await extremes();
	await damaged();
	await large_numbers();
	await times('100 frames of 1000 zones', { frames: 100, zones: 1000 }, 15000);
	await times('a million frames', { frames: 1000000, zones: 20, cells: 20000, real_calls: false }, 60000);
});
