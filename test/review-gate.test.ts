/** The action and the container file of contrib/review-gate: their steps, run in a repository with a pull request. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { launcher, newWorkplace, node, staffetta } from './cli/command.ts';

const contrib = join(import.meta.dirname, '..', 'contrib', 'review-gate');

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly run: string; readonly env: Record<string, string> }[];
  };
}

type Inputs = Readonly<Record<string, string>>;

/** The steps as a runner would run them: inputs in their environment, in the folder of the checkout. */
function acted(folder: string, inputs: Inputs): string {
  const action = parse(readFileSync(join(contrib, 'action.yml'), 'utf8')) as Action;
  const given = (name: string): string => inputs[name] ?? action.inputs[name]?.default ?? '';
  const [step] = action.runs.steps;
  const filled = Object.entries(step?.env ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) => given(input)),
  ]);
  const env = { ...process.env, ...Object.fromEntries(filled), GITHUB_ACTION_PATH: contrib };
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', step?.run ?? ''], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return `${status}: ${stderr}${stdout.trim()}`;
}

/** The entry point of the container, with what it copies in its place. */
function contained(folder: string, env: Inputs): string {
  const lines = readFileSync(join(contrib, 'Containerfile'), 'utf8').split('\n');
  const [from = '', to = ''] =
    lines
      .find((line) => line.startsWith('COPY'))
      ?.split(' ')
      .slice(1) ?? [];
  const entry = lines.find((line) => line.startsWith('ENTRYPOINT'))?.slice('ENTRYPOINT'.length) ?? '[]';
  const [program = '', ...args] = (JSON.parse(entry) as string[]).map((word) =>
    word === to ? join(contrib, from) : word,
  );
  const { status, stdout } = spawnSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return `${status}: ${stdout.trim()}`;
}

test('passes what a trusted key approved and nobody changed since, in the action and in the container, and nothing else', async () => {
  const cwd = newWorkplace();
  const run = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const ran = await staffetta([...args, '--json'], { cwd });
    expect([args[0], ran.status, ran.stderr]).toEqual([args[0], 0, '']);
    return ran.json;
  };
  const commit = (name: string, text: string): void => {
    writeFileSync(join(cwd, name), text);
    execFileSync('git', ['-C', cwd, 'add', name]);
    execFileSync('git', ['-C', cwd, '-c', 'commit.gpgsign=false', 'commit', '-qm', name]);
  };
  const { task } = (await run('open', 'The fence stands', '--accept', 'it stands', '--review', 'human')) as {
    task: string;
  };
  await run('take', task, '--as', 'code');
  await run('ack', task, '--as', 'code', '--goal', 'It stands', '--gate', 'it stands', '--next', 'dig');
  commit('fence.txt', 'two posts\n');
  await run(
    'submit',
    task,
    '--as',
    'code',
    '--done',
    'two posts [file:fence.txt]',
    '--artefact',
    'fence.txt',
  );
  const file = 'handoff.staffetta';
  await run('export', task, '--out', 'early.staffetta');
  await run('review', task, '--approve');
  await run('export', task, '--out', file);
  const { key } = (await run('key', 'show')) as { key: string };
  const inputs = { staffetta: `${node} ${launcher}`, reviewers: `sha256:${'0'.repeat(64)}\n${key}` };
  execFileSync('git', ['-C', cwd, 'add', file]);
  execFileSync('git', ['-C', cwd, '-c', 'commit.gpgsign=false', 'commit', '-qm', 'Approved.']);
  expect(acted(cwd, inputs)).toMatch(/^0: Approved: packet sha256:/);
  const env = { PACKET: 'early.staffetta', REVIEWERS: key, STAFFETTA: inputs.staffetta };
  expect(contained(cwd, env)).toMatch(/^7: Not approved/);
  expect(acted(cwd, { ...inputs, reviewers: `sha256:${'0'.repeat(64)}` })).toMatch(/^7: Not approved/);
  expect(acted(cwd, { ...inputs, reviewers: 'anyone' })).toMatch(/^2: /);
  writeFileSync(join(cwd, 'cut.staffetta'), readFileSync(join(cwd, file)).subarray(0, -200));
  expect(acted(cwd, { ...inputs, packet: 'cut.staffetta' })).toMatch(/^9: Refused: /);
  commit('fence.txt', 'three posts\n');
  expect(acted(cwd, inputs)).toMatch(/^6: Changed since it was approved:\nfence\.txt$/);
});
