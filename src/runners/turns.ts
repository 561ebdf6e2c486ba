/** The turn under way, and the questions that are open in it. A turn ends once, by the first that says so. */
import { defined } from '../core/base/defined.ts';
import { sanitizeLine } from '../core/base/sanitize.ts';
import type { LegOrder, LegSign, PermissionQuestion, TurnEnd } from '../ports/runner.ts';

const signCharsMax = 200;
const saidCharsMax = 2000;

/** One line, shortened. */
function signText(text: string): string {
  // The rest would not be shown: looking through megabytes of it for what must not be shown costs more than all else.
  const line = sanitizeLine(text.slice(0, 4 * signCharsMax).trim());
  return line.length <= signCharsMax ? line : `${line.slice(0, signCharsMax - 1)}…`;
}

type Answer = 'allow' | 'deny' | 'dropped';

export class Turns {
  readonly #order: Pick<LegOrder, 'ask' | 'seen' | 'heard'>;
  readonly #open = new Set<(answer: Answer) => void>();
  #under: PromiseWithResolvers<TurnEnd> | null = null;
  #isStopping = false;
  #limit: TurnEnd['limit'];
  #said = '';

  constructor(order: Pick<LegOrder, 'ask' | 'seen' | 'heard'>) {
    this.#order = order;
  }

  /** Null while another is under way. */
  begin(): Promise<TurnEnd> | null {
    if (this.#under !== null) return null;
    this.#under = Promise.withResolvers<TurnEnd>();
    this.#isStopping = false;
    this.#limit = undefined;
    this.#said = '';
    return this.#under.promise;
  }

  get underWay(): Promise<TurnEnd> | null {
    return this.#under?.promise ?? null;
  }

  /** `said` is for people, where the agent itself said nothing. */
  end(end: Omit<TurnEnd, 'said'> & { readonly said?: string }): void {
    if (this.#under === null) return;
    this.dropQuestions();
    const { resolve } = this.#under;
    this.#under = null;
    const said = [this.#said, end.said ?? ''].filter((part) => part !== '').join('\n');
    resolve({
      ...end,
      how: this.#isStopping ? 'stopped' : end.how,
      said: said.slice(-saidCharsMax),
      ...defined({ limit: this.#limit }),
    });
  }

  /** Whatever ends the turn from now on, it was we who asked for it. */
  willStop(): void {
    this.#isStopping = true;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  tell(sign: LegSign): void {
    if (sign.kind === 'said' || sign.kind === 'thought' || sign.kind === 'tool') {
      if (sign.kind === 'said') {
        this.#said = (this.#said + sign.text).slice(-saidCharsMax);
        this.#order.heard?.(sign.text);
      }
      this.#order.seen({ kind: sign.kind, text: signText(sign.text) });
    } else this.#order.seen(sign);
  }

  meet(limit: NonNullable<TurnEnd['limit']>): void {
    this.#limit = limit;
  }

  /** `dropped` where the turn was over, or stopped, before anybody answered. */
  async ask(question: PermissionQuestion): Promise<Answer> {
    if (this.#under === null || this.#isStopping) return 'dropped';
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#open.add(resolve);
    this.#order.ask({ ...question, what: signText(question.what) }).then(resolve, () => resolve('deny'));
    try {
      return await promise;
    } finally {
      this.#open.delete(resolve);
    }
  }

  dropQuestions(): void {
    for (const resolve of this.#open) resolve('dropped');
    this.#open.clear();
  }
}

export async function settlesWithin(done: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([
      done.then(
        () => true,
        () => true,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
