/** What others did with a task since it was looked at: who, what, and their words. */
import type { TaskEvents } from '../../../src/server/contract/contract.ts';
import { get, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Shown } from '../diff/text.tsx';
import { worded } from '../parts/said.ts';
import { Ago } from '../parts/words.tsx';
import { eventText } from '../task/event-words.ts';
import { happenedIn } from './happened.ts';

/** More than these are in the journal. */
const most = 5;

export function Since({
  task,
  from,
  to,
}: {
  readonly task: string;
  readonly from: number;
  readonly to: number;
}) {
  const { value } = useLoaded(`since ${task} ${from} ${to}`, async (signal) =>
    to <= from ? null : await get<TaskEvents>(taskPath(task, 'events'), { from: from + 1 }, signal),
  );
  const happened = happenedIn(value.value?.entries ?? []);
  if (happened.length === 0) return null;
  return (
    <ul>
      {happened.slice(-most).map(({ by, at, event }, n) => {
        const text = eventText(event);
        return (
          <li key={n}>
            <strong>{worded(event.type)}</strong> by {by} <Ago at={at} />
            {text === '' ? null : (
              <>
                : <Shown text={text} prose />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
