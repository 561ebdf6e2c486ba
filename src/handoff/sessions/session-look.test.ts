import { expect, test } from 'vitest';
import type { Condition } from '../../core/transcript/condition.ts';
import type { Captured, CapturedEnd } from '../../ports/runtime.ts';
import { seenSession, triggerOf } from './session-look.ts';

const calm: Condition = { settled: true, turn: 'person', calls: [], window: null, stopped: null };

test('what stopped a session is why it changes hands, though its process is gone as well', () => {
  const dead = { liveness: 'dead' } as const;
  expect(triggerOf(dead, { ...calm, stopped: 'context-limit' })).toBe('context-limit');
  expect(triggerOf(dead, { ...calm, stopped: 'usage-limit' })).toBe('usage-limit');
  expect(triggerOf(dead, { ...calm, stopped: 'error' })).toBe('crash');
});

test('nothing forces a session that stands still to change hands', () => {
  expect(triggerOf({ liveness: 'ended' }, calm)).toBeNull();
});

function end(cursor: string): CapturedEnd {
  return { cursor, fromStart: false, omissions: [] };
}

async function wordsOf({ records }: Captured): Promise<string[]> {
  const words: string[] = [];
  for await (const record of records) words.push(Buffer.from(record).toString());
  return words;
}

test('a session that is over is sealed as it was looked at, and read again only from elsewhere', async () => {
  const session = seenSession({
    runtime: {
      name: 'claude-code',
      capture: async (_place, from) => ({
        records: (async function* () {
          yield Buffer.from(`read after ${await Promise.resolve(from)}`);
        })(),
        end: () => end('c'),
      }),
    },
    card: { runtime: 'claude-code', id: 'one', path: '/sessions/one.jsonl' },
    seen: { from: 'a', records: [Buffer.from('first'), Buffer.from('second')], end: end('b') },
  });
  for (let time = 0; time < 2; time += 1) {
    const captured = await session.capture('a');
    expect(await wordsOf(captured)).toEqual(['first', 'second']);
    expect(captured.end()).toEqual(end('b'));
  }
  expect(await wordsOf(await session.capture())).toEqual(['read after undefined']);
  expect((await session.capture('c')).end()).toEqual(end('c'));
});
