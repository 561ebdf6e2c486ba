/** Reviews in a real browser: by keyboard alone, against changes of others, and with text that would like to be markup. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browserFor, openBrowser } from './chromium.ts';
import { openControlRoom, type ControlRoom } from './control-room.ts';
import { changedFile, cleanTree, handIn, makeRepository, submit, write } from './submissions.ts';

const browserFile = browserFor('reviews in the control room');
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

function statusOf(task: string): unknown {
  return room.run(undefined, 'show', task)['status'];
}

/** A page where the server may refuse: a browser reports every refusal as an error of its own. */
async function anotherPage(): Promise<{ readonly page: Page; readonly refused: number[] }> {
  const other = await page.context().newPage();
  const refused: number[] = [];
  other.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.status());
  });
  return { page: other, refused };
}

async function press(on: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await on.keyboard.press(key);
}

describe('by keyboard alone', () => {
  test('a line is remarked on and the work goes back; the next is approved with a reason', async () => {
    if (browserFile === undefined) return;
    const first = await submit(room, {
      goal: 'Hold the limit in src/limit.ts',
      files: { 'src/limit.ts': changedFile },
    });
    const second = await submit(room, { goal: 'Hold the other limit in src/limit.ts' });
    await press(page, 'g', 'r');
    await page.waitForSelector('.review-row >> nth=1');
    await page.waitForSelector('.review-row:has-text("1 file +1 −1"):has(.check-passed) >> nth=0');
    await press(page, 'j', 'j', 'k', 'o');
    await page.waitForURL(new RegExp(`/reviews/${first}$`));
    await page.waitForSelector('td.code.added:has-text("count <= max")');
    await press(page, 'J', 'j', 'c');
    await page.keyboard.type('Off by one at the edge.');
    await press(page, 'Escape', 'r');
    await page.waitForSelector('dialog[open] .remarks');
    await page.keyboard.type('Also write a test.');
    await press(page, 'Control+Enter');

    // Straight to the next one, saying what became of the first.
    await page.waitForURL(new RegExp(`/reviews/${second}$`));
    await page.waitForSelector('.came:has-text("goes back to agent:coder")');
    expect(statusOf(first)).toBe('rework');
    expect(room.run('coder', 'show', first)).toMatchObject({
      findings: [
        { text: 'Also write a test.' },
        { path: 'src/limit.ts', line: 3, text: 'Off by one at the edge.' },
      ],
    });

    await page.waitForSelector('.verdict .primary');
    await press(page, 'a', 'Control+Enter');
    // The gate warned: without a reason nothing is sent.
    await page.waitForSelector('dialog[open] button.primary:disabled');
    await page.keyboard.type('Good enough for now.');
    const sent: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())));
    await press(page, 'Control+Enter', 'Control+Enter', 'Control+Enter');
    await page.waitForSelector('.came:has-text("is approved and done")');
    expect(statusOf(second)).toBe('done');
    expect(sent).toEqual([`${room.url}/api/tasks/${second}/verdict`]);
  });

  test('what was remarked is shown before an approval and recorded with it; the command is the one that the server names', async () => {
    if (browserFile === undefined) return;
    const task = await submit(room, {
      goal: 'Hold the limit in src/limit.ts as well',
      files: { 'src/limit.ts': changedFile, Makefile: 'all:\n' },
    });
    await page.goto(`${room.url}/reviews/${task}`);
    await page.waitForSelector('td.code.added:has-text("count <= max")');
    await press(page, 'J', 'c');
    await page.keyboard.type('Mend in a follow-up.');
    await press(page, 'Escape', 'a');
    await page.waitForSelector('dialog[open] .remarks:has-text("Mend in a follow-up.")');
    await page.keyboard.type('- good\n- enough');
    const shown = await page.textContent('dialog[open] .twin code');
    const answer = page.waitForResponse((response) => response.url().endsWith('/verdict'));
    await press(page, 'Control+Enter');
    const { twin } = (await (await answer).json()) as { readonly twin: string };
    expect(shown).toBe(twin);
    await page.waitForSelector('.came:has-text("is approved and done")');
    const journal = await page.context().request.get(`${room.url}/api/tasks/${task}/journal`);
    expect(await journal.text()).toMatch(
      /- good[\\n]+- enough[\\n]+(Makefile|src\/limit\.ts):-?\d+: Mend in a follow-up\./,
    );
  });

  test('a diff of committed work is read: files are marked as viewed and stay so, sides and long lines are switched', async () => {
    if (browserFile === undefined) return;
    const task = await submit(room, {
      goal: 'Hold the limit in src/limit.ts, and say so in docs/limit.md',
      files: { 'src/limit.ts': changedFile, 'docs/limit.md': '# Limit\n', 'AGENTS.md': 'Obey.\n' },
      isCommitted: true,
    });
    await page.goto(`${room.url}/reviews`);
    await page.waitForSelector('.review-row:has-text("3 files +3 −1")');
    await page.goto(`${room.url}/tasks/${task}`);
    await page.waitForSelector('.strip:has-text("3 files +3 −1")');
    await page.goto(`${room.url}/reviews/${task}`);
    await page.waitForSelector('.lines .line');
    await page.waitForSelector('.banner:has-text("gives instructions to agents")');
    await page.waitForSelector('.review-diff > .quiet:has-text("committed or not")');
    await page.waitForSelector('.hl-keyword');
    expect(await page.textContent('.removed .word, .added .word')).toBe('=');
    await press(page, 's');
    await page.waitForSelector('.lines.split');
    await press(page, 's');
    await page.waitForSelector('.lines:not(.split)');
    await press(page, 'n', 'v');
    await page.waitForSelector('.diff-bar:has-text("1 of 3 viewed")');
    await page.reload();
    await page.waitForSelector('.diff-bar:has-text("1 of 3 viewed")');
    expect(await page.locator('.file .lines').count()).toBe(2);
    await press(page, '?');
    await page.waitForSelector('dialog[open]:has-text("Remark on the line")');
    await press(page, 'Escape');
    room.run(undefined, 'review', task, '--approve', '--why', 'seen');
    await page.waitForSelector('.stale:has-text("does not wait for a verdict any more: it is done")');
  });

  test('several are approved together, each with its digests before and its outcome after', async () => {
    if (browserFile === undefined) return;
    const tasks: string[] = [];
    for (const name of ['One', 'Two'])
      tasks.push(await submit(room, { goal: `${name} more limit in src/limit.ts` }));
    await page.goto(`${room.url}/reviews`);
    await page.waitForSelector('.review-row >> nth=1');
    // There is a row to begin with.
    await page.waitForSelector('.review-row[aria-current] >> nth=0');
    await press(page, 'x', 'j', 'x', 'a');
    await page.waitForSelector('dialog[open]');
    // The text of what the gate warned of stands before the reader.
    expect(await page.locator('dialog[open] .against').first().textContent()).toMatch(/^warning /);
    expect(await page.locator('dialog[open] .binds').count()).toBe(2);
    expect(await page.locator('dialog[open] .binds .digest').count()).toBe(8);
    await page.keyboard.type('Both are fine.');
    await press(page, 'Control+Enter');
    for (const task of tasks)
      await page.waitForSelector(`dialog[open] .came:has-text("${task} is approved and done")`);
    await press(page, 'Escape');
    await page.waitForSelector('.empty:has-text("Nothing waits")');
    expect(tasks.map(statusOf)).toEqual(['done', 'done']);
  });
});

test('keys that come quicker than the page is drawn mean what they would mean slowly', async () => {
  if (browserFile === undefined) return;
  const tasks: string[] = [];
  for (const name of ['First', 'Second', 'Third'])
    tasks.push(await submit(room, { goal: `${name} quick limit in src/limit.ts` }));
  await page.goto(`${room.url}/reviews`);
  await page.waitForSelector('.review-row[aria-current] >> nth=0');
  await page.waitForSelector('.review-row >> nth=2');
  await page.evaluate(`for (const key of 'xjjxkxxa')
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`);
  await page.waitForSelector('dialog[open]');
  // A warning there may name the other one: it changed the same file in the same folder.
  const approved = await page.locator('dialog[open] .decided-items h3 > .quiet').allTextContents();
  expect(approved).toEqual([tasks[0], tasks[2]]);
  await press(page, 'Escape');
  for (const task of tasks) room.run(undefined, 'review', task, '--approve', '--why', 'seen');
});

describe('against others', () => {
  test('a verdict on what was submitted before is refused, says what changed, and keeps the remarks', async () => {
    if (browserFile === undefined) return;
    const task = await submit(room, {
      goal: 'Hold the limit in src/limit.ts again',
      files: { 'src/limit.ts': changedFile },
    });
    const { page: other, refused } = await anotherPage();
    // It does not hear of the change before it sends.
    await other.route('**/api/events*', async (route) => await route.abort());
    await other.goto(`${room.url}/reviews/${task}`);
    await other.waitForSelector('.lines .line');
    await press(other, 'J', 'j', 'c');
    await other.keyboard.type('Off by one.');
    await press(other, 'Escape', 'a');
    await other.waitForSelector('dialog[open]');
    await other.keyboard.type('Good enough.');

    // Another process sends it back, and its author submits something else.
    room.run(undefined, 'review', task, '--send-back', 'Write a comment.');
    const files = {
      'src/limit.ts': changedFile.replace('/* Limits. */', '/* Limits. */\n/* Of requests. */'),
    };
    await handIn(room, { task, by: 'coder', files });

    await press(other, 'Control+Enter');
    await other.waitForSelector('.stale:has-text("another packet was submitted")');
    await other.waitForSelector('.stale:has-text("the diff is another")');
    expect(refused).toEqual([409]);
    expect(statusOf(task)).toBe('submitted');

    await press(other, 'l');
    await other.waitForSelector('td.code.added:has-text("Of requests")');
    await other.waitForSelector('.stale', { state: 'detached' });
    await other.waitForSelector('.banner:has-text("sent back before"):has-text("Write a comment.")');
    expect(await other.locator('.banner:has-text("has changed since")').count()).toBe(0);
    // The remark went along with its line, which is one further down now.
    await other.waitForSelector('.note-text:has-text("Off by one.")');
    await press(other, 'r');
    await other.waitForSelector('dialog[open] .remarks:has-text("src/limit.ts:4")');
    await press(other, 'Control+Enter');
    await other.waitForSelector('.came:has-text("goes back to agent:coder")');
    expect(refused).toEqual([409]);
    await other.close();
  });

  test('a verdict of somebody else is told with who and why, and nothing can be sent any more', async () => {
    if (browserFile === undefined) return;
    const task = await submit(room, { goal: 'Hold the limit in src/limit.ts before others do' });
    await page.goto(`${room.url}/reviews/${task}`);
    await page.waitForSelector('.verdict .primary');
    await press(page, 'a');
    await page.keyboard.type('Mine.');
    await page.waitForSelector('dialog[open] button.primary:enabled');
    room.run(undefined, 'review', task, '--approve', '--why', 'I was faster.');
    await page.waitForSelector(
      'dialog[open] .stale:has-text("review approved by"):has-text("I was faster.")',
    );
    await page.waitForSelector('dialog[open] button.primary:disabled');
    await press(page, 'Escape');
    await page.waitForSelector('.verdict .stale:has-text("it is done")');
    expect(await page.locator('.verdict .primary').count()).toBe(0);
  });

  test('who did the work is told why it is not theirs to approve', async () => {
    if (browserFile === undefined) return;
    const answer = await page.request.get(`${room.url}/api/me`);
    const { actor } = (await answer.json()) as { actor: { name: string } };
    const task = await submit(room, { goal: 'Hold my own limit in src/limit.ts', by: actor.name });
    const { page: other, refused } = await anotherPage();
    await other.goto(`${room.url}/reviews/${task}`);
    await other.waitForSelector('.verdict .primary');
    await press(other, 'a');
    await other.waitForSelector('dialog[open]');
    await other.keyboard.type('I like it.');
    await press(other, 'Control+Enter');
    await other.waitForSelector('dialog[open] .refusal:has-text("author-review")');
    expect(refused).toEqual([403]);
    expect(statusOf(task)).toBe('submitted');
    await other.close();
    room.run(undefined, 'cancel', task, '--why', 'tried');
  });
});

describe('what is written', () => {
  test('by the author is drawn as on the task page, and a reason outlives a reload and is shown whole in its command', async () => {
    if (browserFile === undefined) return;
    const task = await submit(room, {
      goal: 'Hold the limit in src/limit.ts for good',
      summary: 'It is **held**:\n\n- once\n- `twice`',
      files: { 'src/limit.ts': changedFile, 'lines.txt': 'one\r\ntwo\r\n' },
    });
    await page.goto(`${room.url}/reviews/${task}`);
    await page.waitForSelector('.review aside .prose strong:has-text("held")');
    expect(await page.locator('.review aside .prose li').count()).toBe(2);
    await page.waitForSelector('.file[aria-label="lines.txt"] header:has-text("CRLF")');
    expect(await page.locator('.hidden-character').count()).toBe(0);
    await press(page, 'a');
    const reason = Array.from({ length: 12 }, (_, n) => `- reason ${n}`).join('\n');
    await page.keyboard.type(reason);
    await page.reload();
    await page.waitForSelector('.verdict .primary');
    await press(page, 'a');
    expect(await page.inputValue('dialog[open] textarea')).toBe(reason);
    const code = page.locator('dialog[open] .twin code');
    expect(await code.innerText()).toContain(reason);
    expect(
      await code.evaluate((element) => {
        const { scrollHeight, clientHeight } = element as unknown as Record<string, number>;
        return scrollHeight === clientHeight;
      }),
    ).toBe(true);
    await press(page, 'Escape');
    room.run(undefined, 'cancel', task, '--why', 'tried');
  });
});

describe('text that would like to be markup', () => {
  const evil = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';

  test('is shown as text in titles, goals, claims, names, diffs and remarks', async () => {
    if (browserFile === undefined) return;
    const name = '<img src=x onerror=window.ran=1>.ts';
    const task = await submit(room, {
      goal: `Hold ${evil} in src/limit.ts`,
      summary: evil,
      files: {
        [name]: `const x = '${evil}';\n// \u202e turned\n`,
        'src/limit.ts': `${changedFile}// ${evil}\n`,
      },
    });
    await page.goto(`${room.url}/reviews`);
    await page.waitForSelector('.review-row:has-text("<img src=x")');
    await page.goto(`${room.url}/reviews/${task}`);
    await page.waitForSelector('h1:has-text("<script>")');
    await page.waitForSelector(`.file .name:has-text("${name}")`);
    await page.waitForSelector('td.code:has-text("</script>")');
    await page.waitForSelector('.hidden-character:has-text("RLO")');
    await press(page, 'J', 'c');
    await page.keyboard.type(evil);
    await press(page, 'Escape');
    await page.waitForSelector('.note-text:has-text("<script>")');
    await press(page, 'r');
    await page.waitForSelector('dialog[open] .remarks:has-text("<script>")');
    await press(page, 'Escape');
    expect(
      await page.evaluate('[window.ran, document.querySelectorAll("main img, main script").length]'),
    ).toEqual([undefined, 0]);
    room.run(undefined, 'cancel', task, '--why', 'tried');
  });
});

describe('a diff of 10,000 lines', () => {
  test('is scrolled to its end with at most two parts drawn in any frame, and keeps only what is near', async () => {
    if (browserFile === undefined) return;
    const lines = Array.from({ length: 10_000 }, (_, n) => `export const value${n} = ${n}; // line ${n}`);
    const task = await submit(room, {
      goal: 'Hold ten thousand limits in src/limit.ts',
      files: { 'src/limit.ts': `${lines.join('\n')}\n` },
    });
    await page.goto(`${room.url}/reviews/${task}`);
    await page.waitForSelector('.lines .line');
    // What is drawn in any one frame, and what is drawn in all.
    const { inFrame, inAll } = await page.evaluate<{ inFrame: number; inAll: number }>(`(async () => {
      let [drawn, inFrame, inAll] = [0, 0, 0];
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if (node.matches?.('tr.line')) drawn += 1;
      }).observe(document.querySelector('.lines'), { childList: true, subtree: true });
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      for (let at = 0; at < document.documentElement.scrollHeight; at += 8000) {
        scrollTo(0, at);
        for (let n = 0; n < 3; n += 1) {
          await frame();
          [inFrame, drawn] = [Math.max(inFrame, drawn), 0];
        }
        inAll = Math.max(inAll, document.querySelectorAll('tr.line').length);
      }
      return { inFrame, inAll };
    })()`);
    await page.waitForSelector('td.code:has-text("value9999")');
    expect(inFrame).toBeGreaterThan(0);
    expect(inFrame).toBeLessThanOrEqual(100);
    expect(inAll).toBeLessThan(1000);
    room.run(undefined, 'cancel', task, '--why', 'tried');
  });
});

test('nothing of a review is wider than a telephone', async () => {
  if (browserFile === undefined) return;
  const task = await submit(room, {
    goal: 'Hold the narrow limit in src/limit.ts',
    files: { 'src/limit.ts': `${changedFile}// ${'wide '.repeat(100)}\n` },
  });
  write(room, 'unrelated.txt', 'x\n');
  await page.setViewportSize({ width: 360, height: 740 });
  for (const place of ['/reviews', `/reviews/${task}`]) {
    await page.goto(`${room.url}${place}`);
    await page.waitForSelector('.review-row, .lines .line');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  }
  const [diff, about] = ['.review-diff', '.review aside'].map((part) => page.locator(part));
  expect((await diff?.boundingBox())?.y).toBeLessThan((await about?.boundingBox())?.y ?? 0);
});
