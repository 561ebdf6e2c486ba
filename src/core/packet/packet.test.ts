import { describe, expect, test } from 'vitest';
import { ada, dawn } from '../../../test/support/world.ts';
import { canonical } from '../journal/canonical.ts';
import { digestOf } from '../journal/digest.ts';
import { isStaffettaError, type ErrorCode } from '../base/error.ts';
import { limits } from '../base/limits.ts';
import { packetBlobs, parsePacket, sealPacket, type Packet } from './packet.ts';

function packet(more: Partial<Packet> = {}): Packet {
  return {
    v: 1,
    task: 't000000000042',
    parent: null,
    contract: digestOf('contract'),
    generation: 1,
    head: { seq: 2, digest: digestOf('entry 2') },
    at: dawn,
    from: ada,
    lane: 'execute',
    trigger: 'planned',
    claims: { done: ['The posts stand.'], next: 'Nail the boards.' },
    artefacts: [{ path: 'fence.md', role: 'Plan' }],
    transcript: [
      { blob: digestOf('chunk 1'), bytes: 7 },
      { blob: digestOf('chunk 2'), bytes: 7, media: 'text/plain' },
    ],
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

describe('sealing a packet', () => {
  test('P11: the same packet gives the same bytes, in whatever order it was put together', () => {
    const { bytes, digest } = sealPacket(packet());
    const turned = Object.fromEntries(Object.entries(packet()).toReversed()) as Packet;
    expect(sealPacket(turned).bytes).toEqual(bytes);
    expect(digest).toBe(digestOf(bytes));
    expect(Buffer.from(bytes).toString()).toBe(canonical(packet()));
  });

  test('any change of content is another packet', () => {
    const { digest } = sealPacket(packet());
    for (const more of [
      { at: dawn + 1 },
      { generation: 2 },
      { parent: digestOf('parent') },
      { head: { seq: 3, digest: digestOf('entry 3') } },
      { claims: {} },
      { artefacts: [] },
    ])
      expect(sealPacket(packet(more)).digest).not.toBe(digest);
  });

  test('a packet over the limit is refused with what to do instead', () => {
    const long = 'x'.repeat(limits.textBytesMax);
    const error = (() => {
      try {
        return sealPacket(packet({ claims: { done: Array.from({ length: 33 }, () => long) } }));
      } catch (caught) {
        return caught;
      }
    })();
    expect(isStaffettaError(error, 'too-large') && error.hint).toContain('transcript or artefacts');
  });

  test('a packet exactly at the limit is accepted', () => {
    const done = Array.from({ length: 32 }, () => 'x'.repeat(30_000));
    const bare = sealPacket(packet({ claims: { done, summary: 'x' } })).bytes.length;
    const room = limits.packetBytesMax - bare + 1;
    const spread = done.map((text, n) => (n < 31 ? text + 'x'.repeat(Math.floor(room / 32)) : text));
    const exact = (last: number): Packet =>
      packet({ claims: { done: spread.with(31, 'x'.repeat(30_000 + last)), summary: 'x' } });
    const missing = limits.packetBytesMax - sealPacket(exact(0)).bytes.length;
    expect(sealPacket(exact(missing)).bytes).toHaveLength(limits.packetBytesMax);
    expect(codeOf(() => sealPacket(exact(missing + 1)))).toBe('too-large');
  });
});

describe('reading a packet', () => {
  test('a sealed packet reads back as it was', () => {
    expect(parsePacket(sealPacket(packet()).bytes)).toEqual(packet());
  });

  test.each([
    ['no JSON', Buffer.from('{')],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
    ['another shape', Buffer.from('{"v":1}')],
    ['null', Buffer.from('null')],
    ['a field that nobody knows', Buffer.from(canonical({ ...packet(), extra: 1 }))],
  ])('%s is not a packet but damage', (_what, bytes) => {
    expect(codeOf(() => parsePacket(bytes))).toBe('corrupt');
  });

  test('a packet from the future is told from a damaged one', () => {
    const bytes = Buffer.from(canonical({ ...packet(), v: 2, facts: {} }));
    expect(codeOf(() => parsePacket(bytes))).toBe('store-newer');
  });
});

test('a packet needs its contract and each piece of its transcript', () => {
  expect(packetBlobs(packet())).toEqual([digestOf('contract'), digestOf('chunk 1'), digestOf('chunk 2')]);
});
