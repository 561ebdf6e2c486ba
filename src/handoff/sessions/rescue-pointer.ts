/** A session that somebody named for rescue and that cannot be read: its task is opened and handed on as a pointer, once. */
import type { Address } from '../../core/task/address.ts';
import { agentOf } from '../../core/task/agent-name.ts';
import type { Context } from '../record/context.ts';
import { sessionDraft } from './draft-session.ts';
import type { FoundSession } from './find-session.ts';
import { adoptSession, handoffSession } from './from-session.ts';
import { lookOrPoint } from '../sealing/pointer.ts';
import type { Rescued } from './rescue.ts';
import { heldByOther } from './session-task.ts';

/** Null where it can be read, or a process has it. */
export async function rescuePointer(
  context: Context,
  found: FoundSession,
  { to, dryRun = false }: { readonly to: Address; readonly dryRun?: boolean },
): Promise<Rescued | null> {
  const { card, runtime } = found;
  const look = await lookOrPoint(context, found, [runtime]);
  const { bound, pointer } = look;
  if (pointer === undefined || card.liveness === 'alive') return null;
  const why = `Pointer only: ${pointer}`;
  const about = { session: card, trigger: 'crash', why } as const;
  if (bound !== undefined && (bound.state.leg === null || heldByOther(bound, agentOf(card)) !== undefined))
    return {
      ...about,
      task: bound.task,
      packet: bound.state.packet,
      outcome: 'already',
      why: `it is task ${bound.task}, ${bound.state.status}`,
    };
  if (dryRun) return { ...about, task: bound?.task ?? null, packet: null, outcome: 'would-rescue' };
  const { contract, claims } = sessionDraft(look.work);
  const adopted = await adoptSession(context, look, () => contract);
  const offer = { to, trigger: 'crash', why, words: { claims } } as const;
  const { state } = await handoffSession(context, look, adopted, offer);
  return { ...about, task: state.task, packet: state.packet, outcome: 'rescued' };
}
