// SPDX-License-Identifier: MIT
// acts REPORT WORK: what a hand does with the page: click, drag, sort, filter, zoom, keys, the address. All sections follow
// one selection.
'use strict';
const path = require('path');
const { check, same, open, drawn, main } = require('./browser.js');
const { made_document, write_page } = require('./made_page.js');

const [, , report, work] = process.argv;
const file = path.join(work, 'acts.html');
const FRAMES = 60, ZONES = 30;

const state = page => page.evaluate(() => {
	const { first, last, zone, path, view, boxes, sort, filter, thread } = proftop.selection.state;
	return { first, last, zone, path: path.join('/'), view, boxes, sort, filter, thread };
});
const is = async (page, what, wanted) => {
	await drawn(page);
	const now = await state(page);
	for (const [key, value] of Object.entries(wanted))
		same(what + ': ' + key, now[key], value);
};
const box = async (page, selector) => {
	await page.locator(selector).scrollIntoViewIfNeeded();
	await drawn(page);
	return page.locator(selector).boundingBox();
};
const select = (page, patch) => page.evaluate(patch => proftop.selection.change(patch), patch);
const rows = page => page.evaluate(() => [...document.querySelectorAll('#zones tbody tr[data-path]')].map(tr => tr.dataset.path));
const values = (page, key) => page.evaluate(key => [...document.querySelectorAll('#zones tbody td.' + key)].map(td => Number(td.dataset.value)), key);

async function frame_graph(page) {
	const at = await box(page, 'canvas.frame-graph'), left = 52, wide = (at.width - 62) / FRAMES, y = at.y + 100;
	const x = frame => at.x + left + (frame + 0.5) * wide;
	await page.mouse.click(x(20), y);
	await is(page, 'a click selects a frame', { first: 20, last: 20 });
	check('the bar says so', (await page.textContent('#bar')).includes('frame 21'));
	check('why is of it', (await page.textContent('#why-title')).includes('21'));
	same('the address has it', await page.evaluate(() => location.hash), '#frame=21');
	await page.mouse.move(x(30), y);
	await page.mouse.down();
	await page.mouse.move(x(35), y, { steps: 4 });
	await page.mouse.move(x(39), y, { steps: 4 });
	await page.mouse.up();
	await is(page, 'a drag selects a range', { first: 30, last: 39 });
	same('the address has the range', await page.evaluate(() => location.hash), '#frames=31-40');
	const wall = await page.evaluate(() => [proftop.selection.values().wall, Array.from(proftop.profile.frames.length).slice(30, 40).reduce((a, b) => a + b)]);
	same('figures are of the range', wall[0], wall[1]);
	await page.mouse.move(x(45), y);
	await page.mouse.down();
	await page.mouse.move(x(42), y, { steps: 4 });
	await page.mouse.up();
	await is(page, 'a drag to the left, too', { first: 42, last: 45 });
	await page.locator('canvas.frame-graph').focus();
	await page.keyboard.press('ArrowRight');
	await is(page, 'right is a frame on', { first: 46, last: 46 });
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('ArrowLeft');
	await is(page, 'left is a frame back', { first: 44, last: 44 });
	await page.keyboard.press('Shift+ArrowRight');
	await is(page, 'shift extends', { first: 44, last: 45 });
	await page.keyboard.press('Shift+ArrowRight');
	await page.keyboard.press('Shift+ArrowLeft');
	await is(page, 'and goes back', { first: 44, last: 45 });
	await page.keyboard.press('Shift+ArrowLeft');
	await page.keyboard.press('Shift+ArrowLeft');
	await is(page, 'and on beyond where it began', { first: 43, last: 44 });
	await page.keyboard.press('Home');
	await is(page, 'Home', { first: 0, last: 0 });
	await page.keyboard.press('End');
	await is(page, 'End', { first: FRAMES - 1, last: FRAMES - 1 });
	same('a screen reader is told', await page.getAttribute('canvas.frame-graph', 'aria-valuenow'), String(FRAMES));
	await page.keyboard.press('+');
	const view = await page.evaluate(() => ({ ...proftop.frame_graph.view }));
	check('+ zooms to what is selected', view.to - view.from === FRAMES / 2 && view.to === FRAMES, view);
	await page.keyboard.press('0');
	same('0 is all', await page.evaluate(() => ({ ...proftop.frame_graph.view })), { from: 0, to: FRAMES });
	await page.mouse.move(x(10), y);
	await page.keyboard.down('Control');
	await page.mouse.wheel(0, -300);
	await page.keyboard.up('Control');
	await page.waitForFunction(frames => proftop.frame_graph.view.to - proftop.frame_graph.view.from < frames, FRAMES);
	const near = await page.evaluate(() => ({ ...proftop.frame_graph.view }));
	check('Ctrl and the wheel zoom where the pointer is', near.from <= 10 && near.to > 10, near);
	await page.keyboard.press('0');
	await page.keyboard.press('Escape');
	await is(page, 'Escape is the whole run', { first: -1, last: -1, zone: -1 });
}

async function history_of_steps(page) {
	await select(page, { first: -1, last: -1 });
	await page.waitForTimeout(1100);
	const before = await page.evaluate(() => history.length);
	await page.locator('canvas.frame-graph').focus();
	for (let i = 0; i < 20; i++)
		await page.keyboard.press('ArrowRight');
	const after = await page.evaluate(() => history.length);
	check('twenty steps are few in the history: one, where the machine is not slow', after >= Math.min(50, before + 1) && after < before + 10, [before, after]);
	await page.keyboard.press('Escape');
}

async function worst(page) {
	const longest = await page.evaluate(() => Array.from(proftop.profile.frames.length, (length, i) => [length, i]).sort((a, b) => b[0] - a[0] || a[1] - b[1]).map(([, i]) => i));
	await page.keyboard.press('w');
	await is(page, 'w is the longest', { first: longest[0] });
	await page.keyboard.press('w');
	await is(page, 'w again the next', { first: longest[1] });
	await page.locator('.worst button').nth(4).click();
	await is(page, 'one of the list', { first: longest[4], last: longest[4] });
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await is(page, 'the list by keys', { first: longest[5] });
	await page.goBack();
	await is(page, 'back in the browser is back', { first: longest[4] });
	const over = await page.evaluate(() => [...document.querySelectorAll('.worst .over')].length);
	const wanted = await page.evaluate(() => Array.from(proftop.profile.frames.length).filter(length => length > 17000000).length);
	same('over the budget is marked', over, Math.min(100, wanted));
	await page.fill('#budget', '16.1');
	await page.keyboard.press('Enter');
	same('another budget', await page.evaluate(() => proftop.selection.state.budget), 16100000);
	check('the address keeps it', (await page.evaluate(() => location.hash)).includes('budget=16.1'));
	await select(page, { budget: 17000000 });
}

async function table(page) {
	await select(page, { first: 5, last: 5, view: 'self', zone: -1, path: [], sort: '' });
	await drawn(page);
	const down = list => list.every((value, i) => !i || list[i - 1] >= value);
	check('Self is by self', down(await values(page, 'self')));
	await page.click('#zones thead button[data-key=hier]');
	await is(page, 'a click sorts', { sort: 'hier' });
	check('by hier', down(await values(page, 'hier')));
	same('the heading says so', await page.getAttribute('#zones th.hier', 'aria-sort'), 'descending');
	await page.click('#zones thead button[data-key=hier]');
	check('again: the other way', down((await values(page, 'hier')).reverse()));
	await page.click('#zones thead button[data-key=zone]');
	const names = await page.evaluate(() => [...document.querySelectorAll('#zones tbody .name')].map(one => one.textContent));
	same('by name', names, names.slice().sort((a, b) => a.localeCompare(b)));
	await page.click('[data-key=tree]');
	await page.click('text=Open all');
	const all = await rows(page);
	const waits = await page.evaluate(() => proftop.profile.zones.waits.filter(Boolean).length);
	check('all is open', all.length > ZONES - waits && all.length <= ZONES + 1, all.length);
	await page.click('#table-section button:text-is("Close")');
	check('closed', (await rows(page)).length <= 3, await rows(page));
	const first = page.locator('#zones tbody tr').nth(1);
	await first.focus();
	await page.keyboard.press('ArrowRight');
	const opened = await rows(page);
	check('right opens', opened.length > 2, opened);
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('ArrowLeft');
	check('left closes', (await rows(page)).length < opened.length, await rows(page));
	await page.keyboard.press('Enter');
	await is(page, 'Enter selects', { zone: 1, path: '1' });
	await page.keyboard.press('g');
	await is(page, 'g is the call graph', { view: 'graph', zone: 1 });
	const kinds = await page.evaluate(() => [...document.querySelectorAll('#zones tbody tr')].map(tr => tr.className));
	check('callers, the zone, children', kinds.indexOf('focus') >= 1 && kinds.slice(0, kinds.indexOf('focus')).every(kind => kind.includes('caller')) &&
		kinds.slice(kinds.indexOf('focus') + 1).every(kind => kind.includes('child')), kinds);
	await page.locator('#zones tbody tr.child').first().click();
	const zone = (await state(page)).zone;
	check('a click on a child leads on', zone > 1, zone);
	await page.keyboard.press('1');
	await page.keyboard.press('/');
	await page.keyboard.type('ZONE_1');
	await is(page, 'filter', { filter: 'ZONE_1', view: 'self' });
	const found = await page.evaluate(() => [...document.querySelectorAll('#zones tbody .name')].map(one => one.textContent));
	check('what matches is there alone', found.length && found.every(name => name.includes('zone_1')), found);
	await page.fill('#filter', '~^zone_(2|3)$');
	await drawn(page);
	same('a regular expression behind ~', (await page.evaluate(() => [...document.querySelectorAll('#zones tbody .name')].map(one => one.textContent))).sort(), ['zone_2', 'zone_3']);
	await page.fill('#filter', '~(');
	check('what is none finds nothing', (await page.textContent('#zones')).includes('No match for'));
	await page.fill('#filter', 'zone_1');
	await page.keyboard.press('Escape');
	await page.keyboard.press('4');
	const in_tree = await page.evaluate(() => [...document.querySelectorAll('#zones tbody tr')].map(tr => [tr.dataset.path, tr.className.includes('found')]));
	check('in the tree with what is above', in_tree.some(([, is_found]) => is_found) && in_tree[0][0] === '', in_tree.slice(0, 4));
	await page.fill('#filter', 'nothing is called so');
	check('nothing is found', (await page.textContent('#zones')).includes('No match for'));
	await page.fill('#filter', '');
	await page.keyboard.press('Escape');
}

async function extremes(page) {
	await select(page, { first: 5, last: 5, view: 'hier', sort: '', zone: -1, path: [] });
	await drawn(page);
	// Each zone is called once in a frame: least and most are its own.
	const got = await page.evaluate(() => [...document.querySelectorAll('#zones tbody tr')].map(tr => ['self', 'hier', 'min', 'min-self', 'max-self', 'max'].map(key =>
		Number(tr.querySelector('td.' + key).dataset.value))));
	check('single calls have the figures of the frame', got.length && got.every(([self, hier, min, min_self, max_self, max]) => min === hier && max === hier && min_self === self &&
		max_self === self), got.find(row => row[2] !== row[1] || row[3] !== row[0]));
}

async function boxes(page) {
	await select(page, { first: -1, last: -1, view: 'tree', zone: -1, path: [], boxes: 'flame' });
	for (const kind of ['flame', 'map']) {
		await page.click('#boxes-section [data-key=' + kind + ']');
		await is(page, kind, { boxes: kind });
		const at = await box(page, 'canvas.boxes');
		const target = await page.evaluate(() => {
			const all = proftop.box_view.boxes().filter(seen => seen.level === 2 && seen.x1 - seen.x0 > 30);
			return { x: (all[0].x0 + all[0].x1) / 2, y: all[0].y0 + 8, zone: all[0].box.zone };
		});
		await page.mouse.click(at.x + target.x, at.y + target.y);
		await is(page, kind + ': a click zooms and selects', { zone: target.zone, path: '1/' + target.zone });
		same(kind + ': breadcrumbs', await page.locator('.crumbs button').count(), 3);
		const wide = await page.evaluate(zone => proftop.box_view.boxes().filter(seen => seen.box.zone === zone).map(seen => seen.x1 - seen.x0)[0], target.zone);
		check(kind + ': it is as wide as the picture', wide > at.width - 12, wide);
		await page.locator('.crumbs button').first().click();
		await is(page, kind + ': back to all', { path: '' });
		await page.locator('canvas.boxes').focus();
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		check(kind + ': by keys', (await state(page)).path.split('/').length === 2, (await state(page)).path);
		await page.keyboard.press('Backspace');
		await is(page, kind + ': out', { path: '1' });
		await select(page, { path: [], zone: -1 });
		await drawn(page);
		const sum = await page.evaluate(() => {
			const all = proftop.box_view.boxes(), top = all.find(seen => seen.box.is_root).box;
			return [top.value, proftop.figures.sums_of(proftop.profile, proftop.selection.values(), -1).busy];
		});
		same(kind + ': all of it is what is busy', sum[0], sum[1]);
	}
}

async function timeline(page) {
	await select(page, { first: 3, last: 3, zone: -1, path: [] });
	const at = await box(page, 'canvas.timeline');
	const before = await page.evaluate(() => ({ ...proftop.timeline.view }));
	const span = await page.evaluate(() => proftop.selection.span());
	check('it shows the frame', before.from <= span[0] && before.to >= span[1] && before.to - before.from < 1.1 * (span[1] - span[0]), [before, span]);
	await page.mouse.click(at.x + at.width / 2, at.y + 22 + 16 + 18 + 8);
	await is(page, 'a click selects the zone', { zone: 1 });
	await page.locator('canvas.timeline').focus();
	await page.keyboard.press('+');
	const near = await page.evaluate(() => ({ ...proftop.timeline.view }));
	check('+ zooms', Math.abs((near.to - near.from) * 2 - (before.to - before.from)) < 10, near);
	await page.mouse.move(at.x + 300, at.y + 60);
	await page.mouse.down();
	await page.mouse.move(at.x + 200, at.y + 60, { steps: 3 });
	await page.mouse.up();
	const moved = await page.evaluate(() => ({ ...proftop.timeline.view }));
	check('a drag moves', moved.from > near.from && Math.abs((moved.to - moved.from) - (near.to - near.from)) < 10, moved);
	await page.keyboard.press('0');
	await select(page, { zone: -1 });
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowRight');
	check('arrows lead from call to call', (await page.textContent('.called')).startsWith('zone_3'), await page.textContent('.called'));
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('Enter');
	await is(page, 'Enter selects the zone of a call', { zone: 1 });
	const again = await page.evaluate(() => ({ ...proftop.timeline.view }));
	check('0 is the frame again', Math.abs(again.from - before.from) < 1, again);
	await page.mouse.dblclick(at.x + at.width / 4, at.y + 22 + 16 + 18 + 17 + 8);
	const close = await page.evaluate(() => ({ ...proftop.timeline.view }));
	check('a double click takes a call to full width', close.to - close.from < before.to - before.from, close);
}

async function address(page) {
	await page.evaluate(() => { location.hash = '#frame=12&zone=zone_3&view=graph&boxes=map'; });
	await page.waitForFunction(() => proftop.selection.state.first === 11);
	await is(page, 'an address that is typed', { first: 11, last: 11, zone: 3, view: 'graph', boxes: 'map' });
	await page.evaluate(() => { location.hash = '#frames=2-4&zone=no+such&frame=&thread=%zz'; });
	await page.waitForTimeout(50);
	await page.evaluate(() => { location.hash = '#frame=99999'; });
	await page.waitForFunction(() => proftop.selection.state.first === -1);
	await page.evaluate(() => { location.hash = '#frame=-5'; });
	await page.waitForFunction(frames => proftop.selection.state.first === frames - 5, FRAMES);
	await is(page, 'the fifth newest', { first: FRAMES - 5, last: FRAMES - 5 });
	await page.evaluate(() => { location.hash = '#path=a/%25zz&frame=3'; });
	await page.waitForFunction(() => proftop.selection.state.first === -1);
	const bad = await open(file, { hash: '#path=%25E0%25A4' });
	await is(bad, 'an address that cannot be read', { first: -1, path: '' });
	await bad.close_well();
	const other = await open(file, { hash: '#frame=7&zone=zone_2&thread=main&filter=zone&sort=-count&waits=1&budget=20' });
	await is(other, 'an address that is opened', { first: 6, last: 6, zone: 2, thread: 0, filter: 'zone', sort: '-count' });
	await other.close_well();
}

async function paper(page) {
	await select(page, { first: 5, last: 5 });
	const count = () => page.locator('#why-section tbody tr').count();
	const before = await count();
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	check('all of why is on paper', await count() > before, [before, await count()]);
	await page.evaluate(() => dispatchEvent(new Event('afterprint')));
	same('and as it was on the screen', await count(), before);
}

async function theme(page) {
	const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await ground();
	await page.click('#theme');
	const dark = await ground();
	check('the switch makes it dark', light !== dark, [light, dark]);
	await page.reload();
	await page.waitForFunction(() => !document.getElementById('opening'));
	same('it stays so', await ground(), dark);
	await page.click('#theme');
	same('and light again', await ground(), light);
	await page.click('text=? Keys');
	check('the keys', await page.locator('dialog').isVisible());
	await page.keyboard.press('Escape');
	check('are closed', !await page.locator('dialog').isVisible());
}

main(async () => {
	write_page(report, file, made_document({ frames: FRAMES, zones: ZONES }));
	const page = await open(file);
	for (const part of [frame_graph, history_of_steps, worst, table, extremes, boxes, timeline, address, paper, theme])
		await part(page);
	await page.close_well();
});
