/** How a task of a run stands for the schedule, as its journal tells it. */
import type { OpenStanding, PlanStanding } from '../core/plan/run-view.ts';
import { defined } from '../core/base/defined.ts';
import { isPersonAddress } from '../core/task/address-words.ts';
import type { TaskState } from '../core/task/state.ts';

/** The programs that a task was worked on in, the latest last. */
export type WorkedIn = readonly string[];

export function standingInRun(state: TaskState, workedIn: WorkedIn): PlanStanding {
  switch (state.status) {
    case 'held': {
      const { leg } = state;
      if (leg === null) return { at: 'person', why: 'it is held by nobody' };
      const question = state.raised.find(({ owner }) => owner === null || isPersonAddress(owner));
      return {
        at: 'held',
        agent: leg.holder.name,
        lane: leg.lane,
        runtime: leg.holder.runtime ?? null,
        ...defined({ asked: question?.question }),
      };
    }
    case 'offered':
    case 'lapsed':
    case 'rework':
    case 'blocked':
      return { ...offered(state), ...authorsOf(state, workedIn), ...defined({ runtime: workedIn.at(-1) }) };
    case 'submitted':
      return reviewed(state, workedIn);
    case 'approved':
    case 'done':
    case 'failed':
    case 'cancelled':
      return { at: state.status };
    case 'escalated':
      return { at: 'person', why: state.escalation?.text ?? 'somebody asked for one' };
    case 'declined':
      return { at: 'person', why: 'nobody took what was offered' };
    case 'open':
      return { at: 'person', why: 'it was withdrawn, and is on offer to nobody' };
    case 'elsewhere':
      return { at: 'person', why: 'it goes on in another store' };
  }
}

function offered({ offer, custody }: TaskState): OpenStanding {
  if (offer === null) return { at: 'open' };
  const { lane, to, notBefore, cause } = offer;
  const from = cause === 'handoff' ? custody?.agent : undefined;
  return { at: 'open', lane, to, ...defined({ notBefore: notBefore ?? undefined, from }) };
}

/** An agent looks at it where the contract names one and no rule asks for a person. */
function reviewed(state: TaskState, workedIn: WorkedIn): PlanStanding {
  const { terms, demands, submission } = state;
  const owner = terms.review?.owner;
  const [demand] = demands;
  if (terms.review?.human === true) return { at: 'person', why: 'its contract asks for one to approve it' };
  if (demand !== undefined) return { at: 'person', why: demand };
  if (owner === undefined) return { at: 'person', why: 'its contract names nobody to review it' };
  return {
    at: 'open',
    lane: 'audit',
    to: owner,
    ...defined({ from: submission?.by }),
    ...authorsOf(state, workedIn),
  };
}

function authorsOf({ authors }: TaskState, workedIn: WorkedIn): Partial<OpenStanding> {
  if (authors.length === 0) return {};
  return { authors, authorRuntimes: workedIn };
}
