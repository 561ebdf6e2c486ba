/** The journal of a task, verified by the reader's own browser, and taken home. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TaskPage } from '../../../src/server/contract.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { DigestOf, RefusalNote, Section, Twin } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { refusalOf, type Refusal } from '../api/refusal.ts';
import { journalPages } from '../task/journal.tsx';
import { linksOf, type Link, type StoredEntry } from './chain.ts';
import { Exports } from './exports.tsx';
import { verdictOf, witnessOf, type Verdict, type Witness } from './verdict.ts';

const pieceEntries = 250;

export function Audit({ page }: { readonly page: TaskPage }) {
  const { task } = page.state;
  const links = useSignal<readonly Link[]>([]);
  const verdict = useSignal<Verdict | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const running = useSignal(false);
  const known = useRef(page);
  known.current = page;
  const wanted = useRef(true);
  const run = async (): Promise<void> => {
    if (running.value) return;
    running.value = true;
    verdict.value = undefined;
    refusal.value = undefined;
    links.value = [];
    try {
      const { state, packet } = known.current;
      const all = await recomputed(task, state.seq, (so) => {
        links.value = so;
        return wanted.current;
      });
      const witness: Witness | undefined = packet === null ? undefined : await witnessOf(packet, all);
      verdict.value = verdictOf(all, { seq: state.seq, digest: state.head }, witness);
    } catch (error) {
      refusal.value = refusalOf(error);
    } finally {
      running.value = false;
    }
  };
  useEffect(() => {
    wanted.current = true;
    void run();
    return () => (wanted.current = false);
  }, [task]);
  const moved = verdict.value !== undefined && page.state.seq > verdict.value.head.seq;
  return (
    <>
      <Section
        title="Audit"
        aside={
          <button type="button" disabled={running.value} onClick={() => void run()}>
            {running.value ? 'Verifying' : 'Verify again'}
          </button>
        }
      >
        <p class="quiet">
          Your browser fetches every entry as it is stored, computes its digest and holds it against the entry
          before it. The server's word is not taken.
        </p>
        <Twin command={`staffetta verify ${task}`} />
        {refusal.value === undefined ? null : (
          <RefusalNote refusal={refusal.value} retry={() => void run()} />
        )}
        <div role="status" class="audit-result">
          {verdict.value === undefined ? (
            refusal.value === undefined && (
              <p>
                {links.value.length} of {page.state.seq + 1} entries computed.
              </p>
            )
          ) : (
            <Result verdict={verdict.value} task={task} />
          )}
          {moved ? <p class="quiet">More was written since; verify again for that.</p> : null}
        </div>
        {links.value.length === 0 ? null : (
          <VirtualList
            label="Entries and whether they hold"
            class="audit-list"
            count={links.value.length}
            rowPx={28}
            at={verdict.value?.broken?.seq}
            render={(n) => <LinkRow task={task} link={links.value[n]} />}
          />
        )}
      </Section>
      <Exports task={task} />
    </>
  );
}

async function recomputed(
  task: string,
  seq: number,
  heard: (links: readonly Link[]) => boolean,
): Promise<readonly Link[]> {
  const pages = journalPages(task);
  const links: Link[] = [];
  for (let from = 0; from <= seq; from += pieceEntries) {
    await pages.ask(from);
    if (pages.refusal.value !== undefined) throw pages.refusal.value;
    const entries: StoredEntry[] = [];
    for (let n = from; n < Math.min(from + pieceEntries, seq + 1); n += 1) {
      const entry = pages.known(n);
      if (entry !== undefined) entries.push(entry);
    }
    links.push(...(await linksOf(task, entries, links.at(-1))));
    if (!heard([...links])) break;
  }
  return links;
}

function Result({
  verdict: { holds, said, broken, head, witness },
  task,
}: {
  readonly verdict: Verdict;
  readonly task: string;
}) {
  return (
    <>
      <p class={`audit-verdict ${holds ? 'good' : 'bad'}`}>
        <strong>{said}</strong>
      </p>
      {broken === undefined ? null : (
        <p>
          The first that does not hold:{' '}
          <a href={addressOf({ page: 'task', task, view: 'journal', at: `j${broken.seq}` })}>
            entry {broken.seq}
          </a>
          : {broken.fault}.
        </p>
      )}
      <p>
        Head: entry {head.seq}, <DigestOf digest={head.digest} />
      </p>
      {witness === undefined ? (
        <p class="quiet">No packet was sealed yet, so none witnesses the journal.</p>
      ) : (
        <p>
          {witness.said} <DigestOf digest={witness.digest} />
        </p>
      )}
    </>
  );
}

function LinkRow({ task, link }: { readonly task: string; readonly link: Link | undefined }) {
  if (link === undefined) return null;
  return (
    <div class={`audit-row ${link.fault === null ? '' : 'bad'}`}>
      <a href={addressOf({ page: 'task', task, view: 'journal', at: `j${link.seq}` })}>
        <code>j{link.seq}</code>
      </a>
      <span>{link.fault === null ? 'holds' : `does not hold: ${link.fault}`}</span>
      <code class="quiet">{link.digest.slice(7, 23)}</code>
    </div>
  );
}
