import { outcomeOf } from '../../desk/outcome.ts';
import type { DamagedTask } from '../../handoff/record/damage.ts';
import type { WaitingMessage } from '../../handoff/verbs/outside.ts';
import type { SameSession } from '../../handoff/sessions/same-session.ts';
import type { Recorded } from '../../handoff/record/record.ts';
import { plainStatuses, type PlainStatus } from '../../core/task/card.ts';
import { isDisbelieved, isPausedForGood, isResting } from '../../core/task/lapse.ts';
import type { TaskState } from '../../core/task/state.ts';
import { formatLeft, timeWords } from '../frame/duration.ts';
import { exits } from '../frame/fail.ts';
import { line, type Output, type Paint } from '../frame/output.ts';
import type { Session } from '../call/session.ts';

/** The result of a change as data: small, the same for every verb. */
export function outcome(recorded: Recorded, dryRun: boolean): Record<string, unknown> {
  const { repeated, ...stands } = outcomeOf(recorded);
  return { ...stands, ...(repeated ? { repeated } : {}), ...(dryRun ? { dryRun } : {}) };
}

/** Prints the result of a change: JSON, or one sentence. */
export function report(
  session: Session,
  recorded: Recorded,
  sentence: string,
  more: Readonly<Record<string, unknown>> = {},
): void {
  const prefix = recorded.repeated ? 'Done before: ' : session.dryRun ? 'Would be done: ' : '';
  session.output.data({ ...outcome(recorded, session.dryRun), ...more }, () => `${prefix}${sentence}`);
}

const statusColors: Readonly<Record<PlainStatus, keyof Paint>> = {
  waiting: 'dim',
  'in work': 'good',
  'needs you': 'warn',
  done: 'good',
  stopped: 'dim',
};

/** A cell that holds a status, padded or not. */
export function paintStatus(paint: Paint, cell: string): string {
  const plain = plainStatuses.find((one) => one === cell.trim());
  return plain === undefined ? cell : paint[statusColors[plain]](cell);
}

/** Before two are sent to do one work. */
export function sameSessionText({ task, status, holder, offeredTo }: SameSession): string {
  const where =
    holder === null
      ? offeredTo === null
        ? status
        : `on offer to ${line(offeredTo)}`
      : `held by ${line(holder)}`;
  return `Task ${task}, ${where}, is of the same session: see that nothing is done twice (staffetta show ${task}).`;
}

function leaseLeft({ updatedAt }: TaskState, until: number, now: number): string {
  return isDisbelieved({ until, updatedAt }, now) ? 'too far ahead to be believed' : formatLeft(until, now);
}

function restWords(until: number | null | undefined, now: number): string {
  if (!isResting(until, now)) return '';
  return isPausedForGood(until, now)
    ? ', paused until you continue it'
    : `, resting: ${formatLeft(until, now)}`;
}

/** Who has it now, in one line. */
export function standingLine(state: TaskState, leaseUntil: number | null, now: number): string {
  if (state.leg !== null) {
    const lease =
      leaseUntil === null
        ? ''
        : `, until ${timeWords(leaseUntil, now)}: ${leaseLeft(state, leaseUntil, now)}`;
    const acknowledged = state.leg.acknowledged ? '' : ', not acknowledged yet';
    return `held by ${line(state.leg.holder.name)} in the ${state.leg.lane} lane (generation ${state.generation}${lease}${acknowledged})`;
  }
  if (state.offer !== null) {
    const rest = restWords(state.offer.notBefore, now);
    const attempt = state.offer.attempt > 1 ? `, attempt ${state.offer.attempt}` : '';
    return `${state.status}: on offer to ${line(state.offer.to)} in the ${state.offer.lane} lane${attempt}${rest}`;
  }
  if (state.submission !== null && state.status === 'submitted')
    return `submitted by ${line(state.submission.by)}, waiting for review`;
  if (state.status === 'approved' && state.approval !== undefined)
    return `approved by ${line(state.approval.by)}, to be integrated onto ${line(state.terms.integrate?.onto ?? '')}`;
  if (state.status === 'elsewhere') return 'elsewhere: a copy; the task goes on in another store';
  return state.status;
}

export { counted } from '../../core/base/counted.ts';

/** Enough of a digest to name a packet with. */
export function shortly(digest: string | null | undefined): string {
  return digest === null || digest === undefined
    ? 'none'
    : digest.slice('sha256:'.length, 'sha256:'.length + 12);
}

export function next(output: Output, ...hints: readonly string[]): void {
  for (const hint of hints) output.say(`  → ${hint}`, 'dim');
}

/** How those whom an offer is for take it. */
export function takeCommand({ task, offer }: Pick<TaskState, 'task' | 'offer'>): string {
  const [kind = '', name = ''] = (offer?.to ?? '').split(/:(.*)/s);
  const who = kind === 'agent' ? name : 'NAME';
  const runtime = kind === 'runtime' ? ` --runtime ${name}` : '';
  return `staffetta take ${task} --as ${who}${runtime} --lane ${offer?.lane ?? 'execute'}`;
}

/** How those whom a contract names as reviewers look at what was handed in. */
export function reviewCommand({ task, terms }: Pick<TaskState, 'task' | 'terms'>): string {
  const { human, owner = '' } = terms.review ?? {};
  const who = owner.startsWith('agent:') ? owner.slice('agent:'.length) : 'NAME';
  return `staffetta review ${task}${human === true || owner === '' ? '' : ` --as ${who} --lane audit`}`;
}

/** Of a task that was passed over. */
export function damagedText({ task, why }: DamagedTask): string {
  return `Task ${task} is damaged and was passed over: ${line(why)}`;
}

/** The answer lacks these; the exit code says so too. */
export function sayDamaged(damaged: readonly DamagedTask[], output: Output): number {
  if (damaged.length === 0) return exits.ok;
  for (const one of damaged) output.say(damagedText(one), 'warn');
  next(output, 'staffetta verify');
  return exits.integrity;
}

/** Until when silence is believed, and how to be believed longer. */
export function heldUntil(task: string, until: number): string {
  return `You hold it until ${timeWords(until)}. Each of your commands extends that; so does: staffetta renew ${task}`;
}

/** What to set so that the commands that follow act as this holder, under this generation. */
export function legExport({ values }: Session, task: string, generation: number): string {
  const said = Object.entries({ STAFFETTA_AS: 'as', STAFFETTA_LANE: 'lane', STAFFETTA_RUNTIME: 'runtime' })
    .filter(([, option]) => typeof values[option] === 'string')
    .map(([variable, option]) => `${variable}=${String(values[option])}`);
  return ['export', ...said, `STAFFETTA_LEG=${task}/${generation}`].join(' ');
}

/** What a message answers, if it does. */
export function answering({ answers }: WaitingMessage): string {
  return answers === undefined ? '' : `, answers question ${answers.decision} (${line(answers.question)})`;
}
