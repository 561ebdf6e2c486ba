/**
 * Resume or switch. Staying in the same runtime is the default: a switch costs the receiver everything it has to read, and what a
 * conversion cannot carry. It is advised only where the role or the review boundary changed, or where the
 * session is gone, stale or overloaded; never for novelty. Half-formed work is not switched at all: fix the packet first.
 */
import type { Lane } from '../task/actor.ts';
import { isEmergency } from '../packet/emergency.ts';
import type { Certification, Trigger } from '../journal/event.ts';
import { triggerKinds } from '../journal/trigger.ts';

export const adviceRules = [
  'packet-not-ready',
  'usage-limit',
  'no-session',
  'session-unknown',
  'workspace-differs',
  'role-changed',
  'review-boundary',
  'session-overloaded',
  'session-stale',
  'same-runtime',
  'no-reason',
] as const;
export type AdviceRule = (typeof adviceRules)[number];

export interface AdviceFacts {
  /** Proven, not assumed: the session exists and the program can open it. */
  readonly resumable: boolean;
  readonly idleMs: number;
  /** Share of the context window in use, by the runtime's own figures; null if it gives none. */
  readonly contextUsed: number | null;
  readonly workspaceMatches: boolean;
  /** What resuming costs: the history is read again. */
  readonly tokens: number | null;
}

export interface AdviceInput {
  readonly from: { readonly runtime: string | null; readonly lane: Lane };
  readonly to: { readonly runtime: string; readonly lane: Lane };
  /** Null: there is none. `unknown`: nobody looked, and nothing is concluded from it. */
  readonly session: AdviceFacts | 'unknown' | null;
  readonly certification: Certification;
  readonly trigger: Trigger;
  /** What the receiver would have to read. */
  readonly briefingTokens: number | null;
}

export interface Advice {
  readonly answer: 'resume' | 'switch' | 'fix-packet';
  readonly reasons: readonly { readonly rule: AdviceRule; readonly text: string }[];
  readonly cost: { readonly resume: number | null; readonly switch: number | null };
}

export const contextOverloaded = 0.8;
export const sessionStaleMs = 24 * 60 * 60 * 1000;

type Reason = Advice['reasons'][number];

export function advise(input: AdviceInput): Advice {
  const cost = { resume: known(input.session)?.tokens ?? null, switch: input.briefingTokens };
  const forSwitch = switchReasons(input);
  const moves = input.to.runtime !== input.from.runtime;
  const reasons = forSwitch.length > 0 ? forSwitch : [stayReason(input), ...unknownSession(input)];
  if ((moves || forSwitch.length > 0) && !mayTravel(input)) {
    const reason = because('packet-not-ready', 'The packet is not ready: the receiver would have to guess.');
    return { answer: 'fix-packet', reasons: [reason, ...reasons], cost };
  }
  if (forSwitch.length === 0) return { answer: 'resume', reasons, cost };
  return { answer: 'switch', reasons: forSwitch, cost };
}

/** An emergency takes what is valid, and nothing that may hold a secret. */
function mayTravel({ certification, trigger }: AdviceInput): boolean {
  if (certification === 'ready') return true;
  return isEmergency(trigger) && certification !== 'draft';
}

function switchReasons(input: AdviceInput): Reason[] {
  const { from, to } = input;
  const session = known(input.session);
  const reasons: Reason[] = [];
  if (input.trigger === 'usage-limit' && to.runtime !== from.runtime) {
    reasons.push(
      because('usage-limit', `${from.runtime ?? 'The current runtime'} has reached its usage limit.`),
    );
  }
  const gone = goneSession(input);
  if (gone !== undefined) reasons.push(because('no-session', gone));
  if (session?.workspaceMatches === false)
    reasons.push(because('workspace-differs', 'The workspace is not the one the session knew.'));
  if (to.lane === 'audit' && from.lane === 'execute') {
    reasons.push(because('review-boundary', 'The author does not review its own work.'));
  } else if (to.lane !== from.lane) {
    reasons.push(because('role-changed', `The work moves from the ${from.lane} to the ${to.lane} lane.`));
  }
  const overloaded = overloadedSession(input);
  if (overloaded !== undefined) reasons.push(because('session-overloaded', overloaded));
  if (session !== null && session.idleMs >= sessionStaleMs) {
    reasons.push(
      because('session-stale', `It has been idle for ${Math.round(session.idleMs / 3_600_000)} hours.`),
    );
  }
  return reasons;
}

function goneSession({ session, trigger }: AdviceInput): string | undefined {
  if (session === 'unknown') {
    const { ended } = triggerKinds[trigger];
    return ended === null ? undefined : `Its session ${ended}, and nobody has shown that it can be resumed.`;
  }
  return session?.resumable === true ? undefined : 'There is no session that could be resumed.';
}

function overloadedSession({ session, trigger }: AdviceInput): string | undefined {
  const used = known(session)?.contextUsed ?? null;
  if (used !== null && used >= contextOverloaded)
    return `${Math.round(used * 100)} % of its context is in use.`;
  return trigger === 'context-limit' ? 'Its context has run out.' : undefined;
}

function known(session: AdviceInput['session']): AdviceFacts | null {
  return session === 'unknown' ? null : session;
}

function unknownSession({ session }: AdviceInput): Reason[] {
  if (session !== 'unknown') return [];
  return [
    because(
      'session-unknown',
      'Whether the session can still be resumed is unknown: see that it opens before you rely on it.',
    ),
  ];
}

function stayReason({ from, to, session }: AdviceInput): Reason {
  const proven = session === 'unknown' ? '' : ', and its session can be resumed';
  return from.runtime === to.runtime
    ? because('same-runtime', `The work is in ${to.runtime} already${proven}.`)
    : because('no-reason', 'Neither role, review boundary nor the session speak for a switch.');
}

function because(rule: AdviceRule, text: string): Reason {
  return { rule, text };
}
