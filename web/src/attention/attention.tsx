/** What got stuck or went wrong: why, since when, and what can be done about it. */
import type { AttentionAnswer } from '../../../src/server/contract/contract-looks.ts';
import { useSignal, type Signal } from '@preact/signals';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Levers } from '../levers/levers.tsx';
import { now, setServerTime, span } from '../parts/clock.ts';
import { atLeast, timeOf, worded } from '../parts/said.ts';
import { Lane, Loading, RefusalNote, Section, Status, Twin } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { rowsOf, type Stuck, type StuckNow } from './rows.ts';
import '../style/attention.css';

const kinds: readonly {
  readonly kind: Stuck['kind'];
  readonly title: string;
  readonly says: string;
  readonly twin: string;
}[] = [
  {
    kind: 'dead',
    title: 'Dead letters',
    says: 'Every attempt was used up. Nobody is asked again until a person says so.',
    twin: 'staffetta dead',
  },
  {
    kind: 'escalated',
    title: 'Escalations',
    says: 'Stopped until a person decides.',
    twin: 'staffetta ls --status escalated',
  },
  {
    kind: 'person',
    title: 'Waits for a person',
    says: 'A phase is verified, and the next one starts when a person has approved it.',
    twin: 'staffetta',
  },
  {
    kind: 'lapsed',
    title: 'Lapsed leases',
    says: 'The holder fell silent. The work is offered again when somebody looks for some, or by staffetta recover.',
    twin: 'staffetta ls --lapsed',
  },
  {
    kind: 'declined',
    title: 'Declined',
    says: 'The receiver said no.',
    twin: 'staffetta ls --status declined',
  },
  {
    kind: 'failed',
    title: 'Failed',
    says: 'Given up for good, the newest first.',
    twin: 'staffetta ls --status failed --all',
  },
];

async function load(signal: AbortSignal): Promise<AttentionAnswer> {
  const answer = await get<AttentionAnswer>('/api/attention', {}, signal);
  setServerTime(answer.now);
  return answer;
}

export function Attention() {
  const { value, refusal, reload } = useLoaded('attention', load, { follows: 'all', everyMs: 1000 });
  const answer = value.value;
  const writing = useSignal<Stuck | undefined>(undefined);
  const rows = rowsOf(answer?.stuck ?? [], writing.value);
  return (
    <>
      <h1>Attention</h1>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {answer === undefined ? (
        refusal.value === undefined && <Loading what="what needs attention" />
      ) : rows.length === 0 ? (
        <div class="empty">
          <h2>Nothing is stuck</h2>
          <p>Dead letters, escalations, lapsed leases, declined and failed work show up here.</p>
        </div>
      ) : (
        kinds.map(({ kind, title, says, twin }) => {
          const stuck = answer.stuck.filter((one) => one.kind === kind);
          const total = answer.totals.find((one) => one.kind === kind);
          const count = Math.max(total?.count ?? 0, stuck.length);
          const own = rows.filter((one) => one.kind === kind);
          return own.length === 0 ? null : (
            <Section
              key={kind}
              title={`${title} (${atLeast(count, total?.more === true)})`}
              aside={twinsOf(twin, stuck, count).map((command) => (
                <Twin key={command} command={command} />
              ))}
            >
              <p class="quiet">
                {says}
                {count > stuck.length
                  ? ` The first ${stuck.length} are listed here, the command lists all.`
                  : ''}
              </p>
              <ul class="rows stuck-list">
                {own.map((one) => (
                  <StuckRow key={one.card.task} stuck={one} reload={reload} writing={writing} />
                ))}
              </ul>
            </Section>
          );
        })
      )}
    </>
  );
}

/** Those that list just these. Of lapsed leases, those that are offered again already are in a list of their own. */
function twinsOf(twin: string, stuck: readonly Stuck[], count: number): readonly string[] {
  const again = stuck.some(({ card, kind }) => kind === 'lapsed' && card.status === 'lapsed');
  const all = [twin, ...(again ? ['staffetta ls --status lapsed'] : [])];
  return count > stuck.length ? all.map((one) => one.replace(/ ls .*/, '$& --limit 1000')) : all;
}

function StuckRow({
  stuck,
  reload,
  writing,
}: {
  readonly stuck: StuckNow;
  readonly reload: () => void;
  readonly writing: Signal<Stuck | undefined>;
}) {
  const { card, kind, since, reason, why, gone } = stuck;
  return (
    <li class="stuck">
      <p class="stuck-line">
        <Status status={kind} />
        <a class="title" href={addressOf({ page: 'task', task: card.task, view: 'packet' })}>
          {card.title}
        </a>
        <Lane lane={card.lane} />
        {card.holder === null ? null : <span>{card.holder}</span>}
        <span class="quiet">
          <time dateTime={new Date(since).toISOString()} title={timeOf(since)}>
            for {span(now.value - since)}
          </time>
        </span>
      </p>
      <p class="stuck-why">
        {reason === null ? null : <strong>{worded(reason)}: </strong>}
        {why}
      </p>
      <Levers
        standing={{
          task: card.task,
          status: kind === 'dead' && card.status !== 'escalated' ? 'unheard' : card.status,
        }}
        done={reload}
        gone={gone}
        onWriting={(is) => {
          if (is) writing.value = stuck;
          else if (writing.peek()?.card.task === card.task) writing.value = undefined;
        }}
      />
    </li>
  );
}
