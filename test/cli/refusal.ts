/** What holds for every refusal: it says what was wrong and what to do, changes nothing, and has its code and exit code. */
import { expect } from 'vitest';
import { contentOf, staffetta, type RunOptions } from './command.ts';
import { stages, type Stage } from './stage.ts';

export interface Refusal {
  readonly title: string;
  readonly stage?: () => Promise<Stage>;
  readonly args: (stage: Stage) => readonly string[];
  readonly options?: RunOptions;
  readonly exit: number;
  readonly code: string;
  /** What was wrong, and what to do. */
  readonly says: RegExp;
}

export interface Outcome {
  readonly exit: number | null;
  readonly error: unknown;
  readonly stderr: unknown;
  readonly changed: boolean;
}

export async function outcomeOf({ stage, args, options }: Refusal): Promise<Outcome> {
  const at = await (stage ?? stages.held)();
  const before = contentOf(at.store);
  const ran = await staffetta([...args(at), '--json'], { cwd: at.folder, ...options });
  const changed = contentOf(at.store) !== before;
  return { exit: ran.status, error: ran.json['error'], stderr: ran.stderr, changed };
}

export function wanted({ exit, code, says }: Refusal): Outcome {
  return {
    exit,
    error: expect.objectContaining({ code, message: expect.any(String) }),
    stderr: expect.stringMatching(says),
    changed: false,
  };
}
