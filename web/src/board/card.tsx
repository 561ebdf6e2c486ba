/** One task on the board. What its card does not say is asked for when it comes into view. */
import { useEffect, useRef } from 'preact/hooks';
import type { PlainStatus } from '../../../src/core/task/card.ts';
import type { Card, Glances } from '../../../src/server/contract/contract.ts';
import { isResting } from '../../../src/core/task/lapse.ts';
import { now, restWords } from '../parts/clock.ts';
import { Lease } from '../parts/lease.tsx';
import { addressed, counted, reasonWords } from '../parts/said.ts';
import { ShapeLine } from '../parts/shape.tsx';
import { Ago, Lane, Stands } from '../parts/words.tsx';
import { addressOf, type Place } from '../shell/place.ts';
import { glanceOf, lookAt } from './glances.ts';
import { exactly } from './grouped.ts';
import { selected, toggle } from './selected.ts';

interface Props {
  readonly card: Card;
  /** In a column that says it already: null. */
  readonly stands: PlainStatus | null;
}

export function TaskCard({ card, stands }: Props) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(
    () => (element.current === null ? undefined : lookAt(element.current, card)),
    [card.task, card.seq],
  );
  const glance = glanceOf(card.task).value;
  const exact = exactly(card, now.value);
  return (
    <li class="card" ref={element}>
      <div class="card-top">
        <Lane lane={card.lane} />
        {stands === null ? null : <Stands stands={stands} />}
        {exact === null ? null : <span class="exact-state">{exact}</span>}
        <input
          type="checkbox"
          aria-label={`Select ${card.title}`}
          checked={selected.value.has(card.task)}
          onChange={() => toggle(card.task)}
        />
      </div>
      <a class="title" href={addressOf(placeOf(card))}>
        {card.title}
      </a>
      {glance === undefined ? null : <ShapeLine shape={glance.shape} />}
      <div class="card-foot">
        <Holder card={card} glance={glance} />
        <Marks card={card} glance={glance} />
        <span class="quiet card-age">
          <Ago at={card.updatedAt} />
        </span>
      </div>
    </li>
  );
}

function placeOf({ task, status }: Card): Place {
  return status === 'submitted' ? { page: 'review', task } : { page: 'task', task, view: 'packet' };
}

type Glance = Glances['glances'][number];

function Holder({ card, glance }: { readonly card: Card; readonly glance: Glance | undefined }) {
  if (card.holder === null)
    return card.to === null || card.to === 'anyone' || card.to === `lane:${card.lane}` ? null : (
      <span class="quiet cut-off" title={card.to}>
        for {addressed(card.to)}
      </span>
    );
  const runtime = glance?.shape.runtime ?? null;
  return (
    <span class="holder">
      <span class="cut-off" title={card.holder}>
        {card.holder}
      </span>
      {runtime === null || card.holder.includes(runtime) ? null : (
        <span class="quiet cut-off">{runtime}</span>
      )}
      {card.leaseUntil === null ? null : (
        <Lease until={card.leaseUntil} since={card.updatedAt} updatedAt={card.updatedAt} />
      )}
    </span>
  );
}

function Marks({ card, glance }: { readonly card: Card; readonly glance: Glance | undefined }) {
  const { error = 0, warning = 0 } = glance?.found ?? {};
  return (
    <>
      {error === 0 ? null : <span class="mark error">{counted(error, 'error')}</span>}
      {warning === 0 ? null : <span class="mark warning">{counted(warning, 'warning')}</span>}
      {card.waiting === 0 ? null : (
        <span class="mark waiting" title="Questions that nobody answered, and messages that nobody read">
          {card.waiting} unanswered
        </span>
      )}
      {isResting(card.notBefore, now.value) ? (
        <span class="mark waiting">{restWords(card.notBefore, now.value)}</span>
      ) : null}
      {glance?.stopped === null || glance?.stopped === undefined ? null : (
        <span class="mark error" title={glance.stopped.text}>
          {reasonWords(glance.stopped.reason)}
        </span>
      )}
    </>
  );
}
