import type { TaskHistory } from '../../../src/server/contract/contract-looks.ts';
import { useSignal } from '@preact/signals';
import { Said } from '../diff/text.tsx';
import { Fold } from '../parts/fold.tsx';
import { Prose } from '../parts/prose.tsx';
import { span } from '../parts/clock.ts';
import { counted, timeOf, worded } from '../parts/said.ts';

type Step = TaskHistory['steps'][number];
type Result = NonNullable<Step['results']>[number];

/** More of a result than this is shown on request: some are megabytes. */
const shownChars = 4000;

interface StepViewProps {
  readonly step: Step;
  /** The one that stands above it, where that is known. */
  readonly before: Step | undefined;
  readonly isNamed: boolean;
  readonly opened: Set<string>;
  /** Its place: several steps may have one name. */
  readonly place: number;
}

export function StepView({ step, before, isNamed, opened, place }: StepViewProps) {
  const {
    ref,
    source,
    at,
    text,
    reasoning,
    model,
    calls = [],
    results = [],
    mark,
    aside,
    usage,
    given,
  } = step;
  const since = at === null || before?.at === undefined || before.at === null ? 0 : at - before.at;
  return (
    <div class={`step from-${source} ${isNamed ? 'named' : ''} ${aside === undefined ? '' : 'aside'}`}>
      <p class="step-head">
        <code>s{ref}</code>{' '}
        <strong>{given === undefined ? source : given.by === 'user' ? 'user' : 'text'}</strong>
        {given === undefined ? null : <span class="quiet"> in {given.from}</span>}
        {model === undefined ? null : <span class="quiet">{model}</span>}
        {at === null ? null : <span class="quiet">{timeOf(at)}</span>}
        {since < 1000 || before?.session !== step.session ? null : (
          <span class="quiet">after {span(since)}</span>
        )}
        {usage?.output === undefined ? null : <span class="quiet">{counted(usage.output, 'token')}</span>}
        {mark === undefined || given !== undefined ? null : <span class="mark warning">{worded(mark)}</span>}
        {aside === undefined ? null : <span class="mark waiting">{worded(aside)}</span>}
      </p>
      {reasoning === undefined || reasoning === '' ? null : (
        <Fold id={`${place} reasoning`} opened={opened} summary="Reasoning">
          <Prose text={reasoning} />
        </Fold>
      )}
      {text === '' ? null : given !== undefined ? (
        <Long text={given.text} />
      ) : source === 'system' && text.length > 600 ? (
        <Fold id={`${place} text`} opened={opened} summary={`${text.slice(0, 120)}…`}>
          <Long text={text} />
        </Fold>
      ) : (
        <Prose text={text} />
      )}
      {calls.map((call, n) => (
        <Fold
          key={call.id}
          class="call"
          id={`${place} call ${n}`}
          opened={opened}
          summary={
            <>
              <code>{call.tool}</code> <span class="quiet">{argument(call)}</span>{' '}
              <Ended result={results.find((one) => one.call === call.id)} />
            </>
          }
        >
          <pre>{call.raw ?? JSON.stringify(call.args, null, 2)}</pre>
          {results
            .filter((one) => one.call === call.id)
            .map((one, nth) => (
              <ResultView key={nth} result={one} />
            ))}
        </Fold>
      ))}
      {results
        .filter((one) => !calls.some(({ id }) => id === one.call))
        .map((one, n) => (
          <Fold
            key={n}
            class="call"
            id={`${place} result ${n}`}
            opened={opened}
            summary={
              <>
                Result of an earlier call <Ended result={one} />
              </>
            }
          >
            <ResultView result={one} />
          </Fold>
        ))}
    </div>
  );
}

/** The most telling argument of a call, in a line. */
function argument({ args }: NonNullable<Step['calls']>[number]): string {
  const first = ['command', 'cmd', 'file_path', 'path', 'pattern', 'query', 'description']
    .map((name) => args[name])
    .find((value) => value !== undefined);
  const shown = first ?? Object.values(args)[0];
  if (shown === undefined) return '';
  return (typeof shown === 'string' ? shown : JSON.stringify(shown)).replaceAll('\n', ' ').slice(0, 120);
}

function Ended({ result }: { readonly result: Result | undefined }) {
  if (result === undefined) return <span class="mark waiting">no result</span>;
  if (!result.failed) return null;
  return <span class="mark error">failed{result.exit === undefined ? '' : ` (${result.exit})`}</span>;
}

function ResultView({ result: { text, other = [] } }: { readonly result: Result }) {
  return (
    <>
      <Long text={text} />
      {other.length === 0 ? null : <p class="quiet">Also: {other.join(', ')}</p>}
    </>
  );
}

function Long({ text }: { readonly text: string }) {
  const all = useSignal(false);
  const cut = text.length > shownChars && !all.value;
  return (
    <>
      <pre class="result">
        <Said text={cut ? text.slice(0, shownChars) : text} prose />
      </pre>
      {cut ? (
        <button type="button" class="plain" onClick={() => (all.value = true)}>
          All {text.length.toLocaleString()} characters
        </button>
      ) : null}
    </>
  );
}
