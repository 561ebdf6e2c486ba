import { complete } from '../../handoff/finish.ts';
import { agreeFirst } from '../agree-first.ts';
import { exits } from '../fail.ts';
import { packetInput } from '../packet-input.ts';
import { sayFound, sealedData } from '../sealed-words.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { report } from '../words.ts';

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
