/**
 * A packet for people and for tools that only read files, and the briefing that a successor starts from. The same packet and the
 * same sessions give the same bytes (P11).
 */
import { defined } from '../../core/base/defined.ts';
import { briefing, uncountedBriefing, type Briefing } from '../../core/briefing/briefing.ts';
import type { StandingContract } from '../../core/contract/added-terms.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { writeHandoff } from '../../core/files/handoff-markdown.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Packet } from '../../core/packet/packet.ts';
import { runtimeNames } from '../../core/resume/runtime-names.ts';
import { progressFile, type ProgressFile } from '../../core/files/progress-file.ts';
import type { TaskState } from '../../core/task/state.ts';
import { loadCounter, type Counter } from '../../core/tokens/count.ts';
import { storyOf, type Reader, type Story } from '../../core/transcript/story.ts';
import { withLegLine, type LegNamed } from '../../core/transcript/leg-line.ts';
import { unbackedClaims } from '../../core/gate/lint.ts';
import type { Context } from '../record/context.ts';
import { readFindings } from '../sealing/findings.ts';
import { readCheckedPacket } from '../history/history.ts';
import { noPacket } from '../sealing/judge.ts';
import { learnedOf } from '../history/learned.ts';
import { standingVerdict } from '../record/latest.ts';
import { load } from '../record/load.ts';
import { aroundTask } from './brief-graph.ts';
import { beforeBriefing } from './prompt-for.ts';
import { openQuestions, remarksOf, sealedIn } from '../history/remarks.ts';
import { readStanding } from './standing-contract.ts';
import { skillTexts } from '../sealing/skills.ts';
import { readStory } from '../history/story.ts';

export interface PacketFiles {
  readonly packet: Digest;
  readonly handoff: string;
  /** Null for an earlier packet: a task stands as it stands now. */
  readonly progress: ProgressFile | null;
}

/** A packet as files: the briefing stands before it where it was asked for, and is that of the task as it stands now. */
export async function packetFiles(
  context: Context,
  task: TaskId,
  options: { readonly packet?: Digest; readonly briefing?: string } = {},
): Promise<PacketFiles> {
  const { state } = await load(context, task);
  const digest = options.packet ?? state.packet;
  if (digest === null) throw noPacket(task);
  const packet = await readCheckedPacket(context, digest);
  const learned = await learnedOf(
    context,
    { ...state, packet: digest },
    { upTo: learnedUntil(state, packet, digest) },
  );
  const contract = await readStanding(context, state, packet.contract);
  const { briefing } = options;
  return {
    packet: digest,
    handoff: writeHandoff(packet, contract, digest, {
      learned,
      ...defined({ briefing }),
    }),
    progress:
      digest === state.packet
        ? progressFile({ ...state, packet: digest }, await readStanding(context, state), packet)
        : null,
  };
}

/** Of the latest packet all there is; of an earlier one what was known when it was sealed. */
function learnedUntil(state: TaskState, packet: Packet, digest: Digest): number {
  return digest === state.packet ? state.seq : sealedIn(packet, state.task);
}

export interface BriefingOptions {
  readonly readerOf: (runtime: string) => Reader | undefined;
  /** Left out where nobody asks how many tokens it has: then it is counted only where it could be too long. */
  readonly count?: Counter;
  readonly goal?: string;
  readonly budget?: number;
  /** The runtime or the model that will read it. */
  readonly target?: string;
  /** Without what an agent is told before it. Unless told, it is alone where it is for nobody. */
  readonly alone?: boolean;
}

export interface TaskBriefing extends Briefing {
  /** The packet it rests on; null where none was sealed yet. */
  readonly packet: Digest | null;
  /** What an agent gets that goes on with it: the briefing, and what stands before it unless it was asked for alone. */
  readonly prompt: string;
}

export async function briefTask(
  context: Context,
  task: TaskId,
  { readerOf, ...options }: BriefingOptions,
): Promise<TaskBriefing> {
  const { state } = await load(context, task);
  const packet = state.packet === null ? null : await readCheckedPacket(context, state.packet);
  const contract = await readStanding(context, state);
  // All that is told of sessions is in packets.
  const story = packet === null ? storyOf([], readerOf) : await readStory(context, task, readerOf);
  const made = await briefingOf(context, { state, contract, packet, story }, options);
  const prompt = `${beforeOf(state, options)}${made.text}`;
  return {
    packet: state.packet,
    ...made,
    prompt: isAlone(options) ? prompt : withLegLine(prompt, nextLeg(state)),
  };
}

export interface Briefed {
  readonly state: TaskState;
  readonly contract: StandingContract;
  readonly packet: Packet | null;
  readonly story: Story;
  /** What is known to be missing besides what the packet itself lacks. */
  readonly lacks?: readonly string[];
}

/** What every successor starts from, however it is started. The budget is for the whole prompt. */
export async function briefingOf(
  context: Context,
  { state, contract, packet, story, lacks = [] }: Briefed,
  options: Omit<BriefingOptions, 'readerOf'>,
): Promise<Briefing> {
  const { count, goal, budget, target } = options;
  const found = packet === null ? [] : await readFindings(context, state.sealed?.findings ?? null);
  const { since } = await remarksOf(context, state, packet);
  const input = {
    of: { task: state.task },
    contract,
    packet,
    unbacked: unbackedClaims(found),
    remarks: since,
    learned: await learnedOf(context, state, { upTo: sealedIn(packet, state.task) }),
    sentBack: await standingVerdict(context, state),
    questions: await openQuestions(context, state),
    graph: await aroundTask(context, state),
    story,
    lacks,
    // A program that loads skills finds them where they are put; any other reader gets their words.
    ...(packet === null || runtimeNames.some((name) => name === target)
      ? {}
      : { skills: await skillTexts(context, packet) }),
    ...defined({ goal, budget, target }),
    // What stands around it counts as well, at its head or at its end.
    before: isAlone(options) ? '' : withLegLine(beforeOf(state, options), nextLeg(state)),
  };
  if (count !== undefined) return briefing({ ...input, count });
  return uncountedBriefing(input) ?? briefing({ ...input, count: await loadCounter(target) });
}

type Around = Omit<BriefingOptions, 'readerOf'>;

function isAlone({ target, alone = target === undefined }: Around): boolean {
  return alone;
}

function beforeOf(state: TaskState, options: Around): string {
  return isAlone(options) ? '' : beforeBriefing({ state, goal: options.goal });
}

/** The leg of the agent that is told: the one that is on, or the one that the next to take it will have. */
function nextLeg({ task, generation, leg }: TaskState): LegNamed {
  return { task, generation: leg === null ? generation + 1 : generation };
}
