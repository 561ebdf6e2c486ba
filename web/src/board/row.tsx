/** One task on the board. What its card does not say is asked for when the row comes into view. */
import { useEffect, useRef } from 'preact/hooks';
import type { Card, Glances } from '../../../src/server/contract/contract.ts';
import { now } from '../parts/clock.ts';
import { Lease } from '../parts/lease.tsx';
import { counted, worded } from '../parts/said.ts';
import { Ago, Status } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { glanceOf, lookAt } from './glances.ts';
import { shownStatus } from './grouped.ts';

export function Row({ card }: { readonly card: Card }) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => (row.current === null ? undefined : lookAt(row.current, card)), [card.task, card.seq]);
  const glance = glanceOf(card.task).value;
  return (
    <li class="row" ref={row}>
      <Status status={shownStatus(card, now.value)} />
      <div class="what">
        <a class="title" href={addressOf(placeOf(card))}>
          {card.title}
        </a>
        <span class="quiet id">{card.task}</span>
      </div>
      <div class="who">
        <Holder card={card} />
      </div>
      <div class="last">
        <Last card={card} glance={glance} />
      </div>
      <div class="marks">
        <Marks card={card} glance={glance} />
      </div>
    </li>
  );
}

function placeOf({ task, status }: Card) {
  return status === 'submitted'
    ? ({ page: 'review', task } as const)
    : ({ page: 'task', task, view: 'packet' } as const);
}

function Holder({ card }: { readonly card: Card }) {
  if (card.holder === null)
    return card.to === null ? (
      <span class="quiet">nobody</span>
    ) : (
      <Cut words={`for ${card.to.replace(/^\w+:/, '')}`} whole={card.to} />
    );
  return (
    <>
      <Cut words={card.holder} />
      {card.leaseUntil === null ? null : <Lease until={card.leaseUntil} since={card.updatedAt} />}
    </>
  );
}

/** In one line, whatever its length; all of it when it is pointed at. */
function Cut({ words, whole = words }: { readonly words: string; readonly whole?: string }) {
  return (
    <span class="cut-off" title={whole}>
      {words}
    </span>
  );
}

function Last({ card, glance }: { readonly card: Card; readonly glance: Glance | undefined }) {
  // A signature says nothing that what it vouches for does not say.
  const types = glance?.last.types.filter((type) => type !== 'signed') ?? [];
  const what = types.at(-1);
  return (
    <>
      {what === undefined ? null : (
        <>
          <span title={types.map(worded).join(', ')}>{worded(what)}</span>{' '}
          <span class="quiet cut-off" title={glance?.last.by}>
            by {glance?.last.by}
          </span>{' '}
        </>
      )}
      <span class="quiet">
        <Ago at={card.updatedAt} />
      </span>
    </>
  );
}

type Glance = Glances['glances'][number];

function Marks({ card, glance }: { readonly card: Card; readonly glance: Glance | undefined }) {
  const { error = 0, warning = 0 } = glance?.found ?? {};
  return (
    <>
      {error === 0 ? null : <span class="mark error">{counted(error, 'error')}</span>}
      {warning === 0 ? null : <span class="mark warning">{counted(warning, 'warning')}</span>}
      {card.waiting === 0 ? null : <span class="mark waiting">{card.waiting} waiting</span>}
      {glance?.stopped === null || glance?.stopped === undefined ? null : (
        <span class="mark error" title={glance.stopped.text}>
          {worded(glance.stopped.reason)}
        </span>
      )}
    </>
  );
}
