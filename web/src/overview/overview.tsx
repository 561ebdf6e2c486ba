/** Who works on what now, and how it went: small charts, and what happens as it happens. */
import { useSignal } from '@preact/signals';
import { isLapsed } from '../../../src/core/task/lapse.ts';
import type { Glances, TaskList } from '../../../src/server/contract/contract.ts';
import type {
  EventType,
  FiguresAnswer,
  OverviewAnswer,
} from '../../../src/server/contract/contract-looks.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { now, setServerTime, span } from '../parts/clock.ts';
import { Lease } from '../parts/lease.tsx';
import { counted } from '../parts/said.ts';
import { ShapeLine } from '../parts/shape.tsx';
import { Ago, Lane, Loading, RefusalNote, Section } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { barsOf, lanesOf, periods, type CountName, type Period } from './buckets.ts';
import { figuresOf } from './figures.ts';
import '../style/overview.css';

const heldMax = 50;

interface Loaded {
  readonly overview: OverviewAnswer;
  readonly held: Glances['glances'];
  readonly isMore: boolean;
  readonly titles: ReadonlyMap<string, string>;
}

async function load(signal: AbortSignal): Promise<Loaded> {
  const [overview, held] = await Promise.all([
    get<OverviewAnswer>('/api/overview', {}, signal),
    get<TaskList>('/api/tasks', { status: ['held'], limit: heldMax }, signal),
  ]);
  setServerTime(overview.now);
  const tasks = [...new Set([...held.tasks, ...overview.recent].map(({ task }) => task))].slice(0, 100);
  const { glances } =
    tasks.length === 0 ? { glances: [] } : await get<Glances>('/api/glances', { task: tasks }, signal);
  // Who fell silent holds it only in name.
  const atWork = held.tasks.filter((card) => !isLapsed(card, overview.now));
  const isHeld = new Set<string>(atWork.map(({ task }) => task));
  return {
    overview,
    held: glances.filter(({ card }) => isHeld.has(card.task)),
    isMore: held.next !== null,
    titles: new Map(glances.map(({ card }) => [card.task, card.title])),
  };
}

export function Overview() {
  const { value, refusal, reload } = useLoaded('overview', load, { follows: 'all', everyMs: 1500 });
  const period = useSignal<Period>('day');
  const loaded = value.value;
  return (
    <>
      <header class="page-head">
        <h1>Overview</h1>
        <div class="switch" role="group" aria-label="Period">
          {(Object.keys(periods) as Period[]).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={period.value === one}
              onClick={() => (period.value = one)}
            >
              {periods[one].said}
            </button>
          ))}
        </div>
      </header>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {loaded === undefined ? (
        refusal.value === undefined && <Loading what="the overview" />
      ) : (
        <>
          <Tiles overview={loaded.overview} period={period.value} />
          <Standing />
          <div class="overview-columns">
            <div>
              <Working held={loaded.held} isMore={loaded.isMore} />
              <Lanes overview={loaded.overview} period={period.value} />
            </div>
            <Recent recent={loaded.overview.recent} titles={loaded.titles} />
          </div>
        </>
      )}
    </>
  );
}

/** Looked at less often than the rest: every task that is not over is counted. */
const standingMs = 15_000;

async function loadFigures(signal: AbortSignal): Promise<FiguresAnswer> {
  return await get<FiguresAnswer>('/api/figures', {}, signal);
}

function Standing() {
  const { value } = useLoaded('figures', loadFigures, { follows: 'all', everyMs: standingMs });
  if (value.value === undefined) return null;
  return (
    <Section title="How it stands">
      <ul class="rows figures">
        {figuresOf(value.value).map(({ text, isBad, run }) => (
          <li key={text} class={isBad ? 'bad' : ''}>
            {run === undefined ? text : <a href={addressOf({ page: 'run', task: run })}>{text}</a>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const tiles: readonly { readonly name: CountName; readonly title: string; readonly tone: string }[] = [
  { name: 'done', title: 'Done', tone: 'good' },
  { name: 'opened', title: 'Opened', tone: 'busy' },
  { name: 'sentBack', title: 'Sent back', tone: 'warning' },
  { name: 'lapsed', title: 'Fell silent', tone: 'error' },
  { name: 'stopped', title: 'Stopped', tone: 'error' },
  { name: 'tokens', title: 'Tokens', tone: 'plan' },
];

function Tiles({ overview, period }: { readonly overview: OverviewAnswer; readonly period: Period }) {
  return (
    <>
      <ul class="rows tiles">
        {tiles.map(({ name, title, tone }) => {
          const bars = barsOf(overview.hours, name, period, overview.now);
          const sum = bars.reduce((all, one) => all + one, 0);
          return (
            <li key={name} class={`tile tone-${tone}`}>
              <span class="tile-title">{title}</span>
              <strong>{short(sum)}</strong>
              <Bars bars={bars} words={`${title}: ${sum} in ${periods[period].said}`} />
            </li>
          );
        })}
      </ul>
      {overview.from === null ? null : (
        <p class="quiet">
          Counted since <Ago at={overview.from} />: there is more before that.
        </p>
      )}
    </>
  );
}

function Bars({ bars, words }: { readonly bars: readonly number[]; readonly words: string }) {
  const most = Math.max(1, ...bars);
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${bars.length * 4} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      {bars.map((count, n) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * 24);
        return (
          <rect
            key={n}
            x={n * 4}
            y={24 - height}
            width={3}
            height={height}
            class={count === 0 ? 'none' : ''}
          />
        );
      })}
    </svg>
  );
}

function short(count: number): string {
  return count < 10_000
    ? count.toLocaleString()
    : Intl.NumberFormat(undefined, { notation: 'compact' }).format(count);
}

function Working({ held, isMore }: { readonly held: Loaded['held']; readonly isMore: boolean }) {
  return (
    <Section title="At work now" aside={<span class="quiet">{held.length + (isMore ? '+' : '')}</span>}>
      {held.length === 0 ? <p class="quiet">Nobody is at work.</p> : null}
      <ul class={held.length === 0 ? 'rows' : 'rows panel working'}>
        {held.map(({ card, shape }) => (
          <li key={card.task}>
            <span class="cut-off" title={card.holder ?? ''}>
              <strong>{card.holder}</strong>
            </span>
            <Lane lane={card.lane} />
            <a class="title" href={addressOf({ page: 'task', task: card.task, view: 'packet' })}>
              {card.title}
            </a>
            <ShapeLine shape={shape} />
            {card.leaseUntil === null ? null : (
              <Lease until={card.leaseUntil} since={card.updatedAt} updatedAt={card.updatedAt} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Lanes({ overview, period }: { readonly overview: OverviewAnswer; readonly period: Period }) {
  const lanes = lanesOf(overview.hours, period, overview.now);
  const most = Math.max(1, ...lanes.map(({ ms }) => ms));
  return (
    <Section
      title="Time by lane"
      aside={<span class="quiet">legs that ended in {periods[period].said}</span>}
    >
      {lanes.length === 0 ? <p class="quiet">No leg ended.</p> : null}
      <ul class="rows lane-sums">
        {lanes.map(({ lane, legs, ms }) => (
          <li key={lane}>
            <Lane lane={lane} />
            <meter min={0} max={most} value={ms} aria-label={`Time in ${lane}`} class={`meter-${lane}`} />
            <span>
              {span(ms)}{' '}
              <span class="quiet">
                in {counted(legs, 'leg')}, {span(ms / legs)} each
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** As many as a screen has room for. */
const recentFirst = 20;

function Recent({
  recent,
  titles,
}: {
  readonly recent: OverviewAnswer['recent'];
  readonly titles: Loaded['titles'];
}) {
  const all = useSignal(false);
  const shown = all.value ? recent : recent.slice(0, recentFirst);
  return (
    <Section title="As it happens">
      {recent.length === 0 ? <p class="quiet">Nothing has happened yet.</p> : null}
      <ol class="rows feed" aria-label="The latest entries">
        {shown.map(({ task, at, by, types }, n) => (
          <li key={`${task} ${at} ${n}`}>
            <time class="quiet" dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
              {span(now.value - at)}
            </time>
            <span>
              <strong>{by}</strong> {actIn(types)}{' '}
              <a href={addressOf({ page: 'task', task, view: 'journal' })}>{titles.get(task) ?? task}</a>
            </span>
          </li>
        ))}
      </ol>
      {shown.length === recent.length ? null : (
        <button type="button" class="plain" onClick={() => (all.value = true)}>
          Show {recent.length - shown.length} more
        </button>
      )}
    </Section>
  );
}

/** What somebody did, in words that a title can follow; of what one entry holds, the first of these that is in it. */
const acts: Readonly<Record<Exclude<EventType, 'signed'>, string>> = {
  'task-opened': 'opened',
  'task-done': 'ended as done',
  'task-failed': 'ended as failed',
  'task-cancelled': 'cancelled',
  escalated: 'put before a person',
  'review-approved': 'approved',
  'review-sent-back': 'sent back',
  submitted: 'handed in',
  'leg-lapsed': 'noticed silence on',
  'leg-started': 'took',
  'offer-declined': 'declined',
  'offer-expired': 'saw an offer run out of',
  'offer-dead': 'gave up on',
  'task-forked': 'forked',
  'task-left': 'sent away',
  'task-arrived': 'received',
  'need-met': 'met a need of',
  'effect-intended': 'began an outside change for',
  'effect-settled': 'noted how an outside change ended for',
  'phase-verified': 'finished a phase of',
  'phase-failed': 'failed a phase of',
  'phase-rolled-back': 'undid a phase of',
  'phase-started': 'began a phase of',
  'offer-made': 'offered',
  'leg-acknowledged': 'took over',
  'checkpoint-sealed': 'sealed',
  'validation-run': 'ran a check of',
  'progress-moved': 'moved on with',
  'decision-made': 'decided something in',
  'decision-raised': 'asked about',
  'decision-answered': 'answered in',
  'attempt-failed': 'noted a dead end in',
  note: 'noted something in',
  message: 'wrote to',
  'messages-read': 'read messages of',
  'contract-amended': 'amended',
  'usage-counted': 'counted tokens of',
  'state-kept': 'kept the place in',
  'offer-withdrawn': 'took back',
  'leg-ended': 'gave back',
  integrated: 'merged',
  'integration-due': 'is to merge',
  'phase-approved': 'approved a phase of',
  'run-steered': 'steered',
  'run-step': 'moved on with',
};

function actIn(types: readonly string[]): string {
  return Object.entries(acts).find(([type]) => types.includes(type))?.[1] ?? 'signed';
}
