/** WS9: a restore that does not come to its end. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../src/core/journal/digest.ts';
import { sealManifest, type Manifest } from '../../src/core/tree/workspace.ts';
import { Blobs, captureOf, clone, fresh, git, refusal, restoreInto, write } from './sandbox.ts';
import { imprint, indexOf, statusOf, treeOf } from './tree.ts';
import { worked } from './worked.ts';

describe('WS9: a restore that does not come to its end', () => {
  test('a blob that is missing or altered: nothing is touched', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    const before = imprint(target);
    const altered = { manifest: taken.manifest, blobs: new Blobs() };
    for (const [digest, bytes] of taken.blobs.byDigest)
      altered.blobs.byDigest.set(digest, digest === digestOf('f\n') ? Buffer.from('other') : bytes);
    expect((await refusal(restoreInto(target, altered))).code).toBe('corrupt');
    taken.blobs.byDigest.delete(digestOf('f\n'));
    expect((await refusal(restoreInto(target, taken))).code).toBe('blob-missing');
    expect(treeOf(target)).toEqual(Object.fromEntries(Object.entries(treeOf(target))));
    expect(Object.keys(imprint(target)).sort()).toEqual(Object.keys(before).sort());
  });

  test('a failure at any step is undone: tree, index and times of change', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    const steps: string[] = [];
    await restoreInto(clone(folder), taken, { reached: (step, n) => steps.push(`${step} ${n}`) });
    expect(steps).toHaveLength(11);
    // After `committed` there is nothing to undo.
    for (const at of steps.slice(0, -1)) {
      const before = {
        tree: treeOf(target),
        index: readFileSync(join(target, '.git/index')),
        inode: statSync(join(target, 'a.txt')).ino,
      };
      const failing = restoreInto(target, taken, {
        reached: (step, n) => {
          if (`${step} ${n}` === at) throw new Error(`stopped at ${at}`);
        },
      });
      await expect(failing).rejects.toThrow(`stopped at ${at}`);
      expect({
        tree: treeOf(target),
        index: readFileSync(join(target, '.git/index')),
        inode: statSync(join(target, 'a.txt')).ino,
      }).toEqual(before);
      expect(existsSync(join(target, '.staffetta'))).toBe(false);
      expect(statusOf(target)).toBe('');
    }
    expect((await restoreInto(target, taken)).digest).toBe(taken.facts.digest);
  });

  test('a full disk or a forbidden folder is a failure with its reason', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    const before = treeOf(target);
    const failing = restoreInto(target, taken, {
      reached: (step) => {
        if (step === 'moved')
          throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      },
    });
    expect(await refusal(failing)).toMatchObject({
      code: 'restore-failed',
      details: { undone: true, system: 'ENOSPC' },
    });
    expect(treeOf(target)).toEqual(before);
  });

  test('somebody who changes the index meanwhile wins', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    const failing = restoreInto(target, taken, {
      reached: (step) => {
        if (step !== 'recorded') return;
        write(target, 'theirs.txt');
        git(target, 'add', 'theirs.txt');
      },
    });
    expect((await refusal(failing)).code).toBe('workspace-busy');
    expect(git(target, 'status', '--porcelain')).toBe('A  theirs.txt\n');
  });

  test('somebody who writes to a file meanwhile wins', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    for (const path of ['b.txt', 'a.txt']) {
      const failing = restoreInto(target, taken, {
        reached: (step) => {
          if (step === 'recorded') write(target, path, 'theirs\n');
        },
      });
      expect(await refusal(failing)).toMatchObject({ code: 'workspace-busy', details: { path } });
      expect(git(target, 'status', '--porcelain')).toBe(` M ${path}\n`);
      expect(readFileSync(join(target, path), 'utf8')).toBe('theirs\n');
      git(target, 'checkout', '-q', '.');
    }
  });

  test('one that is killed at any step is undone by the next, which then succeeds', async () => {
    const { folder } = worked();
    const taken = await captureOf(folder);
    const saved = save(taken);
    const steps = ['staged 0', 'recorded 0', 'moved 0', 'moved 2', 'moved 3', 'moved 6', 'indexed 0'];
    await Promise.all(
      steps.map(async (at) => {
        const target = clone(folder);
        expect(await killedAt(target, saved, at)).toBe('SIGKILL');
        const report = await restoreInto(target, taken);
        expect(report.digest).toBe(taken.facts.digest);
        expect([treeOf(target), indexOf(target)]).toEqual([treeOf(folder), indexOf(folder)]);
        expect(existsSync(join(target, '.staffetta'))).toBe(false);
      }),
    );
  });

  test('one that is killed when all was done stays done; the next only cleans up, and finds everything there', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    expect(await killedAt(target, save(taken), 'committed 0')).toBe('SIGKILL');
    expect((await restoreInto(target, taken)).written).toEqual([]);
    expect([treeOf(target), indexOf(target)]).toEqual([treeOf(folder), indexOf(folder)]);
  });

  test('work in a half-restored tree is not thrown away by the undo', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    await killedAt(target, save(taken), 'indexed 0');
    write(target, 'a.txt', 'edited since\n');
    const refused = await refusal(restoreInto(target, taken));
    expect(refused).toMatchObject({ code: 'workspace-dirty', details: { changed: ['a.txt'] } });
    expect(readFileSync(join(target, 'a.txt'), 'utf8')).toBe('edited since\n');
  });

  test('two at once: one is told to wait', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    const both = await Promise.allSettled([restoreInto(target, taken), restoreInto(target, taken)]);
    const refused = both
      .filter((each) => each.status === 'rejected')
      .map((each) => (each.reason as { code: string }).code);
    expect(refused).toEqual(['workspace-busy']);
    expect(treeOf(target)).toEqual(treeOf(folder));
  });
});

/** Where another process can find it. */
function save(taken: { readonly manifest: Manifest; readonly blobs: Blobs }): string {
  const saved = fresh('saved');
  mkdirSync(saved);
  writeFileSync(join(saved, 'manifest.json'), sealManifest(taken.manifest).bytes);
  for (const [digest, bytes] of taken.blobs.byDigest) writeFileSync(join(saved, digest.slice(7)), bytes);
  return saved;
}

async function killedAt(target: string, saved: string, at: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'restore-child.ts'), target, saved, at], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return await new Promise((resolve) => {
    child.once('exit', (_, signal) => resolve(signal));
  });
}

test('a folder that may not be written to', async () => {
  if (process.getuid?.() === 0) return;
  const { folder, target } = worked();
  const taken = await captureOf(folder);
  chmodSync(join(target, 'dir'), 0o555);
  expect((await refusal(restoreInto(target, taken))).code).toBe('restore-failed');
});
