/**
 * What the receiver's git would run or read in a tree: a hooks folder, an included configuration file, a program that a
 * setting names. Written by a restore, it would take effect at the next git command, so it is held back like any hook.
 *
 * Settings that name one place are read as that place; settings that hold a command are cut into words, and each word that could be
 * a path is one. A word may be read as a path where it is none: then somebody has to allow a file that bears that name.
 */
import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { foldPath } from '../../core/tree/paths.ts';
import { configGit, type Setting } from './guard.ts';
import type { Repository } from './locate.ts';
import { git, records } from './spawn.ts';
import { inside } from '../inside.ts';

/** A place in the tree that git uses, and why. */
export interface Pointed {
  /** Folded. */
  readonly path: string;
  /** What lies in it counts as well. */
  readonly folder: boolean;
  /** The setting that names it. */
  readonly by: string;
}

/** Read from where git runs a hook or command: the top of the tree. */
const folders = /^core\.hookspath$|^init\.templatedir$/;
const files = /^core\.attributesfile$/;
/** Read from the folder of the file that they stand in. */
const includes = /^include(?:if\..*)?\.path$/s;
const commands = new RegExp(
  [
    String.raw`^core\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)$`,
    String.raw`^(?:sequence\.editor|diff\.external|interactive\.difffilter|uploadpack\.packobjectshook)$`,
    String.raw`^(?:gpg|credential)\.(?:.*\.)?(?:program|defaultkeycommand|helper)$`,
    String.raw`^(?:filter|diff|merge)\..*\.(?:clean|smudge|process|command|textconv|driver)$`,
    String.raw`^(?:mergetool|difftool|browser|man|guitool)\..*\.(?:cmd|path)$`,
    String.raw`^(?:hook|trailer)\..*\.(?:command|cmd)$`,
    String.raw`^(?:remote\..*\.(?:uploadpack|receivepack)|submodule\..*\.update|sendemail\..*cmd)$`,
    String.raw`^(?:pager|alias)\.`,
  ].join('|'),
  's',
);

const hookName =
  /^(?:(?:pre|post|p4|proc)-[^/]*|[^/]*-msg|update|reference-transaction|push-to-checkout|sendemail-validate|fsmonitor-[^/]*)$/;

/** What git uses in a tree with that root: this one, or one that is still to be made. */
export async function pointedIn(repository: Repository, root: string): Promise<Pointed[]> {
  const settings = await readSettings(repository);
  const found = settings.flatMap((setting) => placesOf(setting, root, repository));
  return [...found, ...hookLinks(repository, settings, root)];
}

/** Which setting a path, or a folder around it, is named by. */
export function pointedBy(path: string, pointed: readonly Pointed[]): string | undefined {
  const folded = foldPath(path);
  // Where the root of a tree is the hooks folder, most of what lies there is something else.
  const holds = (folder: string): boolean =>
    folder === '' ? hookName.test(folded) : folded.startsWith(`${folder}/`);
  return pointed.find(({ path: place, folder }) => folded === place || (folder && holds(place)))?.by;
}

/** Which setting names something inside of what would be reached through a link of that name. */
export function pointedWithin(path: string, pointed: readonly Pointed[]): string | undefined {
  const folded = foldPath(path);
  return pointed.find(({ path: place }) => place.startsWith(`${folded}/`))?.by;
}

async function readSettings(repository: Repository): Promise<Setting[]> {
  const { stdout } = await git(configGit(repository), ['config', '--list', '-z', '--show-origin']);
  const words = [...records(stdout)].map((word) => word.toString('utf8'));
  const settings: Setting[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [origin = '', setting = ''] = words.slice(i, i + 2);
    const cut = setting.indexOf('\n');
    if (cut === -1) continue;
    settings.push({
      file: origin.startsWith('file:') ? resolve(repository.cwd, origin.slice(5)) : undefined,
      key: setting.slice(0, cut).toLowerCase(),
      value: setting.slice(cut + 1),
    });
  }
  return settings;
}

function placesOf({ file, key, value }: Setting, root: string, repository: Repository): Pointed[] {
  if (value === '') return [];
  const place = (path: string | undefined, folder: boolean): Pointed[] =>
    path === undefined ? [] : [{ path: foldPath(path), folder, by: key }];
  const home = repository.given['HOME'] ?? homedir();
  if (folders.test(key) || files.test(key))
    return place(inTree(expanded(value, home), root, root), folders.test(key));
  if (includes.test(key))
    return place(inTree(expanded(value, home), file === undefined ? root : dirname(file), root), false);
  if (!commands.test(key) || (key.startsWith('alias.') && !value.startsWith('!'))) return [];
  return wordsOf(value).flatMap((word) => {
    const path = inTree(expanded(word, home), root, root) ?? inTree(`./${word}`, root, root);
    // The root itself is where every command runs: it says nothing.
    return path === '' ? [] : place(path, word.includes('/'));
  });
}

/** What could be a path. A first word without a slash is looked up along PATH, not in the tree. */
function wordsOf(command: string): string[] {
  return command
    .split(/[\s'"`;|&<>(){}=$!,]+/)
    .filter((word) => word !== '')
    .filter((word, i) => !word.startsWith('-') && (i > 0 || word.includes('/')));
}

function expanded(path: string, home: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}

/** Where a path lies in the tree, links on the way to it followed; undefined if it does not. */
function inTree(path: string, base: string, root: string): string | undefined {
  const full = resolve(base, path);
  return inside(root, full) ?? inside(root, realOf(full));
}

/** Without links, whether or not it exists. */
function realOf(path: string, depth = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    if (above === path || depth > 64) return path;
    const target = targetOf(path);
    const folder = realOf(above, depth + 1);
    return target === undefined ? join(folder, basename(path)) : realOf(resolve(folder, target), depth + 1);
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Hooks that are links into the tree. */
function hookLinks(repository: Repository, settings: readonly Setting[], root: string): Pointed[] {
  const named = settings.findLast(({ key }) => key === 'core.hookspath')?.value ?? '';
  const home = repository.given['HOME'] ?? homedir();
  const folder = named === '' ? join(repository.commonFolder, 'hooks') : resolve(root, expanded(named, home));
  return namesIn(folder).flatMap((name) => {
    const hook = join(folder, name);
    const path = targetOf(hook) === undefined ? undefined : inside(root, realOf(hook));
    return path === undefined ? [] : [{ path: foldPath(path), folder: false, by: `the hook ${name}` }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
