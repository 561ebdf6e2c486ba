import { describe, expect, test } from 'vitest';
import type { Lane } from '../../core/task/actor.ts';
import type { Finding } from '../../core/gate/finding.ts';
import { amendCommand, amendHints, findingCounts, findingsText, reasonsText } from './findings-page.ts';

function finding(rule: string, severity: Finding['severity'], more: Partial<Finding> = {}): Finding {
  return { rule, severity, path: 'claims.next', text: 'It is missing.', fix: 'Add it.', ...more };
}

describe('findings as text', () => {
  test('come by severity, and within one in the order of the gate', () => {
    const found = [
      finding('b', 'note'),
      finding('a', 'warning'),
      finding('z', 'error'),
      finding('c', 'error'),
    ];
    const heads = findingsText(found, 80)
      .split('\n')
      .filter((line) => /^ {2}\w/.test(line));
    expect(heads).toEqual([
      '  error: z, claims.next',
      '  error: c, claims.next',
      '  warning: a, claims.next',
      '  note: b, claims.next',
    ]);
  });

  test('of one rule are listed under it, with what mends them once', () => {
    const found = ['claims.done[0]', 'claims.done[1]'].map((path) =>
      finding('evidence', 'warning', { path }),
    );
    expect(findingsText(found, 80)).toBe(
      '  warning: evidence\n    claims.done[0]: It is missing.\n    claims.done[1]: It is missing.\n    → Add it.',
    );
  });

  test('cannot move the cursor, and a line break in one stays in its line', () => {
    const evil = finding('a', 'error', { text: 'x\u001b[2J\ny', path: 'losses.\u0007\n  error: forged' });
    expect(findingsText([evil], 80)).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|^ {2}error: forged/m);
  });

  test('beyond what can be read are counted', () => {
    const many = Array.from({ length: 30 }, (_, i) => finding(`rule-${i}`, 'error'));
    expect(findingsText(many, 80)).toMatch(/and 5 more, with --json$/);
  });
});

test('counts are said as one would', () => {
  expect(findingCounts([])).toBe('nothing');
  expect(findingCounts([finding('a', 'error')])).toBe('1 error');
  const all = (['error', 'error', 'warning', 'note'] as const).map((severity) => finding('a', severity));
  expect(findingCounts(all)).toBe('2 errors, 1 warning and 1 note');
});

test('the command that mends a contract has each option once, and there is none for what it cannot mend', () => {
  const found = [
    finding('goal-missing', 'error'),
    finding('review-owner', 'error'),
    finding('goal-missing', 'error'),
  ];
  expect(amendCommand(found, 't4k9')).toBe('staffetta amend t4k9 --goal "…" --review human --why "…"');
  expect(amendCommand([finding('next-action', 'error')], 't4k9')).toBeUndefined();
});

const coder = { name: 'code', kind: 'agent', lane: 'execute' } as const;
const broken = finding('validation-unrunnable', 'error', { path: 'contract.validation[0].run' });

function held(lane: Lane): Parameters<typeof amendHints>[1] {
  return { task: 't4k9', leg: { holder: coder, lane } };
}

test('a holder is told what it may mend itself, and who may do the rest', () => {
  const found = [finding('goal-missing', 'error'), finding('acceptance-missing', 'error'), broken];
  expect(amendHints(found, held('execute'), coder)).toEqual([
    'staffetta amend t4k9 --accept "…" --why "…"',
    'a person, or an agent in the plan or supervise lane: staffetta amend t4k9 --goal "…" --replace --validate "…" --why "…"',
  ]);
  const all = 'staffetta amend t4k9 --goal "…" --accept "…" --replace --validate "…" --why "…"';
  expect(amendHints(found, held('execute'), { name: 'eve', kind: 'human' })).toEqual([all]);
  expect(amendHints(found, held('plan'), coder)).toEqual([all]);
  expect(amendHints([finding('next-action', 'error')], held('execute'), coder)).toEqual([]);
});

test('an agent that holds it no more, or never did, is told who may mend it', () => {
  const found = [finding('acceptance-missing', 'error')];
  const person = ['a person, or an agent in the supervise lane: staffetta amend t4k9 --accept "…" --why "…"'];
  expect(amendHints(found, { task: 't4k9', leg: null }, coder)).toEqual(person);
  expect(amendHints(found, held('execute'), { ...coder, name: 'other' })).toEqual(person);
});

test('a command that cannot be run is replaced, and one that is missing is added', () => {
  expect(amendCommand([broken], 't4k9')).toBe('staffetta amend t4k9 --replace --validate "…" --why "…"');
  const none = finding('validation-missing', 'error', { path: 'contract.validation' });
  expect(amendCommand([none], 't4k9')).toBe('staffetta amend t4k9 --validate "…" --why "…"');
});

test('a refusal gives each reason with its way out, in options, and nothing that only warns', () => {
  const found = [finding('next-action', 'error'), finding('run-failed', 'warning')];
  expect(reasonsText(found, 80)).toBe('  It is missing.\n    → Add it: --next "…"');
  const old = finding('next-action', 'error', { fix: 'Name the one thing to do first: --next "…".' });
  expect(reasonsText([old], 80)).toContain('→ Name the one thing to do first: --next "…".');
});
