/** Every page held against the rules of axe, in light and in dark. Its script is put into the page, which the policy forbids: this context goes past it, and no other does. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../src/crew/open-run.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { browserFor, openBrowser } from './chromium.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { fill, type Filled } from './filled.ts';
import { picture } from './pictures.ts';

const browserFile = browserFor('pages without barriers');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let room: ControlRoom;
let browser: Browser;
let page: Page;
let filled: Filled;
let run: string;

beforeAll(async () => {
  if (browserFile === undefined) return;
  room = await openControlRoom();
  filled = await fill(room);
  run = await openedRun();
  browser = await openBrowser(browserFile);
  page = await room.enter(browser, { bypassCSP: true, viewport: { width: 1280, height: 900 } });
}, 120_000);

afterAll(async () => {
  if (browserFile === undefined) return;
  await browser.close();
  await room.close();
});

async function openedRun(): Promise<string> {
  const by = { name: 'you', kind: 'human' } as const;
  const relay = await openStaffetta({ store: room.store, as: by });
  const tasks = { posts: { goal: 'Posts stand' }, rails: { goal: 'Rails are on', needs: ['posts'] } };
  const crew = { agents: { code: { lane: 'execute' as const } } };
  const document = { v: 1 as const, name: 'fence', plan: { goal: 'A fence stands.', tasks }, crew };
  const { state } = await openRun(relay.context, document, { by, why: 'Spring.' });
  await relay.open({ goal: 'The fence is painted', needs: [filled.task as `t${string}`] }, {});
  await relay.close();
  return state.task;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** In the dark only what depends on it: the rest of a page is the same. */
async function violations(colorScheme: 'light' | 'dark'): Promise<string[]> {
  const rules = colorScheme === 'light' ? '{}' : `{ runOnly: ['color-contrast'] }`;
  const found = await page.evaluate<readonly Violation[]>(`axe.run(${rules}).then((all) => all.violations)`);
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary}`)
        .join('\n')}`,
  );
}

/** What is opened first, and what says that a page is there. */
const places: readonly {
  readonly name: string;
  readonly path: (filled: Filled) => string;
  readonly there: string;
  readonly press?: readonly string[];
}[] = [
  { name: 'board', path: () => '/board', there: '.card .marks > *, .card .mark' },
  { name: 'list', path: () => '/board?view=list', there: '.card-list .stands' },
  { name: 'graph', path: () => '/board?view=graph', there: '.node' },
  { name: 'overview', path: () => '/overview', there: '.figures .bad' },
  { name: 'runs', path: () => '/runs', there: '.run-list' },
  { name: 'run', path: () => `/runs/${run}`, there: '.node', press: ['.run-head button:text-is("Pause")'] },
  {
    name: 'inbox',
    path: () => '/',
    there: '.inbox-row',
    press: ['.inbox-row button:text-is("Offer again") >> nth=0'],
  },
  { name: 'palette', path: () => '/runs', there: 'h1', press: ['button[aria-label="Go to, or do"]'] },
  { name: 'new-task', path: () => '/reviews', there: 'h1', press: ['button.new'] },
  { name: 'search', path: () => '/search?q=upsert', there: '.hit' },
  {
    name: 'packet',
    path: ({ task }) => `/tasks/${task}`,
    there: '.prose strong',
    press: [
      'button:has-text("Still true?")',
      '.acts button:text-is("More time")',
      '.question button:text-is("yes")',
      'summary:has-text("The same as a table")',
      'summary:has-text("changed path")',
    ],
  },
  { name: 'successor', path: ({ task }) => `/tasks/${task}/successor`, there: 'pre.exact' },
  { name: 'diff', path: ({ task }) => `/tasks/${task}/diff`, there: '.views ~ *' },
  {
    name: 'history',
    path: ({ task }) => `/tasks/${task}/history`,
    there: '.step .call',
    press: ['.step .call summary >> nth=0'],
  },
  { name: 'journal', path: ({ task }) => `/tasks/${task}/journal?at=j3`, there: '.entry.named' },
  { name: 'audit', path: ({ task }) => `/tasks/${task}/audit`, there: '.audit-verdict.good' },
];

describe('no barrier is found', () => {
  test.each(places)('on $name', { timeout: 300_000 }, async ({ name, path, there, press = [] }) => {
    if (browserFile === undefined) return;
    await page.goto(`${room.url}${path(filled)}`);
    await page.waitForSelector(there);
    for (const what of press) await page.click(what);
    await page.addScriptTag({ content: axe });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await picture(page, `${name}-${colorScheme}`);
      expect(await violations(colorScheme), `${name} in ${colorScheme}`).toEqual([]);
    }
  });
});
