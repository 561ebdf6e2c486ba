/** Work that begins here: a task that somebody describes, or a session that goes on in another program. */
import { signal, useSignal } from '@preact/signals';
import type { PassOnAnswer, SessionList } from '../../../src/server/contract/contract-looks.ts';
import { twinOf } from '../../../src/server/contract/twins.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Ago, Loading, RefusalNote, Twin } from '../parts/words.tsx';
import { go } from '../shell/here.ts';
import { ToWhom } from './act-form.tsx';
import { useAsking } from './asked.ts';

/** What is asked for now, and with which words it begins. */
export const beginning = signal<{ readonly what: 'task' | 'session'; readonly goal?: string } | undefined>(
  undefined,
);

const close = (): void => void (beginning.value = undefined);

export function Beginning() {
  const asked = beginning.value;
  if (asked === undefined) return null;
  return asked.what === 'task' ? <NewTask goal={asked.goal ?? ''} /> : <ContinueSession />;
}

function NewTask({ goal: given }: { readonly goal: string }) {
  const goal = useSignal(given);
  const accept = useSignal('');
  const to = useSignal('');
  const human = useSignal(true);
  const { busy, refusal, sendAll } = useAsking();
  const acceptance = accept.value.split('\n').filter((line) => line.trim() !== '');
  const body = {
    goal: goal.value,
    ...(acceptance.length === 0 ? {} : { acceptance }),
    ...(to.value.trim() === '' ? {} : { to: to.value.trim() }),
    ...(human.value ? { human: true } : {}),
  };
  const submit = async (): Promise<void> => {
    const [opened] = (await sendAll([{ path: '/api/tasks', body }])) ?? [];
    if (opened === undefined) return;
    close();
    go({ page: 'task', task: opened.task, view: 'packet' });
  };
  return (
    <Dialog title="New task" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          What is to be done
          <textarea
            required
            rows={3}
            value={goal.value}
            onInput={(event) => (goal.value = event.currentTarget.value)}
          />
        </label>
        <label>
          Done when, a line each
          <textarea
            rows={2}
            value={accept.value}
            onInput={(event) => (accept.value = event.currentTarget.value)}
          />
        </label>
        <label>
          For whom
          <ToWhom value={to.value} onInput={(whom) => (to.value = whom)} />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={human.value}
            onChange={(event) => (human.value = event.currentTarget.checked)}
          />{' '}
          a person approves it
        </label>
        {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} />}
        <Twin
          command={twinOf('open', '', { ...body, goal: goal.value.trim() === '' ? 'GOAL' : goal.value })}
        />
        <p class="buttons">
          <button class="primary" disabled={busy.value || goal.value.trim() === ''}>
            {busy.value ? 'Opening' : 'Open it'}
          </button>
          <button type="button" onClick={close}>
            Not now
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function ContinueSession() {
  const { value, refusal } = useLoaded(
    'sessions',
    async (signal) => await get<SessionList>('/api/sessions', {}, signal),
  );
  const chosen = useSignal<string | undefined>(undefined);
  const picked = useSignal<string | undefined>(undefined);
  const came = useSignal<PassOnAnswer | undefined>(undefined);
  const asking = useAsking();
  const list = value.value;
  const titleOf = (name: string): string => list?.programs.find((one) => one.name === name)?.title ?? name;
  const session = list?.sessions.find(({ id }) => id === chosen.value) ?? list?.sessions[0];
  const here = list?.programs.filter((one) => one.here) ?? [];
  const next = here.find(({ name }) => name !== session?.runtime) ?? here[0] ?? list?.programs[0];
  const program = picked.value ?? next?.name ?? '';
  const submit = async (): Promise<void> => {
    if (session === undefined) return;
    const body = { runtime: session.runtime, session: session.id, in: program };
    const [done] = (await asking.sendAll<PassOnAnswer>([{ path: '/api/sessions/pass-on', body }])) ?? [];
    came.value = done;
  };
  return (
    <Dialog title="Continue a session" onClose={close}>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} />}
      {came.value !== undefined ? (
        <>
          <p class="came" role="status">
            It is sealed, and offered to {titleOf(program)}. Start it where the work is:
          </p>
          <Twin command={came.value.command} />
          <p class="buttons">
            <button
              type="button"
              class="primary"
              onClick={() => {
                const task = came.value?.task;
                close();
                if (task !== undefined) go({ page: 'task', task, view: 'packet' });
              }}
            >
              Look at the task
            </button>
          </p>
        </>
      ) : list === undefined ? (
        refusal.value === undefined && <Loading what="the sessions" />
      ) : session === undefined ? (
        <p>
          No coding agent has left a session in <code>{list.folder}</code>.
        </p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <fieldset class="sessions">
            <legend class="visually-hidden">Session</legend>
            {list.sessions.map(({ runtime, id, title, lastPrompt, updatedAt, liveness }) => (
              <label key={id} class="check">
                <input
                  type="radio"
                  name="session"
                  checked={session.id === id}
                  onChange={() => (chosen.value = id)}
                />
                <span>
                  <strong>{titleOf(runtime)}</strong> {title ?? lastPrompt ?? id.slice(0, 12)}
                </span>
                <span class="quiet">
                  {liveness === 'alive' ? 'still open, ' : ''}
                  <Ago at={updatedAt} />
                </span>
              </label>
            ))}
          </fieldset>
          <label>
            Goes on in
            <select value={program} onChange={(event) => (picked.value = event.currentTarget.value)}>
              {list.programs.map(({ name, title, here: isHere }) => (
                <option key={name} value={name}>
                  {isHere ? title : `${title}, not installed here`}
                </option>
              ))}
            </select>
          </label>
          {asking.refusal.value === undefined ? null : <RefusalNote refusal={asking.refusal.value} />}
          <p class="buttons">
            <button class="primary" disabled={asking.busy.value}>
              {asking.busy.value ? 'Sealing' : 'Seal it and offer it'}
            </button>
            <button type="button" onClick={close}>
              Not now
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}
