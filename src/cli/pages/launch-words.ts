/** A launch as somebody can paste it into a POSIX shell. */
import { joinCommand } from '../../core/base/command-line.ts';
import type { LegSetting } from '../../desk/launch/leg-environment.ts';
import type { Launch } from '../../ports/runtime.ts';

export interface ShellOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly promptFile: string;
  /** A folder that programs are looked for in first. */
  readonly commands: string;
}

/** Only what is set is taken out: a line should be short enough to be read. */
export function shellLine(
  { program, args, cwd, stdin }: Launch,
  setting: LegSetting,
  { env, promptFile, commands }: ShellOptions,
): string {
  const out = Object.entries(setting).flatMap(([name, value]) =>
    value === null && env[name] !== undefined ? ['-u', name] : [],
  );
  const set = Object.entries(setting).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${value}`],
  );
  // The PATH of the shell that it is pasted into, and not of this process.
  const path = `PATH=${joinCommand([commands])}:"$PATH"`;
  const words = `${joinCommand(['env', ...out, ...set])} ${path} ${joinCommand([program, ...args])}`;
  return `cd ${joinCommand([cwd])} && ${words}${stdin === null ? '' : ` < ${joinCommand([promptFile])}`}`;
}
