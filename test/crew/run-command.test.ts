import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plannedId } from '../../src/crew/run-names.ts';
import { isOver } from '../../src/process/process-tree.ts';
import { launcher, newFolder, newWorkplace, node, staffetta } from '../cli/command.ts';
import { sandboxed } from '../support/sandboxed.ts';

const agent = join(import.meta.dirname, 'agent.mjs');

function plan(): string {
  const command = JSON.stringify([node, agent]);
  return `
goal: Three words
defaults:
  review: lane:audit
  validation: ["${node} -e 0"]
tasks:
  alpha: { goal: alpha.txt is there, paths: [alpha.txt] }
  beta: { goal: beta.txt is there, needs: alpha, paths: [beta.txt] }
  gamma: { goal: gamma.txt is there, needs: alpha, paths: [gamma.txt] }
crew:
  agents:
    code: { lane: execute, command: ${command}, count: 2 }
    qa: { lane: audit, command: ${command} }
`;
}

interface Place {
  readonly cwd: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

function place(): Place {
  const cwd = newWorkplace();
  const home = newFolder();
  const file = join(home, 'words.yaml');
  writeFileSync(file, plan());
  return {
    cwd,
    file,
    env: {
      ...sandboxed,
      HOME: home,
      PATH: process.env['PATH'] ?? '',
      LANG: 'C.UTF-8',
      XDG_DATA_HOME: join(home, 'data'),
    },
  };
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', cwd, ...args], { encoding: 'utf8' });
}

/** What the user has: where everything is, and what lies there. */
function checkout(cwd: string): string {
  return [
    // The store lies there, and git ignores it.
    git(cwd, 'status', '--porcelain', '--ignored').replace('!! .staffetta/\n', ''),
    git(cwd, 'rev-parse', 'HEAD', 'main'),
    git(cwd, 'stash', 'list'),
  ].join('\n');
}

function expectDone(cwd: string): void {
  const branch = 'staffetta/words/+integrated';
  expect(git(cwd, 'ls-tree', '--name-only', branch).split('\n')).toEqual(
    expect.arrayContaining(['alpha.txt', 'beta.txt', 'gamma.txt']),
  );
  const merges = git(
    cwd,
    'log',
    '--first-parent',
    '--format=%(trailers:key=Staffetta-Task,valueonly,separator=)',
    `main..${branch}`,
  );
  expect(merges.trim().split('\n').toSorted()).toEqual(['alpha', 'beta', 'gamma']);
  // Every tree is contained, clean and gone.
  expect(git(cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(git(cwd, 'branch', '--list', 'staffetta/*', '--format=%(refname:short)').trim()).toBe(branch);
}

describe('staffetta run', () => {
  test('carries a plan from its file to an integrated branch, and leaves the checkout alone', async () => {
    const { cwd, env, file } = place();
    const before = checkout(cwd);
    const ran = await staffetta(['run', file], { cwd, env });
    expect(ran.stderr).toContain('alpha is looked at by qa');
    expect(ran.stdout).toContain('The run words is done: 3 tasks.');
    expect(ran.status).toBe(0);
    expectDone(cwd);
    expect(checkout(cwd)).toBe(before);
  });

  test('names what a reviewer left in its tree, and takes that away when it is told to', async () => {
    const { cwd, env: plain, file } = place();
    const env = { ...plain, LEAVE: 'scratch.txt' };
    const ran = await staffetta(['run', file], { cwd, env });
    expect(ran.stdout).toMatch(
      /Trees that were kept: \S+_review\.alpha\.1 \(not committed: scratch\.txt\); /,
    );
    expect(ran.stdout).toContain('staffetta sweep --trees words --dry-run');
    const sweep = async (...more: readonly string[]): Promise<string> =>
      (await staffetta(['sweep', '--trees', 'words', ...more], { cwd, env })).stdout;
    expect((await sweep('--dry-run')).match(/would be removed, and with it scratch\.txt/g)).toHaveLength(3);
    expect(git(cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(4);
    expect((await sweep()).match(/removed, and with it scratch\.txt/g)).toHaveLength(3);
    expectDone(cwd);
  });

  test('goes on where a killed supervisor stopped, also when two are started at once', async () => {
    const { cwd, env: plain, file } = place();
    const at = newFolder();
    const [begun, go] = [join(at, 'begun'), join(at, 'go')];
    const env = { ...plain, SLOW: 'beta', BEGUN: begun, GO: go };
    const first = spawn(node, [launcher, 'run', file], { cwd, env, stdio: 'ignore' });
    const lines = (): string[] =>
      existsSync(begun) ? readFileSync(begun, 'utf8').split('\n').slice(0, -1) : [];
    while (lines().length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
    first.kill('SIGKILL');
    await once(first, 'exit');
    const orphan = Number(lines()[0]);
    const again = Promise.all([
      staffetta(['run', '--name', 'words'], { cwd, env }),
      staffetta(['run', '--name', 'words'], { cwd, env }),
    ]);
    // The one that goes on ends what the dead one left at work before it puts another at the same task.
    while (lines().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isOver({ pid: orphan, started: null })).toBe(true);
    writeFileSync(go, '');
    const ends = await again;
    for (const { status, stdout } of ends) {
      expect(stdout).toContain('The run words is done: 3 tasks.');
      expect(status).toBe(0);
    }
    expectDone(cwd);
  });

  test('an agent that speaks for the task of another of its name is refused, and both go on', async () => {
    const { cwd, env: plain, file } = place();
    const at = newFolder();
    const [begun, go] = [join(at, 'begun'), join(at, 'go')];
    const tasks = ['alpha', 'beta'].map((name) => `  ${name}: { goal: ${name}.txt is there }`);
    const agents = JSON.stringify({ code: { lane: 'execute', count: 2, command: [node, agent] } });
    writeFileSync(
      file,
      [
        'goal: Two words',
        `defaults: { validation: ["${node} -e 0"], integrate: false }`,
        'tasks:',
        ...tasks,
        `crew: { agents: ${agents} }`,
      ].join('\n'),
    );
    const env = { ...plain, SLOW: 'alpha', BEGUN: begun, GO: go, MEDDLE: plannedId('words', 'alpha') };
    const ran = await staffetta(['run', file], { cwd, env });
    expect(ran.stdout).toContain('The run words is done: 2 tasks.\n');
    expect(readFileSync(go, 'utf8')).toContain('was given to another process of code; this one was given');
  });

  test('is told how to go on: started, given, taken out, capped', async () => {
    const { cwd, env, file } = place();
    const agents = JSON.stringify({
      code: { lane: 'execute', command: [node, agent] },
      spare: { lane: 'execute', command: [node, agent] },
      qa: { lane: 'audit', command: [node, agent] },
    });
    const tasks = ['alpha', 'beta', 'gamma', 'delta'].map(
      (name) => `  ${name}: { goal: ${name}.txt is there }`,
    );
    writeFileSync(
      file,
      [
        'goal: Words, by hand',
        `defaults: { validation: ["${node} -e 0"], integrate: false }`,
        'tasks:',
        ...tasks,
        `crew: { strategy: manual, agents: ${agents} }`,
      ].join('\n'),
    );
    const told = async (...args: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await staffetta(args, { cwd, env });
      return stdout + stderr;
    };
    const goOn = async (): Promise<string> => await told('run', '--name', 'words', '--until-idle');
    expect(await told('run', file, '--until-idle')).toContain(
      'alpha waits for a person: nobody has said that it should start',
    );
    const inbox = await told('inbox');
    expect(inbox).toContain('→ staffetta run --name words\n  or staffetta cancel');
    for (const name of ['alpha', 'delta'])
      expect(inbox).toContain(`  → staffetta steer words --start ${name}\n`);
    expect((await told('ls')).match(/needs you/g)).toHaveLength(5);
    expect(await told()).toContain('staffetta steer words --start alpha');
    const wrong: readonly (readonly [args: readonly string[], words: string])[] = [
      [[], 'Nothing would change.'],
      [['--give', 'alpha'], '--give takes a task and an agent'],
      [['--give', 'alpha=zoe'], 'has no agent zoe'],
      [['--give', 'alpha=qa'], 'alpha is in the lane execute, and qa in audit.'],
      [['--cancel', 'omega'], 'has no task omega'],
      [['--cap', 'words=3'], '--cap takes what and how much'],
      [['--cap', 'tokens=lots'], 'lots'],
      [['--pause', '--resume'], 'Pause it or resume it?'],
    ];
    for (const [args, words] of wrong) expect(await told('steer', 'words', ...args)).toContain(words);
    const all = ['--start', 'alpha', '--give', 'beta=spare', '--cancel', 'gamma', '--cap', 'legs=1'];
    expect(await told('steer', 'words', ...all)).toContain(
      'Run words: other caps, gamma is cancelled, alpha goes to lane:execute, beta goes to agent:spare.',
    );
    expect(await goOn()).toContain('The run has used 1 of 1 leg. Go on with as much again');
    expect(await told('inbox')).toContain('question: The run has used 1 of 1 leg. Go on with as much again?');
    expect(await told('ls', '--lane', 'supervise')).toContain('needs you');
    await told('steer', 'words', '--pause');
    expect(await told('ls', '--lane', 'supervise')).toContain('(paused)');
    await told('steer', 'words', '--resume');
    await told('steer', 'words', '--cap', 'legs=9', '--start', 'delta');
    const end = await goOn();
    expect(end).toContain('beta is worked on by spare');
    expect(end).toContain('The run words is done: 3 tasks.\n');
  });
});
