/** Before the first proof: the command is built, and the programs are there or are known to be missing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { RuntimeName } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';
import { cacheFolder, install, type Installed } from './install.ts';
import type { Proven } from './report.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly installed: Readonly<Record<RuntimeName, Installed>>;
  }
  interface TaskMeta {
    /** What a test proves, for the report. */
    proves?: Proven;
  }
}

export async function setup(project: TestProject): Promise<void> {
  if (!existsSync(join(import.meta.dirname, '../../dist/cli')))
    throw new Error('not built yet; run: npm run build');
  const cache = cacheFolder();
  process.stderr.write(`The programs are kept in ${cache}.\n`);
  const installed: Partial<Record<RuntimeName, Installed>> = {};
  for (const agent of Object.values(agents)) {
    const begun = performance.now();
    const found = await install(agent, cache);
    installed[agent.runtime] = found;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const outcome = 'missing' in found ? `NOT INSTALLED: ${found.missing}` : `${found.version}  ${seconds} s`;
    process.stderr.write(`${agent.title}  ${outcome}\n`);
  }
  project.provide('installed', installed as Record<RuntimeName, Installed>);
}
