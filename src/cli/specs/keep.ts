import type { CommandSpec } from '../frame/spec.ts';
import { task } from './tasks.ts';

const setupOptions = {
  yes: { type: 'boolean', short: 'y', help: 'Agree to the changes without being asked' },
  user: { type: 'boolean', help: "Only the user's own settings, and no file of the repository" },
  project: { type: 'boolean', help: 'Settings of this repository instead of those of the user' },
} as const;

export const keepSpecs: readonly CommandSpec[] = [
  {
    name: 'init',
    group: 'Keep',
    summary: 'Create the store here and tell the installed coding agents of it; shows every change first',
    options: setupOptions,
    examples: [
      'staffetta init',
      'staffetta init --dry-run',
      'staffetta init --runtime codex --yes',
      'staffetta init --store ~/relay/store.db',
      'staffetta init --store "postgres://ada@db.example/work?space=acme"',
    ],
    load: async () => await import('../commands/keep/init.ts'),
  },
  {
    name: 'uninstall',
    group: 'Keep',
    summary: 'Put back what init changed, to the byte; tasks stay',
    options: setupOptions,
    examples: ['staffetta uninstall --dry-run', 'staffetta uninstall --yes'],
    load: async () => await import('../commands/keep/uninstall.ts'),
  },
  {
    name: 'verify',
    group: 'Keep',
    summary: 'Check chain, digests and references of a task, or of all',
    arguments: [task],
    options: {
      against: {
        type: 'string',
        multiple: true,
        value: 'FILE',
        help: 'Also hold it to a packet, an answer, an export or an envelope that somebody kept; - reads stdin',
      },
      signed: {
        type: 'boolean',
        help: 'Unsigned checkpoints and approvals, and keys not known here, are faults',
      },
      'seen-anew': { type: 'boolean', help: 'Take what is there now as seen: a backup was put back' },
    },
    examples: [
      'staffetta verify',
      'staffetta verify t4k9 --json',
      'staffetta verify t4k9 --against packet.json --signed',
    ],
    load: async () => await import('../commands/keep/verify.ts'),
  },
  {
    name: 'recover',
    group: 'Keep',
    summary: 'Put right what a crash left: lapsed legs, expired offers, lost hints',
    options: {
      'end-doubted': {
        type: 'boolean',
        help: 'End leases too far ahead even if this clock is behind the journal',
      },
    },
    examples: ['staffetta recover'],
    load: async () => await import('../commands/keep/recover.ts'),
  },
  {
    name: 'backup',
    group: 'Keep',
    summary: 'Copy the store as of one moment, while others write',
    arguments: [{ name: 'FILE', help: 'Where to; never overwritten' }],
    examples: ['staffetta backup ~/backups/relay.db'],
    load: async () => await import('../commands/keep/backup.ts'),
  },
  {
    name: 'export',
    group: 'Keep',
    summary: 'Write a task with its whole history, for import in another store',
    arguments: [task],
    options: {
      out: { type: 'string', value: 'FILE', help: 'Where to, instead of stdout; never overwritten' },
      envelopes: { type: 'boolean', help: 'Only the signatures: one DSSE envelope a line, for other tools' },
    },
    examples: [
      'staffetta export t4k9 > task.staffetta',
      'staffetta export t4k9 --out task.staffetta --json',
      'staffetta export t4k9 --envelopes > signatures.jsonl',
    ],
    load: async () => await import('../commands/keep/export.ts'),
  },
  {
    name: 'import',
    group: 'Keep',
    summary: 'Bring a task that export wrote: all of it, or nothing',
    arguments: [{ name: 'FILE', help: 'What export wrote; - reads stdin' }],
    examples: [
      'staffetta import task.staffetta --dry-run',
      'ssh build staffetta export t4k9 | staffetta import -',
    ],
    load: async () => await import('../commands/keep/import.ts'),
  },
  {
    name: 'move',
    group: 'Keep',
    summary: 'Let tasks go on in another store, with their history, holders and leases',
    arguments: [{ ...task, repeats: true }],
    options: {
      to: {
        type: 'string',
        value: 'STORE',
        help: 'The other store: a file or a URL; a file is made if need be',
      },
      all: { type: 'boolean', help: 'All tasks of this store' },
      why: { type: 'string', value: 'TEXT', help: 'Why, for the record' },
    },
    examples: [
      'staffetta move t4k9 --to ~/relay/store.db --dry-run',
      'staffetta move --all --to postgres://db.example/work',
    ],
    load: async () => await import('../commands/keep/move.ts'),
  },
  {
    name: 'sweep',
    group: 'Keep',
    summary: 'Remove finished tasks that are old, then what only they needed',
    options: {
      'older-than': { type: 'string', value: 'TIME', help: 'Untouched for this long, e.g. 30d' },
      grace: { type: 'string', value: 'TIME', help: 'Keep unnamed content this long (1h)' },
      trees: {
        type: 'string',
        value: 'RUN',
        help: 'Instead: the trees that were kept of a run that is over, with what is only there',
      },
    },
    examples: [
      'staffetta sweep --older-than 90d --dry-run',
      'staffetta sweep --older-than 90d',
      'staffetta sweep --trees limits --dry-run',
    ],
    load: async () => await import('../commands/keep/sweep.ts'),
  },
  {
    name: 'doctor',
    group: 'Keep',
    summary: 'Check this installation and prove the store keeps its contract',
    options: {
      quick: {
        type: 'boolean',
        help: 'In less than two seconds: start no program, read no page of the store, prove nothing',
      },
    },
    examples: [
      'staffetta doctor',
      'staffetta doctor --quick',
      'staffetta doctor --store /mnt/shared/store.db',
    ],
    load: async () => await import('../commands/doctor/doctor.ts'),
  },
  {
    name: 'hook',
    group: 'Keep',
    summary:
      'What init makes coding agents call at their events; never fails, never says more than they asked for',
    arguments: [
      { name: 'RUNTIME', help: 'The program that calls' },
      {
        name: 'EVENT',
        help: "The program's own name for it, e.g. SessionStart; the event itself comes on stdin",
      },
    ],
    examples: ['staffetta hook claude-code SessionStart < event.json'],
    load: async () => await import('../commands/keep/hook.ts'),
  },
  {
    name: 'speak',
    group: 'Keep',
    summary:
      'What resume starts for a program that takes no words with a session: puts them to it another way',
    arguments: [
      { name: 'RUNTIME', help: 'The program' },
      { name: 'ARG', help: 'After --: further arguments for the program', optional: true, repeats: true },
    ],
    options: {
      session: { type: 'string', value: 'ID', help: 'The session to go on with' },
      file: {
        type: 'string',
        value: 'FILE',
        help: 'In a terminal: the file that the agent is to read first; without it the words come on stdin',
      },
    },
    examples: ['staffetta speak cline --session 1795125233189_9sjv5 < prompt.md'],
    load: async () => await import('../commands/keep/speak.ts'),
  },
  {
    name: 'far-end',
    group: 'Keep',
    summary: 'What send and fetch start on the other machine; answers on stdout what is asked on stdin',
    examples: ['ssh ada@desk staffetta far-end'],
    load: async () => await import('../commands/keep/far-end.ts'),
  },
  {
    name: 'completion',
    group: 'Keep',
    summary: 'Print a completion script for your shell',
    arguments: [{ name: 'SHELL', help: 'bash, zsh or fish' }],
    examples: [
      'source <(staffetta completion bash)',
      'staffetta completion zsh > "${fpath[1]}/_staffetta"',
      'staffetta completion fish > ~/.config/fish/completions/staffetta.fish',
    ],
    load: async () => await import('../commands/keep/completion.ts'),
  },
];
