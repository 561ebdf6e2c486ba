/** Claude Code with nobody before it. What its options do not allow it declines: it can ask nobody. */
import { filled } from '../../core/base/defined.ts';
import type { PermissionName } from '../../core/plan/crew.ts';
import type { HeardEvent, Manner, ProgramWay, Working } from '../../ports/runtime.ts';
import { countAt, fieldAt, hearStreamJson, mayUnasked } from '../heard.ts';
import { inherited } from './launch.ts';

const tools: readonly (readonly [PermissionName, readonly string[]])[] = [
  ['edit', ['Edit', 'Write', 'NotebookEdit']],
  ['execute', ['Bash', 'Monitor']],
  ['network', ['WebFetch', 'WebSearch']],
];
/** Its file tools do not leave the workspace unasked. */
const held: readonly PermissionName[] = [...tools.map(([name]) => name), 'outside'];

export const working: Working = {
  headless: ({ access, mode, permissions }) => {
    if (access === 'look') return mode === undefined || mode === 'plan' ? look(permissions) : null;
    const chosen = mode ?? (mayUnasked(permissions, 'edit') ? 'acceptEdits' : 'default');
    const allowed = tools.flatMap(([name, called]) => (mayUnasked(permissions, name) ? called : []));
    return {
      args: [
        `--permission-mode=${chosen}`,
        ...(allowed.length === 0 ? [] : [`--allowedTools=${allowed.join(',')}`]),
        ...denying(permissions),
      ],
      holds: asksIn(mode) || mode === 'acceptEdits' ? held : [],
    };
  },
  hear: (event) => [...hearStreamJson(event), ...usageIn(event), ...limitIn(event)],
  acp: {
    program: 'claude-agent-acp',
    args: [],
    looks: ['plan'],
    // The adapter brings a Claude Code of its own, of another version.
    env: (_manner, _folder, installed) => ({
      ...Object.fromEntries(inherited.map((name) => [name, null])),
      ...filled({ CLAUDE_CODE_EXECUTABLE: installed }),
    }),
    holds: ({ access, mode }) => (access === 'look' || asksIn(mode) ? held : []),
  },
};

function asksIn(mode: string | undefined): boolean {
  return mode === undefined || mode === 'default' || mode === 'plan';
}

/**
 * A command could change anything: in this way of working none is allowed beforehand but ours, by which it reports. Measured: it takes
 * a command apart, and one of ours that redirects its output, or stands beside another, is declined.
 */
function look(permissions: Manner['permissions']): ProgramWay {
  const ours = mayUnasked(permissions, 'execute') ? ['--allowedTools=Bash(staffetta:*)'] : [];
  return {
    args: ['--permission-mode=plan', ...ours, ...denying({ ...permissions, edit: 'deny' })],
    holds: held,
  };
}

/** Also what is to be asked for: where it accepts edits, it runs commands that write files without a question. */
function denying(permissions: Manner['permissions']): string[] {
  const denied = tools.flatMap(([name, called]) => (mayUnasked(permissions, name) ? [] : called));
  return denied.length === 0 ? [] : [`--disallowedTools=${denied.join(',')}`];
}

/** It tells of its account's limits, and in seconds when they are over. */
function limitIn(event: unknown): HeardEvent[] {
  const limit = fieldAt(event, 'rate_limit_info');
  if (fieldAt(limit, 'status') !== 'rejected' || fieldAt(limit, 'isUsingOverage') === true) return [];
  const seconds = countAt(limit, 'resetsAt');
  return [{ kind: 'limit', limit: 'usage', until: seconds === undefined ? null : seconds * 1000 }];
}

/** Of tokens the last event of a run has those of the run; of the cost, that of the session. */
function usageIn(event: unknown): HeardEvent[] {
  const amount = countAt(event, 'total_cost_usd');
  if (amount === undefined) return [];
  const kinds = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];
  const tokens = kinds.reduce((sum, kind) => sum + (countAt(event, 'usage', kind) ?? 0), 0);
  return [
    { kind: 'usage', tokens },
    { kind: 'usage', cost: { amount, unit: 'USD' }, isWhole: true },
  ];
}
