/**
 * Codex runs a hook of a hooks.json only if the user's config.toml holds the hash of exactly that hook, and skips others without a word.
 * The hash is over the canonical JSON of the event, the matcher and the one handler with its defaults filled in; seen by asking
 * `hooks/list` of Codex 0.166.0, which also tells whether it trusts it.
 *
 *   [hooks.state."/home/ada/.codex/hooks.json:session_start:0:0"]
 *   trusted_hash = "sha256:…"
 *
 * The key names the file, the event, the place of the group in the event's list and of the handler in the group.
 */
import { canonical } from '../core/canonical.ts';
import { digestOf } from '../core/digest.ts';
import { isOwnElement } from './entries.ts';
import { nodeAt } from './json-edit.ts';
import { parseTree, valueOf } from './json-tree.ts';

export interface HookTrust {
  readonly event: string;
  readonly key: string;
  readonly hash: string;
}

interface Group {
  readonly matcher?: unknown;
  readonly hooks?: readonly Readonly<Record<string, unknown>>[];
}

const timeoutSecondsDefault = 600;
/** Whatever is asked for. */
const endSecondsMax = 3;

/** Of our hooks in the text of a hooks.json that lies at a path. */
export function trustOf(path: string, text: string): HookTrust[] {
  const events = nodeAt(parseTree(text), ['hooks']);
  if (events?.kind !== 'object') return [];
  return events.members.flatMap(({ key: event, node }) => {
    const groups = valueOf(node);
    if (!Array.isArray(groups)) return [];
    return groups.flatMap((group: Group, at) =>
      isOwnElement(group)
        ? [{ event, key: `${path}:${snake(event)}:${at}:0`, hash: hashOf(event, group) }]
        : [],
    );
  });
}

function hashOf(event: string, { matcher, hooks = [] }: Group): string {
  const [handler = {}] = hooks;
  const asked = Number(handler['timeout'] ?? timeoutSecondsDefault);
  const timeout = event === 'SessionEnd' ? Math.min(asked, endSecondsMax) : asked;
  const identity = {
    event_name: snake(event),
    ...(typeof matcher === 'string' ? { matcher } : {}),
    hooks: [{ async: false, command: handler['command'], timeout, type: 'command' }],
  };
  return digestOf(canonical(identity));
}

function snake(event: string): string {
  return event.replaceAll(/(?!^)([A-Z])/g, '_$1').toLowerCase();
}

export function trustLines(trusts: readonly HookTrust[]): string[] {
  return trusts.flatMap(({ key, hash }) => [
    `[hooks.state.${JSON.stringify(key)}]`,
    `trusted_hash = ${JSON.stringify(hash)}`,
  ]);
}

/** Those of our hooks that a config.toml does not trust as they are now. */
export function untrusted(trusts: readonly HookTrust[], config: string): HookTrust[] {
  return trusts.filter(({ key, hash }) => {
    const table = [`[hooks.state.${JSON.stringify(key)}]`, `[hooks.state.'${key}']`].find((head) =>
      config.includes(head),
    );
    if (table === undefined) return true;
    const after = config.slice(config.indexOf(table) + table.length).split(/^\s*\[/m, 1)[0] ?? '';
    return !after.includes(hash) || /^\s*enabled\s*=\s*false/m.test(after);
  });
}
