import { trustOf, type HookTrust } from './codex-trust.ts';
import { textAt } from './edit/file-bytes.ts';

/** The trust in our hooks of the hooks.json at a path, or that was there and lies elsewhere. One that is not there, or makes no sense, has none of ours. */
export function trustsAt(hooks: string, now: string = hooks): readonly HookTrust[] {
  try {
    return trustOf(hooks, textAt(now) ?? '');
  } catch {
    return [];
  }
}
