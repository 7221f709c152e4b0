# SPDX-License-Identifier: MIT
"""proftop_export: reads what proftop export wrote, and sets it against -j.

PROFTOP REGION FOLDER. What is here is written against the formats' own documents, not against the code that writes them.
"""
import base64
import gzip
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from collections import Counter, defaultdict
from decimal import Decimal

PROFTOP, REGION, FOLDER = sys.argv[1:4]
failures = 0


def check(what, good, why=''):
    global failures
    if not good:
        failures += 1
        print('FAILED: %s %s' % (what, str(why)[:600]))


def same(what, got, expected):
    if got != expected:
        if isinstance(got, (dict, Counter)):
            keys = [k for k in set(got) | set(expected) if got.get(k) != expected.get(k)]
            check(what, False, [(k, got.get(k), expected.get(k)) for k in keys[:5]])
        else:
            check(what, False, '%r, not %r' % (got, expected))


def near(what, got, expected, by):
    for key in set(got) | set(expected):
        if abs(got.get(key, 0) - expected.get(key, 0)) > by:
            check(what, False, (key, got.get(key), expected.get(key)))


said = {}


def run(*words):
    done = subprocess.run([PROFTOP, *words, REGION], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        raise SystemExit('proftop %s: %d %s' % (words, done.returncode, done.stderr.decode()))
    said[' '.join(words[:2])] = done.stderr.decode()
    return done.stdout


# ---- names

def unescape(text):
    out, i = bytearray(), 0
    data = text.encode()
    while i < len(data):
        if data[i:i + 2] == b'\\\\':
            out.append(92)
            i += 2
        elif data[i:i + 2] == b'\\x':
            out.append(int(data[i + 2:i + 4], 16))
            i += 4
        else:
            out.append(data[i])
            i += 1
    return bytes(out)


def hold(name, bad):
    """Bytes with \\xNN for the characters that are bad(character); None stands for a byte that is no UTF-8."""
    out, i = b'', 0
    while i < len(name):
        for n in (1, 2, 3, 4):
            try:
                character = name[i:i + n].decode()
                break
            except UnicodeDecodeError:
                character = None
        n = n if character else 1
        piece = name[i:i + n]
        out += b''.join(b'\\x%02X' % b for b in piece) if bad(character) else piece
        i += n
    return out


def is_control(c):
    return c is not None and (ord(c) < 32 or 127 <= ord(c) < 160)


UTF8 = lambda c: c is None
LINE = is_control
STACK = lambda c: is_control(c) or c == ';'

J = json.loads(run('report', '-j'))
T = json.loads(run('report', '-j', '-v', 'timeline'))
RATE = J['ticks_per_s']


def ns(ticks):
    return (ticks * 1000000000 + RATE // 2) // RATE


places = defaultdict(set)
for n in T['nodes']:
    places[n['zone']].add((n['file'], n['line']))


def full(row):
    name = unescape(row['zone'])
    if len(places[row['zone']]) > 1 and row['file']:
        name += b' (%s:%d)' % (unescape(row['file']), row['line'])
    return name


NODE = {n['id']: full(n) for n in T['nodes']}
PARENT = {n['id']: n['parent'] for n in T['nodes']}
SELF = Counter({full(r): r['self_ns'] for r in J['rows'] if r['self_ns']})
HIER = {full(r): r['hier_ns'] for r in J['rows']}
COUNT = Counter({full(r): r['count'] for r in J['rows'] if r['count']})
MANY = len(J['nodes'])
THREADS = {t['id']: unescape(t['name']) for t in J['threads']}
check('the program has what is to be tested', b'same (' in b''.join(HIER) and any(len(v) > 1 for v in places.values()))
check('and threads of one name', len(set(THREADS.values())) < len(THREADS))

# ---- folded


def read_folded(text, bad=STACK):
    by_name, inclusive, total = Counter(), Counter(), 0
    for line in text.split(b'\n')[:-1]:
        stack, value = line.rsplit(b' ', 1)
        frames = stack.split(b';')[1:]
        by_name[frames[-1]] += int(value)
        for name in set(frames):
            inclusive[name] += int(value)
        total += int(value)
    return by_name, inclusive, total


held = lambda d, bad: Counter({hold(k, bad): v for k, v in d.items() if v})
folded, inclusive, total = read_folded(run('export', 'folded'))
same('folded: self times', folded, held(SELF, STACK))
hier = held(HIER, STACK)
hier[b'(no zone)'] = inclusive[b'(no zone)']
near('folded: hierarchical times', inclusive, hier, MANY)
same('folded: all', total, sum(SELF.values()))
check('folded: what it says', 'cannot contain' in said['export folded'], said['export folded'])
worker = json.loads(run('report', '-j', '-t', 'worker'))
folded, _, _ = read_folded(run('export', 'folded', '-t', 'worker'))
same('folded: of a thread', folded, held(Counter({full(r): r['self_ns'] for r in worker['rows'] if r['self_ns']}), STACK))
some = json.loads(run('report', '-j', '-n', '7'))
folded, _, _ = read_folded(run('export', 'folded', '-n', '7'))
same('folded: of seven frames', folded, held(Counter({full(r): r['self_ns'] for r in some['rows'] if r['self_ns']}), STACK))
merged = run('export', 'folded', '-t', 'all')
check('folded: without threads', not any(line.startswith((b'main;', b'worker;')) for line in merged.split(b'\n')))

# ---- speedscope-sums


def read_stacks(text):
    scope = json.loads(text)
    names = [f['name'].encode() for f in scope['shared']['frames']]
    by_name, inclusive = Counter(), Counter()
    for profile in scope['profiles']:
        same('speedscope-sums: its kind', (profile['type'], profile['unit']), ('sampled', 'nanoseconds'))
        same('speedscope-sums: a weight a stack', len(profile['samples']), len(profile['weights']))
        same('speedscope-sums: ends', (profile['startValue'], profile['endValue']), (0, sum(profile['weights'])))
        for stack, weight in zip(profile['samples'], profile['weights']):
            by_name[names[stack[-1]]] += weight
            for name in {names[frame] for frame in stack}:
                inclusive[name] += weight
    return by_name, inclusive, [profile['name'].encode() for profile in scope['profiles']]


stacks, inclusive, threads = read_stacks(run('export', 'speedscope-sums'))
same('speedscope-sums: self times', stacks, held(SELF, UTF8))
hier = held(HIER, UTF8)
hier[b'(no zone)'] = inclusive[b'(no zone)']
near('speedscope-sums: hierarchical times', inclusive, hier, MANY)
same('speedscope-sums: threads', set(threads), {hold(line.split(b';')[0], UTF8) for line in run('export', 'folded').split(b'\n')[:-1]})
stacks, _, threads = read_stacks(run('export', 'speedscope-sums', '-n', '7', '-t', 'all'))
same('speedscope-sums: of seven frames', stacks, held(Counter({full(r): r['self_ns'] for r in some['rows'] if r['self_ns']}), UTF8))
same('speedscope-sums: all threads together', threads, [b'all threads'])

# ---- pprof


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 128:
            return value, at


def message(data):
    fields, at = defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            check('pprof: a field is whole', len(value) == length)
        else:
            raise SystemExit('pprof: a field of type %d' % (key & 7))
        fields[key >> 3].append(value)
    return fields


def numbers(data):
    out, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        out.append(value)
    return out


def read_pprof(data):
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    p = message(data)
    strings = p[6]
    same('pprof: the first string', strings[0], b'')
    for s in strings:
        s.decode()
    types = [tuple(strings[message(t)[k][0]] for k in (1, 2)) for t in p[1]]
    same('pprof: its types', types, [(b'calls', b'count'), (b'self', b'nanoseconds')])
    functions = {}
    for f in map(message, p[5]):
        functions[f[1][0]] = strings[f[2][0]]
    locations = {}
    for m in map(message, p[4]):
        locations[m[1][0]] = functions[message(m[4][0])[1][0]]
    calls, self, cum = Counter(), Counter(), Counter()
    for m in map(message, p[2]):
        stack, values = numbers(m[1][0]), numbers(m[2][0])
        calls[locations[stack[0]]] += values[0]
        self[locations[stack[0]]] += values[1]
        for name in {locations[i] for i in stack}:
            cum[name] += values[1]
        for label in map(message, m[3]):
            same('pprof: a label', strings[label[1][0]], b'thread')
            check('pprof: its thread', strings[label[2][0]] in THREADS.values(), strings[label[2][0]])
    return calls, self, cum


data = run('export', 'pprof')
calls, self, cum = read_pprof(data)
same('pprof: calls', +calls, held(COUNT, UTF8))
same('pprof: self times', +self, held(SELF, UTF8))
hier = held(HIER, UTF8)
hier[b'(no zone)'] = cum[b'(no zone)']
near('pprof: hierarchical times', cum, hier, MANY)
go = os.environ.get('GO') or shutil.which('go')
if go:
    path = os.path.join(FOLDER, 'pprof.pb.gz')
    open(path, 'wb').write(data)
    environment = dict(os.environ, HOME=FOLDER, PPROF_TMPDIR=FOLDER)
    out = subprocess.run([go, 'tool', 'pprof', '-top', '-nodecount=10000', '-nodefraction=0', '-edgefraction=0', '-unit=ns', path],
                         capture_output=True, env=environment)
    check('go tool pprof reads it', out.returncode == 0, out.stderr.decode())
    flat = Counter()
    for line in out.stdout.decode('utf-8', 'replace').split('\n'):
        m = re.match(r'\s*(\d+)(?:ns)?\s+\S+%\s+\S+%\s+(\d+)(?:ns)?\s+\S+%\s{2}(.*)$', line)
        if m:
            flat[m.group(3)] += int(m.group(1))
    plain = lambda d: {k: v for k, v in d.items() if re.match(r'^(?!line$)[a-z]+$', k if isinstance(k, str) else k.decode('utf-8', 'replace'))}
    same('go tool pprof: self times', plain(flat), {k.decode(): v for k, v in plain(SELF).items()})
    same('go tool pprof: all', sum(flat.values()), sum(SELF.values()))
    print('go tool pprof read %d zones' % len(flat))
else:
    print('go is not here: pprof was read by this script alone')

# ---- callgrind

path = os.path.join(FOLDER, 'callgrind.out')
open(path, 'wb').write(run('export', 'callgrind'))
annotate = shutil.which('callgrind_annotate')


def annotated(*words):
    out = subprocess.run([annotate, '--threshold=100', '--auto=no', *words, path], capture_output=True)
    check('callgrind_annotate reads it', out.returncode == 0 and not re.search(b'WARNING|malformed', out.stderr), out.stderr[-300:])
    found = Counter()
    for line in out.stdout.split(b'\n'):
        m = re.match(rb'^\s*([\d,]+) \(\s*[\d.]+%\)\s+(.*)$', line)
        if m and not m.group(2).endswith(b'PROGRAM TOTALS'):
            found[re.sub(rb' \[\]$', b'', m.group(2)).replace(b': ', b':').rstrip()] += int(m.group(1).replace(b',', b''))
        elif m:
            found[b''] = int(m.group(1).replace(b',', b''))
    return found


if annotate:
    def key(row):
        return (unescape(row['file']) or b'???') + b':' + hold(full(row), LINE).strip()

    expected = Counter()
    for r in J['rows']:
        if r['self_ns']:
            expected[key(r)] += r['self_ns']
    expected[b''] = sum(SELF.values())
    got = annotated()
    same('callgrind_annotate: self times', +got, expected)
    got = annotated('--inclusive=yes')
    whole = {key(r): r['hier_ns'] for r in J['rows']}
    whole[b''] = whole[b'???:(no zone)'] = sum(SELF.values())
    near('callgrind_annotate: hierarchical times', got, whole, MANY)
    print('callgrind_annotate read %d zones' % len(got))
else:
    print('callgrind_annotate is not here')

# ---- single calls, as -j has them

SPANS, OPEN = Counter(), Counter()
for lane in T['lanes']:
    for s in lane['spans']:
        name = NODE[s['node']]
        if s.get('running'):
            OPEN[lane['thread'], name, ns(s['begin'])] += 1
        else:
            SPANS[lane['thread'], name, ns(s['begin']), ns(s['end'])] += 1
check('there are calls', len(SPANS) > 500 and sum(OPEN.values()) == 2, (len(SPANS), OPEN))


def nest(records):
    """(enter, thread, name, time) in the order of the file, to closed and open calls."""
    stacks, last, done, still = defaultdict(list), defaultdict(int), Counter(), Counter()
    for enter, thread, name, at in records:
        check('times go on', at >= last[thread], (thread, at, last[thread]))
        last[thread] = at
        if enter:
            stacks[thread].append((name, at))
        elif check('something is open', stacks[thread]) or stacks[thread]:
            top, begin = stacks[thread].pop()
            check('what ends is what is open', name is None or name == top, (name, top))
            done[thread, top, begin, at] += 1
    for thread, stack in stacks.items():
        for name, at in stack:
            still[thread, name, at] += 1
    return done, still


def held_calls(calls, bad, time=lambda t: t):
    out = Counter()
    for k, v in calls.items():
        out[(k[0], hold(k[1], bad)) + tuple(time(t) for t in k[2:])] += v
    return out


# ---- Chrome

text = run('export', 'chrome').decode()
trace = json.loads(text, parse_float=Decimal)
events = trace['traceEvents']
pid = J['process']['pid']
check('chrome: one process', all(e['pid'] == pid for e in events))
at = lambda e: int(e['ts'] * 1000)
check('chrome: all of a time', all(e['ts'] * 1000 == at(e) for e in events if e['ph'] != 'M'))
records = [(e['ph'] == 'B', e['tid'], e['name'].encode(), at(e)) for e in events if e['ph'] in 'BE']
done, still = nest(records)
same('chrome: calls', done, held_calls(SPANS, UTF8))
same('chrome: open calls', still, held_calls(OPEN, UTF8))
names = {e['tid']: e['args']['name'].encode() for e in events if e['ph'] == 'M' and e['name'] == 'thread_name'}
same('chrome: threads', names, THREADS)
instants = [e for e in events if e['ph'] == 'i']
frames = [e for e in instants if e.get('cat') == 'frame']
same('chrome: frames', [(e['args']['number'], at(e), e['args']['length_ns']) for e in frames],
     [(f['number'], ns(f['start'] + f['length']), ns(f['length'])) for f in J['frames']])
same('chrome: notes', sorted(e['name'] for e in instants if e.get('cat') == 'note'),
     ['level "two"\nbegins 5', 'nothing to do'])
same('chrome: events', Counter(e['name'] for e in instants if 'cat' not in e), Counter(spawn=5, done=2))
values = defaultdict(list)
for e in events:
    if e['ph'] == 'C':
        values[e['name']].append(e['args']['value'])
same('chrome: a counter', values['enemies'], [i * 3 - 10 for i in range(30)])
same('chrome: one with fractions', values['load'], [Decimal(i) / 8 for i in range(30)])
same('chrome: a sum', values['spawned'], [i * 2 + 2 for i in range(30)])
check('chrome: no control is in it', not any(is_control(c) and c != '\n' for c in text))
same('chrome: what it says', said['export chrome'].strip(), 'proftop: chrome: bytes that are not UTF-8 appear as \\xNN in names')

# ---- one frame of it

frame = '%s@12' % REGION
own = json.loads(subprocess.run([PROFTOP, 'report', '-j', '-t', 'main', frame], capture_output=True).stdout)
part = subprocess.run([PROFTOP, 'export', 'chrome', '-t', 'main', frame], capture_output=True)
events = json.loads(part.stdout, parse_float=Decimal)['traceEvents']
done, still = nest([(e['ph'] == 'B', e['tid'], e['name'].encode(), at(e))
                    for e in events if e['ph'] in 'BE'])
begin, calls = min(c[2] for c in done), Counter()
for (thread, name, entered, left), n in done.items():
    if entered > begin: # the call of the mark before reaches into it
        calls[name] += n
same('a frame: calls', calls,
     held(Counter({full(r): r['count'] for r in own['rows'] if r['count']}), UTF8))
check('a frame: none is open', not still)

# ---- perf_timer

rows = json.loads(run('export', 'perf-timer'))
done, still = nest([(r[0] == 0, r[1], r[4].encode(), r[3]) for r in rows if r[0] != 2])
same('perf_timer: calls', done, held_calls(SPANS, UTF8))
same('perf_timer: open calls', still, held_calls(OPEN, UTF8))
same('perf_timer: notes', sorted(r[4] for r in rows if r[0] == 2), ['level "two"\nbegins 5', 'nothing to do'])
same('perf_timer: frames', [r[2] for r in rows if r[0] == 0 and r[4] == 'update'], list(range(1, 31)))
same('perf_timer: of a note', [r[2] for r in rows if r[0] == 2 and r[4] != 'nothing to do'], [6])
check('perf_timer: without a frame', any(r[2] == -1 for r in rows if r[0] == 0 and r[4] == 'open'))
data, binary = run('export', 'perf-timer-binary'), []
magic, count = struct.unpack_from('<II', data)
same('perf_timer: magic', magic, 0xFA57)
where = 8
for _ in range(count):
    op, thread, number, time, length = struct.unpack_from('<BQiQH', data, where)
    where += struct.calcsize('<BQiQH')
    binary.append([op, thread, number, time, data[where:where + length]])
    where += length
same('perf_timer: all bytes', where, len(data))
same('perf_timer: both forms', [r[:4] + [hold(r[4], UTF8)] for r in binary], [r[:4] + [r[4].encode()] for r in rows])

# ---- profile-visualiser

lines = run('export', 'visualiser').split(b'\n')
labels, records, marks, counters = {}, [], Counter(), defaultdict(list)
for line in lines[:-1]:
    kind = line[:1]
    if kind in b'TC':
        _, i, label = line.split(b' ', 2)
        labels[kind, int(i)] = label
    elif kind in b'FV':
        _, thread, i, label = line.split(b' ', 3)
        labels[kind, int(thread), int(i)] = label
    elif kind in b'SE':
        _, thread, i, time = line.split(b' ')
        records.append((kind == b'S', int(thread), labels[b'F', int(thread), int(i)], int(time)))
    elif kind == b'Y':
        _, thread, i, time = line.split(b' ')
        marks[labels[b'V', int(thread), int(i)]] += 1
    elif kind == b'D':
        _, i, time, value = line.split(b' ')
        counters[labels[b'C', int(i)]].append(int(value))
    else:
        check('visualiser: a line', False, line)
done, still = nest(records)
same('visualiser: calls', done, held_calls(SPANS, LINE, lambda t: t // 1000))
same('visualiser: open calls', still, held_calls(OPEN, LINE, lambda t: t // 1000))
same('visualiser: threads', {k[1]: v for k, v in labels.items() if k[0] == b'T'}, THREADS)
same('visualiser: events', marks, Counter({b'frame': 30, b'spawn': 5, b'done': 2}))
same('visualiser: counters', counters[b'enemies'], [i * 3 - 10 for i in range(30)])
check('visualiser: what it says', 'cut to whole microseconds' in said['export visualiser'] and
      '2 notes are left out' in said['export visualiser'] and '1 counter with fractions' in said['export visualiser'],
      said['export visualiser'])

# ---- speedscope

text = run('export', 'speedscope')
scope = json.loads(text)
zones = [f['name'].encode() for f in scope['shared']['frames']]
got, closed = Counter(), Counter()
for profile in scope['profiles']:
    same('speedscope: its kind', (profile['type'], profile['unit']), ('evented', 'nanoseconds'))
    done, still = nest([(e['type'] == 'O', profile['name'].encode(), zones[e['frame']], e['at']) for e in profile['events']])
    check('speedscope: all is closed', not still, still)
    check('speedscope: ends', profile['startValue'] == profile['events'][0]['at'] and
          profile['endValue'] == profile['events'][-1]['at'])
    got += done
expected = Counter()
for (thread, name, begin, end), n in held_calls(SPANS, UTF8).items():
    expected[THREADS[thread], name, begin, end] += n
end = max(p['endValue'] for p in scope['profiles'])
for (thread, name, begin), n in held_calls(OPEN, UTF8).items():
    expected[THREADS[thread], name, begin, end] += n
same('speedscope: calls', got, expected)
check('speedscope: what it says', '2 unfinished calls are closed' in said['export speedscope'], said['export speedscope'])

# ---- html

def read_page(*words):
    text = run('export', 'html', *words).decode()
    found = re.search(r'<script id="data" type="application/octet-stream" data-encoding="(gzip|none)">([A-Za-z0-9+/=]*)</script>', text)
    check('html: the data are in it', found, text[:200])
    data = base64.b64decode(found.group(2))
    return json.loads(gzip.decompress(data) if found.group(1) == 'gzip' else data)


def page_zones(page, nodes):
    """By zone: self, hierarchical time, entries; of [(node, self, count)]. A thread that entered no zone is left out."""
    parent, zone, thread = page['nodes']['parent'], page['nodes']['zone'], page['nodes']['thread']
    nodes = list(nodes)
    busy = {thread[node] for node, _, count in nodes if count and parent[node] >= 0}
    nodes = [n for n in nodes if parent[n[0]] >= 0 or thread[n[0]] in busy]
    names = [(n, f, l) for n, f, l in zip(*(page['zones'][c] for c in ('name', 'file', 'line')))]
    hier, zones = [0] * len(parent), {}
    for node, self, count in nodes:
        hier[node] += self
        z = zones.setdefault(names[zone[node]], [0, 0, 0])
        z[0] += self
        z[2] += count
    for node in range(len(parent) - 1, -1, -1):
        if parent[node] >= 0:
            hier[parent[node]] += hier[node]
        above = parent[node]
        while above >= 0 and zone[above] != zone[node]:
            above = parent[above]
        if above < 0:
            zones.setdefault(names[zone[node]], [0, 0, 0])[1] += hier[node]
    return {name: tuple(z) for name, z in zones.items() if any(z)}


def page_cells(page):
    """By frame: [(node, self, count)]."""
    frames, parts, cells = page['frames'], page['parts'], page['cells']
    number = part = cell = 0
    out = {}
    for step, count in zip(frames['number'], frames['parts']):
        number += step
        out[number] = []
        for part in range(part, part + count):
            node = 0
            for cell in range(cell, cell + parts['cells'][part]):
                node += cells['node'][cell]
                out[number].append((node, cells['self'][cell], cells['count'][cell]))
            cell += parts['cells'][part] > 0
        part += count > 0
    return out


def report_zones(report):
    out = defaultdict(lambda: (0, 0, 0))
    for r in report['rows']:
        out[r['zone'], r['file'], r['line']] = (r['self'], r['hier'], r['count'])
    return {name: z for name, z in out.items() if any(z)}


page, report = read_page(), json.loads(run('report', '-j'))
same('html: zones of the run', page_zones(page, zip(itertools.count(), page['run']['self'], page['run']['count'])), report_zones(report))
same('html: its length', page['run']['wall'], report['covered']['wall'])
number, end, frames = 0, int(page['origin']), []
for step, start, length in zip(*(page['frames'][c] for c in ('number', 'start', 'length'))):
    number += step
    start += end
    end = start + length
    frames.append((number, start, length))
same('html: frames', frames, [(f['number'], f['start'], f['length']) for f in report['frames']])
same('html: the process', page['process']['program'], report['process']['program'])
same('html: what was lost', {l['key']: l['count'] for l in page['losses']}, {k: v for k, v in report['lost'].items() if k in {l['key'] for l in page['losses']}})
for number, cells in page_cells(page).items():
    of_frame = subprocess.run([PROFTOP, 'report', '-j', '%s@%d' % (REGION, number)], stdin=subprocess.DEVNULL, capture_output=True)
    if of_frame.returncode == 0:
        same('html: zones of frame %d' % number, page_zones(page, cells), report_zones(json.loads(of_frame.stdout)))
same('html: calls', sum(len(row['begin']) for lane in page['calls']['lanes'] for row in lane['rows']), sum(len(l['spans']) for l in T['lanes']))
last = read_page('-n', '2')
same('html: the last two', page_zones(last, zip(itertools.count(), last['run']['self'], last['run']['count'])),
     report_zones(json.loads(run('report', '-j', '-n', '2'))))

bundle, node = os.environ.get('SPEEDSCOPE'), shutil.which('node')
if bundle and node:
    for kind, file in (('chrome', 'x.trace.json'), ('speedscope', 'x.speedscope.json'),
                       ('speedscope-sums', 'sums.speedscope.json'), ('folded', 'x.folded'),
                       ('callgrind', 'callgrind.out'), ('pprof', 'x.pb')):
        path = os.path.join(FOLDER, file)
        data = run('export', kind)
        open(path, 'wb').write(gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data)
        out = subprocess.run([node, os.path.join(os.path.dirname(sys.argv[0]), 'speedscope_read.js'), bundle, path], capture_output=True)
        check('speedscope reads ' + kind, out.returncode == 0, out.stderr.decode()[-500:])
        if out.returncode:
            continue
        totals = Counter()
        for name, value in json.loads(out.stdout):
            totals[name.encode()] += value
        if kind in ('folded', 'pprof', 'callgrind', 'speedscope-sums'):
            same('speedscope: all self time of ' + kind, sum(totals.values()), sum(SELF.values()))
        else:
            spans = Counter()
            for lane in T['lanes']:
                for span in lane['spans']:
                    spans[hold(NODE[span['node']], UTF8)] += span['self_ns']
            near('speedscope: self times of ' + kind,
                 {k: round(v * (1000 if kind == 'chrome' else 1)) for k, v in totals.items()}, spans, len(SPANS))
        print('speedscope read %s: %d frames' % (kind, len(totals)))
else:
    print('speedscope is not here (SPEEDSCOPE)')

print('%d checks failed' % failures if failures else 'all that was exported is what -j says')
sys.exit(failures != 0)
