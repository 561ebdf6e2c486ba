/**
 * Codex with nobody before it. It asks for nothing, and is held by its sandbox: what that does not allow fails. The sandbox keeps
 * commands from writing and from the network, and from nothing else.
 */
import type { HeardEvent, Working } from '../../ports/runtime.ts';
import { countAt, fieldAt, mayUnasked, wordsAt } from '../heard.ts';

const sandboxes: ReadonlySet<string> = new Set(['read-only', 'workspace-write', 'danger-full-access']);

export const working: Working = {
  headless: ({ access, mode, permissions }) => {
    const sandbox = mode ?? (access === 'look' ? 'read-only' : 'workspace-write');
    if (!sandboxes.has(sandbox) || (access === 'look' && sandbox !== 'read-only')) return null;
    if (sandbox === 'read-only') return { args: ['--sandbox=read-only'], holds: ['edit', 'network'] };
    if (sandbox === 'danger-full-access') return { args: [`--sandbox=${sandbox}`], holds: [] };
    const network = mayUnasked(permissions, 'network');
    return {
      args: [`--sandbox=${sandbox}`, '-c', `sandbox_workspace_write.network_access=${network}`],
      holds: ['network'],
    };
  },
  hear,
  acp: {
    program: 'codex-acp',
    args: [],
    looks: ['read-only'],
    holds: ({ access, mode }) => (access === 'look' || mode === 'read-only' ? ['edit', 'network'] : []),
  },
};

function hear(event: unknown): HeardEvent[] {
  const type = fieldAt(event, 'type');
  if (type === 'thread.started') {
    const id = wordsAt(event, 'thread_id');
    return id === undefined ? [] : [{ kind: 'session', id }];
  }
  if (type === 'turn.failed') return [{ kind: 'failed', text: wordsAt(event, 'error', 'message') ?? '' }];
  if (type === 'turn.completed') {
    const tokens =
      (countAt(event, 'usage', 'input_tokens') ?? 0) + (countAt(event, 'usage', 'output_tokens') ?? 0);
    // Of the session, also where it was gone on with.
    return [{ kind: 'usage', tokens, isWhole: true }];
  }
  return type === 'item.started' || type === 'item.completed'
    ? itemIn(fieldAt(event, 'item'), type === 'item.started')
    : [];
}

function itemIn(item: unknown, hasBegun: boolean): HeardEvent[] {
  const kind = fieldAt(item, 'type');
  const text = wordsAt(item, 'text');
  if (kind === 'agent_message' && text !== undefined) return [{ kind: 'said', text }];
  if (kind === 'reasoning' && text !== undefined) return [{ kind: 'thought', text }];
  const does = wordsAt(item, 'command') ?? wordsAt(item, 'tool') ?? wordsAt(item, 'query');
  return hasBegun && does !== undefined ? [{ kind: 'tool', text: does }] : [];
}
