/** What came out of computing a journal again. */
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import { counted } from '../parts/said.ts';
import { packetDigest, type Link } from './chain.ts';
import type { Signing } from './signatures.ts';

export interface JournalHead {
  readonly seq: number;
  readonly digest: string;
}

/** What the latest packet says of the journal: a reader of the packet can tell if it was written anew. */
export interface Witness {
  readonly holds: boolean;
  readonly said: string;
  readonly digest: string;
}

export interface Verdict {
  readonly holds: boolean;
  readonly said: string;
  readonly broken: Link | undefined;
  readonly head: JournalHead;
  readonly witness: Witness | undefined;
  /** The signatures, in a sentence. */
  readonly signed: string;
}

/** What was computed, and what it is held against. */
export interface Computed {
  readonly links: readonly Link[];
  readonly signings: readonly Signing[];
  /** As it came with the journal. */
  readonly head: JournalHead;
  /** As it was known before. */
  readonly known: JournalHead;
}

export function verdictOf({ links, signings, head, known }: Computed, witness: Witness | undefined): Verdict {
  const broken = links.find(({ fault }) => fault !== null);
  const wrong = signings.find(({ fault }) => fault !== null);
  const entries = counted(links.length, 'entry', 'entries');
  const about = { broken, head, witness, signed: signedWords(signings) };
  if (broken !== undefined)
    return { ...about, holds: false, said: `The chain does not hold at entry ${broken.seq}.` };
  if (links.length !== head.seq + 1)
    return { ...about, holds: false, said: `There are ${entries}, where there should be ${head.seq + 1}.` };
  if ([head, known].some(({ seq, digest }) => links[seq]?.digest !== digest))
    return { ...about, holds: false, said: 'The chain does not end at the head that the server names.' };
  if (witness?.holds === false)
    return { ...about, holds: false, said: 'The latest packet witnesses another journal.' };
  const chain = `The chain of ${entries} holds.`;
  return wrong === undefined
    ? { ...about, holds: true, said: chain }
    : {
        ...about,
        holds: false,
        said: `${chain} A signature in entry ${wrong.seq} does not: ${wrong.fault}.`,
      };
}

function signedWords(signings: readonly Signing[]): string {
  const count = (test: (one: Signing) => boolean): string =>
    counted(signings.filter(test).length, 'checkpoint or approval', 'checkpoints and approvals');
  if (signings.length === 0) return 'There is no checkpoint and no approval yet, so nothing is signed.';
  const words = [
    [count(({ key, fault }) => key !== null && fault === null), 'signed, and the signature fits'],
    [count(({ fault }) => fault !== null), 'signed wrongly'],
    [count(({ key }) => key === null), 'unsigned'],
  ] as const;
  return words
    .filter(([counts]) => !counts.startsWith('0 '))
    .map(([counts, how]) => `${counts}: ${how}.`)
    .join(' ');
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
