import { submit } from '../../../handoff/verbs/finish.ts';
import { eventIn } from '../../../handoff/record/record.ts';
import { agreeAndSay } from '../../contract/agree-first.ts';
import { proveFirst } from '../../call/prove-first.ts';
import { exits } from '../../frame/fail.ts';
import { packetInputOf } from '../../call/packet-input.ts';
import { sayFound, sealedData } from '../../pages/sealed-words.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { next, report, reviewCommand, shortly } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const held = await session.held(positionals[0]);
  const { task, generation } = held;
  const context = await agreeAndSay(session, held, values);
  await proveFirst(session, held);
  const recorded = await submit(
    context,
    { task, generation },
    await packetInputOf(session, { task, generation }),
    session.call(),
  );
  report(
    session,
    recorded,
    `${task} is submitted for review (packet ${shortly(eventIn(recorded.entry, 'submitted')?.packet)}).`,
    sealedData(recorded),
  );
  sayFound(session, recorded);
  next(session.output, `somebody else decides: ${reviewCommand(recorded.state)}`);
  return exits.ok;
}
