/** Starts the server of a run when the first test asks for it, and ends it with the run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres, type RunningServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A socket that answers with the address of the server. */
    readonly postgresDoor: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-door-'));
  const door = join(folder, 'door');
  let started: Promise<RunningServer> | undefined;
  const server = createServer((asking) => {
    started ??= startPostgres();
    void started.then(
      ({ url }) => asking.end(url),
      (error: unknown) => asking.end(`failed: ${String(error)}`),
    );
  }).listen(door);
  await once(server, 'listening');
  project.provide('postgresDoor', door);
  return async () => {
    server.close();
    await (await started?.catch(() => undefined))?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
