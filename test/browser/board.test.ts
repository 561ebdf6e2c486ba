/** The start and the board in a real browser: live, by keyboard, narrow, and without a word to anybody else. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claudePlace, put, sessionText } from '../cli/programs.ts';
import { browserFor, openBrowser } from './chromium.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';

const browserFile = browserFor('the board');
let room: ControlRoom;
let browser: Browser;
let page: Page;
let relay: Staffetta;
const asked: string[] = [];

beforeAll(async () => {
  if (browserFile === undefined) return;
  room = await openControlRoom();
  relay = await openStaffetta({ store: room.store, as: { name: 'you', kind: 'human' } });
  browser = await openBrowser(browserFile);
  page = await room.enter(browser);
  page.on('request', (request) => asked.push(request.url()));
}, 120_000);

afterAll(async () => {
  if (browserFile === undefined) return;
  await relay.close();
  await browser.close();
  await room.close();
});

async function open(goal: string, lane: string): Promise<string> {
  return (await relay.open({ goal, acceptance: ['it works'] }, { to: `lane:${lane}` as never })).task;
}

const card = (title: string): string => `.card:has-text("${title}")`;
const column = (name: string, title: string): string => `.column[aria-label="${name}"] ${card(title)}`;

test('a task is opened from the empty start, and other processes are seen on the board as they work', async () => {
  if (browserFile === undefined) return;
  await page.waitForSelector('.empty:has-text("Nothing needs you")');
  await page.keyboard.press('N');
  await page.fill('dialog textarea >> nth=0', 'Fix the login race');
  await page.fill('dialog textarea >> nth=1', 'one session is created\nnone is lost');
  expect(await page.textContent('dialog .twin code')).toBe(
    "staffetta open --accept 'one session is created' --accept 'none is lost' --review human -- 'Fix the login race'",
  );
  await page.click('dialog button.primary');
  await page.waitForURL(/\/tasks\/t/);
  await page.waitForSelector('h1:text-is("Fix the login race")');
  const task = page.url().split('/').at(-1) ?? '';
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.waitForSelector(column('waiting', 'Fix the login race'));
  room.run('ada', 'take', task, '--lane', 'execute');
  await page.waitForSelector(`${column('in work', 'Fix the login race')} .holder:has-text("ada") meter`);
  room.run('ada', 'progress', task, '--at', '3', '--of', '8', '--unit', 'files');
  await page.waitForSelector(`${card('Fix the login race')} .progress:has-text("3 of 8 files")`);
  expect(await page.locator('.card').count()).toBe(1);
});

test('filters are in the address, are kept by name, and lead to the list', async () => {
  if (browserFile === undefined) return;
  await open('Plan the migration', 'plan');
  await page.waitForSelector(card('Plan the migration'));
  await page.click('.chip:has-text("plan")');
  await page.waitForURL(/lane=plan/);
  expect(await page.locator('.card').count()).toBe(1);
  await page.click('text=Save this filter');
  await page.reload();
  await page.waitForSelector(card('Plan the migration'));
  expect(await page.locator('.card').count()).toBe(1);
  await page.keyboard.press('c');
  await page.waitForFunction(`document.querySelectorAll('.card').length === 2`);
  await page.click('.chip:has-text("★ plan")');
  await page.waitForURL(/lane=plan/);
  await page.click('text=Forget this filter');
  await page.click('.switch >> text=list');
  await page.waitForSelector('.card-list .stands-waiting');
});

test('it is used from the keyboard: to a task, to the keys, to a page, and by Ctrl+K to anything', async () => {
  if (browserFile === undefined) return;
  await page.keyboard.press('c');
  await page.waitForSelector('.columns .card >> nth=1');
  await page.keyboard.press('j');
  expect(await page.evaluate('document.activeElement.className')).toBe('title');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]:has-text("Next task"):has-text("Ctrl+K")');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.waitForSelector('.palette[open]');
  // The ring round the field lies over no row.
  expect(
    await page.evaluate<number>(
      `document.querySelector('.palette li').getBoundingClientRect().top - document.querySelector('.palette input').getBoundingClientRect().bottom`,
    ),
  ).toBeGreaterThanOrEqual(4);
  await page.keyboard.type('migration plan');
  await page.waitForSelector('.palette li:has-text("Plan the migration")');
  await page.waitForFunction(`document.querySelectorAll('.palette li').length === 1`);
  expect(await page.textContent('.palette li')).toBe('Plan the migrationwaiting');
  await page.keyboard.press('Enter');
  await page.waitForSelector('h1:text-is("Plan the migration")');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('theme');
  await page.keyboard.press('Enter');
  await page.waitForSelector('html[data-theme="light"]');
  await page.reload();
  await page.waitForSelector('html[data-theme="light"]');
  await page.keyboard.press('g');
  await page.keyboard.press('b');
});

test('several are paused together, and one goes on', async () => {
  if (browserFile === undefined) return;
  await page.waitForSelector('.columns .card >> nth=1');
  for (const title of ['Fix the login race', 'Plan the migration'])
    await page.check(`${card(title)} input[type=checkbox]`);
  await page.click('.bulk button:text-is("Pause")');
  await page.click('.bulk button[type=submit]');
  await page.waitForSelector('.toast:has-text("Paused: 2 tasks.")');
  await page.waitForSelector(`${column('waiting', 'Fix the login race')} .exact-state:text-is("paused")`);
  await page.waitForSelector(`${column('waiting', 'Plan the migration')} .exact-state:text-is("paused")`);
  await page.click(`${card('Plan the migration')} .title`);
  await page.click('.acts button:text-is("Continue")');
  await page.click('.act-form button[type=submit]');
  await page.waitForSelector('.toast:has-text("Continued: offered to lane plan.")');
  await page.click('.acts button:text-is("Pause")');
  await page.selectOption('.act-form select', { label: 'until somebody continues it' });
  await page.click('.act-form button[type=submit]');
  await page.waitForSelector(
    '.toast:has-text("Paused until somebody continues it: then offered to lane plan.")',
  );
  await page.waitForSelector(
    '.task-line:has-text("paused"):has-text("until somebody continues it, then offered to lane plan")',
  );
  await page.click('.acts button:text-is("Continue")');
  await page.click('.act-form button[type=submit]');
  await page.waitForSelector('.toast:has-text("Continued")');
  await page.waitForSelector('.task-line:not(:has-text("paused"))');
  expect(await page.textContent('.task-line')).not.toContain('until');
  await page.goto(`${room.url}/board`);
});

test('a session of a coding agent is sealed, and offered to another program', async () => {
  if (browserFile === undefined) return;
  const said = sessionText('basic.jsonl', room.folder);
  // Its last words came twenty seconds later.
  const session = said.replaceAll('18:22:49.37', '18:23:09.37');
  put(claudePlace(room.folder, room.folder), session);
  // Nobody hears a key before the page is drawn.
  await page.waitForSelector(card('Plan the migration'));
  await page.keyboard.press('C');
  await page.waitForSelector('dialog label:has-text("Claude Code")');
  await page.selectOption('dialog select', 'codex');
  await page.click('dialog button.primary');
  await page.waitForSelector('dialog .came:has-text("offered to Codex")');
  const command = await page.textContent('dialog .twin code');
  expect(command).toMatch(/^staffetta resume t\w+ --in codex$/);
  const task = command?.split(' ')[2] ?? '';
  expect(room.run(undefined, 'show', task)).toMatchObject({
    status: 'offered',
    packet: { facts: { session: { runtime: 'claude-code' } } },
  });
  room.run(undefined, 'cancel', task, '--why', 'seen');
  await page.click('dialog button.primary');
  await page.waitForSelector('.strip:has-text("1 leg, 20s of work")');
  await page.waitForSelector('.timeline-box .leg');
  // The session was long over when it was taken.
  const rightOf = async (selector: string): Promise<number> =>
    await page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().right`);
  expect(await rightOf('.timeline-box .leg rect')).toBeLessThan(await rightOf('.timeline-box .kind-opened'));
  await page.setViewportSize({ width: 390, height: 740 });
  await page.waitForSelector('.packet-bar option:has-text("claude-code-")', { state: 'attached' });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
  await page.click('.views >> text=History');
  await page.waitForSelector('.choices .chip');
  // None is broken into two lines.
  expect(
    await page.evaluate<number>(
      `[...document.querySelectorAll('.choices .chip')].filter((chip) => chip.getClientRects().length > 1 || chip.offsetHeight > 30).length`,
    ),
  ).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(`${room.url}/board`);
});

test('a holder who fell silent needs the reader, on the board and at the start', async () => {
  if (browserFile === undefined) return;
  await relay.begin({ goal: 'Its holder is gone' }, { as: { name: 'mute', lane: 'execute' }, leaseMs: 100 });
  await page.waitForSelector(
    `${column('needs you', 'Its holder is gone')} .exact-state:text-is("fell silent")`,
  );
  await page.click('nav >> text=Needs you');
  await page.waitForSelector('.inbox-row.kind-left:has-text("Its holder is gone")');
  expect(await page.locator('.inbox-row').textContent()).toContain('mute fell silent');
});

/** What lies over something else in a row, and names that are cut off. */
const overlaps = `[...document.querySelectorAll('.card-list .card')].flatMap((card) => {
  const parts = [...card.querySelectorAll('.card-top > *, .title, .shape > *, .holder > *, .card-foot > :not(.holder)')]
    .map((one) => [one.textContent || one.tagName, one.getBoundingClientRect()]);
  const over = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const cut = [...card.querySelectorAll('.holder > :first-child')].filter((name) => name.scrollWidth > name.clientWidth);
  return [
    ...cut.map((name) => name.textContent),
    ...parts.flatMap((one, n) => parts.slice(n + 1).filter((other) => over(one, other)).map((other) => one[0] + ' / ' + other[0])),
  ];
})`;

test('in the list nothing lies over anything else, and a holder has a name', async () => {
  if (browserFile === undefined) return;
  const qwen = { name: 'qwen-1', runtime: 'qwen-code', lane: 'execute' } as const;
  const silent = await relay.begin(
    { goal: 'Its holder fell silent, and somebody wrote to it' },
    { as: qwen, leaseMs: 100 },
  );
  await relay.tell(silent.task, 'Are you there?');
  await relay.open({ goal: 'It comes after that', acceptance: ['it works'], needs: [silent.task] });
  for (const width of [1400, 1150]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${room.url}/board?view=list`);
    await page.waitForSelector(`${card('comes after')} .exact-state:text-is("needs others first")`);
    await page.waitForSelector(`${card('fell silent')} .holder:has-text("qwen-code") .over`);
    expect([width, await page.evaluate(overlaps)]).toEqual([width, []]);
  }
  await relay.cancel(silent.task, 'seen');
});

test('nothing is wider than a telephone, no name takes the top apart, and what is no page says so', async () => {
  if (browserFile === undefined) return;
  const task = await open('Held by a long name', 'execute');
  room.run(`agent-${'with-a-long-name-'.repeat(3)}1`, 'take', task, '--lane', 'execute');
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of [
    '/',
    '/board',
    '/board?view=list',
    '/board?view=graph',
    '/overview',
    '/runs',
    '/search?q=held',
  ]) {
    await page.goto(`${room.url}${path}`);
    await page.waitForSelector('main h1');
    await page.waitForSelector('.loading', { state: 'detached' });
    const over = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect([path, over]).toEqual([path, 0]);
  }
  expect(await page.evaluate<number>(`document.querySelector('.top').offsetHeight`)).toBeLessThan(90);
  await page.setViewportSize({ width: 1280, height: 800 });
  const lost = await page.context().newPage();
  expect((await lost.goto(`${room.url}/nowhere/at/all`))?.status()).toBe(404);
  await lost.waitForSelector('h1:text-is("Nothing is here")');
  await lost.close();
});

test('words of others stand on the board as text, also what came between the list and the first event', async () => {
  if (browserFile === undefined) return;
  await page.goto(`${room.url}/board`);
  const goal = '<img src=x onerror="document.title=1"> & <b>bold</b>';
  await open(goal, 'audit');
  const title = page.locator('.card:has(.lane-audit) .title');
  await title.waitFor();
  expect(await title.textContent()).toBe(goal);
  expect(await page.title()).toBe('Board · Staffetta');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/events*', async (route) => {
    await promise;
    await route.continue();
  });
  await page.reload();
  await page.waitForSelector('.card');
  await open('Opened in the gap', 'plan');
  resolve();
  await page.waitForSelector(card('Opened in the gap'));
  await page.unroute('**/api/events*');
  await page.route(
    '**/api/events*',
    async (route) => {
      await page.waitForSelector('.card');
      await open('Opened while it was refused', 'plan');
      await route.fulfill({ status: 204 });
    },
    { times: 1 },
  );
  await page.reload();
  await page.waitForSelector(card('Opened while it was refused'));
  expect(await page.locator(card('Opened while it was refused')).count()).toBe(1);
});

test('no other host is asked for anything, and a person who signs out is out', async () => {
  if (browserFile === undefined) return;
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((url) => !url.startsWith(room.url))).toEqual([]);
  await page.click('button:has-text("Sign out")');
  await page.waitForSelector('.empty:has-text("Signed out")');
  expect((await page.context().request.get(`${room.url}/api/me`)).status()).toBe(401);
  expect(await page.locator('.me, .count').count()).toBe(0);
  expect(await page.textContent('.connection')).toBe('not live');
});
