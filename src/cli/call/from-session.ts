/** `handoff --from SESSION`: what the session says of its task, what was said on the command line, and what is still missing. */
import { defined, filled } from '../../core/base/defined.ts';
import { worktreeRoot } from '../../home/locate.ts';
import { loadRuntimes } from '../../compose/runtimes.ts';
import { notTold } from '../../core/transcript/not-told.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import type { Trigger } from '../../core/journal/event.ts';
import type { PacketWords } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Adopted, SessionHandoff } from '../../handoff/sessions/from-session.ts';
import type { SameSession } from '../../handoff/sessions/same-session.ts';
import type { SealedRecord } from '../../handoff/sealing/sealing.ts';
import { lookAs, versionWords, type SessionLook } from '../../handoff/sessions/session-look.ts';
import { askedSession, type AskedAgent, type AskOutcome } from '../../handoff/sessions/ask-agent.ts';
import { askFrom, type AskForSummary } from './ask-agent.ts';
import { contractFrom } from '../contract/contract-values.ts';
import { line } from '../frame/output.ts';
import {
  boundState,
  handOver,
  lookForHandoff,
  prepareHandoff,
  refuseUnfit,
  triggerFor,
  type PreparedHandoff,
} from '../../desk/handoff-from.ts';
import type { Standing } from '../../desk/standing.ts';
import type { Session } from './session.ts';
import type { Values } from '../frame/spec.ts';
import { triggerFrom } from './trigger.ts';
import { text } from '../frame/values.ts';
import { sameSessionText } from '../pages/words.ts';

export interface HandoffFrom {
  readonly values: Values;
  readonly words: PacketWords;
  /** The task that was named, if one was. */
  readonly task: string | undefined;
  readonly aim: Omit<SessionHandoff, 'trigger' | 'words'>;
}

/** The session that it was made from, for programs. */
export interface SessionSource {
  readonly runtime: string;
  readonly id: string;
  /** Of the program that wrote it, where it says so, and those that reading is proven with. */
  readonly version: string | null;
  readonly proven: readonly string[];
}

export interface HandedFrom {
  readonly recorded: SealedRecord;
  readonly from: SessionSource;
  /** Tasks of the same session that it gave away before. */
  readonly sameSession: readonly SameSession[] | undefined;
  /** What came of asking the agent for a summary of its own, where it was. */
  readonly asked: AskOutcome | undefined;
}

/** Undefined: a dry run has said what it would do. */
export async function handoffFrom(session: Session, asked: HandoffFrom): Promise<HandedFrom | undefined> {
  const ask = askFrom(session, asked.values);
  const folder = worktreeRoot(process.cwd());
  const { look: seen, movedFrom } = await lookForHandoff(
    await session.looking(),
    await loadRuntimes(session.env),
    {
      given: text(asked.values, 'from') ?? '',
      folder,
    },
  );
  if (movedFrom !== null)
    session.output.say(
      `The session worked in ${line(movedFrom)}, which is not there; ${line(folder)} is taken for it.`,
    );
  const trigger = triggerFor(seen, triggerFrom(asked.values));
  refuseUnfit(seen, trigger);
  if (seen.pointer !== undefined)
    session.output.say(
      `Pointer only: ${line(seen.pointer)} The packet names the file ${line(seen.card.path)}.`,
    );
  const written = versionWords(seen);
  if (written !== null)
    session.output.say(
      `The session ${seen.card.id} was ${line(written)}: what is not known of it is kept and counted.`,
    );
  for (const unread of notTold(seen.story)) session.output.say(`Missing: ${unread}.`, 'warn');
  const from = sourceOf(seen);
  const named = (await isForOther(session, seen, asked.task)) ? await session.held(asked.task) : undefined;
  const sameSession = named === undefined ? seen.earlier?.tasks : undefined;
  for (const other of sameSession ?? []) session.output.say(sameSessionText(other), 'warn');
  const prepared = await prepare(
    session,
    seen,
    { ...asked, trigger },
    named === undefined ? boundState(seen) : named.state,
  );
  const { dryRun, actor: by, output } = session;
  // A program that is started is noted beside the store, where the next command looks for what was left running.
  if (ask !== undefined && !dryRun) await session.context({ create: true });
  const own = ask === undefined || dryRun ? undefined : await askedOf(session, prepared, { ask, named });
  const words = withSummary(prepared.words, own?.summary);
  const { amends, recorded } = await handOver(
    await session.context({ create: true }),
    { ...prepared, words },
    {
      by,
      own: named,
      aim: { ...asked.aim, unasked: !(await canAsk(session)) },
      dryRun,
      amended: (task, fields, refused) =>
        output.say(
          refused === undefined
            ? `The contract of ${task} is amended: ${fields.join(', ')}.`
            : `Not taken over into the contract of ${task}: ${fields.join(', ')}. ${line(refused.message)}`,
        ),
      adopted: (adopted) => output.say(adoptedWords(seen, adopted)),
    },
  );
  if (recorded !== undefined) return { recorded, from, sameSession, asked: own?.outcome };
  const { contract, evidence } = prepared;
  const would = {
    runtime: seen.card.runtime,
    session: seen.card.id,
    from,
    task: named?.task ?? seen.bound?.task ?? null,
    trigger,
    contract,
    evidence,
    ...defined({ sameSession }),
    ...filled({ amends }),
    ...words,
  };
  output.data(would, () => wouldWords(seen, would.task, trigger));
  return undefined;
}

/** What the agent of the session says of it. It is asked last, once nothing else is missing. */
async function askedOf(
  session: Session,
  { look: seen, words }: PreparedHandoff,
  { ask, named }: { readonly ask: AskForSummary; readonly named: Standing | undefined },
): Promise<AskedAgent | undefined> {
  if (seen.pointer !== undefined) return undefined;
  // Steps are named by their place in the chain of the task that gets the packet.
  const { runtime, card, key, bound } = seen;
  const isSameChain = named === undefined || named.task === bound?.task;
  const { story } = isSameChain
    ? seen
    : await lookAs(await session.context(), { runtime, card, runtimes: [runtime] }, { bound: named, key });
  return await ask(askedSession(seen, story), words.claims?.summary);
}

function withSummary(words: PacketWords, summary: string | undefined): PacketWords {
  return summary === undefined ? words : { ...words, claims: { ...words.claims, summary } };
}

/** Whether a holder speaks, for its own task. A person who names the task of the session speaks for the session. */
async function isForOther(
  session: Session,
  { bound }: SessionLook,
  given: string | undefined,
): Promise<boolean> {
  const isNamed = (given ?? '') !== '';
  if (!isNamed || bound === undefined || session.actor.kind !== 'human')
    return isNamed || (session.env['STAFFETTA_LEG'] ?? '') !== '';
  const task = await session.task(given);
  return task !== bound.task || bound.state.leg?.holder.name === session.actor.name;
}

function sourceOf({ card, runtime, transcript }: SessionLook): SessionSource {
  const version = transcript.facts.version ?? card.version;
  return { runtime: runtime.name, id: card.id, version, proven: runtime.provenVersions };
}

function wouldWords({ card }: SessionLook, task: string | null, trigger: Trigger): string {
  const what = task === null ? 'open a task' : `go on with ${task}`;
  return `Would ${what} for the session ${card.id} of ${card.runtime} and hand it over (${trigger}).`;
}

interface Said {
  readonly trigger: Trigger;
  readonly values: Values;
  readonly words: PacketWords;
  readonly aim: HandoffFrom['aim'];
}

/** Refuses what would be hollow, unless there is no time for that. */
async function prepare(
  session: Session,
  seen: SessionLook,
  said: Said,
  state: TaskState | undefined,
): Promise<PreparedHandoff> {
  const { trigger, words } = said;
  const given = { ...contractFrom(said.values), ...defined({ goal: text(said.values, 'goal') }) };
  const at = { by: session.actor, state };
  const prepared = await prepareHandoff(await session.looking(), seen, { given, words, trigger }, at);
  // An emergency is that nobody can be asked: a person at a prompt can.
  if (isEmergency(trigger) && !(await canAsk(session))) return prepared;
  const { fillGaps } = await import('./session-gaps.ts');
  return await fillGaps(session, prepared, said.aim);
}

async function canAsk(session: Session): Promise<boolean> {
  const { mayAsk } = await import('../contract/dialogue.ts');
  return mayAsk(session);
}

/** What a dry run or a report says of how a task came about. */
function adoptedWords({ card }: SessionLook, { task, opened, by }: Adopted): string {
  return opened
    ? `Opened ${task} for the session ${card.id} of ${card.runtime}, held by ${by.name}.`
    : `${task} is the task of the session ${card.id} of ${card.runtime}.`;
}
