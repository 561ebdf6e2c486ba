import { lanes } from '../../core/task/lanes.ts';
import { contractOptions, sessionContractOptions } from '../contract/contract-options.ts';
import { triggers } from '../../core/journal/trigger.ts';
import { runtimeNames } from '../../core/resume/runtime-names.ts';
import { restoreOptions } from '../call/restore-options.ts';
import { packetOptions, type ArgumentSpec, type CommandSpec, type OptionSpec } from '../frame/spec.ts';

export const task: ArgumentSpec = {
  name: 'TASK',
  help: 'A task id, or enough of its beginning',
  optional: true,
};

export const askOptions: Readonly<Record<string, OptionSpec>> = {
  'ask-agent': {
    type: 'boolean',
    help: 'Ask the agent of the session for a summary of its own, in a copy of the session; its citations are checked',
  },
  'ask-within': { type: 'string', value: 'TIME', help: 'How long it may take to answer (3m)' },
};

export const trigger: OptionSpec = {
  type: 'string',
  value: 'WHY',
  help: 'What made it necessary',
  choices: triggers,
};

export const emergency: OptionSpec = {
  type: 'boolean',
  help: 'There is no time to mend anything: a context limit, unless --trigger says otherwise',
};

export const withSkills: OptionSpec = {
  type: 'boolean',
  help: 'Put the skills that came with it where the program loads skills from: they steer it',
};

const prove: OptionSpec = { type: 'boolean', help: 'Run first what proves it, as validate does' };

const toLane: OptionSpec = {
  type: 'string',
  value: 'LANE',
  help: 'What the next leg is for, where --to names no lane',
  choices: lanes,
};

export const taskSpecs: readonly CommandSpec[] = [
  {
    name: 'open',
    group: 'Work',
    summary: 'Open a task: say what should be done and how it will be judged',
    arguments: [{ name: 'GOAL', help: 'What should be true at the end; - reads stdin', optional: true }],
    options: {
      file: { type: 'string', value: 'FILE', help: 'A contract as .yaml, .json or .md; - reads stdin' },
      again: { type: 'string', value: 'TASK', help: 'Try anew what failed: with the contract of this task' },
      ...contractOptions,
      to: {
        type: 'string',
        value: 'WHO',
        help: 'Offer it to an agent, lane, runtime, or "anyone" (the default)',
      },
      'to-lane': toLane,
      take: { type: 'boolean', help: 'Take it at once' },
      draft: { type: 'boolean', help: 'Neither offer nor take it yet' },
      lease: {
        type: 'string',
        value: 'TIME',
        help: 'With --take: how long silence is believed, e.g. 2h (30m)',
      },
      expires: { type: 'string', value: 'TIME', help: 'Offer it again after this long' },
    },
    examples: [
      'staffetta open "Rate limits return 429 with Retry-After" --accept "npm test passes" --non-goal "limits per user" --validate "npm test" --review human',
      'staffetta open "Survey rate limiters" --to lane:plan --need t4k9',
      'staffetta open "Fix the login race" --take --as code --lane execute',
      'staffetta open "users.csv is imported" --phase "measure: the rate is known" --phase-verify "measure: node rate.mjs"',
      'staffetta open --file contract.yaml',
      'staffetta open --again t4k9',
    ],
    load: async () => await import('../commands/tasks/open.ts'),
  },
  {
    name: 'amend',
    group: 'Work',
    summary: 'Change the contract of a task; outside the plan and supervise lanes it may only be narrowed',
    arguments: [task],
    options: {
      goal: { type: 'string', value: 'TEXT', help: 'What should be true at the end' },
      file: { type: 'string', value: 'FILE', help: 'Fields from a contract as .yaml, .json or .md' },
      ...contractOptions,
      'drop-need': {
        type: 'string',
        multiple: true,
        value: 'TASK',
        help: 'Go on without this task, which was needed',
      },
      replace: { type: 'boolean', help: 'Replace the lists that are given instead of adding to them' },
      confirm: { type: 'boolean', help: 'Agree to what holders added; without other changes' },
      why: { type: 'string', value: 'TEXT', help: 'The reason, for the record' },
    },
    examples: [
      'staffetta amend t4k9 --phase-rollback "measure: git checkout -- rates.md" --why "it must be possible to undo"',
      'staffetta amend t4k9 --non-goal "per-user limits" --why "agreed in review"',
      'staffetta amend t4k9 --file contract.yaml --why "rewritten"',
    ],
    load: async () => await import('../commands/tasks/amend.ts'),
  },
  {
    name: 'fork',
    group: 'Work',
    summary: 'Open a new task that goes on from a packet of another, with its history',
    arguments: [task],
    options: {
      at: {
        type: 'string',
        value: 'PACKET',
        help: 'The packet to go on from, by the beginning of its digest; "latest" for the newest',
      },
      why: { type: 'string', value: 'TEXT', help: 'The reason, for the record' },
      goal: { type: 'string', value: 'TEXT', help: 'What should be true at the end; by default the same' },
      ...contractOptions,
      to: {
        type: 'string',
        value: 'WHO',
        help: 'Offer it to an agent, lane, runtime, or "anyone" (the default)',
      },
      'to-lane': toLane,
      take: { type: 'boolean', help: 'Take it at once' },
      draft: { type: 'boolean', help: 'Neither offer nor take it yet' },
      lease: {
        type: 'string',
        value: 'TIME',
        help: 'With --take: how long silence is believed, e.g. 2h (30m)',
      },
      expires: { type: 'string', value: 'TIME', help: 'Offer it again after this long' },
    },
    examples: [
      'staffetta fork t4k9 --at latest --why "try it with a queue instead"',
      'staffetta fork t4k9 --at 4f81c2 --why "the second attempt went astray" --take --as code',
      'staffetta fork t4k9 --at latest --why "next release" --goal "Limits per user as well"',
    ],
    load: async () => await import('../commands/tasks/fork.ts'),
  },
  {
    name: 'take',
    group: 'Work',
    summary: 'Take the next task offered to you, or the one named',
    arguments: [task],
    options: {
      lease: {
        type: 'string',
        value: 'TIME',
        help: 'How long silence is believed, e.g. 2h (30m); renew extends it',
      },
      offer: { type: 'string', value: 'N', help: 'Only this offer, not one made since' },
      wait: { type: 'string', value: 'TIME', help: 'Wait this long for an offer' },
      restore: { type: 'boolean', help: 'Restore the workspace of its packet into this tree' },
      ...restoreOptions,
      'with-skills': withSkills,
    },
    examples: [
      'staffetta take --as code --lane execute',
      'staffetta take t4k9 --lease 2h',
      'staffetta take t4k9 --worktree ../t4k9',
      'staffetta take --wait 10m --json',
    ],
    load: async () => await import('../commands/tasks/take.ts'),
  },
  {
    name: 'restore',
    group: 'Work',
    summary: 'Bring back the workspace of a packet, into this tree or a new worktree',
    arguments: [task],
    options: {
      at: {
        type: 'string',
        value: 'PACKET',
        help: 'The packet, by the beginning of its digest; the latest unless told',
      },
      ...restoreOptions,
    },
    examples: [
      'staffetta restore t4k9 --dry-run',
      'staffetta restore t4k9 --worktree ../t4k9',
      'staffetta restore t4k9 --at 4f5a21 --worktree ../before --allow .vscode/settings.json',
    ],
    load: async () => await import('../commands/tasks/restore.ts'),
  },
  {
    name: 'skills',
    group: 'Work',
    summary: 'Read the skills that came with a task, or put them where a program loads skills from',
    arguments: [task, { name: 'NAME', help: 'Only this skill, with all of its texts', optional: true }],
    options: {
      in: {
        type: 'string',
        value: 'RUNTIME',
        help: 'Put them where this program loads skills from, in this workspace',
        choices: runtimeNames,
      },
    },
    examples: [
      'staffetta skills t4k9',
      'staffetta skills t4k9 release-notes',
      'staffetta skills t4k9 --in codex --dry-run',
    ],
    load: async () => await import('../commands/tasks/skills.ts'),
  },
  {
    name: 'ack',
    group: 'Work',
    summary: 'Say in your own words what you took over',
    arguments: [task],
    options: {
      goal: { type: 'string', value: 'TEXT', help: 'What should be true at the end' },
      gate: { type: 'string', value: 'TEXT', help: 'How it will be judged' },
      next: { type: 'string', value: 'TEXT', help: 'What you do first' },
    },
    examples: ['staffetta ack t4k9 --goal "429 on excess" --gate "npm test" --next "write the failing test"'],
    load: async () => await import('../commands/tasks/ack.ts'),
  },
  {
    name: 'decline',
    group: 'Work',
    summary: 'Refuse an offer, or a task you just took, with reasons',
    arguments: [task],
    options: { why: { type: 'string', multiple: true, value: 'TEXT', help: 'What is wrong with it' } },
    examples: ['staffetta decline t4k9 --why "the goal names no file" --why "no way to validate"'],
    load: async () => await import('../commands/tasks/decline.ts'),
  },
  {
    name: 'handoff',
    group: 'Hand over',
    summary: 'Seal what you know and offer the task to the next agent',
    arguments: [task],
    options: {
      to: { type: 'string', value: 'WHO', help: 'An agent, lane, runtime, or "anyone" (the default)' },
      'to-lane': toLane,
      from: {
        type: 'string',
        value: 'SESSION',
        help: 'Take what a session of a coding agent holds: its id, RUNTIME:ID, a runtime, or "latest"',
      },
      ...sessionContractOptions,
      ...askOptions,
      emergency,
      trigger,
      why: { type: 'string', value: 'TEXT', help: 'In your own words' },
      expires: { type: 'string', value: 'TIME', help: 'Offer it again after this long' },
      ...packetOptions,
    },
    examples: [
      'staffetta handoff t4k9 --to lane:audit --done "limiter in src/limit.ts" --next "run npm test"',
      'staffetta handoff --to agent:qa --to-lane audit --next "check the edge cases"',
      'staffetta handoff --to codex --trigger context-limit --transcript session.jsonl --next "finish the parser"',
      'staffetta handoff --from latest --to codex --accept "npm test passes" --review human --next "make limit.test.ts pass"',
      'staffetta handoff --from claude-code:8b6c6f0e --to gemini-cli --trigger usage-limit',
    ],
    load: async () => await import('../commands/tasks/handoff.ts'),
  },
  {
    name: 'rescue',
    group: 'Hand over',
    summary: 'Find sessions of coding agents that died, and hand on what they knew',
    arguments: [
      {
        name: 'SESSION',
        help: 'Only this one: its id, RUNTIME:ID, a runtime, or "latest"',
        optional: true,
      },
    ],
    options: {
      to: { type: 'string', value: 'WHO', help: 'An agent, lane, runtime, or "anyone" (the default)' },
      since: { type: 'string', value: 'TIME', help: 'Only sessions that changed in the last (1d)' },
      idle: {
        type: 'string',
        value: 'TIME',
        help: 'Silence after which a session that stopped in the middle counts as dead, where its process cannot be seen (10m)',
      },
      everywhere: { type: 'boolean', help: 'Sessions of all folders' },
      ...askOptions,
    },
    examples: [
      'staffetta rescue',
      'staffetta rescue --to codex --dry-run',
      'staffetta rescue 8b6c6f0e --to gemini-cli',
    ],
    load: async () => await import('../commands/tasks/rescue.ts'),
  },
  {
    name: 'watch',
    group: 'Hand over',
    summary: 'Follow the sessions of coding agents, and seal what they know at every settled turn',
    options: {
      adopt: { type: 'boolean', help: 'Open a task for a session that has none' },
      cooldown: {
        type: 'string',
        value: 'TIME',
        help: 'At least this long between two packets of a session (1m)',
      },
      every: { type: 'string', value: 'TIME', help: 'How often to look (2s)' },
      since: { type: 'string', value: 'TIME', help: 'Only sessions that changed in the last (1d)' },
      'rescue-to': {
        type: 'string',
        value: 'WHO',
        help: 'Whom a session that died is offered to (anyone); "nobody" leaves it to rescue',
      },
      everywhere: { type: 'boolean', help: 'Sessions of all folders' },
      once: { type: 'boolean', help: 'Look once and end' },
      off: { type: 'boolean', help: 'Stop all who watch this store, and let none start' },
      on: { type: 'boolean', help: 'Allow it again' },
    },
    examples: [
      'staffetta watch',
      'staffetta watch --adopt --cooldown 5m',
      'staffetta watch --once --json',
      'staffetta watch --off',
    ],
    load: async () => await import('../commands/tasks/watch.ts'),
  },
  {
    name: 'advise',
    group: 'Hand over',
    summary: 'Say whether to resume, to switch, or to fix the packet first, and why',
    arguments: [task],
    options: {
      to: { type: 'string', value: 'WHO', help: 'A runtime or a lane' },
      'to-lane': toLane,
      trigger,
      ...packetOptions,
    },
    examples: [
      'staffetta advise t4k9 --to codex',
      'staffetta advise --to lane:audit --next "run npm test" --json',
      'staffetta advise t4k9 --to codex --trigger usage-limit',
    ],
    load: async () => await import('../commands/tasks/advise.ts'),
  },
  {
    name: 'offer',
    group: 'Hand over',
    summary: 'Offer a task that nobody holds, such as a draft or a declined one',
    arguments: [task],
    options: {
      to: { type: 'string', value: 'WHO', help: 'An agent, lane, runtime, or "anyone" (the default)' },
      'to-lane': toLane,
      why: { type: 'string', value: 'TEXT', help: 'For the record' },
      expires: { type: 'string', value: 'TIME', help: 'Offer it again after this long' },
    },
    examples: ['staffetta offer t4k9 --to lane:plan', 'staffetta offer t4k9 --to codex --expires 2h'],
    load: async () => await import('../commands/tasks/offer.ts'),
  },
  {
    name: 'withdraw',
    group: 'Hand over',
    summary: 'Take back an offer nobody has accepted, and carry on',
    arguments: [task],
    options: {
      why: { type: 'string', value: 'TEXT', help: 'The reason' },
      lease: { type: 'string', value: 'TIME', help: 'How long silence is believed (30m)' },
    },
    examples: ['staffetta withdraw t4k9 --why "found the missing file"'],
    load: async () => await import('../commands/tasks/withdraw.ts'),
  },
  {
    name: 'submit',
    group: 'Hand over',
    summary: 'Hand the work in for review',
    arguments: [task],
    options: { prove, ...sessionContractOptions, ...packetOptions },
    examples: ['staffetta submit t4k9 --prove --done "all criteria met" --artefact src/limit.ts'],
    load: async () => await import('../commands/tasks/submit.ts'),
  },
  {
    name: 'complete',
    group: 'Hand over',
    summary: 'End the task, where no review is asked for or you are the reviewer',
    arguments: [task],
    options: { prove, ...sessionContractOptions, ...packetOptions },
    examples: ['staffetta complete t4k9 --summary "verified: 214 tests pass"'],
    load: async () => await import('../commands/tasks/complete.ts'),
  },
  {
    name: 'fail',
    group: 'Hand over',
    summary: 'Give the task up for good',
    arguments: [task],
    options: { why: { type: 'string', value: 'TEXT', help: 'What makes it impossible' } },
    examples: ['staffetta fail t4k9 --why "the API it needs was removed"'],
    load: async () => await import('../commands/tasks/fail.ts'),
  },
];
