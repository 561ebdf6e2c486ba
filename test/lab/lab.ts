/** What the proofs share: the programs that are there, sessions that they made, and the built command. */
import { join } from 'node:path';
import { inject, type TestContext } from 'vitest';
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';
import { versionOf } from './install.ts';
import { Machine, type Programs } from './machine.ts';
import { FakeModel } from './model/fake-model.ts';
import { difference, type Wanted } from './proof.ts';
import type { Proven } from './report.ts';
import { ask, start, type Ended } from './running.ts';

const installed = inject('installed');

export const programs: Programs = Object.fromEntries(
  runtimeNames.flatMap((name) => {
    const found = installed[name];
    return 'program' in found ? [[name, found.program]] : [];
  }),
);

/** Says what a test proves, and leaves it out where one of its programs is missing. */
export function proves(context: TestContext, proof: Proven): void {
  context.task.meta.proves = proof;
  for (const name of [proof.from, proof.to ?? proof.from]) {
    const found = installed[name];
    const { title } = agents[name];
    if ('missing' in found)
      context.skip(`${title} ${versionOf(agents[name])} could not be installed. ${found.missing}`);
  }
}

/** A session that a program made, and all that it holds. */
export interface Source {
  readonly machine: Machine;
  readonly told: readonly Wanted[];
}

const sources = new Map<RuntimeName, Promise<Source>>();

/** Made once for all that begins with it. */
export async function sourceOf(name: RuntimeName): Promise<Source> {
  const known = sources.get(name);
  if (known !== undefined) return await known;
  const made = makeSource(name);
  sources.set(name, made);
  return await made;
}

async function makeSource(name: RuntimeName): Promise<Source> {
  const prompt = `Write the file notes.txt with two lines, "naïve" & 'quoted' — ${name}.\nThen count them.`;
  const text = 'I write them first, and count then.';
  const command = `printf 'naïve\\nquoted\\n' > notes.txt && wc -l notes.txt && echo "counted by ${name}"`;
  const final = `There are 2 lines in notes.txt; ${name} is done with that.`;
  await using model = await FakeModel.start(
    { thinking: 'The file comes first.', text, shell: command },
    { text: final },
  );
  const machine = Machine.create(programs, model.origin);
  const ended = await ask(agents[name], machine, prompt).ended;
  const first = [{ user: prompt }, { agent: text }, { shell: command }, { result: `counted by ${name}` }];
  // The next agent can be told only what was said here.
  const wrong = difference(model.told[1] ?? [], first, name);
  if (ended.status !== 0 || wrong !== null)
    throw new Error(`${failure(agents[name].title, ended)}\nIts model was told ${wrong ?? 'all'}`);
  return { machine, told: [...first, { agent: final }] };
}

export async function removeSources(): Promise<void> {
  for (const made of sources.values()) {
    const settled = await Promise.allSettled([made]);
    for (const each of settled) if (each.status === 'fulfilled') each.value.machine[Symbol.dispose]();
  }
}

const command = join(import.meta.dirname, '../../bin/staffetta.cjs');

/** The built command on a machine, with a store that belongs to the machine. */
export async function staffetta(machine: Machine, ...args: readonly string[]): Promise<Ended> {
  return await start({
    program: process.execPath,
    args: [command, ...args],
    cwd: machine.work,
    env: { ...machine.env, STAFFETTA_STORE: join(machine.root, 'store.db') },
  }).ended;
}

/** What it says as JSON; anything but success is an error that quotes it. */
export async function answerOf(machine: Machine, ...args: readonly string[]): Promise<unknown> {
  const ended = await staffetta(machine, ...args, '--json');
  if (ended.status !== 0) throw new Error(failure(`staffetta ${args.join(' ')}`, ended));
  return JSON.parse(ended.stdout) as unknown;
}

export function failure(what: string, { status, signal, stdout, stderr }: Ended): string {
  return `${what} ended with ${status ?? signal}:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`;
}
