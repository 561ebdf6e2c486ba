/** Any tree, captured and restored elsewhere, is the same tree; and capturing it left no trace. */
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical } from '../../src/core/journal/canonical.ts';
import { Manifest, sealManifest, WorkspaceFacts } from '../../src/core/tree/workspace.ts';
import { nameRulesAt } from '../../src/workspace/restore/name-rules.ts';
import { captureOf, clone, git, init, link, restoreInto, write, commit } from './sandbox.ts';
import { imprint, indexOf, statusOf, treeOf } from './tree.ts';
import { runs } from '../property/seed.ts';

/** Odd, but such that this file system takes them. */
const name = fc.constantFrom(
  'a',
  'b.ts',
  'dir',
  'ö',
  'c d',
  "q'uote",
  'dq"uote',
  'ümlaut',
  '日本語',
  '-dash',
  '*star',
  '[x]',
  '$HOME',
  '%s',
  'e=f',
  ':colon',
  '🎈',
  'x.crlf',
  'y.crlf',
  'z.bin',
  // These only where they are ordinary names.
  ...(nameRulesAt(tmpdir()).caseless ? [] : ['aux.py', 'foo~1', 'README', 'Readme', String.raw`back\slash`]),
);
const path = fc
  .tuple(
    fc.constantFrom('', '', 'dir/', 'dir/sub/', 'ö/', nameRulesAt(tmpdir()).caseless ? '' : 'Dir/'),
    name,
  )
  .map(([folder, file]) => `${folder}${file}`);
const content = fc.oneof(
  fc.constantFrom('', '\n', 'one\ntwo\nthree\n', 'no newline', 'crlf\r\nlines\r\n', 'mixed\r\nlines\n'),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 300 }),
);
const target = fc.constantFrom(
  'lone.txt',
  './lone.txt',
  'nowhere',
  'missing/too',
  'nowhere/',
  'nowhere/../lone.txt',
  'alias',
  './folder/link/..//x',
);
const base = fc.record({
  files: fc.array(fc.tuple(path, content, fc.boolean()), { maxLength: 12 }),
  links: fc.array(fc.tuple(path, target), { maxLength: 2 }),
});
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, content, executable: fc.boolean() }),
  fc.record({ do: fc.constant('link' as const), path, target }),
  fc.record({ do: fc.constant('remove' as const), path }),
  fc.record({ do: fc.constant('rename' as const), path, to: path }),
  fc.record({ do: fc.constant('chmod' as const), path, executable: fc.boolean() }),
  fc.record({ do: fc.constant('add' as const), path }),
  fc.record({ do: fc.constant('intend' as const), path }),
  fc.record({ do: fc.constant('forget' as const), path }),
  fc.record({ do: fc.constant('add-all' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Whatever cannot be done is not done: half of a random play makes no sense. */
function play(folder: string, steps: readonly Step[]): void {
  for (const each of steps) {
    try {
      perform(folder, each);
    } catch {
      continue;
    }
  }
}

function isCrlf(at: string): boolean {
  return at.endsWith('.crlf');
}

/** Line ends as git would check them out: it calls a file unchanged that differs only in those, and it stays as it is. */
function fitting(at: string, bytes: string | Uint8Array): string | Uint8Array {
  if (!isCrlf(at)) return bytes;
  return Buffer.from(
    Buffer.from(bytes).toString('latin1').replaceAll('\r', '').replaceAll('\n', '\r\n'),
    'latin1',
  );
}

function perform(folder: string, each: Step): void {
  switch (each.do) {
    case 'write':
      write(folder, each.path, fitting(each.path, each.content), each.executable ? 0o755 : 0o644);
      break;
    case 'link':
      link(folder, each.path, each.target);
      break;
    case 'remove':
      rmSync(join(folder, each.path), { recursive: true });
      break;
    case 'rename':
      if (!existsSync(join(folder, each.path)) || isCrlf(each.path) !== isCrlf(each.to)) break;
      mkdirSync(dirname(join(folder, each.to)), { recursive: true });
      renameSync(join(folder, each.path), join(folder, each.to));
      break;
    case 'chmod':
      if (lstatSync(join(folder, each.path)).isFile())
        chmodSync(join(folder, each.path), each.executable ? 0o755 : 0o644);
      break;
    case 'add':
      git(folder, '--literal-pathspecs', 'add', '--', each.path);
      break;
    case 'intend':
      git(folder, '--literal-pathspecs', 'add', '-N', '--', each.path);
      break;
    case 'forget':
      git(folder, '--literal-pathspecs', 'rm', '-q', '--cached', '--', each.path);
      break;
    case 'add-all':
      git(folder, 'add', '-A');
  }
}

test('WS1 WS2 WS6: a random tree comes back byte for byte, twice the same, and its source is untouched', async () => {
  await fc.assert(
    fc.asyncProperty(base, fc.array(step, { minLength: 1, maxLength: 14 }), async (start, steps) => {
      const folder = init();
      write(folder, 'lone.txt');
      link(folder, 'alias', 'lone.txt');
      link(folder, 'folder/link', '../folder');
      write(folder, '.gitattributes', '*.crlf text eol=crlf\n*.bin -text\n');
      play(folder, [
        ...start.files.map(
          ([at, bytes, executable]) => ({ do: 'write', path: at, content: bytes, executable }) as const,
        ),
        ...start.links.map(([at, to]) => ({ do: 'link', path: at, target: to }) as const),
      ]);
      commit(folder);
      const target = clone(folder);
      play(folder, steps);

      const before = imprint(folder);
      const taken = await captureOf(folder);
      const again = await captureOf(folder);
      expect(imprint(folder)).toEqual(before);
      expect(again.manifest).toEqual(taken.manifest);
      expect(sealManifest(again.manifest).bytes).toEqual(sealManifest(taken.manifest).bytes);
      expect(canonical(again.facts)).toBe(canonical(taken.facts));
      expect(again.diff).toEqual(taken.diff);
      expect(Manifest.parse(taken.manifest)).toEqual(taken.manifest);
      expect(WorkspaceFacts.parse(taken.facts)).toEqual(taken.facts);
      expect(taken.manifest.losses).toEqual([]);

      const report = await restoreInto(target, taken);
      expect(report).toMatchObject({ held: [], refused: [], losses: [], redacted: [] });
      expect(treeOf(target)).toEqual(treeOf(folder));
      expect(indexOf(target)).toBe(indexOf(folder));
      expect(report.digest).toBe(taken.facts.digest);
      expect(statusOf(target)).toBe(statusOf(folder));
      for (const done of [folder, target]) rmSync(done, { recursive: true });
    }),
    runs(25),
  );
});
