import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/core/contract/contract.ts';
import { certify, lint, refusalsInHaste, gateRules, type Speech } from '../../src/core/gate/lint.ts';
import type { Finding } from '../../src/core/gate/finding.ts';
import { profile, weightOf, type RuleId, type Standard } from '../../src/core/gate/profile.ts';
import type { Occasion, Subject } from '../../src/core/gate/subject.ts';
import { sound, unsound } from './fixtures.ts';

const occasions = ['checkpoint', 'handoff', 'submit', 'complete'] as const satisfies readonly Occasion[];
const severityOf = { refuse: 'error', warn: 'warning', silent: undefined } as const;

function judged(subject: Subject, standard: Standard, occasion: Occasion): Finding[] {
  const of = ({ strict: _strict, ...contract }: Contract): Contract =>
    standard === 'strict' ? { ...contract, strict: true } : contract;
  const { contract, parentContract } = subject;
  return lint({
    ...subject,
    occasion,
    contract: of(contract),
    parentContract: parentContract && of(parentContract),
  });
}

/** What has no goal of its own to be judged by also lacks the parts of it, in strict work. */
const alsoIn: Partial<Record<RuleId, readonly RuleId[]>> = {
  'gate-missing': ['acceptance-missing', 'validation-missing', 'review-owner'],
};
/** A run that failed is told twice: as evidence, and for itself. */
const beside: Partial<Record<RuleId, readonly RuleId[]>> = {
  'run-not-passed': ['validation-unproven'],
  'run-failed': ['validation-unproven'],
  'validation-unrunnable': ['validation-unproven'],
};

describe('the gate (P5)', () => {
  test('a sound packet has no findings on any occasion, and is ready', () => {
    for (const standard of ['ordinary', 'strict'] as const)
      for (const occasion of occasions) expect(judged(sound, standard, occasion)).toEqual([]);
    expect(certify(lint(sound))).toBe('ready');
  });

  test('every rule has a row in the profile and fixtures, and nothing else has', () => {
    const ids = gateRules.map((rule) => rule.id);
    expect(Object.keys(profile)).toEqual(ids);
    expect(Object.keys(unsound)).toEqual(ids);
  });

  for (const { id } of gateRules) {
    for (const standard of ['ordinary', 'strict'] as const) {
      test.each(occasions)(`${id} in ${standard} work does what its row says: %s`, (occasion) => {
        const wanted = severityOf[weightOf(id, standard, occasion)];
        for (const subject of unsound[id]) {
          const found = judged(subject, standard, occasion);
          const own = found.filter(({ rule }) => rule === id);
          expect(new Set(own.map(({ severity }) => severity))).toEqual(
            new Set(wanted === undefined ? [] : [milderForSteps(own, wanted)]),
          );
          const others = found.map(({ rule }) => rule as RuleId).filter((rule) => rule !== id);
          const allowed = new Set([...(alsoIn[id] ?? []), ...(beside[id] ?? [])]);
          expect(others.filter((rule) => !allowed.has(rule))).toEqual([]);
        }
      });
    }

    test(`${id} says what is wrong and how to mend it, in the words of no surface`, () => {
      const found = unsound[id].flatMap((subject) =>
        occasions.flatMap((occasion) => judged(subject, 'strict', occasion)),
      );
      expect(found.some(({ rule }) => rule === id)).toBe(true);
      for (const { text, fix } of found) {
        expect(text).toMatch(/\S.*\.$/s);
        expect(fix).toMatch(/\S.*\.$/s);
        expect(`${text} ${fix}`).not.toMatch(/(?:^|\s)--\w|\bstaffetta [a-z]/);
      }
    });
  }

  test('strict work is never judged more mildly than ordinary work', () => {
    const order = ['silent', 'warn', 'refuse'];
    for (const { id } of gateRules)
      for (const occasion of occasions)
        expect(order.indexOf(weightOf(id, 'strict', occasion))).toBeGreaterThanOrEqual(
          order.indexOf(weightOf(id, 'ordinary', occasion)),
        );
  });

  test('the same subject gives the same findings in the same order', () => {
    for (const subject of Object.values(unsound).flat()) expect(lint(subject)).toEqual(lint(subject));
  });
});

/** A step that nobody can look up is only a note. */
function milderForSteps(own: readonly Finding[], wanted: Finding['severity']): Finding['severity'] {
  return own.every(({ text }) => text.includes('no transcript')) && own.length > 0 ? 'note' : wanted;
}

const bare: Contract = { v: 1, title: 'Login', goal: 'Fix the login bug' };

function handed(contract: Partial<Contract>, more: Partial<Subject> = {}): string[] {
  const agreed = { ...bare, ...contract };
  const packet = { ...sound.packet, claims: { next: 'finish x.js' }, artefacts: [] };
  const tree = sound.tree && { ...sound.tree, changes: [] };
  const subject = { ...sound, contract: agreed, parentContract: agreed, packet, tree, sealedTree: tree };
  return lint({ ...subject, runs: [], ...more }).map(({ rule }) => rule);
}

describe('ordinary work', () => {
  test('needs a way to tell that it is done, and any one will do', () => {
    expect(handed({})).toEqual(['gate-missing']);
    expect(handed({ acceptance: ['a person looks at it'] })).toEqual([]);
    expect(handed({ validation: [{ run: ['npm', 'test'] }] })).toEqual([]);
    expect(handed({ review: { human: true } })).toEqual([]);
    expect(handed({ phases: [{ name: 'one', criteria: ['it logs in'] }] })).toEqual([]);
  });

  test('is not judged by its words', () => {
    const words = {
      done: ['all tests pass', 'Disable hooks with HUSKY=0', 'nothing was changed in nowhere.ts'],
    };
    const packet = { ...sound.packet, claims: { ...words, next: '1. continue 2. then go on' } };
    expect(handed({ review: { human: true } }, { packet })).toEqual([]);
  });

  test('may speak of marks of a conversation in code marks', () => {
    const packet = {
      ...sound.packet,
      claims: { ...sound.packet.claims, remaining: ['escape `<system>` too'] },
    };
    expect(lint({ ...sound, packet })).toEqual([]);
  });
});

function rulesOf(subject: Subject): string[] {
  return lint(subject).map(({ rule }) => rule);
}

test('who goes on elsewhere because a person chose it has a reason', () => {
  const moved = { ...sound, to: 'runtime:codex' } as const;
  expect(rulesOf(moved)).toEqual(['switch-unjustified']);
  expect(rulesOf({ ...moved, packet: { ...sound.packet, trigger: 'user' } })).toEqual([]);
});

describe('strict work', () => {
  const whole = { ...sound.contract, nonGoals: ['none'] };
  const empty = { packet: { ...sound.packet, artefacts: [] }, sealedTree: null, tree: null };

  test('takes "none" for an answer', () => {
    expect(lint({ ...sound, contract: whole, parentContract: whole })).toEqual([]);
  });

  test('names a product: a plan is one, and so is the cursor of a pass over data', () => {
    expect(rulesOf({ ...sound, ...empty })).toEqual(['artefacts-missing']);
    expect(rulesOf({ ...sound, ...empty, giver: { ...sound.giver, lane: 'plan' } })).toEqual([]);
    const progress = { at: 4, cursor: 'order-4' };
    expect(rulesOf({ ...sound, ...empty, packet: { ...empty.packet, facts: { progress } } })).toEqual([]);
  });
});

describe('certification', () => {
  test('a secret leaves a packet a draft', () => {
    expect(certify(lint({ ...sound, secrets: ['jwt'] }))).toBe('draft');
  });

  test('a fact that speaks against it leaves a packet valid, not verified', () => {
    expect(certify(lint(unsound['tree-moved'][0] ?? sound))).toBe('valid');
  });

  test('something missing leaves a packet verified, not ready', () => {
    expect(certify(lint(unsound['acceptance-missing'][0] ?? sound))).toBe('verified');
  });

  test('warnings do not hold a packet up', () => {
    expect(certify(lint(unsound['evidence-missing'][0] ?? sound))).toBe('ready');
  });
});

function refusing(subject: Subject, speech: Speech): string[] {
  const found = refusalsInHaste(lint(subject), subject.packet, speech);
  return [...new Set(found.map(({ rule }) => rule))];
}

describe('in haste', () => {
  test('what is said refuses, and what takes time or cannot be had does not', () => {
    const held = gateRules
      .map(({ id }) => id)
      .filter((id) => {
        const subject = unsound[id][0] ?? sound;
        return refusing(subject, { words: subject.packet, unasked: false }).includes(id);
      });
    expect(held).toEqual([
      'goal-missing',
      'next-action',
      'gate-missing',
      'evidence-unknown',
      'run-not-passed',
      'path-absent',
      'scope-wider',
      'conversation-marks',
      'secret-in-text',
    ]);
  });

  test('where nobody speaks only a secret refuses, and what somebody wrote in the same call', () => {
    for (const { id } of gateRules)
      expect({ id, held: refusing(unsound[id][0] ?? sound, { words: {}, unasked: true }) }).toEqual({
        id,
        held: id === 'secret-in-text' ? [id] : [],
      });
    const [subject = sound] = unsound['run-not-passed'];
    const { done } = subject.packet.claims;
    const spoken = { words: { claims: done === undefined ? {} : { done } }, unasked: true };
    expect(refusing(subject, spoken)).toEqual(['run-not-passed']);
  });

  test('words that the leg said before refuse nothing', () => {
    const [subject = sound] = unsound['evidence-unknown'];
    expect(refusing(subject, { words: { claims: { next: 'dig' } }, unasked: false })).toEqual([]);
  });
});

test('a run that failed is told, unless what failed cites it', () => {
  const [subject = sound] = unsound['run-failed'];
  const failed = [{ what: 'npm test', why: 'the header is missing', evidence: ['r6'] }];
  const packet = { ...subject.packet, claims: { ...subject.packet.claims, failed } };
  const run = subject.runs[1];
  const record = { head: 7, decisions: 2, runs: new Map(run === undefined ? [] : [[6, run]]) };
  expect(lint({ ...subject, packet, record })).toEqual([]);
});

test('a line for the shell is not taken for the name of a program', () => {
  const validation = [{ run: ['nmp test | cat'], shell: true as const }];
  const contract = { ...sound.contract, validation };
  expect(lint({ ...sound, contract, parentContract: contract })).toEqual([]);
});
