// SPDX-License-Identifier: MIT
// browser: what the tests of the page share. MODULES says where playwright-core and axe-core are, CHROMIUM the browser.
'use strict';
const path = require('path');
const { pathToFileURL } = require('url');
const { chromium } = require(path.join(process.env.MODULES, 'playwright-core'));

let failed = 0, passed = 0;

function check(what, is_so, details) {
	if (is_so) {
		passed++;
		return true;
	}
	failed++;
	if (failed <= 40)
		console.log('FAILED: ' + what + (details === undefined ? '' : ': ' + (typeof details === 'string' ? details : JSON.stringify(details))).slice(0, 1500));
	return false;
}

function same(what, got, expected) {
	const a = JSON.stringify(got), b = JSON.stringify(expected);
	return check(what, a === b, a + ' is not ' + b);
}

let browser = null;

// A page of a file, as wide and with as light or dark as is said. Whatever its console or its script has to complain of is
// a failure.
async function open(file, options) {
	const { width = 1280, height = 900, theme = 'light', hash = '', loud = false } = options || {};
	browser = browser || await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu',
		'--disable-dev-shm-usage', '--js-flags=--max-old-space-size=4096'] });
	const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce' });
	const page = await context.newPage();
	page.said = [];
	const name = path.basename(file);
	page.on('console', message => ['error', 'warning'].includes(message.type()) && page.said.push(message.text()));
	page.on('pageerror', error => page.said.push(error.stack));
	page.on('request', request => /^(file|data|blob):/.test(request.url()) || check(name + ': nothing of the network', false, request.url()));
	await page.goto(pathToFileURL(path.resolve(file)) + hash, { timeout: 120000 });
	await page.waitForFunction(() => typeof proftop === 'object' && (!document.getElementById('opening') ||
		document.getElementById('opening').className === 'failed'), null, { timeout: 120000 });
	const opening = await page.evaluate(() => document.getElementById('opening') && document.getElementById('opening').textContent);
	check(name + ': it opens', loud || !opening, opening);
	page.close_well = async () => {
		if (!loud)
			same(name + ': nothing on the console', page.said, []);
		await context.close();
	};
	return page;
}

// Two pictures of the screen later all that was asked for is drawn.
function drawn(page) {
	return page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// Runs a test and ends the process: main(async () => …).
function main(test) {
	test().catch(error => check('the test runs to its end', false, error.stack)).finally(async () => {
		if (browser)
			await browser.close();
		console.log(passed + ' checks passed, ' + failed + ' failed');
		process.exit(failed ? 1 : 0);
	});
}

module.exports = { check, same, open, drawn, main };
