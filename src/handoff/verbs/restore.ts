import type { Digest } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Manifest } from '../../core/tree/workspace.ts';
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
  /** Make a new git worktree there instead of writing into the current tree; at HEAD, where nothing was captured yet. */
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
): Promise<RestoreReport & { readonly packet: Digest | null }> {
  const { state } = await load(context, task);
  const digest = wanted ?? state.packet;
  if (options.worktree !== undefined && wanted === undefined && !(await isCaptured(context, state)))
    return { ...(await bringBack(context, await asCommitted(context), options)), packet: null };
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
  return { ...(await bringBack(context, manifest, options)), packet: digest };
}

async function bringBack(
  context: Context,
  manifest: Manifest,
  options: Omit<RestoreRequest, 'packet'>,
): Promise<RestoreReport> {
  const read = async (blob: Digest): Promise<Uint8Array | undefined> => await context.store.blobs.get(blob);
  return await (await openedWorkspace(context)).restore(manifest, { read, ...options });
}

/** What a first leg begins with: the last commit, and nothing of what lies around uncommitted. */
async function asCommitted(context: Context): Promise<Manifest> {
  const start = await (await openedWorkspace(context)).start();
  return {
    v: 1,
    kind: start === null ? 'folder' : 'git',
    head: start?.head ?? null,
    entries: [],
    losses: [],
  };
}

/** Whether there is anything to bring back: the workspace of its latest packet or, in a worktree of its own, the last commit. */
export async function isRestorable(
  context: Context,
  task: TaskId,
  { worktree }: Pick<RestoreRequest, 'worktree'>,
): Promise<boolean> {
  return worktree !== undefined || (await isCaptured(context, (await load(context, task)).state));
}

async function isCaptured(context: Context, { packet }: Pick<TaskState, 'packet'>): Promise<boolean> {
  return packet !== null && (await readCheckedPacket(context, packet)).facts?.manifest !== undefined;
}
