// `npm run pictures`: plays the relay of `npm start` for real, gives its store some company, and takes the pictures that the README shows.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { browserPath, openBrowser } from '../test/browser/chromium.ts';

const root = join(import.meta.dirname, '..');
const kept = join(root, 'docs', 'pictures');
const browserFile = browserPath();
if (browserFile === undefined)
  throw new Error('There is no browser here; install chromium, or name one in STAFFETTA_BROWSER.');
mkdirSync(kept, { recursive: true });

const home = mkdtempSync(join(tmpdir(), 'staffetta-pictures-'));
const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home };
const relay = spawn(process.execPath, [join(root, 'examples', 'relay', 'play.ts'), '--up'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
let folder = '';
let link = '';
let played = '';
for await (const line of createInterface({ input: relay.stdout })) {
  folder ||= /^A relay in (.+)$/.exec(line)?.[1] ?? '';
  played ||= /^The legs of (\w+):$/.exec(line)?.[1] ?? '';
  link = line.includes('/sign-in?code=') ? line.trim() : '';
  if (link !== '') break;
}

function staffetta(as: string, ...args: readonly string[]): void {
  const launcher = join(root, 'bin', 'staffetta.cjs');
  const done = spawnSync(process.execPath, [launcher, ...args, ...(as === '' ? [] : ['--as', as])], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`staffetta ${args.join(' ')}: ${done.stderr}`);
}

function open(goal: string, ...more: readonly string[]): void {
  staffetta(
    '',
    'open',
    goal,
    '--accept',
    'node --test passes',
    '--non-goal',
    'new dependencies',
    '--validate',
    'node --test',
    '--review',
    'human',
    ...more,
  );
}

/** They go into the package: as WebP they take a third. */
async function keep(name: string, png: Buffer): Promise<void> {
  const blank = await browser.newPage();
  const webp: string = await blank.evaluate(`(async () => {
    const source = await fetch('data:image/png;base64,${png.toString('base64')}');
    const image = await createImageBitmap(await source.blob());
    const { width, height } = image;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.7);
  })()`);
  await blank.close();
  writeFileSync(join(kept, `${name}.webp`), Buffer.from(webp.split(',')[1] ?? '', 'base64'));
}

const browser = await openBrowser(browserFile);
try {
  open('Titles longer than 60 characters are cut at a word', '--to', 'lane:execute');
  staffetta('code-3', 'take', '--lane', 'execute');
  open('The rules for emoji in titles are written down', '--to', 'lane:plan');
  staffetta('research-2', 'take', '--lane', 'plan');
  staffetta('research-2', 'decide', '--ask', 'Are flags one emoji or two letters?');
  open('slug() is checked against the titles of the last year', '--to', 'lane:audit');
  const context = await browser.newContext({
    viewport: { width: 1200, height: 640 },
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForSelector('svg');
  const task = new URL(`/tasks/${played}`, page.url()).href;
  await page.goto(task);
  await page.waitForSelector('svg');
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {});
  await page.setViewportSize({ width: 1200, height: 760 });
  await keep('task', await page.screenshot());
  await page.goto(`${task}/diff`);
  await page.waitForSelector('.diff .line');
  await page.locator('.diff').first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
  await keep('diff', await page.locator('.diff').first().screenshot());
  await page.setViewportSize({ width: 1200, height: 520 });
  await page.goto(new URL('/board', task).href);
  await page.waitForSelector('.card .holder');
  await keep('board', await page.screenshot());
} finally {
  await browser.close();
  process.kill(-(relay.pid ?? 0), 'SIGINT');
  await once(relay, 'exit');
  rmSync(home, { recursive: true, force: true });
}
