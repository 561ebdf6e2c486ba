/** What can be done, as buttons; one that is pressed asks for what it needs and shows its command. The same form for one task, several, or a run. */
import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { taskPath } from '../api/client.ts';
import { now } from '../parts/clock.ts';
import { toast } from '../parts/toast.tsx';
import { RefusalNote, Twin } from '../parts/words.tsx';
import { may, me } from '../shell/me.ts';
import { bodyOf, commandOf, doneWords, missingIn, type Act, type Caps, type Wish } from './acts.ts';
import { useAsking } from './asked.ts';
import '../style/acts.css';

interface Props {
  /** Those that are possible; what the sign-in does not allow is left out. */
  readonly acts: readonly Act[];
  readonly tasks: readonly string[];
  /** Of the task, where what was done takes it off the page. */
  readonly title?: string;
  /** Called after something was done. */
  readonly done?: () => void;
  /** It is not what it was, and how it stands now: nothing can be done from here any more. */
  readonly over?: string | undefined;
  /** Somebody begins to write, or has ended. */
  readonly onWriting?: (is: boolean) => void;
  readonly children?: ComponentChildren;
}

export function Acts({ acts, tasks, title, done, over, onWriting, children }: Props) {
  const open = useSignal<{ readonly act: Act; readonly preset: string } | undefined>(undefined);
  const all = over === undefined ? acts.filter(({ verb }) => may(verb)) : [];
  // What somebody writes stays, also where others were faster: it is theirs to take elsewhere.
  const shown = open.value;
  const isOver = shown !== undefined && !all.some(({ name }) => name === shown.act.name);
  useEffect(() => onWriting?.(shown !== undefined), [shown]);
  if (all.length === 0 && shown === undefined && children === undefined) return null;
  const toggle = (act: Act, preset = ''): void => {
    toast.value = undefined;
    const isSame = shown?.act.name === act.name && shown.preset === preset;
    open.value = isSame ? undefined : { act, preset };
  };
  return (
    <div class="acts">
      <div class="act-row">
        {children}
        {all.flatMap((act) => [
          ...(act.presets ?? []).map((preset) => (
            <button
              key={`${act.name} ${preset}`}
              type="button"
              aria-pressed={shown?.act.name === act.name && shown.preset === preset}
              onClick={() => toggle(act, preset)}
            >
              {preset}
            </button>
          )),
          <button
            key={act.name}
            type="button"
            class={act.isFinal === true ? 'danger' : ''}
            aria-expanded={shown?.act.name === act.name}
            onClick={() => toggle(act)}
          >
            {act.title}
          </button>,
        ])}
      </div>
      {shown === undefined ? null : (
        <ActForm
          key={`${shown.act.name} ${shown.preset}`}
          act={shown.act}
          preset={shown.preset}
          tasks={tasks}
          title={title}
          over={isOver ? (over ?? 'in another state now') : undefined}
          close={() => (open.value = undefined)}
          done={() => {
            open.value = undefined;
            done?.();
          }}
        />
      )}
    </div>
  );
}

interface FormProps {
  readonly act: Act;
  readonly preset: string;
  readonly tasks: readonly string[];
  readonly title: string | undefined;
  /** How it stands, where that leaves nothing to do. */
  readonly over: string | undefined;
  readonly close: () => void;
  readonly done: () => void;
}

function ActForm({ act, preset, tasks, title, over, close, done }: FormProps) {
  const wish = useSignal<Wish>({
    why: preset,
    to: '',
    ms: act.times?.[1]?.ms ?? 0,
    count: act.count ?? 1,
    caps: act.caps ?? {},
  });
  const { busy, refusal, sendAll } = useAsking();
  const form = useRef<HTMLFormElement>(null);
  // At once: what is typed next belongs here.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input,select,textarea')?.focus(), []);
  const write = (more: Partial<Wish>): void => void (wish.value = { ...wish.value, ...more });
  const body = over === undefined ? bodyOf(act, wish.value) : null;
  const missing = over === undefined ? missingIn(act, wish.value) : null;
  const submit = async (): Promise<void> => {
    if (body === null) return;
    const outcomes = await sendAll(tasks.map((task) => ({ path: taskPath(task, act.path), body })));
    const [first] = outcomes ?? [];
    if (first === undefined) return;
    done();
    const isNew = first.task !== tasks[0];
    toast.value =
      tasks.length > 1
        ? { words: `${act.did}: ${tasks.length} tasks.` }
        : {
            words: doneWords(act, first, now.peek()),
            ...(title === undefined && !isNew
              ? {}
              : { link: { task: first.task, title: title ?? first.task } }),
          };
  };
  return (
    <form
      ref={form}
      class="act-form"
      aria-label={act.title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
      }}
    >
      {over === undefined ? (
        <p>{act.does}</p>
      ) : (
        <p class="banner" role="alert">
          Somebody else was faster: it is {over}, and {act.title} is not possible. What you wrote is kept here
          until you close it.
        </p>
      )}
      <Fields act={act} wish={wish.value} write={write} />
      {act.asks === undefined ? null : (
        <label>
          {act.asks}
          <textarea
            required={act.isTerse !== true}
            rows={2}
            value={wish.value.why}
            onInput={(event) => write({ why: event.currentTarget.value })}
          />
        </label>
      )}
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} />}
      <div class="act-row">
        <button
          type="submit"
          class={act.isFinal === true ? 'danger' : 'primary'}
          disabled={body === null || busy.value}
        >
          {busy.value ? 'Sending' : tasks.length > 1 ? `${act.title}: ${tasks.length} tasks` : act.title}
        </button>
        <button type="button" class="plain" onClick={close}>
          Close
        </button>
        {missing === null ? null : <span class="quiet">Still needed: {missing}</span>}
      </div>
      {over === undefined && tasks.length === 1 ? (
        <Twin command={commandOf(act, tasks[0] ?? '', wish.value)} />
      ) : null}
    </form>
  );
}

/** Whom, how long, how many: what the act asks for besides words. */
function Fields({
  act,
  wish,
  write,
}: {
  readonly act: Act;
  readonly wish: Wish;
  readonly write: (more: Partial<Wish>) => void;
}) {
  return (
    <>
      {act.to === undefined ? null : (
        <label>
          To whom{act.to === 'possible' ? ' (as before, unless told)' : ''}
          <ToWhom value={wish.to} required={act.to === 'needed'} onInput={(to) => write({ to })} />
        </label>
      )}
      {act.times === undefined ? null : (
        <label>
          How long
          <select
            value={String(wish.ms)}
            onChange={(event) => write({ ms: Number(event.currentTarget.value) })}
          >
            {act.times.map(({ ms, said }) => (
              <option key={ms} value={ms}>
                {said}
              </option>
            ))}
          </select>
        </label>
      )}
      {act.count === undefined ? null : (
        <label>
          At once
          <input
            type="number"
            min={1}
            max={1000}
            required
            value={wish.count}
            onInput={(event) => write({ count: event.currentTarget.valueAsNumber || 1 })}
          />
        </label>
      )}
      {act.caps === undefined ? null : <CapFields caps={wish.caps} write={(caps) => write({ caps })} />}
    </>
  );
}

const minuteMs = 60_000;

function CapFields({ caps, write }: { readonly caps: Caps; readonly write: (caps: Caps) => void }) {
  const unit = caps.cost?.unit ?? 'USD';
  const { tokens, legs, ms, cost, ...none } = caps;
  const now = { ...none, tokens, legs, ms, cost };
  const field = (said: string, value: number | undefined, of: (given: number) => Caps) => (
    <label>
      {said}
      <input
        type="number"
        min={1}
        step={said === unit ? 'any' : 1}
        value={value ?? ''}
        onInput={(event) => {
          const given = event.currentTarget.valueAsNumber;
          const [key = ''] = Object.keys(of(1));
          const rest = Object.entries(now).filter(([name, one]) => name !== key && one !== undefined);
          write({ ...Object.fromEntries(rest), ...(given > 0 ? of(given) : {}) });
        }}
      />
    </label>
  );
  return (
    <>
      {field('Tokens', tokens, (given) => ({ tokens: given }))}
      {field('Legs', legs, (given) => ({ legs: given }))}
      {field('Minutes', ms === undefined ? undefined : ms / minuteMs, (given) => ({ ms: given * minuteMs }))}
      {field(unit, cost?.amount, (amount) => ({ cost: { amount, unit } }))}
    </>
  );
}

export function ToWhom({
  value,
  required = false,
  onInput,
}: {
  readonly value: string;
  readonly required?: boolean;
  readonly onInput: (to: string) => void;
}) {
  const id = useId();
  return (
    <>
      <input
        list={id}
        value={value}
        required={required}
        placeholder="an agent, a lane, a program, or anyone"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <datalist id={id}>
        {(me.value?.receivers ?? []).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
