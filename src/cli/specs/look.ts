import { historyFormats } from '../../handoff/history/history-formats.ts';
import { limits } from '../../core/base/limits.ts';
import { runtimeNames } from '../../ports/runtime.ts';
import type { CommandSpec } from '../frame/spec.ts';
import { askOptions, task } from './tasks.ts';

export const lookSpecs: readonly CommandSpec[] = [
  {
    name: 'inbox',
    group: 'Look',
    summary:
      'What needs you: questions, reviews, escalations and work that stopped, each with its command; at a terminal you answer it at once',
    options: {
      'let-be': { type: 'string', value: 'TASK', help: 'Take what failed off the list, on this machine' },
    },
    examples: ['staffetta inbox', 'staffetta inbox --let-be t4k9', 'staffetta inbox --json'],
    load: async () => await import('../commands/look/inbox.ts'),
  },
  {
    name: 'ls',
    group: 'Look',
    summary: 'List tasks: who holds what, and until when',
    options: {
      all: { type: 'boolean', short: 'a', help: 'Finished tasks too' },
      status: { type: 'string', multiple: true, value: 'STATUS', help: 'Only these' },
      holder: { type: 'string', value: 'NAME', help: 'Only what this agent holds' },
      mine: { type: 'boolean', help: 'Only what you hold' },
      lapsed: { type: 'boolean', help: 'Only what is held by somebody whose lease is over' },
      limit: { type: 'string', value: 'N', help: 'At most this many (50)' },
      cursor: { type: 'string', value: 'CURSOR', help: 'Go on where the last page ended' },
    },
    examples: [
      'staffetta ls',
      'staffetta ls --status submitted,escalated --json',
      'staffetta ls --lane audit --all --limit 200',
    ],
    load: async () => await import('../commands/look/ls.ts'),
  },
  {
    name: 'plan',
    group: 'Look',
    summary: 'Have a plan proposed for a goal; or check one with its crew, and say what would start first',
    arguments: [
      {
        name: 'FILE',
        help: 'The plan, as YAML or JSON; - reads stdin. With spaces in it: the goal of a new one',
      },
    ],
    options: {
      crew: {
        type: 'string',
        value: 'FILE',
        help: 'Who works on it; by default the crew in the plan, or one of what is installed',
      },
      out: { type: 'string', value: 'FILE', help: 'For a goal: where the plan is written (plan.yaml)' },
      agent: {
        type: 'string',
        value: 'NAME',
        help: 'For a goal: who proposes it; by default the first in the lane plan',
      },
      name: { type: 'string', value: 'NAME', help: 'A run: what the plan would change in it is shown' },
      within: {
        type: 'string',
        value: 'TIME',
        help: 'For a goal: how long the agent may take for an answer (15m)',
      },
      run: { type: 'boolean', help: 'For a goal: run it after a yes at the terminal' },
    },
    examples: [
      'staffetta plan plan.yaml',
      'staffetta plan plan.yaml --crew crew.yaml --json',
      'staffetta plan "Rate limits that hold under load"',
      'staffetta plan "Limits per user as well" --name limits --out limits.yaml',
    ],
    load: async () => await import('../commands/look/plan.ts'),
  },
  {
    name: 'search',
    group: 'Look',
    summary: 'Find tasks by words in their contracts, notes, decisions, packets, findings and histories',
    arguments: [
      {
        name: 'TEXT',
        help: 'Words, or beginnings of words; all of them have to be in one text',
        repeats: true,
      },
    ],
    options: {
      status: { type: 'string', multiple: true, value: 'STATUS', help: 'Only tasks in one of these' },
      holder: { type: 'string', value: 'NAME', help: 'Only what this agent holds' },
      limit: { type: 'string', value: 'N', help: 'At most this many places (50)' },
    },
    examples: [
      'staffetta search "rate limit"',
      'staffetta search src/limit.ts --status submitted,rework',
      'staffetta search migrat --lane execute --holder code --json',
    ],
    load: async () => await import('../commands/look/search.ts'),
  },
  {
    name: 'sessions',
    group: 'Look',
    summary: 'List what coding agents have on record for this folder',
    options: {
      of: { type: 'string', value: 'RUNTIME', help: 'Only sessions of this program', choices: runtimeNames },
      everywhere: { type: 'boolean', help: 'Sessions of all folders' },
      limit: { type: 'string', value: 'N', help: 'At most this many (20)' },
    },
    examples: ['staffetta sessions', 'staffetta sessions --of codex --everywhere --json'],
    load: async () => await import('../commands/look/sessions.ts'),
  },
  {
    name: 'show',
    group: 'Look',
    summary: 'Show a task: contract, standing, what waits, the latest packet; or one piece of its evidence',
    arguments: [
      task,
      {
        name: 'ID',
        help: 'An evidence id: j12, r12, s42 or d3, as packets and briefings name them',
        optional: true,
      },
    ],
    options: {
      history: { type: 'boolean', help: 'The full reasoning of every leg, in order' },
      packet: {
        type: 'string',
        value: 'DIGEST',
        help: 'One packet, by the beginning of its digest; "latest" for the newest',
      },
      session: {
        type: 'string',
        value: 'SESSION',
        help: 'A step of a session that has no task: show --session latest s42',
      },
    },
    examples: [
      'staffetta show t4k9',
      'staffetta show t4k9 s42',
      'staffetta show t4k9 --history > story.txt',
      'staffetta show t4k9 --packet latest --json',
    ],
    load: async () => await import('../commands/look/show.ts'),
  },
  {
    name: 'history',
    group: 'Look',
    summary: 'Print the reasoning of all legs as one story, whatever programs they ran in',
    arguments: [task],
    options: {
      format: {
        type: 'string',
        value: 'FORMAT',
        help: 'md to be read (unless told), json, atif or ai-sdk',
        choices: historyFormats,
      },
    },
    examples: [
      'staffetta history t4k9',
      'staffetta history t4k9 --format atif > trajectory.json',
      'staffetta history t4k9 --json',
    ],
    load: async () => await import('../commands/look/history.ts'),
  },
  {
    name: 'report',
    group: 'Look',
    summary: 'Print a task as one self-contained HTML page: no script, no request, everything in it',
    arguments: [task],
    examples: ['staffetta report t4k9 > report.html'],
    load: async () => await import('../commands/look/report.ts'),
  },
  {
    name: 'brief',
    group: 'Look',
    summary: 'Print what the next agent will know: the briefing of a task, or straight from a session',
    arguments: [task],
    options: {
      session: {
        type: 'string',
        value: 'SESSION',
        help: 'Of a session of a coding agent instead: its id or a part of it, or "latest"; nothing is stored',
      },
      ...askOptions,
      budget: {
        type: 'string',
        value: 'TOKENS',
        help: `In so many tokens, ${limits.briefingTokensMin} to ${limits.briefingTokensMax}; ${limits.briefingTokensDefault} unless told`,
      },
      goal: { type: 'string', value: 'TEXT', help: 'What agents said is ranked by this' },
      for: {
        type: 'string',
        value: 'RUNTIME',
        help: 'Counted for this runtime or model (such as codex); for a runtime the whole prompt',
      },
      model: { type: 'string', value: 'MODEL', help: 'With --for: the model that resume is given' },
      write: {
        type: 'string',
        value: 'DIR',
        help: 'Write HANDOFF.md, which is the briefing with what a file needs to be read back, and progress.json',
      },
      replace: { type: 'boolean', help: 'With --write: over files that are not ours, or were edited' },
      at: {
        type: 'string',
        value: 'PACKET',
        help: 'Print an earlier packet instead, by the beginning of its digest',
      },
    },
    examples: [
      'staffetta brief t4k9',
      'staffetta brief --session latest --budget 2000',
      'staffetta brief t4k9 --budget 4000 --for codex',
      'staffetta brief t4k9 --write .staffetta/brief',
      'staffetta brief t4k9 --json',
    ],
    load: async () => await import('../commands/look/brief.ts'),
  },
  {
    name: 'log',
    group: 'Look',
    summary: 'Show the journal of a task, or its legs',
    arguments: [task],
    options: {
      legs: { type: 'boolean', help: 'Only the changes of hands' },
      from: { type: 'string', value: 'SEQ', help: 'Start at this entry' },
      limit: { type: 'string', value: 'N', help: 'At most this many entries' },
    },
    examples: ['staffetta log t4k9', 'staffetta log t4k9 --legs', 'staffetta log t4k9 --from 10 --json'],
    load: async () => await import('../commands/look/log.ts'),
  },
  {
    name: 'diff',
    group: 'Review',
    summary:
      'Show the diff that is judged: what a packet holds of the changes, with the numbers that comments take',
    arguments: [
      task,
      { name: 'PATH', help: 'Only this file, or what is in this folder', optional: true, repeats: true },
    ],
    options: {
      packet: {
        type: 'string',
        value: 'DIGEST',
        help: 'Of this packet (what was submitted, or the latest)',
      },
      stat: { type: 'boolean', help: 'Only the files, and how many lines of each' },
    },
    examples: [
      'staffetta diff t4k9',
      'staffetta diff t4k9 --stat',
      'staffetta diff t4k9 src/limit.ts --packet 4f09ab',
      'FORCE_COLOR=1 staffetta diff t4k9 | less -R',
    ],
    load: async () => await import('../commands/look/diff.ts'),
  },
  {
    name: 'review',
    group: 'Review',
    summary: 'See what waits for review; approve it or send it back',
    arguments: [task],
    options: {
      approve: { type: 'boolean', help: 'Approve exactly the packet shown' },
      'send-back': {
        type: 'string',
        multiple: true,
        value: 'FINDING',
        help: 'Send it back with this finding (PATH:LINE: text)',
      },
      comment: {
        type: 'string',
        multiple: true,
        value: 'COMMENT',
        help: 'Send it back with this comment on a line of the diff: PATH:LINE: text; PATH:-LINE: text if it was removed, PATH::text on the whole file',
      },
      packet: {
        type: 'string',
        value: 'DIGEST',
        help: 'The packet you looked at; refused if another was submitted since',
      },
      contract: {
        type: 'string',
        value: 'DIGEST',
        help: 'The contract you looked at, if it was amended since the submission',
      },
      to: { type: 'string', value: 'WHO', help: 'With --send-back: to somebody else than the author' },
      why: {
        type: 'string',
        value: 'TEXT',
        help: 'With --approve: for the record; needed if the gate found something',
      },
    },
    examples: [
      'staffetta review',
      'staffetta review t4k9 --approve --packet sha256:4f…',
      'staffetta review t4k9 --approve --why "the missing test is a known gap"',
      'staffetta review t4k9 --send-back "src/limit.ts:41: off by one at the edge of the window"',
      'staffetta review t4k9 --send-back "nearly" --comment "src/limit.ts:41:off by one" --comment "src/limit.ts:-12:keep this check"',
    ],
    load: async () => await import('../commands/look/review.ts'),
  },
  {
    name: 'cancel',
    group: 'Review',
    summary: 'Stop a task for good',
    arguments: [task],
    options: { why: { type: 'string', value: 'TEXT', help: 'The reason' } },
    examples: ['staffetta cancel t4k9 --why "superseded by t7m2"'],
    load: async () => await import('../commands/look/cancel.ts'),
  },
  {
    name: 'escalate',
    group: 'Review',
    summary: 'Stop and ask a person to decide',
    arguments: [task],
    options: { why: { type: 'string', value: 'TEXT', help: 'What has to be decided' } },
    examples: ['staffetta escalate t4k9 --why "two requirements contradict each other"'],
    load: async () => await import('../commands/look/escalate.ts'),
  },
  {
    name: 'dead',
    group: 'Review',
    summary: 'List work that used up its attempts; send it out again',
    arguments: [task],
    options: {
      again: { type: 'boolean', help: 'Offer TASK again with its attempts forgiven' },
      to: { type: 'string', value: 'WHO', help: 'With --again: to somebody else' },
      why: { type: 'string', value: 'TEXT', help: 'With --again: the reason' },
    },
    examples: ['staffetta dead', 'staffetta dead t4k9 --again --why "the server is back"'],
    load: async () => await import('../commands/look/dead.ts'),
  },
  {
    name: 'reassign',
    group: 'Review',
    summary: 'Offer work to somebody else, no matter who holds it or was asked to do it',
    arguments: [task],
    options: {
      to: { type: 'string', value: 'WHO', help: 'An agent, lane, runtime, or "anyone"' },
      why: { type: 'string', value: 'TEXT', help: 'The reason' },
    },
    examples: ['staffetta reassign t4k9 --to codex --why "the holder does not answer"'],
    load: async () => await import('../commands/look/reassign.ts'),
  },
  {
    name: 'extend',
    group: 'Review',
    summary: 'Give the holder of a task more time',
    arguments: [task],
    options: {
      lease: { type: 'string', value: 'TIME', help: 'How long from now, e.g. 2h' },
      why: { type: 'string', value: 'TEXT', help: 'The reason' },
    },
    examples: ['staffetta extend t4k9 --lease 2h --why "the build takes long today"'],
    load: async () => await import('../commands/look/extend.ts'),
  },
];
