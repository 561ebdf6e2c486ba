/** One submission: what was asked, what came of it, and the verdict. It shows what was there when it was opened, until its reader wants the new. */
import { plainStatusOf } from '../../../src/core/task/card.ts';
import '../style/review.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import { get, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import type { Refusal } from '../api/refusal.ts';
import { carried, withComment, type Commenting } from '../diff/comment.ts';
import { Diff } from '../diff/diff.tsx';
import { Shown } from '../diff/text.tsx';
import { LeftOut } from '../parts/left-out.tsx';
import { counted } from '../parts/said.ts';
import { Ago, DigestOf, Loading, RefusalNote, Stands } from '../parts/words.tsx';
import { go } from '../shell/here.ts';
import { useKeys, type Binding } from '../shell/keys.ts';
import { may } from '../shell/me.ts';
import { addressOf } from '../shell/place.ts';
import { RemarksPart } from '../task/remarks.tsx';
import { Amended, SentBack } from './verdict-facts.tsx';
import { Asked, Claimed, Committed, Demands, Rest, Validation } from './asked.tsx';
import { Against, Bound, Deciding, type Item } from './deciding.tsx';
import {
  changedBetween,
  changedFrom,
  isEmpty,
  noDraft,
  together,
  type Binds,
  type Changed,
} from './decision.ts';
import { draftOf, writeDraft } from './drafts.ts';
import { Before } from './before.tsx';
import { Since } from './since.tsx';
import { goOn, type Came } from './sending.ts';

export function Review({ task }: { readonly task: string }) {
  const { value, refusal, reload } = useLoaded(
    `review/${task}`,
    async (signal) => await get<TaskPage>(taskPath(task), {}, signal),
    { follows: task },
  );
  const looked = useSignal<TaskPage | undefined>(undefined);
  const latest = value.value;
  useEffect(() => {
    if (looked.peek() === undefined && latest?.binds) looked.value = latest;
  }, [latest]);
  const page = looked.value;
  return (
    <>
      <Before place={{ page: 'review', task }} />
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {page?.binds ? (
        <Looked
          page={page}
          binds={page.binds}
          latest={latest}
          onLook={() => (looked.value = latest?.binds ? latest : page)}
          reload={reload}
        />
      ) : latest === undefined ? (
        refusal.value === undefined && <Loading what="the submission" />
      ) : (
        <Nothing page={latest} />
      )}
    </>
  );
}

function Nothing({ page: { state } }: { readonly page: TaskPage }) {
  return (
    <div class="empty">
      <h1>
        <Shown text={state.terms.title} />
      </h1>
      <p>
        Nothing of it waits for a verdict: it is <Stands stands={plainStatusOf(state)} />
      </p>
      <p>
        <a href={addressOf({ page: 'task', task: state.task, view: 'packet' })}>Look at the task</a> or{' '}
        <a href="/reviews">at what waits</a>
      </p>
    </div>
  );
}

interface Props {
  readonly page: TaskPage;
  readonly binds: Binds;
  readonly latest: TaskPage | undefined;
  readonly onLook: () => void;
  readonly reload: () => void;
}

function Looked({ page, binds, latest, onLook, reload }: Props) {
  const { state, packet } = page;
  const { task } = state;
  const kind = useSignal<'approve' | 'send-back' | undefined>(undefined);
  const refused = useSignal<Refusal | undefined>(undefined);
  const isOver = useSignal(false);
  const carry = useRef<readonly string[]>([]);
  const draft = draftOf(task, binds.packet).value;
  const commenting = useMemo(
    (): Commenting => ({
      comments: draft.comments,
      write: (spot, text) => {
        const now = draftOf(task, binds.packet).peek();
        writeDraft(task, binds.packet, { ...now, comments: withComment(now.comments, spot, text) });
      },
    }),
    [draft.comments, task, binds.packet],
  );
  const mayReview = may('review');
  useKeys(useMemo(() => keysOf(kind, mayReview), [mayReview]));
  const findings = packet?.findings ?? [];
  const item: Item = { task, title: state.terms.title, binds, amended: page.amended !== null, findings };
  const changed = isOver.value ? undefined : changesOf(refused.value, binds, latest);
  const stale =
    changed === undefined ? undefined : (
      <Stale changed={changed} from={state.seq} latest={latest} onLook={() => look()} />
    );

  const look = (): void => {
    refused.value = undefined;
    kind.value = undefined;
    const next = latest?.binds?.packet;
    if (next !== undefined && next !== binds.packet && !isEmpty(draft)) {
      writeDraft(task, next, together(draftOf(task, next).peek(), draft));
      writeDraft(task, binds.packet, noDraft);
      carry.current = [next ?? ''];
    }
    onLook();
  };
  const came = ([one]: readonly Came[]): void => {
    kind.value = undefined;
    if (one === undefined) return;
    if ('refusal' in one) {
      refused.value = one.refusal;
      reload();
      return;
    }
    isOver.value = true;
    void goOn(task, state.submission?.at ?? 0, `${state.terms.title}: ${one.words}`);
  };
  return (
    <>
      <header class="review-head">
        <h1>
          <Shown text={state.terms.title} />
        </h1>
        <p class="quiet">
          <a href={addressOf({ page: 'task', task, view: 'packet' })}>{task}</a>, submitted by{' '}
          <strong>{state.submission?.by}</strong> in {state.submission?.lane}{' '}
          {state.submission === null ? null : <Ago at={state.submission.at} />}, leg {state.generation}
          {state.rework === 0 ? '' : `, sent back ${counted(state.rework, 'time')} before`}
        </p>
      </header>
      <Demands page={page} />
      <Amended page={page} />
      <SentBack page={page} />
      <div class="review">
        <div class="review-diff">
          <Committed page={page} />
          <LeftOut facts={packet?.packet.facts} />
          {binds.packet === null || binds.diff === null ? (
            <p class="quiet">There is no diff: it was submitted where there was no workspace to look at.</p>
          ) : (
            <Diff
              key={binds.packet}
              task={task}
              packet={binds.packet}
              commenting={commenting}
              onRead={(diff) => {
                if (!carry.current.includes(binds.packet ?? '')) return;
                carry.current = [];
                const now = draftOf(task, binds.packet).peek();
                writeDraft(task, binds.packet, { ...now, comments: carried(now.comments, diff) });
              }}
            />
          )}
        </div>
        <aside aria-label="About the work" tabIndex={0}>
          <Against findings={findings} />
          <Validation page={page} />
          <Asked page={page} />
          <Claimed page={page} />
          <RemarksPart task={task} remarks={page.remarks} />
          <Rest findings={packet?.findings ?? []} />
        </aside>
      </div>
      <div class="verdict" role="region" aria-label="Verdict">
        {kind.value === undefined ? stale : null}
        <Bound binds={binds} />
        {latest?.binds === null ? null : mayReview ? (
          <span class="buttons">
            <span class="quiet">{remarkWords(draft)}</span>
            <button type="button" class="primary" onClick={() => (kind.value = 'approve')}>
              Approve <kbd>a</kbd>
            </button>
            <button type="button" class="danger" onClick={() => (kind.value = 'send-back')}>
              Send back <kbd>r</kbd>
            </button>
          </span>
        ) : (
          <span class="quiet">This sign-in may look, and not decide.</span>
        )}
      </div>
      {kind.value === undefined ? null : (
        <Deciding
          key={kind.value}
          kind={kind.value}
          items={[item]}
          notice={stale}
          agents={[...new Set(page.legs.map(({ agent }) => agent))]}
          onClose={() => (kind.value = undefined)}
          onCame={came}
        />
      )}
    </>
  );
}

function changesOf(
  refused: Refusal | undefined,
  looked: Binds,
  latest: TaskPage | undefined,
): readonly Changed[] | undefined {
  if (latest !== undefined && latest.binds === null) return [];
  const seen = latest?.binds ? changedBetween(looked, latest.binds) : [];
  if (seen.length > 0) return seen;
  return refused?.problem.code === 'review-stale' ? changedFrom(refused.problem.details) : undefined;
}

const partWords = {
  packet: 'another packet was submitted',
  contract: 'the contract was changed',
  diff: 'the diff is another',
  findings: 'the gate found something else',
} as const;

function Stale({
  changed,
  from,
  latest,
  onLook,
}: {
  readonly changed: readonly Changed[];
  /** The last entry of what was looked at. */
  readonly from: number;
  readonly latest: TaskPage | undefined;
  readonly onLook: () => void;
}) {
  const isGone = latest?.binds === null;
  return (
    <div class="refusal stale" role="alert">
      <p>
        <strong>
          {isGone
            ? `It does not wait for a verdict any more: it is ${latest.state.status}.`
            : 'It changed while you looked. A verdict on what is shown here is refused.'}
        </strong>
      </p>
      {changed.length === 0 ? null : (
        <ul>
          {changed.map(({ part, looked, now }) => (
            <li key={part}>
              {partWords[part]}: <DigestOf digest={looked} /> is now <DigestOf digest={now} />
            </li>
          ))}
        </ul>
      )}
      {latest === undefined ? null : <Since task={latest.state.task} from={from} to={latest.state.seq} />}
      <p>
        Your words are kept.{' '}
        {isGone ? (
          <a href="/reviews">See what else waits</a>
        ) : (
          <button type="button" onClick={onLook} disabled={latest?.binds === undefined}>
            Look at the new one <kbd>l</kbd>
          </button>
        )}
      </p>
    </div>
  );
}

function keysOf(
  kind: { value: 'approve' | 'send-back' | undefined },
  mayReview: boolean,
): readonly Binding[] {
  return [
    ...(mayReview
      ? [
          { keys: 'a', does: 'Approve', run: () => (kind.value = 'approve') },
          { keys: 'r', does: 'Send back', run: () => (kind.value = 'send-back') },
        ]
      : []),
    { keys: 'l', does: 'Look at the new one, where it changed', run: () => clickLook() },
    { keys: 'u', does: 'Back to what waits', run: () => go({ page: 'reviews' }) },
  ];
}

function clickLook(): void {
  document.querySelector<HTMLButtonElement>('.stale button:not(.copy)')?.click();
}

function remarkWords({ comments, remark }: { comments: readonly unknown[]; remark: string }): string {
  const count = comments.length + (remark.trim() === '' ? 0 : 1);
  return count === 0 ? '' : `${counted(count, 'remark')} not sent yet`;
}
