import type { LossReport } from '../../core/resume/loss-report.ts';
import { lossReportWords } from '../../core/resume/loss-report.ts';
import { readiness } from '../../core/packet/readiness.ts';
import type { ResumeCheck } from '../../core/resume/resumable.ts';
import type { Grown } from '../../handoff/sessions/grown.ts';
import type { CapturedLeg } from '../../handoff/sessions/capture-leg.ts';
import type { PlacedSkill } from '../../handoff/sealing/skills.ts';
import { line } from '../frame/output.ts';
import type { ProgramEnd } from '../../desk/launch/run-program.ts';
import { section } from '../frame/section.ts';
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
  if (failed !== null) return `${runtime} could not be started: ${line(failed)}`;
  return signal === null
    ? `${runtime} ended with exit code ${exit ?? 'unknown'}.`
    : `${runtime} was ended by ${signal}.`;
}

export function capturedWords(captured: CapturedLeg, task: string): string {
  switch (captured.outcome) {
    case 'captured': {
      const { session, sealed } = captured;
      return `Its session ${line(session.id)} is in packet ${sealed.state.packet ?? 'none'} (${readiness(sealed.certification)}).`;
    }
    case 'leg-over':
      return `The leg is over: task ${task} is ${captured.state.status}.`;
    case 'no-session':
      return 'It left no session for this folder; nothing was captured.';
    case 'several':
      return `Several sessions are new: ${captured.sessions.map(({ id }) => line(id)).join(', ')}. Name the one to keep: staffetta handoff ${task} --from SESSION --to WHO`;
    case 'refused':
      return `Its session ${line(captured.session.id)} could not be captured: ${line(captured.why)}`;
  }
}
