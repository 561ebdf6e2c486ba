/** Gemini CLI with nobody before it. Tools that would have to be approved are not offered to its model, unless options allow them. */
import type { PermissionName } from '../../core/plan/crew.ts';
import type { HeardEvent, Working } from '../../ports/runtime.ts';
import { countAt, fieldAt, mayUnasked, toolWords, wordsAt } from '../heard.ts';

/** Its file tools refuse whatever lies outside the workspace. */
const held: readonly PermissionName[] = ['edit', 'execute', 'network', 'outside'];

export const working: Working = {
  headless: ({ access, mode, permissions }) => {
    if (access === 'look')
      return mode === undefined || mode === 'plan' ? { args: ['--approval-mode=plan'], holds: held } : null;
    const chosen = mode ?? (mayUnasked(permissions, 'edit') ? 'auto_edit' : 'default');
    const allowed = [
      ...(mayUnasked(permissions, 'execute') ? ['run_shell_command'] : []),
      ...(mayUnasked(permissions, 'network') ? ['web_fetch', 'google_web_search'] : []),
    ];
    return {
      // It says that this option will go; until then it is the only one that is not a file.
      args: [
        `--approval-mode=${chosen}`,
        ...(allowed.length === 0 ? [] : [`--allowed-tools=${allowed.join(',')}`]),
      ],
      holds: mode === 'yolo' ? ['outside'] : mode === 'auto_edit' ? held.slice(1) : held,
    };
  },
  hear,
  acp: {
    program: 'gemini',
    args: ['--acp'],
    looks: ['plan'],
    holds: ({ access, mode }) => (access === 'look' || mode === undefined || mode === 'default' ? held : []),
  },
};

function hear(event: unknown): HeardEvent[] {
  switch (fieldAt(event, 'type')) {
    case 'init': {
      const id = wordsAt(event, 'session_id');
      return id === undefined ? [] : [{ kind: 'session', id }];
    }
    case 'message': {
      const text = wordsAt(event, 'content');
      return text === undefined || fieldAt(event, 'role') !== 'assistant' ? [] : [{ kind: 'said', text }];
    }
    case 'tool_use':
      return [
        { kind: 'tool', text: toolWords(wordsAt(event, 'tool_name') ?? '', fieldAt(event, 'parameters')) },
      ];
    case 'result': {
      const used: HeardEvent = { kind: 'usage', tokens: countAt(event, 'stats', 'total_tokens') ?? 0 };
      if (fieldAt(event, 'status') !== 'error') return [used];
      return [used, { kind: 'failed', text: wordsAt(event, 'error', 'message') ?? '' }];
    }
    default:
      return [];
  }
}
