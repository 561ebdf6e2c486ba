import { packetOptions, type CommandSpec } from '../spec.ts';
import { task } from './work.ts';

export const carrySpecs: readonly CommandSpec[] = [
  {
    name: 'note',
    group: 'Carry',
    summary: 'Write down something the next agent should know',
    arguments: [task, { name: 'TEXT', help: 'The note; - reads stdin' }],
    options: {
      'dead-end': { type: 'string', value: 'WHY', help: 'TEXT was tried and does not work, because of this' },
    },
    examples: [
      'staffetta note t4k9 "the limiter must come before auth"',
      'staffetta note t4k9 "token bucket in Redis" --dead-end "adds a network hop per request"',
      'git diff --stat | staffetta note t4k9 -',
    ],
    load: async () => await import('../commands/note.ts'),
  },
  {
    name: 'decide',
    group: 'Carry',
    summary: 'Record a decision, raise a question, or answer one',
    arguments: [task, { name: 'TEXT', help: 'The decision, the question, or the answer; - reads stdin' }],
    options: {
      why: { type: 'string', value: 'TEXT', help: 'The reason for the decision' },
      rejected: {
        type: 'string',
        multiple: true,
        value: 'TEXT',
        help: 'An alternative that was turned down',
      },
      ask: { type: 'boolean', help: 'TEXT is a question somebody else has to answer' },
      option: { type: 'string', multiple: true, value: 'TEXT', help: 'With --ask: a possible answer' },
      owner: { type: 'string', value: 'WHO', help: 'With --ask: who should answer' },
      answer: { type: 'string', value: 'N', help: 'TEXT answers question N' },
    },
    examples: [
      'staffetta decide t4k9 "sliding window" --why "smooth at the edges" --rejected "fixed window"',
      'staffetta decide t4k9 "Per user or per key?" --ask --option user --option key',
      'staffetta decide t4k9 "per key" --answer 2',
    ],
    load: async () => await import('../commands/decide.ts'),
  },
  {
    name: 'tell',
    group: 'Carry',
    summary: 'Leave a message with the task, for whoever holds it next',
    arguments: [task, { name: 'TEXT', help: 'The message; - reads stdin' }],
    examples: ['staffetta tell t4k9 "please keep the old header too"'],
    load: async () => await import('../commands/tell.ts'),
  },
  {
    name: 'read',
    group: 'Carry',
    summary: 'Read the messages and answers that wait with your task, and mark them as read',
    arguments: [task],
    examples: ['staffetta read t4k9', 'staffetta read --json'],
    load: async () => await import('../commands/read.ts'),
  },
  {
    name: 'checkpoint',
    group: 'Carry',
    summary: 'Seal what you know so far, and go on',
    arguments: [task],
    options: packetOptions,
    examples: ['staffetta checkpoint t4k9 --done "parser" --doing "printer" --next "fix printer.test.ts:41"'],
    load: async () => await import('../commands/checkpoint.ts'),
  },
  {
    name: 'renew',
    group: 'Carry',
    summary: 'Extend your lease; exit 5 means the task is no longer yours',
    arguments: [task],
    options: {
      lease: { type: 'string', value: 'TIME', help: 'From now, e.g. 2h; by default as long as before' },
    },
    examples: ['staffetta renew t4k9', 'staffetta renew t4k9 --lease 2h --generation 3'],
    load: async () => await import('../commands/renew.ts'),
  },
  {
    name: 'settle',
    group: 'Carry',
    summary: 'Say whether an effect of unknown outcome took place',
    arguments: [task, { name: 'EFFECT', help: 'Its name' }],
    options: {
      done: { type: 'boolean', help: 'It took place' },
      failed: { type: 'boolean', help: 'It did not' },
      receipt: { type: 'string', value: 'TEXT', help: 'What proves it' },
    },
    examples: ['staffetta settle t4k9 deploy --done --receipt "release 41 is live"'],
    load: async () => await import('../commands/settle.ts'),
  },
];
