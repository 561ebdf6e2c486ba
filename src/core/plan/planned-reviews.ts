/** Who will look at the work of which tasks of a plan. */
import type { Crew } from './crew.ts';
import { agentsAddressed, agentsOf } from './fitting-agents.ts';
import type { NamedTask } from './work-plan.ts';

export interface PlannedReview {
  /** Agents of the crew, any of them but the author; empty where nobody is asked. */
  readonly agents: readonly string[];
  /** A person approves it. */
  readonly person: boolean;
  /** None of the agents looks at it in the program of its author. */
  readonly apart: boolean;
  readonly tasks: readonly string[];
}

/** Tasks with the same reviewers together, in the order of the plan. */
export function plannedReviews(tasks: readonly NamedTask[], crew: Crew): PlannedReview[] {
  const all = agentsOf(crew);
  const asked = tasks.map(({ name, review }) => {
    const fit = review?.owner === undefined ? [] : agentsAddressed(all, review.owner);
    const apart = fit.length > 0 && fit.every(({ not }) => not !== undefined);
    return { name, agents: fit.map((one) => one.name), person: review?.human === true, apart };
  });
  const groups = Map.groupBy(asked, ({ agents, person }) => JSON.stringify([agents, person]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { agents, person, apart } = first;
    return [{ agents, person, apart, tasks: group.map(({ name }) => name) }];
  });
}
