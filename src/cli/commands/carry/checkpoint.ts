import { readiness } from '../../../core/packet/readiness.ts';
import { checkpoint } from '../../../handoff/verbs/finish.ts';
import { eventIn } from '../../../handoff/record/record.ts';
import { exits } from '../../frame/fail.ts';
import { packetInputOf } from '../../call/packet-input.ts';
import { sayFound, sealedData } from '../../pages/sealed-words.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { triggerFrom } from '../../call/trigger.ts';
import { report, shortly } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const { task, generation } = await session.held(positionals[0]);
  const recorded = await checkpoint(
    await session.context(),
    { task, generation },
    { ...(await packetInputOf(session, { task, generation })), trigger: triggerFrom(values) ?? 'planned' },
    session.call(),
  );
  report(
    session,
    recorded,
    `Sealed a packet of ${task}: ${shortly(eventIn(recorded.entry, 'checkpoint-sealed')?.packet)} (${readiness(recorded.certification)})`,
    sealedData(recorded),
  );
  sayFound(session, recorded);
  return exits.ok;
}
