import type { TaskId } from '../core/journal/id.ts';
import type { TaskState } from '../core/task/state.ts';
import { readRecordsByShape } from '../core/formats/shapes/detect.ts';
import { lastNamed, storyOf, type Story } from '../core/transcript/story.ts';
import type { Context } from '../handoff/record/context.ts';
import { storyParts, readersOf } from '../handoff/history/story.ts';
import { storyLegs, type StoryLeg } from '../handoff/history/story-legs.ts';
import type { Runtime } from '../ports/runtime.ts';

export interface ToldStory extends Story {
  readonly legs: readonly StoryLeg[];
  /** The last name that leads anywhere. */
  readonly last: number;
}

/** The story that was asked for last: its pages are asked for one after another, and reading it takes all of it. */
export class Stories {
  readonly #context: Context;
  readonly #runtimes: () => Promise<readonly Runtime[]>;
  #last: { readonly head: string; readonly told: Promise<ToldStory> } | undefined;

  constructor(context: Context, runtimes: () => Promise<readonly Runtime[]>) {
    this.#context = context;
    this.#runtimes = runtimes;
  }

  async at({ task, head }: Pick<TaskState, 'task' | 'head'>): Promise<ToldStory> {
    if (this.#last?.head === head) return await this.#last.told;
    const mine = { head, told: this.read(task) };
    this.#last = mine;
    try {
      return await mine.told;
    } catch (error) {
      // What could not be read is tried again at the next request.
      if (this.#last === mine) this.#last = undefined;
      throw error;
    }
  }

  async read(task: TaskId): Promise<ToldStory> {
    const parts = await storyParts(this.#context, task);
    const readerOf = readersOf(await this.#runtimes());
    // Of a program that is not known here it is shown as the text that it is.
    const read = storyOf(parts, (runtime) => readerOf(runtime) ?? readRecordsByShape);
    return { ...read, legs: await storyLegs(this.#context, task), last: lastNamed(parts) };
  }
}
