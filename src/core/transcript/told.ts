/** How long a session is and what was said in it last, for a list of many. */
import { shortened } from '../base/text.ts';
import type { Step } from './step.ts';

export interface Told {
  /** How often it was spoken to. */
  readonly turns: number;
  /** Of the person or of the model, shortened. */
  readonly lastMessage: string | null;
}

const messageCharsMax = 200;

export function toldOf(steps: readonly Step[]): Told {
  const last = lastSaid(steps);
  return {
    turns: steps.filter((step) => step.source === 'user' && isKept(step)).length,
    lastMessage:
      last === undefined ? null : shortened(last.text.replaceAll(/\s+/g, ' ').trim(), messageCharsMax),
  };
}

export function lastSaid(steps: readonly Step[]): Step | undefined {
  return steps.findLast((step) => step.source !== 'system' && isKept(step) && step.text.trim() !== '');
}

function isKept({ aside }: Step): boolean {
  return aside !== 'branch-left';
}
