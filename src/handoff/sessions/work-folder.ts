/** The folder of the workspace that a session worked in: kept in its packet, and gone on in. */
import { defined } from '../../core/base/defined.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import type { ResumeCheck } from '../../core/resume/resumable.ts';
import { folderWithin } from '../../core/tree/work-folder.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { Context } from '../record/context.ts';
import { readPacket } from '../history/history.ts';
import type { SessionInput } from '../sealing/native-session.ts';

/** Undefined where there is none, or none that can be looked at. */
async function workspaceOf(context: Context): Promise<Workspace | undefined> {
  try {
    return await context.workspace?.();
  } catch (error) {
    if (isStaffettaError(error)) return undefined;
    throw error;
  }
}

export async function rootOf(context: Context): Promise<string | undefined> {
  return (await workspaceOf(context))?.root;
}

interface Worked {
  readonly session: SessionInput | undefined;
  /** The packet before. */
  readonly parent: Digest | null;
}

/** For a packet, without secrets. Where nobody says where the session worked, it is as the packet before has it. */
export async function workFolderOf(
  context: Context,
  redactor: Redactor,
  { session, parent }: Worked,
): Promise<{ readonly folder?: string }> {
  if (context.workspace === undefined) return {};
  const known = session?.folder;
  const root = known === undefined ? undefined : await rootOf(context);
  if (known !== undefined && root !== undefined) {
    const within = folderWithin(root, known);
    return within === undefined ? {} : { folder: (await redactor.text(within.toWellFormed())).value };
  }
  const { folder } = (parent === null ? undefined : (await readPacket(context, parent)).facts) ?? {};
  return defined({ folder });
}

/** Where a program is started, and what is to be said of it. */
export async function goesOnIn(
  context: Context,
  root: string,
  packet: Packet | null,
): Promise<{ readonly folder: string; readonly gone: readonly ResumeCheck[] }> {
  const within = packet?.facts?.folder;
  if (within === undefined) return { folder: root, gone: [] };
  const workspace = await workspaceOf(context);
  // A link may lead anywhere, and a file is no folder to start in.
  const isThere = workspace?.exists(within) === true && (await workspace.at(within)).type === 'absent';
  if (isThere) return { folder: `${root}/${within}`, gone: [] };
  const text = `The folder ${within}, which it worked in, is gone: it goes on in the root of the workspace.`;
  return { folder: root, gone: [{ check: 'workspace', standing: 'told', text }] };
}
