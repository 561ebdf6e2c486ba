/** A launch as somebody can paste it into a POSIX shell, and the environment in which an agent's own commands are fenced. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Actor, Lane } from '../../core/task/actor.ts';
import type { Home } from '../../home/home.ts';
import { memoryAddress, type StoreAddress } from '../../ports/store-address.ts';
import type { Launch } from '../../ports/runtime.ts';
import { programs } from '../../core/resume/runtime-names.ts';
import { joinCommand } from '../../core/base/command-line.ts';

export type Setting = Readonly<Record<string, string | null>>;

export interface LegOf {
  readonly task: string;
  readonly generation: number;
  readonly agent: Actor;
  readonly lane: Lane;
  readonly store: StoreAddress;
}

/**
 * Whoever works there speaks as this agent, under this generation, to this store; and is no child of the agent that started it. An address with
 * a password is in no line that is shown: it is inherited.
 */
export function legSetting({ task, generation, agent, lane, store }: LegOf): Setting {
  return {
    ...Object.fromEntries(programs.flatMap(({ marks }) => marks.map((mark) => [mark, null]))),
    ...(store === memoryAddress || store.reveal() !== store.shown ? {} : { STAFFETTA_STORE: store.shown }),
    STAFFETTA_AS: agent.name,
    STAFFETTA_LANE: lane,
    STAFFETTA_RUNTIME: agent.runtime ?? null,
    STAFFETTA_LINEAGE: agent.lineage === undefined ? null : agent.lineage.join(','),
    STAFFETTA_LEG: `${task}/${generation}`,
  };
}

/** `commands` is a folder that programs are looked for in first. */
export function environment(env: NodeJS.ProcessEnv, setting: Setting, commands: string): NodeJS.ProcessEnv {
  const path = env['PATH'] ?? '';
  const set: NodeJS.ProcessEnv = { ...env, PATH: path === '' ? commands : `${commands}${delimiter}${path}` };
  for (const [name, value] of Object.entries(setting)) {
    if (value === null) delete set[name];
    else set[name] = value;
  }
  return set;
}

export interface ShellOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly promptFile: string;
  /** A folder that programs are looked for in first. */
  readonly commands: string;
}

/** Only what is set is taken out: a line should be short enough to be read. */
export function shellLine(
  { program, args, cwd, stdin }: Launch,
  setting: Setting,
  { env, promptFile, commands }: ShellOptions,
): string {
  const out = Object.entries(setting).flatMap(([name, value]) =>
    value === null && env[name] !== undefined ? ['-u', name] : [],
  );
  const set = Object.entries(setting).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${value}`],
  );
  // The PATH of whoever pastes it, and not of whoever asked for it.
  const path = `PATH=${joinCommand([commands])}:"$PATH"`;
  const words = `${joinCommand(['env', ...out, ...set])} ${path} ${joinCommand([program, ...args])}`;
  return `cd ${joinCommand([cwd])} && ${words}${stdin === null ? '' : ` < ${joinCommand([promptFile])}`}`;
}

/** In the home of the store, where nothing is ever committed; only its owner may read it. */
export function promptPath(home: Home | undefined, task: string, generation: number): string {
  return join(promptFolder(home), `${task}-${generation}.md`);
}

export function promptFolder(home: Home | undefined): string {
  return home?.prompts ?? join(tmpdir(), 'staffetta-prompts');
}

export function writePrompt(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}

/** In the home of the store: the command itself, for agents whose PATH does not have it. */
export function commandsFolder(home: Home | undefined): string {
  return home?.commands ?? join(tmpdir(), 'staffetta-bin');
}

/** Calls the very program that runs now; whoever started it by another name or through npx has no other way to say it. */
export function writeCommand(
  folder: string,
  { node, command }: { readonly node: string; readonly command: string },
): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32')
    writeFileSync(join(folder, 'staffetta.cmd'), `@"${node}" "${command}" %*\r\n`);
  const script = `#!/bin/sh\nexec ${joinCommand([node, command])} "$@"\n`;
  const path = join(folder, 'staffetta');
  // Another agent may be calling it: it is never seen half written.
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, script, { mode: 0o700 });
  renameSync(fresh, path);
}
