import { expect, test } from 'vitest';
import { packetDigest, type Link } from './chain.ts';
import type { Signing } from './signatures.ts';
import {
  verdictOf as verdictFrom,
  witnessOf,
  type JournalHead,
  type Verdict,
  type Witness,
} from './verdict.ts';

const link = (seq: number, fault: string | null = null): Link => ({
  seq,
  digest: `sha256:${seq}`,
  at: 0,
  fault,
});
const head = { seq: 2, digest: 'sha256:2' };

function verdictOf(
  links: readonly Link[],
  at: JournalHead,
  witness: Witness | undefined,
  signings: readonly Signing[] = [],
): Verdict {
  return verdictFrom({ links, signings, head: at, known: head }, witness);
}

test('a chain that holds up to its head holds', () => {
  expect(verdictOf([link(0), link(1), link(2)], head, undefined)).toMatchObject({
    holds: true,
    said: 'The chain of 3 entries holds.',
  });
});

test('the first entry that does not hold is named', () => {
  const verdict = verdictOf([link(0), link(1, 'bad'), link(2, 'worse')], head, undefined);
  expect(verdict).toMatchObject({ holds: false, broken: { seq: 1, fault: 'bad' } });
});

test('a chain that is too short, or ends elsewhere, does not hold', () => {
  expect(verdictOf([link(0), link(1)], head, undefined).holds).toBe(false);
  expect(verdictOf([link(0), link(1), link(2)], { ...head, digest: 'sha256:x' }, undefined).holds).toBe(
    false,
  );
});

async function sealed(seen: string): Promise<Parameters<typeof witnessOf>[0]> {
  const packet = { v: 1, task: 't1', head: { seq: 1, digest: seen } };
  return { packet, digest: await packetDigest(packet), number: 4 } as never;
}

test('a packet witnesses the entry it was sealed after', async () => {
  const links = [link(0), link(1), link(2)];
  const witness = await witnessOf(await sealed('sha256:1'), links);
  expect(witness).toMatchObject({ holds: true });
  expect(verdictOf(links, head, witness).holds).toBe(true);
});

test('a journal that was written anew is found out by the packet', async () => {
  const links = [link(0), link(1), link(2)];
  const witness = await witnessOf(await sealed('sha256:other'), links);
  expect(verdictOf(links, head, witness)).toMatchObject({
    holds: false,
    said: 'The latest packet witnesses another journal.',
  });
});

test('a packet whose fields were changed is no witness', async () => {
  const packet = await sealed('sha256:1');
  const changed = { ...packet, packet: { ...packet.packet, task: 't2' } } as never;
  expect(await witnessOf(changed, [link(0), link(1)])).toMatchObject({ holds: false });
});

test('a signature that does not fit is said first, one that is not there is said too', () => {
  const links = [link(0), link(1), link(2)];
  const fits: Signing = { seq: 1, of: 'checkpoint', by: 'ada', key: 'sha256:a', fault: null };
  const missing: Signing = { ...fits, key: null };
  expect(verdictOf(links, head, undefined, [fits, fits, missing])).toMatchObject({
    holds: true,
    signed:
      '2 checkpoints and approvals: signed, and the signature fits. 1 checkpoint or approval: unsigned.',
  });
  expect(verdictOf(links, head, undefined, [fits, { ...fits, seq: 2, fault: 'forged' }])).toMatchObject({
    holds: false,
    said: 'The chain of 3 entries holds. A signature in entry 2 does not: forged.',
  });
});

test('a journal that does not have the head that was known before does not hold', () => {
  const links = [link(0), link(1), { ...link(2), digest: 'sha256:x' }];
  expect(verdictOf(links, { seq: 2, digest: 'sha256:x' }, undefined).holds).toBe(false);
});
