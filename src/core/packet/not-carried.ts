/** What did not travel with a packet. Every view of a packet tells it with these words, so that none names less than another. */
import type { Packet } from './packet.ts';
import { losesWork, lossWords, type Loss, type WorkspaceFacts } from '../tree/workspace.ts';

/** Paths that the capture left out, and then what else could not be carried over. */
export function notCarriedLines({ facts, losses = [] }: Pick<Packet, 'facts' | 'losses'>): string[] {
  return [...leftOutLines(facts?.workspace), ...losses.map(({ what, why }) => `${what}: ${why}`)];
}

function leftOutLines(workspace: WorkspaceFacts | undefined): string[] {
  if (workspace === undefined) return [];
  const { losses, lossesLeft } = workspace;
  return [...losses.map(lossLine), ...(lossesLeft === 0 ? [] : [`and ${lossesLeft} more`])];
}

export function lossLine({ path, reason }: Pick<Loss, 'path' | 'reason'>): string {
  return `${path} ${lossWords[reason]}`;
}

/** How many paths that somebody worked on are not in the packet. */
export function lostPaths({ losses, lossesLeft }: WorkspaceFacts): number {
  return losses.filter(({ reason }) => losesWork(reason)).length + lossesLeft;
}
