import { expect, test } from 'vitest';
import { entryDigest } from '../../../src/core/journal/entry.ts';
import { rawJournal } from '../../../src/handoff/trust/raw-journal.ts';
import { fixedSigner } from '../../../test/support/fixed-signer.ts';
import { ada, eve, stage } from '../../../test/support/world.ts';
import { linksOf } from './chain.ts';
import { keysIn, nothingYet, signingsOf, type SignedEntry, type Signing } from './signatures.ts';

/** A note, a checkpoint, a submission and an approval: two packets, three signatures. */
async function journal(signs = true): Promise<{ task: string; entries: SignedEntry[] }> {
  const at = stage(signs ? { signer: fixedSigner } : {});
  const leg = await at.staffetta.begin({ goal: 'Größe: the fence stands.' }, { as: ada });
  await leg.note('first');
  await leg.checkpoint({ claims: { next: 'nail ✓' } });
  const { state } = await leg.submit({});
  await at.staffetta.review(leg.task, { approve: true, packet: state.packet, why: 'fine' }, { as: eve });
  const lines: unknown[] = [];
  for await (const line of rawJournal(at.context, leg.task)) lines.push(line);
  return { task: leg.task, entries: lines.slice(1) as SignedEntry[] };
}

async function signings(entries: readonly SignedEntry[]): Promise<readonly Signing[]> {
  const all: Signing[] = [];
  let standing = nothingYet;
  for (const entry of entries) {
    const { signings: found, after } = await signingsOf(entry, standing);
    all.push(...found);
    standing = after;
  }
  return all;
}

/** Written anew by somebody who computes every digest again. */
function rechained(entries: readonly SignedEntry[], change: (body: string) => string): SignedEntry[] {
  let prev: string | null = null;
  return entries.map((entry) => {
    const was: string = entry.body;
    const body = JSON.stringify({ ...(JSON.parse(change(was)) as object), prev });
    prev = entryDigest(body);
    return { ...entry, body, digest: prev };
  });
}

test('every checkpoint and approval is found signed, by whom and with which key', async () => {
  const { entries } = await journal();
  const found = await signings(entries);
  expect(found.map(({ of, by, fault }) => [of, by, fault])).toEqual([
    ['checkpoint', 'ada', null],
    ['checkpoint', 'ada', null],
    ['approval', 'eve', null],
  ]);
  expect(keysIn(found).map(({ names, count }) => [names, count])).toEqual([
    [['ada'], 2],
    [['eve'], 1],
  ]);
});

test('what is not signed is said to be unsigned, and is no fault', async () => {
  const { entries } = await journal(false);
  expect((await signings(entries)).map(({ key, fault }) => [key, fault])).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
});

test('an approval that says something else is found out, though the chain was computed again', async () => {
  const { task, entries } = await journal();
  const forged = rechained(entries, (body) => body.replace('"why":"fine"', '"why":"FORGED"'));
  expect((await linksOf(task, forged, undefined)).every(({ fault }) => fault === null)).toBe(true);
  expect((await signings(forged)).at(-1)?.fault).toBe('it is not by its key over what the journal says');
});

test('a signature under another history is found out', async () => {
  const { entries } = await journal();
  const forged = rechained(entries, (body) => body.replace('"first"', '"f1rst"'));
  expect((await signings(forged)).every(({ fault }) => fault !== null)).toBe(true);
});

test('a key that is missing, or another than the one that is named, has signed nothing', async () => {
  const { entries } = await journal();
  const other = entries.at(-1)?.signed[0]?.publicKey ?? '';
  const given = (publicKey: string | null): SignedEntry[] =>
    entries.map((entry) => ({ ...entry, signed: entry.signed.map((one) => ({ ...one, publicKey })) }));
  expect((await signings(given(null)))[0]?.fault).toBe('the key that it names is missing');
  expect((await signings(given(other)))[0]?.fault).toBe('the key that came with it is another than it names');
  expect((await signings(given('no key')))[0]?.fault).toBe('its key or its signature cannot be read');
});
