import { extend } from '../../../handoff/verbs/direct.ts';
import { timeWords } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { parseLease } from '../../call/lease.ts';
import { line } from '../../frame/output.ts';
import { requiredWhy } from '../../call/reason.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'extend');
  const given = text(values, 'lease');
  if (given === undefined) throw new UsageError('extend needs --lease: how long from now, e.g. 2h.');
  const leaseMs = parseLease(given);
  const task = await session.task(positionals[0]);
  const recorded = await extend(await session.context(), task, { leaseMs, why }, session.call());
  const holder = line(recorded.state.leg?.holder.name ?? 'nobody');
  const until = recorded.leaseUntil === null ? '' : ` until ${timeWords(recorded.leaseUntil)}`;
  report(session, recorded, `${task} is with ${holder}${until}.`);
  return exits.ok;
}
