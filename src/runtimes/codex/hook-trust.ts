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
import { canonical } from '../../core/journal/canonical.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { hookEvents } from '../../setup/forms/entries.ts';
import { ownHandlers } from '../../setup/edit/json-hooks.ts';

export interface HookTrust {
  readonly event: string;
  readonly key: string;
  readonly hash: string;
}

const timeoutSecondsDefault = 600;
/** Whatever is asked for. */
const endSecondsMax = 3;

/** Of our hooks in the text of a hooks.json that lies at a path. */
export function trustOf(path: string, text: string): HookTrust[] {
  return ownHandlers(text).map(({ event, group, place, matcher, handler }) => ({
    event,
    key: `${path}:${snake(event)}:${group}:${place}`,
    hash: hashOf(event, matcher, handler),
  }));
}

function hashOf(event: string, matcher: unknown, handler: Readonly<Record<string, unknown>>): string {
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

/** One for each place that a hook of ours may have had in a hooks.json, whatever it was. */
export function anyTrust(path: string): HookTrust[] {
  return hookEvents('codex').map((event) => ({ event, key: `${path}:${snake(event)}:0:0`, hash: '' }));
}

/** The hooks.json that a key speaks of. */
export function hooksFileOf(key: string): string {
  return key.replace(/:\w+:\d+:\d+$/, '');
}

type Config = Readonly<Record<string, unknown>>;

/** Those of our hooks that a config.toml, as it was parsed, does not trust as they are now. */
export function untrusted(trusts: readonly HookTrust[], config: Config): HookTrust[] {
  return trusts.filter(({ key, hash }) => stateOf(key, config).trusted_hash !== hash);
}

/** Those that somebody switched off, as `/hooks` in Codex does; trust is another matter. */
export function disabled(trusts: readonly HookTrust[], config: Config): HookTrust[] {
  return trusts.filter(({ key }) => stateOf(key, config).enabled === false);
}

function stateOf(
  key: string,
  config: Config,
): { readonly trusted_hash?: unknown; readonly enabled?: unknown } {
  const hooks = config['hooks'] as { readonly state?: unknown } | undefined;
  const state = (hooks?.state ?? {}) as Readonly<Record<string, unknown>>;
  return state[key] ?? {};
}
