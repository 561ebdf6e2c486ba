/** opencode with nobody before it. It is held by its settings, over which a variable goes; what they would have asked for it rejects. */
import type { PermissionName, Permissions } from '../../core/plan/crew.ts';
import type { HeardEvent, Manner, Working } from '../../ports/runtime.ts';
import { countAt, fieldAt, toolWords, wordsAt } from '../heard.ts';

const settings: readonly (readonly [PermissionName, readonly string[]])[] = [
  ['edit', ['edit']],
  ['execute', ['bash']],
  ['network', ['webfetch', 'websearch']],
  ['outside', ['external_directory']],
];
const held = settings.map(([name]) => name);
/** A command could change anything, and so could an agent that it starts. */
const onlyLook: Permissions = { edit: 'deny', execute: 'deny' };

export const working: Working = {
  headless: (manner) => {
    const { access, mode } = manner;
    if (access === 'look' && mode !== undefined && mode !== 'plan') return null;
    const agent = mode ?? (access === 'look' ? 'plan' : undefined);
    return {
      args: agent === undefined ? [] : ['--agent', agent],
      env: { OPENCODE_PERMISSION: permissionsOf(manner) },
      holds: held,
    };
  },
  hear,
  acp: {
    program: 'opencode',
    args: ['acp'],
    looks: ['plan'],
    env: (manner, folder) => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      PWD: folder,
      OPENCODE_PERMISSION: permissionsOf(manner),
    }),
    holds: () => held,
  },
};

function permissionsOf({ access, permissions }: Manner): string {
  const told = access === 'look' ? { ...permissions, ...onlyLook } : permissions;
  const set = settings.flatMap(([name, keys]) => keys.map((key) => [key, told[name] ?? 'allow']));
  return JSON.stringify({ ...Object.fromEntries(set), ...(access === 'look' ? { task: 'deny' } : {}) });
}

/** Every event names its session; agents that it starts have one of their own. */
function hear(event: unknown): HeardEvent[] {
  const id = wordsAt(event, 'sessionID');
  const session: HeardEvent[] = id === undefined ? [] : [{ kind: 'session', id }];
  return [...session, ...saidIn(event)];
}

function saidIn(event: unknown): HeardEvent[] {
  const part = fieldAt(event, 'part');
  const text = wordsAt(part, 'text');
  switch (fieldAt(event, 'type')) {
    case 'text':
      return text === undefined ? [] : [{ kind: 'said', text }];
    case 'reasoning':
      return text === undefined ? [] : [{ kind: 'thought', text }];
    case 'tool_use':
      return [
        { kind: 'tool', text: toolWords(wordsAt(part, 'tool') ?? '', fieldAt(part, 'state', 'input')) },
      ];
    case 'step_finish':
      return [
        {
          kind: 'usage',
          tokens: countAt(part, 'tokens', 'total') ?? 0,
          cost: { amount: countAt(part, 'cost') ?? 0, unit: 'USD' },
        },
      ];
    case 'error':
      return failed(fieldAt(event, 'error'));
    default:
      return [];
  }
}

function failed(error: unknown): HeardEvent[] {
  const status = countAt(error, 'data', 'statusCode');
  const text = wordsAt(error, 'data', 'message') ?? wordsAt(error, 'name') ?? '';
  return [
    { kind: 'failed', text },
    ...(status === 402 || status === 429 ? [{ kind: 'limit', limit: 'usage', until: null } as const] : []),
  ];
}
