/**
 * Hooks in the programs themselves: `init` sets them up, a session is greeted with the task that waits, a session that was killed is
 * rescued when another agent starts, and `uninstall` leaves the home as it was. What the model was told is the proof.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';
import { failure, programs, proves } from './lab.ts';
import { answerHere, codexHooks, commandHere, killedInCall, toldOf, withPluginTypes } from './hooked.ts';
import { Machine } from './machine.ts';
import { FakeModel } from './model/fake-model.ts';
import { field, list, text } from './model/json.ts';
import { ask } from './running.ts';

const goal = 'The import of users takes less than 4 seconds for 10000 users';

describe.concurrent('a new session is greeted', () => {
  for (const name of runtimeNames) {
    test(`${name} tells its model of the task that waits`, async (context) => {
      proves(context, { kind: 'greeted', from: name });
      await using model = await FakeModel.start(
        { text: 'I look first.', shell: 'echo looked' },
        { text: 'Done.' },
      );
      using machine = Machine.create(programs, model.origin);
      withPluginTypes(machine);
      await answerHere(machine, 'init', '--yes', '--runtime', name);
      const task = text(field(await answerHere(machine, 'open', goal, '--as', 'ada'), 'task'));
      const ended = await ask(agents[name], machine, 'What is there to do?').ended;
      if (ended.status !== 0) throw new Error(failure(name, ended));
      // Cline hears what hooks say of its tools alone.
      const told = [name !== 'cline', true];
      expect(toldOf(model, `staffetta-briefing task="${task}"`)).toEqual(told);
      expect(toldOf(model, goal)).toEqual(told);
    });
  }
});

describe.concurrent('killed in the middle of a call, and another agent starts', () => {
  const pairs = [
    ['claude-code', 'codex'],
    ['codex', 'gemini-cli'],
    ['gemini-cli', 'opencode'],
    ['opencode', 'claude-code'],
    ['qwen-code', 'copilot-cli'],
    ['copilot-cli', 'codex'],
    ['cline', 'codex'],
  ] as const;
  for (const [from, to] of pairs) {
    test(`${to} is greeted with what ${from} had begun`, async (context) => {
      proves(context, { kind: 'rescued at start', from, to });
      await using model = await FakeModel.start();
      using machine = Machine.create(programs, model.origin);
      withPluginTypes(machine);
      await answerHere(machine, 'init', '--yes');
      const prompt = `Measure how long the import of users takes in ${from}.`;
      await killedInCall(from, machine, model, prompt);
      const asked = model.told.length;
      model.add({ text: 'I see what was begun.' });
      const ended = await ask(agents[to], machine, 'What is there to do?').ended;
      if (ended.status !== 0) throw new Error(failure(to, ended));
      const { tasks } = (await answerHere(machine, 'ls', '--json')) as { tasks: readonly unknown[] };
      expect(tasks).toMatchObject([{ status: 'offered', to: 'anyone' }]);
      const task = text(field(tasks[0], 'task'));
      expect(toldOf(model, `staffetta-briefing task="${task}"`).slice(asked)).toEqual([true]);
      expect(toldOf(model, prompt).slice(asked)).toEqual([true]);
    });
  }
});

describe.concurrent('a session ends as sessions end, and another agent starts', () => {
  const pairs = [
    ['claude-code', 'codex'],
    ['codex', 'gemini-cli'],
    ['gemini-cli', 'claude-code'],
    ['opencode', 'codex'],
    ['qwen-code', 'copilot-cli'],
    ['copilot-cli', 'codex'],
    ['cline', 'codex'],
  ] as const;
  for (const [from, to] of pairs) {
    test(`${to} is greeted with what ${from} did, though nobody opened a task`, async (context) => {
      proves(context, { kind: 'left behind', from, to });
      await using model = await FakeModel.start(
        { text: 'I write it.', shell: 'echo new > made.txt' },
        { text: 'It is written.' },
      );
      using machine = Machine.create(programs, model.origin);
      withPluginTypes(machine);
      await answerHere(machine, 'init', '--yes');
      await runOnce(from, machine, 'Write the file that was asked for.');
      if (!silent.has(from)) await offeredIn(machine);
      const asked = model.told.length;
      model.add({ text: 'I see what was done.' });
      await runOnce(to, machine);
      const task = await offeredIn(machine);
      expect(toldOf(model, `staffetta-briefing task="${task}"`).slice(asked)).toEqual([true]);
      expect(toldOf(model, 'made.txt').slice(asked)).toEqual([true]);
    });
  }
});

/** They tell of no end: that their program is gone is found at the next start. */
const silent: ReadonlySet<RuntimeName> = new Set(['cline', 'opencode', 'qwen-code']);

/** Until the work of a session that ended is on offer. */
async function offeredIn(machine: Machine): Promise<string> {
  for (;;) {
    const { tasks } = (await answerHere(machine, 'ls', '--json')) as { tasks: readonly unknown[] };
    const one = tasks.find((card) => text(field(card, 'status')) === 'offered');
    if (one !== undefined) return text(field(one, 'task'));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Claude Code keeps its own data in this one, beside what it is told. */
const shared = (path: string): boolean => path.endsWith('/.claude.json');

describe.concurrent('trust in Codex', () => {
  test('what init writes is what Codex trusts, and what changed is found by the doctor', async (context) => {
    proves(context, { kind: 'trusted', from: 'codex' });
    await using model = await FakeModel.start({ text: 'Nothing.' });
    using machine = Machine.create(programs, model.origin);
    await answerHere(machine, 'init', '--yes', '--runtime', 'codex');
    const hooks = await codexHooks(machine);
    expect(hooks.map(([, trust]) => trust)).toEqual(Array.from({ length: 7 }, () => 'trusted'));
    const path = join(machine.home, '.codex/hooks.json');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/"timeout": \d+/g, '"timeout": 2'));
    expect(new Set((await codexHooks(machine)).map(([, trust]) => trust))).toEqual(new Set(['modified']));
    await answerHere(machine, 'open', goal, '--as', 'ada');
    const ended = await ask(agents.codex, machine, 'What is there to do?').ended;
    if (ended.status !== 0) throw new Error(failure('codex', ended));
    // Skipped without a word: only the doctor says so.
    expect(toldOf(model, goal)).toEqual([false]);
    const doctor = await commandHere(machine, 'doctor', '--json');
    const found = list(field(JSON.parse(doctor.stdout), 'findings'));
    expect(found.find((one) => text(field(one, 'check')) === 'codex-hooks')).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('skips them without a word') as unknown,
    });
  });
});

describe.concurrent('init, a run, and uninstall', () => {
  for (const name of runtimeNames) {
    test(`leave the settings of ${name} as they were`, async (context) => {
      proves(context, { kind: 'undone', from: name });
      const turns = [{ text: 'I look first.', shell: 'echo looked' }, { text: 'Done.' }];
      await using model = await FakeModel.start(...turns, ...turns);
      using machine = Machine.create(programs, model.origin);
      withPluginTypes(machine);
      // What a program writes into its own settings when it first runs is its own.
      await runOnce(name, machine);
      const planned = await answerHere(machine, 'init', '--dry-run', '--runtime', name);
      const paths = list(field(planned, 'changes')).map((change) => text(field(change, 'path')));
      const before = paths.map(textAt);
      await answerHere(machine, 'init', '--yes', '--runtime', name);
      expect(paths.map(textAt)).not.toEqual(before);
      await runOnce(name, machine);
      await answerHere(machine, 'uninstall', '--yes');
      const left = paths.map((path, index) =>
        shared(path) && textAt(path)?.includes('staffetta') !== true ? before[index] : textAt(path),
      );
      expect(left).toEqual(before);
      expect(existsSync(join(machine.work, '.staffetta'))).toBe(false);
      expect(existsSync(join(machine.home, '.local/share/staffetta'))).toBe(false);
    });
  }
});

async function runOnce(name: RuntimeName, machine: Machine, prompt = 'What is there to do?'): Promise<void> {
  const ended = await ask(agents[name], machine, prompt).ended;
  if (ended.status !== 0) throw new Error(failure(name, ended));
}

function textAt(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
