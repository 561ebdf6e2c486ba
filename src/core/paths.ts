/**
 * Which paths of a foreign tree may be created here. Paths are relative to the workspace root, with `/` between components.
 *
 * Two kinds of fault. A `forged` path cannot come from a capture: whoever made the manifest tampered with it, and the whole
 * manifest is refused. An `unsafe` path may exist in an honest tree, but on some file system it is another file than it seems, or it
 * lies to whoever reads it: it is left out and listed.
 *
 * Names are compared folded, as the least careful file system would: HFS+ and APFS ignore case, normalisation and invisible
 * characters; NTFS ignores case, dots and spaces at the end, everything from a colon on, and offers short names such as `git~1`.
 */
import { limits } from './limits.ts';

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
  'link-through-link',
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
  'link-through-link': 'the link points to or through another link',
};

const componentBytesMax = 255;
const depthMax = 256;
/** Invisible or direction-changing. A variation selector is taken where it belongs, behind a character that has variants. */
const hidden =
  /(?![\ufe00-\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Zl}\p{Zp}]|(?:^|[\u0000-\u007f])[\ufe00-\ufe0f]/u;
const everyHidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])[ ]*(?:$|[.:])/i;
const shortName = /^[^.]{1,6}~[1-9][0-9]{0,5}(?:\.[^.]{0,3})?$/;

/** How the least careful file system reads one component. */
export function foldName(name: string): string {
  return name
    .replace(everyHidden, '')
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

export function pathFault(path: string): ForgedReason | UnsafeReason | undefined {
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
  if (path.includes('\\')) return 'backslash';
  if (Buffer.byteLength(path) > limits.pathBytesMax || names.length > depthMax) return 'too-long';
  if (/^[A-Za-z]:/.test(path)) return 'drive';
  for (const name of names) {
    const fault = nameFault(name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function nameFault(name: string): UnsafeReason | undefined {
  if (Buffer.byteLength(name) > componentBytesMax) return 'too-long';
  if (/[\u0001-\u001f\u007f-\u009f]/.test(name)) return 'control-character';
  if (hidden.test(name) || !name.isWellFormed()) return 'hidden-character';
  if (/:\s*\$|::/.test(name)) return 'stream';
  if (shortName.test(name)) return 'short-name';
  if (device.test(name)) return 'device';
  return undefined;
}

/**
 * Where a link at `path` may point: relative, down from its folder or up and then down, never out of the workspace. Going up is
 * allowed only at the beginning: after a component that might itself be a link, `..` does not lead where it seems to.
 * Whether a component is a link can only be seen on disk; `linkSteps` names the paths to look at.
 */
export function linkFault(path: string, target: string): UnsafeReason | undefined {
  if (target === '' || target.startsWith('/') || /[\\\u0000-\u001f\u007f-\u009f]/.test(target))
    return 'link-target';
  if (/^[A-Za-z]:/.test(target) || hidden.test(target) || Buffer.byteLength(target) > limits.pathBytesMax)
    return 'link-target';
  const parts = target.split('/').filter((part, i, all) => part !== '' || i < all.length - 1);
  if (parts.some((part) => part === '' || part === '.')) return 'link-target';
  const ups = parts.findIndex((part) => part !== '..');
  const up = ups === -1 ? parts.length : ups;
  if (parts.slice(up).includes('..')) return 'link-target';
  if (up > path.split('/').length - 1) return 'link-outside';
  const landed = landing(path, parts, up);
  if (landed.some(isGitName)) return 'link-into-git';
  if (foldName(landed[0] ?? '') === '.staffetta') return 'link-outside';
  return undefined;
}

function landing(path: string, parts: readonly string[], up: number): string[] {
  const folder = path.split('/').slice(0, -1);
  return [...folder.slice(0, folder.length - up), ...parts.slice(up)];
}

/** The paths that a sound link passes through, its end included: none of them may be a link. */
export function linkSteps(path: string, target: string): string[] {
  const parts = target.split('/').filter((part) => part !== '');
  const ups = parts.findIndex((part) => part !== '..');
  if (ups === -1) return [];
  const folder = path.split('/').slice(0, -1);
  const base = folder.slice(0, folder.length - ups);
  return parts.slice(ups).map((_, i) => [...base, ...parts.slice(ups, ups + i + 1)].join('/'));
}

/** Paths that some file system would confuse with another one of the list, or whose folder it would. */
export function collisions(paths: Iterable<string>): Set<string> {
  const all = [...paths];
  const spellings = new Map<string, Set<string>>();
  for (const path of all) {
    for (const { folded, spelled } of prefixes(path)) {
      const known = spellings.get(folded);
      if (known === undefined) spellings.set(folded, new Set([spelled]));
      else known.add(spelled);
    }
  }
  return new Set(
    all.filter((path) => prefixes(path).some(({ folded }) => (spellings.get(folded)?.size ?? 0) > 1)),
  );
}

/** A path and the folders above it, as written and as the least careful file system reads them. */
function prefixes(path: string): { readonly folded: string; readonly spelled: string }[] {
  let folded = '';
  let spelled = '';
  return path.split('/').map((name) => {
    folded += `/${foldName(name)}`;
    spelled += `/${name}`;
    return { folded, spelled };
  });
}
