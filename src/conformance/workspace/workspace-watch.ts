import { digestOf, type Digest } from '../../core/journal/digest.ts';
import { check, same, type Case } from '../case.ts';
import { doSomeWork } from './workspace-look.ts';
import type { WorkspaceScratch } from './workspace-scratch.ts';

/** What lies there whatever git makes of it, and what changes where git does not look. */
export const workspaceWatchCases: readonly Case<WorkspaceScratch>[] = [
  {
    id: 'WS16',
    title: 'what git ignores is listed where a glob matches, with the time of its last change',
    run: async (scratch) => {
      const workspace = await scratch.open('here');
      const globs = ['.env', 'deploy/'];
      scratch.write('here', '.gitignore', '.env\nout\ndeploy/\nother.txt\n');
      for (const path of ['.env', 'inner/.env', 'out/.env', 'deploy/deep/a.txt', 'deploy/b.sh', 'other.txt'])
        scratch.write('here', path, 'one\n');
      const before = scratch.imprint('here');
      const first = await workspace.ignored(globs);
      same(scratch.imprint('here'), before, 'the workspace afterwards');
      const files = [
        '.env',
        'deploy',
        'deploy/b.sh',
        'deploy/deep',
        'deploy/deep/a.txt',
        'inner/.env',
        'out/.env',
      ];
      same(
        first.map(({ path }) => path),
        scratch.git === undefined ? [] : files,
        'what is ignored',
      );
      same(await workspace.ignored(globs), first, 'what is ignored, asked again');
      same(await workspace.ignored([]), [], 'what is ignored without a glob');
      if (scratch.git === undefined) return;
      // A clock of a file system ticks more slowly than a processor.
      const then = new Map(first.map(({ path, changedAt }) => [path, changedAt]));
      const later = async (path: string): Promise<boolean> =>
        ((await workspace.ignored(globs)).find((one) => one.path === path)?.changedAt ?? 0) >
        (then.get(path) ?? 0);
      for (let tries = 0; tries < 1000 && !(await later('.env')); tries++)
        scratch.write('here', '.env', 'two\n');
      check(await later('.env'), 'a change is not told');
      check(!(await later('inner/.env')), 'a file that nobody touched is told as changed');
    },
  },
  {
    id: 'WS19',
    title: 'the content is the same whatever is staged or committed, and another one after any edit',
    run: async (scratch) => {
      doSomeWork(scratch);
      const workspace = await scratch.open('here');
      const contentNow = async (): Promise<Digest> => (await workspace.content()).content;
      const { facts, content: first } = await workspace.content();
      same(facts, await workspace.probe(), 'the facts that the content goes with');
      same(await contentNow(), first, 'the content of the same tree');
      const ran = await workspace.run([process.execPath, '-e', '0']);
      same(ran.content, first, 'the content that a run starts on');
      const taken = await workspace.capture(async (bytes) => digestOf(bytes), { content: true });
      same(taken.content, first, 'the content that a capture tells');
      if (scratch.git !== undefined) {
        scratch.git.stage('new/b.txt');
        same(await contentNow(), first, 'the content once something is staged');
        scratch.git.commit();
        same(await contentNow(), first, 'the content once it is committed');
      }
      const seen = [first];
      const edits: readonly (() => void)[] = [
        () => scratch.write('here', 'a.txt', 'changed again\n'),
        () => scratch.write('here', 'other.txt', 'changed again\n'),
        () => scratch.write('here', 'new/run.sh', 'false\n', { executable: true }),
        () => scratch.remove('here', 'new/run.sh'),
        () => scratch.write('here', 'new/run.sh', 'false\n'),
        () => {
          scratch.remove('here', 'new/link');
          scratch.link('here', 'new/link', 'run.sh');
        },
      ];
      for (const [i, edit] of edits.entries()) {
        edit();
        const now = await contentNow();
        check(!seen.includes(now), `edit ${i + 1} left a content that was there before`);
        seen.push(now);
      }
    },
  },
  {
    id: 'WS20',
    title: 'what git ignores and was changed since is named, and apart from it what is newly hidden',
    run: async (scratch) => {
      const workspace = await scratch.open('here');
      scratch.write('here', '.gitignore', '.env\nout/\n');
      for (const path of ['.env', 'out/a.txt', 'other.txt']) scratch.write('here', path, 'one\n');
      const all = scratch.git === undefined ? [] : ['.env', 'out/a.txt'];
      const before = scratch.imprint('here');
      same(await workspace.unwatched(0), { changed: all, left: 0, hidden: [] }, 'what was changed ever');
      same(scratch.imprint('here'), before, 'the workspace afterwards');
      const folders = await workspace.unwatched(0, { folders: true });
      same(folders.changed, scratch.git === undefined ? [] : ['.env', 'out/'], 'with folders as one');
      const future = Date.now() + 60_000;
      same((await workspace.unwatched(future)).changed, [], 'what was changed since a time to come');
      if (scratch.git === undefined) return;
      scratch.git.exclude('other.txt');
      const { changed, hidden } = await workspace.unwatched(0);
      same(changed, ['.env', 'other.txt', 'out/a.txt'], 'what is ignored once the list hides more');
      same(hidden, ['other.txt'], 'what is newly hidden');
      same((await workspace.unwatched(future)).hidden, [], 'what is hidden by a list that nobody edited');
    },
  },
];
