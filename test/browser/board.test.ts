/** The board in a real browser: live, by keyboard, narrow, and without a word to anybody else. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, openBrowser } from './chromium.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';

const browserFile = browserFor('the board');
let room: ControlRoom;
let browser: Browser;
let page: Page;
const asked: string[] = [];

beforeAll(async () => {
  if (browserFile === undefined) return;
  room = await openControlRoom();
  browser = await openBrowser(browserFile);
  page = await room.enter(browser);
  page.on('request', (request) => asked.push(request.url()));
}, 120_000);

afterAll(async () => {
  if (browserFile === undefined) return;
  await browser.close();
  await room.close();
});

function open(goal: string, lane: string): string {
  return String(room.run(undefined, 'open', goal, '--to', `lane:${lane}`, '--accept', 'it works')['task']);
}

test('an empty board says how to begin', async () => {
  if (browserFile === undefined) return;
  await page.waitForSelector('.empty');
  expect(await page.textContent('.empty')).toContain('staffetta open');
});

test('what other processes do is seen as it happens', async () => {
  if (browserFile === undefined) return;
  const task = open('Fix the login race', 'execute');
  await page.waitForSelector(`.row:has-text("Fix the login race") .status-offered`);
  room.run('ada', 'take', task, '--lane', 'execute');
  await page.waitForSelector('.row:has-text("Fix the login race") .status-held');
  await page.waitForSelector('.row:has-text("ada") meter');
  await page.waitForSelector('.row:has-text("leg started")');
  expect(await page.locator('.row').count()).toBe(1);
});

test('filters are in the address, and the address shows them again', async () => {
  if (browserFile === undefined) return;
  open('Plan the migration', 'plan');
  await page.waitForSelector('.row:has-text("Plan the migration")');
  await page.click('.chip.lane-plan');
  await page.waitForURL(/lane=plan/);
  expect(await page.locator('.row').count()).toBe(1);
  await page.reload();
  await page.waitForSelector('.row');
  expect(await page.locator('.row').count()).toBe(1);
  await page.keyboard.press('c');
  await page.waitForFunction(`document.querySelectorAll('.row').length === 2`);
});

test('it is used from the keyboard: to a task, to the keys, to the reviews', async () => {
  if (browserFile === undefined) return;
  await page.keyboard.press('j');
  expect(await page.evaluate('document.activeElement.className')).toBe('title');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForURL(/\/reviews$/);
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.waitForSelector('.row');
});

test('a lease that is over is a state of its own, above those who work', async () => {
  if (browserFile === undefined) return;
  const relay = await openStaffetta({ store: room.store, workspace: room.folder });
  await relay.begin({ goal: 'Its holder is gone' }, { as: { name: 'mute', lane: 'execute' }, leaseMs: 100 });
  await relay.close();
  await page.waitForSelector('.row:has-text("Its holder is gone") .status-lapsed');
  const execute = page.locator('.board-lane[aria-label="execute"] .title');
  expect(await execute.allTextContents()).toEqual(['Its holder is gone', 'Fix the login race']);
  await page.click('.chip.status-lapsed');
  await page.waitForURL(/status=lapsed/);
  expect(await page.locator('.row').count()).toBe(1);
  await page.goto(`${room.url}/?holder=mute`);
  await page.click('.chip:has-text("held by mute")');
  await page.waitForFunction(`document.querySelectorAll('.row').length === 3`);
});

test('nothing is wider than a telephone, and no name takes a row or the top apart', async () => {
  if (browserFile === undefined) return;
  const task = open('Held by a long name', 'execute');
  room.run(`agent-${'with-a-long-name-'.repeat(3)}1`, 'take', task, '--lane', 'execute');
  await page.waitForSelector('.row:has-text("Held by a long name"):has-text("leg started")');
  await page.setViewportSize({ width: 360, height: 740 });
  const tall = (what: string): Promise<number> =>
    page.locator(what).evaluate((element) => {
      const { offsetHeight } = element as unknown as { readonly offsetHeight: number };
      return offsetHeight;
    });
  expect(await tall('.row:has-text("Held by a long name")')).toBe(
    await tall('.row:has-text("Fix the login race")'),
  );
  expect(await tall('.top')).toBeLessThan(90);
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(over).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('words of others stand on the board as text', async () => {
  if (browserFile === undefined) return;
  const goal = '<img src=x onerror="document.title=1"> & <b>bold</b>';
  open(goal, 'audit');
  const row = page.locator('.board-lane[aria-label="audit"] .title');
  await row.waitFor();
  expect(await row.textContent()).toBe(goal);
  expect(await page.title()).toBe('Staffetta');
});

test('what happened between the list and the first event is on the board too', async () => {
  if (browserFile === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/events*', async (route) => {
    await promise;
    await route.continue();
  });
  await page.reload();
  await page.waitForSelector('.row');
  open('Opened in the gap', 'plan');
  resolve();
  await page.waitForSelector('.row:has-text("Opened in the gap")');
  expect(await page.locator('.row:has-text("Opened in the gap")').count()).toBe(1);
  await page.unroute('**/api/events*');
});

test('nor is anything lost where the first stream is refused', async () => {
  if (browserFile === undefined) return;
  await page.route(
    '**/api/events*',
    async (route) => {
      await page.waitForSelector('.row');
      open('Opened while it was refused', 'plan');
      await route.fulfill({ status: 204 });
    },
    { times: 1 },
  );
  await page.reload();
  await page.waitForSelector('.row:has-text("Opened while it was refused")');
  expect(await page.locator('.row:has-text("Opened while it was refused")').count()).toBe(1);
});

test('no other host is asked for anything', () => {
  if (browserFile === undefined) return;
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((url) => !url.startsWith(room.url))).toEqual([]);
});

test('whoever signs out is out, and the cookie opens nothing any more', async () => {
  if (browserFile === undefined) return;
  await page.goto(room.url);
  await page.click('button:has-text("Sign out")');
  await page.waitForSelector('.empty:has-text("Signed out")');
  expect((await page.context().request.get(`${room.url}/api/me`)).status()).toBe(401);
  expect(await page.locator('.me, .count').count()).toBe(0);
  expect(await page.textContent('.connection')).toBe('not live');
});
