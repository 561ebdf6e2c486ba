import { expect, test } from 'vitest';
import { address } from './address.ts';
import { UsageError } from './usage.ts';

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
])('%s means %s', (given, meant) => {
  expect(address(given)).toBe(meant);
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
  ['runtime:claude', /runtime:claude is not a runtime/, /Did you mean: runtime:claude-code/],
  ['two words', /"two words" is no address/, /agent:NAME/],
  ['group:all', /"group:all" is no address/, /agent:NAME/],
  ['agent:a b', /"agent:a b" is no address/, /agent:NAME/],
])('%j is refused with what was meant', (given, message, hint) => {
  const refused = (): unknown => {
    try {
      return address(given);
    } catch (error) {
      return error;
    }
  };
  expect(refused()).toBeInstanceOf(UsageError);
  expect(refused()).toMatchObject({
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});
