/**
 * The store in PostgreSQL, side by side on one server that syncs to its disk: against two bare inserts of the same bytes, and against what others
 * keep there, which is brought from the registry into .cache/ when first measured. Only ratios within one run say anything.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { openStore } from '../../src/compose/open-store.ts';
import { numbers } from '../../src/conformance/sample.ts';
import { openStaffetta, type Leg } from '../../src/index.ts';
import { storeAddress } from '../../src/home/locate.ts';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { appendPair, realPair, type Pair } from '../material/append-pair.ts';
import { bring } from '../material/bring.ts';
import { prose } from '../material/content.ts';
import { notMeasured, verdict, type Line, type Section } from '../section.ts';
import { median, millis, quantile, quartiles, timed, times } from '../statistics.ts';

const peers = { 'pg-boss': '12.35.0', 'graphile-worker': '0.18.0', '@dbos-inc/dbos-sdk': '5.3.0' };
const rounds = 3;
const pairsAlone = 200;
const pairsTogether = 640;
const targets = { alone: 2.2, at32: 0.3, transfer: 2.5, pickup: 1.5, walBytes: 250 } as const;
/** Our pairs of appends over their units, by connections. */
const ahead: Readonly<Record<string, readonly [at8: number, at32: number]>> = {
  'pg-boss': [1.2, 1],
  'graphile-worker': [1.2, 1.5],
  dbos: [1.4, 1.7],
};

export async function measurePostgres(): Promise<Section> {
  const server = await startPostgres({ fsync: true });
  try {
    const pair = await realPair();
    const lines = [
      ...(await againstInserts(server.url, pair)),
      ...(await againstOthers(server.url, pair)),
      ...(await theProduct(server.url, pair)),
      await renewals(server.url),
    ];
    return { title: 'PostgreSQL', lines, notes: notes(pair) };
  } finally {
    await server.stop();
  }
}

/** So many units on so many lanes: the milliseconds of each, and how many a second. */
async function run(
  lanes: number,
  units: number,
  unit: (lane: number) => Promise<unknown>,
): Promise<{ readonly p50: number; readonly p99: number; readonly rate: number }> {
  const each: number[] = [];
  let left = units;
  const all = await timed(async () => {
    await Promise.all(
      numbers(lanes).map(async (lane) => {
        while (left > 0) {
          left -= 1;
          each.push(await timed(async () => await unit(lane)));
        }
      }),
    );
  });
  return { p50: median(each), p99: quantile(each, 0.99), rate: (units / all) * 1000 };
}

async function againstInserts(url: string, pair: Pair): Promise<Line[]> {
  const [alone, at32]: [number[], number[]] = [[], []];
  const [aloneApart, at32Apart]: [number[], number[]] = [[], []];
  const told: string[] = [];
  for (const lanes of [1, 32]) {
    const pool = new Pool({ connectionString: url, max: lanes });
    pool.on('error', () => {});
    await pool.query(
      'CREATE TABLE IF NOT EXISTS floor(n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea)',
    );
    const rows = pair.bytes.map((size) => Buffer.from(prose(size + (size % 2))));
    const store = await openStore(storeAddress(`${url}?space=bench&connections=${lanes}`), { create: true });
    const ours = (): Promise<void> => appendPair(store, pair);
    const oursApart = (): Promise<void> => appendPair(store, pair, { apart: true });
    const floor = async (): Promise<void> => {
      for (const row of rows) await pool.query('INSERT INTO floor(body) VALUES ($1)', [row]);
    };
    const units = lanes === 1 ? pairsAlone : pairsTogether;
    for (const warm of [floor, ours, oursApart]) await run(lanes, lanes * 8, warm);
    for (let round = 0; round < rounds; round += 1) {
      const [bare, own, apart] = [
        await run(lanes, units, floor),
        await run(lanes, units, ours),
        await run(lanes, units, oursApart),
      ];
      if (lanes === 1) {
        alone.push(own.p50 / bare.p50);
        aloneApart.push(apart.p50 / bare.p50);
      } else {
        at32.push(own.rate / bare.rate);
        at32Apart.push(apart.rate / bare.rate);
      }
      told.push(
        `${lanes}: ${millis(own.p50)} over ${millis(bare.p50)}, ${Math.round(own.rate)}/s over ${Math.round(bare.rate)}/s`,
      );
    }
    await store.close();
    await pool.end();
  }
  process.stderr.write(`${told.join('\n')}\n`);
  return [
    line(
      'an offer and its acceptance as two appends, over two bare INSERT commits of the same bytes, p50, 1 connection',
      alone,
      { most: targets.alone },
    ),
    line('the same, rate at 32 connections', at32, { least: targets.at32 }),
    line('the same with a packet of its own for each, p50, 1 connection', aloneApart),
    line('the same with a packet of its own for each, rate at 32 connections', at32Apart),
  ];
}

function line(
  measure: string,
  ratios: readonly number[],
  { most, least }: { readonly most?: number; readonly least?: number } = {},
): Line {
  const middle = median(ratios);
  if (most === undefined && least === undefined)
    return {
      measure,
      target: '',
      result: times(middle),
      spread: quartiles(ratios, times),
      verdict: 'for information',
    };
  const isMet = (most === undefined || middle <= most) && (least === undefined || middle >= least);
  return {
    measure,
    target: most === undefined ? `≥ ${least}×` : `≤ ${most}×`,
    result: times(middle),
    spread: quartiles(ratios, times),
    verdict: verdict(isMet),
  };
}

function title(name: string, lanes: number): string {
  return `pairs of appends a second over units of ${name}, ${lanes} connections`;
}

interface Told {
  readonly rate: number;
  readonly pickupMs?: number;
}

let graphilePickupMs: number | undefined;

async function againstOthers(url: string, pair: Pair): Promise<Line[]> {
  const brought = bring('postgres-peers', { dependencies: { ...peers, pg: '8.23.1' } });
  const all = Object.keys(ahead).flatMap((name) => [8, 32].map((lanes) => ({ name, lanes })));
  const lines: Line[] = [];
  for (const { name, lanes } of all) {
    const least = ahead[name]?.[lanes === 8 ? 0 : 1] ?? 1;
    if ('why' in brought) {
      lines.push(notMeasured(title(name, lanes), `≥ ${least}×`, brought.why));
      continue;
    }
    await inDatabase(url, `peer_${name.replaceAll('-', '_')}_${lanes}`);
    const store = await openStore(storeAddress(`${url}?space=peers&connections=${lanes}`), { create: true });
    const [ratios, apart]: [number[], number[]] = [[], []];
    try {
      for (let round = 0; round < 2; round += 1) {
        const database = `${url.replace(/\/postgres$/, '')}/peer_${name.replaceAll('-', '_')}_${lanes}`;
        const peer = peerRate(brought.folder, name, { url: database, lanes });
        graphilePickupMs = peer.pickupMs ?? graphilePickupMs;
        const own = await run(lanes, pairsTogether, () => appendPair(store, pair));
        const ownApart = await run(lanes, pairsTogether, () => appendPair(store, pair, { apart: true }));
        ratios.push(own.rate / peer.rate);
        apart.push(ownApart.rate / peer.rate);
        process.stderr.write(
          `${name} ${lanes}: ${Math.round(peer.rate)}/s, ours ${Math.round(own.rate)}/s, ${Math.round(ownApart.rate)}/s\n`,
        );
      }
      lines.push(
        line(title(name, lanes), ratios, { least }),
        line(`${title(name, lanes)}, a packet of its own for each`, apart),
      );
    } catch (error) {
      lines.push(notMeasured(title(name, lanes), `≥ ${least}×`, (error as Error).message));
    } finally {
      await store.close();
    }
  }
  return lines;
}

function peerRate(
  folder: string,
  name: string,
  { url, lanes }: { readonly url: string; readonly lanes: number },
): Told {
  const child = spawnSync(
    process.execPath,
    [
      join(import.meta.dirname, '../children/postgres-peers.mjs'),
      folder,
      url,
      name,
      `${lanes}`,
      `${pairsTogether}`,
    ],
    { encoding: 'utf8', timeout: 120_000 },
  );
  const last = child.stdout?.trim().split('\n').at(-1) ?? '';
  if (child.status !== 0 || !last.startsWith('{'))
    throw new Error(
      `${name} did not run (${child.stderr?.trim().split('\n').at(-1) ?? child.error?.message ?? ''})`,
    );
  return JSON.parse(last) as Told;
}

async function inDatabase(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}

/** A transfer through the public API over the pair of appends in it; and how long until a worker that waits has what is offered. */
async function theProduct(url: string, pair: Pair): Promise<Line[]> {
  const relay = await openStaffetta({ gate: 'record', store: `${url}?space=product` });
  // Elsewhere: who takes would look after their leases.
  const pairs = await openStore(storeAddress(`${url}?space=pairs`), { create: true });
  let leg: Leg = await relay.begin({ goal: 'Carry the context' }, { as: 'ada' });
  const ratios: number[] = [];
  for (let round = 0; round < rounds + 1; round += 1) {
    const [whole, appends]: [number[], number[]] = [[], []];
    for (const n of numbers(60)) {
      const to = n % 2 === 0 ? 'bea' : 'ada';
      await leg.acknowledge();
      await leg.progress(1);
      whole.push(
        await timed(async () => {
          await leg.handoff({ to: `agent:${to}`, claims: { done: [prose(3500)], next: 'Go on.' } });
          const taken = await relay.take({ as: to });
          if (taken !== undefined) leg = taken;
        }),
      );
      appends.push(
        await timed(async () => {
          await appendPair(pairs, pair);
        }),
      );
    }
    if (round > 0) ratios.push(median(whole) / median(appends));
  }
  const pickups = await pickupMs(url);
  await relay.close();
  await pairs.close();
  const over = graphilePickupMs === undefined ? undefined : pickups / graphilePickupMs;
  const measure = 'from an offer to its holder, who waits with the bell, over graphile-worker\u2019s, p50';
  return [
    line('a transfer of the product over the pair of appends in it, p50', ratios, { most: targets.transfer }),
    over === undefined
      ? notMeasured(measure, `≤ ${targets.pickup}×`, `graphile-worker did not run; ours ${millis(pickups)}`)
      : {
          measure,
          target: `≤ ${targets.pickup}×`,
          result: `${times(over)} (${millis(pickups)})`,
          spread: '',
          verdict: verdict(over <= targets.pickup),
        },
  ];
}

async function pickupMs(url: string): Promise<number> {
  const store = `${url}?space=pickup`;
  const giver = await openStaffetta({ gate: 'record', store, as: 'ada' });
  const receiver = await openStaffetta({ gate: 'record', store, as: 'bob' });
  const over = new AbortController();
  let heard: (() => void) | undefined;
  const worker = receiver.worker(
    'bob',
    async (leg) => {
      heard?.();
      await leg.fail('It was only to be taken.');
    },
    { pollMs: 5000 },
  );
  const running = worker.run(over.signal);
  const each: number[] = [];
  for (const n of numbers(60)) {
    const { promise, resolve } = Promise.withResolvers<void>();
    heard = resolve;
    each.push(
      await timed(async () => {
        await giver.open({ goal: `Carry ${n}` }, { to: 'agent:bob' });
        await promise;
      }),
    );
    await new Promise((done) => setTimeout(done, 20));
  }
  over.abort();
  await running;
  await giver.close();
  await receiver.close();
  return median(each.slice(10));
}

async function renewals(url: string): Promise<Line> {
  const relay = await openStaffetta({ gate: 'record', store: `${url}?space=renewed` });
  const legs = await Promise.all(numbers(10).map(async (n) => await relay.begin({ goal: `Hold ${n}` })));
  const client = new Client({ connectionString: url });
  await client.connect();
  const written = async (): Promise<number> =>
    Number((await client.query("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS n")).rows[0]?.n);
  await client.query('CHECKPOINT');
  // The first change of a page after a checkpoint writes all of it.
  for (const leg of legs) await leg.renew();
  // The server has other things to write down from time to time: of ten parts the middle one is told.
  const parts: number[] = [];
  for (let part = 0; part < 10; part += 1) {
    const before = await written();
    for (let n = 0; n < 30; n += 1) await legs[n % legs.length]?.renew();
    parts.push(((await written()) - before) / 30);
  }
  const each = median(parts);
  await client.end();
  await relay.close();
  return {
    measure: 'what a renewal writes to the log of the server',
    target: `≤ ${targets.walBytes} bytes`,
    result: `${Math.round(each)} bytes`,
    spread: '',
    verdict: verdict(each <= targets.walBytes),
  };
}

function notes({ bytes }: Pair): string[] {
  return [
    `One PostgreSQL of version 18 with its default settings, fsync on, client and server on this machine. The pair binds ${bytes.join(' and ')} bytes, as the product writes them. ${rounds} rounds by turns; the ratio of a round is that of its medians or rates.`,
    `Unless a line says otherwise all pairs have the same packet, put at the same time. It is stored once, which spares 4 KB of each pair, while the bare INSERT writes its bytes every time. In work each packet is another one: those are the lines with a packet of its own for each.`,
    `The units of others are not ours: pg-boss ${peers['pg-boss']} and graphile-worker ${peers['graphile-worker']} send, take and settle a payload of 2 KB in three commits and keep no history; DBOS ${peers['@dbos-inc/dbos-sdk']} records a workflow of one step. Ours is an offer with its packet and its acceptance, in two commits, kept for good.`,
  ];
}
