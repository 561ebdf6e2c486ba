/**
 * A person says that a task is done on which nobody works: an agent that never heard of the protocol ended there. The person takes it as its
 * reviewer, what proves it runs, and it is completed: each step is one that reviewers have anyway, and a crash in between leaves a review leg.
 */
import type { Actor } from '../core/task/actor.ts';
import type { TaskId } from '../core/journal/id.ts';
import { defined } from '../core/base/defined.ts';
import { limits } from '../core/base/limits.ts';
import type { TaskState } from '../core/task/state.ts';
import { readCheckedPacket } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';
import { load } from '../handoff/record/load.ts';
import type { PacketInput } from '../handoff/sealing/gather.ts';
import type { SealedRecord } from '../handoff/sealing/sealing.ts';
import { acknowledge } from '../handoff/verbs/carry.ts';
import { reassign } from '../handoff/verbs/direct.ts';
import { checkpoint, complete } from '../handoff/verbs/finish.ts';
import { leave } from '../handoff/verbs/leave.ts';
import { accept } from '../handoff/verbs/take.ts';
import { validate } from '../handoff/verbs/validate.ts';
import { readStanding } from '../handoff/views/standing-contract.ts';

const leaseMs = limits.sessionLeaseMs;
const why = 'A person looks at it and says that it is done.';

export async function finishFor(
  context: Context,
  task: TaskId,
  {
    person,
    input,
    signal,
  }: { readonly person: Actor; readonly input: PacketInput; readonly signal?: AbortSignal },
): Promise<SealedRecord> {
  const by: Actor = { ...person, lane: 'audit' };
  const { state: seen } = await load(context, task);
  if (seen.leg?.holder.name !== person.name) {
    if (await isChanged(context, seen)) await sealAsItLies(context, seen, person);
    else await reassign(context, seen, { to: 'lane:audit', why }, { by: person });
    await accept(context, task, { leaseMs }, { by });
  }
  const { state } = await load(context, task);
  const { generation } = state;
  const { goal, validation = [] } = await readStanding(context, state);
  if (state.leg?.acknowledged !== true)
    await acknowledge(context, { task, generation }, { goal, gate: why, next: 'complete it' }, { by });
  if (validation.length > 0) await validate(context, task, { generation, ...defined({ signal }) }, { by });
  return await complete(context, { task, generation }, input, { by });
}

/** Since the latest packet: committed, or worked on by hand. A reviewer receives what lies there now. */
async function isChanged(context: Context, { sealed }: TaskState): Promise<boolean> {
  const now = await (await context.workspace?.())?.probe();
  return now !== undefined && now.digest !== sealed?.workspace;
}

/** Neither the agent that worked there nor the person who judges it says what is in it: the tool seals what it finds. */
async function sealAsItLies(context: Context, seen: TaskState, person: Actor): Promise<void> {
  const { task } = seen;
  const by: Actor = { name: 'staffetta', kind: 'system', lane: 'execute' };
  await reassign(context, seen, { to: 'agent:staffetta', why }, { by: person });
  const { state } = await accept(context, task, { leaseMs }, { by });
  const held = { task, generation: state.generation };
  const claims = state.packet === null ? undefined : (await readCheckedPacket(context, state.packet)).claims;
  await checkpoint(context, held, { trigger: 'user', unasked: true, ...defined({ claims }) }, { by });
  await leave(context, { ...held, holder: by }, { to: 'lane:audit', trigger: 'user', why, outside: true });
}
