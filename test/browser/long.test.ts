/** Much of everything, without the page ever standing still: a journal of ten thousand entries, a board of a thousand tasks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { ada, stage } from '../support/world.ts';
import { browserFor, openBrowser } from './chromium.ts';
import { openControlRoom } from './control-room.ts';

const browserFile = browserFor('ten thousand events are scrolled without blocking');
const notes = 10_000;
/** A task that takes longer is noticed by a user who scrolls. */
const standstillMs = 100;

/** Written where that is quick, and brought over as a file. */
async function longJournal(): Promise<Buffer> {
  const { staffetta } = stage();
  const leg = await staffetta.begin({ title: 'Long', goal: 'A long journal.' }, { as: ada });
  for (let n = 0; n < notes; n += 1) await leg.note(`note ${n} of many, with some words in it`);
  const pieces: Uint8Array[] = [];
  for await (const piece of (await staffetta.export(leg.task)).pieces) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** From end to end, a step in each frame; gives how many there were. */
const scrollThrough = `new Promise((resolve) => {
  const box = document.querySelector('.virtual');
  let frames = 0;
  const step = () => {
    box.scrollTop += box.scrollHeight / 150;
    frames += 1;
    if (box.scrollTop + box.clientHeight < box.scrollHeight - 1 && frames < 1000) requestAnimationFrame(step);
    else setTimeout(() => resolve(frames), 500);
  };
  requestAnimationFrame(step);
})`;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** How long a task had the processor, in microseconds: whatever else the machine does meanwhile does not count. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The tasks of a page's own thread: the longest, and all together. */
function tasksMs(trace: Buffer): { readonly longest: number; readonly all: number } {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && mains.has(`${pid} ${tid}`),
  );
  const spent = tasks.map(({ tdur = 0 }) => tdur / 1000);
  return { longest: Math.max(0, ...spent), all: spent.reduce((sum, ms) => sum + ms, 0) };
}

/** Until the first of them are painted, the page works for less than this: its reader waits for the network, not for it. */
const paintedMs = 1000;

test(
  'a board of a thousand tasks is painted within a second, and shows more on request',
  { timeout: 300_000 },
  async () => {
    if (browserFile === undefined) return;
    const room = await openControlRoom();
    const relay = await openStaffetta({ store: room.store, as: { name: 'you', kind: 'human' } });
    for (let n = 0; n < 1000; n += 1) await relay.open({ goal: `Task ${n} of many` }, {});
    await relay.close();
    const browser = await openBrowser(browserFile);
    try {
      const page = await room.enter(browser);
      await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
      await page.goto(`${room.url}/board`);
      await page.waitForSelector('.card .shape, .card .card-age');
      const { all } = tasksMs(await browser.stopTracing());
      expect(all).toBeGreaterThan(0);
      expect(all).toBeLessThan(paintedMs);
      expect(await page.locator('.card').count()).toBeLessThan(100);
      await page.click('.column[aria-label="waiting"] >> text=Show more of 1000');
      await page.waitForFunction(`document.querySelectorAll('.card').length > 200`);
    } finally {
      await browser.close();
      await room.close();
    }
  },
);

test(
  'ten thousand entries are scrolled through, and any of them is reached',
  { timeout: 300_000 },
  async () => {
    if (browserFile === undefined) return;
    const room = await openControlRoom();
    const file = join(room.folder, 'long.staffetta');
    writeFileSync(file, await longJournal());
    const task = String(room.run(undefined, 'import', file)['task']);
    const browser = await openBrowser(browserFile);
    try {
      const page = await room.enter(browser);
      await page.goto(`${room.url}/tasks/${task}/journal`);
      await page.waitForSelector('.entry:has-text("note 0 of many")');
      await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
      const frames = await page.evaluate<number>(scrollThrough);
      const { longest } = tasksMs(await browser.stopTracing());
      expect(frames).toBeGreaterThan(100);
      expect(longest).toBeGreaterThan(0);
      expect(longest).toBeLessThan(standstillMs);
      await page.waitForSelector(`.entry:has-text("note ${notes - 1} of many")`);
      expect(await page.locator('.virtual-row').count()).toBeLessThan(100);
      await page.goto(`${room.url}/tasks/${task}/journal?at=j7000`);
      await page.waitForSelector('.entry.named:has-text("j7000") .entry-body');
      await page.goto(`${room.url}/tasks/${task}/audit`);
      await page.waitForSelector('.audit-verdict.good', { timeout: 300_000 });
      expect(await page.textContent('.audit-verdict')).toContain(`The chain of ${notes + 1} entries holds.`);
    } finally {
      await browser.close();
      await room.close();
    }
  },
);
