/** A checker that finds nothing proves nothing: each of its sentences is broken once. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { historyFaults, type JournalLine } from './checker.ts';
import { operationsIn, type Call, type Operation, type Outcome } from './history.ts';

interface Written {
  readonly key?: string;
  readonly generation?: number;
  readonly at?: number;
  readonly events?: readonly object[];
}

function journal(written: readonly Written[]): JournalLine[] {
  const lines: JournalLine[] = [];
  for (const [seq, { at = seq, events = [{ type: 'note' }], ...more }] of written.entries()) {
    const body = JSON.stringify({ seq, prev: lines.at(-1)?.digest ?? null, at, events, ...more });
    const digest = `sha256:${createHash('sha256').update(`staffetta/entry/v1\n${body}`).digest('hex')}`;
    lines.push({ task: 'task', position: seq + 1, seq, digest, body });
  }
  return lines;
}

const sound = journal([
  { key: 'open' },
  { key: 'take', events: [{ type: 'leg-started', generation: 1 }] },
  { key: 'note', generation: 1 },
  { key: 'end', generation: 1, events: [{ type: 'leg-ended', generation: 1 }] },
  { key: 'next', events: [{ type: 'leg-started', generation: 2 }] },
]);

function answered(key: string, from: number, answer: Partial<Outcome> = { task: 'task' }): Operation {
  const call: Call = { key, kind: 'call', by: 'ada', from };
  return { ...call, outcomes: [{ key, until: from + 5, ...answer }] };
}

const told = sound.map(({ body, seq, digest }) =>
  answered((JSON.parse(body) as { key: string }).key, seq * 10, { task: 'task', seq, digest }),
);

function withEntry(seq: number, change: Partial<JournalLine>): JournalLine[] {
  return sound.map((line) => (line.seq === seq ? { ...line, ...change } : line));
}

function withCall(key: string, change: Partial<Operation>): Operation[] {
  return told.map((call) => (call.key === key ? { ...call, ...change } : call));
}

function leg(...written: readonly Written[]): JournalLine[] {
  return journal([{ events: [{ type: 'leg-started', generation: 1 }] }, ...written]);
}

test('a sound history has no faults, a call that was cut off and took effect among them', () => {
  expect(historyFaults(sound, told)).toEqual([]);
  expect(historyFaults(sound, withCall('note', { outcomes: [] }))).toEqual([]);
});

test.each<[string, string, readonly JournalLine[], readonly Operation[]]>([
  ['other bytes', 'chain', withEntry(2, { body: sound[2]?.body.replace('note', 'nope') ?? '' }), told],
  ['a missing entry', 'chain', sound.filter(({ seq }) => seq !== 2), told],
  ['time that goes back', 'chain', journal([{ at: 5 }, { at: 4 }]), []],
  ['a second holder', 'holder', leg({ events: [{ type: 'leg-started', generation: 2 }] }), []],
  ['a generation left out', 'holder', journal([{ events: [{ type: 'leg-started', generation: 2 }] }]), []],
  ['a leg ended by another', 'holder', leg({ events: [{ type: 'leg-lapsed', generation: 7 }] }), []],
  ['a former holder that writes', 'fence', leg({ generation: 2 }), []],
  ['an acknowledged entry that is gone', 'lost', sound.slice(0, -1), told],
  [
    'an acknowledged entry elsewhere',
    'lost',
    sound,
    withCall('note', answered('note', 20, { task: 'task', seq: 1 })),
  ],
  [
    'a grant of another generation',
    'lost',
    sound,
    withCall('take', answered('take', 10, { task: 'task', generation: 3 })),
  ],
  [
    'a refused change that is there',
    'ghost',
    sound,
    withCall('note', answered('note', 20, { refused: 'held' })),
  ],
  ['a change that nobody asked for', 'ghost', sound, told.filter(({ key }) => key !== 'note')],
  ['a key in two entries', 'twice', journal([{ key: 'open' }, { key: 'open' }]), [answered('open', 0)]],
  ['an answer that a later call overtook', 'order', sound, withCall('end', answered('end', 0))],
])('%s is found', (_what, word, lines, operations) => {
  expect(historyFaults(lines, operations).map((fault) => fault.split(':')[0])).toContain(word);
});

test('answers belong to their call, also where it was made again, and a line cut in two belongs to none', () => {
  const lines = [
    { key: 'a', kind: 'note', by: 'ada', from: 1 },
    { key: 'b', kind: 'note', by: 'ada', from: 2 },
    { key: 'b', until: 3, refused: 'held' },
    { key: 'a', kind: 'note', by: 'ada', from: 4 },
    { key: 'a', until: 5, task: 'task' },
  ].map((line) => JSON.stringify(line));
  const read = operationsIn(`${lines.join('\n')}\n{"key":"b","un`);
  expect(read.map(({ key, from, outcomes }) => [key, from, outcomes.length])).toEqual([
    ['a', 1, 1],
    ['b', 2, 1],
  ]);
});
