/** Qwen Code with nobody before it. What would have to be approved it declines, unless options allow it. */
import type { PermissionName } from '../../core/plan/crew.ts';
import type { HeardEvent, Working } from '../../ports/runtime.ts';
import { countAt, hearStreamJson, mayUnasked } from '../heard.ts';
import { inherited } from './launch.ts';

const held: readonly PermissionName[] = ['edit', 'execute', 'network'];

export const working: Working = {
  headless: ({ access, mode, permissions }) => {
    if (access === 'look')
      return mode === undefined || mode === 'plan' ? { args: ['--approval-mode=plan'], holds: held } : null;
    const chosen = mode ?? (mayUnasked(permissions, 'edit') ? 'auto-edit' : 'default');
    const allowed = [
      ...(mayUnasked(permissions, 'execute') ? ['run_shell_command'] : []),
      ...(mayUnasked(permissions, 'network') ? ['web_fetch'] : []),
    ];
    return {
      args: [
        `--approval-mode=${chosen}`,
        ...(allowed.length === 0 ? [] : [`--allowed-tools=${allowed.join(',')}`]),
      ],
      holds: mode === 'yolo' || mode === 'auto' ? [] : mode === 'auto-edit' ? ['execute', 'network'] : held,
    };
  },
  hear: (event) => [...hearStreamJson(event), ...usageIn(event)],
  acp: {
    program: 'qwen',
    args: ['--acp'],
    looks: ['plan'],
    env: () => Object.fromEntries(inherited.map((name) => [name, null])),
    holds: ({ access, mode }) => (access === 'look' || mode === undefined || mode === 'default' ? held : []),
  },
};

/** Each answer of its model has its own; the last event of a run, those of the session. */
function usageIn(event: unknown): HeardEvent[] {
  const tokens = countAt(event, 'message', 'usage', 'total_tokens');
  return tokens === undefined ? [] : [{ kind: 'usage', tokens }];
}
