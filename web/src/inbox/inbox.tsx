/** The start: everything that waits for a person, each with what answers it. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ReviewQueue } from '../../../src/server/contract/contract.ts';
import { Acts } from '../acts/act-form.tsx';
import { actsFor, answerAct, phaseAct, settleActs, startAct, type Act } from '../acts/acts.ts';
import { beginning } from '../acts/beginning.tsx';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { glanceOf, lookAt } from '../board/glances.ts';
import { now, span } from '../parts/clock.ts';
import { Prose } from '../parts/prose.tsx';
import { timeOf } from '../parts/said.ts';
import { ShapeLine } from '../parts/shape.tsx';
import { toast } from '../parts/toast.tsx';
import { Loading, RefusalNote, Twin } from '../parts/words.tsx';
import { Deciding, type Item } from '../review/deciding.tsx';
import { go } from '../shell/here.ts';
import { may } from '../shell/me.ts';
import { addressOf, type Place } from '../shell/place.ts';
import { loadWaiting, waiting, waitingRefusal } from '../shell/waiting.ts';
import { inboxRows, isCalling, type InboxItem, type InboxRow } from './rows.ts';
import '../style/inbox.css';

const kindWords: Readonly<Record<InboxItem['kind'], string>> = {
  question: 'Question',
  review: 'Review',
  phase: 'Phase to approve',
  effect: 'Unknown effect',
  dead: 'Given up',
  escalated: 'Decision',
  declined: 'Declined',
  start: 'To start',
  give: 'For nobody yet',
  failed: 'Failed',
  left: 'Left',
};

/** A kind at a time; as many as a person looks through. */
const shownMax = 100;

export function Inbox() {
  const writing = useSignal<InboxRow | undefined>(undefined);
  const all = useSignal(false);
  const items = waiting.value;
  const rows = inboxRows(items ?? [], writing.value);
  const shown = all.value ? rows : rows.slice(0, shownMax);
  const hasReviews = rows.some(({ kind }) => kind === 'review');
  const { value: reviews } = useLoaded(
    `reviews ${String(hasReviews)}`,
    async (signal) =>
      hasReviews ? (await get<ReviewQueue>('/api/reviews', { limit: 200 }, signal)).reviews : [],
    { follows: 'all', everyMs: 2000 },
  );
  return (
    <div class="inbox">
      <header class="page-head">
        <h1>Needs you</h1>
        {rows.length === 0 ? null : <Twin command="staffetta inbox" />}
      </header>
      {waitingRefusal.value === undefined ? null : (
        <RefusalNote refusal={waitingRefusal.value} retry={() => void loadWaiting()} />
      )}
      {items === undefined ? (
        waitingRefusal.value === undefined && <Loading what="what needs you" />
      ) : rows.length === 0 ? (
        <Nothing />
      ) : (
        [true, false].map((calls) => {
          const own = shown.filter((row) => isCalling(row) === calls);
          if (own.length === 0) return null;
          return (
            <section key={calls} aria-label={calls ? 'Needs you' : 'Failed'}>
              {calls ? null : <h2>Failed, and over: try it again, or let it be</h2>}
              <ul class="rows panel">
                {own.map((row) => (
                  <InboxRowPart
                    key={row.key}
                    row={row}
                    writing={writing}
                    review={reviews.value?.find(({ card }) => card.task === row.task)}
                  />
                ))}
              </ul>
            </section>
          );
        })
      )}
      {shown.length < rows.length ? (
        <button type="button" onClick={() => (all.value = true)}>
          Show all {rows.length}
        </button>
      ) : null}
    </div>
  );
}

function Nothing() {
  return (
    <div class="empty">
      <h2>Nothing needs you</h2>
      <p>
        Questions, reviews, decisions, effects that nobody is sure of, and work that stopped show up here.
      </p>
      {may('direct') ? (
        <p class="buttons">
          <button type="button" class="primary" onClick={() => (beginning.value = { what: 'task' })}>
            New task
          </button>
          <button type="button" onClick={() => (beginning.value = { what: 'session' })}>
            Continue a session in …
          </button>
        </p>
      ) : null}
      <p class="quiet">
        At a terminal: <code>staffetta open "What is to be done"</code>, or <code>staffetta sessions</code>
      </p>
    </div>
  );
}

/** What answers it comes first, then what else can be done with the task. */
function actsOf({ kind, status, decision, options = [], phase, effect, to }: InboxItem): readonly Act[] {
  // What was called for in vain is offered still, and can be offered anew.
  const generation = kind === 'left' ? 1 : 0;
  const others = actsFor({ status: kind === 'dead' ? 'escalated' : status, generation }, may);
  if (kind === 'question' && decision !== undefined) return [answerAct(decision, options)];
  if (kind === 'phase' && phase !== undefined) return [phaseAct(phase), ...named(others, ['tell'])];
  if (kind === 'review') return [];
  if (kind === 'start' && to !== undefined)
    return [...(may('direct') ? [startAct(to)] : []), ...named(others, ['reassign', 'cancel'])];
  if (kind === 'effect' && effect !== undefined)
    return [...(may('direct') ? settleActs(effect) : []), ...named(others, ['tell'])];
  return named(others, ['again', 'let-be', 'redrive', 'complete', 'reassign', 'tell', 'cancel']);
}

function named(acts: readonly Act[], names: readonly string[]): readonly Act[] {
  return acts.filter(({ name }) => names.includes(name));
}

type Waiting = ReviewQueue['reviews'][number];

interface RowProps {
  readonly row: InboxRow;
  readonly writing: Signal<InboxRow | undefined>;
  readonly review: Waiting | undefined;
}

function InboxRowPart({ row, writing, review }: RowProps) {
  const { kind, task, title, text, since, command, isGone } = row;
  const element = useRef<HTMLLIElement>(null);
  const glance = glanceOf(task).value;
  const seq = glance?.card.seq ?? 0;
  useEffect(
    () => (element.current === null ? undefined : lookAt(element.current, { task, seq: seq + 1 })),
    [task, since],
  );
  const to: Place = kind === 'review' ? { page: 'review', task } : { page: 'task', task, view: 'packet' };
  return (
    <li class={`inbox-row kind-${kind}`} ref={element}>
      <div class="inbox-kind">
        <span class="kind">{kindWords[kind]}</span>
        <time class="quiet" dateTime={new Date(since).toISOString()} title={timeOf(since)}>
          {span(now.value - since)}
        </time>
      </div>
      <div class="inbox-what">
        <a class="title" href={addressOf(to)}>
          {title}
        </a>
        <Prose text={text} />
        {glance === undefined ? null : <ShapeLine shape={glance.shape} />}
        <Acts
          acts={actsOf(row)}
          tasks={[task]}
          title={title}
          done={() => void loadWaiting()}
          over={isGone ? 'not waiting any more' : undefined}
          onWriting={(is) => {
            if (is) writing.value = row;
            else if (writing.peek()?.key === row.key) writing.value = undefined;
          }}
        >
          {kind === 'review' ? <Verdict task={task} review={review} /> : null}
          {kind === 'left' && !isGone ? <Twin command={command} /> : null}
        </Acts>
      </div>
    </li>
  );
}

/** Here and now where there is little to look at; the link leads to all of it. */
function Verdict({ task, review }: { readonly task: string; readonly review: Waiting | undefined }) {
  const doing = useSignal<{ readonly kind: 'approve' | 'send-back'; readonly item: Item } | undefined>(
    undefined,
  );
  const begin = (kind: 'approve' | 'send-back') => (): void => {
    if (review === undefined) return;
    const { card, binds, amended, findings } = review;
    doing.value = { kind, item: { task, title: card.title, binds, amended, findings } };
  };
  return (
    <>
      <a class="button primary" href={addressOf({ page: 'review', task })}>
        Review
      </a>
      {may('review') && review !== undefined ? (
        <>
          <button type="button" onClick={begin('approve')}>
            Approve
          </button>
          <button type="button" onClick={begin('send-back')}>
            Send back
          </button>
        </>
      ) : null}
      {doing.value === undefined ? null : (
        <Deciding
          key={doing.value.kind}
          kind={doing.value.kind}
          items={[doing.value.item]}
          onClose={() => (doing.value = undefined)}
          onCame={([one]) => {
            doing.value = undefined;
            // It changed meanwhile: the page of the review says how.
            if (one === undefined || 'refusal' in one) return go({ page: 'review', task });
            toast.value = { words: `It ${one.words}`, link: { task, title: review?.card.title ?? task } };
            void loadWaiting();
          }}
        />
      )}
    </>
  );
}
