/**
 * The sessions of a story as one conversation, for a program that goes on with all of it. A session that was itself written from
 * the history before it begins with that history once more: it is told once. What was said in several programs has the facts of
 * the last one, and `severalRuntimes` for its runtime.
 */
import { givenTo } from './leg-line.ts';
import type { Omission, Step, Transcript } from './step.ts';
import { bareFacts } from './bare-facts.ts';
import type { Story, StoryStep } from './story.ts';

/** In place of a runtime's name: calls are of several programs, and known by their names alone. */
export const severalRuntimes = 'several';

const nothing = bareFacts(severalRuntimes);

export function oneHistory({ sessions, steps, unread }: Story): Transcript {
  const told: StoryStep[] = [];
  for (const [i] of sessions.entries()) {
    const own = steps
      .filter(({ session }) => session === i)
      .map(givenTo)
      .toSorted((a, b) => a.id - b.id);
    told.push(...own.slice(repeatedIn(own, told)));
  }
  const runtimes = new Set(told.map(({ session }) => sessions[session]?.facts.runtime));
  const last = sessions.at(-1)?.facts ?? nothing;
  return {
    facts: runtimes.size > 1 ? { ...last, runtime: severalRuntimes } : last,
    steps: told.map(plain),
    omissions: merged([
      ...sessions.flatMap(({ omissions }) => omissions),
      ...unread.map(({ runtime, why }) => ({ kind: 'unread-session', count: 1, why: `${runtime}: ${why}` })),
    ]),
    unanswered: sessions.at(-1)?.unanswered ?? [],
  };
}

/** How many steps at the beginning of a session only say again all that was said before it. */
function repeatedIn(own: readonly StoryStep[], before: readonly StoryStep[]): number {
  const wanted = before.filter(isSpoken);
  if (wanted.length === 0) return 0;
  let next = 0;
  for (const [i, step] of own.entries()) {
    if (!isSpoken(step)) continue;
    const { source, text } = wanted[next] ?? {};
    if (step.source !== source || step.text !== text) return 0;
    next += 1;
    if (next === wanted.length) return i + 1;
  }
  return 0;
}

/** What a program carries over: empty answers and what was left are not. */
function isSpoken({ source, aside, text, calls = [] }: Step): boolean {
  return source !== 'system' && aside === undefined && (text !== '' || calls.length > 0);
}

function plain({ ref: _ref, session: _session, ...step }: StoryStep, place: number): Step {
  return { ...step, id: place + 1, record: place };
}

/** Losses of the same kind and reason are one. */
export function merged(omissions: readonly Omission[]): Omission[] {
  const all = new Map<string, Omission>();
  for (const one of omissions) {
    const key = JSON.stringify([one.kind, one.why]);
    all.set(key, { ...one, count: (all.get(key)?.count ?? 0) + one.count });
  }
  return [...all.values()];
}
