import { expect, test } from 'vitest';
import { packetOf } from '../../../test/support/packet.ts';
import type { Contract } from '../contract/contract.ts';
import { digestOf } from '../journal/digest.ts';
import { triggers } from '../journal/trigger.ts';
import { handoffEdits, writeHandoff } from '../files/handoff-markdown.ts';
import { readHandoff } from '../files/handoff-read.ts';
import { missingIn } from './missing.ts';
import { goalNotStated } from '../reasoning/draft.ts';
import type { Packet } from './packet.ts';

const contract: Contract = {
  v: 1,
  title: 'Rate limits',
  goal: 'Requests over the limit get 429.',
  acceptance: ['npm test passes'],
  nonGoals: ['the dashboard'],
  validation: [{ run: ['npm', 'test'] }],
  review: { human: true },
};

const bare = packetOf({}, 'context-limit');

test('an emergency packet says all that it lacks, and why there is no workspace', () => {
  const packet = { ...bare, losses: [{ what: 'the workspace', why: 'git could not be started' }] };
  expect(missingIn(packet, { ...contract, acceptance: [], strict: true })).toEqual([
    'the workspace: git could not be started',
    'acceptance: the contract does not say when the result is accepted',
    'the next action: the giver did not say what to do next',
    'the state of the work: the giver did not say what is done and what remains',
    'the transcript: nothing of what was said and tried since the last packet',
    'proof: npm test did not pass on this workspace',
  ]);
});

test('an emergency packet says what its contract leaves open: of strict work all, of other work the essentials', () => {
  const essential = [
    'the goal: the contract does not say what should be true at the end',
    'the gate: the contract does not say how to tell that it is done',
  ];
  const open = [
    ...essential,
    'acceptance: the contract does not say when the result is accepted',
    'non-goals: the contract does not say what is not part of it',
    'validation: the contract names no command that proves the result',
    'the reviewer: the contract does not say who reviews the result',
  ];
  const nothing: Contract = { v: 1, title: 'Rate limits', goal: goalNotStated };
  const found = (agreed: Contract): string[] => missingIn(bare, agreed).filter((line) => open.includes(line));
  expect(found(nothing)).toEqual(essential);
  expect(found({ ...nothing, strict: true })).toEqual(open);
  expect(missingIn(bare, contract).filter((line) => open.includes(line))).toEqual([]);
});

test('what is there is not called missing', () => {
  const packet: Packet = {
    ...bare,
    claims: { next: 'write the docs', done: ['counts'] },
    transcript: [{ blob: digestOf('said'), bytes: 4 }],
  };
  const { validation: _, ...unproven } = contract;
  const phases = [{ name: 'one', verify: [{ run: ['npm', 'test'] }] }];
  expect(missingIn(packet, { ...unproven, phases })).toEqual([
    'the workspace: nobody looked at it',
    'proof: npm test did not pass on this workspace',
  ]);
});

test('only limits, timeouts and crashes are emergencies', () => {
  const urgent = triggers.filter((trigger) => missingIn({ ...bare, trigger }, contract).length > 0);
  expect(urgent.toSorted()).toEqual(['context-limit', 'crash', 'timeout', 'usage-limit']);
});

test('HANDOFF.md of an emergency begins with what is missing, and gives none of it back as claims', () => {
  const file = writeHandoff({ ...bare, claims: { next: 'go on' } }, contract, digestOf('packet'));
  expect(file).toMatch(
    /\n## Before you rely on it\n\nCut off \(context-limit\).*\n\n### Missing\n\n- the workspace: nobody/,
  );
  expect(file).toContain(
    'Before anything else, ask for what is missing: staffetta decide t0123456789ab "…" --ask',
  );
  expect(readHandoff(file)).toEqual({ claims: { next: 'go on' }, remarks: [], notes: [] });
  expect(handoffEdits(file)).toEqual({ ours: true, edited: false, factsEdited: false });
  expect(writeHandoff({ ...bare, trigger: 'user' }, contract, digestOf('packet'))).not.toContain(
    'rely on it',
  );
});
