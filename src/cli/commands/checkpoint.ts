import { readiness } from '../../core/readiness.ts';
import { checkpoint } from '../../handoff/finish.ts';
import { eventIn } from '../../handoff/record.ts';
import { exits } from '../fail.ts';
import { packetInput } from '../packet-input.ts';
import { sayFound, sealedData } from '../sealed-words.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { triggerFrom } from '../trigger.ts';
import { report } from '../words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const { task, generation } = await session.held(positionals[0]);
  const recorded = await checkpoint(
    await session.context(),
    { task, generation },
    { ...(await packetInput(values, session.output)), trigger: triggerFrom(values) ?? 'planned' },
    session.call(),
  );
  report(
    session,
    recorded,
    `Sealed a packet of ${task}: ${eventIn(recorded.entry, 'checkpoint-sealed')?.packet ?? 'none'} (${readiness(recorded.certification)})`,
    sealedData(recorded),
  );
  sayFound(session, recorded);
  return exits.ok;
}
