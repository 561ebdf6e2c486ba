import { answerFar, openPlace } from '../../../desk/far/far-end.ts';
import { Wire } from '../../../desk/far/wire.ts';
import type { Session } from '../../call/session.ts';
import { exits } from '../../frame/fail.ts';
import type { Invocation } from '../../frame/spec.ts';
import { version } from '../../frame/version.ts';

export async function run(_: Invocation, session: Session): Promise<number> {
  const wire = new Wire({
    input: process.stdin as AsyncIterable<Uint8Array>,
    write: async (bytes) => await session.output.piece(bytes),
  });
  await answerFar(wire, version, openPlace);
  return exits.ok;
}
