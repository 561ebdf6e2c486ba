import { filled } from '../../../core/base/defined.ts';
import { openStore } from '../../../compose/open-store.ts';
import { joinCommand } from '../../../core/base/command-line.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { contextOf } from '../../../desk/context.ts';
import { allCards } from '../../../handoff/record/all-tasks.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { damaged, findState } from '../../../handoff/record/load.ts';
import { moveTasks, openEnd, type Moved } from '../../../handoff/trust/move.ts';
import { homeOf, isThere, storeName } from '../../../home/home.ts';
import { storeAddress } from '../../../home/locate.ts';
import type { DamagedCard } from '../../../ports/journal.ts';
import { memoryAddress, type StoreAddress } from '../../../ports/store-address.ts';
import { exits } from '../../frame/fail.ts';
import { longRun } from '../../frame/long-run.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { counted, next } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const given = text(values, 'to');
  const isAll = values['all'] === true;
  const words = positionals.filter((word) => word !== '');
  if (given === undefined)
    throw new UsageError('Move it to which store?', 'Name one: --to FILE or --to postgres://HOST/NAME');
  if (isAll === words.length > 0)
    throw new UsageError('Move which tasks?', 'Name them by their ids, or say --all.');
  const address = storeAddress(given);
  const isNew = !isThere(homeOf(address, session.env));
  const context = await session.context();
  if (storeName(address) === storeName(context.store.address))
    throw new UsageError(`The tasks are in ${address.shown} already.`, 'Name another store.');
  const store = await openStore(session.dryRun && isNew ? memoryAddress : address, { create: true });
  try {
    const target = contextOf(store, { workspace: process.cwd(), env: session.env });
    const to = openEnd(target, storeName(address), session.actor);
    const moved = await longRun(session, 'move', async (source) => {
      const from = openEnd(source, storeName(context.store.address), session.actor);
      const tasks = isAll ? await movable(source, to.name) : await named(words, session);
      return await moveTasks(tasks, { from, to, dryRun: session.dryRun, why: text(values, 'why') });
    });
    tell(session, moved, { address, isNew });
    return exits.ok;
  } finally {
    await store.close();
  }
}

async function named(words: readonly string[], session: Session): Promise<TaskId[]> {
  const tasks = new Set<TaskId>();
  for (const word of words) tasks.add(await session.task(word));
  return [...tasks];
}

function refuse({ task, why }: DamagedCard): never {
  throw damaged(task, 0, why);
}

/** All but copies of what lives in other stores. */
async function movable(context: Context, to: string): Promise<TaskId[]> {
  const tasks: TaskId[] = [];
  for await (const { task, status } of allCards(context, refuse))
    if (status !== 'elsewhere' || (await findState(context, task))?.away === to) tasks.push(task);
  return tasks;
}

function tell(
  { output, dryRun }: Session,
  moved: readonly Moved[],
  { address, isNew }: { readonly address: StoreAddress; readonly isNew: boolean },
): void {
  const { shown } = address;
  const said = {
    to: shown,
    tasks: moved,
    ...(isNew ? { createsStore: shown } : {}),
    ...filled({ dryRun }),
  };
  output.data(said, () => {
    const count = counted(moved.filter(({ unchanged }) => !unchanged).length, 'task');
    return [
      `${dryRun ? 'Would move' : 'Moved'} ${count} to ${line(shown)}${isNew ? ', a new store' : ''}.`,
      ...moved.map(({ task, status, unchanged }) => `  ${task}  ${unchanged ? 'was there already' : status}`),
    ].join('\n');
  });
  if (!dryRun) next(output, joinCommand(['staffetta', 'ls', '--store', address.withoutPassword()]));
}
