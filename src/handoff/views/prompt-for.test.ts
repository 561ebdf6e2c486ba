import { expect, test } from 'vitest';
import { packetOf } from '../../../test/support/packet.ts';
import { promptFor, type PromptRequest } from './prompt-for.ts';

const packet = packetOf({}, 'crash');

const request: PromptRequest = {
  way: 'full',
  state: { task: 't0123456789ab', generation: 1 },
  contract: { v: 1, title: 'Export', goal: 'Rows are exported.' },
  latest: { packet },
  from: ['codex'],
};

test.each(['full', 'session'] as const)('a %s history goes on with what an emergency left open', (way) => {
  const prompt = promptFor({ ...request, way });
  expect(prompt).toContain('Cut off (crash): ');
  expect(prompt).toContain('ask for what is missing: staffetta decide t0123456789ab');
  expect(prompt).toContain('\n- the gate: the contract does not say how to tell that it is done\n');
});

test('nothing is said of an emergency where there was none', () => {
  expect(promptFor({ ...request, latest: { packet: { ...packet, trigger: 'planned' } } })).not.toContain(
    'emergency',
  );
  expect(promptFor({ ...request, latest: null })).not.toContain('Missing');
});
