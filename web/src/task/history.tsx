/** The reasoning of all legs as one story. Steps are loaded when they come into view; what tools were called with is folded. */
import { defined } from '../../../src/core/base/defined.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TaskHistory, TaskSessions } from '../../../src/server/contract/contract-looks.ts';
import { get, taskPath } from '../api/client.ts';
import { onChange } from '../api/live.ts';
import { span } from '../parts/clock.ts';
import { Pages } from '../parts/pages.ts';
import { counted, timeOf } from '../parts/said.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { Loading, RefusalNote, Section, Twin } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import type { TaskPlace } from './task.tsx';
import { chapterAt, type StepHead } from './chapters.ts';
import { StepView } from './step.tsx';

type Step = TaskHistory['steps'][number];
type About = Pick<TaskHistory, 'sessions' | 'legs' | 'unread'>;

const pageSteps = 50;
const showWords = {
  all: 'everything',
  said: 'what was said',
  calls: 'tools',
  failed: 'what failed',
} as const;

const shows = ['said', 'calls', 'failed'] as const;

export function History({
  place,
  sessions,
}: {
  readonly place: TaskPlace;
  readonly sessions: TaskSessions['sessions'];
}) {
  const { task, at } = place;
  const show = shows.find((one) => one === place.show);
  const about = useSignal<About | undefined>(undefined);
  const pages = useMemo(
    () =>
      new Pages<Step>(async (from, limit) => {
        const { steps, total, ...rest } = await get<TaskHistory>(taskPath(task, 'history'), {
          from,
          limit,
          show,
        });
        about.value = rest;
        return { from, items: steps, total };
      }, pageSteps),
    [task, show],
  );
  const opened = useMemo(() => new Set<string>(), [task, show]);
  const folds = useSignal(0);
  const named = useSignal<number | undefined>(undefined);
  const unknown = useSignal(false);
  useEffect(() => void pages.ask(0), [pages]);
  useEffect(
    () =>
      onChange((event) => event.task === task && event.types.includes('checkpoint-sealed') && pages.forget()),
    [pages],
  );
  useEffect(() => {
    const [, digits] = /^s(\d{1,9})$/.exec(at ?? '') ?? [];
    const find = async (): Promise<void> => {
      unknown.value = false;
      named.value = undefined;
      if (digits === undefined) return;
      try {
        const found = await get<TaskHistory>(taskPath(task, 'history'), { at: Number(digits), limit: 1 });
        named.value = found.at ?? undefined;
      } finally {
        unknown.value = named.value === undefined;
      }
    };
    void find().catch(() => {});
  }, [task, at]);
  void pages.version.value;
  const total = pages.total.value;
  const { refusal } = pages;
  return (
    <Section
      title="History"
      aside={<span class="quiet">{total === undefined ? '' : counted(total, 'step')}</span>}
    >
      <div class="packet-bar">
        <nav class="choices" aria-label="Which steps">
          {[undefined, ...shows].map((one) => (
            <a
              key={one ?? 'all'}
              class="chip"
              href={addressOf({
                page: 'task',
                task,
                view: 'history',
                ...defined({ show: one }),
              })}
              aria-current={one === show ? 'true' : undefined}
            >
              {showWords[one ?? 'all']}
            </a>
          ))}
        </nav>
        <button
          type="button"
          class="plain"
          onClick={() => {
            opened.clear();
            folds.value += 1;
          }}
        >
          Fold all
        </button>
        <Twin command={`staffetta history ${task}`} />
      </div>
      {unknown.value ? <p class="stopped">Nothing is called {at} here.</p> : null}
      {refusal.value === undefined ? null : (
        <RefusalNote refusal={refusal.value} retry={() => void pages.ask(0)} />
      )}
      <Sessions sessions={sessions} />
      {about.value?.unread.map(({ runtime, session, why }) => (
        <p key={session} class="note-line warning">
          {runtime} {session}: {why}
        </p>
      ))}
      {total === undefined ? (
        refusal.value === undefined && <Loading what="the history" />
      ) : total === 0 ? (
        <p class="quiet">
          {show === undefined ? 'No packet holds steps.' : 'No step is of this kind.'} All that it has:{' '}
          <code>staffetta show {task} --history</code>
        </p>
      ) : (
        <VirtualList
          of={`${show ?? ''} ${folds.value}`}
          label="Steps"
          class="story"
          count={total}
          rowPx={90}
          at={show === undefined ? named.value : undefined}
          render={(n) => {
            const step = pages.at(n);
            if (step === undefined) return <div class="step loading-line">Step {n + 1}</div>;
            const before = n === 0 ? undefined : pages.known(n - 1);
            return (
              <>
                <Chapter
                  head={about.value === undefined ? undefined : chapterAt(about.value, before, step)}
                />
                <StepView
                  step={step}
                  before={before}
                  isNamed={show === undefined && named.value === n}
                  opened={opened}
                  place={n}
                />
              </>
            );
          }}
        />
      )}
    </Section>
  );
}

/** Where the work changes hands, or another session goes on. */
function Chapter({ head }: { readonly head: StepHead | undefined }) {
  if (head === undefined) return null;
  return (
    <h3 class="chapter">
      {head.leg === undefined ? null : (
        <>
          Leg {head.leg.generation}: {head.leg.agent}{' '}
          <span class={`lane lane-${head.leg.lane}`}>{head.leg.lane}</span>{' '}
        </>
      )}
      <span class="quiet">{head.session}</span>
    </h3>
  );
}

/** When each session ran by its own clock, how long it is and what its model wrote. */
function Sessions({ sessions }: Pick<TaskSessions, 'sessions'>) {
  if (sessions.length === 0) return null;
  return (
    <ul class="rows session-list">
      {sessions.map(({ generation, runtime, session, model, from, until, steps, written }) => (
        <li key={session}>
          <strong>{runtime === 'unknown' ? 'A transcript' : runtime}</strong>
          {model === null ? null : <span class="quiet">{model}</span>}
          <span title={`${timeOf(from)} to ${timeOf(until)}`}>ran for {span(until - from)}</span>
          <span>{counted(steps, 'step')}</span>
          {written === 0 ? null : <span>{counted(written, 'token')} written</span>}
          {generation === 0 ? null : <span class="quiet">leg {generation}</span>}
        </li>
      ))}
    </ul>
  );
}
