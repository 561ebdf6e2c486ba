/**
 * What the exit status of a whole line says of the commands in it, and which commands those are.
 *
 * A line that ended well proves that all of it did only where the failure of any command makes the line fail: commands joined by `&&`,
 * last in their pipelines or under `pipefail`. What stands before a `;` counts for nothing unless `set -e` holds, so only what is
 * harmless may stand there. Whatever cannot be judged (`||`, `!`, `&`, compound commands, substitutions) proves nothing.
 */
import { isHarmlessCommand } from './proving.ts';
import { simpleCommands, type SimpleCommand } from './shell-line.ts';

type Pipeline = readonly SimpleCommand[];

/** `folder`: of the session. */
export function statusProves(line: string, folder: string | null): boolean {
  const parts = structureOf(line);
  if (parts === null || parts.some(({ after, words }) => after === '||' || hides(words, folder)))
    return false;
  const isHarmless = ({ words }: SimpleCommand): boolean => isHarmlessCommand(words, folder);
  const sets = parts.filter(({ words }) => words[0] === 'set');
  if (sets.some(({ words }) => words.some((word) => word.startsWith('+')))) return false;
  // In a subshell it holds there only.
  if (sets.length > 0 && /[()]/.test(line)) return false;
  const first = parts.findIndex((part) => !isHarmless(part));
  const options = parts
    .slice(0, Math.max(first, 0))
    .flatMap(({ words }) => (words[0] === 'set' ? words : []));
  const failsInPipes = options.includes('pipefail');
  const stops = options.some((option) => /^-[a-z]*e/.test(option));
  const lists = listsOf(parts);
  return lists.every((list, at) =>
    list.every((pipeline, i) => {
      if (pipeline.every(isHarmless)) return true;
      // The last of a pipeline decides, whatever became of those before it.
      if (!failsInPipes && !pipeline.slice(0, -1).every(isHarmless)) return false;
      // `set -e` does not stop at what `&&` stands behind.
      return at === lists.length - 1 || (stops && i === list.length - 1);
    }),
  );
}

/** A line as lists that `;` ends, of pipelines that `&&` joins. */
function listsOf(parts: readonly SimpleCommand[]): Pipeline[][] {
  const lists: SimpleCommand[][][] = [];
  for (const part of parts) {
    const list = lists.at(-1);
    if (list === undefined || part.after === ';') lists.push([[part]]);
    else if (part.after === '|') list.at(-1)?.push(part);
    else list.push([part]);
  }
  return lists;
}

/** They turn the outcome round, throw it away, or run something else than their words. */
const compound =
  /^(?:!|\{|\}|if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|coproc|eval|trap|ssh)$/;
const shells = /(?:^|\/)(?:ba|z|da|k)?sh$/;

function hides(words: readonly string[], folder: string | null): boolean {
  const first = words.find((word) => !isAssignment(word));
  if (first !== undefined && compound.test(first)) return true;
  const at = words.findIndex((word, i) => shells.test(word) && /^-\w*c$/.test(words[i + 1] ?? ''));
  return at >= 0 && !statusProves(words[at + 2] ?? '', folder);
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}

/** Where output goes and what a variable holds does not matter to how a line is joined. */
const target = /(?:\d|&)?>>?\s*[^\s;|&<>()"'$`]+|(?<!<)<\s*[^\s;|&<>()"'$`]+/g;
const variable = /\$(?:\w+|\{\w+\})/g;

function structureOf(line: string): SimpleCommand[] | null {
  const text = line
    .split("'")
    .map((piece, i) => (i % 2 === 1 ? piece : piece.replace(variable, 'x').replace(target, '')))
    .join("'");
  return simpleCommands(text.trim());
}

/** Options that only change what is printed. */
const printing = /^(?:-[qv]+|--(?:quiet|verbose|silent)|--tb=\w+)$/;

/**
 * What a line runs besides the harmless, each command with the folder that it runs in, as seen from that of the session. Empty where
 * that cannot be told: then it is like no other line.
 */
export function commandsIn(line: string, folder: string | null): string[] {
  const parts = structureOf(line);
  // Where a subshell ends, its folder does.
  if (parts === null || /[()]/.test(line.trim().replace(/^\(([^()]*)\)$/, '$1'))) return [];
  const commands: string[] = [];
  let at = '';
  for (const { words } of parts) {
    if (words[0] === 'cd' || words[0] === 'pushd') {
      const place = words.length === 2 ? placeFrom(at, words[1] ?? '', folder) : null;
      if (place === null) return [];
      at = place;
    } else if (words[0] === 'popd') return [];
    else if (!isHarmlessCommand(words, folder))
      commands.push(JSON.stringify([at, ...words.filter((word) => !printing.test(word))]));
  }
  return commands;
}

/** Relative to the folder of the session where it is known and around it: empty for that folder itself. Null where nobody knows. */
export function placeFrom(at: string, to: string, folder: string | null): string | null {
  if (/^[~-]|^[A-Za-z]:|\\/.test(to) || to === '') return null;
  const base = folder === null ? null : normal(folder);
  const path = normal(to.startsWith('/') ? to : `${at}/${to}`.replace(at === '' ? /^\// : /^$/, ''));
  if (base === null || !path.startsWith('/')) return path;
  return path === base ? '' : path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
