import { editDistance } from '../base/suggest.ts';

/** The programs that are known by name. Others may have any name. */
export const runtimeNames = ['claude-code', 'codex', 'gemini-cli', 'opencode'] as const;
export type RuntimeName = (typeof runtimeNames)[number];

export function isRuntimeName(word: string): word is RuntimeName {
  return (runtimeNames as readonly string[]).includes(word);
}

/** What people call them, too. */
const otherNames: Readonly<Record<string, RuntimeName>> = {
  claude: 'claude-code',
  claudecode: 'claude-code',
  'codex-cli': 'codex',
  gemini: 'gemini-cli',
  'open-code': 'opencode',
};

/** The known one that was probably meant: an offer to a runtime that is nearly a known one would wait for ever, for nothing runs in it. */
export function slippedRuntime(name: string): RuntimeName | undefined {
  if (isRuntimeName(name)) return undefined;
  const lower = name.toLowerCase();
  return (
    (Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined) ??
    runtimeNames.find((known) => editDistance(lower, known) <= 1)
  );
}
