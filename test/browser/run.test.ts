/** A run in a real browser: its graph, who holds what, lanes over time; and told from there how to go on, while its supervisor is at work here. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import type { CrewRun } from '../../src/library/crew.ts';
import { browserFor, openBrowser } from './chromium.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { picture } from './pictures.ts';

const browserFile = browserFor('a run in the browser');
let room: ControlRoom;
let browser: Browser;
let page: Page;
let relay: Staffetta;
let run: CrewRun;
const letGo = Promise.withResolvers<void>();
const began: string[] = [];

beforeAll(async () => {
  if (browserFile === undefined) return;
  room = await openControlRoom();
  relay = await openStaffetta({ store: room.store, as: { name: 'you', kind: 'human' }, gate: 'record' });
  const crew = relay.crew({ parallel: 2 });
  const hand = crew.agent('hand', { lane: 'execute', count: 2 }, async (leg) => {
    began.push(leg.contract.title);
    await leg.acknowledge();
    await leg.progress(3, { of: 4, unit: 'boards' });
    if (leg.contract.title === 'A gate hangs in the fence') await letGo.promise;
  });
  const qa = crew.reviewer('qa', {}, async (review) => await review.approve('It stands.'));
  hand.to(qa);
  const tasks = {
    posts: { goal: 'Posts stand around the garden', review: { owner: 'lane:audit' as const } },
    gate: { goal: 'A gate hangs in the fence', needs: ['posts'] },
    rails: { goal: 'Rails are on', needs: ['posts'], review: { human: true as const } },
    paint: {
      goal: 'All of it is painted in the colour that the neighbours agreed on',
      needs: ['gate', 'rails'],
    },
    bench: { goal: 'A bench stands beside it', needs: ['gate'] },
  };
  run = await crew.run({
    name: 'fence',
    goal: 'A fence stands around the garden.',
    tasks: Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        { ...task, agent: hand, acceptance: ['It stands.'] },
      ]),
    ),
  });
  const waits = new Set(['gate held', 'rails submitted']);
  for await (const { task, status } of run) {
    waits.delete(`${task} ${status}`);
    if (waits.size === 0) break;
  }
  browser = await openBrowser(browserFile);
  page = await room.enter(browser, { viewport: { width: 1400, height: 1000 } });
}, 120_000);

afterAll(async () => {
  if (browserFile === undefined) return;
  letGo.resolve();
  await run.stop();
  await relay.close();
  await browser.close();
  await room.close();
});

const row = (title: string) => page.locator('.run-row', { hasText: title });

test('the graph names each task, how it stands and what it needs, and who was at work stands in lanes', async () => {
  if (browserFile === undefined) return;
  await page.click('nav >> text=Runs');
  await page.click('text=Run fence');
  await page.waitForSelector('.node >> text=Rails are on');
  const nodes = await page.locator('.node').allTextContents();
  expect(nodes.map((text) => text.replace(/hand\/\d/, 'hand'))).toEqual([
    'Posts stand around the gardendone',
    'A gate hangs in the fencein work: hand, needs Posts stand around the garden',
    'Rails are onneeds you, needs Posts stand around the garden',
    'A bench stands beside itwaiting, needs A gate hangs in the fence',
    expect.stringMatching(/^All of it .*waiting, needs A gate hangs in the fence and Rails are on$/),
  ]);
  expect(await page.locator('.graph path').count()).toBe(5);
  expect(await row('A gate').textContent()).toContain('3 of 4 boards');
  expect(await row('Rails').locator('text=Review it').getAttribute('href')).toContain('/reviews/');
  const here = page.url();
  await page.click('.node >> text=Rails are on');
  await page.click('.task-head >> text=its run');
  await page.waitForSelector('.node >> text=Rails are on');
  expect(page.url()).toBe(here);
  expect(await page.locator('.bar').count()).toBe(3);
  expect(await page.locator('.lane-line', { hasText: 'execute' }).count()).toBe(2);
  expect(await page.locator('.tick').getAttribute('aria-label')).toContain('approved by qa');
  // The last verdict stands where the track ends, and is not cut there.
  expect(
    await page.evaluate<boolean>(
      `[...document.querySelectorAll('.track .tick')].every((tick) => tick.getBoundingClientRect().right <= tick.parentElement.getBoundingClientRect().right + 0.5)`,
    ),
  ).toBe(true);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1400, 390]) {
      await page.setViewportSize({ width, height: 1000 });
      await picture(page, `run-${width}-${colorScheme}`);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  }
  await page.setViewportSize({ width: 1400, height: 1000 });
});

test('it is paused, told how many at once, capped, and resumed from the page, and a task of it is cancelled', async () => {
  if (browserFile === undefined) return;
  const steer = async (title: string, reason: string, said = 'The run is told.'): Promise<void> => {
    await page.click(`.run-head button:text-is("${title}")`);
    await page.fill('.act-form textarea', reason);
    await page.click(`.act-form button[type=submit]`);
    await page.waitForSelector(`.toast:has-text("${said}")`);
  };
  await steer('Pause', 'It rains.');
  await page.waitForSelector('text=Paused: It rains.');
  letGo.resolve();
  await page.waitForSelector('.node.stands-done >> text=A gate');
  expect(await row('A bench').textContent()).toContain('waits while the run is paused: It rains.');
  expect(began).not.toContain('A bench stands beside it');
  await row('A bench').locator('summary').click();
  await row('A bench').locator('button:text-is("Cancel")').click();
  await row('A bench').locator('textarea').fill('Nobody sits there.');
  await row('A bench').locator('button[type=submit]').click();
  await page.waitForSelector('.node.stands-stopped >> text=A bench');
  await page.click('.run-head button:text-is("How many at once")');
  await page.fill('.act-form input', '1');
  expect(await page.textContent('.act-form .twin code')).toBe(
    'staffetta steer fence --parallel 1 --why TEXT',
  );
  await page.fill('.act-form textarea', 'One is enough.');
  await page.click('.act-form button[type=submit]');
  await page.waitForSelector('.run-facts >> text=1 at once');
  await page.click('.run-head button:text-is("What it may use")');
  await page.getByLabel('Legs').fill('1');
  await page.fill('.act-form textarea', 'It is dear.');
  expect(await page.textContent('.act-form .twin code')).toBe(
    "staffetta steer fence --cap legs=1 --why 'It is dear.'",
  );
  await page.click('.act-form button[type=submit]');
  await page.waitForSelector('.toast:has-text("The run is told.")');
  await steer('Resume', 'The sun is out.');
  const { cards } = await relay.list({ statuses: ['submitted'] });
  const rails = await relay.show(cards[0]?.task ?? '');
  await relay.review(rails.task, { approve: true, packet: rails.submission?.packet ?? null });
  // It asks before one more leg, here and at the start; the answer is given on the spot.
  await page.waitForSelector('text=of 1 leg. Go on with as much again?');
  await page.click('nav >> text=Needs you');
  await page.waitForSelector('.inbox-row.kind-question >> text=of 1 leg. Go on with as much again?');
  await page.goBack();
  await steer('more', 'more', 'Answered.');
  expect((await run.done).how).toBe('done');
  await page.waitForSelector('.run-facts .stands-done');
  expect(began.at(-1)).toBe('All of it is painted in the colour that the neighbours agreed on');
});
