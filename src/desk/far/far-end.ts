/** What runs on the other machine while a task is sent to it or fetched from it: answers questions about one store until nothing more is asked. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  FarQuestion,
  farVersion,
  type FarAnswer,
  type FarQuestion as Question,
} from '../../core/archive/far-words.ts';
import { defined } from '../../core/base/defined.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Actor } from '../../core/task/actor.ts';
import { finalStatuses, statuses } from '../../core/task/state.ts';
import { openStore } from '../../compose/open-store.ts';
import type { Context } from '../../handoff/record/context.ts';
import { load, resolveTask } from '../../handoff/record/load.ts';
import { openEnd, type MoveEnd } from '../../handoff/trust/move.ts';
import { refuseForeign } from '../../home/foreign-store.ts';
import { homeOf, isThere, storeName } from '../../home/home.ts';
import { locateStore, worktreeRoot } from '../../home/locate.ts';
import { memoryAddress } from '../../ports/store-address.ts';
import { loadRuntimes } from '../../compose/runtimes.ts';
import { contextOf } from '../context.ts';
import { pauseTask } from '../pause.ts';
import { installedPrograms } from '../sessions/installed-programs.ts';
import { withKept } from './kept-copy.ts';
import type { Wire } from './wire.ts';

type Of<A extends Question['ask']> = Extract<Question, { readonly ask: A }>;

/** A store as the one who asks sees it. */
export interface FarPlace {
  readonly context: Context;
  readonly opened: FarAnswer<'open'>;
  readonly end: MoveEnd;
}

export type OpenPlace = (asked: Of<'open'>) => Promise<FarPlace>;

export async function answerFar(wire: Wire, version: string, open: OpenPlace): Promise<void> {
  await wire.say({ staffetta: 'far-end', v: farVersion, version });
  let opened: { readonly place: FarPlace; readonly by: Actor } | undefined;
  try {
    for (;;) {
      const message = await wire.hear();
      if (message === undefined) return;
      try {
        const question = FarQuestion.safeParse(message);
        if (!question.success) throw misunderstood();
        const asked = question.data;
        if (asked.ask === 'open') {
          opened ??= { place: await open(asked), by: asked.by };
          await wire.say({ ok: opened.place.opened });
        } else {
          if (opened === undefined) throw misunderstood();
          await wire.say({ ok: await answer(asked, { wire, ...opened }) });
        }
      } catch (error) {
        const { code, message: words, hint, details } = isStaffettaError(error) ? error : failed(error);
        await wire.say({ error: { code, message: words, details, ...defined({ hint }) } });
        // What was being said is not read to its end: nothing after it would make sense.
        if (!isStaffettaError(error)) throw error;
      }
    }
  } finally {
    await opened?.place.context.store.close();
  }
}

function failed(cause: unknown): StaffettaError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new StaffettaError(code === 'ENOSPC' ? 'store-full' : 'store-io', message, { cause });
}

function misunderstood(): StaffettaError {
  return new StaffettaError('invalid-input', 'That was no question that is known here.', {
    hint: 'Use the same version of staffetta on both machines.',
  });
}

async function answer(
  asked: Exclude<Question, { readonly ask: 'open' }>,
  {
    wire,
    place: { context, end },
    by,
  }: { readonly wire: Wire; readonly place: FarPlace; readonly by: Actor },
): Promise<unknown> {
  switch (asked.ask) {
    case 'list':
      return await movable(context);
    case 'find':
      return await resolveTask(context, asked.task);
    case 'standing':
      return (await end.standing(asked.task)) ?? null;
    case 'rest':
      await sealHeld(context, asked.task, { by, why: asked.why });
      return null;
    case 'copy':
      await wire.pour(end.copy(asked.task)());
      return null;
    case 'leave':
      await end.leave(asked.task, asked.to, asked.why);
      return null;
    case 'adopt':
      return await withKept(wire.poured(), async (source) => await end.adopt(source, asked.dryRun));
    case 'arrive':
      return await end.arrive(asked.task, asked.from);
    case 'has-commit':
      return (await (await context.workspace?.())?.hasCommit(asked.commit)) ?? null;
  }
}

/** What can be fetched. */
async function movable({ store }: Context): Promise<FarAnswer<'list'>> {
  const open = statuses.filter((status) => !finalStatuses.includes(status));
  const { cards } = await store.catalog.list({ statuses: open, limit: 50 });
  return cards.map(({ task, title, status }) => ({ task, title, status }));
}

/** A holder stays behind: what it did is sealed as it lies, and the task is on offer where it arrives. */
export async function sealHeld(
  context: Context,
  task: TaskId,
  { by, why, dryRun = false }: { readonly by: Actor; readonly why: string; readonly dryRun?: boolean },
): Promise<boolean> {
  const { state } = await load(context, task);
  if (state.leg === null) return false;
  if (!dryRun) await pauseTask(context, task, { by, why, until: context.clock.now() });
  return true;
}

/** The store that is found from a folder of this machine. It is made where there is none. */
export async function openPlace({ folder, by, dryRun }: Of<'open'>): Promise<FarPlace> {
  const { env } = process;
  const at = resolve(homedir(), (folder ?? '.').replace(/^~(?=\/|$)/, '.'));
  if (statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new StaffettaError('workspace-missing', `There is no folder ${at}.`, {
      details: { path: at },
      hint: 'Nothing was moved. Name a folder that is there: user@host:FOLDER; it counts from the home of the user.',
    });
  const located = locateStore(at, env);
  refuseForeign(located);
  const isNew = !isThere(homeOf(located.store, env));
  const store = await openStore(isNew && dryRun ? memoryAddress : located.store, { create: true });
  const context = contextOf(store, { workspace: worktreeRoot(at), env });
  const name = storeName(located.store);
  const programs = await installedPrograms(await loadRuntimes(env));
  return { context, opened: { name, folder: at, isNew, programs }, end: openEnd(context, name, by) };
}
