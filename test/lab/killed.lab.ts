/**
 * A program that is killed in the middle of a call of a tool, as the system does it: without a word. What it had written is
 * rescued and gone on with in another program.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transcript } from '../../src/core/transcript/step.ts';
import type { RuntimeName } from '../../src/ports/runtime.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { agents } from './agents/all.ts';
import { continued } from './continued.ts';
import { answerOf, failure, programs, proves } from './lab.ts';
import { Machine } from './machine.ts';
import { FakeModel } from './model/fake-model.ts';
import { field, list, text } from './model/json.ts';
import { difference, type Wanted } from './proof.ts';
import { ask, type Running } from './running.ts';

const prompt = 'Measure how long the import of users takes.';
const said = 'I measure it.';

/** What the command writes into a pipe once it runs: its process. */
async function processOf(gate: string, running: Running): Promise<number> {
  const early = running.ended.then((ended) => {
    // Lets the reader go.
    closeSync(openSync(gate, 'r+'));
    throw new Error(failure('The program', ended));
  });
  return Number(await Promise.race([readFile(gate, 'utf8'), early]));
}

/** Until the program has written to its own files what the test is about. */
async function until(running: Running, holds: () => Promise<boolean>): Promise<void> {
  const early = running.ended.then((ended) => {
    throw new Error(failure('The program', ended));
  });
  while (!(await Promise.race([holds(), early]))) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The only session of a program. */
async function sessionOf(machine: Machine, name: RuntimeName): Promise<Transcript | null> {
  const runtime = allRuntimes({ ...machine.env }).find((each) => each.name === name);
  for await (const card of runtime?.sessions({ folder: machine.work }) ?? []) {
    const records: Uint8Array[] = [];
    for await (const record of (await runtime?.capture(card))?.records ?? []) records.push(record);
    return runtime?.read(records) ?? null;
  }
  return null;
}

/** Killed while a command of the model ran, which is killed with it. */
async function killedInCall(
  name: RuntimeName,
  words: { readonly text?: string; readonly thinking?: string } = { text: said },
): Promise<{ readonly machine: Machine; readonly command: string }> {
  await using model = await FakeModel.start();
  const machine = Machine.create(programs, model.origin);
  const gate = join(machine.root, 'gate');
  execFileSync('mkfifo', [gate]);
  // Programs run a command in shells within shells: only the last one knows which process it is.
  const command = `tail -f /dev/null & echo $! > ${gate}; wait`;
  model.add({ ...words, shell: command });
  const running = ask(agents[name], machine, prompt);
  const process = await processOf(gate, running);
  await until(running, async () => {
    const session = await sessionOf(machine, name);
    // Gemini CLI writes a call only when it has its result.
    return name === 'gemini-cli'
      ? session?.steps.some(({ source }) => source === 'agent') === true
      : session?.unanswered.length === 1;
  });
  running.kill();
  killed(process);
  await running.ended;
  return { machine, command };
}

function killed(process: number): void {
  try {
    globalThis.process.kill(process, 'SIGKILL');
  } catch {
    // It ended with the program.
  }
}

/** The task that `rescue` made of the only session there is. */
async function rescued(machine: Machine, to: RuntimeName): Promise<string> {
  const answer = await answerOf(machine, 'rescue', '--to', to, '--idle', '1ms');
  const all = list(field(answer, 'rescued'));
  expect(all).toMatchObject([{ outcome: 'rescued', trigger: 'crash' }]);
  return text(field(all[0], 'task'));
}

interface Case {
  readonly dead: Machine;
  readonly to: RuntimeName;
  readonly save: (machine: Machine, to: RuntimeName) => Promise<string>;
  readonly told: readonly Wanted[];
}

/** What the model of the receiver was told otherwise; null where it was told all. */
async function goneOn({ dead, to, save, told }: Case): Promise<string | null> {
  using _ = dead;
  await using model = await FakeModel.start({ text: 'I take it again.' });
  using machine = dead.copy(model.origin);
  const task = await save(machine, to);
  const { prompt: goOn } = await continued(machine, task, { to, history: 'full' });
  return difference(model.told[0] ?? [], [...told, { user: goOn }], to);
}

describe.concurrent('killed in the middle of a call', () => {
  const pairs = [
    ['claude-code', 'gemini-cli'],
    ['codex', 'opencode'],
    ['opencode', 'claude-code'],
    ['qwen-code', 'copilot-cli'],
    ['copilot-cli', 'codex'],
    ['cline', 'claude-code'],
  ] as const;
  for (const [from, to] of pairs) {
    test(`${from}, rescued and gone on with in ${to}`, async (context) => {
      proves(context, { kind: 'killed', from, to });
      const { machine, command } = await killedInCall(from);
      const call: Wanted[] = [{ shell: command }, { result: 'interrupted' }];
      const told = [{ user: prompt }, { agent: said }, ...call];
      expect(await goneOn({ dead: machine, to, save: rescued, told })).toBeNull();
    });
  }

  test('gemini-cli, whose session does not show it, but the folder that its command left', async (context) => {
    const [from, to] = ['gemini-cli', 'codex'] as const;
    proves(context, { kind: 'killed', from, to });
    const { machine } = await killedInCall(from);
    // Where it died: a copy of its session has other times.
    const looked = await answerOf(machine, 'rescue', '--dry-run');
    expect(looked).toMatchObject({
      rescued: [{ outcome: 'would-rescue', trigger: 'crash', session: { liveness: 'dead' } }],
    });
    const save = async (machine: Machine): Promise<string> => {
      const handed = await answerOf(machine, 'handoff', '--from', from, '--to', to, '--trigger', 'crash');
      return text(field(handed, 'task'));
    };
    expect(await goneOn({ dead: machine, to, save, told: [{ user: prompt }, { agent: said }] })).toBeNull();
  });

  test('gemini-cli, whose answer was nothing but the call, rescued and gone on with in opencode', async (context) => {
    const [from, to] = ['gemini-cli', 'opencode'] as const;
    proves(context, { kind: 'killed', from, to });
    const { machine } = await killedInCall(from, { thinking: 'It has to be measured.' });
    expect(await goneOn({ dead: machine, to, save: rescued, told: [{ user: prompt }] })).toBeNull();
  });
});

test('killed while its model was answering, gemini-cli is rescued', async (context) => {
  const [from, to] = ['gemini-cli', 'claude-code'] as const;
  proves(context, { kind: 'killed', from, to });
  await using model = await FakeModel.start({ text: 'I never say this to the end.', hangs: true });
  const machine = Machine.create(programs, model.origin);
  const running = ask(agents[from], machine, prompt);
  await model.asked(1);
  running.kill();
  await running.ended;
  expect(await goneOn({ dead: machine, to, save: rescued, told: [{ user: prompt }] })).toBeNull();
});
