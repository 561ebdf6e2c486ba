import { defined } from '../../../core/base/defined.ts';
import { carry } from '../../../handoff/verbs/carry.ts';
import { movedFrom } from '../../../desk/progress.ts';
import { exits } from '../../frame/fail.ts';
import { progressWords } from '../../pages/progress-words.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { count, text } from '../../frame/values.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const at = count(values, 'at');
  const of = count(values, 'of');
  const unit = text(values, 'unit');
  const cursor = text(values, 'cursor');
  if (at === undefined)
    throw new UsageError(
      'progress needs --at: how far the work is, as a number.',
      'E.g. staffetta progress --at 730000 --of 1000000 --unit rows',
    );
  if (of !== undefined && at > of)
    throw new UsageError(`--at ${at} is beyond --of ${of}.`, 'Give the place reached, and the whole.');
  const { task, generation, state } = await session.held(positionals[0]);
  const moved = movedFrom(state.progress, {
    type: 'progress-moved',
    at,
    ...defined({ of, unit, cursor }),
  });
  const recorded = await carry(await session.context(), { task, generation }, [moved], session.call());
  const { progress } = recorded.state;
  report(session, recorded, `${task} is at ${progress === null ? at : progressWords(progress)}.`, {
    progress,
  });
  return exits.ok;
}
