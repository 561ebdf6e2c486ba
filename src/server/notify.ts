/**
 * Tells somebody who is not watching, by the means named when the server was started; nothing is told unless one was. It follows the
 * feed of all tasks from where it began, and looks for leases that ended. An occasion is told once. A telling that fails is tried
 * again a few times, in its own time: nothing waits for it, and the server ends without it.
 */
import { backoffMs } from '../core/base/backoff.ts';
import { alertsOf, lapsedNow, type Alert } from '../handoff/views/alerts.ts';
import type { Context } from '../handoff/record/context.ts';
import { Feed } from './feed.ts';

export interface Channel {
  readonly name: string;
  send(alert: Alert, signal: AbortSignal): Promise<void>;
}

export interface NotifyOptions {
  readonly channels: readonly Channel[];
  /** Hears what could not be told, and why. */
  readonly onFailed: (alert: Alert, channel: string, error: unknown) => void;
  readonly lookMs?: number;
}

const triesMax = 3;
const rememberedMax = 10_000;
/** Of one channel, at once: a flood waits for the next look. */
const underWayMax = 20;

export class Notifier {
  readonly #context: Context;
  readonly #options: NotifyOptions;
  readonly #feed: Feed;
  readonly #ending = new AbortController();
  readonly #told = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  #waiting: Alert[] = [];

  constructor(context: Context, options: NotifyOptions) {
    this.#context = context;
    this.#options = options;
    this.#feed = new Feed(context, { pollMs: options.lookMs ?? 1000 });
  }

  /** Until it is closed. A store that is busy or gone is asked again. */
  async run(): Promise<void> {
    const { signal } = this.#ending;
    const lookMs = this.#options.lookMs ?? 1000;
    let after: number | undefined;
    while (!signal.aborted) {
      try {
        after ??= await this.#feed.tail();
        after = await this.#look(after);
      } catch {
        // The store's own commands say what is wrong with it.
      }
      await this.#context.clock.sleep(lookMs, signal).catch(() => {});
    }
  }

  async #look(after: number): Promise<number> {
    let reached = after;
    for (;;) {
      const page = await this.#context.store.catalog.feed(reached, 100);
      for (const entry of page) {
        for (const alert of await alertsOf(this.#context, entry)) this.#tell(alert);
        reached = entry.position;
      }
      if (page.length < 100) break;
    }
    for (const alert of await lapsedNow(this.#context)) this.#tell(alert);
    this.#start();
    return reached;
  }

  #tell(alert: Alert): void {
    if (this.#told.has(alert.id)) return;
    this.#told.add(alert.id);
    for (const oldest of this.#told) {
      if (this.#told.size <= rememberedMax) break;
      this.#told.delete(oldest);
    }
    this.#waiting.push(alert);
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#underWay.size < underWayMax * this.#options.channels.length) {
      const [alert, ...rest] = this.#waiting;
      this.#waiting = rest;
      if (alert === undefined) return;
      for (const channel of this.#options.channels) {
        const sending: Promise<void> = this.#send(alert, channel).finally(() =>
          this.#underWay.delete(sending),
        );
        this.#underWay.add(sending);
      }
    }
  }

  async #send(alert: Alert, channel: Channel): Promise<void> {
    const { signal } = this.#ending;
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        await channel.send(alert, signal);
        return;
      } catch (error) {
        if (tries >= triesMax) {
          this.#options.onFailed(alert, channel.name, error);
          return;
        }
        const pause = backoffMs(tries, this.#context.entropy.fraction());
        await this.#context.clock.sleep(pause, signal).catch(() => {});
      }
    }
  }

  /** Ends what is under way; nothing more is told. */
  close(): void {
    this.#ending.abort();
    this.#feed.close();
  }
}
