/**
 * What each rule does: it refuses, warns or is silent, on the way (checkpoint, handoff) and at the end (submit, complete), for ordinary
 * and for strict work. Every edge is judged by this table and by nothing else. A checkpoint is never refused: for it, what would
 * refuse a handoff is said. Work is strict if its contract says so.
 */
import type { Contract } from '../contract.ts';
import { isEnd, type Occasion } from './subject.ts';

export type Weight = 'refuse' | 'warn' | 'silent';
export type Standard = 'ordinary' | 'strict';

interface Weights {
  readonly onTheWay: Weight;
  readonly atTheEnd: Weight;
}

function always(weight: Weight): Weights {
  return { onTheWay: weight, atTheEnd: weight };
}

const refuses = { ordinary: always('refuse'), strict: always('refuse') };
const warns = { ordinary: always('warn'), strict: always('warn') };
const refusesStrictWork = { ordinary: always('silent'), strict: always('refuse') };
const warnsOfOrdinaryWork = { ordinary: always('warn'), strict: always('refuse') };
const refusesOnTheWay: Weights = { onTheWay: 'refuse', atTheEnd: 'silent' };
const refusesAtTheEnd: Weights = { onTheWay: 'silent', atTheEnd: 'refuse' };

export const profile = {
  'goal-missing': refuses,
  'next-action': { ordinary: refusesOnTheWay, strict: refusesOnTheWay },
  'gate-missing': refuses,
  'acceptance-missing': refusesStrictWork,
  'non-goals-missing': refusesStrictWork,
  'validation-missing': refusesStrictWork,
  'validation-unrunnable': warnsOfOrdinaryWork,
  'review-owner': refusesStrictWork,
  'reviewer-author': refuses,
  'artefacts-missing': refusesStrictWork,
  'question-owner': warnsOfOrdinaryWork,
  'evidence-missing': { ordinary: always('silent'), strict: always('warn') },
  'evidence-unknown': refuses,
  'run-not-passed': refuses,
  'run-failed': warns,
  'validation-unproven': { ordinary: refusesAtTheEnd, strict: refusesAtTheEnd },
  'phases-unfinished': { ordinary: refusesAtTheEnd, strict: refusesAtTheEnd },
  'path-absent': refuses,
  'untracked-lost': refuses,
  'not-carried': warns,
  'tree-moved': refuses,
  'audit-changed': refuses,
  'scope-wider': refuses,
  'conversation-marks': refuses,
  'secret-in-text': refuses,
  'switch-unjustified': warns,
  'over-budget': warnsOfOrdinaryWork,
  'placeholder-text': warns,
} as const satisfies Readonly<Record<string, Readonly<Record<Standard, Weights>>>>;
export type RuleId = keyof typeof profile;

/** What any handoff says, also in haste: whoever can speak has the time for it. */
export const essentials: ReadonlySet<string> = new Set<RuleId>([
  'goal-missing',
  'next-action',
  'gate-missing',
]);

export function standardOf({ strict }: Pick<Contract, 'strict'>): Standard {
  return strict === true ? 'strict' : 'ordinary';
}

export function weightOf(rule: RuleId, standard: Standard, occasion: Occasion): Weight {
  return profile[rule][standard][isEnd(occasion) ? 'atTheEnd' : 'onTheWay'];
}
