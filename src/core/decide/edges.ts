/**
 * Who may hand to whom, where the contract says so. A name stands for itself and for those of its group: `code` for `code/2`. Within
 * a group work is handed on freely, because a leg that ends by a limit goes on with the next one of its kind.
 *
 * A handoff to a lane, a program or anyone names nobody: it is held to the edges when somebody takes it.
 */
import { isPerson, type Actor } from '../task/actor.ts';
import type { OfferTerms } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';
import type { Offer, TaskState } from '../task/state.ts';
import type { Edges } from '../contract/terms.ts';

type Named = Exclude<Edges, 'any'>;

function isOf(name: string, group: string): boolean {
  return name === group || name.startsWith(`${group}/`);
}

function areKin(edges: Named, one: string, other: string): boolean {
  const groups = edges.flatMap(({ from, to }) => [from, to]);
  return one === other || groups.some((group) => isOf(one, group) && isOf(other, group));
}

export function edgeEnds(edges: Named, giver: string): string[] {
  return [...new Set(edges.filter(({ from }) => isOf(giver, from)).map(({ to }) => to))];
}

function isAlong(edges: Named, giver: string, receiver: string): boolean {
  return areKin(edges, giver, receiver) || edgeEnds(edges, giver).some((end) => isOf(receiver, end));
}

function denied(
  task: string,
  { edges, giver, to }: { readonly edges: Named; readonly giver: string; readonly to: string },
): StaffettaError {
  const allowed = edgeEnds(edges, giver);
  return new StaffettaError(
    'edge-denied',
    `The contract of task ${task} has no edge from ${giver} to ${to}.`,
    {
      details: { task, from: giver, to, allowed },
      hint:
        allowed.length === 0
          ? `${giver} hands it to nobody: submit it, complete it, or escalate it.`
          : `${giver} may hand it to: ${allowed.map((name) => `agent:${name}`).join(', ')}`,
    },
  );
}

export function refuseEdge({ task, terms, leg }: TaskState, offer: OfferTerms): StaffettaError | undefined {
  const { edges = 'any' } = terms;
  if (edges === 'any' || leg === null) return undefined;
  const giver = leg.holder.name;
  if (offer.to.startsWith('agent:')) {
    const receiver = offer.to.slice('agent:'.length);
    return isAlong(edges, giver, receiver) ? undefined : denied(task, { edges, giver, to: receiver });
  }
  // Of its own kind is an agent that works in its lane.
  const somebody = edgeEnds(edges, giver).length > 0 || offer.lane === leg.lane;
  return somebody ? undefined : denied(task, { edges, giver, to: offer.to });
}

/** Of an offer that the last holder made, the taker is at the other end of an edge. A person may always step in. */
export function refuseTaker(state: TaskState, { cause }: Offer, by: Actor): StaffettaError | undefined {
  const { edges = 'any' } = state.terms;
  const giver = state.custody?.agent;
  if (edges === 'any' || giver === undefined || state.giver !== giver || cause === 'review') return undefined;
  if (isPerson(by) || isAlong(edges, giver, by.name)) return undefined;
  return denied(state.task, { edges, giver, to: by.name });
}
