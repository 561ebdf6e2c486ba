import { shortly } from './words.ts';
import { counted } from '../../core/base/counted.ts';
import { cut } from '../../core/base/text.ts';
import { isNextByDefault, orderIn } from '../../core/reasoning/draft.ts';
import type { Condition } from '../../core/transcript/condition.ts';
import type { SessionCard } from '../../ports/runtime.ts';
import { programTitle } from '../../core/resume/runtime-names.ts';
import { isBusy, isSaid } from '../../handoff/sessions/session-look.ts';
import type { ResumePlan, ResumeRequest } from '../../handoff/sessions/resume-in.ts';
import { formatBytes } from '../frame/bytes.ts';
import { timeWords } from '../frame/duration.ts';
import type { LossReport } from '../../core/resume/loss-report.ts';
import { lossReportWords } from '../../core/resume/loss-report.ts';
import { readiness } from '../../core/packet/readiness.ts';
import type { ResumeCheck } from '../../core/resume/resumable.ts';
import type { Grown } from '../../handoff/sessions/grown.ts';
import type { CapturedLeg } from '../../handoff/sessions/capture-leg.ts';
import type { PlacedSkill } from '../../handoff/sealing/skills.ts';
import { line, shortFigures, type Output } from '../frame/output.ts';
import { pad, wrap } from '../frame/width.ts';
import type { ProgramEnd } from '../../desk/launch/run-program.ts';
import { section } from '../frame/section.ts';
import type { LatestSession } from '../call/latest-session.ts';
import type { Session } from '../call/session.ts';
import { placedPart } from './skills-page.ts';

export interface ResumeAnswer {
  readonly task: string;
  readonly runtime: string;
  readonly leg: string;
  readonly way: string;
  readonly agent: string;
  readonly checks: readonly ResumeCheck[];
  readonly losses: LossReport;
  /** What users have said since in the session that it was made from, with the command that hands it on. */
  readonly grown?: (Grown & { readonly command: string }) | undefined;
  /** Whom the task was offered to before, where a person chose another program. */
  readonly redirectedFrom?: string | undefined;
  /** What became of the skills that came with it, where somebody agreed to them. */
  readonly placed?: readonly PlacedSkill[] | undefined;
  readonly hazards: { readonly terminal: readonly string[]; readonly headless: readonly string[] };
  readonly commands: { readonly terminal: string; readonly headless: string };
}

export function resumePage(answer: ResumeAnswer, session: Pick<Session, 'dryRun' | 'output'>): string {
  const { checks, losses, placed, hazards, commands } = answer;
  const { paint } = session.output;
  const alone = hazards.headless.filter((text) => !hazards.terminal.includes(text));
  return [
    `${answer.leg} goes on in ${answer.runtime} as ${line(answer.agent)}: ${wayWords[answer.way] ?? answer.way}.`,
    section(
      'Proven',
      checks.filter(({ standing }) => standing === 'proven').map(({ text }) => line(text)),
    ),
    section(
      'Not proven',
      checks
        .filter(({ standing }) => standing === 'told')
        .map(({ text, fix }) => `${paint.warn(line(text))}${fix === undefined ? '' : `\n→ ${line(fix)}`}`),
    ),
    section(
      'Not carried over',
      lossReportWords(losses).map(({ what, why }) => `${line(what)}: ${line(why)}`),
    ),
    ...(placed === undefined ? [] : [placedPart(placed, answer.runtime, session)]),
    section(
      'Know that',
      hazards.terminal.map((text) => line(text)),
    ),
    `In a terminal:\n  ${line(commands.terminal)}`,
    `Without one:\n  ${line(commands.headless)}`,
    ...alone.map((text) => `  ${paint.dim(line(text))}`),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const shownMax = 3;

/** What goes along and what does not, in a few lines; `--dry-run` tells all of it. */
export function goesOnLines(
  width: number,
  { task, story, latest, losses, checks, prompt }: ResumePlan,
  { runtime, way }: Pick<ResumeRequest, 'runtime' | 'way'>,
): string {
  const said = story.steps.filter(isSaid).length;
  const changes = latest?.packet.facts?.workspace?.changes ?? [];
  const along = [
    way === 'briefing' ? `a briefing of ${formatBytes(prompt.length)}` : (wayWords[way] ?? way),
    ...(said === 0 ? [] : [`${counted(said, 'message')} of the user`]),
    counted(changes.length, 'changed file'),
  ];
  const records = losses.omissions.reduce((sum, { count }) => sum + count, 0);
  const left = [
    ...lossReportWords({ ...losses, omissions: [] }).map(({ what }) => line(what)),
    ...(records === 0 ? [] : [`${counted(records, 'record')} that only the program itself uses`]),
  ];
  const told = checks.filter(({ standing }) => standing === 'told');
  const labelled = (label: string, words: string): string[] =>
    words === '' ? [] : [`  ${pad(`${label}:`, 9)}${wrap(words, Math.max(20, width - 11), ' '.repeat(11))}`];
  return [
    `${task} goes on in ${programTitle(runtime.name)}.`,
    ...labelled('Along', `${along.join(', ')}; every step before can be read from there`),
    ...labelled('Behind', left.length === 0 ? 'nothing that is known' : shortList(left)),
    ...labelled('Next', cut(line(nextWords(latest?.packet.claims?.next ?? '')), 160)),
    ...labelled('Mind', shortFigures(told.map(({ text }) => line(text)).join(' '))),
  ].join('\n');
}

/** Where the tool took it from a session: the order alone, without its place in there. */
function nextWords(next: string): string {
  return isNextByDefault(next) ? orderIn(next).replace(/ \[s\d+\]/, '') : next;
}

function shortList(words: readonly string[]): string {
  const more = words.length > shownMax ? [`and ${words.length - shownMax} more (--dry-run lists them)`] : [];
  return [...words.slice(0, shownMax), ...more].join(', ');
}

const wayWords: Readonly<Record<string, string>> = {
  briefing: 'a new session with a briefing',
  full: 'a new session with the whole history',
  session: 'the session it was in',
};

/** What would be lost without a word: it is not taken along, for it may be other work. */
export function grownText({
  runtime,
  session,
  messages,
  first,
  command,
}: NonNullable<ResumeAnswer['grown']>): string {
  const said = messages === 1 ? '1 message of a user is' : `${messages} messages of a user are`;
  return `The session ${line(session)} of ${runtime} went on after the latest packet: ${said} not in it, beginning with “${line(first)}”. To hand them on too: ${line(command)}`;
}

export function endWords({ exit, signal, failed }: ProgramEnd, runtime: string): string {
  const program = programTitle(runtime);
  if (failed !== null) return `${program} could not be started: ${line(failed)}`;
  return signal === null
    ? `${program} ended with exit code ${exit ?? 'unknown'}.`
    : `${program} was ended by ${signal}.`;
}

export function capturedWords(captured: CapturedLeg, task: string): string {
  switch (captured.outcome) {
    case 'captured': {
      const { session, sealed } = captured;
      return `Its session ${line(session.id)} is in packet ${shortly(sealed.state.packet)} (${readiness(sealed.certification)}).`;
    }
    case 'leg-over':
      return `The leg is over: task ${task} is ${captured.state.status}.`;
    case 'no-session':
      return 'It left no session for this folder; the files as they lie there are sealed.';
    case 'several':
      return `The files are sealed as they lie. Several sessions are new: ${captured.sessions.map(({ id }) => line(id)).join(', ')}. Name the one to keep: staffetta handoff ${task} --from SESSION --to WHO`;
    case 'refused':
      return `Its session ${line(captured.session.id)} could not be captured: ${line(captured.why)}`;
  }
}

/** Which program worked in a folder, until when, and how it stopped. */
type SeenCard = Pick<SessionCard, 'runtime' | 'updatedAt' | 'liveness'>;

const stoppedWords: Readonly<Record<NonNullable<Condition['stopped']>, string>> = {
  'usage-limit': 'stopped at its usage limit',
  'rate-limited': 'stopped at a limit of requests',
  'context-limit': 'stopped with its context full',
  error: 'stopped with an error',
  interrupted: 'was interrupted',
  ended: 'ended',
};

/** `condition` is null where the session was not read. */
export function workedWords(card: SeenCard, condition: Condition | null, now: number): string {
  const { runtime, updatedAt, liveness } = card;
  const program = programTitle(runtime);
  const when = timeWords(updatedAt, now);
  const settled = condition?.settled ?? true;
  if (liveness === 'alive' && (condition?.stopped ?? null) === null)
    return settled
      ? `${program} is open here, and has answered at ${when}.`
      : `${program} is at work here, last heard of at ${when}.`;
  // `resume` would refuse it, for as long as nobody can tell.
  if (condition?.settled === false && condition.stopped === null && isBusy({ card, condition }, now))
    return `${program} may be at work here still: it is in the middle of a turn, last heard of at ${when}. In a minute it is taken for stopped.`;
  return `${program} worked here until ${when} and ${stopWords(condition, liveness)}.`;
}

/** How it ended, as far as that is known. */
export function workedPart(of: readonly LatestSession[], { width }: Output): string {
  return of
    .map(({ card, condition, about }) => {
      const worked = workedWords(card, condition, Date.now());
      return wrap(about === undefined ? worked : `${worked} ${about}`, width);
    })
    .join('\n');
}

export function stopWords(condition: Condition | null, liveness: SeenCard['liveness']): string {
  if (condition === null) return 'stopped';
  if (condition.stopped !== null) return stoppedWords[condition.stopped];
  if (condition.settled) return 'had answered';
  return liveness === 'dead' ? 'died in the middle of a turn' : 'stopped in the middle of a turn';
}
