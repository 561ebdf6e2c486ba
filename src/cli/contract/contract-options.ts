import { policyKinds } from '../../core/contract/policy-kinds.ts';
import type { OptionSpec } from '../frame/spec.ts';

/** What `open` and `amend` take about a contract. */
export const contractOptions: Readonly<Record<string, OptionSpec>> = {
  title: { type: 'string', value: 'TEXT', help: 'One line for lists; by default the first line of the goal' },
  kind: {
    type: 'string',
    value: 'KIND',
    help: 'The kind of work, for those who read it',
    choices: ['code', 'research', 'docs', 'review', 'ops', 'data'],
  },
  strict: { type: 'boolean', help: 'The gate asks for all that a contract can say' },
  accept: { type: 'string', multiple: true, value: 'TEXT', help: 'A criterion the result must meet' },
  constraint: { type: 'string', multiple: true, value: 'TEXT', help: 'Something that must hold on the way' },
  'non-goal': {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'Something that is not part of this; "none" is an answer',
  },
  protect: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    help: 'A path that only a person may approve changes to',
  },
  validate: {
    type: 'string',
    multiple: true,
    value: 'COMMAND',
    help: 'A command that proves the result, without a shell; "NAME: COMMAND" names it',
  },
  'validate-shell': {
    type: 'string',
    multiple: true,
    value: 'LINE',
    help: 'The same as a line for the shell, with pipes and all',
  },
  'time-limit': {
    type: 'string',
    value: 'TIME',
    help: 'For each of the commands given with it, e.g. 10m',
  },
  phase: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'A phase, in order; "NAME: GOAL" says what it is for',
  },
  'phase-accept': {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'A criterion of a phase: "NAME: TEXT"',
  },
  'phase-verify': {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'A command that shows a phase is done: "NAME: COMMAND"',
  },
  'phase-rollback': {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'A command that undoes a phase: "NAME: COMMAND"',
  },
  skill: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'Instructions to load before working: a name, or a path in the workspace',
  },
  review: { type: 'string', value: 'WHO', help: 'Who approves: an agent, lane:audit, or "human"' },
  'policy-path': {
    type: 'string',
    multiple: true,
    value: 'GLOB',
    help: 'Only a person may approve a change of these paths',
  },
  'policy-lines': {
    type: 'string',
    value: 'N',
    help: 'Only a person may approve more changed lines than this',
  },
  'policy-kind': {
    type: 'string',
    multiple: true,
    value: 'KIND',
    help: 'Only a person may approve changes of this kind',
    choices: policyKinds,
  },
  stop: { type: 'string', value: 'WHERE', help: 'Where to stop', choices: ['patch', 'artefact', 'verified'] },
  need: { type: 'string', multiple: true, value: 'TASK', help: 'A task that must be done first' },
  attempts: { type: 'string', value: 'N', help: 'Give up after this many failed attempts (5)' },
  rework: { type: 'string', value: 'N', help: 'Ask a person when work is sent back this many times (3)' },
  hops: { type: 'string', value: 'N', help: 'Ask a person after this many handoffs (no limit)' },
};

/** Those that complete what is agreed, while the work is handed over. */
export const sessionContractOptions: Readonly<Record<string, OptionSpec>> = {
  goal: { type: 'string', value: 'TEXT', help: 'What should be true at the end' },
  ...Object.fromEntries(
    (
      [
        'kind',
        'accept',
        'constraint',
        'non-goal',
        'protect',
        'validate',
        'validate-shell',
        'review',
        'stop',
      ] as const
    ).flatMap((name) => {
      const option = contractOptions[name];
      return option === undefined ? [] : [[name, option]];
    }),
  ),
};
