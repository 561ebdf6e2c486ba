import { pausedMs } from '../../../core/task/lapse.ts';
import { pauseTask } from '../../../desk/pause.ts';
import type { Session } from '../../call/session.ts';
import { timeWords, untilFrom } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';
import { placeWords } from '../../pages/progress-words.ts';
import { next, report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const now = Date.now();
  const given = text(values, 'until');
  const until = given === undefined ? now + pausedMs : untilFrom(given, now);
  const task = await session.task(positionals[0]);
  const context = await session.context();
  const why = text(values, 'why');
  if (session.dryRun) {
    session.output.data(
      { task, status: 'offered', until, dryRun: true },
      () => `Would be done: ${task} would rest.`,
    );
    return exits.ok;
  }
  const recorded = await pauseTask(context, task, { by: session.actor, until, why });
  const when = given === undefined ? 'until you continue it' : `until ${timeWords(until, now)}`;
  report(
    session,
    recorded,
    `${task} is paused ${when}; what was done is sealed.${placeWords(recorded.state)}`,
  );
  next(session.output, `staffetta continue ${task}`);
  return exits.ok;
}
