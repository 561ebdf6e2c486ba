/** The legs of a task over time. The picture is one stop for the keyboard: arrows go from event to event, Enter opens the journal there. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { workedIn } from '../../../src/core/transcript/session-times.ts';
import type { TaskSessions, TimelineAnswer } from '../../../src/server/contract/contract-looks.ts';
import { get, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { timeOf, worded } from '../parts/said.ts';
import { RefusalNote, Section } from '../parts/words.tsx';
import { go } from '../shell/here.ts';
import { addressOf } from '../shell/place.ts';
import {
  chartOf,
  kindsIn,
  kindWords,
  legWords,
  markWords,
  sizes,
  workedWords,
  type Chart,
  type Leg,
} from './chart.ts';
import { MarkShape } from './mark-shape.tsx';

export function Timeline({
  task,
  sessions,
}: {
  readonly task: string;
  readonly sessions: TaskSessions['sessions'];
}) {
  const { value, refusal, reload } = useLoaded(
    `timeline ${task}`,
    async (signal) => await get<TimelineAnswer>(taskPath(task, 'timeline'), {}, signal),
    { follows: task, everyMs: 1500 },
  );
  const data = useMemo((): Data | undefined => {
    const line = value.value;
    if (line === undefined) return undefined;
    return { ...line, legs: line.legs.map((leg) => ({ ...leg, worked: workedIn(leg, sessions) })) };
  }, [value.value, sessions]);
  return (
    <Section title="Timeline">
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {data === undefined ? (
        <div class="timeline-box waiting" />
      ) : (
        <>
          <Picture task={task} data={data} />
          <AsTable data={data} task={task} />
        </>
      )}
    </Section>
  );
}

type Data = Omit<TimelineAnswer, 'legs'> & { readonly legs: readonly Leg[] };

interface Stop {
  /** The bar or the mark that it is. */
  readonly of: object;
  readonly x: number;
  readonly at: number;
  readonly words: string;
  readonly seq: number | null;
}

interface PictureProps {
  readonly task: string;
  readonly data: Data;
}

function Picture({ task, data }: PictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const place = useSignal(0);
  useEffect(() => {
    const observer = new ResizeObserver(
      ([entry]) => (place.value = Math.floor(entry?.contentRect.width ?? 0)),
    );
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const chart = useMemo(() => chartOf(data, place.value), [data, place.value]);
  const stops = useMemo(() => stopsOf(chart, data), [chart]);
  const at = useSignal<number | undefined>(undefined);
  const chosen = at.value === undefined ? undefined : stops[at.value];
  const open = ({ seq }: Stop): void => {
    if (seq !== null) go({ page: 'task', task, view: 'journal', at: `j${seq}` });
  };
  const move = (to: number): void => {
    at.value = Math.min(Math.max(to, 0), stops.length - 1);
    const x = stops[at.value]?.x ?? 0;
    const element = box.current;
    if (element === null) return;
    const { scrollLeft, clientWidth } = element;
    if (x < scrollLeft + sizes.left || x > scrollLeft + clientWidth - 40)
      element.scrollLeft = x - clientWidth / 2;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by !== undefined) move(at.value === undefined ? (by > 0 ? 0 : stops.length - 1) : at.value + by);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(stops.length - 1);
    else if (event.key === 'Enter' && chosen !== undefined) open(chosen);
    else return;
    event.preventDefault();
  };
  const { width, height, rows, bars, marks, folds, ticks } = chart;
  const bottom = height - sizes.axis;
  const choose = (of: object) => () => {
    at.value = stops.findIndex((stop) => stop.of === of);
  };
  return (
    <>
      <div
        ref={box}
        class="timeline-box"
        tabIndex={0}
        role="group"
        aria-label="Timeline of the legs. Left and right go from event to event, Enter opens the journal there."
        onKeyDown={onKeyDown}
      >
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {folds.map(({ x, width: w, said }) => (
            <g key={x} class="fold">
              <rect x={x} y={0} width={w} height={bottom} />
              <text x={x + w / 2} y={bottom - 10} text-anchor="middle">
                {said}
              </text>
            </g>
          ))}
          {rows.map(({ lane, y }) => (
            <g key={lane}>
              <line x1={0} x2={width} y1={y + sizes.row - 5} y2={y + sizes.row - 5} class="row-line" />
              <text x={8} y={y + 13} class={`lane-name lane-${lane}`}>
                {lane}
              </text>
            </g>
          ))}
          {bars.map(({ leg, x, y, width: w }) => (
            <g
              key={leg.generation}
              class={`leg lane-${leg.lane} ${leg.ended ?? 'now'}`}
              onPointerEnter={choose(leg)}
            >
              <rect x={x} y={y} width={w} height={sizes.bar} rx={3} />
              {w > 40 ? (
                <text x={x + 6} y={y + 13}>
                  {`${leg.agent} · ${workedWords(leg, data.now)}`.slice(0, Math.floor((w - 8) / 6.2))}
                </text>
              ) : null}
            </g>
          ))}
          {marks.map(({ mark, x, y, label }, n) => (
            <g
              key={`${mark.seq} ${n}`}
              class={`point kind-${mark.kind}`}
              onPointerEnter={choose(mark)}
              onClick={() => go({ page: 'task', task, view: 'journal', at: `j${mark.seq}` })}
            >
              <MarkShape kind={mark.kind} x={x} y={y} />
              {label === null ? null : (
                <text x={x + 9} y={y + 4}>
                  {label}
                </text>
              )}
            </g>
          ))}
          {chosen === undefined ? null : (
            <line class="cursor" x1={chosen.x} x2={chosen.x} y1={0} y2={bottom} />
          )}
          {ticks.map(({ x, said }) => (
            <g key={x} class="tick">
              <line x1={x} x2={x} y1={bottom} y2={bottom + 4} />
              <text x={x} y={bottom + 17} text-anchor={x > width - 100 ? 'end' : 'start'}>
                {said}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <ul class="legend" aria-label="Marks of the timeline">
        {kindsIn(data.marks).map((kind) => (
          <li key={kind}>
            <svg width={14} height={14} aria-hidden="true">
              <g class={`point kind-${kind}`}>
                <MarkShape kind={kind} x={7} y={7} />
              </g>
            </svg>
            {kindWords[kind]}
          </li>
        ))}
      </ul>
      <p class="readout" role="status">
        {chosen === undefined ? null : (
          <>
            {chosen.words} <span class="quiet">{timeOf(chosen.at)}</span>
          </>
        )}
      </p>
    </>
  );
}

/** From left to right. */
function stopsOf({ bars, marks }: Chart, { now }: Data): readonly Stop[] {
  const legs = bars.map(({ leg, x }) => ({ of: leg, x, at: leg.from, words: legWords(leg, now), seq: null }));
  const others = marks.map(({ mark, x }) => ({
    of: mark,
    x,
    at: mark.at,
    words: markWords(mark),
    seq: mark.seq,
  }));
  return [...legs, ...others].toSorted((a, b) => a.x - b.x);
}

function AsTable({ data: { legs, marks, now }, task }: PictureProps) {
  const open = useSignal(false);
  return (
    <details class="as-table" onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>The same as a table</summary>
      {open.value ? (
        <div class="table-box" tabIndex={0} role="group" aria-label="Legs and events">
          <table>
            <caption>Legs</caption>
            <thead>
              <tr>
                {['Leg', 'Agent', 'Lane', 'From', 'Lasted', 'Ended', 'Why'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {legs.map((leg) => (
                <tr key={leg.generation}>
                  <td>{leg.generation}</td>
                  <td>{leg.agent}</td>
                  <td>{leg.lane}</td>
                  <td>{timeOf(leg.from)}</td>
                  <td>{workedWords(leg, now)}</td>
                  <td>{leg.ended === null ? 'holds it' : worded(leg.ended)}</td>
                  <td>{leg.why ?? ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <table>
            <caption>Events</caption>
            <thead>
              <tr>
                {['Entry', 'When', 'What', 'By', 'Lane', 'More'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {marks.map((mark, n) => (
                <tr key={n}>
                  <td>
                    <a href={addressOf({ page: 'task', task, view: 'journal', at: `j${mark.seq}` })}>
                      j{mark.seq}
                    </a>
                  </td>
                  <td>{timeOf(mark.at)}</td>
                  <td>{worded(mark.kind)}</td>
                  <td>{mark.by}</td>
                  <td>{mark.lane ?? ''}</td>
                  <td>{mark.text ?? ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </details>
  );
}
