import type { Trigger } from '../../core/event.ts';
import { checkpoint } from '../../handoff/finish.ts';
import { eventIn } from '../../handoff/record.ts';
import { exits } from '../fail.ts';
import { packetInput } from '../packet-input.ts';
import { sayFound, sealedData } from '../sealed-words.ts';
import type { Session } from '../session.ts';
import type { Invocation, Values } from '../spec.ts';
import { text } from '../values.ts';
import { report } from '../words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const { task, generation } = await session.held(positionals[0]);
  const recorded = await checkpoint(
    await session.context(),
    { task, generation },
    { ...(await packetInput(values, session.output)), trigger: triggerFrom(values) },
    session.call(),
  );
  report(
    session,
    recorded,
    `Sealed a packet of ${task}: ${eventIn(recorded.entry, 'checkpoint-sealed')?.packet ?? 'none'} (${recorded.certification})`,
    sealedData(recorded),
  );
  sayFound(session, recorded);
  return exits.ok;
}

/** In an emergency there is no time to mend anything, nor to make a diff. Unless told, the context is what ran out. */
function triggerFrom(values: Values): Trigger {
  const given = text(values, 'trigger') as Trigger | undefined;
  return given ?? (values['emergency'] === true ? 'context-limit' : 'planned');
}
