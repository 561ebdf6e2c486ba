/** What the page says of work that is judged, held against what the command says of it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browserFor, openBrowser } from './chromium.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { cleanTree, makeRepository, submit } from './submissions.ts';

const browserFile = browserFor('what a review says');
const command = join(import.meta.dirname, '..', '..', 'bin', 'staffetta.cjs');
let room: ControlRoom;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (browserFile === undefined) return;
  room = await openControlRoom();
  makeRepository(room);
  browser = await openBrowser(browserFile);
  page = await room.enter(browser, { viewport: { width: 1280, height: 800 } });
}, 120_000);

beforeEach(() => {
  if (browserFile !== undefined) cleanTree(room);
});

afterAll(async () => {
  if (browserFile === undefined) return;
  await browser.close();
  await room.close();
});

/** As a person at a terminal reads it; a line of a shell where a test pastes what a page shows. */
function said(given: { readonly shell: string } | readonly string[]): { text: string; exit: number | null } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: room.folder, STAFFETTA_STORE: room.store };
  const options = { cwd: room.folder, env, encoding: 'utf8' } as const;
  const { stdout, stderr, status } =
    'shell' in given
      ? spawnSync(
          'sh',
          ['-c', `staffetta() { "${process.execPath}" "${command}" "$@"; }\n${given.shell}`],
          options,
        )
      : spawnSync(process.execPath, [command, ...given], options);
  return { text: `${stdout}${stderr}`, exit: status };
}

describe('an amended contract', () => {
  test('page and command say who amended it and why, and mark what is new; the command of a verdict can be run', async () => {
    if (browserFile === undefined) return;
    const task = await submit(room, { goal: 'Hold the limit in src/limit.ts' });
    room.run(undefined, 'amend', task, '--accept', 'the limit is logged', '--why', 'operations asked');
    const { text } = said(['review', task]);
    expect(text).toContain('The contract was amended after the work was submitted');
    expect(text).toMatch(/: operations asked\n/);
    expect(text).toContain('the limit is logged (new since it was submitted)');

    await page.goto(`${room.url}/reviews/${task}`);
    const banner = page.locator('.banner:has-text("amended after the work was submitted")');
    await banner.waitFor();
    expect(await banner.innerText()).toMatch(/operations asked/);
    expect(await page.locator('li:has(.mark:text("new since it was submitted"))').allInnerTexts()).toEqual([
      expect.stringContaining('the limit is logged'),
    ]);
    await page.waitForSelector('section:has(h2:text("Written down since")) >> text=operations asked');

    await page.keyboard.press('a');
    await page.keyboard.type('good enough');
    const twin = await page.locator('dialog .twin code').innerText();
    expect(twin).toContain('--contract sha256:');
    await page.keyboard.press('Escape');
    expect(said({ shell: twin })).toMatchObject({ exit: 0 });
    expect(room.run(undefined, 'show', task)['status']).toBe('done');
  }, 60_000);
});

test('what was proven on the work, and what the folder is now, are told apart and in the same words', async () => {
  if (browserFile === undefined) return;
  const task = await submit(room, { goal: 'Hold the limit in src/limit.ts' });
  const folder = 'The folder is as it was when this was sealed.';
  await page.goto(`${room.url}/reviews/${task}`);
  await page.waitForSelector(`text=${folder}`);
  expect(said(['review', task]).text).toContain(folder);
  cleanTree(room);
  const other = 'The folder is another now than when this was sealed';
  await page.goto(`${room.url}/reviews/${task}`);
  await page.waitForSelector(`text=${other}`);
  await page.waitForSelector('li:has-text("true"):has-text("on exactly this work")');
  const { text } = said(['review', task]);
  expect(text).toMatch(/Validation of the work that was submitted\n +true: passed .* on exactly this work\n/);
  expect(text).toContain(other);
}, 60_000);

test('whom work is given to is what the command makes of the same word, with the same refusals', async () => {
  if (browserFile === undefined) return;
  const task = String(room.run(undefined, 'open', 'Somebody does it')['task']);
  const other = await page.context().newPage();
  await other.goto(`${room.url}/tasks/${task}`);
  await other.getByRole('button', { name: 'Give to …' }).click();
  const whom = other.getByLabel('To whom');
  await other.getByLabel('Reason').fill('ill');
  const submitted = async (to: string): Promise<void> => {
    await whom.fill(to);
    await other.locator('.act-form button[type=submit]').click();
  };
  await submitted('excute');
  await other.waitForSelector('.act-form >> text=Did you mean execute');
  await submitted('human');
  await other.waitForSelector('.act-form >> text=is a word for a person');
  expect(said(['reassign', task, '--to', 'human', '--why', 'ill']).text).toContain('is a word for a person');
  await submitted('codex');
  await other.waitForSelector('.toast:has-text("offered to runtime codex")');
  await other.close();
}, 60_000);

test('at the start the dialog names what is approved, and the page says what became of it', async () => {
  if (browserFile === undefined) return;
  const task = await submit(room, { goal: 'One limit from the start in src/limit.ts' });
  await page.goto(`${room.url}/`);
  await page.click('.kind-review:has-text("One limit from the start") button:text-is("Approve")');
  await page.waitForSelector(`dialog[open] h3:has-text("One limit from the start in src/limit.ts ${task}")`);
  // All of the digest is there to be copied, and a dozen letters of it to be read.
  expect(await page.textContent('dialog[open] .twin code')).toMatch(/ sha256:[0-9a-f]{64}/);
  const rest = page.locator('dialog[open] .long-digest > span').first();
  expect((await rest.boundingBox())?.width ?? 0).toBe(0);
  await page.keyboard.type('It holds.');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('.toast:has-text("It is approved and done. One limit from the start")');
});
