import { defined } from '../../../core/base/defined.ts';
import { offer } from '../../../handoff/verbs/offer.ts';
import { eventIn } from '../../../handoff/record/record.ts';
import { address } from '../../call/address.ts';
import { parsePositiveDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { offerLane } from '../../call/offer-lane.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';
import { next, report, takeCommand } from '../../pages/words.ts';

/** Work that nobody holds and nobody was asked to do: a draft, or what was withdrawn or declined. */
export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const to = address(text(values, 'to') ?? 'anyone');
  const why = text(values, 'why');
  const expires = text(values, 'expires');
  const { task, state, earlier } = await session.standing(positionals[0]);
  const asked = offerLane(values, to);
  const before = eventIn(earlier ?? null, 'offer-made')?.lane;
  const terms = {
    to,
    lane: asked ?? before ?? state.custody?.lane ?? ('execute' as const),
    ...defined({ why }),
    ...(expires === undefined ? {} : { expiresMs: parsePositiveDuration(expires, 'expires') }),
  };
  const recorded = await offer(await session.context(), task, terms, session.call());
  report(session, recorded, `${task} is on offer to ${to} in the ${terms.lane} lane.`);
  if (!session.dryRun && recorded.state.offer !== null) next(session.output, takeCommand(recorded.state));
  return exits.ok;
}
