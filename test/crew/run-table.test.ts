import { expect, test } from 'vitest';
import { createOutput } from '../../src/cli/frame/output.ts';
import { RunLog } from '../../src/cli/pages/run-page.ts';
import { RunTable } from '../../src/cli/plan/run-table.ts';
import type { RunDocument } from '../../src/core/plan/run-document.ts';
import { openRun } from '../../src/crew/open-run.ts';
import { supervise } from '../../src/crew/supervise.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { siteOf } from './functions.ts';

/** A terminal as far as these codes go: what is left on it after all that was written. */
class Screen {
  readonly lines = [''];
  row = 0;
  #waiting: { readonly words: string; readonly seen: () => void }[] = [];

  readonly write = (text: string): boolean => {
    for (const [part] of text.matchAll(/\u001b\[\d*[A-Z]|\u001b\[\d*m|\n|\r|[^\u001b\n\r]+/g)) {
      if (part === '\n') this.lines[(this.row += 1)] ??= '';
      else if (part.endsWith('A') && part.startsWith('\u001b')) this.row -= Number(part.slice(2, -1));
      else if (part === '\u001b[J') this.lines.splice(this.row, Infinity, '');
      else if (part === '\u001b[K') this.lines[this.row] = '';
      else if (part !== '\r' && !part.startsWith('\u001b')) this.lines[this.row] += part;
    }
    this.#waiting = this.#waiting.filter(({ words, seen }) => {
      if (!this.lines.some((line) => line.replaceAll(/ +/g, ' ').includes(words))) return true;
      seen();
      return false;
    });
    return true;
  };

  async shows(words: string): Promise<void> {
    await new Promise<void>((seen) => {
      this.#waiting.push({ words, seen });
      this.write('');
    });
  }
}

test('at a terminal a table of who holds what stands below what happened, and goes when the run ends', async () => {
  const screen = new Screen();
  const stream = { isTTY: true, columns: 100, rows: 30, write: screen.write, once: () => {} };
  const streams = { stdout: stream, stderr: stream } as unknown as Parameters<typeof createOutput>[0];
  const output = createOutput(streams, { json: false, quiet: false, env: { NO_COLOR: '1' } });
  const relay = await openStaffetta({ store: 'memory:' });
  const document: RunDocument = {
    v: 1,
    name: 'fence',
    plan: {
      goal: 'A fence stands.',
      defaults: { acceptance: ['It stands.'] },
      tasks: {
        posts: { goal: 'Posts stand.' },
        rails: { goal: 'Rails are on.', needs: ['posts'] },
        'paint-that-keeps-the-rain-out-for-years': { goal: 'All is painted.', needs: ['rails'] },
      },
    },
    crew: { agents: { code: { lane: 'execute' } } },
  };
  await openRun(relay.context, document, { by: { name: 'eve', kind: 'human' }, why: 'Spring.' });
  const live = new RunTable(relay.context, output);
  const log = new RunLog(live.above, document);
  const tooLong: string[] = [];
  const site = siteOf(relay.context, async (post) => {
    if (post.for !== 'work') return;
    if (post.task.startsWith('paint')) return;
    await post.leg.acknowledge();
    await post.leg.progress(7, { of: 9, unit: 'boards' });
    await screen.shows(`${post.task} in work code 7 of 9 boards (77 %)`);
    if (post.task === 'posts') await screen.shows('rails waiting waits for posts');
    else {
      stream.columns = 40;
      await screen.shows('Run fence: 1 waiting, 1 in work, 1 don…');
      await screen.shows('paint-that-k… waiting');
      tooLong.push(...screen.lines.filter((line) => line.length > 40));
    }
  });
  const end = await supervise(site, 'fence', {
    pollMs: 20,
    onChange: (sight) => {
      live.see(sight);
      log.see(sight);
    },
  });
  live.close();
  expect(end.how).toBe('done');
  expect(tooLong).toEqual([]);
  const left = screen.lines.filter((line) => line !== '');
  expect(left.slice(0, 2)).toEqual(['Run fence: 3 tasks. A fence stands.', 'posts is worked on by code']);
  expect(left.slice(3, 5)).toEqual(['rails is worked on by code', 'rails is done']);
  expect(left.join('\n')).not.toMatch(/in work|waiting/);
});
