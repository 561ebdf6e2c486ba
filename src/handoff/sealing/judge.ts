import type { Digest } from '../../core/journal/digest.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Certification, Trigger } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { certify, lint } from '../../core/gate/lint.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { Workspace, WorkspaceContent } from '../../ports/workspace.ts';
import { bindingTo, boundAsTold, isBound } from './bound.ts';
import type { Context } from '../record/context.ts';
import { gather, type PacketInput } from './gather.ts';
import { readCheckedPacket, readContract } from '../history/history.ts';
import { load } from '../record/load.ts';
import { readManifest } from '../history/packet-blobs.ts';
import type { Call } from '../record/record.ts';
import { seal, type SealedPacket } from './seal.ts';
import { subjectOf } from './subject.ts';

export interface Judgement {
  /** Null where the packet has not been sealed. */
  readonly packet: Digest | null;
  readonly certification: Certification;
  readonly findings: readonly Finding[];
}

/** Judges the latest packet against the workspace as it is now: what was true when it was sealed may not be. */
export async function judgeLatest(context: Context, task: TaskId): Promise<Judgement> {
  const { state } = await load(context, task);
  if (state.packet === null)
    throw noPacket(task, `Judge what would be sealed: staffetta lint ${task} --draft`);
  const packet = await readCheckedPacket(context, state.packet);
  const told = boundAsTold(state, packet);
  const then = packet.facts?.workspace;
  // One look: of now, and whether that is still what the packet was sealed on.
  const here = then === undefined ? undefined : await lookAt(await context.workspace?.(), isBound(told));
  const isSame = then !== undefined && here?.facts?.digest === then.digest;
  const bind = bindingTo(context, isSame ? then : null, here?.content);
  const subject = await subjectOf(context, {
    packet,
    contract: await readContract(context, packet.contract),
    state: await bind(told),
    bind,
    occasion: 'checkpoint',
    emergency: isEmergency(packet.trigger),
    losses: (await readManifest(context, packet))?.losses ?? [],
    now: here?.facts ?? null,
    secrets: [],
  });
  const findings = lint(subject);
  return { packet: state.packet, certification: certify(findings), findings };
}

async function lookAt(
  workspace: Workspace | undefined,
  withContent: boolean,
): Promise<Partial<WorkspaceContent> | undefined> {
  return withContent ? await workspace?.content() : workspace && { facts: await workspace.probe() };
}

export interface DraftInput extends PacketInput {
  readonly trigger?: Trigger;
  readonly occasion?: 'handoff' | 'submit';
}

/** Judges what a packet would be, without sealing it. Only what the rules look at is read; nothing is stored. */
export async function judgeDraft(
  context: Context,
  task: TaskId,
  input: DraftInput,
  call: Call,
): Promise<Judgement> {
  const { certification, findings } = await draftPacket(context, task, input, call);
  return { packet: null, certification, findings };
}

/** What a packet would be. Nothing is stored. */
export async function draftPacket(
  context: Context,
  task: TaskId,
  input: DraftInput,
  call: Call,
): Promise<SealedPacket> {
  const { state } = await load(context, task);
  const { trigger = 'planned', occasion = 'handoff', ...words } = input;
  const material = await gather(context, words, {
    dryRun: true,
    noDiff: true,
    since: state.start,
    onto: state.terms.integrate?.onto,
    content: isBound(state),
  });
  return await seal(context, material, {
    state,
    now: context.clock.now(),
    call,
    occasion,
    trigger,
    lane: state.leg?.lane ?? 'execute',
  });
}

export function noPacket(task: TaskId, hint = `Seal one: staffetta checkpoint ${task}`): StaffettaError {
  return new StaffettaError('unknown-packet', `No packet of task ${task} has been sealed.`, {
    details: { task },
    hint,
  });
}
