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
])('%s means %s', (given, meant) => {
  expect(address(given)).toBe(meant);
});

test.each([
  ['lane:audti', /no lane "audti"/, /lane:audit/],
  ['lane:', /no lane ""/, /One of: plan/],
  ['exceute', /Did you mean execute/, /agent:exceute/],
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
