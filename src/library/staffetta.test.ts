/** Values that no verb can do anything with are refused in words, and change nothing. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CardQuery } from '../ports/journal.ts';
import { openStaffetta, type Staffetta } from './staffetta.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-refused-'));
const relays: Staffetta[] = [];

beforeAll(async () => {
  for (const store of ['memory:', join(folder, 'store.db')]) {
    const relay = await openStaffetta({ store, as: 'ada', gate: 'record' });
    for (const goal of ['x', 'y', 'z']) await relay.open({ goal });
    relays.push(relay);
  }
});

afterAll(async () => {
  for (const relay of relays) await relay.close();
  rmSync(folder, { recursive: true });
});

const refused = { code: 'invalid-input', name: 'StaffettaError' };

describe('a list', () => {
  test.each<[string, unknown]>([
    ['of less than nothing', { limit: -1 }],
    ['of nothing', { limit: 0 }],
    ['of half a task', { limit: 0.5 }],
    ['of no number', { limit: Number.NaN }],
    ['of more than a page holds', { limit: 1001 }],
    ['from a cursor that nobody gave', { cursor: 'garbage' }],
    ['from half a cursor', { cursor: '5:' }],
    ['from no cursor at all', { cursor: '' }],
    ['of a status that does not exist', { statuses: ['hld'] }],
  ])('%s is refused by every store', async (_name, query) => {
    for (const relay of relays) await expect(relay.list(query as CardQuery)).rejects.toMatchObject(refused);
  });

  test('page by page ends where the cursors end', async () => {
    for (const relay of relays) {
      const first = await relay.list({ limit: 2 });
      const rest = await relay.list({ limit: 2, cursor: first.next ?? '' });
      expect([first.cards.length, rest.cards.length, rest.next]).toEqual([2, 1, undefined]);
    }
  });
});

test.each([-1, 0.5, Number.NaN])('events after %d are refused', async (after) => {
  for (const relay of relays) await expect(relay.events({ after }).next()).rejects.toMatchObject(refused);
});

test('messages say what of a transcript could not be read', async () => {
  for (const relay of relays) {
    const leg = await relay.begin({ goal: 'x' });
    await leg.checkpoint({ transcript: Uint8Array.of(0, 255), media: 'image/png' });
    for (const shape of ['openai', 'ai-sdk'] as const)
      expect(await relay.messages(leg.task, shape)).toEqual({
        messages: [],
        omissions: [{ kind: 'transcript-unread', count: 1, why: 'bytes that are no text' }],
      });
  }
});

describe('an offer that expires as it is made', () => {
  test.each([0, -1, 0.5, Number.NaN])('in %d ms is refused by whatever makes one', async (expiresMs) => {
    for (const relay of relays) {
      const leg = await relay.begin({ goal: 'x' });
      const draft = await relay.open({ goal: 'y' }, { draft: true });
      const before = (await relay.list()).cards.length;
      await expect(relay.open({ goal: 'z' }, { expiresMs })).rejects.toMatchObject(refused);
      await expect(relay.begin({ goal: 'z' }, { expiresMs })).rejects.toMatchObject(refused);
      const terms = { to: 'lane:execute', lane: 'execute', expiresMs } as const;
      await expect(relay.offer(draft.task, terms)).rejects.toMatchObject(refused);
      await expect(leg.handoff({ to: 'lane:execute', expiresMs })).rejects.toMatchObject(refused);
      expect((await relay.list()).cards).toHaveLength(before);
    }
  });
});

describe('a backup', () => {
  test.each([
    ['whose name holds a zero byte', join(folder, 'copy\0x')],
    ['without a name', ''],
  ])('%s is refused, and nothing is left behind', async (_name, file) => {
    const before = readdirSync(folder);
    for (const relay of relays) await expect(relay.backup(file)).rejects.toMatchObject(refused);
    expect(readdirSync(folder)).toEqual(before);
  });
});
