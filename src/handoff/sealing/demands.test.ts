/** P7: what only a person may approve cannot be handed in from where nobody sees it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GitFolder } from '../../../test/support/git-folder.ts';
import { ada, quinn, stage, type Stage } from '../../../test/support/world.ts';
import { submit } from '../verbs/finish.ts';
import { workspaceOf } from '../../compose/workspace.ts';

let folder: GitFolder;
let at: Stage;
let elsewhere: string;

beforeEach(() => {
  folder = new GitFolder({ 'limit.js': 'export const limit = 10;\n', 'infra/x': '1\n' });
  elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  at = stage({ workspace: folder.path });
});

afterEach(() => {
  folder.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

const contract = {
  goal: 'Requests over the limit in limit.js get status 429.',
  protectedPaths: ['infra/'],
  review: { owner: 'lane:audit' as const },
};

test.each([
  ['a folder without git', () => workspaceOf(elsewhere)],
  ['no workspace at all', () => undefined],
])('what is handed in from %s takes a person', async (_where, workspace) => {
  const leg = await at.staffetta.begin(contract, { as: ada });
  folder.write('infra/x', '2\n');
  folder.commit();
  const { workspace: _here, ...rest } = at.context;
  const given = workspace();
  const context = given === undefined ? rest : { ...rest, workspace: given };
  const { state } = await submit(context, leg, {}, { by: ada });
  expect(state.demands).toEqual([
    'It was handed in from outside a git repository, where nobody can tell what was changed.',
  ]);
  const verdict = { approve: true, packet: state.submission?.packet ?? null } as const;
  await expect(at.staffetta.review(leg.task, verdict, { as: quinn })).rejects.toMatchObject({
    code: 'denied',
  });
});

test('a checkpoint from elsewhere demands nothing: it is handed in later', async () => {
  const leg = await at.staffetta.begin(contract, { as: ada });
  const workspace = workspaceOf(elsewhere);
  const context = workspace === undefined ? at.context : { ...at.context, workspace };
  const { checkpoint } = await import('../verbs/finish.ts');
  expect((await checkpoint(context, leg, {}, { by: ada })).state.demands).toEqual([]);
});

test('a submodule whose commit was moved over a protected path takes a person', async () => {
  const inner = new GitFolder({ 'src/a.ts': '1\n' });
  try {
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib'];
    folder.git(...add);
    folder.commit();
    const leg = await at.staffetta.begin({ ...contract, protectedPaths: ['lib/src/'] }, { as: ada });
    expect((await leg.checkpoint()).state.demands).toEqual([]);
    const lib = join(folder.path, 'lib');
    const commit = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'x'];
    execFileSync('git', ['-C', lib, ...commit, '--allow-empty']);
    folder.commit();
    const { state } = await leg.submit();
    expect(state.demands).toEqual(['lib was changed, and what is watched may lie inside it (lib/src/).']);
  } finally {
    inner.remove();
  }
});
