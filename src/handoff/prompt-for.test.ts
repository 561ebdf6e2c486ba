import { expect, test } from 'vitest';
import { digestOf } from '../core/digest.ts';
import type { Packet } from '../core/packet.ts';
import { promptFor, type PromptRequest } from './prompt-for.ts';

const packet: Packet = {
  v: 1,
  task: 't0123456789ab',
  parent: null,
  contract: digestOf('contract'),
  generation: 1,
  head: { seq: 0, digest: digestOf('head') },
  at: 0,
  from: { name: 'code', kind: 'agent' },
  lane: 'execute',
  trigger: 'crash',
  claims: {},
  artefacts: [],
  transcript: [],
};

const request: PromptRequest = {
  way: 'full',
  state: { task: 't0123456789ab', generation: 1 },
  contract: { v: 1, title: 'Export', goal: 'Rows are exported.' },
  latest: { packet },
  from: ['codex'],
};

test.each(['full', 'session'] as const)('a %s history goes on with what an emergency left open', (way) => {
  const prompt = promptFor({ ...request, way });
  expect(prompt).toContain('An emergency (crash): sealed in haste');
  expect(prompt).toContain('ask for what is missing: staffetta decide t0123456789ab');
  expect(prompt).toContain('\n- the gate: the contract does not say how to tell that it is done\n');
});

test('nothing is said of an emergency where there was none', () => {
  expect(promptFor({ ...request, latest: { packet: { ...packet, trigger: 'planned' } } })).not.toContain(
    'emergency',
  );
  expect(promptFor({ ...request, latest: null })).not.toContain('Missing');
});
