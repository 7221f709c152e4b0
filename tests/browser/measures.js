// SPDX-License-Identifier: MIT
// measures PAGE PLAIN: a page of tests/proftop_measures, which was exported with `--measure widgets`, shows them, and other
// measures that are chosen. PLAIN is a page of a program that has none.
'use strict';
const { check, same, open, drawn, main } = require('./browser.js');

const [, , file, plain] = process.argv;

const choose = async (page, key) => {
	await page.selectOption('#measure', key);
	await drawn(page);
};
const select = async (page, patch) => {
	await page.evaluate(patch => proftop.selection.change(patch), patch);
	await drawn(page);
};
// Texts of a row of the table, by column.
const row = (page, zone) => page.evaluate(zone => {
	const tr = [...document.querySelectorAll('#zones tbody tr')].find(one => one.querySelector('.name').textContent === zone);
	return tr && Object.fromEntries([...tr.querySelectorAll('td')].map(td => [td.className, td.textContent]));
}, zone);
const cells = (one, keys) => one && keys.map(key => one[key]).join(' ');
const titles = page => page.evaluate(() => [...document.querySelectorAll('#why-section thead th')].map(th => th.textContent));
const why = (page, zone) => page.evaluate(zone => [...document.querySelectorAll('#why-section tbody tr')].map(tr =>
	[...tr.children].map(one => one.textContent)).find(row => row[0].startsWith(zone)), zone);
const thread = page => page.textContent('.threads .row .number');
const box = (page, zone) => page.evaluate(zone => proftop.box_view.boxes().filter(seen => proftop.profile.zones.name[seen.box.zone] === zone)
	.map(seen => [seen.box.value, Math.round(seen.x1 - seen.x0)])[0], zone);

main(async () => {
	const page = await open(file);
	same('the measures that there are', await page.evaluate(() => [...document.querySelectorAll('#measure option')].map(one => one.textContent)),
		['time', 'entries', 'widgets', 'gadgets']);
	same('it opens with the one that was asked for', await page.inputValue('#measure'), 'widgets');
	same('the address need not say so', await page.evaluate(() => location.hash), '');
	check('the bar has the amount', (await page.textContent('#amount')) === 'widgets 634', await page.textContent('#amount'));
	await select(page, { view: 'self' });
	same('zones', cells(await row(page, 'ai'), ['self', 'hier', 'count', 'frame', 'avg', 'max']), '610 610 12 96.2% 50.8 –');
	same('a zone with all below it', cells(await row(page, 'update'), ['self', 'hier', 'avg', 'avg-self']), '24 634 52.8 2');
	same('no unit stands in the title', await page.textContent('#zones th.self button'), 'SELF▼');
	await select(page, { view: 'tree' });
	same('the tree', cells(await row(page, 'all'), ['self', 'hier']), '0 634');
	same('the tree, below', cells(await row(page, 'ai'), ['self', 'hier', 'share']), '610 610 96.2%');
	await select(page, { view: 'graph', zone: 2 });
	same('the call graph', cells(await row(page, 'update'), ['self', 'hier', 'count']), '610 610 12');
	await select(page, { zone: -1, view: 'tree' });
	same('flame', (await box(page, 'ai'))[0], 610);
	check('its note', (await page.textContent('#boxes-section .where')).endsWith(': 634 in zones'), await page.textContent('#boxes-section .where'));
	same('threads', await thread(page), '634');
	await select(page, { first: 8, last: 8 });
	same('a frame', cells(await row(page, 'ai'), ['self', 'hier', 'count']), '500 500 1');
	const row_of_why = await why(page, 'ai');
	check('why', row_of_why && row_of_why.join(' ').includes('+490') && row_of_why.includes('more per call'), row_of_why);
	check('columns of why', (await titles(page)).includes('FROM AMOUNT') && !(await titles(page)).some(text => text.includes('ms')), await titles(page));
	check('why says how many', (await page.textContent('.sentence')).startsWith('widgets 502: 490 more than the median frame'), await page.textContent('.sentence'));
	const canvas = page.locator('canvas.frame-graph');
	await canvas.scrollIntoViewIfNeeded();
	const at = await canvas.boundingBox();
	await page.mouse.move(at.x + 52 + (at.width - 62) * 8.5 / 12, at.y + 100);
	await page.waitForFunction(() => !document.getElementById('tip').hidden);
	check('the frame graph', (await page.textContent('#tip')).includes('widgets 502'), await page.textContent('#tip'));

	await choose(page, 'gadgets');
	check('the address has another one', (await page.evaluate(() => location.hash)).includes('measure=gadgets'));
	await select(page, { view: 'self' });
	same('a slice belongs to no zone', cells(await row(page, 'ai'), ['self', 'hier', 'count', 'share']), '– – 1 –');
	await select(page, { view: 'tree' });
	same('all of it', cells(await row(page, 'all'), ['hier']), '9.000');
	check('its unit', (await page.textContent('#zones th.self')).includes('µs'), await page.textContent('#zones th.self'));
	same('threads have it', await thread(page), '9.000 µs');
	await select(page, { first: 7, last: 7 });
	same('what is not known', [cells(await row(page, 'all'), ['self', 'hier']), await thread(page), await page.textContent('#amount')],
		['– –', '–', 'gadgets –']);
	check('and that is said of why', (await page.textContent('.sentence')).includes('not all is known'), await page.textContent('.sentence'));
	check('instead of a difference', await why(page, '(no zone)') === undefined && (await page.textContent('#why-section')).includes('not known how much main has'));
	await select(page, { first: -1, last: -1 });
	same('a lower bound', [cells(await row(page, 'all'), ['self', 'hier', 'frame']), await thread(page)], ['≥67.000 ≥67.000 –', '≥67.000 µs']);
	same('of zones that only other threads have entered all is known', await page.evaluate(() => {
		const p = { threads: { count: 2 }, zones: { count: 3 }, nodes: { count: 4, zone: [0, 1, 0, 2], thread: [0, 0, 1, 1] } };
		const of = (knows, lacks) => [0, 1, 2].map(proftop.figures.zones_known(p, { knows, lacks }, proftop.ALL_THREADS)).join(' ');
		return [of([1, 1], [0, 0]), of([1, 1], [0, 1]), of([1, 0], [0, 1]), of([0, 0], [1, 1])];
	}), ['0 0 0', '1 0 1', '1 0 2', '2 2 2']);
	await choose(page, 'entries');
	same('entries', cells(await row(page, 'all'), ['hier']), '36');
	await page.goBack();
	await drawn(page);
	same('back in the browser', await page.inputValue('#measure'), 'gadgets');
	await choose(page, 'self');
	check('time again', (await page.textContent('#zones th.self')).includes('ms') && (await page.locator('#amount').count()) === 0);
	check('with its words', (await titles(page)).some(text => text.startsWith('FROM SPEED')), await titles(page));
	await page.keyboard.press('&');
	same('the key', await page.evaluate(() => document.activeElement.id), 'measure');
	await page.close_well();

	const other = await open(file, { hash: '#measure=gidgets&view=self' });
	same('one that it does not have', await other.inputValue('#measure'), 'self');
	await other.close_well();
	const none = await open(plain);
	same('a page without measures has nothing to choose', await none.locator('#measure').count(), 0);
	await none.close_well();
});
