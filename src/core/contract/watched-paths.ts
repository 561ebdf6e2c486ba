/**
 * Paths that only a person may approve changes of, as a contract should spell them: from the root of the workspace, with slashes.
 * What is spelled in another way and can only mean one thing is put right. What would match nothing, and so protect nothing, is refused.
 */
import type { Contract } from './contract.ts';
import { StaffettaError } from '../base/error.ts';
import { sanitizeLine } from '../base/sanitize.ts';

export interface WatchedPlace {
  /** Where the workspace is; null where nobody knows. */
  readonly root: string | null;
  readonly exists: (path: string) => boolean;
}

/** Those that stood in the contract before are left as they are. */
export function withWatchedPaths(contract: Contract, place: WatchedPlace, before?: Contract): Contract {
  const { protectedPaths, review } = contract;
  const stood = new Set([...(before?.protectedPaths ?? []), ...(before?.review?.policy?.paths ?? [])]);
  const spelled = (paths: readonly string[]): string[] => [
    ...new Set(paths.map((path) => (stood.has(path) ? path : watchedPath(path, place)))),
  ];
  const { policy } = review ?? {};
  return {
    ...contract,
    ...(protectedPaths === undefined ? {} : { protectedPaths: spelled(protectedPaths) }),
    ...(policy?.paths === undefined
      ? {}
      : { review: { ...review, policy: { ...policy, paths: spelled(policy.paths) } } }),
  };
}

export function watchedPath(given: string, place: WatchedPlace): string {
  const path = given.trim();
  if (/[\u0000-\u001f\u007f]/.test(path)) throw refused(given, 'holds a control character');
  if (path.startsWith('!'))
    throw refused(given, 'begins with "!", which takes nothing out here', 'Leave it out.');
  if (/\{[^},]*,[^}]*\}/.test(path))
    throw refused(given, 'has a list in braces, which is not read here', 'Name each path by itself.');
  const inside = fromRoot(path, given, place);
  if (inside.includes('\\'))
    throw refused(given, 'has a backslash', `Write it with slashes: ${inside.replaceAll('\\', '/')}`);
  if (inside.startsWith('~'))
    throw refused(given, 'begins with "~"', 'Write it from the root of the workspace, such as deploy/.');
  return resolved(inside, given);
}

/** An absolute path in the workspace, as one from its root. `/deploy` is read from the root already. */
function fromRoot(path: string, given: string, { root, exists }: WatchedPlace): string {
  const slashed = path.replaceAll('\\', '/');
  const isDrive = /^[A-Za-z]:\//.test(slashed);
  if (!isDrive && !slashed.startsWith('/')) return path;
  const base = root?.replaceAll('\\', '/').replace(/\/+$/, '');
  if (base !== undefined && base !== '' && (slashed === base || slashed.startsWith(`${base}/`)))
    return slashed.slice(base.length) || '/';
  const [first = '', ...rest] = slashed.split('/').filter((name) => name !== '');
  const isFromRoot = !isDrive && !path.includes('\\') && (rest.length === 0 || exists(first));
  if (isFromRoot) return path;
  throw refused(
    given,
    `is absolute and not in the workspace${root === null ? '' : ` ${root}`}`,
    'Write it from the root of the workspace, such as deploy/.',
  );
}

function resolved(path: string, given: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) throw refused(given, 'leads out of the workspace');
  }
  if (names.length === 0) return '**';
  // What was read from the root stays so, and so does what is meant as a folder.
  const rooted = path.startsWith('/') ? '/' : '';
  return `${rooted}${names.join('/')}${/\/\.?$/.test(path) ? '/' : ''}`;
}

function refused(path: string, fault: string, hint?: string): StaffettaError {
  return new StaffettaError(
    'invalid-input',
    `The path ${sanitizeLine(path)} ${fault}: it would protect nothing.`,
    {
      details: { path },
      hint: hint ?? 'Write it from the root of the workspace, such as deploy/ or **/*.pem.',
    },
  );
}
