// SPDX-License-Identifier: MIT
// opens STATE PROGRAM ZONE FRAMES PAGE: a page of a program in that state opens, says of whom it is, and has that zone and
// so many frames at least.
'use strict';
const { check, same, open, main } = require('./browser.js');

const [, , state, program, zone, frames, file] = process.argv;

main(async () => {
	const page = await open(file);
	const is = await page.evaluate(() => ({ state: proftop.profile.process.state, program: proftop.profile.process.program,
		frames: proftop.profile.frames.count, badge: document.querySelector('.state').textContent, text: document.body.innerText,
		rows: [...document.querySelectorAll('#zones tbody th .name')].map(name => name.textContent) }));
	same('its state', is.state, state);
	same('its badge', is.badge, state === 'live' ? 'RUNNING WHEN SAVED' : state.toUpperCase());
	check('its program', is.program.includes(program) && is.text.includes(program), is.program);
	check('its frames', is.frames >= Number(frames), is.frames);
	check('its zone stands in the table', is.rows.includes(zone), is.rows);
	await page.close_well();
});
