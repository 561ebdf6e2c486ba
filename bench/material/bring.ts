/** What others make, for comparison: brought from the registry into .cache/ when it is first measured, with no script of theirs run. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Wanted {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

/** LangGraph.js. The database driver is a newer major than its checkpointer asks for: it carries its binaries, so that nothing is compiled. */
export const langGraph = {
  dependencies: {
    '@langchain/core': '1.2.13',
    '@langchain/langgraph': '1.4.18',
    '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
  },
  overrides: { 'better-sqlite3': '13.0.3', '@langchain/langgraph-sdk': '1.12.3' },
} as const;

/** Returns the folder that has it, or why it cannot be had, in one line. */
export function bring(name: string, wanted: Wanted): { readonly folder: string } | { readonly why: string } {
  const folder = join(import.meta.dirname, '../..', '.cache', name);
  const manifest = JSON.stringify({ private: true, ...wanted }, null, 2);
  const stamp = join(folder, 'installed.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest) return { folder };
  process.stderr.write(`Bringing ${name} for comparison.\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  const windows = process.platform === 'win32';
  const done = spawnSync(windows ? 'npm.cmd' : 'npm', args, {
    cwd: folder,
    encoding: 'utf8',
    shell: windows,
  });
  if (done.status !== 0) {
    const said = done.error?.message ?? done.stderr.trim().split('\n').at(0) ?? 'npm failed';
    return { why: `${name} could not be installed (${said})` };
  }
  writeFileSync(stamp, manifest);
  return { folder };
}
