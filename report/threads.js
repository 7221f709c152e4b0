// threads: what each did of its time in what is selected: in zones, waiting, in no zone; and its amount of another measure.
// Click one to look at it alone.

const THREADS_SHOWN = 40;

function threads_make(p, selection) {
	const list = element('ul', { class: 'threads', 'aria-label': 'Threads' });
	const legend = element('p', { class: 'legend' }, element('i', { class: 'busy' }), 'busy ', element('i', { class: 'waiting' }),
		'waits ', element('i', { class: 'none' }), '(no zone)');
	by_id('threads-section').append(legend, list);

	const row = (thread, sums, most, i) => {
		const bar = element('span', { class: 'meter split' });
		for (const [key, kind] of [['busy', 'busy'], ['waits', 'waiting'], ['none', 'none']])
			bar.append(element('i', { class: kind, style: 'width:' + (most ? 100 * sums[key] / most : 0).toFixed(2) + '%' }));
		const v = selection.values(), amount = is_time(v.measure) ? '' :
			full_time(v.measure, v.time[thread], values_known(p, v, thread));
		const one = button('', () => selection.change({ thread: selection.state.thread === thread ? ALL_THREADS : thread }), {
			class: 'row', tabindex: i ? -1 : 0, 'aria-pressed': String(selection.state.thread === thread),
			title: 'busy ' + full_time(p, sums.busy) + ', waits ' + full_time(p, sums.waits) + ', (no zone) ' + full_time(p, sums.none) +
				(amount && ', ' + cut_text(v.measure.name, 60) + ' ' + amount) });
		one.append(element('span', { class: 'name' }, cut_text(p.threads.shown[thread], 100)), bar,
			element('span', { class: 'number' }, amount || percent(sums.busy, v.wall)));
		return element('li', null, one);
	};
	const show = () => {
		const all = p.threads.shown.map((_, i) => i).filter(i => p.threads.listed[i])
			.map(i => [i, sums_of_threads(p, selection)[i]]).filter(([, sums]) => sums.time);
		all.sort((a, b) => (p.threads.marking[b[0]] ? 1 : 0) - (p.threads.marking[a[0]] ? 1 : 0) || b[1].busy - a[1].busy);
		const most = all.reduce((sum, [, sums]) => Math.max(sum, sums.time), 0), left = all.length - THREADS_SHOWN;
		list.classList.toggle('amounts', !is_time(selection.measure()));
		fill(list, ...all.slice(0, THREADS_SHOWN).map(([i, sums], at) => row(i, sums, most, at)),
			left > 0 ? element('li', { class: 'none' }, plural(left, 'more thread') + ': choose one above') : null);
		if (!all.length)
			fill(list, element('li', { class: 'none' }, 'No thread has time here.'));
	};
	roving(list, () => [...list.querySelectorAll('button')], { of: 'button' });
	selection.on_change(changed => ['first', 'last', 'thread', 'measure'].some(key => changed.has(key)) && show());
	show();
}

// By thread, in one walk over the nodes.
function sums_of_threads(p, selection) {
	const v = selection.times();
	if (v.by_thread)
		return v.by_thread;
	const sums = p.threads.shown.map((_, i) => ({ busy: 0, waits: 0, none: 0, time: v.time[i] }));
	for (let i = 0; i < p.nodes.count; i++) {
		const zone = p.nodes.zone[i];
		sums[p.nodes.thread[i]][zone === NO_ZONE ? 'none' : p.zones.waits[zone] ? 'waits' : 'busy'] += v.self[i];
	}
	return v.by_thread = sums;
}
