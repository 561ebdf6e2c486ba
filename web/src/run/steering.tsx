/** What a person can tell a run. A row of buttons; each asks for its reason and shows its command. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RunAnswer } from '../../../src/server/contract/contract-looks.ts';
import { twinOf } from '../../../src/server/contract/twins.ts';
import { taskPath } from '../api/client.ts';
import { useAsking } from '../levers/asked.ts';
import { RefusalNote, Twin } from '../parts/words.tsx';
import { may } from '../shell/me.ts';
import '../style/levers.css';

type RunLever = 'pause' | 'resume' | 'parallel';

const levers: Readonly<Record<RunLever, { readonly title: string; readonly does: string }>> = {
  pause: { title: 'Pause', does: 'Starts nothing more. What is worked on goes on.' },
  resume: { title: 'Resume', does: 'Goes on where it was.' },
  parallel: {
    title: 'How many at once',
    does: 'So many agents work at the same time. None is stopped for it.',
  },
};

export function Steering({ run, done }: { readonly run: RunAnswer; readonly done: () => void }) {
  const open = useSignal<RunLever | undefined>(undefined);
  const said = useSignal('');
  const isOver = ['done', 'failed', 'cancelled', 'elsewhere'].includes(run.status);
  if (isOver || !may('direct')) return null;
  const offered: readonly RunLever[] = [run.paused === null ? 'pause' : 'resume', 'parallel'];
  return (
    <div class="levers">
      <div class="lever-row">
        {offered.map((lever) => (
          <button
            key={lever}
            type="button"
            aria-expanded={open.value === lever}
            onClick={() => {
              said.value = '';
              open.value = open.value === lever ? undefined : lever;
            }}
          >
            {levers[lever].title}
          </button>
        ))}
        <span role="status" class="lever-said">
          {said.value}
        </span>
      </div>
      {open.value === undefined ? null : (
        <SteerForm
          key={open.value}
          lever={open.value}
          run={run}
          close={(words) => {
            open.value = undefined;
            said.value = words;
            done();
          }}
        />
      )}
    </div>
  );
}

function SteerForm({
  lever,
  run,
  close,
}: {
  readonly lever: RunLever;
  readonly run: RunAnswer;
  readonly close: (words: string) => void;
}) {
  const why = useSignal('');
  const parallel = useSignal(run.parallel);
  const { busy, refusal, send } = useAsking();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input,textarea')?.focus(), []);
  const body = {
    ...(lever === 'parallel' ? { parallel: parallel.value } : { paused: lever === 'pause' }),
    why: why.value,
  };
  const submit = async (): Promise<void> => {
    if ((await send(taskPath(run.task, 'steer'), body)) !== undefined) close('Done: the run was told.');
  };
  const twin = twinOf('steer', run.task, {
    run: run.run,
    ...body,
    why: why.value === '' ? 'TEXT' : why.value,
  });
  return (
    <form
      ref={form}
      class="lever-form"
      aria-label={levers[lever].title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close('');
      }}
    >
      <p>{levers[lever].does}</p>
      {lever !== 'parallel' ? null : (
        <label>
          At once
          <input
            type="number"
            min={1}
            max={1000}
            required
            value={parallel.value}
            onInput={(event) => (parallel.value = event.currentTarget.valueAsNumber || 1)}
          />
        </label>
      )}
      <label>
        Reason
        <textarea
          required
          rows={2}
          value={why.value}
          onInput={(event) => (why.value = event.currentTarget.value)}
        />
      </label>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} />}
      <div class="lever-row">
        <button type="submit" class="primary" disabled={busy.value || why.value.trim() === ''}>
          {levers[lever].title}
        </button>
        <button type="button" onClick={() => close('')}>
          Not now
        </button>
      </div>
      <Twin command={twin} />
    </form>
  );
}
