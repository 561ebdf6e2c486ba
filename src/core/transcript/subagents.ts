/** A story without the sessions of agents that another session of it started: what is left is what users saw. */
import type { Omission } from './step.ts';
import type { Story } from './story.ts';

export function withoutSubagents(story: Story): Story {
  const { sessions, steps } = story;
  const there = new Set(sessions.map(({ facts }) => keyOf(facts.runtime, facts.session)));
  const places = new Map<number, number>();
  for (const [i, { facts }] of sessions.entries())
    if (facts.parent === null || !there.has(keyOf(facts.runtime, facts.parent))) places.set(i, places.size);
  if (places.size === sessions.length || places.size === 0) return story;
  return {
    ...story,
    sessions: sessions.filter((_, i) => places.has(i)),
    steps: steps.flatMap((step) => {
      const session = places.get(step.session);
      return session === undefined ? [] : [{ ...step, session }];
    }),
  };
}

/** For a report of what was written: nothing where the story has none. */
export function subagentsLeft(story: Story): Omission[] {
  const count = story.sessions.length - withoutSubagents(story).sessions.length;
  const why =
    'the conversation of an agent that was started is not part of this one; staffetta history has it';
  return count === 0 ? [] : [{ kind: 'subagent-session', count, why }];
}

function keyOf(runtime: string, session: string): string {
  return JSON.stringify([runtime, session]);
}
