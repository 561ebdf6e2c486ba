/** Listeners at a server's stream while changes are made over HTTP: who got what, and when. For measuring, and for soaking. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  /** The tasks that are changed. */
  readonly tasks: readonly string[];
  readonly listeners: number;
  readonly changesPerSecond: number;
  readonly seconds: number;
  /** Whether arrivals are timed, which keeps each of them in memory. */
  readonly timed: boolean;
  /** Between 0 and 1. With it the tasks are taken by chance, and once a second a listener is cut off and comes back with its last id. */
  readonly chance?: () => number;
  /** Called while all listen: before the first change, every ten seconds, and when everything has arrived. */
  readonly sample: (when: 'first' | 'between' | 'last') => unknown;
}

export interface Load {
  /** How many changes there were: so many events for each listener. */
  readonly changes: number;
  readonly lost: number;
  readonly repeated: number;
  readonly ratePerSecond: number;
  /** From the request to its answer. */
  readonly answeredMs: readonly number[];
  /** From the request to the arrival of its event, at every listener. */
  readonly deliveredMs: readonly number[];
}

/** Nothing new for so long, and what has not come is lost. */
const patienceMs = 10_000;
/** Before a listener that was cut off comes back. */
const againMs = 20;
const pendingMax = 64;

export async function loadServer(options: LoadOptions): Promise<Load> {
  const { tasks, changesPerSecond, seconds, chance, sample } = options;
  const headers = { Authorization: `Bearer ${options.token}` };
  const listeners: Listener[] = [];
  for (let n = 0; n < options.listeners; n += 1) {
    const listener = new Listener(`${options.url}/api/events`, headers, options.timed);
    await listener.begin();
    listeners.push(listener);
  }
  await sample('first');
  /** When each was asked for, by task and entry, if that is of interest. */
  const asked = new Map<string, number>();
  let changes = 0;
  const answeredMs: number[] = [];
  const change = async (n: number): Promise<void> => {
    const task = tasks[chance === undefined ? n % tasks.length : Math.floor(chance() * tasks.length)] ?? '';
    const from = performance.now();
    const answer = await fetch(`${options.url}/api/tasks/${task}/tell`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: `message ${n}` }),
    });
    const { seq } = (await answer.json()) as { seq: number };
    if (!answer.ok) throw new Error(`A change was refused: ${answer.status}`);
    answeredMs.push(performance.now() - from);
    changes += 1;
    if (options.timed) asked.set(`${task}/${seq}`, from);
  };
  const pending = new Set<Promise<void>>();
  const started = performance.now();
  for (let n = 0; n < seconds * changesPerSecond; n += 1) {
    await sleep(Math.max(0, started + (n * 1000) / changesPerSecond - performance.now()));
    // A machine that cannot keep up is asked more slowly.
    while (pending.size >= pendingMax) await Promise.race(pending);
    const one = change(n).finally(() => pending.delete(one));
    pending.add(one);
    if (n > 0 && n % (changesPerSecond * 10) === 0) await sample('between');
    if (chance !== undefined && n % changesPerSecond === 0)
      listeners[Math.floor(chance() * listeners.length)]?.cut();
  }
  await Promise.all(pending);
  const ratePerSecond = changes / ((performance.now() - started) / 1000);
  await settled(listeners, changes);
  await sample('last');
  for (const listener of listeners) listener.end();
  return {
    changes,
    lost: listeners.reduce((sum, { heard }) => sum + changes - heard, 0),
    repeated: listeners.reduce((sum, { repeated }) => sum + repeated, 0),
    ratePerSecond,
    answeredMs,
    deliveredMs: listeners.flatMap(({ arrivals }) =>
      arrivals.map(({ key, at }) => at - (asked.get(key) ?? at)),
    ),
  };
}

/** Until everybody has heard everything, or nobody hears anything more. */
async function settled(listeners: readonly Listener[], changes: number): Promise<void> {
  let before = -1;
  for (let quietSince = performance.now(); performance.now() - quietSince < patienceMs;) {
    if (listeners.every(({ heard }) => heard >= changes)) return;
    const now = listeners.reduce((sum, { heard }) => sum + heard, 0);
    if (now !== before) quietSince = performance.now();
    before = now;
    await sleep(50);
  }
}

/** Comes back with the last id it saw, as browsers do, until it is ended. */
class Listener {
  /** By task and entry, if they are timed. */
  readonly arrivals: { readonly key: string; readonly at: number }[] = [];
  heard = 0;
  repeated = 0;
  /** Of each task. Its entries come in order, so that one which is not above the last came before. */
  readonly #lastSeq = new Map<string, number>();
  readonly #timed: boolean;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  #connection = new AbortController();
  #last = '';
  #isOver = false;

  constructor(address: string, headers: Readonly<Record<string, string>>, timed: boolean) {
    this.#timed = timed;
    this.#address = address;
    this.#headers = headers;
  }

  /** Listens from now on; resolves when it is connected. */
  async begin(): Promise<void> {
    const body = await this.#connect();
    void this.#follow(body);
  }

  cut(): void {
    this.#connection.abort();
  }

  end(): void {
    this.#isOver = true;
    this.#connection.abort();
  }

  async #connect(): Promise<ReadableStream<Uint8Array>> {
    this.#connection = new AbortController();
    const answer = await fetch(this.#address, {
      headers: { ...this.#headers, ...(this.#last === '' ? {} : { 'Last-Event-ID': this.#last }) },
      signal: this.#connection.signal,
    });
    if (answer.body === null || !answer.ok) throw new Error(`A listener was refused: ${answer.status}`);
    return answer.body;
  }

  async #follow(first: ReadableStream<Uint8Array>): Promise<void> {
    for (let body: ReadableStream<Uint8Array> | undefined = first; !this.#isOver; body = undefined) {
      try {
        await this.#read(body ?? (await this.#connect()));
      } catch {
        // Cut, by us or by the server.
        await sleep(againMs);
      }
    }
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body) {
      const at = performance.now();
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block.split('\n'), at);
    }
  }

  #take(lines: readonly string[], at: number): void {
    const field = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    this.#last = field('id') ?? this.#last;
    const data = field('data');
    if (data === undefined) return;
    const { task, seq } = JSON.parse(data) as { task: string; seq: number };
    if (seq <= (this.#lastSeq.get(task) ?? 0)) {
      this.repeated += 1;
      return;
    }
    this.#lastSeq.set(task, seq);
    this.heard += 1;
    if (this.#timed) this.arrivals.push({ key: `${task}/${seq}`, at });
  }
}
