import { describe, expect, test } from 'vitest';
import { ada, dawn } from '../../../test/support/world.ts';
import { canonical } from './canonical.ts';
import { sealContract, type Contract } from '../contract/contract.ts';
import { digestOf } from './digest.ts';
import { entryDigest, sealEntry, type Entry } from './entry.ts';
import { isStaffettaError, type ErrorCode } from '../base/error.ts';
import { sealPacket, type Packet } from '../packet/packet.ts';
import { openContract, openPacket } from './sealed-content.ts';
import { openEntry } from './sealed.ts';

const entry: Entry = {
  v: 1,
  task: 't000000000042',
  seq: 0,
  prev: null,
  at: dawn,
  by: ada,
  events: [{ type: 'note', v: 1, text: 'é🧰' }],
};
const contract: Contract = { v: 1, title: 'Mend the fence', goal: 'The fence stands.' };
const packet: Packet = {
  v: 1,
  task: entry.task,
  parent: null,
  contract: digestOf('contract'),
  generation: 1,
  head: { seq: 2, digest: digestOf('entry 2') },
  at: dawn,
  from: ada,
  lane: 'execute',
  trigger: 'planned',
  claims: { next: 'Nail the boards.' },
  artefacts: [],
  transcript: [],
};

function codeOf(act: () => unknown): ErrorCode | undefined {
  try {
    act();
  } catch (error) {
    if (isStaffettaError(error)) return error.code;
    throw error;
  }
  return undefined;
}

function sealedAs(value: unknown): { body: string; digest: ReturnType<typeof entryDigest> } {
  const body = canonical(value);
  return { body, digest: entryDigest(body) };
}

test('what was sealed is opened as it was', () => {
  expect(openEntry(sealEntry(entry))).toEqual(entry);
  expect(openPacket(sealPacket(packet).bytes)).toEqual(packet);
  expect(openContract(sealContract(contract).bytes)).toEqual(contract);
});

describe('P8: an entry', () => {
  test('whose bytes do not match its digest is not opened', () => {
    const { body, digest } = sealEntry(entry);
    expect(codeOf(() => openEntry({ body: body.replace('note', 'nope'), digest }))).toBe('corrupt');
    expect(codeOf(() => openEntry({ body, digest: digestOf('x') }))).toBe('corrupt');
  });

  test.each<[string, unknown, ErrorCode]>([
    ['of a later version', { ...entry, v: 2 }, 'store-newer'],
    ['with an event of a later version', { ...entry, events: [{ type: 'note', v: 2 }] }, 'store-newer'],
    [
      'with an event nobody knows yet',
      { ...entry, events: [{ type: 'task-teleported', v: 1 }] },
      'store-newer',
    ],
    ['without events', { ...entry, events: undefined }, 'corrupt'],
    ['that is null', null, 'corrupt'],
  ])('%s goes the long way and is refused there', (_what, value, code) => {
    expect(codeOf(() => openEntry(sealedAs(value)))).toBe(code);
  });
});

describe('packets and contracts', () => {
  test.each([
    ['no JSON', Buffer.from('{')],
    ['no text at all', Buffer.from([0xff, 0xfe])],
    ['null', Buffer.from('null')],
    ['an object of no version', Buffer.from('{}')],
  ])('%s is damage', (_what, bytes) => {
    expect(codeOf(() => openPacket(bytes))).toBe('corrupt');
    expect(codeOf(() => openContract(bytes))).toBe('corrupt');
  });

  test('one of a later version asks for an update', () => {
    expect(codeOf(() => openPacket(Buffer.from(canonical({ ...packet, v: 2 }))))).toBe('store-newer');
    expect(codeOf(() => openContract(Buffer.from(canonical({ ...contract, v: 2 }))))).toBe('store-newer');
  });
});
