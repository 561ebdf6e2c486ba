/** A packet sealed in an emergency may say less than others, and must say what it lacks: nobody misses what they never knew of. */
import type { Contract } from '../contract/contract.ts';
import { counted } from '../base/counted.ts';
import { earlierWordsLoss } from './earlier-words.ts';
import { isEmergency } from './emergency.ts';
import type { Trigger } from '../journal/event.ts';
import { packetResults } from '../files/handoff-facts.ts';
import type { TaskId } from '../journal/id.ts';
import { hasGate } from '../gate/rules/gate-missing.ts';
import { lostPaths } from './not-carried.ts';
import type { Packet } from './packet.ts';
import { goalNotStated } from '../reasoning/draft.ts';
import { isOfRunning } from '../reasoning/running.ts';
import type { WorkspaceFacts } from '../tree/workspace.ts';

/** What a receiver looks for and would not find, in words. Empty for a packet that was sealed in its own time. */
export function missingIn(packet: Packet, contract?: Contract): string[] {
  if (!isEmergency(packet.trigger)) return [];
  const { claims, facts, transcript } = packet;
  const doing = claims.doing?.filter((claim) => !isOfRunning(claim));
  const nothingSaid = [claims.done, doing, claims.remaining, claims.summary].every(
    (said) => said === undefined || said.length === 0,
  );
  return [
    ...(facts?.workspace === undefined ? [`the workspace: ${whyNone(packet)}`] : []),
    ...(facts?.workspace === undefined ? [] : notCaptured(facts.workspace, facts.diff !== undefined)),
    ...(contract === undefined ? [] : notAgreed(contract)),
    ...(claims.next === undefined ? ['the next action: the giver did not say what to do next'] : []),
    ...(packet.losses ?? [])
      .filter(({ what }) => what === earlierWordsLoss || what === sessionLoss)
      .map(({ what, why }) => `${what}: ${why}`),
    ...(nothingSaid ? ['the state of the work: the giver did not say what is done and what remains'] : []),
    ...(transcript.length === 0
      ? ['the transcript: nothing of what was said and tried since the last packet']
      : []),
    ...(contract === undefined ? [] : unproven(packet, contract)),
  ];
}

/** Only where nothing of the work was left out does it say that the files are there. */
function notCaptured(workspace: WorkspaceFacts, hasDiff: boolean): string[] {
  const lost = lostPaths(workspace);
  const diff = 'the diff: there was no time to make it';
  return [
    ...(hasDiff || workspace.changes.length === 0
      ? []
      : [lost === 0 ? `${diff}, but the changed files are captured` : diff]),
    // Their names are foreign words, which stand where data stands.
    ...(lost === 0
      ? []
      : [`${counted(lost, 'path')} of the workspace: listed as not carried over, with why`]),
  ];
}

/** What the gate asks of any work; of strict work, all that a contract can say. */
function notAgreed(contract: Contract): string[] {
  const { goal, acceptance, nonGoals, validation, review, strict } = contract;
  return [
    ...(goal === goalNotStated ? ['the goal: the contract does not say what should be true at the end'] : []),
    ...(hasGate(contract) ? [] : ['the gate: the contract does not say how to tell that it is done']),
    ...(strict !== true
      ? []
      : [
          ...(isEmpty(acceptance)
            ? ['acceptance: the contract does not say when the result is accepted']
            : []),
          ...(isEmpty(nonGoals) ? ['non-goals: the contract does not say what is not part of it'] : []),
          ...(isEmpty(validation)
            ? ['validation: the contract names no command that proves the result']
            : []),
          ...(review?.owner !== undefined || review?.human === true
            ? []
            : ['the reviewer: the contract does not say who reviews the result']),
        ]),
  ];
}

function isEmpty(list: readonly unknown[] | undefined): boolean {
  return list === undefined || list.length === 0;
}

function whyNone({ losses }: Packet): string {
  return losses?.find(({ what }) => what === workspaceLoss)?.why ?? 'nobody looked at it';
}

/** How a packet names a session that it has no more of than a pointer. */
export const sessionLoss = 'the session';

/** How a packet without a workspace names it among what could not be carried over. */
export const workspaceLoss = 'the workspace';

function unproven(packet: Packet, contract: Contract): string[] {
  const open = packetResults(packet, contract).filter(
    ({ outcome, standing }) => outcome !== 'passed' || standing !== 'bound',
  );
  if (open.length === 0) return [];
  return [`proof: ${open.map(({ run }) => run.join(' ')).join(', ')} did not pass on this workspace`];
}

export function emergencyWords(trigger: Trigger): string {
  return `Cut off (${trigger}): the giver could say no more, and this may say less than a packet should.`;
}

/** The first duty of the receiver. */
export function askFirst(task: TaskId): string {
  return `Before anything else, ask for what is missing: ${askCommand(task)}`;
}

function askCommand(task: TaskId): string {
  return `staffetta decide ${task} "…" --ask`;
}
