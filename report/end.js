// end: see begin.js.
return page;
})();
