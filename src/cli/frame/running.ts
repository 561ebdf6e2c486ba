import type { Validation } from '../../core/contract/contract.ts';
import { formatDuration } from './duration.ts';
import type { Output } from './output.ts';
import { namedCommandWords } from '../pages/runs-page.ts';

const showEveryMs = 1000;

/** Says which command runs: a line that passes on a terminal, with its time, and one that stays elsewhere. */
export class Running {
  readonly #output: Output;
  #timer: NodeJS.Timeout | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  readonly starting = (validation: Validation): void => {
    this.end();
    const words = namedCommandWords(validation);
    if (!this.#output.watched) {
      this.#output.say(`Running: ${words}`);
      return;
    }
    const started = performance.now();
    const show = (): void =>
      this.#output.passing(`Running: ${words} (${formatDuration(performance.now() - started)})`);
    show();
    this.#timer = setInterval(show, showEveryMs);
    this.#timer.unref();
  };

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#output.passing('');
  }
}
