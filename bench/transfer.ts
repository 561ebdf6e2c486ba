import { join } from 'node:path';
import { openStaffetta, type Leg, type Staffetta } from '../src/index.ts';
import { openBare, rowBytesFor } from './bare.ts';
import { prose } from './content.ts';
import { verdict, type Section } from './section.ts';
import { median, micros, quartiles, timed, times } from './statistics.ts';
import { written, type Written } from './written.ts';

const rounds = 12;
const transfersPerRound = 100;
const warmUp = 400;
const packetBytes = 4096;
/** What a packet without claims takes. */
const envelopeBytes = 590;
const ratioMax = 1.6;

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
  const ours: number[] = [];
  const byBytes: number[] = [];
  const byPages: number[] = [];
  const all = { ours: [] as number[], inserts: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const taken = { ours: [] as number[], inserts: [] as number[], pages: [] as number[] };
    for (let i = 0; i < transfersPerRound; i += 1) {
      taken.ours.push(await runner.transfer());
      taken.inserts.push(await timed(() => inserts.run(each.bytes)));
      taken.pages.push(await timed(() => pages.run(pageBytes)));
    }
    ours.push(median(taken.ours));
    byBytes.push(median(taken.ours) / median(taken.inserts));
    byPages.push(median(taken.ours) / median(taken.pages));
    all.ours.push(...taken.ours);
    all.inserts.push(...taken.inserts);
  }
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
      {
        measure: 'offer + accept, wall time',
        target: '',
        result: micros(median(all.ours)),
        spread: quartiles(all.ours, micros),
        verdict: 'for information',
      },
      {
        measure: 'the bare loop, wall time',
        target: '',
        result: micros(median(all.inserts)),
        spread: quartiles(all.inserts, micros),
        verdict: 'for information',
      },
    ],
    notes: [
      `A transfer is \`leg.handoff\` and \`take\` of the named task through the public API, on one connection. It makes ${each.bytes.length} transactions, each synced to disk; they bind ${each.bytes.join(' and ')} bytes and put ${each.pages.join(' and ')} pages into the log.`,
      `The bare loop inserts one row of that many bytes per transaction into one table, with the same settings (WAL, synchronous = FULL). ${rounds} rounds of ${transfersPerRound}, one transfer and one turn of each loop by turns; the ratio of a round is that of its medians.`,
    ],
  };
}

class Runner {
  readonly #relay: Staffetta;
  #leg: Leg;
  #count = 0;

  constructor(relay: Staffetta, leg: Leg) {
    this.#relay = relay;
    this.#leg = leg;
  }

  /** Returns the milliseconds between handing over and holding. What makes the hop a real one is not timed. */
  async transfer(): Promise<number> {
    this.#count += 1;
    await this.#leg.progress(this.#count);
    const to = this.#count % 2 === 0 ? 'ada' : 'ben';
    const summary = prose(packetBytes - envelopeBytes);
    const ms = await timed(async () => await this.#move(to, summary));
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
  while (samples.length < 21) {
    const { bytes, pages } = await written(path, async () => void (await runner.transfer()));
    // The log starts over now and then; then fewer commits are seen in it than were made.
    if (pages.length === bytes.length) samples.push({ bytes: bytes.slice(1, -1), pages: pages.slice(1, -1) });
  }
  const middle = (of: (sample: Written) => readonly number[]): number[] =>
    (samples[0]?.bytes ?? []).map((_, i) => Math.round(median(samples.map((sample) => of(sample)[i] ?? 0))));
  return { bytes: middle((sample) => sample.bytes), pages: middle((sample) => sample.pages) };
}
