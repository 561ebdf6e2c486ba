/** Counters and states as Prometheus reads them. */
import { isLapsed } from '../core/task/lapse.ts';
import { statuses } from '../core/task/state.ts';
import { allCards } from '../handoff/record/all-tasks.ts';
import type { Context } from '../handoff/record/context.ts';
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

export async function metricsText(
  context: Context,
  listeners: Listeners,
  requests: Requests,
): Promise<string> {
  const now = context.clock.now();
  const counts = new Map<string, number>(statuses.map((status) => [status, 0]));
  let lapsed = 0;
  let dead = 0;
  for await (const card of allCards(context, () => {})) {
    counts.set(card.status, (counts.get(card.status) ?? 0) + 1);
    if (card.dead) dead += 1;
    if (isLapsed(card, now)) lapsed += 1;
  }
  return [
    ...described('staffetta_tasks', 'gauge', 'Tasks by status.'),
    ...[...counts].map(([status, count]) => `staffetta_tasks{status="${status}"} ${count}`),
    ...described('staffetta_leases_lapsed', 'gauge', 'Held tasks whose lease is over.'),
    `staffetta_leases_lapsed ${lapsed}`,
    ...described('staffetta_dead_letters', 'gauge', 'Tasks that used up their attempts.'),
    `staffetta_dead_letters ${dead}`,
    ...described('staffetta_live_clients', 'gauge', 'Connections that listen for events.'),
    `staffetta_live_clients ${listeners.count}`,
    ...described('staffetta_live_dropped_total', 'counter', 'Connections cut because they took nothing.'),
    `staffetta_live_dropped_total ${listeners.dropped}`,
    ...described('staffetta_requests_total', 'counter', 'Requests by method and status.'),
    ...requests.lines,
    '',
  ].join('\n');
}

function described(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
