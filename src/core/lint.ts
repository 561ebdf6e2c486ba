/** The gate: all rules over one subject. Pure, and in a fixed order, so that the same packet always gets the same findings. */
import { certifications, type Certification } from './event.ts';
import { kindOf } from './kind.ts';
import { acceptanceMissing } from './lint/acceptance-missing.ts';
import { artefactsMissing } from './lint/artefacts-missing.ts';
import { auditChanged } from './lint/audit-changed.ts';
import { evidenceMissing } from './lint/evidence-missing.ts';
import { evidenceUnknown } from './lint/evidence-unknown.ts';
import { failureUnmentioned } from './lint/failure-unmentioned.ts';
import { milder, type Finding, type Severity } from './lint/finding.ts';
import { goalVague } from './lint/goal-vague.ts';
import { imperativeInData } from './lint/imperative-in-data.ts';
import { nextAction } from './lint/next-action.ts';
import { noChangesContradicted } from './lint/no-changes-contradicted.ts';
import { nonGoalsMissing } from './lint/non-goals-missing.ts';
import { notCarried } from './lint/not-carried.ts';
import { overBudget } from './lint/over-budget.ts';
import { pathAbsent } from './lint/path-absent.ts';
import { phasesUnfinished } from './lint/phases-unfinished.ts';
import { placeholderText } from './lint/placeholder-text.ts';
import { questionOwner } from './lint/question-owner.ts';
import { reviewOwner } from './lint/review-owner.ts';
import type { Rule } from './lint/rule.ts';
import { scopeWider } from './lint/scope-wider.ts';
import { secretInText } from './lint/secret-in-text.ts';
import type { Subject } from './lint/subject.ts';
import { switchUnjustified } from './lint/switch-unjustified.ts';
import { testsUnproven } from './lint/tests-unproven.ts';
import { treeMoved } from './lint/tree-moved.ts';
import { untrackedLost } from './lint/untracked-lost.ts';
import { validationMissing } from './lint/validation-missing.ts';
import { validationUnproven } from './lint/validation-unproven.ts';

export const rules: readonly Rule[] = [
  goalVague,
  acceptanceMissing,
  nonGoalsMissing,
  validationMissing,
  reviewOwner,
  placeholderText,
  nextAction,
  questionOwner,
  artefactsMissing,
  evidenceMissing,
  evidenceUnknown,
  imperativeInData,
  pathAbsent,
  untrackedLost,
  notCarried,
  testsUnproven,
  validationUnproven,
  phasesUnfinished,
  noChangesContradicted,
  failureUnmentioned,
  treeMoved,
  auditChanged,
  scopeWider,
  switchUnjustified,
  overBudget,
  secretInText,
];

export function lint(subject: Subject): Finding[] {
  const kind = kindOf(subject.contract.kind);
  return rules.flatMap((rule) => {
    const severity: Severity =
      (kind === 'unknown' ? undefined : rule.weight.softer?.[kind]) ?? rule.weight.strict;
    return rule.check(subject).map(({ atMost = severity, ...hit }) => ({
      rule: rule.id,
      severity: milder(severity, atMost),
      ...hit,
    }));
  });
}

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

/**
 * How far a packet can be trusted. `valid`: it has the form of a packet and carries no secret. `verified`: also, no fact speaks
 * against what it says. `ready`: also, nothing is missing. Warnings and notes are shown, and do not hold it up.
 */
export function certify(findings: readonly Finding[]): Certification {
  const errors = findings.filter((finding) => finding.severity === 'error');
  if (errors.some((finding) => finding.rule === secretInText.id)) return 'draft';
  if (errors.some((finding) => byId.get(finding.rule)?.about === 'facts')) return 'valid';
  return errors.length === 0 ? 'ready' : 'verified';
}

/** Whether a finding alone keeps a packet from being certified so. */
export function holdsBack(finding: Finding, needed: Certification): boolean {
  return certifications.indexOf(certify([finding])) < certifications.indexOf(needed);
}
