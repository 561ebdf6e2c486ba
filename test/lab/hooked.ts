/** Programs that are set up with hooks, with the store where they find it themselves: in the repository they work in. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RuntimeName } from '../../src/ports/runtime.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { versionOf } from './install.ts';
import { agents } from './agents/all.ts';
import { failure } from './lab.ts';
import type { Machine } from './machine.ts';
import type { FakeModel } from './model/fake-model.ts';
import { field, list, text } from './model/json.ts';
import { ask, start, type Ended } from './running.ts';

const command = join(import.meta.dirname, '../../bin/staffetta.cjs');

/** The built command, as somebody in the repository calls it. */
export async function commandHere(machine: Machine, ...args: readonly string[]): Promise<Ended> {
  const order = { program: process.execPath, args: [command, ...args], cwd: machine.work, env: machine.env };
  return await start(order).ended;
}

export async function answerHere(machine: Machine, ...args: readonly string[]): Promise<unknown> {
  const ended = await commandHere(machine, ...args, '--json');
  if (ended.status !== 0) throw new Error(failure(`staffetta ${args.join(' ')}`, ended));
  return JSON.parse(ended.stdout) as unknown;
}

/** For each turn, whether these words are anywhere in what the model was sent. */
export function toldOf(model: FakeModel, words: string): boolean[] {
  const escaped = JSON.stringify(words).slice(1, -1);
  return model.requests
    .filter(({ turn }) => turn !== null)
    .map(({ body }) => JSON.stringify(body).includes(escaped));
}

/**
 * opencode fetches the types for plugins from the registry as soon as there is one, and waits for them; without a network for
 * more than a minute. What it looks for is a package of that name, installed as npm does it.
 */
export function withPluginTypes(machine: Machine): void {
  const folder = join(machine.home, '.config/opencode');
  const version = versionOf(agents.opencode);
  const name = '@opencode-ai/plugin';
  const dependencies = { [name]: version };
  const write = (path: string, value: unknown): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(value));
  };
  const packages = { [`node_modules/${name}`]: { version } };
  write('package.json', { dependencies });
  write('package-lock.json', {
    name: 'opencode',
    lockfileVersion: 3,
    requires: true,
    packages: { '': { dependencies }, ...packages },
  });
  write('node_modules/.package-lock.json', {
    name: 'opencode',
    lockfileVersion: 3,
    requires: true,
    packages,
  });
  write(`node_modules/${name}/package.json`, { name, version });
}

/** Killed while a command of the model ran, which is killed with it. The prompt stands in the program's own files by then. */
export async function killedInCall(
  name: RuntimeName,
  machine: Machine,
  model: FakeModel,
  prompt: string,
): Promise<void> {
  const gate = join(machine.root, 'gate');
  execFileSync('mkfifo', [gate]);
  model.add({ text: 'I measure it.', shell: `echo $$ > ${gate}; exec sleep 300` });
  const running = ask(agents[name], machine, prompt);
  const early = running.ended.then((ended) => {
    // Lets the reader go.
    closeSync(openSync(gate, 'r+'));
    throw new Error(failure(name, ended));
  });
  const pid = Number(await Promise.race([readFile(gate, 'utf8'), early]));
  early.catch(() => undefined);
  while (!(await isWritten(machine, name, prompt))) await new Promise((resolve) => setTimeout(resolve, 50));
  running.kill();
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with the program.
  }
  await running.ended;
}

async function isWritten(machine: Machine, name: RuntimeName, prompt: string): Promise<boolean> {
  const runtime = allRuntimes({ ...machine.env }).find((each) => each.name === name);
  for await (const card of runtime?.sessions({ folder: machine.work }) ?? []) {
    const records: Uint8Array[] = [];
    for await (const record of (await runtime?.capture(card))?.records ?? []) records.push(record);
    if (
      runtime?.read(records).steps.some(({ source, text }) => source === 'user' && text === prompt) === true
    )
      return true;
  }
  return false;
}

/** What Codex itself says of the hooks that it found: event and trust. */
export async function codexHooks(machine: Machine): Promise<readonly (readonly [string, string])[]> {
  const requests = [
    {
      id: 1,
      method: 'initialize',
      params: { clientInfo: { name: 'lab', version: '1' }, capabilities: { experimentalApi: true } },
    },
    { method: 'initialized' },
    { id: 2, method: 'hooks/list', params: { cwds: [machine.work] } },
  ];
  const child = spawn('codex', ['app-server'], {
    cwd: machine.work,
    env: { ...machine.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let said = '';
  const answer = new Promise<unknown>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`codex app-server ended: ${said}`)));
    child.stdout.on('data', (piece) => {
      said += String(piece);
      const line = said.split('\n').find((one) => one.startsWith('{"id":2,'));
      if (line !== undefined && said.includes(`${line}\n`)) resolve(JSON.parse(line));
    });
  });
  for (const request of requests) child.stdin.write(`${JSON.stringify(request)}\n`);
  try {
    const [first] = list(field(field(await answer, 'result'), 'data'));
    return list(field(first, 'hooks')).map((hook) => [
      text(field(hook, 'eventName')),
      text(field(hook, 'trustStatus')),
    ]);
  } finally {
    child.kill();
  }
}
