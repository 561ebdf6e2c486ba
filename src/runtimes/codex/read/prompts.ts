/**
 * Which messages of the user's role a person typed. The program sends warnings, summaries and goals in that role too, and before parts
 * had kinds (`context.ts`) only their tags told them apart. But it records an event for each prompt: in a session that has such events,
 * a message without one is the program's.
 */
import type { OpenStep } from './steps.ts';

export class Prompts {
  readonly #typed = new Set<string>();
  readonly #unsure: OpenStep[] = [];

  /** The event of a prompt. */
  addTyped(text: string): void {
    this.#typed.add(text.trim());
  }

  /** A message whose kind nothing says. */
  unsure(step: OpenStep): void {
    this.#unsure.push(step);
  }

  /** At the end of the session, for an event may come after its message; `last` may still wait for its own. */
  settle(last: OpenStep | undefined): void {
    if (this.#typed.size === 0) return;
    for (const step of this.#unsure)
      if (step !== last && !this.#isTyped(step.text.trim())) [step.source, step.mark] = ['system', 'context'];
  }

  /** An event may hold more than the message: what an editor put before it. */
  #isTyped(text: string): boolean {
    return text === '' || this.#typed.has(text) || [...this.#typed].some((typed) => typed.endsWith(text));
  }
}
