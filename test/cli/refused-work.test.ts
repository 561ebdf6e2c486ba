/** What the gate, phases, commands and contracts refuse. */
import { describe, expect, test } from 'vitest';
import { outcomeOf, wanted, type Refusal } from './refusal.ts';
import { asCode, stages } from './stage.ts';

const refusals: readonly Refusal[] = [
  {
    title: 'a hollow handoff',
    args: ({ task }) => ['handoff', task, '--to', 'anyone', ...asCode],
    exit: 6,
    code: 'not-ready',
    says: /is not ready to be handed over\.\n {2}No next step is named\.\n {4}→ Name the one thing to do first: --next/,
  },
  {
    title: 'work handed in before its commands have passed',
    args: ({ task }) => ['submit', task, '--artefact', 'fence.txt', ...asCode],
    exit: 6,
    code: 'not-ready',
    says: /is not ready to be submitted\.\n.*was never run\.\n {4}→ Run it on the workspace as it is: staffetta validate/,
  },
  {
    title: 'work handed in before its phases are verified',
    stage: stages.phased,
    args: ({ task }) => ['submit', task, '--artefact', 'fence.txt', ...asCode],
    exit: 6,
    code: 'not-ready',
    says: /Phase dig is not started\.\n {4}→ Start it: staffetta phase start dig/,
  },
  {
    title: 'a phase before the one that comes first',
    stage: stages.phased,
    args: ({ task }) => ['phase', 'start', task, 'nail the boards', ...asCode],
    exit: 5,
    code: 'wrong-state',
    says: /Phase dig comes first and is not verified\.\n {2}See: staffetta phase status/,
  },
  {
    title: 'a phase without its name',
    stage: stages.phased,
    args: ({ task }) => ['phase', 'start', task, ...asCode],
    exit: 2,
    code: 'usage',
    says: /phase start needs the NAME of a phase\.\n {2}They are listed by: staffetta phase status t/,
  },
  {
    title: 'a phase rolled back without a reason',
    stage: stages.phased,
    args: () => ['phase', 'rollback', 'dig', ...asCode],
    exit: 2,
    code: 'usage',
    says: /phase rollback needs --why: the reason goes on record/,
  },
  {
    title: 'an action that is nearly one',
    args: () => ['phase', 'strat', 'dig', ...asCode],
    exit: 2,
    code: 'usage',
    says: /ACTION is one of start, verify, approve, rollback, status, not "strat"\.\n {2}Did you mean: start/,
  },
  {
    title: 'a command that the contract does not have',
    args: () => ['validate', 'paint', ...asCode],
    exit: 2,
    code: 'invalid-input',
    says: /No validation command is called "paint"\.\n {2}It has: stands/,
  },
  {
    title: 'results recorded by somebody who does not hold the task',
    args: ({ task }) => ['validate', task, '--as', 'other'],
    exit: 4,
    code: 'not-holder',
    says: /held by code, not by other/,
  },
  {
    title: 'progress beyond the whole',
    args: () => ['progress', '--at', '11', '--of', '10', ...asCode],
    exit: 2,
    code: 'usage',
    says: /--at 11 is beyond --of 10\.\n {2}Give the place reached/,
  },
  {
    title: 'a need named twice',
    args: ({ task }) => ['open', 'x', '--need', task, '--need', task],
    exit: 2,
    code: 'usage',
    says: /is named twice\.\n {2}Name each task that is needed once/,
  },
  {
    title: 'a need that leads back to the task itself',
    args: ({ task }) => ['amend', task, '--need', task, '--why', 'x'],
    exit: 2,
    code: 'needs-cycle',
    says: /would wait for itself\.\n {2}Take out the need/,
  },
  {
    title: 'a command for a phase that nobody named',
    args: () => ['open', 'x', '--phase', 'measure', '--phase-verify', 'mesure: npm test'],
    exit: 2,
    code: 'usage',
    says: /--phase-verify speaks of a phase "mesure".*\n {2}Did you mean: measure/,
  },
  {
    title: 'a kind of change that does not exist',
    args: () => ['open', 'x', '--policy-kind', 'added', '--policy-kind', 'delted'],
    exit: 2,
    code: 'usage',
    says: /--policy-kind takes one of .*, not "delted"\.\n {2}Did you mean: --policy-kind deleted/,
  },
  {
    title: 'a task without a goal, where nobody can be asked',
    args: () => ['open'],
    exit: 2,
    code: 'usage',
    says: /open needs a GOAL, or a contract --file that has one\.\n {2}See: staffetta open --help/,
  },
];

describe('work that is refused', () => {
  test.each(refusals)('$title', async (refusal) => {
    expect(await outcomeOf(refusal)).toEqual(wanted(refusal));
  });
});
