import { driftOf, noLongerChanged, type Drift } from '../../core/tree/workspace-drift.ts';
import type { Change, WorkspaceFacts } from '../../core/tree/workspace.ts';
import type { Workspace } from '../../ports/workspace.ts';

/** Facts of a packet held against those of now; what is no longer changed is looked at: it may have been committed as it was, be there otherwise, or be gone. */
export async function driftIn(
  workspace: Workspace,
  then: WorkspaceFacts,
  now: WorkspaceFacts,
): Promise<Drift[]> {
  const lying = new Map<string, Pick<Change, 'type' | 'digest' | 'target'>>();
  for (const path of noLongerChanged(then, now)) lying.set(path, await workspace.at(path));
  return driftOf(then, now, lying);
}
