/**
 * From every program to every other with the full history, and from each to each with a briefing. What the model of the receiver was
 * told is the proof.
 */
import { describe, expect, test } from 'vitest';
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';
import { continued } from './continued.ts';
import { answerOf, proves, sourceOf, staffetta } from './lab.ts';
import type { Machine } from './machine.ts';
import { field, text } from './model/json.ts';
import { FakeModel } from './model/fake-model.ts';
import { difference } from './proof.ts';

/** Those that came last are proven in both directions with one or two others, and with themselves: what is sealed is the same for all. */
const partners: Partial<Readonly<Record<RuntimeName, readonly RuntimeName[]>>> = {
  cline: ['claude-code', 'codex'],
  'copilot-cli': ['claude-code'],
};
const pairs = runtimeNames
  .flatMap((from) => runtimeNames.map((to) => ({ from, to })))
  .filter(({ from, to }) => from === to || (isPartner(from, to) && isPartner(to, from)));
const others = pairs.filter(({ from, to }) => from !== to);

function isPartner(one: RuntimeName, other: RuntimeName): boolean {
  return partners[one]?.includes(other) !== false;
}

/** The session as a task that is on offer to the other program. */
async function handedOver(machine: Machine, from: RuntimeName, to: RuntimeName): Promise<string> {
  const words = {
    accept: 'notes.txt has two lines',
    'non-goal': 'any other file',
    validate: 'test -s notes.txt',
    review: 'human',
    next: 'say what is left to do in notes.txt',
  };
  const options = Object.entries(words).flatMap(([name, value]) => [`--${name}`, value]);
  const answer = await answerOf(machine, 'handoff', '--from', from, '--to', to, ...options);
  return text(field(answer, 'task'));
}

/** The program ended well, and its session is in a packet of the task. */
const wentWell = { ran: { exit: 0 }, captured: { outcome: 'captured' } };

describe.concurrent('with the full history', () => {
  for (const { from, to } of others) {
    test(`${from} → ${to}`, async (context) => {
      proves(context, { kind: 'full history', from, to });
      const source = await sourceOf(from);
      await using model = await FakeModel.start({ text: 'I go on.' });
      using machine = source.machine.copy(model.origin);
      const task = await handedOver(machine, from, to);
      const { prompt, answer } = await continued(machine, task, { to, history: 'full' });
      expect(difference(model.told[0] ?? [], [...source.told, { user: prompt }], to)).toBeNull();
      expect(model).toMatchObject({ unscripted: 0, told: { length: 1 } });
      expect(answer).toMatchObject(wentWell);
    });
  }
});

describe.concurrent('with a briefing', () => {
  for (const { from, to } of pairs) {
    test(`${from} → ${to} with a briefing`, async (context) => {
      proves(context, { kind: 'briefing', from, to });
      const source = await sourceOf(from);
      await using model = await FakeModel.start({ text: 'I read it.' });
      using machine = source.machine.copy(model.origin);
      const task = await handedOver(machine, from, to);
      const shown = await staffetta(machine, 'brief', task, '--for', to);
      const { prompt, answer } = await continued(machine, task, { to, history: 'briefing' });
      expect(prompt).toContain(shown.stdout.trimEnd());
      expect(prompt).toContain('notes.txt');
      expect(difference(model.told[0] ?? [], [{ user: prompt }], to)).toBeNull();
      expect(model).toMatchObject({ unscripted: 0, told: { length: 1 } });
      expect(answer).toMatchObject(wentWell);
    });
  }
});
