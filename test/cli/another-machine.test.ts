/** send and fetch as their users meet them: over a program in the place of ssh, over a real sshd between two networks, and in a file. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { notProven } from '../faults/not-proven.ts';
import { launcher, newFolder, newRepository, newWorkplace, node, staffetta, type Ran } from './command.ts';
import { claudePlace, put, sessionText } from './programs.ts';
import { stages } from './stage.ts';

interface Machine {
  readonly folder: string;
  /** Options by which it is reached. */
  readonly ways: readonly string[];
}

/** What ssh would do: the home of a user there, and a shell. */
function machine(): Machine {
  const folder = newWorkplace();
  const ssh = join(newFolder(), 'ssh');
  const script = `#!/bin/sh\necho Welcome to "$1"\ncd ${folder} || exit 1\nHOME=${folder} PATH=${folder}/bin:/usr/bin:/bin exec sh -c "$2"\n`;
  writeFileSync(ssh, script);
  chmodSync(ssh, 0o755);
  return { folder, ways: ['--ssh', ssh, '--there', `${node} ${launcher}`] };
}

/** The program there, and what happens after so many of its answers. */
function afterAnswers(answers: number, act: string): string {
  const lines = `n=0; while IFS= read -r line; do echo "$line"; n=$((n+1)); test $n != ${answers} || ${act}; done`;
  return `${node} ${launcher} far-end | { ${lines}; }\n`;
}

/** Whether an agent can take it there. */
async function taken(folder: string, task: string): Promise<string> {
  const { status, stderr } = await staffetta(['take', task, '--as', 'bea'], { cwd: folder });
  return status === 0 ? 'taken' : stderr;
}

async function run(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return await staffetta(args, { cwd });
}

describe('over ssh', () => {
  test('what is held is sealed, goes on there with its history and changed files, and comes back', async () => {
    const { folder, task } = await stages.held();
    const there = machine();
    writeFileSync(join(folder, 'fence.txt'), 'two posts\n');
    const sent = await staffetta(['send', task, 'ada@desk', ...there.ways, '--json'], { cwd: folder });
    expect(sent.stderr).toBe('');
    expect(sent.json).toMatchObject({ task, status: 'offered', sealed: true, unchanged: false });
    const again = await staffetta(['send', task, 'ada@desk', ...there.ways], { cwd: folder });
    expect(again.stdout).toBe(`${task} is at ada@desk already: offered.\n`);
    expect(await taken(folder, task)).toContain('has moved to');
    const inbox = await staffetta(['ls'], { cwd: there.folder });
    expect(inbox.stdout).toContain(task);
    expect(await taken(there.folder, task)).toBe('taken');
    const restored = await staffetta(['restore', task, '--json'], { cwd: there.folder });
    expect(restored.json).toMatchObject({ written: ['fence.txt'] });
    const back = await staffetta(['fetch', 'ada@desk', ...there.ways, '--json'], { cwd: folder });
    expect(back.json).toMatchObject({ task, status: 'offered', from: 'ada@desk' });
    expect(await taken(there.folder, task)).toContain('has moved to');
    expect(await taken(folder, task)).toBe('taken');
    const verified = await staffetta(['verify'], { cwd: folder });
    expect([verified.status, verified.stderr]).toEqual([0, expect.not.stringContaining('fault')]);
  });

  test('without a task the latest session here goes; where there is none nothing is made', async () => {
    const [folder, home] = [newWorkplace(), newFolder()];
    const there = machine();
    const send = async (): Promise<Ran> =>
      await staffetta(['send', 'desk', ...there.ways, '--json'], { cwd: folder, env: { HOME: home } });
    expect((await send()).status).toBe(3);
    expect([folder, there.folder].map((one) => existsSync(join(one, '.staffetta')))).toEqual([false, false]);
    put(claudePlace(home, folder), sessionText('usage-limit.jsonl', folder));
    const sent = await send();
    const { task } = sent.json as { readonly task: string };
    expect(sent.json).toMatchObject({ status: 'offered', unchanged: false });
    expect(await taken(folder, task)).toContain('has moved to');
    expect(await taken(there.folder, task)).toBe('taken');
  });

  test('a dry run changes nothing on either side, and commits that are not there are named', async () => {
    const { folder, task } = await stages.handedOff();
    const there = machine();
    const git = (...args: readonly string[]): unknown => execFileSync('git', ['-C', there.folder, ...args]);
    rmSync(join(there.folder, '.git'), { recursive: true });
    git('init', '-q');
    const dry = await staffetta(['send', task, 'desk', ...there.ways, '--dry-run'], { cwd: folder });
    expect(dry.stdout).toMatch(/^Would send .*, a new store: offered there\.\n$/);
    expect((await staffetta(['ls'], { cwd: there.folder })).stdout).not.toContain(task);
    const sent = await staffetta(['send', task, 'desk', ...there.ways], { cwd: folder });
    expect(sent.stdout).toMatch(/^Sent /);
    expect(sent.stderr).toContain('Commits do not go along');
    expect(sent.stderr).toContain(`staffetta take ${task}'`);
  });

  test('what to do next names a program that is installed where the task is', async () => {
    const { folder, task } = await stages.handedOff();
    const there = machine();
    const bin = join(there.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'gemini'), '#!/bin/sh\n', { mode: 0o755 });
    const sent = await staffetta(['send', task, 'desk', ...there.ways], { cwd: folder });
    expect(sent.stderr).toContain(`staffetta resume ${task} --in gemini-cli'`);
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const back = await staffetta(['fetch', 'desk', task, ...there.ways], { cwd: folder, env });
    expect(back.stderr).toContain(`staffetta resume ${task} --in gemini-cli`);
  });

  test.each([
    [
      'no such host',
      ['desk', '--ssh', 'echo ssh: no such host >&2; exit 255; true'],
      'far-unreachable',
      'no such host',
    ],
    ['no ssh', ['desk', '--ssh', '/nowhere/ssh'], 'far-unreachable', '/nowhere/ssh'],
    ['no staffetta there', ['desk', '--there', '/nowhere/staffetta'], 'far-unreachable', 'was not found'],
    ['another program there', ['desk', '--there', 'echo'], 'far-unreachable', 'cannot be reached'],
    ['no such folder', ['desk:work/none'], 'workspace-missing', 'There is no folder'],
    ['a host that is an option', ['-oProxyCommand=true@x'], 'usage', ''],
    ['no machine', [], 'usage', 'to which machine'],
    ['no host', ['a b'], 'usage', 'names no machine'],
  ])('%s is told, and nothing is lost', async (_, words, code, said) => {
    const { folder, task } = await stages.handedOff();
    const there = machine();
    const ways = there.ways.filter((_word, at) => !words.includes(there.ways[at - (at % 2)] ?? ''));
    const ran = await staffetta(['send', task, ...words, ...ways, '--json'], { cwd: folder });
    expect([ran.json['error'], ran.stderr]).toEqual([
      expect.objectContaining({ code }),
      expect.stringContaining(said),
    ]);
    expect(await taken(folder, task)).toBe('taken');
  });

  test('where it is killed in the middle nothing is lost, and sending again completes', async () => {
    const { folder, task } = await stages.handedOff();
    const there = machine();
    const killed = join(newFolder(), 'far');
    writeFileSync(killed, afterAnswers(3, 'exit'));
    const [name = '', ssh = ''] = there.ways;
    const ran = await run(folder, 'send', task, 'desk', name, ssh, '--there', `sh ${killed}`);
    expect([ran.status, ran.stderr]).toEqual([8, expect.stringContaining('Nothing is lost')]);
    expect((await run(folder, 'send', task, 'desk', ...there.ways)).status).toBe(0);
    expect(await taken(there.folder, task)).toBe('taken');
  });
});

describe('in a file', () => {
  test('the task goes on with the store that reads it first, and reading it again changes nothing', async () => {
    const { folder, task } = await stages.held();
    const file = join(newFolder(), 'task.staffetta');
    const sent = await staffetta(['send', task, '--file', file], { cwd: folder });
    expect([sent.stdout, sent.stderr]).toEqual([
      `Sent ${task} into ${file}; here it can only be read now.\n`,
      expect.stringContaining('at one place only'),
    ]);
    expect(await taken(folder, task)).toContain('has moved to file:');
    const [one, two] = [newRepository(), newRepository()];
    const got = await staffetta(['fetch', file], { cwd: one });
    expect(got.stdout).toBe(`Fetched ${task} from ${file}: offered here.\n`);
    expect(await taken(one, task)).toBe('taken');
    expect((await staffetta(['fetch', file], { cwd: one })).stdout).toBe(`${task} is here already: held.\n`);
    const refused = await staffetta(['fetch', file], { cwd: two });
    expect([refused.status, refused.stderr]).toEqual([
      5,
      expect.stringContaining('was taken in already, by'),
    ]);
  });

  test('where it was lost it is written again; one for a named store, an export and a damaged one are refused elsewhere', async () => {
    const { folder, task } = await stages.handedOff();
    const at = newFolder();
    const path = (name: string): string => join(at, name);
    const other = newRepository();
    await run(folder, 'export', task, '--out', path('copy'));
    expect((await run(other, 'fetch', path('copy'))).stderr).toContain('which was not sent away');
    writeFileSync(path('there'), 'mine');
    expect((await run(folder, 'send', task, '--file', path('there'))).status).toBe(5);
    expect((await run(folder, 'send', task, '--file', path('lost'))).status).toBe(0);
    expect((await run(folder, 'send', task, '--file', path('found'))).status).toBe(0);
    expect((await run(folder, 'send', task, 'desk', ...machine().ways)).stderr).toContain(
      'has moved to file:',
    );
    cpSync(path('found'), path('cut'));
    writeFileSync(path('cut'), 'x', { flag: 'a' });
    expect((await run(other, 'fetch', path('cut'))).status).toBe(9);
    expect((await run(other, 'fetch', path('found'))).status).toBe(0);
    const named = await run(other, 'send', task, '--file', path('named'), '--to', 'desk:/store.db');
    expect(named.stderr).toContain('Only desk:/store.db');
    expect((await run(newRepository(), 'fetch', path('named'))).stderr).toContain(
      'was sent to desk:/store.db',
    );
    expect((await run(other, 'fetch', path('none'))).status).toBe(2);
  });
});

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}

/** Two networks with a cable between them, and sshd at the other end. */
interface Networks {
  readonly ssh: string;
  readonly cut: string;
  readonly mend: () => void;
}

function networks(): Networks | undefined {
  const [a, b, port] = [`sta${process.pid}`, `stb${process.pid}`, 2222];
  try {
    execFileSync('sh', ['-c', 'test "$(id -u)" = 0 && test -x /usr/sbin/sshd'], { stdio: 'pipe' });
    ip('netns', 'add', a);
    ip('netns', 'add', b);
  } catch {
    return undefined;
  }
  onTestFinished(() => {
    ip('netns', 'del', a);
    ip('netns', 'del', b);
  });
  ip('link', 'add', a, 'netns', a, 'type', 'veth', 'peer', 'name', b, 'netns', b);
  for (const [name, address] of [
    [a, '10.231.7.1/24'],
    [b, '10.231.7.2/24'],
  ] as const) {
    ip('-n', name, 'address', 'add', address, 'dev', name);
    ip('-n', name, 'link', 'set', name, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }
  const keys = newFolder();
  for (const key of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, key)]);
  mkdirSync('/run/sshd', { recursive: true });
  const config = `Port ${port}\nHostKey ${join(keys, 'host')}\nAuthorizedKeysFile ${join(keys, 'user.pub')}\nStrictModes no\nUsePAM no\nPidFile none\nClientAliveInterval 1\nClientAliveCountMax 1\n`;
  writeFileSync(join(keys, 'sshd'), config);
  const sshd = spawn('ip', ['netns', 'exec', b, '/usr/sbin/sshd', '-D', '-e', '-f', join(keys, 'sshd')], {
    stdio: 'ignore',
  });
  onTestFinished(() => void sshd.kill());
  const ssh = `ip netns exec ${a} ssh -F none -T -p ${port} -i ${join(keys, 'user')} -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=${join(keys, 'known')} -o ServerAliveInterval=1 -o ServerAliveCountMax=1 -o ConnectTimeout=5 -o ConnectionAttempts=5`;
  return {
    ssh,
    cut: `ip -n ${b} link set ${b} down`,
    mend: () => ip('-n', b, 'link', 'set', b, 'up'),
  };
}

test('over a real sshd, with the cable pulled in the middle: it is here or there, and sending again completes', async () => {
  const net = networks();
  if (net === undefined) {
    notProven('that a task is sent over a real ssh', 'root, ip and /usr/sbin/sshd are needed');
    return;
  }
  const there = newWorkplace();
  const wrapper = join(newFolder(), 'far');
  const send = async (task: string, folder: string, answers: number): Promise<Ran> => {
    writeFileSync(wrapper, afterAnswers(answers, net.cut));
    const ways = ['--ssh', net.ssh, '--there', `sh ${wrapper}`];
    return await staffetta(['send', task, `root@10.231.7.2:${there}`, ...ways, '--json'], { cwd: folder });
  };
  for (const answers of [2, 3, 4]) {
    const { folder, task } = await stages.handedOff();
    const cut = await send(task, folder, answers);
    expect([answers, cut.json['error']]).toEqual([
      answers,
      expect.objectContaining({ code: 'outcome-unknown' }),
    ]);
    net.mend();
    const on = [await taken(folder, task), await taken(there, task)].filter((said) => said === 'taken');
    expect(on.length).toBeLessThan(2);
    expect((await send(task, folder, 0)).json).toMatchObject({ task });
    expect(await taken(folder, task)).toContain('has moved to');
    expect((await staffetta(['show', task, '--json'], { cwd: there })).json).not.toMatchObject({
      status: 'elsewhere',
    });
  }
}, 60_000);
