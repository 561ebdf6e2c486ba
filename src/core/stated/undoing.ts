/**
 * Whether a step takes back what the session did before it:
 *
 *   by git        checkout of files, restore, revert, reset --hard, stash, clean: once something was edited
 *   by an edit    that turns an earlier one round, or writes a text that the file had before the last one
 *   by deleting   a file that the session made
 *   by removing   a package that it added
 *
 * Steps are given one by one, in their order. What a call that failed would have done does not count.
 */
import type { Call, Json } from '../transcript/step.ts';
import type { StoryStep } from '../transcript/story.ts';
import { editedBy, patchIn } from './edits.ts';
import { commandOf } from './runs.ts';

/** Of each file so many earlier texts are remembered, and so many edits in all. */
const versionsMax = 20;
const editsMax = 2000;
/** Shorter pieces of text come and go by chance. */
const pieceCharsMin = 3;

const byGit =
  /\bgit (?:-C \S+ )?(?:checkout (?:[^\s-]\S* )?(?:--(?= )|\.(?= |$))|checkout (?:HEAD )?[\w./-]*\w\.\w{1,5}(?= |$)|restore\b(?! --staged)|revert\b|reset --hard|stash\b(?! (?:pop|apply|list|show|drop))|clean -\w*f)/;
const added =
  /\b(?:npm|pnpm|yarn|bun|pip3?|cargo|go|gem|composer|uv|poetry) (?:install|i|add|get|require) ([^&|;\n]+)/;
const dropped =
  /\b(?:npm|pnpm|yarn|bun|pip3?|cargo|gem|composer|uv|poetry) (?:uninstall|un|remove|rm) ([^&|;\n]+)/;
const deleted = /(?:^|&& |; )(?:git )?rm ([^&|;\n]+)/;

const textNames = ['content', 'file_text', 'contents'];
const fromNames = ['old_string', 'oldString', 'old_str'];
const toNames = ['new_string', 'newString', 'new_str'];

export class Undoing {
  readonly #versions = new Map<string, string[]>();
  readonly #edits = new Set<string>();
  readonly #made = new Set<string>();
  readonly #packages = new Set<string>();
  #edited = false;

  isUndoneBy({ calls = [], results = [] }: StoryStep): boolean {
    let undone = false;
    for (const call of calls) {
      if (results.some((result) => result.call === call.id && result.failed)) continue;
      const command = commandOf(call);
      if (command !== null && patchIn(call) === null) undone = this.#ran(command) || undone;
      else undone = this.#changed(call) || undone;
    }
    return undone;
  }

  #ran(command: string): boolean {
    for (const name of wordsAfter(added, command)) this.#packages.add(name);
    if (this.#edited && byGit.test(command)) return true;
    if (wordsAfter(dropped, command).some((name) => this.#packages.delete(name))) return true;
    return wordsAfter(deleted, command).some((path) => this.#takeOut(path));
  }

  #takeOut(path: string): boolean {
    const name = [...this.#made].find((one) => one === path || one.endsWith(`/${path}`));
    return name !== undefined && this.#made.delete(name);
  }

  #changed(call: Call): boolean {
    if (call.args['command'] === 'undo_edit') return this.#edited;
    let undone = false;
    for (const { path, deleted: isDeleted } of editedBy(call)) {
      this.#edited = true;
      if (isDeleted) undone = this.#takeOut(path) || undone;
      else undone = this.#wrote(path, call) || undone;
    }
    return undone;
  }

  #wrote(path: string, call: Call): boolean {
    const text = firstOf(call, textNames);
    if (text !== null) {
      const before = this.#versions.get(path) ?? [];
      if (before.length === 0) this.#made.add(path);
      const isBack = before.slice(0, -1).includes(text) && before.at(-1) !== text;
      this.#versions.set(path, [...before, text].slice(-versionsMax));
      return isBack;
    }
    const [from, to] = piecesOf(call);
    if (patchIn(call)?.includes(`*** Add File: ${path}`) === true) this.#made.add(path);
    if (from.length < pieceCharsMin && to.length < pieceCharsMin) return false;
    const isBack = this.#edits.delete(JSON.stringify([path, to, from]));
    if (!isBack && this.#edits.size < editsMax) this.#edits.add(JSON.stringify([path, from, to]));
    return isBack;
  }
}

function wordsAfter(pattern: RegExp, command: string): string[] {
  const rest = pattern.exec(command)?.[1];
  if (rest === undefined) return [];
  return rest.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'));
}

/** What an edit takes out and what it puts in. */
function piecesOf(call: Call): [from: string, to: string] {
  const patch = patchIn(call);
  if (patch === null) return [firstOf(call, fromNames) ?? '', firstOf(call, toNames) ?? ''];
  const lines = patch.split('\n');
  const of = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  return [of('-'), of('+')];
}

function firstOf({ args }: Call, names: readonly string[]): string | null {
  const found = names.map((name): Json | undefined => args[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : null;
}
