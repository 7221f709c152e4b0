// typed_table: a table of the document whose columns say what they are: {key, title, kind, help}. A row is an object with a
// member for each. A value that is null is not known; KEY_at_least says that it is a lower bound.

const TYPED_TEXT = {
	words: value => value, name: value => value, flag: value => value ? 'yes' : 'no', number: value => String(value),
	frame: value => grouped(value), count: value => grouped(value), real: value => real_number(value), mean: value => short_number(value),
	rate: value => fixed(value, Math.abs(value) < 100 ? 1 : 0),
	ticks: (value, p, unit) => time_in(p, value, unit), ns: value => short_time(value * 1e-9), seconds: value => short_time(value),
	bytes: value => bytes_text(value), ratio: value => fixed(100 * value, 1) + '%', bar: () => '',
};

function bytes_text(value) {
	const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
	let unit = 0;
	for (; Math.abs(value) >= 1024 && unit < 4; unit++)
		value /= 1024;
	return fixed(value, Number.isInteger(value) || Math.abs(value) >= 10 ? 0 : 1) + ' ' + units[unit];
}

function typed_text(p, column, row, unit) {
	const value = row[column.key];
	return value === null || value === undefined ? '–' :
		(row[column.key + '_at_least'] ? '≥' : '') + TYPED_TEXT[column.kind](value, p, unit);
}

function typed_cell(p, column, row, unit) {
	const value = row[column.key], is_text = column.kind === 'words' || column.kind === 'name';
	const td = element('td', { class: is_text ? 'word' : null },
		column.kind === 'spark' && value ? trend_picture(value) : cut_text(typed_text(p, column, row, unit), 300));
	if (column.kind === 'bar' && value !== null)
		td.style.setProperty('--part', (100 * Math.min(1, Math.abs(value))).toFixed(1) + '%');
	return td;
}

function unit_behind(unit) {
	return (unit.name && ' ') + unit.name;
}

function typed_head(columns, unit) {
	return element('thead', null, element('tr', null, ...columns.map(column => element('th', { scope: 'col', title: column.help },
		column.title + (column.kind === 'ticks' ? unit_behind(unit) : '')))));
}

// options: {unit, of times; cell(column, row): an element in the place of the usual one, or null; attributes(row); last: rows behind
// these, and class}.
function typed_table(p, columns, rows, options) {
	const unit = options.unit || TIME_UNITS[1];
	const body = rows.map(row => element('tr', options.attributes ? options.attributes(row) : null, ...columns.map(column =>
		(options.cell && options.cell(column, row)) || typed_cell(p, column, row, unit))));
	return element('table', { class: 'plain ' + (options.class || '') }, typed_head(columns, unit),
		element('tbody', null, ...body, ...options.last || []));
}
