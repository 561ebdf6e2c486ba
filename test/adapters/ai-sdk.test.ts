import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  convertToModelMessages,
  generateText,
  safeValidateUIMessages,
  tool,
  type ModelMessage,
  type ToolSet,
  type UIMessage,
} from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { durableLoop, legTools } from '../../src/adapters/ai-sdk/index.ts';
import * as z from 'zod/mini';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import type { Reached } from '../../src/ports/step.ts';
import { createWorld, openMemoryStore, type World } from '../../src/stores/memory/open.ts';
import { sample } from '../support/sample.ts';
import { HandClock } from '../support/world.ts';
import { contract, handsOver, loops, play, scripted } from './two-loops.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-ai-sdk-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function relayOn(
  world: World = createWorld(),
  { reached, clock = new HandClock() }: { reached?: Reached; clock?: HandClock } = {},
): Promise<Staffetta> {
  const store = openMemoryStore(world);
  return await openStaffetta({ store, clock, ...(reached === undefined ? {} : { reached }) });
}

const codeOf = async (act: Promise<unknown>): Promise<unknown> =>
  await act.then(
    () => 'done',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );
const taskOf = async (relay: Staffetta): Promise<string> => (await relay.list()).cards[0]?.task ?? '';

const refusal = async (act: unknown): Promise<string> =>
  await Promise.resolve(act).then(String, (error: unknown) => (error as Error).message);

/** What the AI SDK has to say of the story, and what becomes of it there. */
async function exported(relay: Staffetta, task: string): Promise<ModelMessage[]> {
  const { messages } = await relay.messages(task, 'ai-sdk');
  const checked = await safeValidateUIMessages({ messages });
  expect(checked).toMatchObject({ success: true });
  const converted = await convertToModelMessages(messages as unknown as UIMessage[]);
  // A provider would refuse a call that nothing answers, and the SDK does so first.
  await generateText({ model: scripted(() => 'I see.'), messages: converted });
  return converted;
}

const kinds = (messages: readonly ModelMessage[]): string[] =>
  messages.map(({ role, content }) =>
    typeof content === 'string' ? role : `${role} ${content.map(({ type }) => type).join('+')}`,
  );
const adaSays = [
  'user',
  'assistant tool-call',
  'tool tool-result',
  'assistant tool-call',
  'tool tool-result',
  'assistant tool-call',
  'tool tool-result',
];

describe('a loop', () => {
  test('carries a leg until the model hands over; the next begins from the briefing, and the story has both', async () => {
    const relay = await relayOn();
    const { model, looks } = loops();
    const [ada = [], ben = []] = await play(relay, { model, looks });
    expect([kinds(ada), looks]).toEqual([adaSays, ['7']]);
    expect(ada[2]).toMatchObject({
      content: [{ output: { type: 'json', value: { charges: 2 } } }],
    });
    expect(kinds(ben)).toEqual(['user', 'assistant tool-call', 'tool tool-result']);
    expect(JSON.stringify(ben[0])).toContain(handsOver.next);
    const task = await taskOf(relay);
    expect((await relay.show(task)).status).toBe('submitted');
    expect((await relay.timeline(task)).map(({ agent, ended }) => [agent, ended])).toEqual([
      ['ada', 'handed-off'],
      ['ben', 'submitted'],
    ]);
    expect(kinds(await exported(relay, task))).toEqual([
      'assistant tool-call',
      'tool tool-result',
      'assistant tool-call',
      'tool tool-result',
    ]);
    expect((await relay.verify()).faults).toEqual([]);
  });

  test('does not ask again what was answered, and goes on with another question', async () => {
    const relay = await relayOn();
    const leg = await relay.begin(contract, { as: 'ada' });
    const model = scripted((prompt) => `answer ${prompt.length}`);
    const ask = async (prompt: string) => await durableLoop(relay, leg, { model, prompt });
    expect((await ask('one')).text).toBe('answer 1');
    expect((await ask('one')).text).toBe('answer 1');
    expect(model.doGenerateCalls).toHaveLength(1);
    const { text, messages, transcript, isOver } = await ask('two');
    expect([text, kinds(messages), isOver]).toEqual([
      'answer 3',
      ['user', 'assistant text', 'user', 'assistant text'],
      false,
    ]);
    const briefed = await relay.begin(contract, { as: 'eva' });
    await durableLoop(relay, briefed, { model });
    const { transcript: said } = await durableLoop(relay, briefed, { model, prompt: 'two' });
    expect(said.split('\n').map((line) => line.slice(0, 12))).toEqual([
      '{"role":"ass',
      '{"role":"use',
      '{"role":"ass',
      '',
    ]);
    await leg.handoff({ to: 'anyone', claims: { next: 'Go on' }, transcript });
    expect(kinds(await exported(relay, leg.task))).toHaveLength(4);
  });

  test('hears what it was told and answered in the meantime, once', async () => {
    const relay = await relayOn();
    const leg = await relay.begin(contract, { as: 'ada' });
    const model = scripted((prompt) =>
      JSON.stringify(prompt).includes('Yes, both') ? 'Good.' : ['ask', { question: 'Both?' }],
    );
    const { messages } = await durableLoop(relay, leg, {
      model,
      prompt: 'Go',
      prepareStep: async ({ stepNumber }) => {
        const as = { name: 'eva', kind: 'human' } as const;
        if (stepNumber === 1) await relay.answer(leg.task, { decision: 1, answer: 'Yes, both' }, { as });
        return {};
      },
    });
    expect(kinds(messages)).toEqual([
      'user',
      'assistant tool-call',
      'tool tool-result',
      'user',
      'assistant text',
    ]);
    expect(messages[3]).toEqual({ role: 'user', content: 'eva: Yes, both' });
    expect(await leg.messages()).toEqual([]);
  });

  test('keeps what a program makes of the history, whatever is in it', async () => {
    const relay = await relayOn();
    const leg = await relay.begin(contract, { as: 'ada' });
    const file: ModelMessage = {
      role: 'user',
      content: [
        { type: 'file', data: Uint8Array.of(1, 2), mediaType: 'application/pdf' },
        { type: 'file', data: new URL('https://example.com/a.png'), mediaType: 'image/png' },
      ],
    };
    const { messages } = await durableLoop(relay, leg, {
      model: scripted(() => 'Seen.'),
      prompt: 'Go',
      prepareStep: () => ({ messages: [file] }),
    });
    expect(messages).toEqual([file, { role: 'assistant', content: [{ type: 'text', text: 'Seen.' }] }]);
    for (const [bad, words] of [
      [{ role: 'user', content: () => 'x' }, 'messages[0].content is a function'],
      [{ role: 'nobody', content: 'x' }, 'a form that the AI SDK does not know'],
    ] as const) {
      const prepareStep = () => ({ messages: [bad as unknown as ModelMessage] });
      const odd = durableLoop(relay, leg, { model: scripted(() => ''), prompt: 'More', prepareStep });
      await expect(odd).rejects.toThrow(words);
    }
    const { messages: more } = await durableLoop(relay, leg, {
      model: scripted(() => 'More.'),
      prompt: 'More',
    });
    expect(kinds(more)).toEqual(['user file+file', 'assistant text', 'user', 'assistant text']);
  });
});

test('a call that nothing answers is refused, and the step is taken again', async () => {
  const relay = await relayOn();
  const leg = await relay.begin(contract, { as: 'ada' });
  const inputSchema = z.object({ cents: z.number() });
  for (const pay of [
    tool({ description: 'Pays', inputSchema }),
    tool({ description: 'Pays', inputSchema, needsApproval: true, execute: () => 'paid' }),
  ]) {
    const odd = durableLoop(relay, leg, {
      model: scripted(() => ['pay', { cents: 1 }]),
      prompt: 'Go',
      tools: { pay } as ToolSet,
    });
    await expect(odd).rejects.toThrow('the tool pay was called, and gave no result');
  }
  const { messages } = await durableLoop(relay, leg, { model: scripted(() => 'I asked.'), prompt: 'Go' });
  expect(kinds(messages)).toEqual(['user', 'assistant text']);
});

describe('two loops', () => {
  test('with one leg: the one that comes later is told', async () => {
    const relay = await relayOn();
    const leg = await relay.begin(contract, { as: 'ada' });
    const same = await relay.leg(leg.task, { as: 'ada' });
    const other = async () =>
      await durableLoop(relay, same, { model: scripted(() => 'I am first.'), prompt: 'Go' });
    const odd = durableLoop(relay, leg, {
      model: scripted(() => 'I am second.'),
      prompt: 'Go',
      prepareStep: async () => {
        await other();
        return {};
      },
    });
    expect(await codeOf(odd)).toBe('conflict');
    expect((await other()).text).toBe('I am first.');
  });

  test('with two legs: the former holder asks no model any more', async () => {
    const clock = new HandClock();
    const relay = await relayOn(createWorld(), { clock });
    const leg = await relay.begin(contract, { as: 'ada', leaseMs: 1000 });
    await clock.advance(1001);
    await relay.take({ task: leg.task, as: 'ben' });
    const model = scripted(() => 'Late.');
    expect(await codeOf(durableLoop(relay, leg, { model, prompt: 'Go' }))).toBe('stale-generation');
    expect(model.doGenerateCalls).toEqual([]);
  });
});

describe('a process that dies', () => {
  test('at any step: another goes on with the same messages', async () => {
    let all = 0;
    await play(await relayOn(createWorld(), { reached: () => (all += 1) }), loops());
    const steps = Array.from({ length: all }, (_, i) => i + 1);
    for (const nth of sample('steps of a loop', steps, { oneIn: 3 })) {
      const world = createWorld();
      const clock = new HandClock();
      let count = 0;
      const dying = await relayOn(world, {
        clock,
        reached: () => {
          count += 1;
          if (count >= nth) throw new Error('dead');
        },
      });
      const before = loops();
      expect(await codeOf(play(dying, before))).not.toBe('done');
      await clock.advance(24 * 3_600_000);
      const relay = await relayOn(world, { clock });
      await relay.recover();
      const after = loops();
      await play(relay, after);
      const task = await taskOf(relay);
      const ended = (await relay.timeline(task)).flatMap(({ agent, ended: end }) =>
        end === 'lapsed' || end === 'attempt-failed' ? [] : [`${agent} ${end}`],
      );
      expect([nth, ended]).toEqual([nth, ['ada handed-off', 'ben submitted']]);
      // A step may be taken again. What came before it is not.
      expect(before.looks.length + after.looks.length).toBeLessThanOrEqual(2);
      await exported(relay, task);
      expect((await relay.verify()).faults).toEqual([]);
    }
  });

  test('by SIGKILL', async () => {
    const program = join(import.meta.dirname, 'two-loops.ts');
    const steps = Array.from({ length: 40 }, (_, i) => `${i + 1}`);
    for (const nth of sample('kills of a loop', steps, { oneIn: steps.length })) {
      const file = join(folder, `${nth}.db`);
      expect(spawnSync(process.execPath, [program, file, nth]).signal).toBe('SIGKILL');
      const relay = await openStaffetta({ store: file, clock: new HandClock(Date.now() + 24 * 3_600_000) });
      await relay.recover();
      await play(relay, loops());
      expect((await relay.show(await taskOf(relay))).status).toBe('submitted');
      expect((await relay.verify()).faults).toEqual([]);
      await relay.close();
    }
  });
});

test('the gate tells a model in the names of its arguments, and no command', async () => {
  const relay = await relayOn();
  const leg = await relay.begin({ goal: 'Something' }, { as: 'ada' });
  const run = { toolCallId: 'c', messages: [], context: {} as never };
  const { handoff, ask } = legTools(leg);
  const said = [
    await refusal(handoff.execute({ to: 'anyone', next: 'Go on' }, run)),
    await refusal(handoff.execute({ to: 'anyone', next: '' }, run)),
    await refusal(handoff.execute({ to: 'agnet:x', next: 'x' }, run)),
    await refusal(ask.execute({ question: 'x', owner: 'lane:x' }, run)),
  ];
  expect(said).toEqual([
    expect.stringMatching(/is not ready.*\n- contract\.acceptance: /s),
    'packet: next: expected some text',
    expect.stringMatching(/^to: /),
    expect.stringMatching(/^owner: /),
  ]);
  expect(said.join('\n')).not.toMatch(/staffetta |claims|--/);
  const tools = { decide: legTools(leg).decide };
  await expect(durableLoop(relay, leg, { model: scripted(() => ''), prompt: 'x', tools })).rejects.toThrow(
    'a tool of yours is called decide',
  );
  expect(() => legTools({} as never)).toThrow('leg: expected');
  expect(await codeOf(durableLoop({} as never, leg, { model: scripted(() => '') }))).toBe('invalid-input');
  for (const wrong of [{ prompt: 7 }, { tools: 7 }])
    await expect(durableLoop(relay, leg, { model: scripted(() => ''), ...wrong } as never)).rejects.toThrow(
      /durableLoop: (prompt|tools): expected/,
    );
  const own = { model: scripted(() => ''), messages: [] };
  await expect(durableLoop(relay, leg, own)).rejects.toThrow('there is no option "messages"');
});
