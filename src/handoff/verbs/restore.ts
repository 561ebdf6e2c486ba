import type { Digest } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { RestoreReport } from '../../ports/workspace.ts';
import type { Context } from '../record/context.ts';
import { readCheckedPacket } from '../history/history.ts';
import { noPacket } from '../sealing/judge.ts';
import { load } from '../record/load.ts';
import { readManifest } from '../history/packet-blobs.ts';
import { openedWorkspace } from './run.ts';

export interface RestoreRequest {
  /** Which packet; by default the latest of the task. */
  readonly packet?: Digest;
  /** Make a new git worktree there instead of writing into the current tree. */
  readonly worktree?: string;
  /** Paths or globs that may be written although they start by themselves or steer an agent or editor. */
  readonly allow?: readonly string[];
  readonly dryRun?: boolean;
}

/** Brings the workspace of a packet back: into the tree around us, if that is clean and at the same commit, or a new worktree. */
export async function restore(
  context: Context,
  task: TaskId,
  { packet: wanted, ...options }: RestoreRequest = {},
): Promise<RestoreReport & { readonly packet: Digest }> {
  const { state } = await load(context, task);
  const digest = wanted ?? state.packet;
  if (digest === null) throw noPacket(task);
  const packet = await readCheckedPacket(context, digest);
  // A task that was forked starts from a packet of the other one.
  if (packet.task !== task && digest !== state.packet) {
    throw new StaffettaError('unknown-packet', `Packet ${digest} belongs to task ${packet.task}.`, {
      details: { task, packet: digest },
    });
  }
  const manifest = await readManifest(context, packet);
  if (manifest === undefined) {
    throw new StaffettaError('unknown-packet', `Packet ${digest} holds no workspace: none was captured.`, {
      details: { task, packet: digest },
      hint: `Other packets of the task are listed by: staffetta log ${task}`,
    });
  }
  const report = await (
    await openedWorkspace(context)
  ).restore(manifest, { read: async (blob) => await context.store.blobs.get(blob), ...options });
  return { ...report, packet: digest };
}

/** Whether the latest packet of a task has a workspace to bring back. */
export async function isRestorable(context: Context, task: TaskId): Promise<boolean> {
  const { packet } = (await load(context, task)).state;
  return packet !== null && (await readCheckedPacket(context, packet)).facts?.manifest !== undefined;
}
