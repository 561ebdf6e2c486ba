/** Our hooks in a file of settings, as they are. */
import { trustOf, type HookTrust } from './codex-trust.ts';
import { hookEvents, isOwnElement, type HookRuntime } from './entries.ts';
import type { FileKind } from './files.ts';
import { nodeAt } from './json-edit.ts';
import { parseTree, valueOf } from './json-tree.ts';
import { attempt } from './change.ts';

export interface FoundHooks {
  readonly events: number;
  /** Events that are wanted and have none. */
  readonly missing: readonly string[];
  /** The files that they start. */
  readonly programs: readonly string[];
  readonly trusts: readonly HookTrust[];
}

const runtimeOf: Partial<Readonly<Record<FileKind, HookRuntime>>> = {
  'claude-hooks': 'claude-code',
  'codex-hooks': 'codex',
  'gemini-settings': 'gemini-cli',
};

/** Undefined where there is nothing of ours. */
export function hooksIn(kind: FileKind, path: string, text: string): FoundHooks | undefined {
  if (kind === 'opencode-plugin') return pluginIn(text);
  const runtime = runtimeOf[kind];
  if (runtime === undefined || text.trim() === '') return undefined;
  const root = attempt(path, () => parseTree(text));
  const own = hookEvents[runtime].map((event) => {
    const list = nodeAt(root, ['hooks', event]);
    const elements = list === undefined ? [] : valueOf(list);
    return { event, element: Array.isArray(elements) ? elements.find(isOwnElement) : undefined };
  });
  const there = own.filter(({ element }) => element !== undefined);
  if (there.length === 0) return undefined;
  return {
    events: there.length,
    missing: own.filter(({ element }) => element === undefined).map(({ event }) => event),
    programs: [...new Set(there.flatMap(({ element }) => filesIn(element)))],
    trusts: kind === 'codex-hooks' ? trustOf(path, text) : [],
  };
}

/** The words of the command that are paths. */
function filesIn(element: unknown): string[] {
  const { hooks = [] } = element as { hooks?: readonly { command?: unknown }[] };
  return hooks.flatMap(({ command }) =>
    typeof command !== 'string'
      ? []
      : [...command.matchAll(/'((?:[^']|'\\'')+)'|"([^"]+)"|(\S+)/g)]
          .map((match) => (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(`'\\''`, "'"))
          .filter((word) => /^(\/|[A-Za-z]:[\\/])/.test(word)),
  );
}

function pluginIn(text: string): FoundHooks | undefined {
  const found = /staffetta\(\{ node: ("(?:[^"\\]|\\.)*"), hook: ("(?:[^"\\]|\\.)*") \}\)/.exec(text);
  if (found === null) return undefined;
  const programs = [found[1], found[2]].map((quoted) => String(JSON.parse(quoted ?? '""')));
  return { events: 6, missing: [], programs, trusts: [] };
}

/** The setting that keeps a program from running any hook. */
export function switchedOff(kind: FileKind, text: string): string | undefined {
  if (kind === 'codex-config')
    return /^\s*(?:codex_)?hooks\s*=\s*false/m.test(text) ? 'hooks = false' : undefined;
  const place = { 'claude-hooks': ['disableAllHooks'], 'gemini-settings': ['hooksConfig', 'enabled'] }[
    kind as string
  ];
  if (place === undefined || text.trim() === '') return undefined;
  const node = nodeAt(parseTree(text), place);
  const wanted = kind === 'claude-hooks';
  return node !== undefined && valueOf(node) === wanted ? place.join('.') : undefined;
}
