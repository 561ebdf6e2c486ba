import { limits } from '../../core/base/limits.ts';
import { resumeWays } from '../../core/resume/resumable.ts';
import { runtimeNames } from '../../ports/runtime.ts';
import type { CommandSpec } from '../frame/spec.ts';
import { task, trigger, withSkills } from './tasks.ts';

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
      why: { type: 'string', value: 'TEXT', help: 'The reason, for the record' },
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
    options: { why: { type: 'string', value: 'TEXT', help: 'The reason, for the record' } },
    examples: ['staffetta continue', 'staffetta continue t4k9'],
    load: async () => await import('../commands/resume/continue.ts'),
  },
];
