/**
 * A skill with a script, used and handed over in Claude Code, goes on in each program on another machine whose home has none. Its
 * head lacks the name, which Claude Code does without and others do not. What the model was told is the proof: that there is the skill, what
 * it says, and what its script printed.
 */
import { chmodSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';
import { answerOf, failure, programs, proves } from './lab.ts';
import { Machine } from './machine.ts';
import type { Said } from './model/dialect.ts';
import { FakeModel, type Turn } from './model/fake-model.ts';
import { field, text } from './model/json.ts';
import { ask } from './running.ts';

const description = 'Tallies the lines of a file, by a script of its own.';
const body = 'Run scripts/tally.sh with the path of the file, and tell what it prints.';
const files = {
  'SKILL.md': `---\ndescription: ${description}\n---\n\n# Tally\n\n${body}\n`,
  'scripts/tally.sh': '#!/bin/sh\necho "$(cat "$(dirname "$0")/../words.txt") $(wc -l < "$1")"\n',
  'words.txt': 'the tally is\n',
};
const printed = /the tally is +1\b/;

interface Sealed {
  readonly machine: Machine;
  readonly task: string;
  readonly archive: string;
}
let sealed: Sealed | undefined;

/** In Claude Code, from a folder of the user. */
async function sealedThere(): Promise<Sealed> {
  await using model = await FakeModel.start(
    { call: { tool: 'Skill', args: { skill: 'tally' } } },
    { shell: '"$HOME/.claude/skills/tally/scripts/tally.sh" README.md' },
    { text: 'There is one line.' },
  );
  const machine = Machine.create(programs, model.origin);
  const folder = join(machine.home, '.claude/skills/tally');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  chmodSync(join(folder, 'scripts/tally.sh'), 0o755);
  const ended = await ask(agents['claude-code'], machine, 'Tally README.md.').ended;
  if (ended.status !== 0) throw new Error(failure('Claude Code', ended));
  expect(resultOf(model.told[1])).toContain('tally');
  expect(resultOf(model.told[2])).toMatch(printed);
  const words = ['--accept', 'README.md is tallied', '--non-goal', 'other files', '--review', 'human'];
  const proof = ['--validate', 'test -s README.md', '--next', 'tally README.md again'];
  const from = ['--from', 'claude-code', '--to', 'anyone', '--trigger', 'usage-limit'];
  const answer = await answerOf(machine, 'handoff', ...from, '--skill', 'tally', ...words, ...proof);
  const task = text(field(answer, 'task'));
  const archive = join(machine.root, 'task.staffetta');
  await answerOf(machine, 'export', task, '--out', archive);
  return { machine, task, archive };
}

beforeAll(async () => {
  if (programs['claude-code'] !== undefined) sealed = await sealedThere();
});
afterAll(() => sealed?.machine[Symbol.dispose]());

function resultOf(told: readonly Said[] = []): string {
  const last = told.findLast((said) => said.by === 'result');
  return last?.by === 'result' ? last.text : '';
}

/** How a program's model gets to read a skill: by a tool for that, or as a file. */
const loading: Readonly<Record<RuntimeName, Turn>> = {
  'claude-code': { call: { tool: 'Skill', args: { skill: 'tally' } } },
  cline: { call: { tool: 'skills', args: { skill: 'tally' } } },
  codex: { shell: 'cat .agents/skills/tally/SKILL.md' },
  'copilot-cli': { call: { tool: 'skill', args: { skill: 'tally' } } },
  'gemini-cli': { call: { tool: 'activate_skill', args: { name: 'tally' } } },
  opencode: { call: { tool: 'skill', args: { name: 'tally' } } },
  'qwen-code': { call: { tool: 'skill', args: { skill: 'tally' } } },
};

/** Where it is put: all but two load it from the workspace. */
function folderOf(to: RuntimeName, { home, work }: Machine): string {
  if (to === 'copilot-cli') return join(home, '.copilot/skills/tally');
  if (to === 'gemini-cli') return join(home, '.gemini/skills/tally');
  return join(work, to === 'claude-code' ? '.claude' : '.agents', 'skills/tally');
}

/** opencode fetches a program for searching when a skill is first loaded. Here it finds the one that comes with Codex. */
function bringSearch({ home }: Machine): boolean {
  const [found] = globSync('../@openai/codex-*/vendor/*/codex-path/rg', {
    cwd: dirname(programs.codex ?? '/'),
  });
  if (found === undefined) return false;
  mkdirSync(join(home, '.cache/opencode/bin'), { recursive: true });
  symlinkSync(join(dirname(programs.codex ?? '/'), found), join(home, '.cache/opencode/bin/rg'));
  return true;
}

/** So that it uses its tools without asking anybody. */
const unasked: Partial<Readonly<Record<RuntimeName, readonly string[]>>> = {
  'claude-code': ['--arg=--dangerously-skip-permissions'],
  'copilot-cli': ['--arg=--yolo'],
  'gemini-cli': ['--arg=--yolo'],
  opencode: ['--model', 'lab/large'],
  'qwen-code': ['--arg=--yolo'],
};

describe.concurrent('a skill that was sealed in Claude Code', () => {
  for (const to of runtimeNames) {
    test(`loads and runs in ${to}, in a home without skills`, async (context) => {
      proves(context, { kind: 'skill', from: 'claude-code', to });
      if (sealed === undefined) throw new Error('Nothing was sealed.');
      await using model = await FakeModel.start(loading[to]);
      using machine = Machine.create(programs, model.origin);
      if (to === 'opencode' && !bringSearch(machine)) context.skip('There is no ripgrep for opencode here.');
      const script = join(folderOf(to, machine), 'scripts/tally.sh');
      model.add({ shell: `${script} README.md` }, { text: 'One line.' });
      await answerOf(machine, 'import', sealed.archive);
      const forked = ['--at', 'latest', '--why', 'it goes on here', '--as', 'lab'];
      const task = text(field(await answerOf(machine, 'fork', sealed.task, ...forked), 'task'));
      const how = ['--in', to, '--with-skills', '--launch', ...(unasked[to] ?? [])];
      const answer = await answerOf(machine, 'resume', task, ...how);
      expect(answer).toMatchObject({
        placed: [{ name: 'tally', outcome: 'placed', files: 3, executables: ['scripts/tally.sh'] }],
        ran: { exit: 0 },
      });
      const first = model.requests.find(({ turn }) => turn !== null);
      // From the skill, and not from what the prompt tells of it.
      expect(readFileSync(text(field(answer, 'promptFile')), 'utf8')).not.toContain(description);
      // Cline tells the names alone.
      expect(JSON.stringify(first?.body)).toContain(
        to === 'cline' ? 'Available skills: tally.' : description,
      );
      expect(JSON.stringify(model.told[1]?.slice(model.told[0]?.length))).toContain(body);
      expect(resultOf(model.told[2])).toMatch(printed);
      expect(model.unscripted).toBe(0);
      expect(statSync(script).mode & 0o777).toBe(0o755);
    });
  }
});
