/** The session that somebody means: by its id or a part of it, `RUNTIME:ID`, or `latest`. */
import { counted } from '../../core/base/counted.ts';
import { defined } from '../../core/base/defined.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { programMeant } from '../../core/resume/runtime-names.ts';
import { unprovenWords } from '../../core/resume/session-version.ts';
import { runtimeNames, type Runtime, type RuntimeName, type SessionCard } from '../../ports/runtime.ts';
import { findSessions } from './sessions.ts';

export interface Wanted {
  /** What was said. */
  readonly given: string;
  /** Sessions of this folder are meant first; an id that is found nowhere else may be of any folder. */
  readonly folder: string;
  /** One that cannot be read is given too; the caller looks at `pointerOnly`. */
  readonly pointers?: boolean;
}

export interface FoundSession {
  readonly runtime: Runtime;
  readonly card: SessionCard;
}

const looksMax = 10_000;
/** Fewer characters of an id mean too many. */
const idCharsMin = 4;

export async function findSession(runtimes: readonly Runtime[], wanted: Wanted): Promise<FoundSession> {
  const { runtime, id } = wordsOf(wanted.given);
  const query = { limit: looksMax, ...defined({ runtime }) };
  const here = await findSessions(runtimes, { ...query, folder: wanted.folder });
  const near = matching(here.sessions, id);
  const found =
    near.length > 0 || id === 'latest' ? near : matching((await findSessions(runtimes, query)).sessions, id);
  const [card, second] = found;
  if (card === undefined) throw unknownSession(wanted, here);
  if (second !== undefined) throw ambiguous(wanted.given, found);
  const of = runtimes.find(({ name }) => name === card.runtime);
  if (of === undefined) throw unknownSession(wanted, here);
  if (card.pointerOnly !== null && wanted.pointers !== true)
    throw unreadable({ runtime: of, card }, card.pointerOnly);
  return { runtime: of, card };
}

/** With the version that wrote it, where that may be why. */
export function unreadable({ runtime, card }: FoundSession, why: string): StaffettaError {
  const { name, provenVersions } = runtime;
  const { id, path, version } = card;
  const written = unprovenWords({ runtime: name, version, proven: provenVersions });
  return new StaffettaError(
    'session-unreadable',
    `The session ${id} cannot be read: ${why}${written === null ? '' : ` It was ${written}.`}`,
    {
      details: { runtime: name, session: id, path, version, proven: provenVersions, why },
      hint: 'Hand over with what you know of it (staffetta handoff with --next and the others), or update staffetta. If there is no time, --trigger crash sends out a packet that names its file.',
    },
  );
}

function wordsOf(given: string): { readonly runtime?: RuntimeName; readonly id: string } {
  const [, named, rest] = /^([a-z-]+):(.+)$/.exec(given) ?? [];
  const runtime = named === undefined ? undefined : programMeant(named);
  if (runtime !== undefined && rest !== undefined) return { runtime, id: rest };
  const alone = programMeant(given);
  return alone === undefined ? { id: given } : { runtime: alone, id: 'latest' };
}

/** Exactly, then by beginning, then by end: ids of some programs begin alike. Newest first for `latest`. */
function matching(sessions: readonly SessionCard[], id: string): readonly SessionCard[] {
  if (id === 'latest') return sessions.filter(({ parent }) => parent === null).slice(0, 1);
  const exact = sessions.filter((card) => card.id === id || card.path === id);
  if (exact.length > 0 || id.length < idCharsMin) return exact;
  const begins = sessions.filter((card) => card.id.startsWith(id));
  return begins.length > 0 ? begins : sessions.filter((card) => card.id.endsWith(id));
}

function unknownSession(
  { given, folder }: Wanted,
  { sessions, installed, troubles }: Awaited<ReturnType<typeof findSessions>>,
): StaffettaError {
  const trouble = troubles.map(({ runtime, text }) => ` ${runtime} could not be looked at: ${text}`).join('');
  const there =
    installed.length === 0
      ? `No coding agent has left data here; looked for ${runtimeNames.join(', ')}.`
      : sessions.length === 0
        ? `No coding agent has left a session in ${folder}.`
        : `${folder} has ${counted(sessions.length, 'session')}.`;
  const unknown = given === 'latest' ? '' : `No session is called ${given}. `;
  return new StaffettaError('unknown-session', `${unknown}${there}${trouble}`, {
    details: { session: given, folder, installed: [...installed] },
    hint: 'List them with: staffetta sessions --everywhere',
  });
}

function ambiguous(given: string, found: readonly SessionCard[]): StaffettaError {
  const twice = new Set(found.map(({ runtime, id }) => `${runtime}:${id}`)).size < found.length;
  const names = found.slice(0, 8).map(({ runtime, id, updatedAt, folder, path }) => {
    const when = new Date(updatedAt).toISOString().slice(0, 16);
    const where = twice ? path : folder;
    return `${runtime}:${id} (${when}${where === null ? '' : `, ${where}`})`;
  });
  return new StaffettaError(
    'ambiguous-session',
    `${given} could be any of ${names.join(', ')}${found.length > 8 ? ', …' : ''}.`,
    {
      details: { candidates: found.map(({ runtime, id, path }) => ({ runtime, id, path })) },
      hint: twice
        ? 'Two files have the same id: name one by its path, as it is given here.'
        : 'Give more of the id, or RUNTIME:ID.',
    },
  );
}
