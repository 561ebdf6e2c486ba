import { describe, expect, test } from 'vitest';
import { ada, dawn } from '../../../test/support/world.ts';
import { digestOf } from './digest.ts';
import { entryDigest, linkFaults, parseEntry, sealEntry, type Entry, type SealedEntry } from './entry.ts';
import { isStaffettaError, type ErrorCode } from '../base/error.ts';
import type { Event } from './event.ts';
import { limits } from '../base/limits.ts';

const note = (text: string): Event => ({ type: 'note', v: 1, text });

function entry(more: Partial<Entry> = {}): Entry {
  return {
    v: 1,
    task: 't000000000042',
    seq: 0,
    prev: null,
    at: dawn,
    by: ada,
    events: [note('hello')],
    ...more,
  };
}

function codeOf(act: () => unknown): ErrorCode | undefined {
  try {
    act();
  } catch (error) {
    if (isStaffettaError(error)) return error.code;
    throw error;
  }
  return undefined;
}

interface Stored extends SealedEntry {
  readonly seq: number;
}

/** Three sound entries, one after another. */
function chain(): readonly [Stored, Stored, Stored] {
  const first = sealEntry(entry());
  const second = sealEntry(entry({ seq: 1, prev: first.digest, events: [note('two')] }));
  const third = sealEntry(entry({ seq: 2, prev: second.digest, events: [note('three')] }));
  return [
    { ...first, seq: 0 },
    { ...second, seq: 1 },
    { ...third, seq: 2 },
  ];
}

/** All faults of a journal in the given order, each with its place. */
function faults(journal: readonly Stored[]): string[] {
  return journal.flatMap((stored, place) =>
    linkFaults(stored, journal[place - 1]).map((fault) => `${place}: ${fault}`),
  );
}

function rewritten(stored: Stored, change: (body: string) => string): Stored {
  const body = change(stored.body);
  return { ...stored, body, digest: entryDigest(body) };
}

describe('sealing', () => {
  test('an entry is its canonical bytes and the digest of those in their own domain', () => {
    const { body, digest } = sealEntry(entry());
    expect(body).toBe(
      '{"at":1767225600000,"by":{"kind":"agent","lane":"execute","name":"ada"},"events":[{"text":"hello","type":"note","v":1}],"prev":null,"seq":0,"task":"t000000000042","v":1}',
    );
    expect(digest).toBe(digestOf(`staffetta/entry/v1\n${body}`));
    expect(digest).not.toBe(digestOf(body));
  });

  test('a sealed entry reads back as it was', () => {
    const whole = entry({
      seq: 3,
      prev: digestOf('x'),
      generation: 2,
      key: 'k',
      request: digestOf('r'),
      events: [note('a\nb'), note('ü 🧰')],
    });
    expect(parseEntry(sealEntry(whole).body)).toEqual(whole);
  });

  test('an entry over the size limit is refused with what to do instead', () => {
    const text = 'x'.repeat(limits.textBytesMax);
    const events = Array.from({ length: 8 }, () => note(text));
    expect(codeOf(() => sealEntry(entry({ events })))).toBe('too-large');
    expect(codeOf(() => sealEntry(entry({ events: events.slice(1) })))).toBeUndefined();
  });

  test.each<[string, Partial<Entry>]>([
    ['a key with a line break', { key: 'a\nb' }],
    ['a key that is too long', { key: 'k'.repeat(limits.keyCharsMax + 1) }],
    ['an empty key', { key: '' }],
    ['generation zero', { generation: 0 }],
    ['no event', { events: [] }],
    ['a time with a fraction', { at: 1.5 }],
    ['an actor without a proper name', { by: { name: 'a b', kind: 'agent' } }],
  ])('what could not be read back is not sealed: %s', (_what, more) => {
    expect(codeOf(() => sealEntry(entry(more)))).toBe('invalid-input');
  });

  test('an entry holds as many events as the limit says', () => {
    const events = Array.from({ length: limits.eventsMax }, () => note('x'));
    expect(parseEntry(sealEntry(entry({ events })).body).events).toHaveLength(limits.eventsMax);
  });
});

describe('reading', () => {
  test.each([
    ['no JSON', '{"v":1'],
    ['null', 'null'],
    ['a number', '7'],
    ['an empty object', '{}'],
  ])('%s is not an entry', (_what, body) => {
    expect(codeOf(() => parseEntry(body))).toBe('corrupt');
  });

  test.each<[string, Record<string, unknown>]>([
    ['an unknown field', { extra: 1 }],
    ['a negative seq', { seq: -1 }],
    ['another kind of task id', { task: 'x' }],
    ['no events', { events: [] }],
    ['a version before the first', { v: 0 }],
    ['an event of a wrong shape', { events: [{ type: 'note', v: 1 }] }],
    ['an event without a type', { events: [{}] }],
    ['an event that is null', { events: [null] }],
  ])('an entry with %s is damaged', (_what, change) => {
    const body = JSON.stringify({ ...entry(), ...change });
    expect(codeOf(() => parseEntry(body))).toBe('corrupt');
  });

  test('an entry from the future is told from a damaged one', () => {
    expect(codeOf(() => parseEntry(JSON.stringify({ ...entry(), v: 2, shape: 'new' })))).toBe('store-newer');
    const event = { type: 'task-teleported', v: 1, to: 'mars' };
    expect(codeOf(() => parseEntry(JSON.stringify({ ...entry(), events: [event] })))).toBe('store-newer');
  });
});

describe('P8: the chain', () => {
  test('a sound chain has no faults', () => {
    expect(faults(chain())).toEqual([]);
  });

  test('a flipped byte is found where it is', () => {
    const [first, second, third] = chain();
    const flipped = { ...second, body: second.body.replace('two', 'twn') };
    expect(faults([first, flipped, third])).toEqual(['1: its bytes do not match its digest']);
  });

  test('every single flipped bit of an entry is found', () => {
    const [first] = chain();
    const bytes = Buffer.from(first.body);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(linkFaults({ ...first, body: damaged.toString('utf8') }, undefined)).not.toEqual([]);
    }
  });

  test('a rewritten entry with a fresh digest is found at the one that followed it', () => {
    const [first, second, third] = chain();
    const forged = rewritten(second, (body) => body.replace('two', 'TWO'));
    expect(faults([first, forged, third])).toEqual(['2: it does not continue the entry before it']);
  });

  test('two entries that changed places are found', () => {
    const [first, second, third] = chain();
    expect(faults([first, third, second])).toEqual([
      '1: it stands at 2 where 1 was expected',
      '1: it does not continue the entry before it',
      '2: it stands at 1 where 3 was expected',
      '2: it does not continue the entry before it',
    ]);
    const renumbered = [first, { ...third, seq: 1 }, { ...second, seq: 2 }];
    expect(faults(renumbered)).toEqual([
      '1: it says it is number 2',
      '1: it does not continue the entry before it',
      '2: it says it is number 1',
      '2: it does not continue the entry before it',
    ]);
  });

  test('an entry that stands there twice is found', () => {
    const [first, second, third] = chain();
    expect(faults([first, second, second, third])).toContain('2: it stands at 1 where 2 was expected');
  });

  test('a gap is found', () => {
    const [first, , third] = chain();
    expect(faults([first, third])).toEqual([
      '1: it stands at 2 where 1 was expected',
      '1: it does not continue the entry before it',
    ]);
  });

  test('where the entry before is missing, only the entry itself is judged', () => {
    const [, , third] = chain();
    if (third === undefined) throw new Error('the chain is too short');
    expect(linkFaults(third, 'missing')).toEqual([]);
    expect(linkFaults({ ...third, seq: 7 }, 'missing')).toEqual(['it says it is number 2']);
  });

  test('a journal that lost its beginning is found', () => {
    const [, second, third] = chain();
    expect(faults([second, third])).toEqual([
      '0: it stands at 1 where 0 was expected',
      '0: it does not continue the entry before it',
    ]);
  });

  test('the same entry in another spelling is found', () => {
    const [first, second, third] = chain();
    for (const respell of [
      (body: string) => body.replace('{"at"', '{ "at"'),
      (body: string) =>
        JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body) as object).toReversed())),
      (body: string) => body.replace('"seq":1', '"seq":1e0'),
      (body: string) => body.replace('"two"', '"\\u0074wo"'),
      (body: string) => body.replace('"seq":1', '"seq":7,"seq":1'),
    ]) {
      const other = rewritten(second, respell);
      expect(other.body).not.toBe(second.body);
      expect(faults([first, other, third])).toContain('1: its bytes are not in canonical form');
    }
  });

  test('bytes that are no JSON are found and named', () => {
    const [first] = chain();
    expect(
      linkFaults(
        rewritten(first, () => '{'),
        undefined,
      ),
    ).toEqual(['it is not JSON']);
    expect(
      linkFaults(
        rewritten(first, () => 'null'),
        undefined,
      ),
    ).toContain('it says it is number undefined');
  });
});
