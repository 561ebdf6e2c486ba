/** The processes above this one, as the kernel tells of them where there is /proc. Elsewhere nothing is told. */
import { readFileSync } from 'node:fs';

export interface Ancestor {
  readonly pid: number;
  readonly name: string;
  /** When it started, by the kernel's clock; with the number it names one process for good. */
  readonly started: string;
}

const depthMax = 32;

/** From a process upwards, itself first. */
export function* ancestorsOf(pid: number): Generator<Ancestor> {
  let at = pid;
  for (let depth = 0; at > 1 && depth < depthMax; depth += 1) {
    const found = look(at);
    if (found === undefined) return;
    yield { pid: at, name: found.name, started: found.started };
    at = found.parent;
  }
}

/** Undefined where it is gone, or nothing tells. */
export function startOf(pid: number): string | undefined {
  return look(pid)?.started;
}

function look(
  pid: number,
): { readonly name: string; readonly parent: number; readonly started: string } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name stands in brackets and may hold any.
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  const state = fields[0];
  if (state === undefined || state === 'Z' || state === 'X') return undefined;
  return {
    name: text.slice(text.indexOf('(') + 1, close),
    parent: Number(fields[1] ?? 0),
    started: fields[19] ?? '',
  };
}

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'timeout', 'env']);

/** The program that started this one, whatever shells stand between them. */
export function startedBy(): Ancestor | undefined {
  for (const ancestor of ancestorsOf(process.ppid)) if (!shells.has(ancestor.name)) return ancestor;
  return undefined;
}
