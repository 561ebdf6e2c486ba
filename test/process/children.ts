/** Programs that do not want to be ended, as scripts for Node. Each writes its number into a file once it works. */
import { existsSync, readFileSync } from 'node:fs';
import { isOver } from '../../src/process/process-tree.ts';

/** Hears no request, and works for ever. */
export function stubborn(file: string): string {
  return `
process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); process.on('SIGINT', () => {});
require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));
setInterval(() => {}, 1000);`;
}

/** Starts a script in a session of its own, by a child that ends at once: nobody above it knows of it any more. */
export function forkedTwice(script: string): string {
  const inner = `const c = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}], { detached: true, stdio: 'ignore' }); c.unref();`;
  return `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'ignore' });`;
}

export const isGone = (pid: number): boolean => isOver({ pid, started: null });

/** Once a file is there and says something. */
export async function textIn(path: string): Promise<string> {
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text !== '') return text;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
