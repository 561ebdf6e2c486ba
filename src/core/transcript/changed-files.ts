/**
 * Which files a call changes, by its arguments:
 *
 *   a tool for one file     Edit, Write, MultiEdit, NotebookEdit; write_file, replace; edit, write, multiedit: the path is an argument
 *   a patch                 apply_patch and patch, as the text of the call or an argument of it, or through a shell. It may name several
 *                           files, move and delete them
 *   a list of changes       what Codex keeps of a patch that a script applied
 *
 * What another command of a shell changes is not here: git knows.
 */
import type { ToolCall, Json } from './step.ts';

export interface ChangedFile {
  /** As the call has it. */
  readonly path: string;
  /** It is not there any more: deleted, or moved. */
  readonly deleted: boolean;
}

const oneFileTools: ReadonlySet<string> = new Set([
  'write',
  'edit',
  'multiedit',
  'notebookedit',
  'write_file',
  'replace',
  'edit_file',
  'create_file',
  'str_replace_editor',
  'str_replace_based_edit_tool',
]);
const pathNames = ['file_path', 'filePath', 'notebook_path', 'path', 'absolute_path', 'file'];
/** Of tools that have one name for looking and changing. */
const lookingCommands: ReadonlySet<Json> = new Set(['view', 'undo_edit']);
const patchTools: ReadonlySet<string> = new Set(['apply_patch', 'patch']);
const patchNames = ['input', 'patch', 'patchText', 'patch_text'];
const shellNames = ['command', 'cmd', 'script'];

export function filesChangedBy(call: ToolCall): readonly ChangedFile[] {
  const tool = call.tool.toLowerCase();
  const listed = call.args['changes'];
  if (patchTools.has(tool) && isFields(listed)) return Object.entries(listed).flatMap(fileListed);
  const patch = patchTools.has(tool) ? ownPatch(call) : shellPatch(call);
  if (patch !== null) return filesInPatch(patch);
  if (!oneFileTools.has(tool) || lookingCommands.has(call.args['command'] ?? null)) return [];
  const path = textAmong(call, pathNames);
  return path === null || path === '' ? [] : [{ path, deleted: false }];
}

function ownPatch(call: ToolCall): string | null {
  return call.raw ?? textAmong(call, patchNames) ?? shellText(call);
}

const patchBegin = '*** Begin Patch';
const patchEnd = '*** End Patch';

function shellPatch(call: ToolCall): string | null {
  const text = shellText(call);
  return text !== null && text.includes(patchBegin) && /\bapply_?patch\b/.test(text) ? text : null;
}

/** A command as a text, or as words. */
function shellText(call: ToolCall): string | null {
  const words = shellNames.map((name) => call.args[name]).find((value) => value !== undefined);
  if (typeof words === 'string') return words;
  return Array.isArray(words) ? words.filter((each) => typeof each === 'string').join('\n') : null;
}

function filesInPatch(patch: string): ChangedFile[] {
  const from = patch.indexOf(patchBegin);
  if (from < 0) return [];
  const end = patch.lastIndexOf(patchEnd);
  const files: ChangedFile[] = [];
  for (const line of patch.slice(from, end < from ? undefined : end).split('\n')) {
    // Lines of files have a sign before them.
    if (!line.startsWith('*** ')) continue;
    const [, what = '', named = ''] =
      /^\*\*\* (Add File|Update File|Delete File|Move to): (.*)$/.exec(line) ?? [];
    const path = named.trim();
    if (path === '') continue;
    const last = files.at(-1);
    if (what === 'Move to' && last !== undefined) files.splice(-1, 1, { ...last, deleted: true });
    files.push({ path, deleted: what === 'Delete File' });
  }
  return files;
}

function fileListed([path, about]: readonly [string, Json]): ChangedFile[] {
  const { type, move_path: to } = isFields(about) ? about : {};
  if (typeof to === 'string')
    return [
      { path, deleted: true },
      { path: to, deleted: false },
    ];
  return [{ path, deleted: type === 'delete' }];
}

function textAmong({ args }: ToolCall, names: readonly string[]): string | null {
  const value = names.map((name) => args[name]).find((each) => typeof each === 'string');
  return value ?? null;
}

function isFields(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
