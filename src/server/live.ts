/**
 * The stream of server-sent events. Its ids are positions in the feed of all tasks: a client that comes back with the last one it saw gets
 * everything after it, once. Chunks are made when the connection can take them, and only then; see `pour.ts`.
 */
import { isPerson, type Actor } from '../core/task/actor.ts';
import { StaffettaError } from '../core/base/error.ts';
import type { Clock } from '../ports/clock.ts';
import type { LiveEvent } from './contract/contract.ts';
import type { Feed } from './feed.ts';
import type { ServerLimits } from './limits.ts';
import { stalled } from './pour.ts';
import { HttpRefusal } from './problem.ts';

const chunkEvents = 64;

/** What a listener is told, and in which words. */
export interface Voice {
  /** The last position it has seen; undefined for whatever comes from now on. */
  readonly after: number | undefined;
  /** Before anything else. */
  readonly greet: (cursor: number) => string | Promise<string>;
  /** Empty where none of it is for this listener. */
  readonly tell: (events: readonly LiveEvent[], cursor: number) => string | Promise<string>;
  /** A sign of life. */
  readonly idle: (cursor: number) => string;
  /** Whether all is said. */
  readonly isOver: () => boolean;
}

export interface Listener extends Voice {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly after: number;
  /** Whether its token is still worth something. */
  readonly entitled: () => Promise<boolean>;
  readonly heartbeatMs: number;
  /** Told once, when it is over. */
  readonly ended: (how: 'left' | 'dropped') => void;
}

export function liveStream(listener: Listener): ReadableStream<Uint8Array> {
  const { feed, clock } = listener;
  const over = new AbortController();
  let cursor = listener.after;
  let greeted = false;

  const end = (how: 'left' | 'dropped'): void => {
    if (over.signal.aborted) return;
    over.abort();
    listener.ended(how);
  };
  const next = async (): Promise<string | undefined> => {
    if (!greeted) {
      greeted = true;
      return await listener.greet(cursor);
    }
    for (;;) {
      if (listener.isOver() || feed.closed.aborted || over.signal.aborted || !(await listener.entitled()))
        return undefined;
      const events = await feed.after(cursor, chunkEvents);
      const last = events.at(-1);
      if (last !== undefined) {
        cursor = last.position;
        const told = await listener.tell(events, cursor);
        if (told !== '') return told;
        continue;
      }
      const before = clock.now();
      await feed.waitPast(cursor, listener.heartbeatMs, over.signal);
      if (clock.now() - before >= listener.heartbeatMs) return listener.idle(cursor);
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await next();
          if (chunk === undefined) {
            end('left');
            controller.close();
            return;
          }
          controller.enqueue(Buffer.from(chunk));
        } catch (error) {
          end('left');
          controller.error(error);
        }
      },
      cancel(why: unknown) {
        end(why === stalled ? 'dropped' : 'left');
      },
    },
    // Nothing is made ahead: what nobody has asked for stays in the store.
    { highWaterMark: 0 },
  );
}

/** Written once, however many listen. */
const frames = new WeakMap<LiveEvent, string>();

function frame(event: LiveEvent): string {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const made = `id: ${event.position}\nevent: entry\ndata: ${JSON.stringify(event)}\n\n`;
  frames.set(event, made);
  return made;
}

/** The entries of all tasks, or of one. */
export function entryVoice(after: number | undefined, only: string | undefined): Voice {
  return {
    after,
    greet: (cursor) => `retry: 1000\n${idle(cursor)}`,
    tell: (events, cursor) => {
      const seen = events.filter(({ task }) => only === undefined || task === only);
      return seen.length === 0 ? idle(cursor) : seen.map(frame).join('');
    },
    idle,
    isOver: () => false,
  };
}

/** A sign of life. It moves the id on and is no event. */
function idle(cursor: number): string {
  return `: ok\nid: ${cursor}\n\n`;
}

/** Where a client left off. */
export function positionFrom(header: string | null, query: number | undefined): number | undefined {
  if (header === null || header === '') return query;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new StaffettaError('invalid-input', 'Last-Event-ID is not one of ours.', {
    hint: 'Give the id of the last event as it came, or leave it out.',
  });
}

type ListenerLimits = Pick<
  ServerLimits,
  'liveClientsMax' | 'liveClientsPerActor' | 'liveClientsPerAgent' | 'liveClientsOfAgents'
>;

/** How many listen: in all, of each actor, and of agents. By actor and not by token, since an agent makes itself any number of those. */
export class Listeners {
  readonly #byActor = new Map<string, number>();
  readonly #limits: ListenerLimits;
  #agents = 0;
  count = 0;
  dropped = 0;

  constructor(limits: ListenerLimits) {
    this.#limits = limits;
  }

  /** Throws where there are too many; what it returns is called when the listener is gone. */
  enter(actor: Actor): (how: 'left' | 'dropped') => void {
    const isAgent = !isPerson(actor);
    const key = `${isAgent ? 'agent' : 'person'} ${actor.name}`;
    const own = this.#byActor.get(key) ?? 0;
    const { liveClientsMax, liveClientsPerActor, liveClientsPerAgent, liveClientsOfAgents } = this.#limits;
    if (
      this.count >= liveClientsMax ||
      own >= (isAgent ? liveClientsPerAgent : liveClientsPerActor) ||
      (isAgent && this.#agents >= liveClientsOfAgents)
    )
      throw new HttpRefusal('rate-limited', 'Too many connections listen already.', {
        hint: 'Close one of them; a page needs one.',
        retryAfter: 5,
      });
    this.count += 1;
    if (isAgent) this.#agents += 1;
    this.#byActor.set(key, own + 1);
    return (how) => {
      this.count -= 1;
      if (isAgent) this.#agents -= 1;
      if (how === 'dropped') this.dropped += 1;
      const left = (this.#byActor.get(key) ?? 1) - 1;
      if (left === 0) this.#byActor.delete(key);
      else this.#byActor.set(key, left);
    };
  }
}
