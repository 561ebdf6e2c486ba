/** Goes on with a task in a program, until its own `resume --in` does it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openStaffetta } from '../../src/compose/staffetta.ts';
import type { TaskId } from '../../src/core/id.ts';
import { readersOf, readStory } from '../../src/handoff/story.ts';
import type { Runtime, RuntimeName } from '../../src/ports/runtime.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import type { Machine } from './machine.ts';
import { failure } from './lab.ts';
import { start } from './running.ts';

export type History = 'full' | 'briefing';

export async function continued(
  machine: Machine,
  task: string,
  way: { readonly to: RuntimeName; readonly history: History; readonly prompt: string },
): Promise<void> {
  const runtimes = allRuntimes({ ...machine.env });
  const target = runtimes.find(({ name }) => name === way.to) as Runtime;
  const begun =
    way.history === 'full'
      ? ({ kind: 'continue', session: await written(machine, task, runtimes, target) } as const)
      : ({ kind: 'new', id: randomUUID() } as const);
  const launch = target.launch(begun, { kind: 'headless', text: way.prompt }, { folder: machine.work });
  const env: Record<string, string> = { ...machine.env };
  for (const [name, value] of Object.entries(launch.env)) {
    if (value === null) delete env[name];
    else env[name] = value;
  }
  const { program, args, stdin, cwd } = launch;
  const ended = await start({ program, args, stdin, cwd, env }).ended;
  if (ended.status !== 0) throw new Error(failure(way.to, ended));
}

async function written(machine: Machine, task: string, runtimes: readonly Runtime[], target: Runtime) {
  const staffetta = await openStaffetta({ store: join(machine.root, 'store.db') });
  const story = await readStory(staffetta.context, task as TaskId, readersOf(runtimes));
  await staffetta.store.close();
  const [session] = story.sessions;
  if (session === undefined) throw new Error(`The story of ${task} has no session.`);
  const { place } = await target.write(
    { ...session, steps: story.steps },
    {
      folder: machine.work,
      into: machine.root,
      now: Date.now(),
      random: (count) => randomBytes(count),
      ...(target.name === 'opencode' ? { model: 'lab/large' } : {}),
    },
  );
  return place;
}
