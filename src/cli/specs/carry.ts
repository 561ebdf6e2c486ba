import { packetOptions, type CommandSpec } from '../frame/spec.ts';
import { emergency, task, trigger } from './tasks.ts';

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
    load: async () => await import('../commands/carry/note.ts'),
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
    load: async () => await import('../commands/carry/decide.ts'),
  },
  {
    name: 'tell',
    group: 'Carry',
    summary: 'Leave a message with the task, for its holder or the next one',
    arguments: [task, { name: 'TEXT', help: 'The message; - reads stdin' }],
    examples: ['staffetta tell t4k9 "please keep the old header too"'],
    load: async () => await import('../commands/carry/tell.ts'),
  },
  {
    name: 'read',
    group: 'Carry',
    summary: 'Read the messages and answers that wait with your task, and mark them as read',
    arguments: [task],
    examples: ['staffetta read t4k9', 'staffetta read --json'],
    load: async () => await import('../commands/carry/read.ts'),
  },
  {
    name: 'checkpoint',
    group: 'Carry',
    summary: 'Seal what you know so far, and go on',
    arguments: [task],
    options: {
      emergency,
      trigger,
      ...packetOptions,
    },
    examples: [
      'staffetta checkpoint t4k9 --done "parser" --doing "printer" --next "fix printer.test.ts:41"',
      'staffetta checkpoint --emergency --transcript - < session.jsonl',
    ],
    load: async () => await import('../commands/carry/checkpoint.ts'),
  },
  {
    name: 'lint',
    group: 'Carry',
    summary: 'Say what the gate finds in the latest packet, or in the one you would seal',
    arguments: [task],
    options: {
      draft: { type: 'boolean', help: 'Judge what would be sealed now; so does any option below' },
      for: {
        type: 'string',
        value: 'WHAT',
        help: 'Judge it as what it is meant for',
        choices: ['handoff', 'submit'],
      },
      ...packetOptions,
    },
    examples: [
      'staffetta lint t4k9',
      'staffetta lint --draft --next "make limit.test.ts:41 pass"',
      'staffetta lint t4k9 --for submit --json',
    ],
    load: async () => await import('../commands/carry/lint.ts'),
  },
  {
    name: 'validate',
    group: 'Carry',
    summary: 'Run the commands that prove the result, and record how they ended',
    arguments: [
      task,
      { name: 'NAME', help: 'Only these: by name, place or words', optional: true, repeats: true },
    ],
    options: { output: { type: 'boolean', help: 'Print all of the output, not only its end' } },
    examples: [
      'staffetta validate t4k9',
      'staffetta validate t4k9 unit --output',
      'staffetta validate --json',
    ],
    load: async () => await import('../commands/carry/validate.ts'),
  },
  {
    name: 'phase',
    group: 'Carry',
    summary: 'Start, verify, approve or undo a phase of the contract, or see how they stand',
    arguments: [
      {
        name: 'ACTION',
        help: 'What to do; how they stand, unless told',
        choices: ['start', 'verify', 'approve', 'rollback', 'status'],
        optional: true,
      },
      task,
      { name: 'NAME', help: 'The phase; not for status', optional: true },
    ],
    options: {
      because: { type: 'string', value: 'TEXT', help: 'With verify: what shows that it is done' },
      why: { type: 'string', value: 'TEXT', help: 'With rollback and approve: the reason' },
      output: { type: 'boolean', help: 'Print all of the output, not only its end' },
    },
    examples: [
      'staffetta phase status t4k9',
      'staffetta phase start t4k9 measure',
      'staffetta phase verify measure',
      'staffetta phase approve t4k9 measure',
      'staffetta phase rollback measure --why "the figures were of last week"',
    ],
    load: async () => await import('../commands/carry/phase.ts'),
  },
  {
    name: 'progress',
    group: 'Carry',
    summary: 'Record how far long work is, and where to go on',
    arguments: [task],
    options: {
      at: { type: 'string', value: 'N', help: 'The place reached' },
      of: { type: 'string', value: 'N', help: 'The whole' },
      unit: { type: 'string', value: 'TEXT', help: 'What is counted, e.g. rows' },
      cursor: { type: 'string', value: 'TEXT', help: 'What is needed to go on from there' },
    },
    examples: [
      'staffetta progress t4k9 --at 730000 --of 1000000 --unit rows',
      'staffetta progress --at 12 --cursor "page=13&sort=id"',
    ],
    load: async () => await import('../commands/carry/progress.ts'),
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
    load: async () => await import('../commands/carry/renew.ts'),
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
    load: async () => await import('../commands/carry/settle.ts'),
  },
];
