import type { BareNeed, BriefGraph, BriefNeed } from '../../core/briefing/from-needs.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { findState } from '../record/load.ts';
import { readCheckedPacket } from '../history/history.ts';
import { learnedOf } from '../history/learned.ts';

/** A join may need hundreds, and the journal of each is read: a briefing has room for the words of a few. */
const readMax = 24;
const waitingMax = 8;

/** What stands around a task in the graph: what each of its needs left, and who waits for it. */
export async function aroundTask(context: Context, { task, terms }: TaskState): Promise<BriefGraph> {
  const needs: (BriefNeed | BareNeed)[] = [];
  for (const need of terms.needs) needs.push(await needOf(context, need, needs.length < readMax));
  const waits = await context.store.catalog.waits({ need: task, limit: waitingMax + 1 });
  const waiting: { readonly task: TaskId; readonly title: string }[] = [];
  for (const { task: waiter } of waits.slice(0, waitingMax))
    waiting.push({ task: waiter, title: (await readable(context, waiter))?.terms.title ?? waiter });
  return { needs, waiting, moreWait: waits.length > waitingMax };
}

async function needOf(context: Context, task: TaskId, isRead: boolean): Promise<BriefNeed | BareNeed> {
  const state = await readable(context, task);
  if (state === undefined) return { task, title: null, why: 'It is not in this store, or cannot be read.' };
  const { status, integrated = null, terms } = state;
  if (!isRead) return { task, title: terms.title, why: `${status}.` };
  try {
    const digest = state.packet;
    const read = digest === null ? null : { digest, packet: await readCheckedPacket(context, digest) };
    const learned = await learnedOf(context, { ...state, packet: null }, { upTo: state.seq, read });
    return { task, title: terms.title, status, integrated, packet: read?.packet ?? null, learned };
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return { task, title: terms.title, why: `${status}. What it left cannot be read: ${error.message}` };
  }
}

/** A damaged need keeps nobody from working. */
async function readable(context: Context, task: TaskId): Promise<TaskState | undefined> {
  try {
    return await findState(context, task);
  } catch (error) {
    if (!isStaffettaError(error, 'corrupt')) throw error;
    return undefined;
  }
}
