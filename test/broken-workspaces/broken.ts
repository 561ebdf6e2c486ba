import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOf, type Digest } from '../../src/core/journal/digest.ts';
import type { Manifest, WorkspaceFacts } from '../../src/core/tree/workspace.ts';
import type { Capture, RestoreReport, Workspace } from '../../src/ports/index.ts';
import { env, git } from '../workspace/sandbox.ts';
import type { Places } from '../workspace/scratch.ts';

/** A git workspace that breaks one sentence of its contract, and how. Cases of that sentence must catch it. */
export interface BrokenWorkspace {
  readonly breaks: string;
  readonly how: string;
  readonly spoil: (workspace: Workspace, places: Places) => Partial<Workspace>;
}

let count = 0;

function factsSpoiled(
  workspace: Workspace,
  spoil: (facts: WorkspaceFacts) => WorkspaceFacts,
): Partial<Workspace> {
  return {
    probe: async () => spoil(await workspace.probe()),
    capture: async (store, options) => {
      const taken = await workspace.capture(store, options);
      return { ...taken, facts: spoil(taken.facts) };
    },
  };
}

function captureSpoiled(
  workspace: Workspace,
  spoil: (taken: Capture) => Capture | Promise<Capture>,
): Partial<Workspace> {
  return { capture: async (store, options) => await spoil(await workspace.capture(store, options)) };
}

function withManifest(taken: Capture, change: Partial<Manifest>): Capture {
  return { ...taken, manifest: { ...taken.manifest, ...change } };
}

const report: RestoreReport = {
  root: '',
  written: [],
  deleted: [],
  staged: [],
  held: [],
  refused: [],
  redacted: [],
  kept: [],
  losses: [],
  unfiltered: [],
  digest: null,
};

/** Writes what a manifest says without asking anything. */
async function writeBlindly(
  root: string,
  manifest: Manifest,
  read: (digest: `sha256:${string}`) => Promise<Uint8Array | undefined>,
): Promise<void> {
  for (const { path, worktree } of manifest.entries) {
    if (worktree?.type !== 'file') continue;
    const bytes = await read(worktree.content.stored);
    if (bytes === undefined) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
}

export const brokenWorkspaces: readonly BrokenWorkspace[] = [
  {
    breaks: 'WS1',
    how: 'looking refreshes a time stamp',
    spoil: (workspace) => ({
      probe: async () => {
        utimesSync(join(workspace.root, 'a.txt'), 0, count++);
        return await workspace.probe();
      },
    }),
  },
  {
    breaks: 'WS1',
    how: 'git is asked as anybody would ask it',
    spoil: (workspace) => ({
      probe: async () => {
        execFileSync('git', ['status'], { cwd: workspace.root, env });
        return await workspace.probe();
      },
    }),
  },
  {
    breaks: 'WS2',
    how: 'the manifest is in the order in which files were read',
    spoil: (workspace) =>
      captureSpoiled(workspace, (taken) =>
        withManifest(taken, {
          entries: count++ % 2 === 0 ? taken.manifest.entries.toReversed() : taken.manifest.entries,
        }),
      ),
  },
  {
    breaks: 'WS3',
    how: 'the digest only tells which paths changed',
    spoil: (workspace) =>
      factsSpoiled(workspace, (facts) => ({
        ...facts,
        digest: digestOf(facts.changes.map(({ path }) => path).join('\n')),
      })),
  },
  {
    breaks: 'WS3',
    how: 'the digest depends on when one looks',
    spoil: (workspace) =>
      factsSpoiled(workspace, (facts) => ({ ...facts, digest: digestOf(`${facts.digest} ${count++}`) })),
  },
  {
    breaks: 'WS4',
    how: 'contents are still being stored when capture returns',
    spoil: (workspace) => ({
      capture: async (store, options) =>
        await workspace.capture(async (bytes, piece) => {
          const copy = Buffer.from(bytes);
          setTimeout(() => void store(copy, piece), 50);
          return digestOf(copy);
        }, options),
    }),
  },
  {
    breaks: 'WS4',
    how: 'the manifest names contents as they were, not as they were stored',
    spoil: (workspace) =>
      captureSpoiled(workspace, (taken) =>
        withManifest(taken, {
          entries: taken.manifest.entries.map((entry) =>
            entry.worktree?.type === 'file'
              ? {
                  ...entry,
                  worktree: {
                    ...entry.worktree,
                    content: { ...entry.worktree.content, stored: digestOf('as it was') },
                  },
                }
              : entry,
          ),
        }),
      ),
  },
  {
    breaks: 'WS5',
    how: 'losses are kept quiet about',
    spoil: (workspace) => captureSpoiled(workspace, (taken) => withManifest(taken, { losses: [] })),
  },
  {
    breaks: 'WS6',
    how: 'links are not restored',
    spoil: (workspace) => ({
      restore: async (manifest, options) =>
        await workspace.restore(
          { ...manifest, entries: manifest.entries.filter(({ worktree }) => worktree?.type !== 'link') },
          options,
        ),
    }),
  },
  {
    breaks: 'WS7',
    how: 'a restore believes every path',
    spoil: (workspace) => ({
      restore: async (manifest, { read }) => {
        await writeBlindly(workspace.root, manifest, read);
        return report;
      },
    }),
  },
  {
    breaks: 'WS8',
    how: 'a restore puts the target into order first',
    spoil: (workspace) => ({
      restore: async (manifest, options) => {
        git(workspace.root, 'checkout', '-q', '--', '.');
        return await workspace.restore(manifest, options);
      },
    }),
  },
  {
    breaks: 'WS9',
    how: 'files are written as their contents come',
    spoil: (workspace) => ({
      restore: async (manifest, options) => {
        try {
          return await workspace.restore(manifest, options);
        } catch (error) {
          await writeBlindly(workspace.root, manifest, options.read);
          throw error;
        }
      },
    }),
  },
  {
    breaks: 'WS10',
    how: 'a shell reads the command',
    spoil: (workspace) => ({
      run: async ([program = '', ...args], options) =>
        await workspace.run(
          ['/bin/sh', '-c', `${program} ${args.map((arg) => `"${arg.replaceAll('"', '\\"')}"`).join(' ')}`],
          options,
        ),
    }),
  },
  {
    breaks: 'WS10',
    how: 'there is no time limit but a short one, which passes for an exit',
    spoil: (workspace) => ({
      run: async (command, { timeoutMs: _timeoutMs, ...options } = {}) => {
        const ran = await workspace.run(command, { ...options, timeoutMs: 1000 });
        return ran.end.how === 'timed-out' ? { ...ran, end: { how: 'exited', code: 0 } } : ran;
      },
    }),
  },
  {
    breaks: 'WS10',
    how: 'the signal is not listened to',
    spoil: (workspace) => ({
      run: async (command, { signal: _signal, ...options } = {}) =>
        await workspace.run(command, { ...options, timeoutMs: 1000 }),
    }),
  },
  {
    breaks: 'WS10',
    how: 'the workspace is taken to be the same after every command',
    spoil: (workspace) => ({
      run: async (command, options) => {
        const ran = await workspace.run(command, options);
        return { ...ran, after: ran.before };
      },
    }),
  },
  {
    breaks: 'WS11',
    how: 'only the beginning of the output is kept',
    spoil: (workspace) => ({
      run: async (command, options) => {
        const ran = await workspace.run(command, { ...options, outputBytesMax: 1024 * 1024 });
        return { ...ran, output: ran.output.subarray(0, 1000), droppedBytes: ran.outputBytes - 1000 };
      },
    }),
  },
  {
    breaks: 'WS11',
    how: 'a program that is not there is a failure',
    spoil: (workspace) => ({
      run: async (command, options) => {
        const ran = await workspace.run(command, options);
        if (ran.end.how === 'not-started') throw new Error('ENOENT');
        return ran;
      },
    }),
  },
  {
    breaks: 'WS12',
    how: 'whatever can be read exists',
    spoil: (workspace) => ({
      exists: (path) => {
        try {
          readFileSync(join(workspace.root, path));
          return true;
        } catch (error) {
          return (error as NodeJS.ErrnoException).code === 'EISDIR';
        }
      },
    }),
  },
  {
    breaks: 'WS13',
    how: 'whatever exists can be run',
    spoil: (workspace) => ({
      runnable: (program) => workspace.runnable(program) || workspace.exists(program),
    }),
  },
  {
    breaks: 'WS14',
    how: 'the start is the first commit of all',
    spoil: (workspace) => ({
      start: async () => ({
        head: git(workspace.root, 'rev-list', '--max-parents=0', 'HEAD').trim(),
        branch: 'main',
      }),
    }),
  },
  {
    breaks: 'WS17',
    how: 'a link is followed',
    spoil: (workspace) => ({
      at: async (path) => ({ type: 'file', digest: digestOf(readFileSync(join(workspace.root, path))) }),
    }),
  },
  {
    breaks: 'WS19',
    how: 'the content is another one once it is staged or committed',
    spoil: (workspace) => ({
      content: async () => {
        const { facts } = await workspace.content();
        return { facts, content: facts.digest };
      },
      run: async (command, options) => {
        const ran = await workspace.run(command, options);
        return { ...ran, content: ran.before };
      },
    }),
  },
  {
    breaks: 'WS19',
    how: 'a capture tells no content',
    spoil: (workspace) => ({
      capture: async (store, options = {}) => await workspace.capture(store, { ...options, content: false }),
    }),
  },
  {
    breaks: 'WS19',
    how: 'the content is that of the paths alone',
    spoil: (workspace) => {
      const named = async (): Promise<Digest> => {
        const { changes } = (await workspace.content()).facts;
        return digestOf(changes.map(({ path }) => path).join());
      };
      return {
        content: async () => ({ ...(await workspace.content()), content: await named() }),
        run: async (command, options) => {
          const content = await named();
          return { ...(await workspace.run(command, options)), content };
        },
      };
    },
  },
  {
    breaks: 'WS20',
    how: 'nothing that git ignores was ever changed',
    spoil: () => ({ unwatched: async () => ({ changed: [], left: 0, hidden: [] }) }),
  },
  {
    breaks: 'WS20',
    how: 'what is newly hidden is not told apart',
    spoil: (workspace) => ({
      unwatched: async (since, options) => ({ ...(await workspace.unwatched(since, options)), hidden: [] }),
    }),
  },
  {
    breaks: 'WS20',
    how: 'the time does not matter',
    spoil: (workspace) => ({ unwatched: async (_since, options) => await workspace.unwatched(0, options) }),
  },
  {
    breaks: 'WS18',
    how: 'every commit is said to be there',
    spoil: () => ({ hasCommit: async () => true }),
  },
  {
    breaks: 'WS16',
    how: 'when something changed is not told',
    spoil: (workspace) => ({
      ignored: async (globs) => (await workspace.ignored(globs)).map(({ path }) => ({ path, changedAt: 0 })),
    }),
  },
  {
    breaks: 'WS16',
    how: 'what is ignored is not listed',
    spoil: () => ({ ignored: async () => [] }),
  },
  {
    breaks: 'WS15',
    how: 'only what is not committed counts',
    spoil: (workspace) =>
      factsSpoiled(workspace, ({ committed, ...facts }) =>
        committed === undefined ? facts : { ...facts, committed: { ...committed, files: [] } },
      ),
  },
  {
    breaks: 'WS15',
    how: 'the diff shows only what is not committed',
    spoil: (workspace) => ({
      capture: async (store, options) => {
        const { since: _, ...plain } = options ?? {};
        const { diff } = await workspace.capture(store, plain);
        return { ...(await workspace.capture(store, options)), diff };
      },
    }),
  },
  {
    breaks: 'WS15',
    how: 'a start that is gone passes for no commits',
    spoil: (workspace) => ({
      capture: async (store, options = {}) =>
        await workspace.capture(store, { ...options, since: await workspace.start() }),
    }),
  },
];
