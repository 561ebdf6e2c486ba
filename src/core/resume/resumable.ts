/**
 * Whether work can go on in a program, proven and not assumed: the program is there and of a version that was tried, the session that
 * should go on is there and nobody else writes to it, and the workspace is the one it knew.
 *
 * A new session with a briefing needs little: the program. What else is not proven is said, and nothing is refused but what cannot be done. Where a
 * history is put into a program's own files, or a session of its own goes on, an unproven version may misread it and another
 * workspace makes it tell of files that are not there: both are refused unless somebody says that it may be tried.
 */
import { defined } from '../base/defined.ts';
import type { ErrorCode } from '../base/error.ts';
import { unprovenWords, type WrittenBy } from './session-version.ts';

/** `briefing`: a new session that is told. `full`: a new session with the whole history. `session`: the very session goes on. */
export const resumeWays = ['briefing', 'full', 'session'] as const;
export type ResumeWay = (typeof resumeWays)[number];

const resumeChecks = ['program', 'version', 'session', 'writer', 'workspace', 'history'] as const;

export interface ResumeCheck {
  readonly check: (typeof resumeChecks)[number];
  readonly standing: 'proven' | 'told' | 'refused';
  readonly text: string;
  /** What to do about what is refused, or is better mended first. */
  readonly fix?: string;
  readonly code?: ErrorCode;
}

export interface SeenTree {
  readonly root: string;
  readonly head: string | null;
  readonly digest: string;
}

export interface SeenSession {
  readonly runtime: string;
  readonly id: string;
  /** Null where it is not on this machine. */
  readonly card: {
    readonly liveness: 'alive' | 'dead' | 'ended' | 'unknown';
    readonly pid: number | null;
    /** Why it cannot be read. */
    readonly pointerOnly: string | null;
  } | null;
}

export interface ResumeFacts {
  readonly task: string;
  readonly runtime: string;
  readonly way: ResumeWay;
  /** Whether the program is to be started from here. */
  readonly starts: boolean;
  /** The program, or data of it, is here. */
  readonly installed: boolean;
  readonly program: string | null;
  /** Null where it told none. */
  readonly version: string | null;
  readonly provenVersions: readonly string[];
  /** The one that the latest packet was made from; null where it was made from none. */
  readonly session: SeenSession | null;
  /** When the latest packet was sealed, and now. Null where nobody looked. */
  readonly sealed: SeenTree | null;
  readonly now: SeenTree | null;
  /** Paths that are not as they were. */
  readonly differs: readonly string[];
  /** Somebody said that what is not proven may be tried. */
  readonly unproven: boolean;
}

export function checksOf(facts: ResumeFacts): ResumeCheck[] {
  return [programCheck(facts), ...versionCheck(facts), ...sessionChecks(facts), ...workspaceCheck(facts)];
}

/** Sessions that what goes on was read from, by versions of their programs that reading is not proven with. Said, never refused. */
export function historyChecks(
  sessions: readonly (WrittenBy & { readonly session: string })[],
): ResumeCheck[] {
  const told = sessions.flatMap((each) => {
    const words = unprovenWords(each);
    return words === null ? [] : [`The session ${each.session} was ${words}.`];
  });
  return [...new Set(told)].map((text) => ({ check: 'history', standing: 'told', text }));
}

export function firstRefused(checks: readonly ResumeCheck[]): ResumeCheck | undefined {
  return checks.find(({ standing }) => standing === 'refused');
}

function programCheck(facts: ResumeFacts): ResumeCheck {
  const { runtime, program, installed, starts, way } = facts;
  if (program !== null) return { check: 'program', standing: 'proven', text: `${runtime} is ${program}.` };
  const text = `The program of ${runtime} is not on the PATH.`;
  // A history is not put where no program would ever look for it, and nothing is started that is not here.
  if (facts.unproven && !starts && (installed || way !== 'full'))
    return { check: 'program', standing: 'told', text };
  return {
    check: 'program',
    standing: 'refused',
    text,
    code: 'runtime-missing',
    fix: starts
      ? 'Install it, or put its folder on the PATH.'
      : 'Install it, or put its folder on the PATH. To have the command printed all the same, e.g. for another shell: --unproven',
  };
}

function versionCheck({ runtime, program, version, provenVersions, ...facts }: ResumeFacts): ResumeCheck[] {
  if (program === null && facts.way === 'briefing') return [];
  if (version !== null && provenVersions.includes(version))
    return [{ check: 'version', standing: 'proven', text: `Version ${version} is known to work.` }];
  const text =
    version === null
      ? `${runtime} did not tell its version; proven with ${provenVersions.join(', ')}.`
      : `Not proven with version ${version} of ${runtime}, only with ${provenVersions.join(', ')}.`;
  return [unproven(facts, { check: 'version', text })];
}

/** For a briefing it is said; for the rest somebody has to agree. */
function unproven(
  { way, unproven: agreed }: Pick<ResumeFacts, 'way' | 'unproven'>,
  { check, text, fix }: Pick<ResumeCheck, 'check' | 'text' | 'fix'>,
): ResumeCheck {
  if (way === 'briefing' || agreed) return { check, standing: 'told', text, ...defined({ fix }) };
  return {
    check,
    standing: 'refused',
    text,
    code: 'not-resumable',
    fix: `${fix === undefined ? 'Go' : `${fix} Or go`} on with a briefing (--history briefing), or say --unproven to try it all the same.`,
  };
}

function sessionChecks(facts: ResumeFacts): ResumeCheck[] {
  const { way, session } = facts;
  if (way === 'session') return [ownSession(facts), ...writerCheck(facts)];
  return session === null ? [] : writerCheck(facts);
}

function ownSession({ runtime, session }: ResumeFacts): ResumeCheck {
  if (session === null) return noSession('The latest packet was made from no session of a program.');
  if (session.runtime !== runtime)
    return noSession(`The latest session, ${session.id}, is of ${session.runtime} and not of ${runtime}.`);
  if (session.card === null) return noSession(`The session ${session.id} is not on this machine any more.`);
  if (session.card.pointerOnly !== null)
    return noSession(`The session ${session.id} cannot be read: ${session.card.pointerOnly}`);
  return { check: 'session', standing: 'proven', text: `The session ${session.id} is here and can be read.` };
}

function noSession(text: string): ResumeCheck {
  const fix = 'Go on in a new session: --history full, or a briefing.';
  return { check: 'session', standing: 'refused', text, code: 'not-resumable', fix };
}

/** Two writers break a session; a former agent that still runs may change the workspace under the next one. */
function writerCheck({ way, runtime, session }: ResumeFacts): ResumeCheck[] {
  if (session?.card?.liveness !== 'alive') return [];
  const { id, card } = session;
  const who = card.pid === null ? 'A process' : `Process ${card.pid}`;
  if (way === 'session' && session.runtime === runtime)
    return [
      {
        check: 'writer',
        standing: 'refused',
        text: `${who} still holds the session ${id}: two writers would break it.`,
        code: 'held',
        fix: 'Let it end first, or go on in a new session (--history full, or a briefing).',
      },
    ];
  const text = `${who} still holds the session ${id} of ${session.runtime}: it may go on changing the workspace.`;
  return [{ check: 'writer', standing: 'told', text }];
}

function workspaceCheck(facts: ResumeFacts): ResumeCheck[] {
  const { sealed, now, differs, task } = facts;
  if (sealed === null) return [];
  if (now === null)
    return [
      unproven(facts, { check: 'workspace', text: `There is no workspace here; it was ${sealed.root}.` }),
    ];
  if (sealed.digest === now.digest) {
    const moved = sealed.root === now.root ? '' : ` It moved from ${sealed.root}.`;
    return [
      {
        check: 'workspace',
        standing: 'proven',
        text: `The workspace ${now.root} is as the latest packet left it.${moved}`,
      },
    ];
  }
  const heads =
    sealed.head === now.head ? '' : ` HEAD was ${sealed.head ?? 'unborn'} and is ${now.head ?? 'unborn'}.`;
  const text = `The workspace ${now.root} is not as the latest packet left it${
    sealed.root === now.root ? '' : ` in ${sealed.root}`
  }.${heads}${differs.length === 0 ? '' : ` It differs in ${someOf(differs)}.`}`;
  const fix = `Bring it back first: staffetta restore ${task}, or into a worktree of its own: staffetta restore ${task} --worktree PATH.`;
  return [unproven(facts, { check: 'workspace', text, fix })];
}

const namedMax = 3;

function someOf(paths: readonly string[]): string {
  const more = paths.length - namedMax;
  return `${paths.slice(0, namedMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
