import { defined, filled } from '../../core/base/defined.ts';
import type { Lane } from '../../core/task/actor.ts';
import type { Address } from '../../core/task/address.ts';
import { canonical } from '../../core/journal/canonical.ts';
import type { Sealed } from '../../core/task/command.ts';
import type { Contract } from '../../core/contract/contract.ts';
import { demandsOf, ignoredDemands, outsideGitDemands, watchedGlobs } from '../../core/contract/demands.ts';
import { digestOf, isDigest, type Digest } from '../../core/journal/digest.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { withEarlierWords } from '../../core/packet/earlier-words.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import { missingIn } from '../../core/packet/missing.ts';
import type { Certification, Trigger } from '../../core/journal/event.ts';
import { certify, lint, refusalsInHaste } from '../../core/gate/lint.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { Occasion } from '../../core/gate/subject.ts';
import { limits } from '../../core/base/limits.ts';
import { Packet, sealPacket, type Facts, type PacketWords } from '../../core/packet/packet.ts';
import { parseOwn } from '../../core/base/parse.ts';
import type { TaskState } from '../../core/task/state.ts';
import { bindingTo } from './bound.ts';
import type { Context } from '../record/context.ts';
import type { Material } from './gather.ts';
import { readContract, readPacket } from '../history/history.ts';
import { recordsBefore } from './native-session.ts';
import type { Call } from '../record/record.ts';
import type { CleanTexts } from '../record/redacted.ts';
import { subjectOf, type JudgedSubject, type TakenOver } from './subject.ts';
import { unwatchedFor } from './unwatched.ts';

export interface Sealing {
  readonly state: TaskState;
  readonly now: number;
  readonly call: Call;
  readonly occasion: Occasion;
  readonly trigger: Trigger;
  readonly to?: Address;
  readonly lane: Lane;
  readonly why?: string | undefined;
  /** The tool seals it alone: nobody could be asked for what it lacks. */
  readonly unasked?: boolean | undefined;
  /** What somebody said in this call; unless told all that was given, or nothing where the tool is alone. */
  readonly spoken?: PacketWords | undefined;
  readonly trace?: string | undefined;
  readonly taken?: TakenOver | undefined;
}

export interface SealedPacket {
  readonly sealed: Sealed;
  readonly blobs: readonly Uint8Array[];
  readonly packet: Packet;
  readonly digest: Digest;
  /** The contract that the packet names. */
  readonly contract: Contract;
  readonly certification: Certification;
  readonly findings: readonly Finding[];
  /** Those that refuse it in haste as well. */
  readonly mendable: readonly Finding[];
  /** In an emergency, what the packet lacks. */
  readonly missing: readonly string[];
}

/** Builds the packet for the state it will be appended to, and judges it. */
export async function seal(context: Context, given: Material, asked: Sealing): Promise<SealedPacket> {
  const bind = bindingTo(context, given.facts.workspace, given.content);
  const sealing = { ...asked, state: await bind(asked.state) };
  const { hidden, loss } = await unwatchedFor(context, sealing, given.facts.workspace);
  const said = withLoss(await withOwnWords(context, given, sealing), loss);
  const material = await withConversation(context, said, sealing.state);
  const packet = packetOf(material, sealing);
  const { blobs } = context.store;
  const name = (content: Uint8Array): Digest => blobs.begin?.(content) ?? digestOf(content);
  const { bytes, digest } = sealPacket(packet, name);
  context.reached('seal:packet-built');
  const unsearched = unsearchedIn(packet, given.clean);
  const { redactions } = await (await context.redactor()).json(unsearched);
  const emergency = isEmergency(sealing.trigger);
  const { taken } = sealing;
  const contract =
    taken?.contract.digest === packet.contract
      ? taken.contract.terms
      : await readContract(context, packet.contract);
  const findings = lint(
    await subjectOf(context, {
      packet,
      taken,
      contract,
      state: sealing.state,
      bind,
      occasion: sealing.occasion,
      emergency,
      losses: material.losses,
      now: packet.facts?.workspace ?? null,
      // Redacting twice is redacting once: whatever is found now should not be there.
      secrets: redactions.findings.map(({ rule }) => rule),
    }),
  );
  const certification = certify(findings);
  const { unasked = false, spoken = unasked ? {} : given.input } = sealing;
  const mendable = refusalsInHaste(findings, packet, { words: spoken, unasked });
  const list = findings.length === 0 ? undefined : Buffer.from(canonical(findings));
  const workspace = packet.facts?.workspace;
  const demands = await demanded(context, { packet, contract }, sealing);
  return {
    sealed: {
      packet: digest,
      certification,
      ...(workspace === undefined ? {} : { workspace: workspace.digest }),
      ...(list === undefined ? {} : { findings: name(list) }),
      ...filled({ demands, hidden }),
      ...(mendable.length === 0 ? {} : { mendable: true }),
      ...(context.gate === 'record' ? { ungated: true } : {}),
    },
    blobs: [bytes, ...material.inline, ...(list === undefined ? [] : [list])],
    packet,
    digest,
    contract,
    certification,
    findings,
    mendable,
    missing: emergency ? missingIn(packet, contract) : [],
  };
}

/** Every text of it that was not found clean at the border. The names of its fields are ours. */
function unsearchedIn(value: unknown, clean: CleanTexts, into: string[] = []): string[] {
  if (typeof value === 'string') {
    if (!clean.has(value) && !isDigest(value)) into.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) unsearchedIn(item, clean, into);
  } else if (typeof value === 'object' && value !== null) {
    for (const field in value) unsearchedIn((value as Readonly<Record<string, unknown>>)[field], clean, into);
  }
  return into;
}

function withLoss(
  material: Material,
  loss: { readonly what: string; readonly why: string } | undefined,
): Material {
  if (loss === undefined) return material;
  const losses = [...(material.input.losses ?? []).slice(0, limits.listItemsMax - 1), loss];
  return { ...material, input: { ...material.input, losses } };
}

/**
 * Where other packets were sealed while the transcript was stored, they may hold the same messages: then it is told for itself, and
 * every message of it has a name of its own.
 */
async function withConversation(
  context: Context,
  material: Material,
  { packet }: TaskState,
): Promise<Material> {
  if (material.conversation === undefined) return material;
  const { given, parent } = material.conversation;
  const { shape, records, goesOn } = given;
  const conversation = {
    shape,
    before: await recordsBefore(context, packet),
    records,
    ...(goesOn === undefined || packet !== parent ? {} : { goesOn }),
  };
  return { ...material, facts: { ...material.facts, conversation } };
}

/** In an emergency, what the same leg said in its last packet is said again where nothing newer is. */
async function withOwnWords(context: Context, material: Material, sealing: Sealing): Promise<Material> {
  const { packet: digest, generation } = sealing.state;
  if (!isEmergency(sealing.trigger) || digest === null) return material;
  // What was taken over is another leg's.
  if (sealing.taken?.packet?.digest === digest) return material;
  const earlier = await readPacket(context, digest);
  if (earlier.task !== sealing.state.task || earlier.generation !== generation) return material;
  return { ...material, input: withEarlierWords(material.input, earlier, digest) };
}

/** What only a person may approve, of what git tells and of what it ignores. */
async function demanded(
  context: Context,
  { packet, contract }: Pick<JudgedSubject, 'packet' | 'contract'>,
  sealing: Sealing,
): Promise<string[]> {
  const { state, trigger, occasion } = sealing;
  const { diff, workspace } = packet.facts ?? {};
  const handsIn = occasion === 'submit' || occasion === 'complete';
  const outside = handsIn && workspace?.kind !== 'git' ? outsideGitDemands(contract) : [];
  if (workspace === undefined) return outside;
  const demands = demandsOf(contract, {
    ...workspace,
    isGit: workspace.kind === 'git',
    submodules: workspace.git?.submodules,
    lines: diff === undefined || diff.cut === true ? null : diff.added + diff.removed,
    linesCommitted: diff?.committed === true,
  });
  demands.push(...outside);
  try {
    const globs = watchedGlobs(contract);
    const ignored = globs.length === 0 ? [] : await (await context.workspace?.())?.ignored(globs);
    demands.push(...ignoredDemands(contract, ignored ?? [], state.openedAt));
  } catch (error) {
    // There is no time to try again: the packet goes out, and says that nobody looked.
    if (!isEmergency(trigger) || !isStaffettaError(error)) throw error;
    demands.push('Nobody could look at what git ignores, and it may be protected.');
  }
  return demands;
}

function packetOf(material: Material, { state, now, call, to, why, trace, ...occasion }: Sealing): Packet {
  const { claims = {}, artefacts = [], skills, losses } = material.input;
  const facts = factsOf(material, state);
  return parseOwn(
    Packet,
    {
      v: 1,
      task: state.task,
      parent: state.packet,
      contract: state.contract,
      generation: state.generation,
      head: { seq: state.seq, digest: state.head },
      at: now,
      // A program may change what it receives.
      from: { ...call.by },
      ...defined({ to }),
      lane: occasion.lane,
      trigger: occasion.trigger,
      ...defined({ why }),
      claims,
      artefacts,
      transcript: material.chunks,
      ...(Object.keys(facts).length === 0 ? {} : { facts }),
      ...defined({ skills, losses, trace }),
      ...(Object.keys(material.redactions).length === 0 ? {} : { redactions: material.redactions }),
    },
    'packet',
  );
}

function factsOf({ facts }: Material, { runs, progress, phases }: TaskState): Facts {
  return {
    ...facts,
    ...(runs.length === 0
      ? {}
      : {
          runs: runs.map(({ run, name, passed, failed }) => ({
            run: [...run],
            ...filled({ name }),
            ...(passed === null ? {} : { passed: outcome(passed) }),
            ...(failed === null ? {} : { failed: outcome(failed) }),
          })),
        }),
    ...(progress === null
      ? {}
      : {
          progress: {
            at: progress.at,
            ...filled({ of: progress.of, unit: progress.unit, cursor: progress.cursor }),
          },
        }),
    ...(phases.length === 0 ? {} : { phases: phases.map(({ name, status }) => ({ name, status })) }),
  };
}

function outcome({ seq, ...rest }: NonNullable<TaskState['runs'][number]['passed']>): {
  entry: number;
  at: number;
  exit: number | null;
  workspace: Digest | null;
} {
  return { entry: seq, ...rest };
}
