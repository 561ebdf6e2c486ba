/**
 * A session that was written from the history before it begins with that history once more. It is told once, where it was said first:
 * the copies are set apart, under the names of their own records.
 *
 * They are known by who speaks and by what is said, in order, from the first word to the last, whatever a program made of them: it may
 * part or join messages and leave out blanks, and it names tools in its own way. What programs add is no part of it. What was taken back,
 * compacted or rewritten may have been written and may not, since nobody knows whether that was before or after.
 */
import { calledByModel } from './called-by-model.ts';
import { givenTo } from './leg-line.ts';
import type { Step } from './step.ts';
import type { StoryStep } from './story.ts';

export interface Copy {
  readonly step: StoryStep;
  /** The name of the step that it repeats; that of the one before where it repeats none. */
  readonly of: number;
}

/** The steps at the beginning of a session that only say again all that was said before it; both in the order in which they were said. */
export function copiesIn(own: readonly StoryStep[], before: readonly StoryStep[]): Copy[] {
  const wanted = new Wanted(before);
  const copies: Copy[] = [];
  let matched = 0;
  for (const step of own) {
    const said = saidIn(givenTo(step));
    const found = said === null ? null : wanted.take(said);
    if (found === null && said !== null && said.source !== 'system') break;
    copies.push({ step, of: found ?? copies.at(-1)?.of ?? before[0]?.ref ?? step.ref });
    if (found !== null) matched = copies.length;
    if (wanted.isDone) break;
  }
  return wanted.isTold ? copies.slice(0, matched) : [];
}

interface Said {
  readonly source: StoryStep['source'];
  /** Without blanks; each call is one sign. */
  readonly words: string;
}

/** Null for what says nothing. */
function saidIn(step: Step): Said | null {
  const { source, text, calls = [] } = calledByModel(step);
  const words = `${text.replaceAll(/\s+/g, '')}${'\0'.repeat(calls.length)}`;
  return words === '' ? null : { source, words };
}

/** What a program carries over. */
function isSpoken({ source, text, calls = [] }: Step): boolean {
  return source !== 'system' && (calls.length > 0 || text.trim() !== '');
}

/** How far the history was said again. */
class Wanted {
  readonly #steps: readonly StoryStep[];
  /** How many there are up to the last one that must come; those that were left aside may. */
  readonly #due: number;
  #next = 0;
  /** Of the step before `#next`: what was not said again yet. */
  #rest: Said | null = null;

  constructor(before: readonly StoryStep[]) {
    this.#steps = before.map(givenTo).filter(isSpoken);
    this.#due = this.#steps.findLastIndex(({ aside }) => aside === undefined) + 1;
  }

  get isDone(): boolean {
    return this.#rest === null && this.#next === this.#steps.length;
  }

  /** All that had to come has come. Where nothing had to: all that there is. */
  get isTold(): boolean {
    const due = this.#due === 0 ? Math.max(1, this.#steps.length) : this.#due;
    return this.#rest === null && this.#next >= due;
  }

  /** The name of the step in which these words stand next; null where others do, and nothing is taken. */
  take(said: Said): number | null {
    for (let from = this.#next; ; from += 1) {
      const found = said.source === 'system' ? this.#matchWhole(said, from) : this.#match(said, from);
      if (found !== null) return found;
      // In the middle of a step nothing can be passed over, and neither can what must come.
      if (this.#rest !== null || this.#steps[from]?.aside === undefined) return null;
    }
  }

  /** Words of a user that look like those of a program are read as the program's. */
  #matchWhole({ words }: Said, from: number): number | null {
    const step = this.#rest === null ? this.#steps[from] : undefined;
    if (step === undefined || saidIn(step)?.words !== words) return null;
    this.#next = from + 1;
    return step.ref;
  }

  #match({ source, words }: Said, from: number): number | null {
    let next = from;
    let rest = this.#rest;
    const first = this.#steps[rest === null ? from : from - 1]?.ref ?? null;
    for (let left = words; left !== '';) {
      const step = rest === null ? this.#steps[next] : undefined;
      if (step !== undefined) {
        rest = saidIn(step);
        next += 1;
      }
      if (rest?.source !== source) return null;
      const there = rest.words;
      if (left.startsWith(there)) rest = null;
      else if (there.startsWith(left)) rest = { source, words: there.slice(left.length) };
      else return null;
      left = left.slice(there.length);
    }
    this.#next = next;
    this.#rest = rest;
    return first;
  }
}
