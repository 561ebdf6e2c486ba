/** A task in a real browser, under the real content security policy: every view of it, its levers, what is stuck, and what is found. */
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../src/core/base/limits.ts';
import { browserFor, openBrowser } from './chromium.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { evil, fill, type Filled } from './filled.ts';
import { picture } from './pictures.ts';

const browserFile = browserFor('the task page, attention, search and the audit in the browser');
let room: ControlRoom;
let browser: Browser;
let page: Page;
let filled: Filled;
const asked: string[] = [];

beforeAll(async () => {
  if (browserFile === undefined) return;
  room = await openControlRoom();
  filled = await fill(room);
  browser = await openBrowser(browserFile);
  page = await room.enter(browser, { viewport: { width: 1280, height: 900 }, acceptDownloads: true });
  page.on('request', (request) => asked.push(request.url()));
}, 120_000);

afterAll(async () => {
  if (browserFile === undefined) return;
  await browser.close();
  await room.close();
});

async function goTo(path: string, waitFor: string): Promise<void> {
  await page.goto(`${room.url}${path}`);
  await page.waitForSelector(waitFor);
}

let beside: Page;

/** The same task in another window, where somebody writes too. */
async function goToBeside(path: string): Promise<void> {
  beside = await page.context().newPage();
  await beside.goto(`${room.url}${path}`);
  await beside.click('.acts button:text-is("Offer again")');
  await beside.fill('.act-form textarea', 'the other half');
}

const at = (view = ''): string => `/tasks/${filled.task}${view}`;

test('the head says how it stands, and a packet is shown with its findings beside the lines', async () => {
  if (browserFile === undefined) return;
  await goTo(at(), '.claims .beside');
  expect(await page.textContent('h1')).toBe('No user is created twice');
  expect(await page.textContent('.task-head')).toContain('held by code-1');
  expect(await page.locator('.task-head meter').count()).toBe(1);
  const unfounded = page.locator('.claims > li', { hasText: 'all is green' });
  expect(await unfounded.locator('.unverified').textContent()).toBe('unverified');
  const gone = page.locator('.claims > li', { hasText: 'gone.js' });
  expect(await gone.locator('.beside').textContent()).toContain('does not exist');
  await page.waitForSelector('.prose strong');
  await picture(page, 'packet');
});

test('what agents wrote does nothing, fetches nothing and loses nothing', async () => {
  if (browserFile === undefined) return;
  await goTo(at(), '.prose strong');
  const summary = page.locator('.claim-group', { hasText: 'Summary' }).locator('.prose');
  expect(await summary.textContent()).toContain(evil);
  expect(await page.locator('.task img, .task script, .task b, .task form[action]').count()).toBe(0);
  const links = await summary
    .locator('a')
    .evaluateAll((all) => (all as unknown as { outerHTML: string }[]).map((link) => link.outerHTML));
  expect(links).toEqual(['<a href="https://example.org/" rel="noreferrer" target="_blank">site</a>']);
  for (const view of ['', '/successor', '/history', '/journal']) {
    await goTo(at(view), '.part');
    expect(await page.title()).toContain('Staffetta');
  }
});

test('facts are probed again on request', async () => {
  if (browserFile === undefined) return;
  await goTo(at(), 'button:has-text("Still true?")');
  await page.click('button:has-text("Still true?")');
  await page.waitForSelector('.drift table');
  expect(await page.textContent('.drift tr:has-text("head")')).toContain('still true');
});

test('an older packet is chosen, and has an address', async () => {
  if (browserFile === undefined) return;
  await goTo(at(), '.packet-bar select:has(option:nth-child(2))');
  await page.selectOption('.packet-bar select', { index: 1 });
  await page.waitForURL(/packet=sha256/);
  await page.waitForSelector('h2:has-text("Packet 1")');
  await page.reload();
  await page.waitForSelector('h2:has-text("Packet 1")');
  expect(await page.textContent('.task')).toContain('This is not the latest packet.');
});

test('the timeline is read by pointer, by arrow keys and as a table', async () => {
  if (browserFile === undefined) return;
  await goTo(at(), '.timeline-box .leg');
  expect(await page.locator('.timeline-box .leg').count()).toBe(2);
  await page.hover('.timeline-box .kind-checkpoint >> nth=0');
  expect(await page.textContent('.readout')).toContain('sealed by planner');
  await page.focus('.timeline-box');
  await page.keyboard.press('Home');
  expect(await page.textContent('.readout')).toContain('opened by you');
  await page.click('summary:has-text("The same as a table")');
  await page.waitForSelector('.as-table tbody tr');
  expect(await page.locator('.as-table tbody tr').count()).toBeGreaterThan(6);
  await page.focus('.timeline-box');
  await page.keyboard.press('Enter');
  await page.waitForURL(/journal\?at=j0/);
});

test('the successor sees exactly what the command prints', async () => {
  if (browserFile === undefined) return;
  await goTo(at('/successor?budget=2000'), 'pre.exact');
  const printed = room.run(undefined, 'brief', filled.task, '--budget', '2000');
  expect(await page.textContent('pre.exact')).toBe(printed['briefing']);
  expect(await page.textContent('.part:has(pre.exact)')).toContain(
    `${Number(printed['tokens']).toLocaleString('en-US')} of 2,000 tokens`,
  );
});

test('evidence leads into the history and the journal', async () => {
  if (browserFile === undefined) return;
  await goTo(at(), '.grounds a:has-text("s31")');
  await page.click('.grounds a:has-text("s31")');
  await page.waitForURL(/history\?at=s31/);
  await page.waitForSelector('.step.named');
  expect(await page.textContent('.chapter')).toContain('Leg 2: code-1');
  // By its words: which rows of a long list are in the page depends on where one is in it.
  const call = page.locator('.step', { hasText: 'for case 2.' }).last().locator('.call');
  expect(await call.locator('pre').first().isVisible()).toBe(false);
  await call.locator('summary').click();
  await call.locator('pre', { hasText: 'grep 2' }).waitFor();
  await goTo(at('/journal?at=d1'), '.entry.named .entry-body');
  expect(await page.textContent('.entry.named')).toContain('Use an upsert');
  await picture(page, 'journal');
});

test('the history and the journal are narrowed to one kind', async () => {
  if (browserFile === undefined) return;
  await goTo(at('/history'), '.step');
  await page.click('.chip:text-is("tools")');
  await page.waitForURL(/show=calls/);
  await page.waitForSelector('.part:has(.story) header:has-text("50 steps")');
  expect(await page.locator('.step:not(:has(.call))').count()).toBe(0);
  await goTo(at('/journal?type=note'), '.entry');
  expect(await page.locator('.entry').count()).toBe(1);
  expect(await page.textContent('.entry')).toContain('unique');
});

async function verifiedAgain(change: (journal: string) => string): Promise<string> {
  await page.route('**/journal', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: change(await answer.text()) });
  });
  await page.click('button:has-text("Verify again")');
  await page.waitForSelector('.audit-verdict.bad');
  await page.unroute('**/journal');
  return (await page.textContent('.audit-result')) ?? '';
}

test('the chain is computed in the browser, and one changed byte is named', async () => {
  if (browserFile === undefined) return;
  await goTo(at('/audit'), '.audit-verdict.good');
  expect(await page.textContent('.audit-result')).toContain('witnesses the journal up to entry');
  expect(await verifiedAgain((journal) => journal.replace('unique', 'unigue'))).toContain(
    'its bytes do not have the digest',
  );
  await picture(page, 'audit');
});

test('signatures are checked in the browser, with the keys and the names named, and a wrong one is red', async () => {
  if (browserFile === undefined) return;
  await goTo(at('/audit'), '.audit-verdict.good');
  const said = await page.textContent('.audit-result');
  expect(said).toContain('signed, and the signature fits');
  expect(said).toContain('The keys came with the journal');
  await page.waitForSelector('.audit-row:has-text("checkpoint signed as")');
  const wrong = await verifiedAgain((journal) =>
    journal.replaceAll(/"publicKey":"(.)/g, (_, first) => `"publicKey":"${first === 'M' ? 'N' : 'M'}`),
  );
  expect(wrong).toContain('the key that came with it is another than it names');
  await page.waitForSelector('.audit-row.bad:has-text("wrongly")');
});

test('exports are files to take home', async () => {
  if (browserFile === undefined) return;
  await goTo(at('/audit'), '.exports a');
  for (const [title, ending] of [
    ['Signed bundle', '.staffetta'],
    ['Signatures', '.envelopes.jsonl'],
    ['Markdown', '.md'],
    ['ATIF', '.atif.json'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click(`.exports a:text-is("${title}")`),
    ]);
    expect(download.suggestedFilename()).toBe(`${filled.task}${ending}`);
  }
});

test('a lever takes a reason, shows its command, and the journal has it', async () => {
  if (browserFile === undefined) return;
  await goTo(at(), '.acts button');
  await page.click('.acts button:text-is("More time")');
  await page.selectOption('.act-form select', { label: '8h' });
  expect(await page.textContent('.act-form .twin')).toContain('--lease 8h');
  await page.fill('.act-form textarea', 'it takes longer');
  await page.click('.act-form button[type=submit]');
  await page.waitForSelector('.toast:has-text("Given more time.")');
  await page.waitForSelector('.part:has-text("it takes longer")');
  expect(JSON.stringify(room.run(undefined, 'show', filled.task))).toContain('it takes longer');
});

test('a question is answered from the start', async () => {
  if (browserFile === undefined) return;
  await goTo('/', '.inbox-row.kind-question:has-text("Keep the old header?")');
  await page.click('.kind-question button:text-is("no")');
  await page.click('.kind-question button[type=submit]');
  await page.waitForSelector('.kind-question', { state: 'detached' });
  await page.waitForSelector('.toast:has-text("Answered. No user is created twice")');
  await goTo(at('/journal?type=decision-answered'), '.entry');
  expect(await page.textContent('.entry')).toContain('no');
});

test('what needs a person is listed with why, and is answered on the spot', async () => {
  if (browserFile === undefined) return;
  await goTo('/', '.inbox-row');
  expect(await page.locator('.kind').allTextContents()).toEqual(['Given up', 'Decision', 'Left', 'Failed']);
  // What failed is over: it stands apart, and no count has it.
  expect(await page.locator('section[aria-label="Needs you"] .inbox-row').count()).toBe(3);
  expect(await page.locator('nav a:has-text("Needs you") .count').textContent()).toContain('3');
  expect(await page.textContent('.inbox-row:has-text("There is no way")')).toContain('there is no such API');
  await picture(page, 'inbox');
  const dead = page.locator('.inbox-row', { hasText: 'Nobody manages this' });
  expect(await dead.textContent()).toContain('the network is away');
  await dead.locator('button:text-is("Offer again")').click();
  await dead.locator('textarea').fill('the network is back');
  await dead.locator('button[type=submit]').click();
  await dead.waitFor({ state: 'detached' });
  const listed = room.run(undefined, 'ls', '--status', 'offered') as { tasks: { task: string }[] };
  expect(listed.tasks.map(({ task }) => task)).toContain(filled.dead);

  // What somebody was writing stays where others were faster, and says so.
  const stopped = page.locator('.inbox-row', { hasText: 'Two owners want it' });
  await stopped.locator('button:text-is("Offer again")').click();
  await stopped.locator('textarea').fill('half a thou');
  await goToBeside(`/tasks/${filled.escalated}`);
  room.run(undefined, 'dead', filled.escalated, '--again', '--why', 'faster');
  await stopped.locator('.banner:has-text("Somebody else was faster")').waitFor();
  expect(await stopped.locator('textarea').inputValue()).toBe('half a thou');
  expect(await stopped.locator('button[type=submit]').isDisabled()).toBe(true);
  await stopped.locator('button:text-is("Close")').click();
  await stopped.waitFor({ state: 'detached' });
  await beside.locator('.banner:has-text("Somebody else was faster")').waitFor();
  expect(await beside.locator('.act-form textarea').inputValue()).toBe('the other half');
  await beside.close();

  const failed = page.locator('section[aria-label="Failed"] .inbox-row');
  await failed.locator('button:text-is("Try again")').click();
  await failed.locator('button[type=submit]').click();
  const again = page.locator('.toast:has-text("Opened again as a new task: offered to") a');
  expect(await again.getAttribute('href')).not.toBe(`/tasks/${filled.failed}`);
  await again.click();
  await page.waitForSelector('h1:has-text("There is no way")');
  expect(await page.textContent('.task-line')).toContain('waiting');
});

test('what is searched for is marked, and leads to its exact place', async () => {
  if (browserFile === undefined) return;
  await goTo('/board', '.card');
  await page.keyboard.press('/');
  await page.keyboard.type('unique');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.hit mark');
  expect(await page.textContent('.hit mark')).toBe('unique');
  await picture(page, 'search');
  await page.click('.hit a');
  await page.waitForSelector('.entry.named:has-text("unique")');
});

test('a search is narrowed by links, and its address says how', async () => {
  if (browserFile === undefined) return;
  await goTo('/search?q=session', '.found');
  expect(await page.locator('.filters .chip').allTextContents()).toEqual([
    'plan',
    'execute',
    'audit',
    'supervise',
    'waiting',
    'in work',
    'needs you',
    'done',
    'stopped',
  ]);
  await page.click('.chip:text-is("done")');
  await page.waitForURL(/status=done/);
  await page.waitForSelector('.empty:has-text("Nothing was found")');
  expect(await page.textContent('.filters .twin')).toContain('staffetta search session --status done');
  await page.click('.chip[aria-current]');
  await page.waitForSelector('.found');
});

test('work whose lease is over needs somebody, as the board has it, and is found by its exact status too', async () => {
  if (browserFile === undefined) return;
  for (const status of ['lapsed', 'needs you']) {
    await goTo(
      `/search?q=holder&status=${status}`,
      '.found:has-text("Its holder is gone") .stands-needs-you',
    );
    expect(await page.locator('.found').count()).toBe(1);
  }
  await goTo('/search?q=holder&status=waiting', '.empty');
});

test('nothing of it is wider than a telephone', async () => {
  if (browserFile === undefined) return;
  await page.setViewportSize({ width: 360, height: 740 });
  const over: Record<string, number> = {};
  for (const path of [
    ...['', '/successor', '/history', '/journal', '/audit'].map(at),
    '/',
    '/search?q=unique',
  ]) {
    await goTo(path, 'h1');
    await page.waitForSelector('.loading', { state: 'detached' });
    over[path] = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
  }
  expect(Object.values(over).filter((px) => px > 0)).toEqual([]);
  await goTo(at(), '.timeline-box .leg');
  await picture(page, 'packet-narrow');
});

test('nobody else is asked for anything', () => {
  if (browserFile === undefined) return;
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((url) => !url.startsWith(room.url))).toEqual([]);
});

test('a packet names each path of the workspace that is not in it', async () => {
  if (browserFile === undefined) return;
  const large = join(room.folder, 'new.big');
  writeFileSync(large, '');
  truncateSync(large, limits.captureFileBytesMax + 1);
  const task = String(
    room.run('cyd', 'open', 'new.big is sorted', '--review', 'human', '--take', '--lane', 'execute')['task'],
  );
  room.run('cyd', 'handoff', task, '--to', 'anyone', '--trigger', 'context-limit', '--next', 'sort new.big');
  rmSync(large);
  await goTo(`/tasks/${task}`, 'details:has-text("not captured")');
  const left = page.locator('details', { hasText: 'not captured' });
  expect(await left.locator('li', { hasText: 'new.big' }).textContent()).toBe('new.big too large');
});

test('a plain transcript is drawn as the text that it is, in as much room as it takes', async () => {
  if (browserFile === undefined) return;
  const talk = join(room.folder, 'talk.txt');
  writeFileSync(talk, 'User: look at the parser.\n\nAssistant: it fails for <data>.\n');
  const task = String(
    room.run('cyd', 'open', 'The parser takes an empty text', '--take', '--lane', 'execute')['task'],
  );
  room.run('cyd', 'checkpoint', task, '--transcript', talk, '--next', 'mend it');
  await goTo(`/tasks/${task}/history`, '.step');
  expect(await page.textContent('.step pre')).toBe(
    'User: look at the parser.\n\nAssistant: it fails for <data>.\n',
  );
  expect(await page.textContent('.step-head')).toContain('text in a transcript that cyd handed in');
  const [box, row] = [
    await page.locator('.story').boundingBox(),
    await page.locator('.virtual-row').boundingBox(),
  ];
  expect((box?.height ?? 0) - (row?.height ?? 0)).toBeLessThan(4);
});
