// text: how numbers are written, as proftop's screen writes them: 2 084, 43.449 ms, 10.6%.

const THIN = '\u202f'; // between groups of three digits; a line does not break there

function grouped(number) {
	const sign = number < 0 ? '−' : '';
	const digits = typeof number === 'bigint' ? String(number).replace('-', '') : String(Math.abs(number));
	return sign + digits.replace(/\B(?=(\d{3})+(?!\d))/g, THIN);
}

// A number with so many digits behind the point.
function fixed(number, digits) {
	const [whole, rest] = Math.abs(number).toFixed(digits).split('.');
	const is_zero = Number(whole) === 0 && !Number(rest || 0);
	return (number < 0 && !is_zero ? '−' : '') + whole.replace(/\B(?=(\d{3})+(?!\d))/g, THIN) + (rest ? '.' + rest : '');
}

// A real number with seven digits, which is what a float has: 1 014.25.
function real_number(number) {
	const size = Math.abs(number);
	if (!Number.isFinite(number) || size >= 1e15 || (size && size < 1e-6))
		return String(+number.toPrecision(7));
	const [whole, rest] = String(+size.toPrecision(7)).split('.');
	return (number < 0 ? '−' : '') + grouped(Number(whole)) + (rest ? '.' + rest : '');
}

// As short as three digits say it: 43.4, 4.34, 434.
function short_number(number) {
	const size = Math.abs(number);
	if (size >= 1e15)
		return number.toExponential(2);
	if (size >= 100 || Number.isInteger(number))
		return fixed(number, 0);
	return fixed(number, size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

const UNITS = [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']];

// Seconds, with the unit that suits them: 1.93 ms.
function short_time(seconds) {
	const size = Math.abs(seconds);
	if (!size)
		return '0';
	for (const [unit, name] of UNITS)
		if (size >= unit || name === 'ns')
			return short_number(seconds / unit) + ' ' + name;
	return '';
}

function percent(part, whole) {
	return whole > 0 ? fixed(100 * part / whole, 1) + '%' : '–';
}

function signed(text, number) {
	return number > 0 ? '+' + text : text;
}

function plural(number, one, many) {
	return grouped(number) + ' ' + (number === 1 ? one : many || one + 's');
}

function cut_text(text, length) {
	return text.length > length ? text.slice(0, length - 1) + '…' : text;
}

// Cuts texts to `length` characters. Texts that would then look alike stay
// whole.
function cut_apart(texts, length) {
	const cut = texts.map(text => cut_text(text, length));
	return cut.map((text, i) => cut.indexOf(text) === cut.lastIndexOf(text) ? text : texts[i]);
}
