// SPDX-License-Identifier: MIT
// picture PAGE OUT: a picture of a page with its longest frame that has a note selected, 1280 wide: for README, by scripts/page-picture.
'use strict';
const { open, drawn, main } = require('./browser.js');

const [, , file, out] = process.argv;

main(async () => {
	const page = await open(file, { width: 1280, height: 1480 });
	await page.evaluate(() => {
		const p = proftop.profile, at = i => p.frames.start[i] + p.frames.length[i];
		const worst = Array.from(p.frames.length.keys()).filter(i => p.frames.held[i] && !(p.frames.flags[i] & 1) && p.lanes.some(lane =>
			p.threads.marking[lane.thread] && lane.known.some(([from, to]) => from <= p.frames.start[i] && to >= at(i))))
			.filter(i => p.instants.tick.some((tick, k) => p.instants.event[k] < 0 && tick > p.frames.start[i] && tick <= at(i)))
			.sort((a, b) => p.frames.length[b] - p.frames.length[a])[0];
		proftop.selection.change({ first: worst, last: worst, zone: p.zones.name.indexOf('raycast') });
	});
	await drawn(page);
	const end = await page.evaluate(() => Math.ceil(document.getElementById('boxes-section').getBoundingClientRect().bottom + 10));
	await page.setViewportSize({ width: 1280, height: end });
	await drawn(page);
	await page.screenshot({ path: out });
	await page.close_well();
});
