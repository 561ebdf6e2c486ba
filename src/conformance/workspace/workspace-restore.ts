import { digestOf } from '../../core/journal/digest.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { Manifest, ManifestEntry } from '../../core/tree/workspace.ts';
import type { RestoreReport, Workspace } from '../../ports/workspace.ts';
import { check, same, type Case } from '../case.ts';
import { Shelf, doSomeWork } from './workspace-look.ts';
import type { WorkspaceScratch } from './workspace-scratch.ts';

interface Taken {
  readonly manifest: Manifest;
  readonly shelf: Shelf;
}

async function capture(scratch: WorkspaceScratch): Promise<Taken> {
  doSomeWork(scratch);
  const shelf = new Shelf();
  return { ...(await (await scratch.open('here')).capture(shelf.store)), shelf };
}

/** A manifest that was made up: the tree as it began, and one file. */
async function forge(scratch: WorkspaceScratch, path: string): Promise<Taken> {
  const shelf = new Shelf();
  const { manifest } = await (await scratch.open('there')).capture(shelf.store);
  const bytes = Buffer.from('evil\n');
  await shelf.store(bytes, { kind: 'diff' });
  const content = { bytes: bytes.length, stored: digestOf(bytes) };
  const entry: ManifestEntry = { path, worktree: { type: 'file', content } };
  return { manifest: { ...manifest, entries: [entry] }, shelf };
}

async function restoreThere(scratch: WorkspaceScratch, { manifest, shelf }: Taken): Promise<RestoreReport> {
  return await (await scratch.open('there')).restore(manifest, { read: shelf.read });
}

async function digestIn(workspace: Workspace): Promise<string> {
  return (await workspace.probe()).digest;
}

/** It must be refused, and `there` must be as it was. */
async function refusesUntouched(scratch: WorkspaceScratch, act: () => Promise<unknown>): Promise<void> {
  const before = scratch.tree('there');
  let done: unknown;
  try {
    done = await act();
  } catch (error) {
    check(isStaffettaError(error), `it failed with ${String(error)}`);
    same(scratch.tree('there'), before, 'the target after a refusal');
    return;
  }
  throw new Error(`it was not refused, but answered ${JSON.stringify(done)}`);
}

export const workspaceRestoreCases: readonly Case<WorkspaceScratch>[] = [
  {
    id: 'WS6',
    title: 'restoring into the tree that it began from gives the tree that was captured',
    run: async (scratch) => {
      const all = await capture(scratch);
      const report = await restoreThere(scratch, all);
      same(scratch.tree('there'), scratch.tree('here'), 'the restored tree');
      const wanted = await digestIn(await scratch.open('here'));
      same(await digestIn(await scratch.open('there')), wanted, 'digest of tree and index');
      same(report.digest, wanted, 'digest in the report');
    },
  },
  {
    id: 'WS7',
    title: 'a path that leads out of the target is refused, and nothing is written',
    run: async (scratch) => {
      for (const path of ['../staffetta-evil', 'x/../../staffetta-evil', '.git/hooks/post-checkout']) {
        const evil = await forge(scratch, path);
        await refusesUntouched(scratch, async () => await restoreThere(scratch, evil));
        check(!scratch.existsBeside('../staffetta-evil'), 'something was written outside');
      }
    },
  },
  {
    id: 'WS7',
    title: 'nothing is written through a link',
    run: async (scratch) => {
      scratch.link('there', 'way-out', '..');
      scratch.git?.commit();
      const evil = await forge(scratch, 'way-out/staffetta-evil');
      try {
        await restoreThere(scratch, evil);
      } catch (error) {
        check(isStaffettaError(error), `it failed with ${String(error)}`);
      }
      check(!scratch.existsBeside('../staffetta-evil'), 'something was written behind a link');
    },
  },
  {
    id: 'WS7',
    title: 'what starts by itself is held back until it is allowed',
    run: async (scratch) => {
      const steering = await forge(scratch, '.vscode/tasks.json');
      const report = await restoreThere(scratch, steering);
      same(
        report.held.map(({ path }) => path),
        ['.vscode/tasks.json'],
        'what was held back',
      );
      check(!('.vscode/tasks.json' in scratch.tree('there')), 'it was written unasked');
    },
  },
  {
    id: 'WS8',
    title: 'work that lies in the target is not replaced',
    run: async (scratch) => {
      const all = await capture(scratch);
      scratch.write('there', 'a.txt', 'somebody works here\n');
      await refusesUntouched(scratch, async () => await restoreThere(scratch, all));
    },
  },
  {
    id: 'WS9',
    title: 'a restore that fails has changed nothing',
    run: async (scratch) => {
      const { manifest, shelf } = await capture(scratch);
      // All contents but one are there; which one is missing shows only on the way.
      shelf.contents.delete(digestOf('true\n'));
      await refusesUntouched(scratch, async () => await restoreThere(scratch, { manifest, shelf }));
    },
  },
];
