/**
 * The real programs, put to work by runners: without a screen, and in the Agent Client Protocol where the program, or an adapter on
 * the PATH, speaks it. What they are denied they do not do, a turn is stopped in the middle of a command, and nobody is left.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';
import type { Permissions } from '../../src/core/plan/crew.ts';
import type { LegOrder, LegSign, OpenLeg, PermissionQuestion, Runner } from '../../src/ports/runner.ts';
import { runtimeNames, type Runtime, type RuntimeName } from '../../src/ports/runtime.ts';
import { straysWith } from '../../src/process/strays.ts';
import { acpRunner } from '../../src/runners/acp.ts';
import { headlessRunner } from '../../src/runners/headless.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { programOnPath } from '../../src/runtimes/on-path.ts';
import { programs, proves } from './lab.ts';
import { Machine } from './machine.ts';
import { FakeModel } from './model/fake-model.ts';
import { shells } from './model/shell.ts';

const kinds = ['headless', 'acp'] as const;

/** Adapters are large, and are not installed for this: they are tried where they are. */
async function runnerOn(
  machine: Machine,
  name: RuntimeName,
  kind: (typeof kinds)[number],
): Promise<Runner | null> {
  const runtime = allRuntimes(machine.env).find((one) => one.name === name) as Runtime;
  if (kind === 'headless')
    return runtime.working.headless({ access: 'change', permissions: {} }) === null
      ? null
      : headlessRunner(runtime);
  const program = programOnPath(runtime.working.acp.program, machine.env);
  const installed = (await runtime.locate())?.program ?? null;
  return program === null ? null : acpRunner({ runtime, program, installed });
}

function held(name: RuntimeName, kind: (typeof kinds)[number]): readonly string[] {
  const working = allRuntimes({}).find((one) => one.name === name)?.working;
  const manner = { access: 'change', permissions: {} } as const;
  return (kind === 'acp' ? working?.acp.holds(manner) : working?.headless(manner)?.holds) ?? [];
}

class Watched {
  readonly signs: LegSign[] = [];
  readonly questions: PermissionQuestion[] = [];
  readonly marks: string[] = [];
  answer: 'allow' | 'deny' = 'allow';
  readonly #machine: Machine;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  order(access: LegOrder['access'], permissions: Permissions = {}): LegOrder {
    return {
      folder: this.#machine.work,
      env: this.#machine.env,
      access,
      permissions,
      note: (mark) => {
        this.marks.push(mark);
        return { began: () => {}, ended: () => {} };
      },
      seen: (sign) => this.signs.push(sign),
      ask: async (question) => {
        this.questions.push(question);
        return await Promise.resolve(this.answer);
      },
    };
  }

  living(): number[] {
    return this.marks.flatMap((mark) => straysWith({ mark }));
  }

  has(file: string): boolean {
    return existsSync(join(this.#machine.work, file));
  }
}

interface Trial {
  readonly name: RuntimeName;
  readonly kind: (typeof kinds)[number];
  readonly context: TestContext;
}

async function onMachine(
  { name, kind, context }: Trial,
  act: (runner: Runner, watched: Watched, model: FakeModel) => Promise<void>,
): Promise<void> {
  await using model = await FakeModel.start();
  using machine = Machine.create(programs, model.origin);
  const runner = await runnerOn(machine, name, kind);
  if (runner === null) context.skip('It has no such way of working, or its adapter is not on the PATH.');
  else await act(runner, new Watched(machine), model);
}

/** A call of its shell, also where that is not on offer. */
function writes(name: RuntimeName, file: string) {
  const shell = shells[name];
  return { text: 'I do it.', call: { tool: shell.tool, args: shell.args(`echo hi > ${file}`) } };
}

async function closed(leg: OpenLeg, watched: Watched): Promise<void> {
  expect(await leg.close()).toEqual({ left: [] });
  expect(watched.living()).toEqual([]);
}

describe.concurrent.each(kinds)('by %s', (kind) => {
  for (const name of runtimeNames) {
    test(`${name} works, goes on in its session, is stopped in a command, and leaves nobody`, async (context) => {
      proves(context, { kind: `${kind} leg`, from: name });
      await onMachine({ name, kind, context }, async (runner, watched, model) => {
        const leg = await runner.open(watched.order('change'));
        model.add(writes(name, 'notes.txt'), { text: 'Done.' });
        expect(await leg.turn('Write the file notes.txt.')).toMatchObject({ how: 'over' });
        expect(watched.has('notes.txt')).toBe(true);
        expect(leg.session).toMatchObject({ runtime: name });
        expect(watched.signs.some((sign) => sign.kind === 'said')).toBe(true);
        const wait = {
          text: 'I wait.',
          shell: `node -e "require('fs').writeFileSync('waits', ''); setInterval(() => {}, 99)"`,
        };
        // Some ask their model for more than the conversation.
        model.add(wait, wait);
        const turn = leg.turn('Now wait.');
        while (!watched.has('waits')) await new Promise((go) => setTimeout(go, 20));
        await leg.stop();
        expect(await turn).toMatchObject({ how: 'stopped' });
        await closed(leg, watched);
        const told = JSON.stringify(model.told.at(-1));
        expect(told).toContain('Write the file notes.txt.');
      });
    });

    test(`${name} changes nothing where it is to look only`, async (context) => {
      proves(context, { kind: `${kind} look`, from: name });
      await onMachine({ name, kind, context }, async (runner, watched, model) => {
        watched.answer = 'deny';
        model.add(writes(name, 'notes.txt'), { text: 'I could not.' });
        const leg = await runner.open(watched.order('look'));
        expect(await leg.turn('Write the file notes.txt.')).toMatchObject({ how: 'over' });
        await closed(leg, watched);
        expect(watched.has('notes.txt')).toBe(false);
      });
    });

    // Codex asks for no command, and nothing is promised of it.
    if (!held(name, kind).includes('execute')) continue;
    test(`${name} does not run what it is denied`, async (context) => {
      proves(context, { kind: `${kind} denied`, from: name });
      await onMachine({ name, kind, context }, async (runner, watched, model) => {
        watched.answer = 'deny';
        model.add(writes(name, 'notes.txt'), { text: 'I could not.' });
        const leg = await runner.open(watched.order('change', { execute: 'ask' }));
        expect(await leg.turn('Write the file notes.txt.')).toMatchObject({ how: 'over' });
        await closed(leg, watched);
        expect(watched.has('notes.txt')).toBe(false);
        const asked = watched.questions.map(({ permission }) => permission);
        expect(asked).toEqual(kind === 'acp' ? ['execute'] : []);
      });
    });
  }
});

test('claude-code reports by our command, and by nothing beside it, where it is to look only', async (context) => {
  const trial = { name: 'claude-code', kind: 'headless', context } as const;
  proves(context, { kind: 'headless report', from: trial.name });
  await onMachine(trial, async (runner, watched, model) => {
    const leg = await runner.open(watched.order('look'));
    const shell = shells[trial.name];
    const ours = 'staffetta --version';
    for (const line of [ours, `${ours} > notes.txt`, `${ours}; echo hi > notes.txt`])
      model.add({ text: 'I report.', call: { tool: shell.tool, args: shell.args(line) } });
    model.add({ text: 'Done.' });
    expect(await leg.turn('Report.')).toMatchObject({ how: 'over' });
    await closed(leg, watched);
    expect(watched.has('notes.txt')).toBe(false);
    const results = (model.told.at(-1) ?? []).flatMap((said) => (said.by === 'result' ? [said.text] : []));
    const areDeclined = results.map((text) => text.includes('permission') || text.includes('approv'));
    expect(areDeclined).toEqual([false, true, true]);
  });
});
