import { limits } from '../../core/base/limits.ts';
import { resumeWays } from '../../core/resume/resumable.ts';
import { runtimeNames } from '../../ports/runtime.ts';
import type { CommandSpec, OptionSpec } from '../frame/spec.ts';
import { task, trigger, withSkills } from './tasks.ts';

const why: OptionSpec = { type: 'string', value: 'TEXT', help: 'Why, for the record' };

/** How another machine is reached. */
const ways = {
  ssh: {
    type: 'string',
    value: 'COMMAND',
    help: 'The command that takes a host and a command there, with its options; ssh unless told',
  },
  there: { type: 'string', value: 'PATH', help: 'Staffetta there, where it is not on the path' },
} as const;

export const resumeSpecs: readonly CommandSpec[] = [
  {
    name: 'resume',
    group: 'Hand over',
    summary: 'Go on in another coding agent: from the latest session here, or with a task',
    arguments: [task],
    options: {
      in: { type: 'string', value: 'RUNTIME', help: 'The program to go on in', choices: runtimeNames },
      from: {
        type: 'string',
        value: 'SESSION',
        help: 'Go on from this session: its id, RUNTIME:ID, a runtime, or "latest" (the default)',
      },
      print: {
        type: 'boolean',
        help: 'Start nothing: say what would go along, and the command that starts it',
      },
      history: {
        type: 'string',
        value: 'WAY',
        help: 'A new session with a briefing (the default), one with the full history, or the session it was in',
        choices: resumeWays,
      },
      launch: {
        type: 'boolean',
        help: 'Start the program without asking, also where there is no terminal; its session is captured when it ends',
      },
      take: {
        type: 'boolean',
        help: 'Take the task for the agent and print the command of the program, which you start yourself',
      },
      trigger,
      goal: { type: 'string', value: 'TEXT', help: 'What this leg is for, if that is less than the whole' },
      budget: {
        type: 'string',
        value: 'N',
        help: `Tokens that the briefing may have, ${limits.briefingTokensMin} to ${limits.briefingTokensMax}; ${limits.briefingTokensDefault} unless told`,
      },
      model: { type: 'string', value: 'NAME', help: 'The model, as the program names it' },
      arg: { type: 'string', multiple: true, value: 'WORD', help: 'A further argument for the program' },
      lease: { type: 'string', value: 'TIME', help: 'How long silence is believed, e.g. 2h (30m)' },
      'with-skills': withSkills,
      unproven: {
        type: 'boolean',
        help: 'Go on though the version or the workspace is not one it is proven with, or print the command of a program that is not here',
      },
    },
    examples: [
      'staffetta resume --in codex',
      'staffetta resume t4k9 --in gemini --print',
      'staffetta resume t4k9 --in codex --history full --launch',
      'staffetta resume t4k9 --in claude-code --launch --arg=--permission-mode=acceptEdits --as reviewer',
      'staffetta resume t4k9 --in opencode --dry-run --json',
    ],
    load: async () => await import('../commands/resume/resume.ts'),
  },
  {
    name: 'send',
    group: 'Hand over',
    summary: 'Let a task go on at another machine, over ssh or in a file',
    arguments: [
      { name: 'TASK', help: 'The task; that of the latest session here unless told', optional: true },
      { name: 'HOST', help: 'As ssh names it: user@host, or user@host:FOLDER', optional: true },
    ],
    options: {
      file: { type: 'string', value: 'FILE', help: 'Into a file, which fetch takes in; never overwritten' },
      to: { type: 'string', value: 'STORE', help: 'The only store that may take the file in, by its name' },
      ...ways,
      why,
    },
    examples: [
      'staffetta send t4k9 ada@desk:work/fence',
      'staffetta send t4k9 desk --ssh "ssh -p 2222 -i ~/.ssh/desk"',
      'staffetta send t4k9 --file t4k9.staffetta',
    ],
    load: async () => await import('../commands/tasks/send.ts'),
  },
  {
    name: 'fetch',
    group: 'Hand over',
    summary: 'Go on here with a task of another machine, or with one that came in a file',
    arguments: [
      { name: 'FROM', help: 'user@host, user@host:FOLDER, or a file that send wrote' },
      { name: 'TASK', help: 'The task there; the only one unless told', optional: true },
    ],
    options: { ...ways, why },
    examples: ['staffetta fetch ada@desk:work/fence t4k9', 'staffetta fetch t4k9.staffetta'],
    load: async () => await import('../commands/tasks/fetch.ts'),
  },
  {
    name: 'pause',
    group: 'Hand over',
    summary: 'Let a task rest: what was done is sealed, and it is offered again later',
    arguments: [task],
    options: {
      until: {
        type: 'string',
        value: 'TIME',
        help: 'E.g. 2h, 14:05 or 2027-01-31; until continue unless told',
      },
      why,
    },
    examples: [
      'staffetta pause t4k9 --until 14:05',
      'staffetta pause t4k9 --why "the limit resets on Monday"',
    ],
    load: async () => await import('../commands/resume/pause.ts'),
  },
  {
    name: 'continue',
    group: 'Hand over',
    summary: 'End the pause of a task',
    arguments: [task],
    options: { why },
    examples: ['staffetta continue', 'staffetta continue t4k9'],
    load: async () => await import('../commands/resume/continue.ts'),
  },
];
