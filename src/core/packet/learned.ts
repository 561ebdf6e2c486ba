/**
 * What a chain of agents learned and no later packet takes back: notes, decisions, dead ends and answers of every leg, in the journal and
 * in the claims of packets. A packet that a hook or a rescue sealed says nothing of them, and neither must one that an agent wrote.
 */
import { defined } from '../base/defined.ts';
import { isEmergency } from './emergency.ts';
import type { Entry } from '../journal/entry.ts';
import type { Event, EventOf, Trigger } from '../journal/event.ts';
import type { TaskId } from '../journal/id.ts';
import type { Claims, Packet } from './packet.ts';

/** True long after they were written, whatever packet came since. */
export const lastingTypes = [
  'note',
  'attempt-failed',
  'decision-made',
  'decision-answered',
  'message',
  'effect-settled',
] as const;

export interface LearnedRemark {
  /** Null for one of the journal that this task was forked from: its number means something else here. */
  readonly seq: number | null;
  readonly by: string;
  readonly event: EventOf<(typeof lastingTypes)[number]>;
  /** Of an answer: what was asked. */
  readonly question?: string;
}

export interface SpokenPacket {
  readonly by: string;
  readonly generation: number;
  readonly trigger: Trigger;
  readonly claims: Claims;
}

/** Both oldest first. */
export interface Learned {
  readonly remarks: readonly LearnedRemark[];
  /** Those that claim anything. */
  readonly packets: readonly SpokenPacket[];
  /** Each path once, as it was named last. */
  readonly artefacts: Packet['artefacts'];
}

/** A chain has no end; what is older than so many is in its history. Artefacts are as many as paths that somebody named by hand. */
const remarksMax = 2000;
const packetsMax = 500;

/** Gathers entry by entry and packet by packet, in the order of the chain. */
export class Learning {
  readonly #task: TaskId;
  readonly #questions = new Map<number, string>();
  readonly #remarks: LearnedRemark[] = [];
  readonly #packets: SpokenPacket[] = [];
  readonly #artefacts = new Map<string, Packet['artefacts'][number]>();

  constructor(task: TaskId) {
    this.#task = task;
  }

  entry({ task, seq, by, events }: Pick<Entry, 'task' | 'seq' | 'by' | 'events'>): void {
    for (const event of events) {
      if (event.type === 'decision-raised') this.#questions.set(event.decision, event.question);
      if (!isLasting(event)) continue;
      const question = event.type === 'decision-answered' ? this.#questions.get(event.decision) : undefined;
      this.#remarks.push({
        seq: task === this.#task ? seq : null,
        by: by.name,
        event,
        ...defined({ question }),
      });
      if (this.#remarks.length > 2 * remarksMax) this.#remarks.splice(0, remarksMax);
    }
  }

  packet({ from, generation, trigger, claims, artefacts }: Packet): void {
    for (const artefact of artefacts) this.#artefacts.set(artefact.path, artefact);
    if (!claimsAnything(claims)) return;
    this.#packets.push({ by: from.name, generation, trigger, claims });
    if (this.#packets.length > 2 * packetsMax) this.#packets.splice(0, packetsMax);
  }

  learned(): Learned {
    return {
      remarks: this.#remarks.slice(-remarksMax),
      packets: this.#packets.slice(-packetsMax),
      artefacts: [...this.#artefacts.values()],
    };
  }
}

function isLasting(event: Event): event is LearnedRemark['event'] {
  return (lastingTypes as readonly string[]).includes(event.type);
}

function claimsAnything(claims: Claims): boolean {
  return Object.values(claims).some((claim) => claim !== undefined && claim.length > 0);
}

/**
 * The packet whose words on where the work stands still count: a packet that was sealed in haste, or without a word, takes nothing back
 * of what an agent wrote with care before it. Undefined where the latest one speaks for itself.
 */
export function lastSpoken(latest: Packet | null, { packets }: Learned): SpokenPacket | undefined {
  if (latest === null || (!isEmergency(latest.trigger) && claimsAnything(latest.claims))) return undefined;
  return packets.findLast(({ trigger }) => !isEmergency(trigger));
}
