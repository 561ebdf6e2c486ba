/** A packet: what was agreed, what is claimed and on what grounds, what was probed, and what the gate found beside each line. */
import { readiness } from '../../../src/core/packet/readiness.ts';
import { useMemo } from 'preact/hooks';
import type { PacketList, PacketPage, TaskPage } from '../../../src/server/contract/contract.ts';
import { get, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { ago, now } from '../parts/clock.ts';
import { Pair } from '../parts/pair.tsx';
import { addressed, worded } from '../parts/said.ts';
import { Ago, DigestOf, Lane, Loading, RefusalNote, Section, Twin } from '../parts/words.tsx';
import { go } from '../shell/here.ts';
import { Beside, BesideContext } from './beside.tsx';
import { besides, placesOf, whole } from './beside.ts';
import { ClaimsPart } from './claims.tsx';
import { ContractPart } from './contract.tsx';
import { FactsPart } from './facts.tsx';
import { LeftPart } from './left.tsx';
import { RemarksPart } from './remarks.tsx';
import type { TaskPlace } from './task.tsx';

interface Props {
  readonly place: TaskPlace;
  readonly page: TaskPage;
}

export function PacketView({ place, page }: Props) {
  const { task } = page.state;
  const latest = page.packet?.digest ?? null;
  const wanted = place.packet ?? latest;
  const { value, refusal, reload } = useLoaded(`packet ${task} ${wanted ?? ''}`, async (signal) =>
    wanted === null ? null : await get<PacketPage>(taskPath(task, 'packets', wanted), {}, signal),
  );
  const shown = value.value;
  return (
    <>
      <div class="packet-bar">
        {latest === null ? null : <Choose task={task} wanted={wanted} latest={latest} />}
        <Twin
          command={
            place.packet === undefined
              ? `staffetta show ${task}`
              : `staffetta show ${task} --packet ${place.packet.slice(0, 19)}`
          }
        />
      </div>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {shown === undefined ? (
        refusal.value === undefined && <Loading what="the packet" />
      ) : shown === null ? (
        <>
          <p class="quiet">No packet was sealed yet.</p>
          <ContractPart contract={page.contract.contract} added={page.contract.added} />
        </>
      ) : (
        <Whole shown={shown} isLatest={shown.digest === latest} />
      )}
      {wanted === latest ? <RemarksPart remarks={page.remarks} task={task} /> : null}
    </>
  );
}

function Whole({ shown, isLatest }: { readonly shown: PacketPage; readonly isLatest: boolean }) {
  const { packet, contract, findings } = shown;
  const found = useMemo(() => besides(findings, placesOf(shown)), [shown]);
  return (
    <BesideContext.Provider value={found}>
      {isLatest ? null : <p class="stopped">This is not the latest packet.</p>}
      <Sealed shown={shown} />
      <Beside path={whole} />
      <div class="packet-columns">
        <div>
          <ClaimsPart task={shown.task} claims={packet.claims} />
          <LeftPart packet={packet} task={shown.task} />
        </div>
        <div>
          <ContractPart contract={contract} added={shown.added} />
          <FactsPart shown={shown} />
        </div>
      </div>
    </BesideContext.Provider>
  );
}

function Sealed({ shown: { packet, digest, number, certification } }: { readonly shown: PacketPage }) {
  const { from, to, trigger, why, at, lane, head, generation } = packet;
  return (
    <Section
      title={`Packet ${number}`}
      aside={<span class={`certified certified-${certification}`}>{readiness(certification)}</span>}
    >
      <dl class="pairs">
        <Pair name="sealed">
          by {from.name}
          {from.runtime === undefined ? '' : ` (${from.runtime})`} in leg {generation}, <Ago at={at} />
        </Pair>
        {to === undefined ? null : (
          <Pair name="handed to">
            {addressed(to)}, lane <Lane lane={lane} />
            <Beside path="to" />
          </Pair>
        )}
        <Pair name="because">
          {worded(trigger)}
          {why === undefined ? '' : `: ${why}`}
        </Pair>
        <Pair name="digest">
          <DigestOf digest={digest} />
        </Pair>
        <Pair name="witnesses">
          entry {head.seq}, <DigestOf digest={head.digest} />
        </Pair>
      </dl>
    </Section>
  );
}

interface ChooseProps {
  readonly task: string;
  readonly wanted: string | null;
  readonly latest: string;
}

function Choose({ task, wanted, latest }: ChooseProps) {
  const { value } = useLoaded(
    `packets ${task} ${latest}`,
    async (signal) => await get<PacketList>(taskPath(task, 'packets'), {}, signal),
  );
  const packets = value.value?.packets ?? [];
  return (
    <label>
      Packet{' '}
      <select
        value={wanted ?? ''}
        onChange={(event) => {
          const packet = event.currentTarget.value;
          go({ page: 'task', task, view: 'packet', ...(packet === latest ? {} : { packet }) });
        }}
      >
        {packets.length === 0 ? <option value={wanted ?? ''}>latest</option> : null}
        {packets.toReversed().map(({ digest, number, by, at, certification }) => (
          <option key={digest} value={digest}>
            {number}: {readiness(certification)}, by {by}, {ago(at, now.peek())}
            {digest === latest ? ' (latest)' : ''}
          </option>
        ))}
      </select>
    </label>
  );
}
