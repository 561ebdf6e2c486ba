/** How a task stands, and what can be done about it. */
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import { Levers } from '../levers/levers.tsx';
import { Lease } from '../parts/lease.tsx';
import { addressed, counted, worded } from '../parts/said.ts';
import { Ago, Copy, Lane, Status } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';

interface Props {
  readonly page: TaskPage;
  readonly reload: () => void;
}

export function Head({ page, reload }: Props) {
  const { state } = page;
  const lane = state.leg?.lane ?? state.offer?.lane ?? state.custody?.lane ?? null;
  return (
    <header class="task-head">
      <h1>{state.terms.title}</h1>
      <p class="task-line">
        <Status status={state.dead !== null && state.status === 'escalated' ? 'dead' : state.status} />
        <Lane lane={lane} />
        <Holder page={page} />
        <Copy text={state.task} label={`Copy ${state.task}`} class="digest quiet">
          {state.task}
        </Copy>
      </p>
      <p class="quiet task-line">
        <span>
          opened <Ago at={state.openedAt} /> by {state.openedBy}
        </span>
        <span>
          last change <Ago at={state.updatedAt} /> by {state.updatedBy}
        </span>
        <span>{counted(state.generation, 'leg')}</span>
        <span>{counted(state.packets, 'packet')}</span>
        <span>{counted(state.seq + 1, 'entry', 'entries')}</span>
        {state.rework === 0 ? null : (
          <span>sent back {state.rework === 1 ? 'once' : `${state.rework} times`}</span>
        )}
        {state.fork === undefined ? null : (
          <span>
            goes on from{' '}
            <a href={addressOf({ page: 'task', task: state.fork.task, view: 'packet' })}>{state.fork.task}</a>
          </span>
        )}
        {page.run === null ? null : <a href={addressOf({ page: 'run', task: page.run })}>its run</a>}
      </p>
      <Stopped page={page} />
      <Levers standing={{ task: state.task, status: state.status }} done={reload} />
    </header>
  );
}

function Holder({ page: { state, leaseUntil } }: { readonly page: TaskPage }) {
  const { leg, offer } = state;
  if (leg !== null)
    return (
      <span class="task-holder">
        <span>
          held by <strong>{leg.holder.name}</strong>
          {leg.holder.runtime === undefined ? '' : ` (${leg.holder.runtime})`}
          {leg.acknowledged ? '' : ', not acknowledged yet'}
        </span>
        {leaseUntil === null ? null : <Lease until={leaseUntil} since={leg.since} />}
      </span>
    );
  if (offer !== null)
    return (
      <span>
        offered to <strong>{addressed(offer.to)}</strong>
        {offer.attempt > 1 ? `, attempt ${offer.attempt}` : ''}
      </span>
    );
  return <span class="quiet">nobody holds it</span>;
}

/** Why it does not move. */
function Stopped({ page: { state, declined } }: { readonly page: TaskPage }) {
  const { escalation, dead, unmet, status } = state;
  return (
    <>
      {status !== 'escalated' || escalation === null ? null : (
        <p class="stopped">
          <strong>{worded(escalation.reason)}</strong> <Ago at={escalation.at} />: {escalation.text}
        </p>
      )}
      {dead === null || status !== 'escalated' ? null : (
        <p class="stopped">
          Dead letter to {addressed(dead.to)} after {counted(dead.attempts, 'attempt')}: {dead.why}
        </p>
      )}
      {declined.length === 0 ? null : <p class="stopped">Declined: {declined.join('; ')}</p>}
      {unmet.length === 0 ? null : (
        <p class="stopped">
          Waits for{' '}
          {unmet.map((need, n) => (
            <>
              {n === 0 ? '' : ', '}
              <a key={need} href={addressOf({ page: 'task', task: need, view: 'packet' })}>
                {need}
              </a>
            </>
          ))}
        </p>
      )}
    </>
  );
}
