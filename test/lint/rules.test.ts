import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/core/kind.ts';
import { certify, lint, rules } from '../../src/core/lint.ts';
import { sound, unsound } from './fixtures.ts';

describe('the gate (P5)', () => {
  test('a sound packet has no findings and is ready', () => {
    expect(lint(sound)).toEqual([]);
    expect(certify(lint(sound))).toBe('ready');
  });

  test('every rule has fixtures, and every fixture a rule', () => {
    expect(Object.keys(unsound).toSorted()).toEqual(rules.map((rule) => rule.id).toSorted());
  });

  for (const rule of rules) {
    for (const [i, subject] of (unsound[rule.id] ?? []).entries()) {
      test(`${rule.id}: one change makes this rule object, and no other (${i + 1})`, () => {
        const findings = lint(subject);
        expect(findings.length).toBeGreaterThan(0);
        expect([...new Set(findings.map((finding) => finding.rule))]).toEqual([rule.id]);
        for (const finding of findings) {
          expect(finding.text).toMatch(/\S.*\.$/s);
          expect(finding.fix).toMatch(/\S.*[.)]$/s);
        }
      });
    }
  }

  test('an unknown kind of work gets the strictest rules', () => {
    for (const rule of rules) {
      const subject = unsound[rule.id]?.[0] ?? sound;
      const strict = lint({ ...subject, contract: { ...subject.contract, kind: 'whatever' } }).filter(
        (finding) => finding.rule === rule.id,
      );
      expect(strict.every((finding) => finding.severity === rule.weight.strict)).toBe(true);
    }
  });

  test('a kind of work lowers a finding, and never takes it away', () => {
    for (const kind of kinds) {
      for (const rule of rules) {
        const subject = unsound[rule.id]?.[0] ?? sound;
        const found = lint({ ...subject, contract: { ...subject.contract, kind } }).filter(
          (finding) => finding.rule === rule.id,
        );
        expect(found.length, `${rule.id} for ${kind}`).toBeGreaterThan(0);
      }
    }
  });

  test('a line for the shell is not taken for the name of a program', () => {
    const validation = [{ run: ['nmp test | cat'], shell: true as const }];
    const contract = { ...sound.contract, validation };
    expect(lint({ ...sound, contract, parentContract: contract })).toEqual([]);
  });

  test('the same subject gives the same findings in the same order', () => {
    for (const subjects of Object.values(unsound))
      for (const subject of subjects) expect(lint(subject)).toEqual(lint(subject));
  });
});

describe('certification', () => {
  test('a secret leaves a packet a draft', () => {
    expect(certify(lint({ ...sound, secrets: ['jwt'] }))).toBe('draft');
  });

  test('a fact that speaks against it leaves a packet valid, not verified', () => {
    expect(certify(lint(unsound['tree-moved']?.[0] ?? sound))).toBe('valid');
  });

  test('something missing leaves a packet verified, not ready', () => {
    expect(certify(lint(unsound['acceptance-missing']?.[0] ?? sound))).toBe('verified');
  });

  test('warnings do not hold a packet up', () => {
    expect(certify(lint(unsound['evidence-missing']?.[0] ?? sound))).toBe('ready');
  });
});
