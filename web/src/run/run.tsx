/** A run: how it stands, its graph, who holds what, and who was at work when. */
import { plainStatusOf } from '../../../src/core/task/card.ts';
import type { RunAnswer } from '../../../src/server/contract/contract-looks.ts';
import { get, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Acts } from '../acts/act-form.tsx';
import { isFinal } from '../../../src/core/task/state.ts';
import { actsFor, answerAct, phaseAct, startAct, steerActs } from '../acts/acts.ts';
import { setServerTime } from '../parts/clock.ts';
import { spentWords, timeOf } from '../parts/said.ts';
import { Lane, Loading, RefusalNote, Section, Stands, Twin } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { Graph, NodeTitle } from './graph.tsx';
import type { RunRow } from './spans.ts';
import { may } from '../shell/me.ts';
import { Lanes } from './lanes.tsx';
import '../style/run.css';

export function Run({ task }: { readonly task: string }) {
  const { value, refusal, reload } = useLoaded(
    `run ${task}`,
    async (signal) => {
      const answer = await get<RunAnswer>(taskPath(task, 'run'), {}, signal);
      setServerTime(answer.now);
      return answer;
    },
    { follows: 'all', everyMs: 1000 },
  );
  const run = value.value;
  return (
    <>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {run === undefined ? (
        refusal.value === undefined && <Loading what="the run" />
      ) : (
        <>
          <Head run={run} reload={reload} />
          <Section title="Tasks and what they need">
            <Graph rows={run.rows} />
            {run.more === 0 ? null : <p class="quiet">{run.more} more are in the plan.</p>}
          </Section>
          <Section title="Who holds what">
            <ul class="rows run-rows">
              {byUrgency(run.rows).map((row) => (
                <TaskRow key={row.name} row={row} reload={reload} />
              ))}
            </ul>
          </Section>
          {run.kept.length === 0 ? null : (
            <Section title="Trees that were kept">
              <ul class="rows">
                {run.kept.map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
              <p class="quiet">
                What would be lost with them: <code>staffetta sweep --trees {run.run} --dry-run</code>
              </p>
            </Section>
          )}
          <Section title="Lanes over time">
            <Lanes rows={run.rows} />
          </Section>
        </>
      )}
    </>
  );
}

function Head({ run, reload }: { readonly run: RunAnswer; readonly reload: () => void }) {
  const isOver = isFinal(run);
  const spent = spentWords(run.spent);
  const counts = Object.entries(run.counts).filter(([, count]) => count > 0);
  return (
    <header class="run-head">
      <h1>Run {run.run}</h1>
      <p>{run.goal}</p>
      <p class="run-facts">
        {isOver ? <Stands stands={plainStatusOf(run)} /> : null}
        {counts.map(([stands, count]) => (
          <span key={stands}>
            {count} <Stands stands={stands} />
          </span>
        ))}
        <span>{run.parallel} at once</span>
        {spent === '' ? null : <span>{spent}</span>}
        {run.branch === null ? null : <code>{run.branch}</code>}
        <a href={addressOf({ page: 'task', task: run.task, view: 'journal' })}>its journal</a>
      </p>
      {run.paused === null ? null : (
        <p class="banner" role="status">
          Paused: {run.paused}
        </p>
      )}
      {run.capped === null ? null : (
        <p class="banner" role="status">
          {run.capped.why} Go on with as much again?
        </p>
      )}
      {run.phase === null ? null : (
        <p class="banner" role="status">
          The phase {run.phase} is over and waits for you.
        </p>
      )}
      {isOver || run.supervisor !== null ? null : (
        <div class="banner" role="status">
          Nobody supervises it now, so nothing starts. Go on with it:{' '}
          <Twin command={`staffetta run --name ${run.run}`} />
        </div>
      )}
      {isOver ? null : (
        <Acts
          acts={[
            ...(run.capped === null ? [] : [answerAct(run.capped.decision, ['more', 'stop'])]),
            ...(run.phase === null ? [] : [phaseAct(run.phase)]),
            ...steerActs(run),
          ]}
          tasks={[run.task]}
          done={reload}
        />
      )}
    </header>
  );
}

const urgency: readonly RunRow['stands'][] = ['needs you', 'in work', 'stopped', 'waiting', 'done'];

/** What waits for the reader first; otherwise as in the plan. */
function byUrgency(rows: readonly RunRow[]): readonly RunRow[] {
  return rows.toSorted((a, b) => urgency.indexOf(a.stands) - urgency.indexOf(b.stands));
}

function TaskRow({ row, reload }: { readonly row: RunRow; readonly reload: () => void }) {
  const { stands, lane, holder, runtime, wait, until, startsWith, progress, spent, status, task, commit } =
    row;
  const used = spentWords(spent);
  return (
    <li class="run-row">
      <Stands stands={stands} />
      <div class="run-what">
        <NodeTitle row={row} /> <span class="quiet id">{row.name}</span>
        {wait === null ? null : (
          <p class="quiet">
            {wait}
            {until === null ? '' : ` until ${timeOf(until)}`}
          </p>
        )}
        {status === 'submitted' && stands === 'needs you' ? (
          <a href={addressOf({ page: 'review', task })}>Review it</a>
        ) : null}
      </div>
      <div>
        <Lane lane={lane} /> {holder ?? ''}
        {runtime === null ? null : <span class="quiet"> in {runtime}</span>}
      </div>
      <div class="quiet">
        {progress === null ? null : (
          <span>
            {progress.at}
            {progress.of === null ? '' : ` of ${progress.of}`} {progress.unit ?? ''}{' '}
          </span>
        )}
        {used}
        {commit === null ? null : <code title={commit}> {commit.slice(0, 8)}</code>}
      </div>
      {status === null || stands === 'done' || stands === 'stopped' ? null : (
        <details class="run-act">
          <summary>
            Act<span class="visually-hidden"> on {row.title}</span>
          </summary>
          <Acts
            acts={[...(startsWith === null ? [] : [startAct(startsWith)]), ...actsFor({ status }, may)]}
            tasks={[task]}
            done={reload}
          />
        </details>
      )}
    </li>
  );
}
