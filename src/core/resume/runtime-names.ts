import { editDistance } from '../base/suggest.ts';

/**
 * The programs that are known by name; others may have any name.
 *
 *   called    what people call it, too
 *   marks     variables that it sets for the commands it runs
 *   session   the variable of those that names the session
 *   client    how the name begins that it gives itself where it calls tools
 */
export const programs = [
  {
    name: 'claude-code',
    called: ['claude', 'claudecode'],
    marks: ['CLAUDECODE'],
    session: 'CLAUDE_CODE_SESSION_ID',
    client: 'claude',
  },
  {
    name: 'codex',
    called: ['codex-cli'],
    marks: ['CODEX_SANDBOX', 'CODEX_THREAD_ID'],
    session: 'CODEX_THREAD_ID',
    client: 'codex',
  },
  {
    name: 'gemini-cli',
    called: ['gemini'],
    marks: ['GEMINI_CLI'],
    session: 'GEMINI_SESSION_ID',
    client: 'gemini-cli',
  },
  {
    name: 'opencode',
    called: ['open-code'],
    marks: ['OPENCODE'],
    session: 'OPENCODE_SESSION_ID',
    client: 'opencode',
  },
] as const;
export type RuntimeName = (typeof programs)[number]['name'];
export const runtimeNames: readonly RuntimeName[] = programs.map(({ name }) => name);

export function isRuntimeName(word: string): word is RuntimeName {
  return (runtimeNames as readonly string[]).includes(word);
}

/** The known one that was probably meant: an offer to a runtime that is nearly a known one would wait for ever, for nothing runs in it. */
export function slippedRuntime(name: string): RuntimeName | undefined {
  if (isRuntimeName(name)) return undefined;
  const lower = name.toLowerCase();
  return (
    programs.find(({ called }) => (called as readonly string[]).includes(lower))?.name ??
    runtimeNames.find((known) => editDistance(lower, known) <= 1)
  );
}
