/** What came out of computing a journal again. */
import type { TaskPage } from '../../../src/server/contract.ts';
import { counted } from '../parts/said.ts';
import { packetDigest, type Link } from './chain.ts';

export interface Head {
  readonly seq: number;
  readonly digest: string;
}

/** What the latest packet says of the journal: whoever has the packet can tell if it was written anew. */
export interface Witness {
  readonly holds: boolean;
  readonly said: string;
  readonly digest: string;
}

export interface Verdict {
  readonly holds: boolean;
  readonly said: string;
  readonly broken: Link | undefined;
  readonly head: Head;
  readonly witness: Witness | undefined;
}

export function verdictOf(links: readonly Link[], head: Head, witness: Witness | undefined): Verdict {
  const broken = links.find(({ fault }) => fault !== null);
  const entries = counted(links.length, 'entry', 'entries');
  const about = { broken, head, witness };
  if (broken !== undefined)
    return { ...about, holds: false, said: `The chain does not hold at entry ${broken.seq}.` };
  if (links.length !== head.seq + 1)
    return { ...about, holds: false, said: `There are ${entries}, where there should be ${head.seq + 1}.` };
  if (links.at(-1)?.digest !== head.digest)
    return { ...about, holds: false, said: 'The chain does not end at the head that the server names.' };
  if (witness?.holds === false)
    return { ...about, holds: false, said: 'The latest packet witnesses another journal.' };
  return { ...about, holds: true, said: `The chain of ${entries} holds.` };
}

export async function witnessOf(
  { packet, digest, number }: NonNullable<TaskPage['packet']>,
  links: readonly Link[],
): Promise<Witness> {
  if ((await packetDigest(packet)) !== digest)
    return { holds: false, digest, said: `The fields of packet ${number} do not have its digest.` };
  const { seq, digest: seen } = packet.head;
  const holds = links[seq]?.digest === seen;
  const said = holds
    ? `Packet ${number} has its digest, and witnesses the journal up to entry ${seq}:`
    : `Packet ${number} witnesses another entry ${seq}:`;
  return { holds, digest: seen, said };
}
