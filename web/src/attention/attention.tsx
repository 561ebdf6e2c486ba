/** What got stuck or went wrong: why, since when, and what can be done about it. */
import type { AttentionAnswer } from '../../../src/server/contract-looks.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Levers } from '../levers/levers.tsx';
import { setServerTime } from '../parts/clock.ts';
import { worded } from '../parts/said.ts';
import { Ago, Lane, Loading, RefusalNote, Section, Status, Twin } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import '../style/attention.css';

type Stuck = AttentionAnswer['stuck'][number];

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
    kind: 'lapsed',
    title: 'Lapsed leases',
    says: 'The holder fell silent. The work is offered again when somebody looks for some, or by recover.',
    twin: 'staffetta recover',
  },
  {
    kind: 'declined',
    title: 'Declined',
    says: 'Whoever was asked said no.',
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
  return (
    <>
      <h1>Attention</h1>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {answer === undefined ? (
        refusal.value === undefined && <Loading what="what needs attention" />
      ) : answer.stuck.length === 0 ? (
        <div class="empty">
          <h2>Nothing is stuck</h2>
          <p>Dead letters, escalations, lapsed leases, declined and failed work show up here.</p>
        </div>
      ) : (
        kinds.map(({ kind, title, says, twin }) => {
          const stuck = answer.stuck.filter((one) => one.kind === kind);
          return stuck.length === 0 ? null : (
            <Section key={kind} title={`${title} (${stuck.length})`} aside={<Twin command={twin} />}>
              <p class="quiet">{says}</p>
              <ul class="rows stuck-list">
                {stuck.map((one) => (
                  <StuckRow key={one.card.task} stuck={one} reload={reload} />
                ))}
              </ul>
            </Section>
          );
        })
      )}
      {answer?.more === true ? (
        <p class="quiet">
          There is more than is listed here: <code>staffetta ls --all</code>
        </p>
      ) : null}
    </>
  );
}

function StuckRow({
  stuck: { card, kind, since, reason, why },
  reload,
}: {
  readonly stuck: Stuck;
  readonly reload: () => void;
}) {
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
          since <Ago at={since} />
        </span>
      </p>
      <p class="stuck-why">
        {reason === null ? null : <strong>{worded(reason)}: </strong>}
        {why}
      </p>
      <Levers standing={{ task: card.task, status: card.status }} done={reload} />
    </li>
  );
}
