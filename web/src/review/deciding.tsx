/** Approving or sending back, one task or several. Shows the digests that each verdict binds to, and what came of each. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { lanes } from '../../../src/core/task/lanes.ts';
import type { VerdictBody } from '../../../src/server/contract/change-bodies.ts';
import { twinOf } from '../../../src/server/contract/twins.ts';
import { counted } from '../parts/said.ts';
import { isAt, placeWords } from '../diff/comment.ts';
import { Said, Shown } from '../diff/text.tsx';
import { DigestOf, RefusalNote, Twin } from '../parts/words.tsx';
import {
  approvalOf,
  needsReason,
  noDraft,
  sentBack,
  withBlanks,
  type Binds,
  type Draft,
} from './decision.ts';
import type { GateFinding } from './beside.ts';
import { Dialog } from '../parts/dialog.tsx';
import { draftOf, writeDraft } from './drafts.ts';
import { send, type Came } from './sending.ts';

export interface Item {
  readonly task: string;
  readonly title: string;
  readonly binds: Binds;
  /** The contract is not the one under which it was submitted: a command has to name it, too. */
  readonly amended: boolean;
  /** What the gate holds against it. */
  readonly findings: readonly GateFinding[];
}

interface Props {
  readonly kind: 'approve' | 'send-back';
  readonly items: readonly Item[];
  /** Why it cannot be decided as it was looked at, where that is known already. */
  readonly notice?: ComponentChildren;
  /** Whom it can go to besides its author. */
  readonly agents?: readonly string[];
  readonly onClose: () => void;
  /** Everything was accepted, or the one task is not any more what was looked at. */
  readonly onCame: (came: readonly Came[]) => void;
}

export function Deciding({ kind, items, notice, agents = [], onClose, onCame }: Props) {
  const to = useSignal('');
  const sending = useSignal(false);
  const came = useSignal<readonly Came[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const approves = kind === 'approve';
  const [first] = items;
  const isOne = items.length === 1;
  // Words for several tasks are kept under the names of all.
  const [name, packet] =
    isOne && first !== undefined
      ? [first.task, first.binds.packet]
      : [items.map(({ task }) => task).join('+'), null];
  const draft = draftOf(name, packet).value;
  const words = approves ? draft.why : isOne ? '' : draft.remark;
  const write = (less: Partial<Draft>): void => writeDraft(name, packet, { ...draft, ...less });
  const isReasoned = approves && items.some(({ findings }) => needsReason(findings));
  const bodyOf = ({ task, binds }: Item): VerdictBody =>
    approves
      ? approvalOf(binds, words, draftOf(task, binds.packet).value)
      : sentBack(binds, withWords(draftOf(task, binds.packet).value, words), to.value);
  const left = items.filter(({ task }) => !came.value.some((one) => one.task === task && 'outcome' in one));
  const isSaid = approves
    ? !isReasoned || words.trim() !== ''
    : left.every((item) => {
        const body = bodyOf(item);
        return !body.approve && body.findings.length > 0;
      });
  const isReady = isSaid && notice === undefined;

  const submit = async (): Promise<void> => {
    if (sending.value || !isReady) return;
    sending.value = true;
    for (const item of left) {
      const one = await send(item.task, bodyOf(item));
      came.value = [...came.value.filter(({ task }) => task !== item.task), one];
    }
    sending.value = false;
    if (!isOne && came.value.every((one) => 'outcome' in one)) writeDraft(name, packet, noDraft);
    if (came.value.every((one) => 'outcome' in one || (isOne && isStale(one)))) onCame(came.value);
  };

  return (
    <Dialog title={titleOf(kind, items)} onClose={onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
        }}
      >
        {notice}
        <ul class="rows decided-items">
          {items.map((item) => (
            <li key={item.task}>
              <h3>
                <Shown text={item.title} /> <span class="quiet">{item.task}</span>
              </h3>
              <Bound binds={item.binds} />
              {item.amended ? (
                <p class="marks">
                  <span class="mark warning">contract amended since</span>
                </p>
              ) : null}
              {approves ? <Against findings={item.findings} inWords /> : null}
              {left.includes(item) ? <Remarks item={item} approves={approves} /> : null}
              <Result came={came.value.find(({ task }) => task === item.task)} />
            </li>
          ))}
        </ul>
        {approves ? (
          <label>
            {isReasoned ? 'Why it is good enough all the same' : 'A remark for the record, if you like'}
            <textarea
              required={isReasoned}
              value={words}
              onInput={(event) => write({ why: event.currentTarget.value })}
            />
          </label>
        ) : (
          <>
            {isOne && first !== undefined ? (
              <RemarkField task={first.task} packet={first.binds.packet} />
            ) : (
              <label>
                What must change, in each of them
                <textarea value={words} onInput={(event) => write({ remark: event.currentTarget.value })} />
              </label>
            )}
            <label>
              Goes to{' '}
              <select value={to.value} onChange={(event) => (to.value = event.currentTarget.value)}>
                <option value="">the submitter</option>
                {agents.map((name) => (
                  <option key={name} value={`agent:${name}`}>
                    {name}
                  </option>
                ))}
                {lanes
                  .filter((lane) => lane !== 'supervise')
                  .map((lane) => (
                    <option key={lane} value={`lane:${lane}`}>
                      anyone in {lane}
                    </option>
                  ))}
                <option value="anyone">anyone</option>
              </select>
            </label>
          </>
        )}
        <div class="twins">
          {left.map((item) => (
            <p key={item.task}>
              <Twin
                command={twinOf('verdict', item.task, {
                  ...withBlanks(bodyOf(item), needsReason(item.findings)),
                  amended: item.amended,
                })}
              />
            </p>
          ))}
        </div>
        <p class="buttons">
          <button
            class={approves ? 'primary' : 'danger'}
            disabled={sending.value || !isReady || left.length === 0}
          >
            {sending.value ? 'Sending' : titleOf(kind, left)}
          </button>
          <button type="button" onClick={onClose}>
            {left.length === 0 ? 'Close' : 'Not now'}
          </button>
          {isSaid ? null : (
            <span class="quiet">
              {approves
                ? 'The gate found something: say why it may pass.'
                : 'Say what must change, or remark on a line.'}
            </span>
          )}
        </p>
      </form>
    </Dialog>
  );
}

function isStale(came: Came): boolean {
  return 'refusal' in came && came.refusal.problem.code === 'review-stale';
}

function titleOf(kind: Props['kind'], items: readonly Item[]): string {
  const many = items.length > 1 ? ` ${items.length} tasks` : '';
  return `${kind === 'approve' ? 'Approve' : 'Send back'}${many}`;
}

function withWords(draft: Draft, words: string): Draft {
  const remark = [draft.remark.trim(), words.trim()].filter((text) => text !== '').join('\n\n');
  return { ...draft, remark };
}

export function Bound({ binds }: { readonly binds: Binds }) {
  return (
    <dl class="binds" aria-label="The verdict binds to">
      {(['packet', 'contract', 'diff', 'findings'] as const).map((part) => (
        <div key={part}>
          <dt>{part}</dt>
          <dd>
            <DigestOf digest={binds[part]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What speaks against it: how much, or in its own words. */
export function Against({
  findings,
  inWords = false,
}: {
  readonly findings: Item['findings'];
  readonly inWords?: boolean;
}) {
  const told = findings.filter(({ severity }) => severity !== 'note');
  if (told.length === 0) return null;
  if (inWords)
    return (
      <ul class="rows against">
        {told.map(({ severity, rule, text }, n) => (
          <li key={n} class={`found found-${severity}`}>
            <span class={`mark ${severity}`}>{severity}</span> <Shown text={text} />{' '}
            <code class="quiet">{rule}</code>
          </li>
        ))}
      </ul>
    );
  const count = (severity: string): number => told.filter((one) => one.severity === severity).length;
  return (
    <span class="marks">
      {count('error') === 0 ? null : <span class="mark error">{counted(count('error'), 'error')}</span>}
      {count('warning') === 0 ? null : (
        <span class="mark warning">{counted(count('warning'), 'warning')}</span>
      )}
    </span>
  );
}

/** What goes along: with an approval the remark on the whole too, which has a field of its own where the work is sent back. */
function Remarks({ item: { task, binds }, approves }: { readonly item: Item; readonly approves: boolean }) {
  const draft = draftOf(task, binds.packet).value;
  const whole = approves && draft.remark.trim() !== '';
  if (draft.comments.length === 0 && !whole) return null;
  const write = (less: Partial<Draft>): void => writeDraft(task, binds.packet, { ...draft, ...less });
  return (
    <>
      {approves ? (
        <p>
          You remarked on it. An approval sends nothing back: these remarks are recorded with it, below the
          reason.
        </p>
      ) : null}
      <ul class="remarks">
        {whole ? (
          <li>
            <Said text={draft.remark} /> <Remove what="the whole" act={() => write({ remark: '' })} />
          </li>
        ) : null}
        {draft.comments.map((comment) => (
          <li key={`${comment.path}:${comment.side}:${comment.line}`}>
            <code>
              <Shown text={placeWords(comment)} />
            </code>{' '}
            <Said text={comment.text} />{' '}
            <Remove
              what={placeWords(comment)}
              act={() => write({ comments: draft.comments.filter((one) => !isAt(one, comment)) })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function Remove({ what, act }: { readonly what: string; readonly act: () => void }) {
  return (
    <button type="button" class="plain" aria-label={`Remove the remark on ${what}`} onClick={act}>
      Remove
    </button>
  );
}

/** The remark on the whole, kept as a draft while it is written. */
export function RemarkField({ task, packet }: { readonly task: string; readonly packet: string | null }) {
  const draft = draftOf(task, packet).value;
  return (
    <label>
      What must change, about the whole
      <textarea
        value={draft.remark}
        onInput={(event) => writeDraft(task, packet, { ...draft, remark: event.currentTarget.value })}
      />
    </label>
  );
}

function Result({ came }: { readonly came: Came | undefined }) {
  if (came === undefined) return null;
  if ('refusal' in came) return <RefusalNote refusal={came.refusal} />;
  return (
    <p class="came" role="status">
      {came.task} {came.words}
    </p>
  );
}
