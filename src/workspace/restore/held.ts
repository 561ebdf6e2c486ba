import { foldPath } from '../../core/tree/paths.ts';
import { globMatcher } from '../../core/base/glob.ts';
import { heldPaths, pushedPaths, type HeldPath } from './held-paths.ts';
import { hasStrangeDot } from './ordinary.ts';

interface Rule {
  readonly pattern: string;
  readonly matches: (path: string) => boolean;
  readonly reason: string;
}

function rulesOf(paths: readonly HeldPath[]): Rule[] {
  return paths.map(({ pattern, reason }) => ({
    pattern: pattern.toLowerCase(),
    matches: globMatcher(pattern.toLowerCase()),
    reason,
  }));
}

const rules = rulesOf(heldPaths);
const pushed = rulesOf(pushedPaths);

const strange =
  'is a dot-file, or lies in a dot-folder, that is not known to be ordinary: programs load such files unasked';

/**
 * Why a path is held back, or undefined. It is compared as the least careful file system would read it, so that `.VSCODE ` or
 * `.vscode::$INDEX_ALLOCATION` are no way around.
 */
export function heldReason(path: string): string | undefined {
  const folded = foldPath(path);
  return rules.find((rule) => rule.matches(folded))?.reason ?? (hasStrangeDot(folded) ? strange : undefined);
}

/** Why a reviewer looks at a path first, or undefined: what a restore holds back, and what acts once it is pushed. */
export function reviewReason(path: string): string | undefined {
  const folded = foldPath(path);
  return pushed.find((rule) => rule.matches(folded))?.reason ?? heldReason(path);
}

/** Why something is held back that a link of that name may lead to: `.github` brings whatever instructions lie where it points. */
export function heldWithin(path: string): string | undefined {
  const folded = foldPath(path);
  return rules.find(({ pattern }) => pattern.startsWith(`${folded}/`))?.reason;
}

/** What the user allowed, by path or glob. */
export function allower(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.map((pattern) => globMatcher(pattern));
  return (path) => matchers.some((matches) => matches(path));
}
