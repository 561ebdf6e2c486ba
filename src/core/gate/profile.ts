/**
 * What each rule does: it refuses, warns or is silent, on the way (checkpoint, handoff) and at the end (submit, complete), for ordinary
 * and for strict work. Every edge is judged by this table and by nothing else. A checkpoint is never refused: for it, what would
 * refuse a handoff is said. Work is strict if its contract says so.
 *
 * Haste excuses what takes time or cannot be had: the tree, the diff, a run, terms that others agree to. It excuses nothing that is said
 * in the same call: the caller could be asked. `inHaste` marks those rules.
 */
import type { Contract } from '../contract/contract.ts';
import { isEnd, type Occasion } from './subject.ts';

export type Weight = 'refuse' | 'warn' | 'silent';
/** A conversation leads to words alone: neither files nor commands show that it is done. */
export type Standard = 'ordinary' | 'strict' | 'conversation';

interface Weights {
  readonly onTheWay: Weight;
  readonly atTheEnd: Weight;
}

function always(weight: Weight): Weights {
  return { onTheWay: weight, atTheEnd: weight };
}

/** A conversation is judged as ordinary work, by the rules that are not `ofWork`. */
type Row = Readonly<Record<Exclude<Standard, 'conversation'>, Weights>> & {
  readonly inHaste?: true;
  readonly ofWork?: true;
};

const refuses = { ordinary: always('refuse'), strict: always('refuse') };
const warns = { ordinary: always('warn'), strict: always('warn') };
const refusesStrictWork = { ordinary: always('silent'), strict: always('refuse') };
const warnsOfOrdinaryWork = { ordinary: always('warn'), strict: always('refuse') };
const refusesInHaste = { ...refuses, inHaste: true } as const;
const refusesOnTheWay: Weights = { onTheWay: 'refuse', atTheEnd: 'silent' };
const refusesAtTheEnd: Weights = { onTheWay: 'silent', atTheEnd: 'refuse' };

export const profile = {
  'goal-missing': refusesInHaste,
  'next-action': { ordinary: refusesOnTheWay, strict: refusesOnTheWay, inHaste: true, ofWork: true },
  'gate-missing': { ...refusesInHaste, ofWork: true },
  'acceptance-missing': refusesStrictWork,
  'non-goals-missing': refusesStrictWork,
  'validation-missing': refusesStrictWork,
  'validation-unrunnable': warnsOfOrdinaryWork,
  'review-owner': refusesStrictWork,
  'reviewer-author': refuses,
  'artefacts-missing': refusesStrictWork,
  'question-owner': warnsOfOrdinaryWork,
  'evidence-missing': { ordinary: always('silent'), strict: always('warn') },
  'evidence-unknown': refusesInHaste,
  'run-not-passed': refusesInHaste,
  'run-failed': warns,
  'validation-unproven': { ordinary: refusesAtTheEnd, strict: refusesAtTheEnd },
  'phases-unfinished': { ordinary: refusesAtTheEnd, strict: refusesAtTheEnd },
  'path-absent': refusesInHaste,
  'path-outside': refuses,
  uncommitted: { ordinary: refusesAtTheEnd, strict: refusesAtTheEnd },
  'untracked-lost': refuses,
  'not-carried': warns,
  'tree-moved': refuses,
  'changed-beside': warns,
  'audit-changed': refuses,
  'scope-wider': refusesInHaste,
  'conversation-marks': refusesInHaste,
  'secret-in-text': refusesInHaste,
  'switch-unjustified': warns,
  'over-budget': warnsOfOrdinaryWork,
  'placeholder-text': warns,
} as const satisfies Readonly<Record<string, Row>>;
export type RuleId = keyof typeof profile;

export const conversationKind = 'conversation';

export function standardOf({
  strict,
  kind,
  validation,
  phases,
}: Pick<Contract, 'strict' | 'kind' | 'validation' | 'phases'>): Standard {
  if (strict === true) return 'strict';
  return kind === conversationKind && validation === undefined && phases === undefined
    ? 'conversation'
    : 'ordinary';
}

export function weightOf(rule: RuleId, standard: Standard, occasion: Occasion): Weight {
  const row: Row = profile[rule];
  if (standard === 'conversation' && row.ofWork === true) return 'silent';
  return row[standard === 'conversation' ? 'ordinary' : standard][isEnd(occasion) ? 'atTheEnd' : 'onTheWay'];
}

export function holdsInHaste(rule: string): boolean {
  const row: Row | undefined = Object.hasOwn(profile, rule) ? profile[rule as RuleId] : undefined;
  return row?.inHaste === true;
}
