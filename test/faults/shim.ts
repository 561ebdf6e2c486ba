/** The failing disk, seen from the tests: building the shim, and steering it from inside a process that it was loaded into. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const faultKinds = ['write', 'sync', 'truncate', 'rename', 'unlink', 'create'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Compiles the shim into the folder. Undefined: no compiler here, or not a system that can preload it. */
export function buildShim(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const library = join(folder, 'shim.so');
  const source = join(import.meta.dirname, 'shim.c');
  for (const compiler of ['cc', 'gcc', 'clang']) {
    const args = ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-pthread'];
    const built = spawnSync(compiler, args, { encoding: 'utf8' });
    if (built.status === 0) return library;
    if (built.error === undefined) throw new Error(`${compiler} refused shim.c:\n${built.stderr}`);
  }
  return undefined;
}

export function shimEnvironment(library: string, pattern: string): Record<string, string> {
  return { LD_PRELOAD: library, FAULT_PATTERN: pattern };
}

function ask(request: string): string {
  return readFileSync(`/fault/${request}`, 'utf8');
}

export function arm(kind: FaultKind | 'any', nth: number, how: string): void {
  ask(`arm/${kind}/${nth}/${how}`);
}

export function disarm(): void {
  ask('off');
}

export function resetCounts(): void {
  ask('reset');
}

export interface TracedCall {
  readonly kind: FaultKind;
  readonly path: string;
}

export function trace(): TracedCall[] {
  return ask('trace')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const space = line.indexOf(' ');
      return { kind: line.slice(0, space) as FaultKind, path: line.slice(space + 1) };
    });
}

/** The file of a call, by what it is: what tells one of a kind from another is a number or a digest in its name. */
export function fileKind({ path }: TracedCall): string {
  return basename(path).replaceAll(/[0-9a-f]{8,}|\d+/g, '#');
}
