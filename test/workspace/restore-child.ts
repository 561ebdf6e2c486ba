/** Restores a saved capture and kills itself at a named step. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest } from '../../src/core/tree/workspace.ts';
import { openWorkspace } from '../../src/workspace/open.ts';

const [target = '', saved = '', at = ''] = process.argv.slice(2);
const workspace = await openWorkspace(target, {
  reached: (step, n) => {
    if (`${step} ${n}` === at) process.kill(process.pid, 'SIGKILL');
  },
});
await workspace.restore(parseManifest(readFileSync(join(saved, 'manifest.json'))), {
  read: async (digest) => readFileSync(join(saved, digest.slice(7))),
});
