/** Packets and contracts, read back as `sealed.ts` says. Apart from entries: code that only appends one needs no shape of a packet. */
import { parseContract, type Contract } from '../contract/contract.ts';
import { parsePacket, type Packet } from '../packet/packet.ts';
import { sealedJson } from './sealed.ts';
import { utf8 } from '../base/utf8.ts';

/** Bytes as a blob store returns them: it has compared them with their digest. */
export function openPacket(bytes: Uint8Array): Packet {
  return (sealedJson(() => utf8(bytes)) as Packet | undefined) ?? parsePacket(bytes);
}

/** Bytes as a blob store returns them. */
export function openContract(bytes: Uint8Array): Contract {
  return (sealedJson(() => utf8(bytes)) as Contract | undefined) ?? parseContract(bytes);
}
