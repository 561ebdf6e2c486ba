/** Copilot CLI with nobody before it. What would have to be approved it denies, unless options allow it. */
import type { PermissionName } from '../../core/plan/crew.ts';
import type { HeardEvent, Working } from '../../ports/runtime.ts';
import { countAt, fieldAt, mayUnasked, toolWords, wordsAt } from '../heard.ts';
import { saysSpent } from '../limit-words.ts';
import { inherited, looking } from './launch.ts';

const held: readonly PermissionName[] = ['edit', 'execute', 'network'];
const acpMode = 'https://agentclientprotocol.com/protocol/session-modes#';

export const working: Working = {
  headless: ({ access, mode, permissions }) => {
    if (access === 'look')
      return mode === undefined || mode === 'plan' ? { args: [looking], holds: held } : null;
    const may = (name: PermissionName): string => (mayUnasked(permissions, name) ? '--allow' : '--deny');
    const allowed = [
      `${may('edit')}-tool=write`,
      // Where it may write, a command that only writes into a file would run unasked.
      `${may('execute')}-tool=shell`,
      ...(mayUnasked(permissions, 'network') ? ['--allow-all-urls'] : []),
    ];
    return {
      args: [...allowed, ...(mode === undefined ? [] : [`--mode=${mode}`])],
      // In its autopilot it approves by itself.
      holds: mode === 'autopilot' ? [] : held,
    };
  },
  hear: (event) => {
    // Agents that it started speak in its session, and are no part of its answer.
    if (wordsAt(event, 'agentId') !== undefined) return [];
    switch (fieldAt(event, 'type')) {
      case 'assistant.message':
        return [...wordsIn(event), ...callsIn(event)];
      case 'assistant.usage':
        return usageIn(event);
      case 'session.error':
        return failureIn(event);
      case 'result':
        return sessionIn(event);
      default:
        return [];
    }
  },
  acp: {
    program: 'copilot',
    args: ['--acp'],
    looks: [`${acpMode}plan`],
    env: () => Object.fromEntries(inherited.map((name) => [name, null])),
    holds: ({ access, mode }) => (access === 'look' || !(mode ?? '').endsWith('autopilot') ? held : []),
  },
};

function wordsIn(event: unknown): HeardEvent[] {
  const thought = wordsAt(event, 'data', 'reasoningText');
  const said = wordsAt(event, 'data', 'content');
  return [
    ...(thought === undefined ? [] : [{ kind: 'thought', text: thought } as const]),
    ...(said === undefined ? [] : [{ kind: 'said', text: said } as const]),
  ];
}

function callsIn(event: unknown): HeardEvent[] {
  const requests = fieldAt(event, 'data', 'toolRequests');
  return (Array.isArray(requests) ? requests : []).flatMap((request: unknown): HeardEvent[] => {
    const tool = wordsAt(request, 'name');
    return tool === undefined ? [] : [{ kind: 'tool', text: toolWords(tool, fieldAt(request, 'arguments')) }];
  });
}

function usageIn(event: unknown): HeardEvent[] {
  const input = countAt(event, 'data', 'inputTokens');
  const output = countAt(event, 'data', 'outputTokens');
  return input === undefined && output === undefined
    ? []
    : [{ kind: 'usage', tokens: (input ?? 0) + (output ?? 0) }];
}

function failureIn(event: unknown): HeardEvent[] {
  const text = wordsAt(event, 'data', 'message') ?? '';
  const isSpent =
    fieldAt(event, 'data', 'errorType') === 'quota' ||
    fieldAt(event, 'data', 'statusCode') === 402 ||
    saysSpent(text);
  return isSpent ? [{ kind: 'limit', limit: 'usage', until: null }] : [{ kind: 'failed', text }];
}

function sessionIn(event: unknown): HeardEvent[] {
  const id = wordsAt(event, 'sessionId');
  return id === undefined ? [] : [{ kind: 'session', id }];
}
