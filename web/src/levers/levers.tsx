/** The levers of a task as buttons; one that is pressed asks for its reason and shows its command. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useId, useRef } from 'preact/hooks';
import { taskPath } from '../api/client.ts';
import { RefusalNote, Twin } from '../parts/words.tsx';
import { may } from '../shell/me.ts';
import { useAsking } from './asked.ts';
import { bodyOf, doneWords, leases, leversFor, twinOf, type Lever, type Standing } from './levers.ts';
import '../style/levers.css';

interface Props {
  readonly standing: Standing;
  /** Called after something was done. */
  readonly done?: () => void;
  /** It left the list that it stood in: nothing can be done from here any more. */
  readonly gone?: boolean;
  /** Somebody begins to write, or has ended. */
  readonly onWriting?: (is: boolean) => void;
}

export function Levers({ standing, done, gone = false, onWriting }: Props) {
  const open = useSignal<Lever | undefined>(undefined);
  const said = useSignal('');
  const all = gone ? [] : leversFor(standing.status, may);
  // What somebody writes stays, also where others were faster: it is theirs to take elsewhere.
  const shown = open.value;
  const isOver = shown !== undefined && !all.includes(shown);
  useEffect(() => onWriting?.(shown !== undefined), [shown]);
  if (all.length === 0 && said.value === '' && shown === undefined) return null;
  return (
    <div class="levers">
      <div class="lever-row">
        {all.map((lever) => (
          <button
            key={lever.name}
            type="button"
            class={lever.final === true ? 'danger' : ''}
            aria-expanded={shown === lever}
            onClick={() => {
              said.value = '';
              open.value = shown === lever ? undefined : lever;
            }}
          >
            {lever.title}
          </button>
        ))}
        <span role="status" class="lever-said">
          {said.value}
        </span>
      </div>
      {shown === undefined ? null : (
        <LeverForm
          key={shown.name}
          lever={shown}
          standing={standing}
          over={isOver ? (gone ? 'not stuck any more' : `${standing.status} now`) : undefined}
          close={() => (open.value = undefined)}
          done={(words) => {
            open.value = undefined;
            said.value = words;
            done?.();
          }}
        />
      )}
    </div>
  );
}

interface FormProps {
  readonly lever: Lever;
  readonly standing: Standing;
  /** How it stands, where that leaves nothing to do. */
  readonly over: string | undefined;
  readonly close: () => void;
  readonly done: (words: string) => void;
}

function LeverForm({ lever, standing, over, close, done }: FormProps) {
  const id = useId();
  const why = useSignal('');
  const to = useSignal('');
  const leaseMs = useSignal(1_800_000);
  const { busy, refusal, send } = useAsking();
  const first = useRef<HTMLFormElement>(null);
  // At once: what is typed next belongs here.
  useLayoutEffect(() => first.current?.querySelector<HTMLElement>('input,select,textarea')?.focus(), []);
  const wish = { why: why.value, to: to.value, leaseMs: leaseMs.value };
  const body = over === undefined ? bodyOf(lever, wish) : null;
  const submit = async (): Promise<void> => {
    if (body === null) return;
    const outcome = await send(taskPath(standing.task, lever.name), body);
    if (outcome !== undefined) done(doneWords(outcome));
  };
  return (
    <form
      ref={first}
      class="lever-form"
      aria-label={lever.title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      {over === undefined ? (
        <p>{lever.does}</p>
      ) : (
        <p class="banner" role="alert">
          Somebody else was faster: the task is {over}, and {lever.title} is not possible. What you wrote is
          kept here until you close it.
        </p>
      )}
      {lever.to === undefined ? null : (
        <label>
          To whom{lever.to === 'possible' ? ' (as before, unless told)' : ''}
          <input
            list={`${id}-to`}
            value={to.value}
            required={lever.to === 'needed'}
            placeholder="agent:NAME, lane:LANE, runtime:NAME or anyone"
            onInput={(event) => (to.value = event.currentTarget.value)}
          />
          <datalist id={`${id}-to`}>
            {['anyone', 'lane:plan', 'lane:execute', 'lane:audit', 'lane:supervise'].map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </label>
      )}
      {lever.lease === true ? (
        <label>
          From now
          <select
            value={String(leaseMs.value)}
            onChange={(event) => (leaseMs.value = Number(event.currentTarget.value))}
          >
            {leases.map(({ ms, said }) => (
              <option key={ms} value={ms}>
                {said}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <label>
        {lever.asks}
        <textarea
          required
          rows={2}
          value={why.value}
          onInput={(event) => (why.value = event.currentTarget.value)}
        />
      </label>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} />}
      <div class="lever-row">
        <button
          type="submit"
          class={lever.final === true ? 'danger' : 'primary'}
          disabled={body === null || busy.value}
        >
          {busy.value ? 'Sending' : lever.title}
        </button>
        <button type="button" class="plain" onClick={close}>
          Close
        </button>
      </div>
      {over === undefined ? <Twin command={twinOf(lever, standing.task, wish)} /> : null}
    </form>
  );
}
