/** What lies in the home of a store for programs that are started: their prompts, and the command itself. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { joinCommand } from '../../core/base/command-line.ts';
import type { Home } from '../../home/home.ts';

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

/** Calls the very program that runs now; an agent has no other way to name it if the user started it by another name or through npx. */
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
