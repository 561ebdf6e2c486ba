/** What can be done with all that is selected: what each of them allows. */
import type { Card } from '../../../src/server/contract/contract.ts';
import { Acts } from '../acts/act-form.tsx';
import { actsFor } from '../acts/acts.ts';
import { isResting } from '../../../src/core/task/lapse.ts';
import { now } from '../parts/clock.ts';
import { may } from '../shell/me.ts';
import { selected } from './selected.ts';

export function Bulk({ tasks, done }: { readonly tasks: readonly Card[]; readonly done: () => void }) {
  const chosen = tasks.filter(({ task }) => selected.value.has(task));
  const [first, ...others] = chosen.map(({ status, generation, notBefore }) =>
    actsFor({ status, generation, isResting: isResting(notBefore, now.peek()) }, may),
  );
  if (first === undefined) return null;
  const common = first.filter(({ name }) => others.every((acts) => acts.some((act) => act.name === name)));
  return (
    <div class="bulk" role="region" aria-label="What is selected">
      <Acts
        acts={common}
        tasks={chosen.map(({ task }) => task)}
        done={() => {
          selected.value = new Set();
          done();
        }}
      >
        <strong>{chosen.length} selected</strong>
        <button type="button" class="plain" onClick={() => (selected.value = new Set())}>
          Clear
        </button>
        {common.length === 0 ? <span class="quiet">Nothing can be done with all of them.</span> : null}
      </Acts>
    </div>
  );
}
