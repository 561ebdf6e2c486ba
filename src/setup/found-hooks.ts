/** Our hooks in a file of settings, as they are. */
import { trustOf, type HookTrust } from './codex-trust.ts';
import { hookEvents, type HookRuntime } from './entries.ts';
import type { FileKind } from './files.ts';
import { ownHandlers } from './json-hooks.ts';

export interface FoundHooks {
  readonly events: number;
  /** Events that are wanted and have none. */
  readonly missing: readonly string[];
  /** The files that they start. */
  readonly programs: readonly string[];
  /** What is called, one for each way in which it is called: a line for the shell, or words. */
  readonly calls: readonly (string | readonly string[])[];
  readonly trusts: readonly HookTrust[];
}

const runtimeOf: Partial<Readonly<Record<FileKind, HookRuntime>>> = {
  'claude-hooks': 'claude-code',
  'claude-local': 'claude-code',
  'codex-hooks': 'codex',
  'gemini-settings': 'gemini-cli',
};

/** Undefined where there is nothing of ours. */
export function hooksIn(kind: FileKind, path: string, text: string): FoundHooks | undefined {
  if (kind === 'opencode-plugin') return pluginIn(text);
  const runtime = runtimeOf[kind];
  if (runtime === undefined) return undefined;
  const wanted = hookEvents[runtime];
  const found = ownHandlers(text).filter(({ event }) => wanted.includes(event));
  if (found.length === 0) return undefined;
  const missing = wanted.filter((event) => !found.some((one) => one.event === event));
  const commands = found.map(({ event, handler }) => ({ event, command: String(handler['command']) }));
  const ways = new Map(commands.map(({ event, command }) => [command.replace(event, ''), command]));
  return {
    events: wanted.length - missing.length,
    missing,
    programs: [...new Set(commands.flatMap(({ command }) => filesIn(command)))],
    calls: [...ways.values()],
    trusts: kind === 'codex-hooks' ? trustOf(path, text) : [],
  };
}

/** The words of a command that are paths. */
function filesIn(command: string): string[] {
  return [...command.matchAll(/'((?:[^']|'\\'')+)'|"([^"]+)"|(\S+)/g)]
    .map((match) => (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(`'\\''`, "'"))
    .filter((word) => /^(\/|[A-Za-z]:[\\/])/.test(word));
}

function pluginIn(text: string): FoundHooks | undefined {
  const found = /staffetta\(\{ node: ("(?:[^"\\]|\\.)*"), hook: ("(?:[^"\\]|\\.)*") \}\)/.exec(text);
  if (found === null) return undefined;
  const [node = '', hook = ''] = [found[1], found[2]].map((quoted) => String(JSON.parse(quoted ?? '""')));
  const imported = /from "(file:[^"]+)"/.exec(text)?.[1];
  const module = imported === undefined ? [] : [decodeURIComponent(new URL(imported).pathname)];
  return {
    events: 6,
    missing: [],
    programs: [node, hook, ...(process.platform === 'win32' ? [] : module)],
    calls: [[node, hook, 'opencode', 'session.created']],
    trusts: [],
  };
}
