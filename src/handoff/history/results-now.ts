/** How what proves a task ended, of the work in its latest packet, with what was run since. */
import type { Contract } from '../../core/contract/contract.ts';
import { withRunsSince, type ValidationResult } from '../../core/contract/validation-standing.ts';
import { packetResults } from '../../core/files/handoff-facts.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import { sealedIn } from './remarks.ts';

export function resultsNow(
  packet: Packet,
  { task, runs }: TaskState,
  contract: Contract,
): ValidationResult[] {
  const workspace = packet.facts?.workspace?.digest ?? null;
  const sealedAt = sealedIn(packet, task);
  return withRunsSince(packetResults(packet, contract), runs, { sealedAt, workspace });
}
