import { canonical } from '../../core/journal/canonical.ts';
import { digestOf, type Digest } from '../../core/journal/digest.ts';
import { limits } from '../../core/base/limits.ts';
import { manifestBlobs } from '../../core/tree/workspace.ts';
import type { Capture, CaptureOptions, StoreContent, Workspace } from '../../ports/workspace.ts';
import { check, same, tick, type Case } from '../case.ts';
import type { WorkspaceScratch } from './workspace-scratch.ts';

/** What a case stores: contents by digest, and whether they came one at a time. */
export class Shelf {
  readonly contents = new Map<Digest, Uint8Array>();
  overlapping = false;
  #busy = false;

  readonly store: StoreContent = async (bytes) => {
    this.overlapping ||= this.#busy;
    this.#busy = true;
    const copy = Uint8Array.from(bytes);
    await tick();
    this.contents.set(digestOf(copy), copy);
    this.#busy = false;
    return digestOf(copy);
  };

  readonly read = async (digest: Digest): Promise<Uint8Array | undefined> => this.contents.get(digest);
}

/** Something of everything. */
export function doSomeWork({ write, link, git }: WorkspaceScratch): void {
  write('here', 'a.txt', 'changed\n');
  write('here', 'new/b.txt', 'new\n');
  write('here', 'new/run.sh', 'true\n', { executable: true });
  link('here', 'new/link', 'b.txt');
  link('here', 'new/again', './link');
  if (git === undefined) return;
  write('here', 'staged.txt', 'as staged\n');
  git.stage('staged.txt');
  write('here', 'staged.txt', 'as it lies there\n');
}

async function captureIn(
  workspace: Workspace,
  options?: CaptureOptions,
): Promise<Capture & { shelf: Shelf }> {
  const shelf = new Shelf();
  return { ...(await workspace.capture(shelf.store, options)), shelf };
}

export const workspaceLookCases: readonly Case<WorkspaceScratch>[] = [
  {
    id: 'WS1',
    title: 'looking and taking leave every byte and time as they were',
    run: async (scratch) => {
      doSomeWork(scratch);
      const workspace = await scratch.open('here');
      const before = scratch.imprint('here');
      await workspace.probe();
      await workspace.content();
      await workspace.start();
      await captureIn(workspace);
      same(scratch.imprint('here'), before, 'the workspace afterwards');
    },
  },
  {
    id: 'WS1',
    title: 'no program that the repository names is started by looking',
    run: async (scratch) => {
      doSomeWork(scratch);
      const sprung = scratch.git?.trap();
      const workspace = await scratch.open('here');
      await workspace.probe();
      await workspace.content();
      await captureIn(workspace);
      await workspace.ignored(['a.txt', '**/*.sh']);
      check(sprung?.() !== true, 'a program that the repository names was started');
    },
  },
  {
    id: 'WS2',
    title: 'two looks at one tree see the same, byte for byte',
    run: async (scratch) => {
      doSomeWork(scratch);
      const one = await captureIn(await scratch.open('here'));
      const two = await captureIn(await scratch.open('here'));
      same(canonical(two.facts), canonical(one.facts), 'facts');
      same(canonical(two.manifest), canonical(one.manifest), 'manifest');
      same(two.diff?.stored, one.diff?.stored, 'diff');
    },
  },
  {
    id: 'WS3',
    title: 'the digest changes with every kind of change',
    run: async (scratch) => {
      const workspace = await scratch.open('here');
      const seen = new Map<Digest, string>();
      const look = async (what: string, act: () => void): Promise<void> => {
        act();
        const { digest } = await workspace.probe();
        check(!seen.has(digest), `the same digest after ${what} as after ${seen.get(digest)}`);
        seen.set(digest, what);
      };
      await look('nothing', () => {});
      await look('a new file', () => scratch.write('here', 'x', 'one'));
      await look('another content of the same length', () => scratch.write('here', 'x', 'two'));
      await look('an executable bit', () => scratch.write('here', 'x', 'two', { executable: true }));
      await look('a link', () => scratch.link('here', 'l', 'x'));
      await look('another target', () => scratch.link('here', 'l', 'y'));
      const { git } = scratch;
      if (git === undefined) return;
      await look('staging', () => git.stage('x'));
      await look('a commit', git.commit);
    },
  },
  {
    id: 'WS3',
    title: 'the digest does not change by writing what is there already',
    run: async (scratch) => {
      scratch.write('here', 'x', 'one');
      const workspace = await scratch.open('here');
      const { digest } = await workspace.probe();
      scratch.remove('here', 'x');
      scratch.write('here', 'x', 'one');
      same((await workspace.probe()).digest, digest, 'digest');
    },
  },
  {
    id: 'WS4',
    title: 'every content is stored, one at a time, before capture returns',
    run: async (scratch) => {
      doSomeWork(scratch);
      const { manifest, diff, shelf } = await captureIn(await scratch.open('here'));
      check(!shelf.overlapping, 'a content was handed over while another was being stored');
      const wanted = [...manifestBlobs(manifest), ...(diff === null ? [] : [diff.stored])];
      for (const digest of wanted) check(shelf.contents.has(digest), `${digest} was not stored`);
      const texts = new Set([...shelf.contents.values()].map((bytes) => Buffer.from(bytes).toString('utf8')));
      const changed = ['changed\n', 'new\n', 'true\n'];
      const staged = scratch.git === undefined ? [] : ['as staged\n', 'as it lies there\n'];
      for (const text of [...changed, ...staged])
        check(texts.has(text), `${JSON.stringify(text)} was not stored`);
    },
  },
  {
    id: 'WS4',
    title: 'the digest that the store answers is the one in the manifest',
    run: async (scratch) => {
      scratch.write('here', 'x', 'secret');
      const redacted = digestOf('redacted');
      const { manifest } = await (await scratch.open('here')).capture(async () => redacted);
      same(manifestBlobs(manifest), [redacted], 'what restoring needs');
    },
  },
  {
    id: 'WS5',
    title: 'a file that is too large is a loss and no failure',
    run: async (scratch) => {
      scratch.write('here', 'large.bin', new Uint8Array(limits.captureFileBytesMax + 1));
      scratch.write('here', 'small.txt', 'small\n');
      const { manifest } = await captureIn(await scratch.open('here'));
      check(
        manifest.losses.some(({ path, reason }) => path === 'large.bin' && reason === 'too-large'),
        'large.bin is not listed as a loss',
      );
      const small = manifest.entries.find(({ path }) => path === 'small.txt');
      check(small?.worktree?.type === 'file', 'small.txt was not captured');
    },
  },
  {
    id: 'WS5',
    title: 'a content that must not be stored is a loss, and the rest is captured',
    run: async (scratch) => {
      scratch.write('here', 'never.txt', 'never\n');
      scratch.write('here', 'small.txt', 'small\n');
      const shelf = new Shelf();
      const { manifest } = await (
        await scratch.open('here')
      ).capture(async (bytes, piece) =>
        piece.kind === 'file' && piece.path === 'never.txt' ? null : await shelf.store(bytes, piece),
      );
      check(
        manifest.losses.some(({ path, reason }) => path === 'never.txt' && reason === 'unsearchable'),
        'never.txt is not listed as a loss',
      );
      same(
        manifest.entries.map(({ path, worktree }) => [path, worktree?.type]),
        [
          ['never.txt', undefined],
          ['small.txt', 'file'],
        ],
        'what was captured',
      );
    },
  },
  {
    id: 'WS12',
    title: 'what lies in the workspace exists, and nothing outside does',
    run: async (scratch) => {
      scratch.write('here', 'x/y.txt', 'y');
      scratch.link('here', 'out', '..');
      const workspace = await scratch.open('here');
      same(
        ['x', 'x/y.txt', 'out', 'x/z.txt', '..', 'x/../..', '/', 'out/here'].map((path) =>
          workspace.exists(path),
        ),
        [true, true, true, false, false, false, false, false],
        'what exists',
      );
    },
  },
  {
    id: 'WS13',
    title: 'a program is runnable by name along PATH or by its path, and nothing else is',
    run: async (scratch) => {
      scratch.write('here', 'bin/tool', '#!/bin/sh\n', { executable: true });
      scratch.write('here', 'bin/text', 'text\n');
      const workspace = await scratch.open('here');
      same(
        ['node', process.execPath, './bin/tool', 'bin/text', './bin', 'no-such-program-anywhere'].map(
          (program) => workspace.runnable(program),
        ),
        [true, true, true, false, false, false],
        'what is runnable',
      );
    },
  },
  {
    id: 'WS14',
    title: 'the start is HEAD as it is, and none where there is no git',
    run: async (scratch) => {
      const workspace = await scratch.open('here');
      const { git } = scratch;
      if (git === undefined) {
        same(await workspace.start(), null, 'start');
        return;
      }
      const headAndBranch = async (): Promise<unknown> => {
        const facts = (await workspace.probe()).git;
        return { head: facts?.head, branch: facts?.branch };
      };
      same(await workspace.start(), await headAndBranch(), 'start');
      scratch.write('here', 'a.txt', 'changed\n');
      git.commit();
      same(await workspace.start(), await headAndBranch(), 'start after a commit');
    },
  },
  {
    id: 'WS15',
    title: 'what was committed since the start is told, and nothing else',
    run: async (scratch) => {
      const workspace = await scratch.open('here');
      const since = await workspace.start();
      if (scratch.git === undefined) {
        same((await captureIn(workspace, { since })).facts.committed, undefined, 'commits without git');
        return;
      }
      scratch.write('here', 'a.txt', 'changed\n');
      scratch.git.commit();
      scratch.write('here', 'later.txt', 'not committed\n');
      const { facts, diff } = await captureIn(workspace, { since });
      const { committed } = facts;
      same(committed?.since, since?.head, 'the commit it is held against');
      same(diff?.files.map(({ path }) => path).sort(), ['a.txt', 'later.txt'], 'what the diff shows');
      same(diff?.committed, true, 'that the diff shows commits');
      same(
        committed?.files.map(({ path, status }) => [path, status]),
        [['a.txt', 'modified']],
        'what was committed',
      );
    },
  },
  {
    id: 'WS15',
    title: 'a start that is not in the repository is told as gone',
    run: async (scratch) => {
      if (scratch.git === undefined) return;
      const since = { head: 'f'.repeat(40), branch: 'main' };
      const { facts, manifest } = await captureIn(await scratch.open('here'), { since });
      same(facts.committed?.gone, true, 'gone');
      check(
        manifest.losses.some(({ reason }) => reason === 'start-gone'),
        'it is not listed as a loss',
      );
    },
  },
  {
    id: 'WS17',
    title: 'what lies at a path is told, and nothing lies behind a link',
    run: async (scratch) => {
      doSomeWork(scratch);
      scratch.link('here', 'folder-link', 'new');
      const workspace = await scratch.open('here');
      same(await workspace.at('new/b.txt'), { type: 'file', digest: digestOf('new\n') }, 'a file');
      same(await workspace.at('new/link'), { type: 'link', target: 'b.txt' }, 'a link');
      for (const path of ['absent.txt', 'new', 'folder-link/b.txt', '../there/a.txt', '.git/HEAD'])
        same(await workspace.at(path), { type: 'absent' }, path);
    },
  },
  {
    id: 'WS18',
    title: 'whether the repository holds a commit is told',
    run: async (scratch) => {
      const workspace = await scratch.open('here');
      const head = (await workspace.start())?.head ?? 'f'.repeat(40);
      same(
        await workspace.hasCommit(head),
        scratch.git === undefined ? null : true,
        'a commit that is there',
      );
      if (scratch.git === undefined) return;
      same(await workspace.hasCommit('f'.repeat(40)), false, 'a commit that is not there');
    },
  },
];
