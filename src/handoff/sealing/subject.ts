import { standingContract } from '../../core/contract/added-terms.ts';
import type { Contract } from '../../core/contract/contract.ts';
import type { EventOf } from '../../core/journal/event.ts';
import { evidenceIn } from '../../core/gate/claims.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type {
  Occasion,
  ParentPacket,
  RecordFacts,
  RunFact,
  Subject,
  TreeFacts,
} from '../../core/gate/subject.ts';
import type { Packet } from '../../core/packet/packet.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { isFinal, type TaskState } from '../../core/task/state.ts';
import { losesWork, lossWords, statusOf, type Loss, type WorkspaceFacts } from '../../core/tree/workspace.ts';
import { agreedContract } from '../views/agreed-contract.ts';
import type { Bind } from './bound.ts';
import type { Context } from '../record/context.ts';
import { load } from '../record/load.ts';
import { readPacket } from '../history/history.ts';
import { contractsHere, versionsOf } from '../views/standing-contract.ts';

/** What the receiver of a packet may have to read at most, in tokens. */
const tokensMax = 12_000;
/** English and code come to about this many characters a token. */
const charsPerToken = 4;

/** What a holder read when it took over: to judge what it leaves, that is not read again. */
export interface TakenOver {
  readonly contract: { readonly digest: Digest; readonly terms: Contract };
  readonly packet: (ParentPacket & { readonly digest: Digest }) | null;
}

export interface JudgedSubject {
  readonly packet: Packet;
  readonly taken?: TakenOver | undefined;
  /** The one that the packet names. */
  readonly contract: Contract;
  readonly state: TaskState;
  /** As its runs were bound. */
  readonly bind: Bind;
  readonly occasion: Occasion;
  readonly emergency: boolean;
  readonly losses: readonly Loss[];
  /** The workspace as it is now. While a packet is being sealed, that is the one in its facts. */
  readonly now: WorkspaceFacts | null;
  readonly secrets: readonly string[];
}

/** Gathers all that the rules look at, so that judging itself is pure. */
export async function subjectOf(context: Context, judged: JudgedSubject): Promise<Subject> {
  const { packet, contract, state } = judged;
  const versions =
    state.leg === null
      ? await versionsOf(context, state, packet.contract)
      : await contractsHere(context, state);
  const parent = await parentOf(context, judged);
  // In an emergency the packet goes out without a workspace that cannot be read.
  const isUnread = judged.emergency && packet.facts?.workspace === undefined;
  const workspace = isUnread ? undefined : await context.workspace?.();
  const then = packet.facts?.workspace ?? null;
  return {
    contract,
    unconfirmed: (standingContract(contract, versions).added ?? []).flatMap(({ command }) =>
      command === undefined ? [] : [command.run],
    ),
    packet,
    parent,
    parentContract: await agreedContract(context, state, { packet, contract, parent }),
    giver: { ...packet.from, ...(state.leg === null ? {} : { lane: state.leg.lane }) },
    authors: state.authors,
    to: packet.to ?? null,
    lane: packet.lane,
    occasion: judged.occasion,
    emergency: judged.emergency,
    sealedTree: then && treeOf(then),
    tree: judged.now && treeOf(judged.now),
    receivedTree: state.leg?.workspace ?? null,
    exists: (path) => workspace?.exists(path),
    runnable: (program) => workspace?.runnable(program),
    runs: runFacts(state),
    ...(packet.task === state.task ? { record: await recordFacts(context, judged) } : {}),
    phases: (contract.phases ?? []).map(({ name }) => {
      const known = state.phases.find((one) => one.name === name);
      return { name, status: known?.status ?? null, workspace: known?.workspace ?? null };
    }),
    losses: judged.losses
      .filter(({ reason }) => losesWork(reason))
      .map(({ path, reason }) => ({ path, reason: lossWords[reason] })),
    beside: await changedBy(context, state, then),
    tokens: tokensOf(packet, contract),
    tokensMax,
    secrets: judged.secrets,
  };
}

/** By the latest packets of the others, as far as those were made in the same folder. */
async function changedBy(
  context: Context,
  { task }: TaskState,
  here: WorkspaceFacts | null,
): Promise<Subject['beside']> {
  const found: Subject['beside'][number][] = [];
  const mine = new Set(here?.changes.map(({ path }) => path));
  for (const other of mine.size === 0 ? [] : (context.takenHere?.others(task) ?? [])) {
    const theirs = await latestFacts(context, other);
    const isSame = theirs !== null && theirs.root === here?.root;
    const paths = isSame ? theirs.changes.map(({ path }) => path).filter((path) => mine.has(path)) : [];
    if (paths.length > 0) found.push({ task: other, paths });
    else if (theirs?.isOver === true) context.takenHere?.forget(other);
  }
  return found;
}

async function latestFacts(
  context: Context,
  task: TaskState['task'],
): Promise<(WorkspaceFacts & { readonly isOver: boolean }) | null> {
  try {
    const { state } = await load(context, task);
    const facts = state.packet === null ? undefined : (await readPacket(context, state.packet)).facts;
    return facts?.workspace === undefined ? null : { ...facts.workspace, isOver: isFinal(state) };
  } catch (error) {
    // Nobody can say what it changed; that must not hold up this packet.
    if (!isStaffettaError(error)) throw error;
    return null;
  }
}

async function parentOf(
  context: Context,
  { packet: { parent }, taken }: JudgedSubject,
): Promise<ParentPacket | null> {
  if (parent === null) return null;
  return taken?.packet?.digest === parent ? taken.packet : await readPacket(context, parent);
}

function treeOf(facts: WorkspaceFacts): TreeFacts {
  const known = new Set(facts.changes.map(({ path }) => path));
  return {
    digest: facts.digest,
    head: facts.git?.head ?? null,
    changes: [
      ...facts.changes.map((change) => ({ path: change.path, status: statusOf(change) })),
      // Committed or not, it was changed; what lies in the tree now says more than the commit.
      ...(facts.committed?.files ?? [])
        .filter(({ path }) => !known.has(path))
        .map(({ path, status }) => ({ path, status, committed: true as const })),
    ],
  };
}

/** In brief: of each command the last pass, and the failures since, two standing for many. */
function runFacts({ runs }: TaskState): RunFact[] {
  return runs.flatMap(({ run, passed, failed, failures }) => [
    ...(passed === null
      ? []
      : [{ run, exit: 0, at: passed.at, entry: passed.seq, workspace: passed.workspace }]),
    ...(failed === null
      ? []
      : Array.from({ length: Math.min(failures, 2) }, () => ({
          run,
          exit: failed.exit,
          at: failed.at,
          entry: failed.seq,
          workspace: failed.workspace,
        }))),
  ]);
}

/** The state keeps the latest runs; what claims cite beyond those is looked up in the journal. */
async function recordFacts(context: Context, { packet, state, bind }: JudgedSubject): Promise<RecordFacts> {
  const { seq: head } = packet.head;
  const kept = new Map(runFacts(state).map((run) => [run.entry, run]));
  const cited = evidenceIn(packet)
    .filter((id) => /^[jr]\d/.test(id))
    .map((id) => Number(id.slice(1)));
  const runs = new Map<number, RunFact>();
  for (const seq of new Set(cited)) {
    const run = seq > head ? undefined : (kept.get(seq) ?? (await runIn(context, { packet, bind }, seq)));
    if (run !== undefined) runs.set(seq, run);
  }
  return { head, decisions: state.decisions, runs };
}

async function runIn(
  context: Context,
  { packet, bind }: Pick<JudgedSubject, 'packet' | 'bind'>,
  seq: number,
): Promise<RunFact | undefined> {
  const [stored] = await context.store.journal.read(packet.task, seq, 1);
  if (stored?.seq !== seq) return undefined;
  const { at, events } = openEntry(stored);
  const event = events.find((one): one is EventOf<'validation-run'> => one.type === 'validation-run');
  if (event === undefined) return undefined;
  const { run, exit, workspace } = event;
  const known = { run, name: null, passed: { seq, at, exit, workspace }, failed: null, failures: 0 };
  const { runs } = await bind({ runs: [known], phases: [] });
  return { run, exit, at, entry: seq, workspace: runs[0]?.passed?.workspace ?? null };
}

/** What has to be read to go on: the contract, and what the giver said. */
function tokensOf({ claims, artefacts }: Packet, contract: Contract): number {
  return Math.ceil(JSON.stringify([contract, claims, artefacts]).length / charsPerToken);
}
