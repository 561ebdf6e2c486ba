/** An agent that is asked for words and nothing else: read-only, within a time, what it says whole. */
import { counted } from '../../core/base/counted.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LegOrder, OpenLeg, Runner } from '../../ports/runner.ts';
import { LegSigns, watchTurn } from '../turns.ts';

/** More than any plan; a flood is cut. */
const heardCharsMax = 4_000_000;

export interface Questioned {
  readonly runner: Runner;
  readonly order: Pick<LegOrder, 'env' | 'folder'> & Partial<Pick<LegOrder, 'mode' | 'note'>>;
  readonly clock: Clock;
  /** How long an answer may take. */
  readonly msMax: number;
  readonly signal?: AbortSignal | undefined;
  /** What it is called where it fails. */
  readonly who?: string | undefined;
}

export class AgentTalk {
  readonly #with: Questioned;
  #heard = '';
  #open: OpenLeg | undefined;
  #signs: LegSigns;

  constructor(given: Questioned) {
    this.#with = given;
    this.#signs = new LegSigns(given.clock);
  }

  /** All that it says in answer. */
  async ask(prompt: string): Promise<string> {
    const { runner, order, clock, msMax, signal, who = 'it' } = this.#with;
    this.#open ??= await runner.open({
      mode: undefined,
      ...order,
      access: 'look',
      permissions: {},
      seen: (sign) => this.#signs.see(sign),
      heard: (text) => {
        if (this.#heard.length < heardCharsMax) this.#heard += text;
      },
      ask: async ({ permission }) => await Promise.resolve(permission === 'read' ? 'allow' : 'deny'),
    });
    this.#heard = '';
    this.#signs = new LegSigns(clock);
    const never = new AbortController().signal;
    const watch = {
      clock,
      limits: { legMs: msMax, stallMs: msMax },
      signs: this.#signs,
      lost: never,
      told: signal ?? never,
    };
    const { end, stopped } = await watchTurn(this.#open, prompt, watch);
    const isOver = end.how === 'over' || (end.how === 'ended' && end.exit === 0);
    const { noise } = this.#signs;
    if (stopped === null && isOver && (this.#heard !== '' || noise === 0)) return this.#heard;
    if (stopped === null && isOver)
      throw new StaffettaError(
        'invalid-input',
        `${who} said nothing that is understood: ${counted(noise, 'line')} in another form than docs/crew-lines.md has.`,
      );
    const why =
      stopped === 'timeout'
        ? `${who} did not answer in ${Math.round(msMax / 1000)} s`
        : `${who} ended without an answer, with ${end.signal ?? (end.exit === undefined ? end.how : `exit code ${end.exit}`)}`;
    const said = end.said.trim();
    throw new StaffettaError('invalid-input', said === '' ? `${why}.` : `${why}: ${said}`);
  }

  async close(): Promise<void> {
    await this.#open?.close();
  }
}

/** The last value in an answer that can be read: in a fence, or the whole of it. Words around it are passed over. */
export function fencedIn(answer: string): string {
  const fences = [...answer.matchAll(/^ {0,3}(`{3,})[^\n`]*\n([\s\S]*?)^ {0,3}\1`*[ \t]*$/gm)];
  return (fences.at(-1)?.[2] ?? answer).trim();
}
