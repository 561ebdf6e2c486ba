import { join } from 'node:path';
import { openStaffetta, type Leg, type Staffetta } from '../../src/index.ts';
import { openBare, rowBytesFor } from '../material/bare.ts';
import { watchCommits } from '../material/commit-time.ts';
import { prose } from '../material/content.ts';
import { verdict, type Line, type Section } from '../section.ts';
import { median, micros, quartiles, timed, times } from '../statistics.ts';
import { written, type Written } from '../material/written.ts';

const rounds = 12;
const transfersPerRound = 100;
const warmUp = 400;
const packetBytes = 4096;
/** What a packet without claims takes. */
const envelopeBytes = 590;
const ratioMax = 2.5;
/** Of a transfer, those that begin and end a transaction included. */
const statements = 17;

/** Offer and accept, against transactions of the same number and size made by hand. */
export async function measureTransfer(scratch: string): Promise<Section> {
  const path = join(scratch, 'transfer', 'store.db');
  const relay = await openStaffetta({ gate: 'record', store: path });
  const runner = new Runner(relay, await relay.begin({ goal: 'Carry the context' }, { as: 'ada' }));
  for (let i = 0; i < warmUp; i += 1) await runner.transfer();
  const each = await typical(path, runner);
  const inserts = openBare(join(scratch, 'transfer', 'inserts.db'));
  const pages = openBare(join(scratch, 'transfer', 'pages.db'));
  const pageBytes = each.pages.map(rowBytesFor);
  const byBytes: number[] = [];
  const byPages: number[] = [];
  const ours = new Turns();
  const bare = new Turns();
  const commits = watchCommits();
  for (let round = 0; round < rounds; round += 1) {
    const taken = { ours: [] as number[], inserts: [] as number[], pages: [] as number[] };
    for (let i = 0; i < transfersPerRound; i += 1) {
      taken.ours.push(ours.add(await runner.transfer(commits.taken), runner.commitMs));
      commits.taken();
      taken.inserts.push(bare.add(await timed(() => inserts.run(each.bytes)), commits.taken()));
      taken.pages.push(await timed(() => pages.run(pageBytes)));
    }
    byBytes.push(median(taken.ours) / median(taken.inserts));
    byPages.push(median(taken.ours) / median(taken.pages));
  }
  commits.stop();
  inserts.close();
  pages.close();
  await relay.close();
  return {
    title: 'One transfer',
    lines: [
      {
        measure: `offer + accept, ${packetBytes / 1024} KB packet, against a bare loop with the same transactions and bytes`,
        target: `p50 ≤ ${ratioMax}×`,
        result: times(median(byBytes)),
        spread: quartiles(byBytes, times),
        verdict: verdict(median(byBytes) <= ratioMax),
      },
      {
        measure: 'the same, against a bare loop whose rows write as many pages as ours',
        target: '',
        result: times(median(byPages)),
        spread: quartiles(byPages, times),
        verdict: 'for information',
      },
      spent('offer + accept, wall time', ours.ms),
      spent('— of that in its 2 commits', ours.commitMs),
      spent('— of that in everything else', ours.restMs),
      spent('the bare loop, wall time', bare.ms),
      spent('— of that in its 2 commits', bare.commitMs),
      spent('— of that in everything else', bare.restMs),
    ],
    notes: [
      `A transfer is \`leg.handoff\` and \`take\` of the named task through the public API, on one connection. It makes ${each.bytes.length} transactions, each synced to disk; they bind ${each.bytes.join(' and ')} bytes and put ${each.pages.join(' and ')} pages into the log.`,
      `The bare loop inserts one row of that many bytes per transaction into one table, with the same settings (WAL, synchronous = FULL). ${rounds} rounds of ${transfersPerRound}, one transfer and one turn of each loop by turns; the ratio of a round is that of its medians.`,
      `What a commit takes is the disk's part, and nearly the same for both. What everything else takes is ours: deciding, judging the packet by the rules of the gate, searching it for secrets, signing it, checking and sealing the packet and two entries, hashing, and ${statements} statements instead of 6. So the ratio depends on the disk: with commits of t µs each it is about (2t + ${Math.round(median(ours.restMs) * 1000)}) / (2t + ${Math.round(median(bare.restMs) * 1000)}). The slower the disk syncs, the nearer it comes to 1.`,
    ],
  };
}

function spent(measure: string, ms: readonly number[]): Line {
  return {
    measure,
    target: '',
    result: micros(median(ms)),
    spread: quartiles(ms, micros),
    verdict: 'for information',
  };
}

/** Where the time of each turn went. */
class Turns {
  readonly ms: number[] = [];
  readonly commitMs: number[] = [];
  readonly restMs: number[] = [];

  add(ms: number, commitMs: number): number {
    this.ms.push(ms);
    this.commitMs.push(commitMs);
    this.restMs.push(ms - commitMs);
    return ms;
  }
}

class Runner {
  readonly #relay: Staffetta;
  #leg: Leg;
  #count = 0;

  constructor(relay: Staffetta, leg: Leg) {
    this.#relay = relay;
    this.#leg = leg;
  }

  /** How long the latest transfer spent in commits. */
  commitMs = 0;

  /** Returns the milliseconds between handing over and holding. What makes the hop a real one is not timed. */
  async transfer(commitsTaken: () => number = () => 0): Promise<number> {
    this.#count += 1;
    await this.#leg.progress(this.#count);
    const to = this.#count % 2 === 0 ? 'ada' : 'ben';
    const summary = prose(packetBytes - envelopeBytes);
    commitsTaken();
    const ms = await timed(async () => await this.#move(to, summary));
    this.commitMs = commitsTaken();
    await this.#leg.acknowledge();
    return ms;
  }

  async #move(to: string, summary: string): Promise<void> {
    await this.#leg.handoff({ to: `agent:${to}`, claims: { summary } });
    const taken = await this.#relay.take({ task: this.#leg.task, as: to });
    if (taken === undefined) throw new Error('the offer was not taken');
    this.#leg = taken;
  }
}

/** The median of several transfers, transaction by transaction, without the note before and the acknowledgement after. */
async function typical(path: string, runner: Runner): Promise<Written> {
  const samples: Written[] = [];
  for (let tries = 0; samples.length < 21; tries += 1) {
    if (tries === 200) throw new Error('the commits seen in the log are not those that were made');
    const { bytes, pages } = await written(path, async () => void (await runner.transfer()));
    // The log starts over now and then; then fewer commits are seen in it than were made.
    if (pages.length === bytes.length) samples.push({ bytes: bytes.slice(1, -1), pages: pages.slice(1, -1) });
  }
  const middle = (of: (sample: Written) => readonly number[]): number[] =>
    (samples[0]?.bytes ?? []).map((_, i) => Math.round(median(samples.map((sample) => of(sample)[i] ?? 0))));
  return { bytes: middle((sample) => sample.bytes), pages: middle((sample) => sample.pages) };
}
