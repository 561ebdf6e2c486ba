/** What a contract can say and does not: a goal for any work, the rest where somebody asks for all of it. */
import { goalNotStated } from '../../reasoning/draft.ts';
import type { Contract } from '../../contract/contract.ts';
import type { RuleHit } from '../finding.ts';
import type { GateRule } from '../rule.ts';

interface Unsaid extends Pick<GateRule, 'id' | 'title'>, Pick<RuleHit, 'text' | 'fix'> {
  readonly field: keyof Contract;
  readonly isSaid: (contract: Contract) => boolean;
}

function unsaid({ id, title, field, isSaid, text, fix }: Unsaid): GateRule {
  return {
    id,
    title,
    about: 'contract',
    check: ({ contract }) => (isSaid(contract) ? [] : [{ path: `contract.${field}`, text, fix }]),
  };
}

export const goalMissing = unsaid({
  id: 'goal-missing',
  title: 'Somebody said what should be true at the end',
  field: 'goal',
  isSaid: ({ goal }) => goal !== goalNotStated,
  text: 'Nobody has said what should be true at the end.',
  fix: 'Say the goal.',
});

export const acceptanceMissing = unsaid({
  id: 'acceptance-missing',
  title: 'At least one acceptance criterion says how the result is judged',
  field: 'acceptance',
  isSaid: ({ acceptance = [] }) => acceptance.length > 0,
  text: 'Nothing says when the result is accepted.',
  fix: 'Add a criterion that can be found to hold or not.',
});

export const nonGoalsMissing = unsaid({
  id: 'non-goals-missing',
  title: 'The contract says what is not part of it, or that nothing is excluded',
  field: 'nonGoals',
  isSaid: ({ nonGoals = [] }) => nonGoals.length > 0,
  text: 'Nobody has said what is not part of it.',
  fix: 'Name what is not part of it. "none" is an answer.',
});

export const validationMissing = unsaid({
  id: 'validation-missing',
  title: 'A command proves the result',
  field: 'validation',
  isSaid: ({ validation = [] }) => validation.length > 0,
  text: 'No command proves the result.',
  fix: 'Add a command that does.',
});
