import { timeText } from '../../../core/task/lease.ts';
import { recover, type Recovery } from '../../../handoff/verbs/recover.ts';
import { exits } from '../../frame/fail.ts';
import { longRun } from '../../frame/long-run.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { counted, damagedText, next } from '../../pages/words.ts';

export async function run({ values }: Invocation, session: Session): Promise<number> {
  const { dryRun } = session;
  const endDoubted = values['end-doubted'] === true;
  const done = await longRun(
    session,
    'recover',
    async (context) => await recover(context, { dryRun, endDoubted }),
  );
  session.output.data({ ...done, ...(dryRun ? { dryRun: true } : {}) }, () => words(done, dryRun));
  for (const { task, holder, leaseUntil, why } of done.doubted)
    session.output.say(
      `The lease of ${line(holder ?? 'nobody')} on ${task} runs until ${timeText(leaseUntil)}, ${
        why === 'clock-off'
          ? 'which is over by the clock of this machine alone: it is more than a minute off the clock of the store. Set it right, and run recover again.'
          : 'further ahead than a lease may be. Is the time of this machine right? Then end it with: staffetta recover --end-doubted'
      }`,
    );
  for (const damaged of done.damaged) session.output.say(damagedText(damaged));
  if (done.dead.length > 0 && !dryRun) next(session.output, 'staffetta dead');
  if (done.damaged.length === 0) return exits.ok;
  next(session.output, 'staffetta verify');
  return exits.integrity;
}

function words(done: Recovery, dryRun: boolean): string {
  const parts = [
    part(done.lapsed, 'lapsed leg ended', 'lapsed legs ended'),
    part(done.expired, 'expired offer renewed', 'expired offers renewed'),
    part(done.freed, 'task freed', 'tasks freed'),
    part(done.escalated, 'task escalated', 'tasks escalated'),
    part(done.dead, 'dead letter', 'dead letters'),
  ].filter((text) => text !== '');
  if (parts.length === 0) return `Nothing ${dryRun ? 'has' : 'had'} to be put right.`;
  return `${dryRun ? 'Would be done: ' : ''}${parts.join('. ')}.`;
}

function part(tasks: readonly string[], one: string, many: string): string {
  return tasks.length === 0 ? '' : `${counted(tasks.length, one, many)}: ${tasks.join(', ')}`;
}
