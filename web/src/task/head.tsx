/** How a task stands at a glance: what is pending, how far it is, and what can be done about it. */
import type { ComponentChildren } from 'preact';
import { changedLines } from '../../../src/core/packet/changed-lines.ts';
import { plainStatusOf } from '../../../src/core/task/card.ts';
import { isResting } from '../../../src/core/task/lapse.ts';
import { waitingPhase } from '../../../src/core/task/state.ts';
import { workedIn, workedMs } from '../../../src/core/transcript/session-times.ts';
import type { TaskSessions } from '../../../src/server/contract/contract-looks.ts';
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import { Acts } from '../acts/act-form.tsx';
import { actsFor } from '../acts/acts.ts';
import { exactly } from '../board/grouped.ts';
import { now, restWords, span } from '../parts/clock.ts';
import { Lease } from '../parts/lease.tsx';
import { addressed, counted, reasonWords } from '../parts/said.ts';
import { Lines, Phases, Progress } from '../parts/shape.tsx';
import { Ago, Copy, Lane, Stands } from '../parts/words.tsx';
import { may } from '../shell/me.ts';
import { addressOf } from '../shell/place.ts';
import { needingTasks } from '../shell/waiting.ts';

interface Props {
  readonly page: TaskPage;
  readonly sessions: TaskSessions['sessions'];
  readonly reload: () => void;
}

export function Head({ page, sessions, reload }: Props) {
  const { state } = page;
  const { task, status } = state;
  const lane = state.leg?.lane ?? state.offer?.lane ?? state.custody?.lane ?? null;
  const rests = isResting(state.offer?.notBefore, now.value);
  const person = waitingPhase(state) === undefined ? undefined : true;
  const stands = plainStatusOf({ task, status, person }, needingTasks.value);
  const dead = state.dead !== null;
  const notBefore = state.offer?.notBefore ?? null;
  const { updatedAt } = state;
  const exact = exactly({ status, dead, notBefore, updatedAt, leaseUntil: page.leaseUntil }, now.value);
  return (
    <header class="task-head">
      <h1>{state.terms.title}</h1>
      <p class="task-line">
        <Stands stands={stands} />
        {exact === null ? null : <span class="exact-state">{exact}</span>}
        <Lane lane={lane} />
        <Holder page={page} />
        <span class="quiet">
          opened <Ago at={state.openedAt} /> by {state.openedBy}
        </span>
        {state.rework === 0 ? null : (
          <span class="quiet">sent back {state.rework === 1 ? 'once' : `${state.rework} times`}</span>
        )}
        {state.fork === undefined ? null : (
          <span class="quiet">
            goes on from{' '}
            <a href={addressOf({ page: 'task', task: state.fork.task, view: 'packet' })}>{state.fork.task}</a>
          </span>
        )}
        {page.run === null ? null : <a href={addressOf({ page: 'run', task: page.run })}>its run</a>}
        <Copy text={task} label={`Copy ${task}`} class="digest quiet">
          {task}
        </Copy>
      </p>
      <Stopped page={page} />
      <Acts
        acts={actsFor({ status, generation: state.generation, isResting: rests }, may)}
        tasks={[task]}
        done={reload}
      />
      <Strip page={page} sessions={sessions} />
    </header>
  );
}

/** Progress, phases, checks and lines side by side; what there is none of is left out. */
function Strip({ page: { state, validation, packet, legs }, sessions }: Omit<Props, 'reload'>) {
  const { progress, terms, phases, usage } = state;
  const names = terms.phases ?? [];
  const changed = changedLines(packet?.packet.facts ?? {});
  const worked = legs.reduce(
    (sum, leg) => sum + workedMs({ ...leg, worked: workedIn(leg, sessions) }, now.value),
    0,
  );
  return (
    <dl class="strip">
      {progress === null ? null : (
        <Part name="Progress">
          <Progress progress={progress} />
        </Part>
      )}
      {names.length === 0 ? null : (
        <Part name="Phases">
          <Phases
            phases={names.map((name) => ({
              name,
              status: phases.find((phase) => phase.name === name)?.status ?? null,
            }))}
          />
        </Part>
      )}
      {validation.length === 0 ? null : (
        <Part name="Checks">
          <ul class="plain-checks">
            {validation.map(({ run, name, outcome, standing }) => (
              <li key={run.join(' ')} class={`check-${checkOf(outcome, standing)}`}>
                {{ passed: '✓', failed: '✕', stale: '~', 'not-run': '○' }[checkOf(outcome, standing)]}{' '}
                <code>{name ?? run.join(' ')}</code>
                {checkOf(outcome, standing) === 'stale' ? ' on other work' : ''}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {changed === null || changed.files === 0 ? null : (
        <Part name="Changes">
          <a href={addressOf({ page: 'task', task: state.task, view: 'diff' })}>
            <Lines diff={changed} />
          </a>
        </Part>
      )}
      {legs.length === 0 ? null : (
        <Part name="Hands">
          {counted(state.generation, 'leg')}, {span(worked)} of work
        </Part>
      )}
      {usage === undefined || usage.tokens === 0 ? null : (
        <Part name="Tokens">{usage.tokens.toLocaleString()}</Part>
      )}
    </dl>
  );
}

function checkOf(outcome: string | null, standing: string): 'passed' | 'failed' | 'stale' | 'not-run' {
  if (outcome === null) return 'not-run';
  if (outcome === 'failed') return 'failed';
  return standing === 'bound' ? 'passed' : 'stale';
}

function Part({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
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
        {leaseUntil === null ? null : (
          <Lease until={leaseUntil} since={leg.since} updatedAt={state.updatedAt} />
        )}
      </span>
    );
  if (offer !== null)
    return (
      <span>
        {isResting(offer.notBefore, now.value) ? `${restWords(offer.notBefore, now.value)}, then ` : ''}
        offered to <strong>{addressed(offer.to)}</strong>
        {offer.attempt > 1 ? `, try ${offer.attempt}` : ''}
      </span>
    );
  return null;
}

/** Why it does not move. */
function Stopped({ page: { state, declined } }: { readonly page: TaskPage }) {
  const { escalation, dead, unmet, status } = state;
  return (
    <>
      {status !== 'escalated' || escalation === null ? null : (
        <p class="stopped">
          <strong>{reasonWords(escalation.reason)}</strong> <Ago at={escalation.at} />: {escalation.text}
        </p>
      )}
      {dead === null || status !== 'escalated' ? null : (
        <p class="stopped">
          Given up for {addressed(dead.to)} after {counted(dead.attempts, 'try', 'tries')}: {dead.why}
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
