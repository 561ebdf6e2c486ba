import { loadRuntimes } from '../../../compose/runtimes.ts';
import { programAfter, usablePrograms } from '../../../desk/sessions/installed-programs.ts';
import { continueTask } from '../../../desk/pause.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { restingOffers } from '../../../handoff/views/offers.ts';
import type { Session } from '../../call/session.ts';
import { exits } from '../../frame/fail.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { placeWords } from '../../pages/progress-words.ts';
import { next, report, takeCommand } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [given = ''] = positionals;
  const task = given === '' ? await onlyPaused(session) : await session.task(given);
  const why = text(values, 'why');
  if (session.dryRun) {
    session.output.data(
      { task, status: 'offered', dryRun: true },
      () => `Would be done: ${task} would be on offer again.`,
    );
    return exits.ok;
  }
  const context = await session.context();
  const recorded = await continueTask(context, task, { by: session.actor, why });
  const { offer } = recorded.state;
  const place = placeWords(recorded.state);
  report(session, recorded, `${task} is on offer to ${offer?.to ?? 'anyone'} again.${place}`);
  const { custody } = recorded.state;
  const programs = await usablePrograms(context, await loadRuntimes(session.env));
  const program = programAfter(custody?.agent ?? '', programs, { isSpent: false });
  next(
    session.output,
    takeCommand(recorded.state),
    ...(program === undefined ? [] : [`or in a program: staffetta resume ${task} --in ${program}`]),
  );
  return exits.ok;
}

const goesOn = 'To go on from the latest session here: staffetta resume --in PROGRAM';

async function onlyPaused(session: Session): Promise<TaskId> {
  if (!session.storeExists) throw new UsageError('Nothing is paused here.', goesOn);
  const paused = await restingOffers(await session.context());
  const [only, second] = paused;
  if (only === undefined) throw new UsageError('Nothing is paused here.', goesOn);
  if (second === undefined) return only.task;
  throw new UsageError(
    'Which? Several tasks are paused.',
    paused
      .slice(0, 5)
      .map(({ task, title }) => `staffetta continue ${task}   (${title})`)
      .join('\n  '),
  );
}
