/** What people get wrong, and what agents do: named, with a way on, and the rest of the plan goes on. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, newWorkplace, node, staffetta } from '../cli/command.ts';
import { sandboxed } from '../support/sandboxed.ts';

const home = newFolder();
const env = {
  ...sandboxed,
  HOME: home,
  PATH: process.env['PATH'] ?? '',
  LANG: 'C.UTF-8',
  XDG_DATA_HOME: join(home, 'data'),
};

function planAt(name: string, tasks: object, agents: object, more: object = {}): string {
  const file = join(home, name);
  const plan = {
    ...more,
    goal: 'A test.',
    defaults: { validation: [{ run: [node, '-e', '0'] }], retry: { times: 0 } },
    tasks,
    crew: { agents, limits: { parallel: 8 } },
  };
  writeFileSync(file, JSON.stringify(plan));
  return file;
}

function script(code: string): object {
  return { lane: 'execute', command: [node, '-e', code] };
}

const fine = { lane: 'execute', command: [node, join(import.meta.dirname, 'agent.mjs')] };
const good = planAt('good.yaml', { one: { goal: 'one.txt is there' } }, { fine });
const unstaffed = join(home, 'unstaffed.json');
writeFileSync(
  unstaffed,
  JSON.stringify({ goal: 'g', tasks: { one: { goal: 'one', acceptance: ['It is.'] } } }),
);
const round = {
  a: { goal: 'a', needs: ['b'] },
  b: { goal: 'b', needs: ['a'] },
  c: { goal: 'c', needs: ['z'], agent: 'ghost' },
};
const bad = planAt('bad.yaml', round, {
  code: { lane: 'execute', runtime: ['codex'] },
  gone: { lane: 'execute', command: ['/no/such/program'] },
});

test('a run that cannot begin says why and what to do, and leaves nothing behind', async () => {
  const cwd = newWorkplace();
  const empty = newFolder();
  execFileSync('git', ['init', '-q', empty]);
  const bare = newFolder();
  execFileSync('git', ['clone', '-q', '--bare', cwd, bare]);
  const cases: readonly (readonly [where: string, args: readonly string[], status: number, ...string[]])[] = [
    [cwd, ['run'], 2, 'Which plan?', 'staffetta run plan.yaml'],
    [cwd, ['run', 'nope.yaml'], 2, 'nope.yaml', 'no such file'],
    [cwd, ['run', '--name', 'nope'], 3, 'no run nope', 'staffetta ls'],
    [cwd, ['run', unstaffed], 3, 'no coding agent is installed', 'name a crew: --crew FILE'],
    [
      cwd,
      ['run', bad],
      6,
      'a needs b needs a',
      'needs z',
      'ghost, who is not',
      'codex, which is not installed',
      '/no/such/program cannot be started',
    ],
    [cwd, ['run', good, '--name', 'a b'], 2, 'name: expected 1–64 letters'],
    [cwd, ['run', good, '--base', 'nowhere'], 3, 'no commit "nowhere"', 'git log'],
    [cwd, ['steer', 'nope', '--pause'], 3, 'no run nope', 'staffetta ls'],
    [newFolder(), ['run', good], 1, 'no git repository', 'git init'],
    [empty, ['run', good], 3, 'no commit "HEAD"', 'Commit something first'],
    [bare, ['run', good], 1, 'bare repository', 'git worktree list'],
  ];
  for (const [where, args, status, ...words] of cases) {
    const ran = await staffetta(args, { cwd: where, env: { ...env, PATH: '/usr/bin:/bin' } });
    for (const word of words) expect(ran.stdout + ran.stderr).toContain(word);
    expect([args, ran.status]).toEqual([args, status]);
  }
  const { lines } = await staffetta(['ls', '--all', '--json'], { cwd, env });
  expect(lines).toMatchObject([{ tasks: [] }]);
});

test('agents that end, flood, say nothing or wait for an answer are named, and the others go on', async () => {
  const cwd = newWorkplace();
  writeFileSync(join(cwd, 'left.txt'), 'not committed');
  const stall = { stallMs: 1500 };
  const ask = `console.log(JSON.stringify({ type: 'ask', id: 'q', what: 'fetch it', permission: 'network' }))`;
  const agents = {
    ends: script('process.exit(3)'),
    quits: script('process.exit(0)'),
    floods: { ...script(`setInterval(() => process.stdout.write('x\\n'.repeat(1000)), 5)`), limits: stall },
    mute: { ...script('setInterval(() => {}, 1e6)'), limits: stall },
    asks: { ...script(`process.stdin.once('data', () => ${ask})`), permissions: { network: 'ask' } },
    gone: { lane: 'execute', command: ['./no/such/program'] },
    plans: { ...fine, lane: 'plan' },
    fine,
  };
  const tasks = Object.fromEntries(
    Object.keys(agents).map((agent) => [`by-${agent}`, { goal: 'It is there.', agent }]),
  );
  const file = planAt('agents.yaml', { ...tasks, after: { goal: 'after', needs: ['by-ends'] } }, agents);
  const ran = await staffetta(['run', file, '--until-idle'], { cwd, env });
  const told = [
    'because it is not committed: left.txt',
    'by-ends failed with ends: the program ended with exit code 3',
    'by-ends waits for a person: 1 attempt failed; the last: the program ended with exit code 3',
    'by-quits failed with quits: the program ended with exit code 0',
    'by-floods waits for a person: 1 attempt failed; the last: nothing was seen of the agent',
    'by-mute waits for a person: 1 attempt failed; the last: nothing was seen of the agent',
    'by-asks waits for a person: asks asks whether it may: fetch it. Answer it: staffetta show ',
    'by-gone waits for a person: 1 attempt failed; the last: ./no/such/program could not be started',
    'by-plans waits for a person: What plans handed in was refused twice.',
    'by-plans.txt was changed: by the contract nothing may be changed.',
    'by-fine is done',
    'Nothing moves in the run agents before a person does; 1 task done.',
    'after: blocked',
  ];
  for (const words of told) expect(ran.stderr + ran.stdout).toContain(words);
  expect(ran.status).toBe(6);
});

test('a tree that cannot be set up is told each time, as it was asked for, and the task comes before a person', async () => {
  const setup = [{ run: ['sh', '-c', 'echo no network; exit 4'] }];
  const file = planAt('furnished.yaml', { one: { goal: 'one.txt is there' } }, { fine }, { setup });
  const ran = await staffetta(['run', file, '--until-idle'], { cwd: newWorkplace(), env });
  const why = "could not be set up: sh -c 'echo no network; exit 4': no network";
  const failures = ran.stderr.split('\n').filter((told) => told.startsWith('one failed with fine: '));
  expect(failures.map((told) => told.endsWith(why))).toEqual([true, true, true, true]);
  expect(ran.stderr).toContain('one waits for a person: Nobody could be started on it: ');
});

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, '-c', 'protocol.file.allow=always', ...args], {
    encoding: 'utf8',
  });
}

test('a shallow repository with submodules and changes: what trees will lack is named, and the work is done', async () => {
  const [inner, whole, cwd] = [newWorkplace(), newWorkplace(), newFolder()];
  for (const name of ['here', 'gone']) git(whole, 'submodule', 'add', '-q', inner, name);
  git(whole, 'commit', '-qm', 'With two.');
  git(cwd, 'clone', '-q', '--depth', '1', `file://${whole}`, cwd);
  for (const [field, value] of Object.entries({ name: 'Ada', email: 'ada@example.org' }))
    git(cwd, 'config', `user.${field}`, value);
  git(cwd, 'submodule', '--quiet', 'update', '--init', 'here');
  writeFileSync(join(cwd, 'left.txt'), 'not committed');
  const before = git(cwd, 'status', '--porcelain');
  const validation = [{ run: [node, '-e', "require('node:fs').accessSync('here/fence.txt')"] }];
  const file = planAt('modules.yaml', { one: { goal: 'one.txt is there', validation } }, { fine });
  const ran = await staffetta(['run', file], { cwd, env });
  const told = [
    'because it is not committed: left.txt',
    'because this machine does not have it: gone. Bring it before: git submodule update --init',
    'The history of this repository is cut off',
    'The run modules is done: 1 task.',
  ];
  for (const words of told) expect(ran.stderr + ran.stdout).toContain(words);
  expect(git(cwd, 'status', '--porcelain')).toBe(before);
});
