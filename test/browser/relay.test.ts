/** A relay of real processes, watched on the board while one of them is killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { makeWorkplace } from '../../examples/relay/workplace.ts';
import { browserFor, openBrowser } from './chromium.ts';
import { openControlRoom } from './control-room.ts';
import { picture } from './pictures.ts';

const browserFile = browserFor('a live relay is watched on the board while processes are killed');
const asked = Object.entries({
  accept: 'node --test passes',
  'non-goal': 'transliteration of other scripts',
  validate: 'tests: node --test --test-reporter=tap slug.test.mjs',
  protect: 'slug.test.mjs',
  review: 'lane:audit',
  to: 'lane:plan',
}).flatMap(([name, value]) => [`--${name}`, value]);
const agentFile = join(import.meta.dirname, '..', '..', 'examples', 'relay', 'agent.ts');

test(
  'a relay is seen as it runs: who holds it, who was killed, who went on',
  { timeout: 300_000 },
  async () => {
    if (browserFile === undefined) return;
    const room = await openControlRoom(makeWorkplace());
    const started: ChildProcess[] = [];
    const start = (role: string, name: string): ChildProcess => {
      const agent = spawn(process.execPath, [agentFile, role, name, room.store, room.folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      started.push(agent);
      return agent;
    };
    const carry = async (role: string, name: string): Promise<void> => {
      const agent = start(role, name);
      agent.stdout?.resume();
      const [code] = (await once(agent, 'close')) as [number | null];
      expect([name, code]).toEqual([name, 0]);
    };
    const browser = await openBrowser(browserFile);
    try {
      const page = await room.enter(browser);
      await page.goto(`${room.url}/board?all=1`);
      const { task } = room.run(
        undefined,
        'open',
        'slug() in slug.mjs turns any title into plain lower-case words joined by dashes',
        ...asked,
      );
      const row = '.card:has-text("slug() in slug.mjs")';
      const within = (column: string): string => `.column[aria-label="${column}"] ${row}`;
      await page.waitForSelector(`${within('waiting')}:has(.lane-plan)`);
      await carry('research', 'research');
      await page.waitForSelector(`${within('waiting')}:has(.lane-execute)`);

      const killed = start('code', 'code-1');
      for await (const line of createInterface({ input: killed.stdout ?? process.stdin })) {
        if (line.startsWith('half-way')) break;
      }
      await page.waitForSelector(`${within('in work')} .holder:has-text("code-1") meter`);
      killed.kill('SIGKILL');
      // Nobody says that it is gone; its lease runs out before the reader's eyes.
      await page.waitForSelector(`${row} .lease.over`);
      await page.goto(room.url);
      await page.waitForSelector('.inbox-row:has-text("code-1 fell silent")');
      await page.goto(`${room.url}/board?all=1`);
      await carry('code', 'code-2');
      await page.waitForSelector(`${within('needs you')}:has(.lane-audit), ${row}:has(.lane-audit)`);
      await carry('code', 'code-1');
      await carry('qa', 'qa');
      await page.waitForSelector(within('done'));
      await picture(page, 'relay-board');

      await page.goto(`${room.url}/tasks/${String(task)}`);
      await page.waitForSelector('.timeline-box .leg.lapsed');
      expect(await page.locator('.timeline-box .kind-lapse').count()).toBe(1);
      expect(await page.locator('.timeline-box .kind-approve').count()).toBe(1);
      await picture(page, 'relay-task');
      await page.goto(`${room.url}/tasks/${String(task)}/audit`);
      await page.waitForSelector('.audit-verdict.good');
    } finally {
      for (const agent of started)
        if (agent.exitCode === null && agent.signalCode === null) agent.kill('SIGKILL');
      await browser.close();
      await room.close();
    }
  },
);
