/** Exactly what the next agent will be given, and how much of its window that takes. */
import { useSignal } from '@preact/signals';
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import type { BriefingAnswer } from '../../../src/server/contract/contract-looks.ts';
import { get, getText, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { bytesOf, counted } from '../parts/said.ts';
import { Copy, Loading, RefusalNote, Section, Twin } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import type { TaskPlace } from './task.tsx';

const budgets = [2000, 4000, 8000, 12_000];

interface Props {
  readonly place: TaskPlace;
  readonly page: TaskPage;
}

export function Successor({ place, page }: Props) {
  const { task } = page.state;
  const asked = Number(place.budget ?? 4000);
  const budget = budgets.includes(asked) ? asked : 4000;
  const reader = useSignal('');
  const target = reader.value;
  const { value, refusal, reload } = useLoaded(
    `briefing ${task} ${budget} ${target}`,
    async (signal) =>
      await get<BriefingAnswer>(
        taskPath(task, 'briefing'),
        { budget, for: target === '' ? undefined : target },
        signal,
      ),
    { follows: task, everyMs: 2000 },
  );
  const made = value.value;
  const twin = `staffetta brief ${task} --budget ${budget}${target === '' ? '' : ` --for ${target}`}`;
  return (
    <Section title="What the successor sees">
      <div class="packet-bar">
        <nav class="choices" aria-label="Budget in tokens">
          {budgets.map((one) => (
            <a
              key={one}
              class="chip"
              href={addressOf({ page: 'task', task, view: 'successor', budget: String(one) })}
              aria-current={one === budget ? 'true' : undefined}
            >
              {one / 1000}k
            </a>
          ))}
        </nav>
        <label>
          Made for{' '}
          <select value={target} onChange={(event) => (reader.value = event.currentTarget.value)}>
            <option value="">any program</option>
            {(made?.readers ?? [target].filter((name) => name !== '')).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Twin command={twin} />
      </div>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {made === undefined ? (
        refusal.value === undefined && <Loading what="the briefing" />
      ) : (
        <>
          <p>
            <strong>{made.tokens.toLocaleString()}</strong> of {made.budget.toLocaleString()} tokens,{' '}
            {bytesOf(new TextEncoder().encode(made.briefing).length)}{' '}
            <Copy text={made.briefing} label="Copy the briefing" class="plain">
              Copy
            </Copy>
          </p>
          {made.cut.length === 0 ? null : (
            <p class="quiet">
              Left out to keep to the budget:{' '}
              {made.cut.map(({ section, left }) => `${counted(left, 'line')} of ${section}`).join(', ')}
            </p>
          )}
          <pre class="exact" tabIndex={0} aria-label="The briefing">
            {made.briefing}
          </pre>
        </>
      )}
      {page.packet === null ? null : <Handoff task={task} packet={place.packet ?? page.packet.digest} />}
    </Section>
  );
}

/** For tools that only read files. */
function Handoff({ task, packet }: { readonly task: string; readonly packet: string }) {
  const open = useSignal(false);
  return (
    <details class="as-table" onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>HANDOFF.md, for tools that read files</summary>
      {open.value ? <HandoffText task={task} packet={packet} /> : null}
    </details>
  );
}

function HandoffText({ task, packet }: { readonly task: string; readonly packet: string }) {
  const { value, refusal } = useLoaded(
    `handoff ${task} ${packet}`,
    async (signal) => await getText(taskPath(task, 'packets', packet, 'handoff'), signal),
  );
  if (refusal.value !== undefined) return <RefusalNote refusal={refusal.value} />;
  return value.value === undefined ? (
    <Loading what="HANDOFF.md" />
  ) : (
    <pre class="exact" tabIndex={0} aria-label="HANDOFF.md">
      {value.value}
    </pre>
  );
}
