/** Counters and states as Prometheus reads them. */
import { parseEntry } from '../core/journal/entry.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { RunLooks, RunOverview } from '../desk/crew/run-overview.ts';
import type { Context } from '../handoff/record/context.ts';
import { feedTail } from '../handoff/record/feed-tail.ts';
import { storeFigures, type StoreFigures } from '../handoff/views/figures.ts';
import type { FeedEntry } from '../ports/journal.ts';
import type { Listeners } from './live.ts';

export class Requests {
  readonly #counts = new Map<string, number>();

  count(method: string, status: number): void {
    const known = method === 'GET' || method === 'POST' ? method : 'other';
    const key = `method="${known}",status="${status}"`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  get lines(): readonly string[] {
    return [...this.#counts].map(([labels, count]) => `staffetta_requests_total{${labels}} ${count}`);
  }
}

/** In seconds, as Prometheus has them. */
const pickupBounds = [0.1, 0.5, 1, 5, 30, 60, 300, 1800] as const;
const pageEntries = 256;
/** Offers whose acceptance is waited for. */
const offersMax = 10_000;

/** How long offers waited until somebody accepted them, of all that were accepted since the first time it was asked. */
export class Pickups {
  readonly #context: Context;
  readonly #offered = new Map<TaskId, number>();
  readonly #counts = pickupBounds.map(() => 0);
  #at: number | undefined;
  #count = 0;
  #sum = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  async lines(): Promise<readonly string[]> {
    const { catalog } = this.#context.store;
    this.#at ??= await feedTail(catalog);
    for (;;) {
      const page = await catalog.feed(this.#at, pageEntries);
      for (const entry of page) this.#note(entry);
      this.#at = page.at(-1)?.position ?? this.#at;
      if (page.length < pageEntries) break;
    }
    const name = 'staffetta_pickup_seconds';
    return [
      ...pickupBounds.map((bound, n) => `${name}_bucket{le="${bound}"} ${this.#counts[n] ?? 0}`),
      `${name}_bucket{le="+Inf"} ${this.#count}`,
      `${name}_sum ${this.#sum}`,
      `${name}_count ${this.#count}`,
    ];
  }

  #note({ task, body }: FeedEntry): void {
    let entry: ReturnType<typeof parseEntry>;
    try {
      entry = parseEntry(body);
    } catch {
      // Damaged, or of a version to come: verify tells of it.
      return;
    }
    for (const event of entry.events) {
      if (event.type === 'offer-made') {
        if (this.#offered.size >= offersMax) this.#offered.clear();
        this.#offered.set(task, Math.max(entry.at, event.notBefore ?? 0));
      }
      const offered = event.type === 'leg-started' ? this.#offered.get(task) : undefined;
      if (event.type !== 'leg-started' || offered === undefined) continue;
      this.#offered.delete(task);
      const seconds = Math.max(0, entry.at - offered) / 1000;
      this.#count += 1;
      this.#sum += seconds;
      for (const [n, bound] of pickupBounds.entries())
        if (seconds <= bound) this.#counts[n] = (this.#counts[n] ?? 0) + 1;
    }
  }
}

export interface Measured {
  readonly context: Context;
  readonly runs: RunLooks;
  readonly pickups: Pickups;
  readonly listeners: Listeners;
  readonly requests: Requests;
}

export async function metricsText(measured: Measured): Promise<string> {
  const { context, runs, pickups, listeners, requests } = measured;
  return [
    ...storeLines(await storeFigures(context)),
    ...described('staffetta_pickup_seconds', 'histogram', 'From an offer to its acceptance.'),
    ...(await pickups.lines()),
    ...runLines(await runs.going()),
    ...described('staffetta_live_clients', 'gauge', 'Connections that listen for events.'),
    `staffetta_live_clients ${listeners.count}`,
    ...described('staffetta_live_dropped_total', 'counter', 'Connections cut because they took nothing.'),
    `staffetta_live_dropped_total ${listeners.dropped}`,
    ...described('staffetta_requests_total', 'counter', 'Requests by method and status.'),
    ...requests.lines,
    '',
  ].join('\n');
}

function storeLines(figures: StoreFigures): string[] {
  return [
    ...described('staffetta_tasks', 'gauge', 'Tasks by status.'),
    ...Object.entries(figures.tasks).map(([status, count]) => `staffetta_tasks{status="${status}"} ${count}`),
    ...described('staffetta_offers', 'gauge', 'Work that can be taken now, by lane.'),
    ...Object.entries(figures.offers).map(([lane, count]) => `staffetta_offers{lane="${lane}"} ${count}`),
    ...described('staffetta_oldest_offer_seconds', 'gauge', 'How long the oldest of it has waited.'),
    `staffetta_oldest_offer_seconds ${Math.round((figures.oldestOfferMs ?? 0) / 1000)}`,
    ...described('staffetta_leases_lapsed', 'gauge', 'Held tasks whose lease is over.'),
    `staffetta_leases_lapsed ${figures.lapsed}`,
    ...described('staffetta_dead_letters', 'gauge', 'Tasks that used up their attempts.'),
    `staffetta_dead_letters ${figures.dead}`,
    ...described('staffetta_unheard_offers', 'gauge', 'Work that was called for again and again in vain.'),
    `staffetta_unheard_offers ${figures.unheard}`,
    ...described('staffetta_conflicts_total', 'counter', 'Appends that met a journal which had moved.'),
    `staffetta_conflicts_total ${figures.conflicts}`,
  ];
}

const runMetrics: readonly (readonly [name: string, help: string, of: (run: RunOverview) => number])[] = [
  ['slots', 'How many legs there may be at once.', ({ parallel }) => parallel],
  ['slots_used', 'Tasks that somebody works on.', ({ working }) => working],
  ['ready', 'Tasks that could start if there were room.', ({ ready }) => ready],
  ['merge_queue', 'Approved tasks that wait to be integrated.', ({ queue }) => queue],
  ['needing', 'Tasks that wait for a person.', ({ needing }) => needing],
  ['stalled', 'Whether only somebody outside can move it.', ({ isStalled }) => Number(isStalled)],
  ['tokens', 'Tokens that were used.', ({ spent }) => spent.tokens],
];

function runLines(runs: readonly RunOverview[]): string[] {
  return [
    ...runMetrics.flatMap(([name, help, of]) => [
      ...described(`staffetta_run_${name}`, 'gauge', help),
      ...runs.map((run) => `staffetta_run_${name}{run=${JSON.stringify(run.run)}} ${of(run)}`),
    ]),
    ...described('staffetta_run_cost', 'gauge', 'What was spent, by unit.'),
    ...runs.flatMap(({ run, spent }) =>
      spent.costs.map(
        ({ amount, unit }) =>
          `staffetta_run_cost{run=${JSON.stringify(run)},unit=${JSON.stringify(unit)}} ${amount}`,
      ),
    ),
  ];
}

function described(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
