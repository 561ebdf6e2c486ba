import type { TaskId } from '../../../core/journal/id.ts';
import type { DeadLetter } from '../../../core/task/state.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { load } from '../../../handoff/record/load.ts';
import { redrive } from '../../../handoff/verbs/offer.ts';
import { unheardOffers, unheardWords, type OnOffer } from '../../../handoff/views/unheard.ts';
import { address } from '../../call/address.ts';
import { formatShort } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { table } from '../../frame/table.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseStray, text } from '../../frame/values.ts';
import { next, report } from '../../pages/words.ts';

interface Letter extends DeadLetter {
  readonly task: TaskId;
  readonly title: string;
}

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [named = ''] = positionals;
  if (values['again'] === true) return await sendOut(named, values, session);
  refuseStray(values, ['to', 'why'], '--again');
  const context = await session.context();
  const task = named === '' ? undefined : await session.task(named);
  const unheard = (await unheardOffers(context)).filter((one) => task === undefined || one.task === task);
  const letters: readonly Letter[] = [
    ...(task === undefined ? await listed(context) : await lettersOf(context, [task])),
    ...unheard.map(unheardLetter),
  ];
  const now = context.clock.now();
  const rows = letters.map((letter) => [
    letter.task,
    String(letter.attempts),
    letter.to,
    formatShort(now - letter.at),
    letter.title,
    letter.why,
  ]);
  const { paint, width } = session.output;
  session.output.data({ dead: letters }, () =>
    rows.length === 0
      ? ''
      : table([['TASK', 'TRIES', 'TO', 'AGE', 'TITLE', 'WHY'], ...rows], {
          width,
          paint: (cell, row) => (row === 0 ? paint.dim(cell) : cell),
        }),
  );
  if (letters.length === 0) {
    session.output.say(named === '' ? 'No dead letters.' : `${named} is not among the dead letters.`);
    if (named !== '') next(session.output, `staffetta show ${named}`);
  } else next(session.output, `staffetta dead ${letters[0]?.task ?? ''} --again --why WHY`);
  return exits.ok;
}

async function sendOut(named: string, values: Values, session: Session): Promise<number> {
  if (named === '')
    throw new UsageError('--again needs the task it is about.', 'List them with: staffetta dead');
  const to = text(values, 'to');
  const why = text(values, 'why');
  if (why === undefined)
    throw new UsageError('--again needs --why: the reason goes on record.', 'Say what is different now.');
  const options = { why, ...(to === undefined ? {} : { to: address(to) }) };
  const task = await session.task(named);
  const recorded = await redrive(await session.context(), task, options, session.call());
  report(session, recorded, `${task} is on offer again, to ${recorded.state.offer?.to ?? 'nobody'}.`);
  return exits.ok;
}

function unheardLetter(state: OnOffer): Letter {
  const { to, lane, packet, at, attempt } = state.offer;
  const { title } = state.terms;
  return { task: state.task, title, to, lane, packet, at, attempts: attempt, why: unheardWords(state) };
}

async function listed(context: Context): Promise<Letter[]> {
  const { cards } = await context.store.catalog.list({ dead: true, limit: 200 });
  return await lettersOf(
    context,
    cards.map((card) => card.task),
  );
}

async function lettersOf(context: Context, tasks: readonly TaskId[]): Promise<Letter[]> {
  const letters: Letter[] = [];
  for (const task of tasks) {
    const { state } = await load(context, task);
    if (state.dead !== null) letters.push({ task, title: state.terms.title, ...state.dead });
  }
  return letters;
}
