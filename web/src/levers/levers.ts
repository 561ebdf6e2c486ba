/** What a person can do with a task from outside, by how it stands; and the command that does the same. */
import type { Outcome } from '../../../src/server/contract/contract.ts';
import { twinOf as twin } from '../../../src/server/contract/twins.ts';
import type { Me } from '../shell/me.ts';

export const leverNames = ['tell', 'extend', 'reassign', 'redrive', 'escalate', 'cancel'] as const;
export type LeverName = (typeof leverNames)[number];

export interface Lever {
  readonly name: LeverName;
  /** On the button. */
  readonly title: string;
  /** What will happen, in a sentence. */
  readonly does: string;
  readonly verb: Me['verbs'][number];
  /** What the reason is called. */
  readonly asks: string;
  readonly to?: 'needed' | 'possible';
  readonly lease?: true;
  /** It cannot be taken back. */
  readonly final?: true;
}

const levers: Readonly<Record<LeverName, Lever>> = {
  tell: {
    name: 'tell',
    title: 'Tell',
    does: 'Leaves a message with the task, for its holder or the next one.',
    verb: 'tell',
    asks: 'Message',
  },
  extend: {
    name: 'extend',
    title: 'Extend',
    does: 'Gives the holder more time. The reason is left as a message.',
    verb: 'direct',
    asks: 'Reason',
    lease: true,
  },
  reassign: {
    name: 'reassign',
    title: 'Reassign',
    does: 'Offers the work to somebody else. Its holder loses it at once.',
    verb: 'direct',
    asks: 'Reason',
    to: 'needed',
  },
  redrive: {
    name: 'redrive',
    title: 'Re-drive',
    does: 'Offers the work again, with its failed attempts forgiven.',
    verb: 'direct',
    asks: 'Reason',
    to: 'possible',
  },
  escalate: {
    name: 'escalate',
    title: 'Escalate',
    does: 'Stops the work until a person decides. Its holder loses it.',
    verb: 'direct',
    asks: 'What has to be decided',
  },
  cancel: {
    name: 'cancel',
    title: 'Cancel',
    does: 'Stops the task for good. It cannot be opened again.',
    verb: 'direct',
    asks: 'Reason',
    final: true,
  },
};

/** As the rules of a task have it; the server decides again, and says why where it refuses. */
const standings: Readonly<Record<LeverName, (status: string) => boolean>> = {
  tell: () => true,
  extend: (status) => status === 'held',
  reassign: (status) => status !== 'submitted' && status !== 'approved',
  redrive: (status) => ['escalated', 'declined', 'unheard'].includes(status),
  escalate: (status) => status !== 'escalated',
  cancel: () => true,
};

const over: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled', 'elsewhere']);

export function leversFor(status: string, may: (verb: Lever['verb']) => boolean): readonly Lever[] {
  if (over.has(status)) return [];
  return leverNames.map((name) => levers[name]).filter((one) => standings[one.name](status) && may(one.verb));
}

export interface Standing {
  readonly task: string;
  readonly status: string;
}

export interface Wish {
  readonly why: string;
  readonly to: string;
  readonly leaseMs: number;
}

export const leases: readonly { readonly ms: number; readonly said: string }[] = [
  { ms: 600_000, said: '10m' },
  { ms: 1_800_000, said: '30m' },
  { ms: 7_200_000, said: '2h' },
  { ms: 28_800_000, said: '8h' },
];

/** Null where something is missing. Whom it is for is sent as it was typed: what a word means is decided where the command asks, too. */
export function bodyOf({ name, to: asked, lease }: Lever, { why, to, leaseMs }: Wish): object | null {
  if (why.trim() === '' || (asked === 'needed' && to.trim() === '')) return null;
  if (name === 'tell') return { text: why };
  return {
    why,
    ...(lease === true ? { leaseMs } : {}),
    ...(asked === undefined || to.trim() === '' ? {} : { to: to.trim() }),
  };
}

/** An offer says to whom: a word that was typed may mean a lane, a runtime or an agent. */
export function doneWords({ status, offeredTo }: Pick<Outcome, 'status' | 'offeredTo'>): string {
  return `Done: it is ${status}${offeredTo === null ? '' : ` to ${offeredTo}`} now.`;
}

/** With words in place of what is not said yet. */
export function twinOf({ name }: Lever, task: string, wish: Wish): string {
  const why = wish.why.trim() === '' ? 'TEXT' : wish.why;
  const to = wish.to.trim() === '' ? 'WHO' : wish.to.trim();
  switch (name) {
    case 'tell':
      return twin(name, task, { text: why });
    case 'extend':
      return twin(name, task, { why, leaseMs: wish.leaseMs });
    case 'reassign':
      return twin(name, task, { why, to });
    case 'redrive':
      return twin(name, task, wish.to.trim() === '' ? { why } : { why, to });
    case 'escalate':
    case 'cancel':
      return twin(name, task, { why });
  }
}
