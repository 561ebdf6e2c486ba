import { complete } from '../../../handoff/verbs/finish.ts';
import { agreeFirst } from '../../contract/agree-first.ts';
import { exits } from '../../frame/fail.ts';
import { packetInput } from '../../call/packet-input.ts';
import { sayFound, sealedData } from '../../pages/sealed-words.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const held = await session.held(positionals[0]);
  const { task, generation } = held;
  const context = await agreeFirst(session, held, values);
  const recorded = await complete(
    context,
    { task, generation },
    await packetInput(values, session.output),
    session.call(),
  );
  report(session, recorded, `${task} is done.`, sealedData(recorded));
  sayFound(session, recorded);
  return exits.ok;
}
