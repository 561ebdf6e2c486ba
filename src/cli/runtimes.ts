import { editDistance } from '../core/suggest.ts';
import { UsageError } from './usage.ts';

/** Runtimes that a bare word in --to may mean. Others have any name. */
export const runtimes: readonly string[] = ['claude-code', 'codex', 'gemini-cli', 'opencode'];

/** What people call them, too. */
const otherNames: Readonly<Record<string, string>> = {
  claude: 'claude-code',
  claudecode: 'claude-code',
  'codex-cli': 'codex',
  gemini: 'gemini-cli',
  'open-code': 'opencode',
};

/** A runtime that is nearly a known one would be asked for ever: nothing runs in it. */
export function refuseSlippedRuntime(said: string, name: string): void {
  if (runtimes.includes(name)) return;
  const lower = name.toLowerCase();
  const meant =
    (Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined) ??
    runtimes.find((known) => editDistance(lower, known) <= 1);
  if (meant === undefined) return;
  throw new UsageError(
    `${said}${name} is not a runtime that is known here.`,
    `Did you mean: ${said}${meant}. Known: ${runtimes.join(', ')}; others may have any name that is not nearly one of these.`,
  );
}
