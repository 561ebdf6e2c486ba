import type { OptionSpec } from './spec.ts';

/** What `open` and `amend` take about a contract. */
export const contractOptions: Readonly<Record<string, OptionSpec>> = {
  title: { type: 'string', value: 'TEXT', help: 'One line for lists; by default the first line of the goal' },
  kind: {
    type: 'string',
    value: 'KIND',
    help: 'The kind of work; without one the strictest rules apply',
    choices: ['code', 'research', 'docs', 'review', 'ops', 'data'],
  },
  accept: { type: 'string', multiple: true, value: 'TEXT', help: 'A criterion the result must meet' },
  constraint: { type: 'string', multiple: true, value: 'TEXT', help: 'Something that must hold on the way' },
  'non-goal': { type: 'string', multiple: true, value: 'TEXT', help: 'Something that is not part of this' },
  protect: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    help: 'A path that only a person may approve changes to',
  },
  validate: { type: 'string', multiple: true, value: 'COMMAND', help: 'A command that proves the result' },
  review: { type: 'string', value: 'WHO', help: 'Who approves: an agent, lane:audit, or "human"' },
  stop: { type: 'string', value: 'WHERE', help: 'Where to stop', choices: ['patch', 'artefact', 'verified'] },
  need: { type: 'string', multiple: true, value: 'TASK', help: 'A task that must be done first' },
  attempts: { type: 'string', value: 'N', help: 'Give up after this many failed attempts (5)' },
  rework: { type: 'string', value: 'N', help: 'Ask a person after this many rounds of review (3)' },
  hops: { type: 'string', value: 'N', help: 'Ask a person after this many handoffs (no limit)' },
};
