/** The call that had no result when the session stopped: it may have taken effect. */
import type { Claim } from '../packet/packet.ts';
import type { Story } from '../transcript/story.ts';
import { commandOf } from './proofs/runs.ts';

export interface RunningCall {
  readonly text: string;
  readonly ref: number | null;
}

const charsMax = 2000;

/** Of the last session that a user spoke to. */
export function runningIn({ sessions, steps }: Pick<Story, 'sessions' | 'steps'>): RunningCall | null {
  const place = sessions.findLastIndex(({ facts, rewritten }) => facts.parent === null && !rewritten);
  const call = sessions[place]?.unanswered.at(-1);
  if (call === undefined) return null;
  const ref = steps.findLast(
    ({ session, calls }) => session === place && calls?.some(({ id }) => id === call.id) === true,
  )?.ref;
  const text = commandOf(call) ?? `${call.tool} ${call.raw ?? JSON.stringify(call.args)}`;
  return { text: text.slice(0, charsMax), ref: ref ?? null };
}

export const wasRunning = 'Was running when it stopped, outcome unknown';

export function runningClaim({ text, ref }: RunningCall): Claim {
  const said = `${wasRunning}: ${text}`;
  return ref === null ? said : { text: said, evidence: [`s${ref}`] };
}

/** Whether this is a claim that something was running, drafted from a session. */
export function isOfRunning(claim: Claim): boolean {
  return (typeof claim === 'string' ? claim : claim.text).startsWith(`${wasRunning}: `);
}
