import { lanes } from '../../core/task/lanes.ts';
import { verbs } from '../../server/contract/verbs.ts';
import type { CommandSpec } from '../frame/spec.ts';

export const serveSpecs: readonly CommandSpec[] = [
  {
    name: 'up',
    group: 'Look',
    summary: 'Open the control room: start its server on this store, and print a one-time link to it',
    arguments: [{ name: 'TASK', help: 'Show this task first', optional: true }],
    options: {
      port: { type: 'string', value: 'N', help: 'Listen here (4747, or any other if that is taken)' },
      host: { type: 'string', value: 'ADDRESS', help: 'Listen at this address (127.0.0.1)' },
      origin: {
        type: 'string',
        multiple: true,
        value: 'URL',
        help: 'The address of a proxy in front of it, e.g. https://relay.example.org',
      },
      'user-header': {
        type: 'string',
        value: 'NAME',
        help: 'Believe the proxy named with --origin who has signed in, by this header; off unless told',
      },
      'no-open': { type: 'boolean', help: 'Open no browser' },
      link: {
        type: 'boolean',
        help: 'Start nothing: print another one-time link to the server that runs (with --port, to the one there)',
      },
      log: {
        type: 'string',
        value: 'FORM',
        help: 'Write every request and happening to stderr: json, one line each; off unless told',
        choices: ['json'],
      },
      notify: {
        type: 'string',
        multiple: true,
        value: 'HOW',
        help: 'Tell when a person is needed or a lease lapsed: desktop, command:CMD or webhook:URL; off unless told',
      },
    },
    examples: [
      'staffetta up',
      'staffetta up t4k9',
      'staffetta up --port 8080 --no-open',
      'staffetta up --link',
      'staffetta up --host 10.0.0.5 --origin https://relay.example.org',
      'staffetta up --notify desktop --notify webhook:https://hooks.example.org/staffetta',
    ],
    load: async () => await import('../commands/serve/up.ts'),
  },
  {
    name: 'token',
    group: 'Keep',
    summary: 'Make, list and revoke the tokens with which programs speak to the server',
    arguments: [
      { name: 'ACTION', help: 'What to do', choices: ['create', 'list', 'revoke'] },
      { name: 'ID', help: 'With revoke: which one', optional: true },
    ],
    options: {
      agent: { type: 'string', value: 'NAME', help: 'With create: it speaks as this agent' },
      person: { type: 'string', value: 'NAME', help: 'With create: it speaks as this person' },
      in: { type: 'string', value: 'LANE', help: 'With create: in this lane', choices: lanes },
      task: { type: 'string', value: 'TASK', help: 'With create: about this task only' },
      may: {
        type: 'string',
        multiple: true,
        value: 'VERB',
        help: `With create: what it allows: ${verbs.join(', ')}`,
      },
      expires: { type: 'string', value: 'TIME', help: 'With create: for how long (12h)' },
    },
    examples: [
      'staffetta token create --may read --expires 30d',
      'staffetta token create --agent code --in execute --task t4k9 --may read,tell',
      'staffetta token list',
      'staffetta token revoke 3f9a01',
    ],
    load: async () => await import('../commands/serve/token.ts'),
  },
  {
    name: 'key',
    group: 'Keep',
    summary: 'Show the key that signs your checkpoints and approvals in this store, or change it',
    arguments: [{ name: 'ACTION', help: 'What to do', choices: ['show', 'rotate'] }],
    options: {
      'store-key': {
        type: 'boolean',
        help: 'That of the store itself, which signs the agent card of its server',
      },
    },
    examples: ['staffetta key show', 'staffetta key show --as code --json', 'staffetta key rotate'],
    load: async () => await import('../commands/serve/key.ts'),
  },
  {
    name: 'mcp',
    group: 'Keep',
    summary: 'Serve agents over the Model Context Protocol, on standard input and output',
    examples: ['staffetta mcp', 'staffetta mcp --as code --lane execute'],
    load: async () => await import('../commands/serve/mcp.ts'),
  },
];
