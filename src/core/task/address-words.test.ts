import { expect, test } from 'vitest';
import { addressMeant } from './address-words.ts';

test.each([
  ['anyone', 'anyone'],
  ['audit', 'lane:audit'],
  ['codex', 'runtime:codex'],
  ['code', 'agent:code'],
  ['auditor', 'agent:auditor'],
  ['agent:exceute', 'agent:exceute'],
  ['runtime:mine', 'runtime:mine'],
  ['runtime:codex', 'runtime:codex'],
  ['codex2', 'agent:codex2'],
  ['agent:human', 'agent:human'],
  ['claude', 'runtime:claude-code'],
  ['runtime:Gemini', 'runtime:gemini-cli'],
  ['qwen', 'runtime:qwen-code'],
  ['agent:claude', 'agent:claude'],
])('%s means %s', (given, meant) => {
  expect(addressMeant(given)).toEqual({ address: meant });
});

test.each([
  ['lane:audti', /no lane "audti"/, /lane:audit/],
  ['lane:', /no lane ""/, /One of: plan/],
  ['lane:review', /no lane "review"/, /One of: plan, execute, audit, supervise/],
  ['exceute', /Did you mean execute/, /agent:exceute/],
  ['execut', /Did you mean execute/, /agent:execut/],
  ['auditt', /Did you mean audit/, /lane:LANE/],
  ['Audit', /Did you mean audit/, /agent:Audit/],
  ['human', /"human" is a word for a person/, /staffetta escalate TASK --why.* agent:NAME/],
  ['lan:audit', /"lan:audit" is no address/, /Did you mean: lane:audit\. Allowed: agent:NAME, lane:LANE/],
  ['agnet:qa', /"agnet:qa" is no address/, /Did you mean: agent:qa/],
  ['runtime:codx', /runtime:codx is not a runtime/, /Did you mean: runtime:codex/],
  ['runtime:claud', /runtime:claud is not a runtime/, /Did you mean: runtime:claude-code/],
  ['two words', /"two words" is no address/, /agent:NAME/],
  ['group:all', /"group:all" is no address/, /agent:NAME/],
  ['agent:a b', /"agent:a b" is no address/, /agent:NAME/],
])('%j is refused with what was meant', (given, message, hint) => {
  expect(addressMeant(given)).toEqual({
    address: null,
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

test('an agent that names a person is told what the one who asks has to say', () => {
  const person = { message: 'An owner is an agent', hint: 'Leave it out.' };
  expect(addressMeant('me', person)).toEqual({
    address: null,
    message: 'An owner is an agent, and "me" is a word for a person.',
    hint: 'Leave it out. If an agent is called so: agent:NAME',
  });
});

test('what is refused is not repeated at any length', () => {
  const meant = addressMeant(`x:${'y'.repeat(10_000)}`);
  expect(JSON.stringify(meant).length).toBeLessThan(1000);
});
