/**
 * The sessions of a story as one conversation, for a program that goes on with all of it. What was said in several programs has
 * the facts of the last one, and `severalRuntimes` for its runtime.
 */
import { calledByModel } from './called-by-model.ts';
import { givenTo } from './leg-line.ts';
import type { Omission, Step, Transcript } from './step.ts';
import { bareFacts } from './bare-facts.ts';
import type { Story, StoryStep } from './story.ts';
import { withoutSubagents } from './subagents.ts';

/** In place of a runtime's name: calls are of several programs, and known by their names alone. */
export const severalRuntimes = 'several';

const nothing = bareFacts(severalRuntimes);

export function oneHistory(story: Story): Transcript {
  const { sessions, steps, unread } = withoutSubagents(story);
  const told = steps.map(givenTo).toSorted((a, b) => a.session - b.session || a.id - b.id);
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

function plain({ ref: _ref, session: _session, given: _given, ...step }: StoryStep, place: number): Step {
  return { ...calledByModel(step), id: place + 1, record: place };
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
