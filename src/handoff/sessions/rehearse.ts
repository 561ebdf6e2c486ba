/** What the gate will say of the packet of a session, asked before anything is opened, taken or recorded. */
import type { Lane } from '../../core/task/actor.ts';
import { addressedLane } from '../../core/task/address.ts';
import { agentOf } from '../../core/task/agent-name.ts';
import { sealContract, termsOf, type Contract } from '../../core/contract/contract.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import type { SessionHandoff } from './from-session.ts';
import { gather } from '../sealing/gather.ts';
import { open, type ContractInput } from '../verbs/open.ts';
import { seal } from '../sealing/seal.ts';
import { liveSession, type SessionLook } from './session-look.ts';

export interface Rehearsed {
  /** How the task stands that it would be a packet of; undefined where one would be opened. */
  readonly state: TaskState | undefined;
  /** What it would be opened under. */
  readonly contract: ContractInput;
  /** The contract of the task that is there as it will be amended before, by somebody who may. */
  readonly amended?: Contract;
  readonly handoff: SessionHandoff;
}

/** What would hold the packet up. A task that is not there yet is opened in `scratch`, a context whose store nobody keeps. */
export async function objections(
  context: Context,
  scratch: () => Promise<Context>,
  look: SessionLook,
  { state: known, contract, amended, handoff }: Rehearsed,
): Promise<Finding[]> {
  if (context.gate === 'record') return [];
  const by = agentOf(look.card);
  const sealed = known === undefined || amended === undefined ? undefined : sealContract(amended);
  const there =
    known === undefined ? await scratch() : sealed === undefined ? context : showing(context, sealed);
  const agreed =
    known === undefined || sealed === undefined || amended === undefined
      ? known
      : { ...known, contract: sealed.digest, terms: termsOf(amended) };
  const state = agreed ?? (await open(there, contract, { take: true, lane: 'execute' }, { by })).state;
  const { words, to, lane, why, trigger } = handoff;
  const material = await gather(
    there,
    { ...words, session: liveSession(look) },
    {
      dryRun: true,
      since: state.start,
      onto: state.terms.integrate?.onto,
      parent: state.packet,
      noDiff: true,
    },
  );
  const aimed: Lane = lane ?? addressedLane(to) ?? state.leg?.lane ?? 'execute';
  const now = context.clock.now();
  const { findings } = await seal(there, material, {
    state,
    now,
    call: { by: state.leg?.holder ?? by, dryRun: true },
    occasion: 'handoff',
    trigger,
    to,
    lane: aimed,
    why,
  });
  // Whether the caller may widen it is judged when it is amended.
  return findings.filter(
    ({ severity, rule }) => severity === 'error' && (sealed === undefined || rule !== 'scope-wider'),
  );
}

type SealedContract = ReturnType<typeof sealContract>;

/** The same store, in which this contract can be read although it is not stored yet. */
function showing(context: Context, { bytes, digest }: SealedContract): Context {
  const { store } = context;
  const { address, journal, catalog, mailbox, upkeep, blobs } = store;
  return {
    ...context,
    store: {
      address,
      journal,
      catalog,
      mailbox,
      upkeep,
      close: async () => await store.close(),
      blobs: {
        get: async (asked) => (asked === digest ? bytes : await blobs.get(asked)),
        put: async (given, at) => await blobs.put(given, at),
        remove: async (asked, before) => await blobs.remove(asked, before),
        list: async (after, limit) => await blobs.list(after, limit),
      },
    },
  };
}
