/** The gate: all rules over one subject. Pure, and in a fixed order, so that the same packet always gets the same findings. */
import type { Certification } from './event.ts';
import { acceptanceMissing } from './lint/acceptance-missing.ts';
import { artefactsMissing } from './lint/artefacts-missing.ts';
import { auditChanged } from './lint/audit-changed.ts';
import { conversationMarks } from './lint/conversation-marks.ts';
import { evidenceMissing } from './lint/evidence-missing.ts';
import { evidenceUnknown } from './lint/evidence-unknown.ts';
import { milder, type Finding } from './lint/finding.ts';
import { gateMissing } from './lint/gate-missing.ts';
import { goalMissing } from './lint/goal-missing.ts';
import { nextAction } from './lint/next-action.ts';
import { nonGoalsMissing } from './lint/non-goals-missing.ts';
import { notCarried } from './lint/not-carried.ts';
import { overBudget } from './lint/over-budget.ts';
import { pathAbsent } from './lint/path-absent.ts';
import { phasesUnfinished } from './lint/phases-unfinished.ts';
import { essentials, standardOf, weightOf } from './lint/profile.ts';
import { questionOwner } from './lint/question-owner.ts';
import { reviewerAuthor, reviewOwner } from './lint/review-owner.ts';
import type { Rule } from './lint/rule.ts';
import { runFailed } from './lint/run-failed.ts';
import { runNotPassed } from './lint/run-not-passed.ts';
import { scopeWider } from './lint/scope-wider.ts';
import { secretInText } from './lint/secret-in-text.ts';
import type { Subject } from './lint/subject.ts';
import { switchUnjustified } from './lint/switch-unjustified.ts';
import { treeMoved } from './lint/tree-moved.ts';
import { untrackedLost } from './lint/untracked-lost.ts';
import { validationMissing, validationUnrunnable } from './lint/validation-missing.ts';
import { validationUnproven } from './lint/validation-unproven.ts';
import { placeholderText } from './lint/wording.ts';

export const rules: readonly Rule[] = [
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
  untrackedLost,
  notCarried,
  treeMoved,
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
  return rules.flatMap((rule) => {
    const weight = weightOf(rule.id, standard, subject.occasion);
    if (weight === 'silent') return [];
    const severity = weight === 'refuse' ? 'error' : 'warning';
    return rule.check(subject).map(({ atMost = severity, ...hit }) => ({
      rule: rule.id,
      severity: milder(severity, atMost),
      ...hit,
    }));
  });
}

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

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

/** It lacks what any handoff says. */
export function isHollow(findings: readonly Finding[]): boolean {
  return findings.some((finding) => isError(finding) && essentials.has(finding.rule));
}

/** Whether a finding alone refuses a handoff in haste. */
export function refusesHaste(finding: Finding): boolean {
  return isError(finding) && (essentials.has(finding.rule) || finding.rule === secretInText.id);
}

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}
