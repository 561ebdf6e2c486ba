/** `npm start` ends in the control room, and Ctrl-C there stops all of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { browserFor, openBrowser } from './chromium.ts';

const browserFile = browserFor('the relay that npm start plays is shown in the control room');
const play = join(import.meta.dirname, '..', '..', 'examples', 'relay', 'play.ts');

test(
  'the run of the crew that was just played is shown, and Ctrl-C stops cleanly',
  { timeout: 300_000 },
  async () => {
    if (browserFile === undefined) return;
    const home = mkdtempSync(join(tmpdir(), 'staffetta-start-'));
    const relay = spawn(process.execPath, [play, '--up'], {
      env: { ...process.env, HOME: home, TMPDIR: home },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      let link = '';
      for await (const line of createInterface({ input: relay.stdout })) {
        if (!line.includes('/sign-in?code=')) continue;
        link = line.trim();
        break;
      }
      const browser = await openBrowser(browserFile);
      const page = await browser.newPage();
      await page.goto(link);
      await page.waitForURL(/\/runs\/t[0-9a-z]+$/);
      await page.waitForSelector('h1:has-text("Run names")');
      expect(await page.locator('.node.stands-done').count()).toBe(3);
      await browser.close();
      // As a terminal does: to everybody in the foreground.
      process.kill(-(relay.pid ?? 0), 'SIGINT');
      const [code] = (await once(relay, 'exit')) as [number | null];
      expect(code).toBe(0);
    } finally {
      if (relay.exitCode === null && relay.pid !== undefined) process.kill(-relay.pid, 'SIGKILL');
      rmSync(home, { recursive: true, force: true });
    }
  },
);
