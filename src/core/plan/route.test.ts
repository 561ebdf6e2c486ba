import { expect, test } from 'vitest';
import type { RoutingRule } from './crew.ts';
import { routeRequest } from './route.ts';

const rules: RoutingRule[] = [
  { agent: 'qa', lane: 'audit' },
  { agent: 'web', path: ['web/**', '*.css'], label: ['page', 'style'] },
  { agent: 'deep', label: ['hard'], installed: 'codex' },
  { agent: 'code', lane: 'execute' },
];

test.each([
  [{ lane: 'audit' as const, paths: ['web/a.ts'] }, 'qa', 0, 'lane audit'],
  [{ paths: ['web/a.ts'], labels: ['style'] }, 'web', 1, 'label page or style, path web/** or *.css'],
  [{ labels: ['hard'] }, 'deep', 2, 'label hard, codex installed'],
  [{ lane: 'execute' as const, paths: ['web/a.ts'] }, 'code', 3, 'lane execute'],
])('the first rule of which all holds names the agent: %j', (request, agent, rule, why) => {
  expect(routeRequest(request, rules, ['codex'])).toEqual({ agent, rule, why });
});

test('a rule for a program that is not there does not count, unless nobody looked', () => {
  const request = { labels: ['hard'], lane: 'execute' as const };
  expect(routeRequest(request, rules, [])).toMatchObject({ agent: 'code' });
  expect(routeRequest(request, rules, null)).toMatchObject({ agent: 'deep' });
});

test('where no rule holds nobody is named, and each rule says what it asked for', () => {
  expect(routeRequest({ labels: ['x'] }, rules.slice(1), [])).toEqual({
    why: 'rule 1 asks for label page or style; rule 2 asks for label hard; rule 3 asks for lane execute.',
  });
  expect(routeRequest({}, [], [])).toEqual({ why: 'there is no rule.' });
  expect(routeRequest({}, [{ agent: 'any' }], [])).toEqual({
    agent: 'any',
    rule: 0,
    why: 'it is for any request',
  });
});
