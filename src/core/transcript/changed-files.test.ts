import { expect, test } from 'vitest';
import { filesChangedBy } from './changed-files.ts';
import type { ToolCall, JsonObject } from './step.ts';

const changed = (tool: string, args: JsonObject, raw?: string): string[] => {
  const call: ToolCall = { id: 'c', tool, args, ...(raw === undefined ? {} : { raw }) };
  return filesChangedBy(call).map(({ path, deleted }) => `${deleted ? '-' : '+'}${path}`);
};

test.each([
  ['Edit', { file_path: '/w/a' }],
  ['Write', { file_path: '/w/a' }],
  ['MultiEdit', { file_path: '/w/a', edits: [] }],
  ['NotebookEdit', { notebook_path: '/w/a' }],
  ['write_file', { file_path: '/w/a' }],
  ['replace', { file_path: '/w/a' }],
  ['edit', { filePath: '/w/a' }],
  ['write', { filePath: '/w/a' }],
  ['multiedit', { filePath: '/w/a' }],
])('%s changes the file that it names', (tool, args) => {
  expect(changed(tool, args)).toEqual(['+/w/a']);
});

const patch = [
  '*** Begin Patch',
  '*** Add File: new.txt',
  '+*** Delete File: quoted.txt',
  '*** Update File: old name.txt',
  '*** Move to: dir/new name.txt',
  '@@',
  ' *** Add File: context.txt',
  '*** Delete File: gone.txt',
  '*** End Patch',
].join('\n');
const files = ['+new.txt', '-old name.txt', '+dir/new name.txt', '-gone.txt'];

test('a patch changes every file that it names, moved and deleted ones too, and none that a file only mentions', () => {
  expect(changed('apply_patch', {}, patch)).toEqual(files);
  expect(changed('apply_patch', { patchText: patch })).toEqual(files);
  expect(changed('apply_patch', { input: patch })).toEqual(files);
  expect(changed('patch', { patchText: patch })).toEqual(files);
});

test('so does a patch through a shell', () => {
  expect(changed('shell', { command: ['apply_patch', patch] })).toEqual(files);
  expect(changed('shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`] })).toEqual(files);
  expect(changed('exec_command', { cmd: `cd w && apply_patch <<'EOF'\n${patch}\nEOF` })).toEqual(files);
});

test('so does a list of changes', () => {
  const changes = { a: { type: 'add' }, b: { type: 'delete' }, c: { type: 'update', move_path: 'd' } };
  expect(changed('apply_patch', { changes })).toEqual(['+a', '-b', '-c', '+d']);
});

test('what only looks, or only shows a patch, changes nothing', () => {
  expect(changed('Read', { file_path: '/w/a' })).toEqual([]);
  expect(changed('str_replace_editor', { command: 'view', path: '/w/a' })).toEqual([]);
  expect(changed('Bash', { command: `cat <<'EOF'\n${patch}\nEOF` })).toEqual([]);
  expect(changed('Write', { content: 'x' })).toEqual([]);
});
