/** The journal of a task, verified by the reader's own browser, and taken home. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import { getLines, taskPath } from '../api/client.ts';
import { refusalOf, type Refusal } from '../api/refusal.ts';
import { counted } from '../parts/said.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { DigestOf, RefusalNote, Section, Twin } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { linksOf, type Link } from './chain.ts';
import { Exports } from './exports.tsx';
import { keysIn, nothingYet, signingsOf, type SignedEntry, type Signing } from './signatures.ts';
import {
  verdictOf,
  witnessOf,
  type Computed,
  type JournalHead,
  type Verdict,
  type Witness,
} from './verdict.ts';

const pieceEntries = 250;

export function Audit({ page }: { readonly page: TaskPage }) {
  const { task } = page.state;
  const links = useSignal<readonly Link[]>([]);
  const signings = useSignal<readonly Signing[]>([]);
  const verdict = useSignal<Verdict | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const running = useSignal(false);
  const shown = useRef(page);
  shown.current = page;
  const wanted = useRef(true);
  const run = async (): Promise<void> => {
    if (running.value) return;
    running.value = true;
    verdict.value = undefined;
    refusal.value = undefined;
    links.value = [];
    signings.value = [];
    try {
      const { state, packet } = shown.current;
      const known = { seq: state.seq, digest: state.head };
      const computed = await recomputed(task, known, (so) => {
        links.value = so.links;
        signings.value = so.signings;
        return wanted.current;
      });
      const witness: Witness | undefined =
        packet === null ? undefined : await witnessOf(packet, computed.links);
      verdict.value = verdictOf(computed, witness);
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
          before it, and checks the signature of every checkpoint and approval. The server's word is not
          taken.
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
            <>
              <Result verdict={verdict.value} task={task} />
              <Keys signings={signings.value} />
            </>
          )}
          {moved ? <p class="quiet">More was written since; verify again for that.</p> : null}
        </div>
        {links.value.length === 0 ? null : (
          <VirtualList
            label="Entries and whether they hold"
            class="audit-list"
            count={links.value.length}
            rowPx={28}
            at={verdict.value?.broken?.seq ?? signings.value.find(({ fault }) => fault !== null)?.seq}
            render={(n) => (
              <LinkRow
                task={task}
                link={links.value[n]}
                signings={signings.value.filter(({ seq }) => seq === n)}
              />
            )}
          />
        )}
      </Section>
      <Exports task={task} />
    </>
  );
}

async function recomputed(
  task: string,
  known: JournalHead,
  heard: (so: Pick<Computed, 'links' | 'signings'>) => boolean,
): Promise<Computed> {
  const links: Link[] = [];
  const signings: Signing[] = [];
  let standing = nothingYet;
  const take = async (piece: readonly SignedEntry[]): Promise<boolean> => {
    links.push(...(await linksOf(task, piece, links.at(-1))));
    for (const entry of piece) {
      const { signings: found, after } = await signingsOf(entry, standing);
      signings.push(...found);
      standing = after;
    }
    return heard({ links: [...links], signings: [...signings] });
  };
  let head: JournalHead | undefined;
  let piece: SignedEntry[] = [];
  for await (const line of getLines(taskPath(task, 'journal'))) {
    if (head === undefined) {
      ({ head } = JSON.parse(line) as { readonly head: JournalHead });
      continue;
    }
    piece.push(JSON.parse(line) as SignedEntry);
    if (piece.length < pieceEntries) continue;
    if (!(await take(piece))) break;
    piece = [];
  }
  await take(piece);
  return { links, signings, head: head ?? known, known };
}

function Result({
  verdict: { holds, said, broken, head, witness, signed },
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
      <p>{signed}</p>
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

/** Whose word it is that was checked. */
function Keys({ signings }: { readonly signings: readonly Signing[] }) {
  const keys = keysIn(signings);
  if (keys.length === 0) return null;
  return (
    <>
      <p>
        The keys came with the journal. That a key is theirs who are named beside it, only the journal says:
        compare it with what <code>staffetta key show</code> prints where they work.
      </p>
      <ul class="claims">
        {keys.map(({ key, names, count }) => (
          <li key={key}>
            <DigestOf digest={key} /> signed {counted(count, 'time')}, as <strong>{names.join(', ')}</strong>
          </li>
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly task: string;
  readonly link: Link | undefined;
  readonly signings: readonly Signing[];
}

function LinkRow({ task, link, signings }: RowProps) {
  if (link === undefined) return null;
  const isBad = link.fault !== null || signings.some(({ fault }) => fault !== null);
  return (
    <div class={`audit-row ${isBad ? 'bad' : ''}`}>
      <a href={addressOf({ page: 'task', task, view: 'journal', at: `j${link.seq}` })}>
        <code>j{link.seq}</code>
      </a>
      <span>
        {[link.fault === null ? 'holds' : `does not hold: ${link.fault}`, ...signings.map(signingWords)].join(
          '; ',
        )}
      </span>
      <code class="quiet">{link.digest.slice(7, 23)}</code>
    </div>
  );
}

function signingWords({ of, by, key, fault }: Signing): string {
  if (key === null) return `${of} by ${by} is unsigned`;
  const which = `${of} signed as ${by} with key ${key.slice(7, 15)}`;
  return fault === null ? which : `${which}, wrongly: ${fault}`;
}
