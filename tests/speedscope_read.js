// SPDX-License-Identifier: MIT
// speedscope_read: what speedscope's own importer makes of a file: BUNDLE FILE, where BUNDLE is the script of its package
// (npm pack speedscope; package/dist/release/speedscope-*.js). Prints [name, self weight] of each frame of each profile.
//
// The bundle is a page for a browser: it is run with a browser that is not there, and asked before it would draw.
'use strict';
const fs = require('fs');
const path = require('path');

const absent = ['then', 'dcodeIO', 'Long', 'process', 'Buffer']; // what libraries look for in a window
const nothing = new Proxy(function () {}, {
	get: (target, key) => key === Symbol.toPrimitive ? () => '' : absent.includes(key) ? undefined : nothing,
	apply: () => nothing,
	construct: () => nothing,
});
const text = fs.readFileSync(process.argv[2], 'utf8');
const door = /Promise\.resolve\(\)\.then\(\(\)=>\((\w+)\(\),(\w+)\)\)/;
const found = text.match(door);
if (!found)
	throw new Error('this bundle has no importer where others have one');
const asked = text.replace(door, 'Promise.resolve(globalThis.speedscope=($1(),$2))');
for (const name of ['document', 'window', 'location', 'HTMLElement', 'HTMLCanvasElement', 'Image', 'requestAnimationFrame',
		    'localStorage', 'alert', 'WebGLRenderingContext', 'matchMedia'])
	if (!(name in globalThis))
		globalThis[name] = nothing;
console.log = console.warn = () => {};
try {
	(0, eval)(asked);
} catch (error) {
	if (!globalThis.speedscope)
		throw error;
}
process.on('unhandledRejection', () => {});

async function main() {
	const bytes = fs.readFileSync(process.argv[3]);
	const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
	const group = await globalThis.speedscope.importProfilesFromArrayBuffer(path.basename(process.argv[3]), buffer);
	if (!group || !group.profiles.length)
		throw new Error('it made no profile of it');
	const all = [];
	for (const profile of group.profiles)
		profile.forEachFrame(frame => all.push([frame.name, frame.getSelfWeight()]));
	process.stdout.write(JSON.stringify(all), () => process.exit(0));
}
main().catch(error => {
	process.stderr.write(String(error.stack) + '\n', () => process.exit(1));
});
