/** What users come for, played with the built command in an empty home by what the README says, and counted: commands, and words of them. The counts stand in docs/stories.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RuntimeName } from '../../src/ports/index.ts';
import { newFolder, newWorkplace, staffetta, type Json, type Ran } from './command.ts';
import { claudePlace, fakePrograms, put, sessionText, type Started } from './programs.ts';

interface Stage {
  readonly home: string;
  readonly folder: string;
  /** A command as it is typed: counted, and refused unless it ends well. */
  readonly type: (line: readonly string[]) => Promise<Ran>;
  /** Looks at what came of it; not counted. */
  readonly see: (line: readonly string[]) => Promise<Json>;
  readonly started: () => Started | null;
}

interface Story {
  readonly title: string;
  /** Programs that are there, and what they do. */
  readonly installed: readonly RuntimeName[];
  readonly does?: string;
  readonly play: (stage: Stage) => Promise<void>;
}

const changesFence = `require('node:fs').appendFileSync('fence.txt', 'two posts\\n');`;

const stories: readonly Story[] = [
  {
    title: 'A session died at its limit; Codex goes on',
    installed: ['claude-code', 'codex'],
    does: changesFence,
    play: async ({ home, folder, type, see, started }) => {
      put(claudePlace(home, folder), sessionText('usage-limit.jsonl', folder));
      // There is no terminal here, where the question would be asked: --launch answers it.
      const ran = await type(['resume', '--in', 'codex', '--launch']);
      expect(ran.stderr).toContain('stopped at its usage limit');
      expect(started()).toMatchObject({ cwd: folder, stdin: expect.stringContaining('limit me') });
      const { tasks } = (await see(['ls', '--json'])) as { tasks: readonly Json[] };
      expect(tasks).toMatchObject([{ status: 'offered', to: 'runtime:codex' }]);
      const task = String(tasks[0]?.['task']);
      const { packet } = (await see(['show', task, '--json'])) as { packet: Json };
      expect(JSON.stringify(packet)).toContain('fence.txt');
    },
  },
];

const counts = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'stories.md'), 'utf8');

test.each(stories)('$title', async ({ title, installed, does = '', play }) => {
  const home = newFolder();
  const folder = newWorkplace();
  const { env, started } = fakePrograms(home, installed, does);
  const typed: string[] = [];
  const run = async (line: readonly string[]): Promise<Ran> => await staffetta(line, { cwd: folder, env });
  await play({
    home,
    folder,
    started,
    type: async (line) => {
      typed.push(['staffetta', ...line].join(' '));
      const ran = await run(line);
      expect({ line, status: ran.status, stderr: ran.stderr }).toMatchObject({ status: 0 });
      return ran;
    },
    see: async (line) => (await run(line)).json,
  });
  const words = typed.join(' ').split(/\s+/).length;
  expect(counts).toContain(`| ${title} | ${typed.length} | ${words} |`);
});
