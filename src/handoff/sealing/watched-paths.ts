import type { Contract } from '../../core/contract/contract.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { watchedGlobs } from '../../core/contract/demands.ts';
import { withWatchedPaths, type WatchedPlace } from '../../core/contract/watched-paths.ts';
import type { Context } from '../record/context.ts';

/** A contract whose paths mean what they say in the workspace around us. */
export async function spelledPaths(
  context: Context,
  contract: Contract,
  before?: Contract,
): Promise<Contract> {
  if (watchedGlobs(contract).length === 0) return contract;
  return withWatchedPaths(contract, await placeOf(context), before);
}

/** Nobody knows where there is no workspace, or none that can be looked at. */
async function placeOf(context: Context): Promise<WatchedPlace> {
  try {
    const workspace = await context.workspace?.();
    if (workspace !== undefined) return { root: workspace.root, exists: (path) => workspace.exists(path) };
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
  }
  return { root: null, exists: () => false };
}
