import { reassign } from '../../../handoff/verbs/direct.ts';
import { address } from '../../call/address.ts';
import { exits } from '../../frame/fail.ts';
import { requiredWhy } from '../../call/reason.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { next, report, takeCommand } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'reassign');
  const to = text(values, 'to');
  if (to === undefined)
    throw new UsageError(
      'reassign needs --to: who should have it.',
      'E.g. --to codex, --to lane:audit, --to anyone',
    );
  const task = await session.task(positionals[0]);
  const recorded = await reassign(await session.context(), task, { to: address(to), why }, session.call());
  report(session, recorded, `${task} is on offer to ${recorded.state.offer?.to ?? address(to)}.`);
  if (!session.dryRun && recorded.state.offer !== null) next(session.output, takeCommand(recorded.state));
  return exits.ok;
}
