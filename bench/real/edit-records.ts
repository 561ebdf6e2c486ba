/** The files that a session edited by its edit tools, found by the shape of its records and with no code of the readers that are measured. */
import { blocksOf, isRecord, objectIn, recordAt, recordsIn, textAt, type Json } from './raw-records.ts';

const editTools: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const patchedFile = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** Below the folder in which the session worked, where they are. */
export function editedFiles(text: string): string[] {
  const folders = new Set<string>();
  const calls = new Map<string, readonly string[]>();
  const refused = new Set<string>();
  for (const record of recordsIn(text)) {
    const payload = record['payload'];
    const folder = textAt(record, 'cwd') ?? (isRecord(payload) ? textAt(payload, 'cwd') : null);
    if (folder !== null) folders.add(folder);
    if (record['isSidechain'] === true) continue;
    if (isRecord(payload)) fromCodex(record, payload, calls, refused);
    else fromClaudeCode(record, calls, refused);
  }
  const paths = [...calls].flatMap(([id, files]) => (refused.has(id) ? [] : files));
  return [...new Set(paths.map((path) => below(path, folders)))].toSorted();
}

function fromClaudeCode(record: Json, calls: Map<string, readonly string[]>, refused: Set<string>): void {
  for (const block of blocksOf(recordAt(record, 'message')?.['content'])) {
    if (block['type'] === 'tool_result' && block['is_error'] === true)
      refused.add(textAt(block, 'tool_use_id') ?? '');
    if (block['type'] !== 'tool_use' || !editTools.has(textAt(block, 'name') ?? '')) continue;
    const input = recordAt(block, 'input');
    const path = textAt(input, 'file_path') ?? textAt(input, 'notebook_path');
    if (path !== null) calls.set(textAt(block, 'id') ?? '', [path]);
  }
}

function fromCodex(
  record: Json,
  payload: Json,
  calls: Map<string, readonly string[]>,
  refused: Set<string>,
): void {
  const id = textAt(payload, 'call_id') ?? '';
  if (payload['type'] === 'patch_apply_end' && payload['success'] === false) refused.add(id);
  if (record['type'] !== 'response_item' || textAt(payload, 'name') !== 'apply_patch') return;
  const patch =
    textAt(payload, 'input') ?? textAt(objectIn(textAt(payload, 'arguments') ?? ''), 'input') ?? '';
  calls.set(
    id,
    [...patch.matchAll(patchedFile)].flatMap((match) => match[1]?.trim() ?? []),
  );
}

function below(path: string, folders: ReadonlySet<string>): string {
  const folder = [...folders]
    .filter((one) => path.startsWith(`${one}/`))
    .toSorted((a, b) => a.length - b.length)[0];
  return folder === undefined ? path : path.slice(folder.length + 1);
}
