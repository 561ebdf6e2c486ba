import { expect, test } from 'vitest';
import { publicKeyOf } from '../../../test/support/fixed-signer.ts';
import { attestationsIn, envelopeOf, preAuthEncoding, statementType } from './attestation.ts';
import { digestOf } from '../journal/digest.ts';
import { isSignedBy, signatureOf } from './ed25519.ts';
import { newSigningKey } from '../../home/keys.ts';
import type { Event } from '../journal/event.ts';

const digest = digestOf('x');
const before = {
  contract: digestOf('contract'),
  packet: digest,
  sealed: { certification: 'ready', findings: null, workspace: digestOf('tree') },
} as const;

function entryWith(...events: readonly Event[]): Parameters<typeof attestationsIn>[1] {
  return {
    task: 't000000000001',
    seq: 7,
    prev: digestOf('head'),
    at: 5,
    by: { kind: 'human', name: 'eve' },
    events,
  };
}

function hex(text: string): { readonly sha256: string } {
  return { sha256: digestOf(text).slice(7) };
}

test('the bytes that are signed are those of the DSSE specification', () => {
  expect(Buffer.from(preAuthEncoding('http://example.com/HelloWorld', 'hello world')).toString()).toBe(
    'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
  );
  expect(Buffer.from(preAuthEncoding('ü', 'ö')).toString()).toBe('DSSEv1 2 ü 2 ö');
});

test('an approval is told as an in-toto statement about packet, contract, workspace and journal', () => {
  const approved: Event = {
    type: 'review-approved',
    v: 1,
    packet: digest,
    contract: before.contract,
    why: 'fine',
  };
  const [attestation] = attestationsIn(before, entryWith(approved, { type: 'task-done', v: 1 }));
  expect(attestation).toMatchObject({ index: 0, of: 'review-approved', signed: undefined });
  expect(JSON.parse(attestation?.statement ?? '')).toEqual({
    _type: statementType,
    predicateType: 'urn:staffetta:approval:v1',
    subject: [
      { name: 'packet', digest: hex('x') },
      { name: 'contract', digest: hex('contract') },
      { name: 'workspace', digest: hex('tree') },
      { name: 'journal', digest: hex('head') },
    ],
    predicate: {
      task: 't000000000001',
      seq: 7,
      at: 5,
      by: { kind: 'human', name: 'eve' },
      contract: before.contract,
      why: 'fine',
    },
  });
});

test('a checkpoint in the same entry says which workspace an approval is about', () => {
  const sealed: Event = {
    type: 'checkpoint-sealed',
    v: 1,
    packet: digest,
    parent: null,
    certification: 'ready',
  };
  const approved: Event = { type: 'review-approved', v: 1, packet: digest, contract: before.contract };
  const found = attestationsIn(before, entryWith(sealed, approved));
  const names = found.map(({ statement }) =>
    (JSON.parse(statement) as { subject: { name: string }[] }).subject.map(({ name }) => name),
  );
  expect(names).toEqual([
    ['packet', 'contract', 'journal'],
    ['packet', 'contract', 'journal'],
  ]);
});

test('an envelope has the statement in base64, and names the key', () => {
  const signed = { type: 'signed', v: 1, key: digest, signature: 'c2ln' } as const;
  expect(envelopeOf('{}', signed)).toEqual({
    payload: 'e30=',
    payloadType: 'application/vnd.in-toto+json',
    signatures: [{ keyid: digest, sig: 'c2ln' }],
  });
});

test('a signature fits its key and its bytes, and nothing else', () => {
  const { publicKey, privateKey } = newSigningKey();
  const signature = signatureOf(privateKey, Buffer.from('a'));
  expect(isSignedBy(publicKey, Buffer.from('a'), signature)).toBe(true);
  expect(isSignedBy(publicKey, Buffer.from('b'), signature)).toBe(false);
  expect(isSignedBy(publicKeyOf('ada'), Buffer.from('a'), signature)).toBe(false);
  expect(isSignedBy(Buffer.from('no key'), Buffer.from('a'), signature)).toBe(false);
  expect(isSignedBy(publicKey, Buffer.from('a'), 'AAAA')).toBe(false);
});
