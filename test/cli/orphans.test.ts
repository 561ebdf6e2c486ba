/** What a killed command leaves running is named by the next one, and ended before somebody else begins in its workspace. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { RuntimeName } from '../../src/ports/index.ts';
import { isOver } from '../../src/process/process-tree.ts';
import { launcher, newWorkplace, node, staffetta } from './command.ts';
import { desk, programs, type Desk } from './programs.ts';

const left = new Set<number>();
afterEach(() => {
  for (const pid of left)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone, as it should be.
    }
  left.clear();
});

/** An agent that hears nothing of its input's end, asks to be left alone, and works for ever. */
const stubborn = `
process.on('SIGTERM', () => {});
process.on('SIGHUP', () => {});
put(join(process.cwd(), 'agent.pid'), String(process.pid));
setInterval(() => put(join(process.cwd(), 'changed.txt'), String(Date.now())), 5);
`;

const isGone = (pid: number): boolean => isOver({ pid, started: null });

/** Once a file is there and says something. */
async function textIn(path: string): Promise<string> {
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text !== '') return text;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Starts it, waits until what it started works, and kills the command alone. */
async function killed(
  args: readonly string[],
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly pidFile: string },
): Promise<number> {
  const { cwd, env, pidFile } = place;
  const command: ChildProcess = spawn(node, [launcher, ...args], { cwd, env, stdio: 'ignore' });
  const pid = Number(await textIn(pidFile));
  left.add(pid);
  command.kill('SIGKILL');
  await once(command, 'exit');
  return pid;
}

async function orphaned(at: Desk, runtime: RuntimeName, lease: string): Promise<number> {
  const { home, folder, task } = at;
  const env = { HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}` };
  const args = ['resume', task, '--in', runtime, '--launch', '--lease', lease, '--json'];
  return await killed(args, { cwd: folder, env, pidFile: join(folder, 'agent.pid') });
}

describe.skipIf(process.platform !== 'linux')('a killed launcher', () => {
  test('its agent is named while it holds its leg, and no second one is started under the same fence', async () => {
    const at = await desk({ does: stubborn });
    const pid = await orphaned(at, 'codex', '1h');
    const seen = await at.run(['show', at.task]);
    expect(seen.status).toBe(0);
    expect(seen.stderr).toContain(`codex (process ${pid}) still runs in ${at.folder}`);
    expect(seen.stderr).toContain(`It holds ${at.task} until`);
    const again = ['resume', at.task, '--in', 'codex', '--launch', '--generation', '2', '--as', 'codex'];
    const second = await at.run([...again, '--json']);
    expect(second.json).toMatchObject({
      error: { code: 'session-busy', details: { pids: [pid] } },
    });
    // Somebody who begins something else here is not in its place.
    await at.run(['open', 'Another fence.', '--to', 'anyone']);
    expect((await at.run(['take', '--as', 'bea', '--json'])).json['task']).not.toBe(at.task);
    expect(isGone(pid)).toBe(false);
  });

  for (const runtime of Object.keys(programs) as RuntimeName[])
    test(`${runtime} is ended before its task is taken again in the same workspace`, async () => {
      const at = await desk({ does: stubborn });
      const pid = await orphaned(at, runtime, '1s');
      const taken = await at.run(['take', at.task, '--as', 'bea', '--wait', '30s', '--json']);
      expect(taken.json).toMatchObject({ task: at.task, generation: 3 });
      expect(isGone(pid)).toBe(true);
      const runs = `${at.store}.runs`;
      expect(readdirSync(runs)).toEqual([]);
      expect((await at.run(['show', at.task])).stderr).not.toContain('still runs');
    });

  test('an agent that has ended leaves no command behind that went on in a session of its own', async () => {
    const command = `process.on('SIGHUP', () => {}); require('node:fs').writeFileSync('command.pid', String(process.pid)); setInterval(() => {}, 1000);`;
    const at = await desk({
      does: `
const { spawn } = require('node:child_process');
spawn(process.execPath, ['-e', ${JSON.stringify(command)}], { detached: true, stdio: 'ignore' }).unref();
const { existsSync } = require('node:fs');
const works = setInterval(() => { if (existsSync('command.pid')) clearInterval(works); }, 5);
`,
    });
    const ran = await at.run(['resume', at.task, '--in', 'codex', '--launch', '--json']);
    expect(ran.status).toBe(0);
    const pid = Number(await textIn(join(at.folder, 'command.pid')));
    left.add(pid);
    expect(isGone(pid)).toBe(true);
    expect(readdirSync(`${at.store}.runs`)).toEqual([]);
  });

  test('the command of a contract that nobody waits for is ended before the next one runs', async () => {
    const folder = newWorkplace();
    const write = `const { writeFileSync } = require('node:fs'); process.on('SIGTERM', () => {}); if (process.env.ONCE) { writeFileSync(process.env.ONCE, String(process.pid)); setInterval(() => {}, 1000); }`;
    const contract = { goal: 'A fence.', validation: [{ run: [node, '-e', write] }] };
    const opened = await staffetta(['open', '--file', '-', '--to', 'anyone', '--json'], {
      cwd: folder,
      stdin: JSON.stringify(contract),
    });
    const task = String(opened.json['task']);
    await staffetta(['take', task, '--as', 'ada'], { cwd: folder });
    const pidFile = join(folder, '.staffetta', 'once.pid');
    const env = { ...process.env, HOME: folder, ONCE: pidFile };
    const pid = await killed(['validate', task, '--as', 'ada'], { cwd: folder, env, pidFile });
    const named = await staffetta(['ls'], { cwd: folder });
    expect(named.stderr).toContain(`(process ${pid}) still runs`);
    expect(isGone(pid)).toBe(false);
    const again = await staffetta(['validate', task, '--as', 'ada', '--json'], { cwd: folder });
    expect(again.json).toMatchObject({ passed: true });
    expect(isGone(pid)).toBe(true);
  });
});
