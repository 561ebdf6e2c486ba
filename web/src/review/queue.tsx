/** What waits for a verdict, the oldest first. */
import '../style/review.css';
import { useSignal, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ReviewQueue } from '../../../src/server/contract/contract.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Shown } from '../diff/text.tsx';
import { ShapeLine } from '../parts/shape.tsx';
import { Ago, Lane, Loading, RefusalNote, Twin } from '../parts/words.tsx';
import { go } from '../shell/here.ts';
import { useKeys, type Binding } from '../shell/keys.ts';
import { may } from '../shell/me.ts';
import { addressOf } from '../shell/place.ts';
import { atLeast } from '../parts/said.ts';
import { Before } from './before.tsx';
import { hereIn, stepped, type QueueCursor } from './cursor.ts';
import { Against, Deciding, RemarkField, type Item } from './deciding.tsx';
import { hasRemarks } from './decision.ts';
import { Dialog } from '../parts/dialog.tsx';
import { draftOf } from './drafts.ts';

type Waiting = ReviewQueue['reviews'][number];
const pageMax = 200;

/** What keys and buttons do. */
interface Acts {
  readonly begin: (kind: Doing['kind']) => void;
  readonly stand: (task: string) => void;
  readonly move: (by: 1 | -1) => void;
  readonly toggle: () => void;
  readonly open: () => void;
}

type Doing = { readonly kind: 'approve' | 'send-back' | 'remark'; readonly items: readonly Item[] };

export function Reviews() {
  const { value, refusal, reload } = useLoaded(
    'reviews',
    async (signal) => await get<ReviewQueue>('/api/reviews', { limit: pageMax }, signal),
    { follows: 'all', everyMs: 700 },
  );
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const cursor = useSignal<QueueCursor>({ task: undefined, row: 0 });
  const doing = useSignal<Doing | undefined>(undefined);
  const queue = value.value;
  const reviews = queue?.reviews ?? [];
  const here = hereIn(tasksOf(queue), cursor.value);
  const mayReview = may('review');
  // Keys ask what is so when they are pressed: two may come before the page is drawn again.
  const acts = useMemo((): Acts => {
    const standing = (): string | undefined => hereIn(tasksOf(value.peek()), cursor.peek());
    return {
      begin: (kind) => {
        const waiting = value.peek()?.reviews ?? [];
        const chosen = waiting.filter(({ card }) => selected.peek().has(card.task));
        const meant =
          chosen.length > 0 && kind !== 'remark'
            ? chosen
            : waiting.filter(({ card }) => card.task === standing());
        if (meant.length > 0) doing.value = { kind, items: meant.map(itemOf) };
      },
      stand: (task) => {
        cursor.value = { task, row: tasksOf(value.peek()).indexOf(task) };
      },
      move: (by) => show(stepped(tasksOf(value.peek()), standing(), by)),
      toggle: () => toggle(selected, standing()),
      open: () => {
        const task = standing();
        if (task !== undefined) go({ page: 'review', task });
      },
    };
  }, []);
  useKeys(useMemo(() => keysOf(acts, mayReview), [mayReview]));
  const { kind, items = [] } = doing.value ?? {};
  const [first] = items;
  const close = (): void => {
    doing.value = undefined;
  };
  return (
    <>
      <header class="page-head">
        <h1>Reviews</h1>
      </header>
      <Before place={{ page: 'reviews' }} />
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {queue === undefined ? (
        refusal.value === undefined && <Loading what="the queue" />
      ) : reviews.length === 0 ? (
        <div class="empty">
          <h2>Nothing waits for a verdict</h2>
        </div>
      ) : (
        <>
          <p class="quiet queue-keys">
            {atLeast(reviews.length, queue.next !== null)}{' '}
            {reviews.length === 1 ? 'waits' : 'wait, the oldest first'}.{' '}
            <span class="for-keys">
              <kbd>j</kbd> <kbd>k</kbd> move, <kbd>x</kbd> select, <kbd>o</kbd> open, <kbd>a</kbd> approve,{' '}
              <kbd>r</kbd> send back, <kbd>c</kbd> remark.{' '}
            </span>
            <Twin command="staffetta review" />
          </p>
          <ul class="rows reviews">
            {reviews.map((review) => (
              <Row
                key={review.card.task}
                review={review}
                selected={selected}
                isHere={review.card.task === here}
                stand={acts.stand}
              />
            ))}
          </ul>
          {queue.next === null ? null : (
            <p class="quiet">These are the oldest {pageMax}; more wait behind them.</p>
          )}
        </>
      )}
      {selected.value.size > 0 && mayReview ? (
        <div class="verdict" role="region" aria-label="What is selected">
          <span>{selected.value.size} selected</span>
          <span class="buttons">
            <button type="button" class="primary" onClick={() => acts.begin('approve')}>
              Approve <kbd>a</kbd>
            </button>
            <button type="button" class="danger" onClick={() => acts.begin('send-back')}>
              Send back <kbd>r</kbd>
            </button>
          </span>
        </div>
      ) : null}
      {kind === 'approve' || kind === 'send-back' ? (
        <Deciding
          key={kind}
          kind={kind}
          items={items}
          onClose={() => {
            close();
            reload();
          }}
          onCame={(came) => {
            selected.value = new Set();
            reload();
            if (came.length === 1) close();
          }}
        />
      ) : null}
      {kind === 'remark' && first !== undefined ? (
        <Dialog title={`Remark on ${first.title}`} onClose={close}>
          <RemarkField task={first.task} packet={first.binds.packet} />
          <p class="buttons">
            <button type="button" onClick={close}>
              Done
            </button>
            <span class="quiet">Kept as a draft until the verdict.</span>
          </p>
        </Dialog>
      ) : null}
    </>
  );
}

function itemOf({ card, binds, amended, findings }: Waiting): Item {
  return { task: card.task, title: card.title, binds, amended, findings };
}

function Row({
  review: { card, by, at, binds, amended, findings, shape, demands, owner },
  selected,
  isHere,
  stand,
}: {
  readonly review: Waiting;
  readonly selected: Signal<ReadonlySet<string>>;
  readonly isHere: boolean;
  readonly stand: (task: string) => void;
}) {
  const { task } = card;
  return (
    <li
      class="review-row"
      data-task={task}
      aria-current={isHere ? 'true' : undefined}
      onFocusIn={() => stand(task)}
    >
      <input
        type="checkbox"
        aria-label={`Select ${card.title}`}
        checked={selected.value.has(task)}
        onChange={() => toggle(selected, task)}
      />
      <div class="what">
        <a class="title" href={addressOf({ page: 'review', task })}>
          <Shown text={card.title} />
        </a>
        <span class="quiet id">{task}</span>
      </div>
      <span>
        by {by} <Lane lane={card.lane} />{' '}
        <span class="quiet">
          <Ago at={at} />
        </span>
      </span>
      <ShapeLine shape={shape} />
      <span class="marks">
        {owner === null ? null : <span class="quiet">for {owner.replace(/^\w+:/, '')}</span>}
        <Against findings={findings} />
        {amended ? <span class="mark warning">contract amended since</span> : null}
        {demands.length === 0 ? null : <span class="mark warning">needs a person</span>}
        {hasRemarks(draftOf(task, binds.packet).value) ? (
          <span class="mark waiting">remarks not sent</span>
        ) : null}
      </span>
    </li>
  );
}

function tasksOf(queue: ReviewQueue | undefined): readonly string[] {
  return (queue?.reviews ?? []).map(({ card }) => card.task);
}

function toggle(selected: Signal<ReadonlySet<string>>, task: string | undefined): void {
  if (task === undefined) return;
  const next = new Set(selected.peek());
  if (!next.delete(task)) next.add(task);
  selected.value = next;
}

/** The row is shown by its link, which takes the focus. */
function show(task: string | undefined): void {
  const link = document.querySelector<HTMLElement>(
    `.review-row[data-task="${CSS.escape(task ?? '')}"] .title`,
  );
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
}

function keysOf({ begin, move, toggle, open }: Acts, mayReview: boolean): readonly Binding[] {
  return [
    { keys: 'j', does: 'Next submission', run: () => move(1) },
    { keys: 'k', does: 'Submission before', run: () => move(-1) },
    { keys: 'x', does: 'Select it, or not', run: toggle },
    { keys: 'o', does: 'Open it', run: open },
    ...(mayReview
      ? [
          { keys: 'a', does: 'Approve it, or all that are selected', run: () => begin('approve') },
          { keys: 'r', does: 'Send it back, or all that are selected', run: () => begin('send-back') },
          { keys: 'c', does: 'Remark on it', run: () => begin('remark') },
        ]
      : []),
  ];
}
