// begin: all files of the page's script are within one function, from here to end.js: `proftop` is the one name outside.
// d3-hierarchy finds `exports` and puts its functions there.
const proftop = (() => {
'use strict';
const exports = {}, module = {};
