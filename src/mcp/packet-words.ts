/** What an agent says when it seals a packet, and the reasoning that goes with it: by path, or from its session, never as an argument. */
import { defined } from '../core/base/defined.ts';
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { worktreeRoot } from '../home/locate.ts';
import { loadRuntimes } from '../compose/runtimes.ts';
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import { programs } from '../core/resume/runtime-names.ts';
import type { PacketWords } from '../core/packet/packet.ts';
import { artefactFrom, claimFrom, questionFrom } from '../core/packet/spelled-claims.ts';
import type { Standing } from '../desk/standing.ts';
import type { Context } from '../handoff/record/context.ts';
import type { PacketInput } from '../handoff/sealing/gather.ts';
import { bindSession, type SessionInput } from '../handoff/sealing/native-session.ts';
import type { Call } from '../handoff/record/record.ts';
import { taskOfSession } from '../handoff/sessions/session-task.ts';
import { runtimeNames } from '../ports/runtime.ts';
import { isNativeSession } from '../desk/speaker.ts';
import { textField, textListField } from './schema.ts';
import { said } from './tool.ts';
import { visitStanding, type TaskMeant, type Visit } from './visit.ts';

export const PacketArguments = {
  summary: z.optional(textField('The state of things in a few sentences')),
  done: z.optional(textListField('What is finished, with evidence: "… [j12, file:PATH]"')),
  doing: z.optional(textListField('What is half done')),
  remaining: z.optional(textListField('What is left')),
  blockers: z.optional(textListField('What is in the way')),
  questions: z.optional(textListField('Open questions, and who answers: "human: …"')),
  nextAction: z.optional(textField('The one next action, exactly')),
  command: z.optional(textField('The command that was about to run')),
  artefacts: z.optional(textListField('Files that matter: "PATH" or "PATH: why"')),
  skills: z.optional(textListField('Names or paths of skills to load')),
  transcript: z.optional(textField('File with your reasoning, where your session is not captured')),
};

export type PacketGiven = z.output<z.ZodMiniObject<typeof PacketArguments>>;

/** Everything but the reasoning. Decisions and dead ends are on record already. Shapes and lengths are checked when it is sealed. */
function wordsFrom(given: PacketGiven): PacketWords {
  const { nextAction: next, artefacts, skills, summary, questions, command } = given;
  return {
    claims: said({
      summary,
      done: given.done?.map(claimFrom),
      doing: given.doing?.map(claimFrom),
      remaining: given.remaining?.map(claimFrom),
      blockers: given.blockers?.map(claimFrom),
      questions: questions?.map(questionFrom),
      command,
      next,
    }),
    ...defined({ artefacts: artefacts?.map(artefactFrom), skills }),
  };
}

export interface GatheredWords {
  readonly input: PacketInput;
  /** The session whose records go into the packet. */
  readonly captured: SessionInput | null;
}

export interface SealingWords extends GatheredWords {
  readonly context: Context;
  readonly held: Standing;
  readonly call: Call;
}

/** How a packet is to be sealed: for which leg, with what, and under which key. */
export async function sealingOf(visit: Visit, meant: TaskMeant, given: PacketGiven): Promise<SealingWords> {
  const { context, ...held } = await visitStanding(visit, meant);
  const gathered = await packetInput(visit, given);
  const { idempotencyKey: key } = meant;
  const keyed = gathered.captured === null ? said({ key }) : await bindingKey(context, visit, key);
  return { ...gathered, context, held, call: { by: visit.by, ...keyed } };
}

async function packetInput(visit: Visit, given: PacketGiven): Promise<GatheredWords> {
  const words = wordsFrom(given);
  if (given.transcript !== undefined)
    return { input: { ...words, transcript: fileAt(visit, given.transcript) }, captured: null };
  const captured = await sessionOf(visit);
  return { input: captured === null ? words : { ...words, session: captured }, captured };
}

function fileAt({ place }: Visit, given: string): AsyncIterable<Uint8Array> {
  if (place.folder === null)
    throw new StaffettaError('unavailable', 'transcript: this server reads no files by path.', {
      hint: 'Leave it out.',
    });
  if (given === '' || given.includes('\0'))
    throw new StaffettaError('invalid-input', 'transcript: that is no path.', {
      hint: 'Give the path of a file.',
    });
  const path = resolve(place.folder, given);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new StaffettaError('invalid-input', `transcript: there is no file ${JSON.stringify(given)}.`, {
      hint: `Give a path that exists; it is looked for in ${place.folder}.`,
    });
  // The server may read more than its host lets the agent read.
  const root = realpathSync(worktreeRoot(place.folder));
  if (!realpathSync(path).startsWith(`${root}${sep}`))
    throw new StaffettaError(
      'unsafe-path',
      `transcript: ${JSON.stringify(given)} lies outside the workspace ${root}.`,
      { hint: 'Copy it into the workspace, and name the copy.' },
    );
  return createReadStream(path);
}

const lookMs = 100;

/** The session that calls, where its program and id are known and it can be read. A packet without it is better than none. */
async function sessionOf({ by, env, place }: Visit): Promise<SessionInput | null> {
  const { folder } = place;
  const name = runtimeNames.find((known) => known === by.runtime);
  if (name === undefined || !isNativeSession(by.session) || folder === null) return null;
  const runtime = (await loadRuntimes({ ...env })).find((one) => one.name === name);
  if (runtime === undefined) return null;
  const { clock } = await place.context();
  const lateMs = programs.find((program) => program.name === name)?.recordsAfterMs ?? 0;
  try {
    for (let waited = 0; waited <= lateMs; waited += lookMs) {
      for await (const card of runtime.sessions({ folder: worktreeRoot(folder) }))
        if (card.id === by.session)
          return card.pointerOnly === null ? bindSession(runtime, card, card.folder) : null;
      if (lateMs > 0) await clock.sleep(lookMs);
    }
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
  }
  return null;
}

/** Which key binds a session to a task, where it is not bound yet and the caller gave none. */
export async function bindingKey(
  context: Context,
  { by }: Visit,
  given: string | undefined,
): Promise<{ readonly key?: string }> {
  if (given !== undefined) return { key: given };
  const runtime = runtimeNames.find((known) => known === by.runtime);
  if (runtime === undefined || !isNativeSession(by.session)) return {};
  const { bound, key } = await taskOfSession(context, { runtime, id: by.session });
  return bound === undefined ? { key } : {};
}
