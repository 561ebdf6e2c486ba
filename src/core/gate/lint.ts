/** The gate: all rules over one subject. Pure, and in a fixed order, so that the same packet always gets the same findings. */
import type { Certification } from '../journal/event.ts';
import { claimsOf } from './claims.ts';
import { artefactsMissing } from './rules/artefacts-missing.ts';
import { auditChanged } from './rules/audit-changed.ts';
import { conversationMarks } from './rules/conversation-marks.ts';
import { evidenceMissing, evidenceUnknown } from './rules/evidence.ts';
import { milder, type Finding } from './finding.ts';
import { gateMissing } from './rules/gate-missing.ts';
import { nextAction } from './rules/next-action.ts';
import { notCarried } from './rules/not-carried.ts';
import { overBudget } from './rules/over-budget.ts';
import { pathAbsent } from './rules/path-absent.ts';
import { pathOutside } from './rules/path-outside.ts';
import { phasesUnfinished } from './rules/phases-unfinished.ts';
import { holdsInHaste, standardOf, weightOf } from './profile.ts';
import { questionOwner } from './rules/question-owner.ts';
import { reviewerAuthor, reviewOwner } from './rules/review-owner.ts';
import type { GateRule } from './rule.ts';
import { runFailed } from './rules/run-failed.ts';
import { runNotPassed } from './rules/run-not-passed.ts';
import { scopeWider } from './rules/scope-wider.ts';
import { secretInText } from './rules/secret-in-text.ts';
import type { Subject } from './subject.ts';
import { switchUnjustified } from './rules/switch-unjustified.ts';
import { changedBeside, treeMoved } from './rules/tree-moved.ts';
import { uncommitted } from './rules/uncommitted.ts';
import { untrackedLost } from './rules/untracked-lost.ts';
import { acceptanceMissing, goalMissing, nonGoalsMissing, validationMissing } from './rules/unsaid.ts';
import { validationUnrunnable } from './rules/validation-unrunnable.ts';
import { validationUnproven } from './rules/validation-unproven.ts';
import { placeholderText } from './wording.ts';
import type { Packet, PacketWords } from '../packet/packet.ts';

export const gateRules: readonly GateRule[] = [
  goalMissing,
  nextAction,
  gateMissing,
  acceptanceMissing,
  nonGoalsMissing,
  validationMissing,
  validationUnrunnable,
  reviewOwner,
  reviewerAuthor,
  artefactsMissing,
  questionOwner,
  evidenceMissing,
  evidenceUnknown,
  runNotPassed,
  runFailed,
  validationUnproven,
  phasesUnfinished,
  pathAbsent,
  pathOutside,
  uncommitted,
  untrackedLost,
  notCarried,
  treeMoved,
  changedBeside,
  auditChanged,
  scopeWider,
  conversationMarks,
  secretInText,
  switchUnjustified,
  overBudget,
  placeholderText,
];

export function lint(subject: Subject): Finding[] {
  const standard = standardOf(subject.contract);
  const judged = { ...subject, claims: claimsOf(subject.packet) };
  return gateRules.flatMap((rule) => {
    const weight = weightOf(rule.id, standard, subject.occasion);
    if (weight === 'silent') return [];
    const severity = weight === 'refuse' ? 'error' : 'warning';
    return rule.check(judged).map(({ atMost = severity, ...hit }) => ({
      rule: rule.id,
      severity: milder(severity, atMost),
      ...hit,
    }));
  });
}

const byId: ReadonlyMap<string, GateRule> = new Map(gateRules.map((rule) => [rule.id, rule]));

/**
 * How far a packet can be trusted, for the journal. `valid`: it has the form of a packet and carries no secret. `verified`: also, no
 * fact speaks against what it says. `ready`: also, nothing is missing. Warnings and notes are shown, and do not hold it up.
 */
export function certify(findings: readonly Finding[]): Certification {
  const errors = findings.filter(isError);
  if (errors.some((finding) => finding.rule === secretInText.id)) return 'draft';
  if (errors.some((finding) => byId.get(finding.rule)?.about === 'facts')) return 'valid';
  return errors.length === 0 ? 'ready' : 'verified';
}

/** Who can answer for a packet. */
export interface Speech {
  /** What somebody said in this very call. */
  readonly words: PacketWords;
  /** The tool seals it alone: nobody could be asked for what is missing. */
  readonly unasked: boolean;
}

/**
 * What refuses a handoff in haste. For words of an earlier packet, or that were drawn from a session, nobody is there to answer: what is
 * found against them goes on record.
 */
export function refusalsInHaste(
  findings: readonly Finding[],
  { claims, artefacts }: Pick<Packet, 'claims' | 'artefacts'>,
  { words, unasked }: Speech,
): Finding[] {
  const written: Fields = { ...claims, artefacts };
  const spoken: Fields = { ...words.claims, artefacts: words.artefacts };
  return findings.filter((finding) => {
    if (!isError(finding) || !holdsInHaste(finding.rule)) return false;
    // No matter who said it, it must not travel.
    if (finding.rule === secretInText.id) return true;
    const field = /^(?:claims\.)?(\w+)/.exec(finding.path)?.[1] ?? '';
    return isSaid(written[field]) ? isSaid(spoken[field]) : !unasked;
  });
}

type Fields = Readonly<Record<string, string | readonly unknown[] | undefined>>;

function isSaid(words: Fields[string]): boolean {
  return words !== undefined && words.length > 0;
}

/** Places of claims that what they cite does not back. */
export function unbackedClaims(findings: readonly Finding[]): ReadonlySet<string> {
  const unbacking = new Set<string>([evidenceUnknown.id, runNotPassed.id]);
  return new Set(
    findings
      .filter((finding) => isError(finding) && unbacking.has(finding.rule))
      .map(({ path }) => path.replace(/\.evidence$/, '')),
  );
}

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}
