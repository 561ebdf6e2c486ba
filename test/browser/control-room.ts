/** The built command's own server on a store of its own, and a browser that has signed in to it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { sandboxed } from '../support/sandboxed.ts';

const command = join(import.meta.dirname, '..', '..', 'bin', 'staffetta.cjs');

export interface ControlRoom {
  readonly url: string;
  readonly folder: string;
  readonly store: string;
  /** Runs the command as an agent, or as the person at the terminal, in the room's folder, and gives what it printed as JSON. */
  readonly run: (as: string | undefined, ...args: readonly string[]) => Record<string, unknown>;
  /** A page of somebody who has signed in; fails the test on any error in its console. */
  readonly enter: (browser: Browser, options?: BrowserContextOptions) => Promise<Page>;
  readonly close: () => Promise<void>;
}

export async function openControlRoom(
  folder = mkdtempSync(join(tmpdir(), 'staffetta-room-')),
): Promise<ControlRoom> {
  const store = join(folder, '.staffetta', 'store.db');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    STAFFETTA_STORE: store,
    GIT_CONFIG_NOSYSTEM: '1',
    ...sandboxed,
  };
  const started: ChildProcess[] = [];
  const links = async (port: string): Promise<{ link: string; url: string }> => {
    const up = spawn(process.execPath, [command, 'up', '--json', '--no-open', '--port', port], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(up);
    const [line] = (await once(createInterface({ input: up.stdout }), 'line')) as [string];
    return JSON.parse(line) as { link: string; url: string };
  };
  const first = await links('0');
  let link: string | undefined = first.link;
  const errors: string[] = [];
  return {
    url: first.url,
    folder,
    store,
    run(as, ...args) {
      const done = spawnSync(
        process.execPath,
        [command, ...args, ...(as === undefined ? [] : ['--as', as]), '--json'],
        {
          cwd: folder,
          env,
          encoding: 'utf8',
        },
      );
      if (done.status !== 0)
        throw new Error(
          `staffetta ${args.join(' ')} ended with ${done.status}: ${done.stdout}${done.stderr}`,
        );
      return JSON.parse(done.stdout) as Record<string, unknown>;
    },
    async enter(browser, options = {}) {
      if (link === undefined) throw new Error('The link works once; enter with the context of before.');
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(link);
      link = undefined;
      await page.waitForSelector('.top');
      return page;
    },
    async close() {
      for (const process of started) {
        process.kill('SIGINT');
        if (process.exitCode === null) await once(process, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
      if (errors.length > 0) throw new Error(`The console had errors:\n${errors.join('\n')}`);
    },
  };
}
