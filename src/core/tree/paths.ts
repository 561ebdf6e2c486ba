/**
 * Which paths of a foreign tree may be created here. Paths are relative to the workspace root, with `/` between components.
 *
 * Two kinds of fault. A `forged` path cannot come from a capture: the author of the manifest tampered with it, and the whole
 * manifest is refused. An `unsafe` path may exist in an honest tree, but it lies to its reader, or it is another file than it
 * seems on the system where it would be created: it is left out and listed. A name that only some other system misreads is
 * taken; `NameRules` says how this one reads names.
 *
 * What must never be reached, git's own folder and ours, is compared folded, as the least careful file system would read it, wherever we
 * are: HFS+ and APFS ignore case, normalisation and invisible characters; NTFS ignores case, dots and spaces at the end, everything
 * from a colon on, and offers short names such as `git~1`.
 */
import { limits } from '../base/limits.ts';

export const forgedReasons = ['empty', 'absolute', 'traversal', 'git-folder', 'own-folder', 'nul'] as const;
export const unsafeReasons = [
  'control-character',
  'hidden-character',
  'backslash',
  'drive',
  'stream',
  'short-name',
  'device',
  'too-long',
  'collision',
  'link-target',
  'link-outside',
  'link-into-git',
  'link-loop',
] as const;
export type ForgedReason = (typeof forgedReasons)[number];
export type UnsafeReason = (typeof unsafeReasons)[number];

const forged: ReadonlySet<string> = new Set(forgedReasons);
export function isForged(reason: ForgedReason | UnsafeReason): reason is ForgedReason {
  return forged.has(reason);
}

/** For people. */
export const pathFaultWords: Readonly<Record<ForgedReason | UnsafeReason, string>> = {
  empty: 'the path or one of its parts is empty',
  absolute: 'the path is absolute',
  traversal: 'the path leaves the workspace',
  'git-folder': "the path leads into git's own folder",
  'own-folder': "the path leads into staffetta's own folder",
  nul: 'the path holds a NUL',
  'control-character': 'the name holds a control character or escape sequence',
  'hidden-character': 'the name holds a character that is invisible or changes the reading direction',
  backslash: 'the name holds a backslash, which separates folders on Windows',
  drive: 'the name begins like a Windows drive',
  stream: 'the name addresses a hidden stream of an NTFS file',
  'short-name': 'the name has the form of an NTFS short name, which stands for another file',
  device: 'the name is a device on Windows',
  'too-long': 'the path or one of its parts is too long',
  collision: 'the name differs from another only by case or Unicode form',
  'link-target': 'the link target is absolute, odd or empty',
  'link-outside': 'the link points out of the workspace',
  'link-into-git': "the link points into git's own folder",
  'link-loop': 'the link leads in circles, or through more links than are followed',
};

/** How the system that a path is created on reads names. */
export interface NameRules {
  /** Devices, short names, streams, drives and backslashes mean something. */
  readonly windows: boolean;
  /** Names that differ only by case are one. */
  readonly caseless: boolean;
  /** Names that differ only by their Unicode form are one. */
  readonly normalizing: boolean;
}

/** Names that are told apart byte by byte. */
export const exactNames: NameRules = { windows: false, caseless: false, normalizing: false };
/** As careless as any system is. */
export const looseNames: NameRules = { windows: true, caseless: true, normalizing: true };

const componentBytesMax = 255;
const depthMax = 256;
const control = /[\u0000-\u001f\u007f-\u009f]/;
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])[ ]*(?:$|[.:])/i;
const shortName = /^[^.]{1,6}~[1-9][0-9]{0,5}(?:\.[^.]{0,3})?$/;
/** Most names are, and need none of the tables of Unicode, which take as long to read as a small file. */
const ascii = /^[\u0000-\u007f]*$/;

/**
 * Invisible or direction-changing. A variation selector is taken where it belongs, behind a character that has variants, and a
 * joiner between two letters or signs that it joins: Persian and emoji are written with them.
 */
function hasHidden(text: string): boolean {
  if (ascii.test(text)) return false;
  return /(?![\ufe00-\ufe0f]|(?<=[^\u0000-\u007f\u200c\u200d])[\u200c\u200d](?=[^\u0000-\u007f\u200c\u200d]))[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Zl}\p{Zp}]|(?:^|[\u0000-\u007f])[\ufe00-\ufe0f]/u.test(
    text,
  );
}

function withoutHidden(name: string): string {
  if (ascii.test(name)) return name;
  return name.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, '');
}

/** How the least careful file system reads one component. */
export function foldName(name: string): string {
  return withoutHidden(name)
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/(?!^):.*$/s, '')
    .replace(/(?!^)[. ]+$/, '');
}

export function foldPath(path: string): string {
  return path.split('/').map(foldName).join('/');
}

export function isGitName(name: string): boolean {
  const folded = foldName(name);
  return folded === '.git' || /^git~[0-9]+$/.test(folded);
}

export function pathFault(
  path: string,
  rules: NameRules = looseNames,
): ForgedReason | UnsafeReason | undefined {
  if (path === '') return 'empty';
  if (path.includes('\0')) return 'nul';
  if (path.startsWith('/')) return 'absolute';
  const names = path.split('/');
  // A backslash separates on Windows: what hides behind one is looked at as well.
  const spelled = path.split(/[/\\]/);
  if (names.includes('')) return 'empty';
  if (spelled.some((name) => name === '.' || name === '..')) return 'traversal';
  if (spelled.some(isGitName)) return 'git-folder';
  if (foldName(spelled[0] ?? '') === '.staffetta') return 'own-folder';
  if (rules.windows && path.includes('\\')) return 'backslash';
  if (Buffer.byteLength(path) > limits.pathBytesMax || names.length > depthMax) return 'too-long';
  if (rules.windows && /^[A-Za-z]:/.test(path)) return 'drive';
  for (const name of names) {
    const fault = nameFault(name, rules);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function nameFault(name: string, { windows }: NameRules): UnsafeReason | undefined {
  if (Buffer.byteLength(name) > componentBytesMax) return 'too-long';
  if (control.test(name)) return 'control-character';
  if (hasHidden(name) || !name.isWellFormed()) return 'hidden-character';
  if (!windows) return undefined;
  if (/:\s*\$|::/.test(name)) return 'stream';
  if (shortName.test(name)) return 'short-name';
  if (device.test(name)) return 'device';
  return undefined;
}

/** What is wrong with the words of a link, wherever it leads. */
export function targetFault(target: string, { windows }: NameRules): 'link-target' | undefined {
  const odd =
    target === '' ||
    target.startsWith('/') ||
    control.test(target) ||
    hasHidden(target) ||
    !target.isWellFormed() ||
    Buffer.byteLength(target) > limits.pathBytesMax ||
    (windows && /\\|^[A-Za-z]:/.test(target));
  return odd ? 'link-target' : undefined;
}

/** Paths that the file system would confuse with another one of the list, or whose folder it would. */
export function collisions(paths: Iterable<string>, rules: NameRules = looseNames): Set<string> {
  const fold = folder(rules);
  if (fold === undefined) return new Set();
  const all = [...paths];
  const spellings = new Map<string, Set<string>>();
  for (const path of all) {
    for (const { folded, spelled } of prefixes(path, fold)) {
      const known = spellings.get(folded);
      if (known === undefined) spellings.set(folded, new Set([spelled]));
      else known.add(spelled);
    }
  }
  return new Set(
    all.filter((path) => prefixes(path, fold).some(({ folded }) => (spellings.get(folded)?.size ?? 0) > 1)),
  );
}

/** Undefined where a name is exactly what it is. */
function folder({ windows, caseless, normalizing }: NameRules): ((name: string) => string) | undefined {
  if (windows || caseless) return foldName;
  return normalizing ? (name) => withoutHidden(name).normalize('NFC') : undefined;
}

/** A path and the folders above it, as written and as the file system reads them. */
function prefixes(
  path: string,
  fold: (name: string) => string,
): { readonly folded: string; readonly spelled: string }[] {
  let folded = '';
  let spelled = '';
  return path.split('/').map((name) => {
    folded += `/${fold(name)}`;
    spelled += `/${name}`;
    return { folded, spelled };
  });
}
