/**
 * What a person types while the model is at work waits in a queue, of which the file has one record for each change:
 *
 *   enqueue   `content` waits
 *   dequeue   the oldest is sent as a prompt: a user's record follows
 *   remove    the oldest is given to the model between two results, or is a command that the program ran at once. Newer versions
 *             keep what was given as an attachment, older ones nowhere else
 *   popAll    the person took all of it back
 */
import { text, type Fields } from './schema.ts';

interface Waiting {
  readonly words: string;
  /** A record of the conversation has it. */
  isTold: boolean;
}

const command = /^\s*\/[\w:-]+(?:\s|$)/;

export class Queue {
  readonly #waiting: Waiting[] = [];

  /** What was given to the model and stands in no other record yet. */
  take(record: Fields): string | null {
    const operation = text(record, 'operation');
    if (operation === 'enqueue') this.#waiting.push({ words: text(record, 'content') ?? '', isTold: false });
    else if (operation === 'popAll') this.#waiting.length = 0;
    else if (operation === 'dequeue') this.#waiting.shift();
    else if (operation === 'remove') {
      const given = this.#waiting.shift();
      return given === undefined || given.isTold || command.test(given.words) ? null : given.words;
    }
    return null;
  }

  /** A record of the conversation has these words. */
  tell(words: string): void {
    const same = this.#waiting.find((each) => !each.isTold && each.words === words);
    if (same !== undefined) same.isTold = true;
  }
}
