/** One task: how it stands, how it got there, and six ways to look at it. Every view has an address. */
import { defined } from '../../../src/core/base/defined.ts';
import { useMemo } from 'preact/hooks';
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import type { TaskSessions } from '../../../src/server/contract/contract-looks.ts';
import { get, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Audit } from '../audit/audit.tsx';
import { setServerTime } from '../parts/clock.ts';
import { Diff } from '../diff/diff.tsx';
import { Loading, RefusalNote } from '../parts/words.tsx';
import { go } from '../shell/here.ts';
import { useKeys, type Binding } from '../shell/keys.ts';
import { addressOf, taskViews, type Place, type TaskView } from '../shell/place.ts';
import { Head } from './head.tsx';
import { History } from './history.tsx';
import { Journal } from './journal.tsx';
import { PacketView } from './packet.tsx';
import { Successor } from './successor.tsx';
import { Timeline } from './timeline.tsx';
import { Waits } from './waits.tsx';
import '../style/task.css';
import '../style/packet.css';
import '../style/story.css';

type Sessions = TaskSessions['sessions'];
export type TaskPlace = Extract<Place, { page: 'task' }>;

const titles: Readonly<Record<TaskView, string>> = {
  packet: 'Packet',
  diff: 'Diff',
  successor: 'What the successor sees',
  history: 'History',
  journal: 'Journal',
  audit: 'Audit',
};

export function Task({ place }: { readonly place: TaskPlace }) {
  const { task } = place;
  const load = async (signal: AbortSignal): Promise<TaskPage> => {
    const page = await get<TaskPage>(taskPath(task), {}, signal);
    setServerTime(page.now);
    return page;
  };
  const { value, refusal, reload } = useLoaded(task, load, { follows: task, everyMs: 700 });
  const keys = useMemo(
    (): readonly Binding[] =>
      taskViews.map((view, n) => ({
        keys: String(n + 1),
        does: titles[view],
        run: () => go({ page: 'task', task, view }),
      })),
    [task],
  );
  useKeys(keys);
  const { value: ran } = useLoaded(
    `ran ${task}`,
    async (signal) => await get<TaskSessions>(taskPath(task, 'sessions'), {}, signal),
    { follows: task, everyMs: 5000 },
  );
  const sessions = ran.value?.sessions ?? none;
  const page = value.value;
  if (page === undefined)
    return refusal.value === undefined ? (
      <Loading what="the task" />
    ) : (
      <>
        <h1>{task}</h1>
        <RefusalNote refusal={refusal.value} retry={reload} />
      </>
    );
  return (
    <article class="task">
      <Head page={page} sessions={sessions} reload={reload} />
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      <Waits page={page} reload={reload} />
      <Timeline task={page.state.task} sessions={sessions} />
      <nav class="views" aria-label="Views of the task">
        {taskViews.map((view) => (
          <a
            key={view}
            href={addressOf(viewPlace(place, view))}
            aria-current={view === place.view ? 'page' : undefined}
          >
            {titles[view]}
          </a>
        ))}
      </nav>
      <View place={place} page={page} sessions={sessions} />
    </article>
  );
}

const none: Sessions = [];

interface ViewProps {
  readonly place: TaskPlace;
  readonly page: TaskPage;
  readonly sessions: Sessions;
}

/** Another view of the same packet. */
function viewPlace({ task, packet }: TaskPlace, view: TaskView): TaskPlace {
  return { page: 'task', task, view, ...defined({ packet }) };
}

function View({ place, page, sessions }: ViewProps) {
  // The address may name a task by the beginning of its id.
  const { task } = page.state;
  switch (place.view) {
    case 'packet':
      return <PacketView place={place} page={page} />;
    case 'diff':
      return page.packet === null ? (
        <p class="quiet">No packet was sealed yet.</p>
      ) : (
        <Diff task={task} packet={place.packet ?? page.packet.digest} />
      );
    case 'successor':
      return <Successor place={place} page={page} />;
    case 'history':
      return <History key={task} place={{ ...place, task }} sessions={sessions} />;
    case 'journal':
      return <Journal key={task} task={task} place={place} seq={page.state.seq} />;
    case 'audit':
      return <Audit key={task} page={page} />;
  }
}
