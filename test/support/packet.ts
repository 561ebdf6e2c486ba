import { digestOf } from '../../src/core/journal/digest.ts';
import type { Trigger } from '../../src/core/journal/event.ts';
import type { Claims, Packet } from '../../src/core/packet/packet.ts';

/** A packet that says what is claimed and nothing else. */
export function packetOf(claims: Claims, trigger: Trigger = 'planned', more: Partial<Packet> = {}): Packet {
  return {
    v: 1,
    task: 't0123456789ab',
    parent: null,
    contract: digestOf('contract'),
    generation: 1,
    head: { seq: 0, digest: digestOf('head') },
    at: 0,
    from: { name: 'code', kind: 'agent' },
    lane: 'execute',
    trigger,
    claims,
    artefacts: [],
    transcript: [],
    ...more,
  };
}
