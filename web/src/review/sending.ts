/** Verdicts on their way: one request for each task, one after another, and what came of each. */
import type { VerdictBody } from '../../../src/server/contract/change-bodies.ts';
import type { Outcome, ReviewQueue } from '../../../src/server/contract/contract.ts';
import { signal } from '@preact/signals';
import { get, post, taskPath } from '../api/client.ts';
import { refusalOf, type Refusal } from '../api/refusal.ts';
import { go } from '../shell/here.ts';
import { addressOf, type Place } from '../shell/place.ts';
import { Keys, nextAfter, noDraft } from './decision.ts';
import { writeDraft } from './drafts.ts';

/** What was decided last, for the page that comes after and no other. */
export const decided = signal<{ readonly words: string; readonly at: string } | undefined>(undefined);

export type Came =
  | { readonly task: string; readonly outcome: Outcome; readonly words: string }
  | { readonly task: string; readonly refusal: Refusal };

const keys = new Keys();

export async function send(task: string, body: VerdictBody): Promise<Came> {
  try {
    const outcome = await post<Outcome>(taskPath(task, 'verdict'), body, keys.of(task, body));
    writeDraft(task, body.binds.packet, noDraft);
    return { task, outcome, words: wordsOf(body, outcome) };
  } catch (error) {
    return { task, refusal: refusalOf(error) };
  }
}

function wordsOf(body: VerdictBody, { offeredTo, status }: Outcome): string {
  if (body.approve) return status === 'done' ? 'is approved and done.' : 'is approved.';
  return offeredTo === null
    ? "was sent back too often and now waits for a person's decision."
    : `goes back to ${offeredTo}.`;
}

/** To the next that waits, or to the empty queue. */
export async function goOn(task: string, at: number, words: string): Promise<void> {
  let next: string | undefined;
  try {
    next = nextAfter((await get<ReviewQueue>('/api/reviews')).reviews, task, at);
  } catch {
    // The queue says what is wrong.
  }
  const place: Place = next === undefined ? { page: 'reviews' } : { page: 'review', task: next };
  decided.value = { words, at: addressOf(place) };
  go(place);
}
