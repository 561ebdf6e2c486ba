import { defined } from '../../../core/base/defined.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { mayDirect } from '../../../core/task/actor.ts';
import { settle } from '../../../handoff/verbs/effect.ts';
import { exits } from '../../frame/fail.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseBoth, text } from '../../frame/values.ts';
import { report } from '../../pages/words.ts';

/** What nobody knows any more, a person says who found out; what is under way, its holder. */
async function holderOrPerson(
  session: Session,
  given: string | undefined,
): Promise<{ readonly task: TaskId; readonly generation?: number }> {
  const { task, state, isNamed } = await session.standing(given);
  const isHolder = state.leg?.holder.name === session.actor.name;
  if (!isNamed && !isHolder && mayDirect(session.actor)) return { task };
  return await session.held(given);
}

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  refuseBoth(values, 'done', 'failed');
  const done = values['done'] === true;
  if (!done && values['failed'] !== true)
    throw new UsageError(
      'settle needs --done or --failed: did it take place or not?',
      'Find out first; the next holder will rely on it.',
    );
  const name = positionals[1] ?? '';
  const receipt = text(values, 'receipt');
  const by = await holderOrPerson(session, positionals[0]);
  const input = {
    name,
    outcome: done ? ('done' as const) : ('failed' as const),
    ...defined({ receipt }),
  };
  const recorded = await settle(await session.context(), by, input, session.call());
  report(session, recorded, `${line(name)} is settled as ${input.outcome}.`);
  return exits.ok;
}
