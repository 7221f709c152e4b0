// unpack: from the element `data` to the document in it (what is in that is profile.js's).
//
// Numbers of 16 digits and more may be beyond 2^53, where a double does not have them exactly: they come as text, and
// whoever reads a column makes of them what it needs (exact_number in profile.js).

const LONG_NUMBER = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;

function parse_exactly(text) {
	if (/\d{16}/.test(text))
		text = text.replace(LONG_NUMBER, found => found[0] === '"' ? found : '"' + found + '"');
	return JSON.parse(text);
}

function bytes_of_base64(text) {
	const packed = atob(text.replace(/\s+/g, ''));
	const bytes = new Uint8Array(packed.length);
	for (let i = 0; i < packed.length; i++)
		bytes[i] = packed.charCodeAt(i);
	return bytes;
}

async function inflate(bytes) {
	if (typeof DecompressionStream !== 'function')
		throw new Error('This browser cannot unpack the data of this page. It needs DecompressionStream, ' +
			'which browsers have since 2023. A proftop without zlib writes unpacked pages.');
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpack(holder) {
	if (!holder)
		throw new Error('This page has no data. It was cut off, or it is the template.');
	let bytes = bytes_of_base64(holder.textContent);
	if (holder.dataset.encoding === 'gzip')
		bytes = await inflate(bytes);
	const text = new TextDecoder().decode(bytes);
	const found = parse_exactly(text);
	if (found.version !== 1)
		throw new Error('The data of this page has version ' + found.version + ', and its script reads 1.');
	holder.remove(); // it may be many megabytes
	return found;
}
