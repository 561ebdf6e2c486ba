/** Conversations that were given as documents: every message has a name of its own, and keeps it. */
import { describe, expect, test } from 'vitest';
import { ada, stage, type Stage } from '../../../test/support/world.ts';
import { exported, from } from '../../../test/support/exports.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { sealPacket, type Packet } from '../../core/packet/packet.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { bindSession } from './native-session.ts';
import { expandEvidence } from '../history/evidence.ts';
import { findPacket } from '../history/history.ts';
import type { Leg } from '../verbs/leg.ts';
import { record } from '../record/record.ts';
import { storyLegs } from '../history/story-legs.ts';
import { readersOf, readStory } from '../history/story.ts';

interface Message {
  readonly role: string;
  readonly content: string;
}

function message(n: number, content = `words ${n}`): Message {
  return { role: n % 2 === 1 ? 'user' : 'assistant', content };
}

function messages(count: number, from = 1): Message[] {
  return Array.from({ length: count }, (_, i) => message(from + i));
}

const readers = readersOf([]);

async function begun(at: Stage): Promise<Leg> {
  return await at.staffetta.begin({ goal: 'The fence stands.' }, { as: ada });
}

async function give(leg: Leg, transcript: unknown): Promise<void> {
  const text = typeof transcript === 'string' ? transcript : JSON.stringify(transcript);
  await leg.checkpoint({ transcript: text });
}

async function names({ context }: Stage, task: TaskId): Promise<string[]> {
  const { steps } = await readStory(context, task, readers);
  return steps.map(
    ({ ref, text, given, aside }) =>
      `s${ref} ${given?.text ?? text}${aside === undefined ? '' : ` (${aside})`}`,
  );
}

async function said({ context }: Stage, task: TaskId, id: string): Promise<string[]> {
  const found = await expandEvidence(context, task, id, readers);
  return found.kind === 'steps' ? found.steps.map(({ text, given }) => given?.text ?? text) : [];
}

async function latest(at: Stage, leg: Leg): Promise<Packet> {
  return await findPacket(at.context, (await leg.state()).packet ?? digestOf(''));
}

describe('a conversation in a packet', () => {
  test('two hundred messages have two hundred names, and each leads to one', async () => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, messages(200));
    const listed = await names(at, leg.task);
    expect(new Set(listed.map((line) => line.split(' ')[0])).size).toBe(200);
    expect(listed.at(149)).toBe('s150 words 150');
    expect(await said(at, leg.task, 's1')).toEqual(['words 1']);
    expect(await said(at, leg.task, 's150')).toEqual(['words 150']);
    await expect(said(at, leg.task, 's201')).rejects.toMatchObject({
      code: 'unknown-evidence',
      message: 'Nothing is called s201 here.',
      hint: expect.stringContaining('There are s1 to s200.'),
    });
    expect((await latest(at, leg)).facts?.conversation).toEqual({ shape: 'ai-sdk', before: 0, records: 200 });
  });

  test.each([
    ['compact', (all: Message[]) => JSON.stringify(all)],
    ['pretty', (all: Message[]) => JSON.stringify(all, undefined, 2)],
    ['in an object', (all: Message[]) => JSON.stringify({ id: 'chat', messages: all })],
    ['on lines', (all: Message[]) => all.map((one) => JSON.stringify(one)).join('\n')],
  ])('its form does not matter: %s', async (_form, write) => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, write(messages(3)));
    await give(leg, write(messages(5)));
    expect(await names(at, leg.task)).toEqual(
      ['s1', 's2', 's3', 's4', 's5'].map((name, i) => `${name} words ${i + 1}`),
    );
  });

  test('a member that is no message keeps its number, and is listed as left out', async () => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, [message(1), { kind: 'event' }, message(3), 'torn', message(5)]);
    expect(await names(at, leg.task)).toEqual(['s1 words 1', 's3 words 3', 's5 words 5']);
    expect(await said(at, leg.task, 's4')).toEqual(['words 3']);
    const { sessions } = await readStory(at.context, leg.task, readers);
    expect(sessions[0]?.omissions).toMatchObject([{ kind: 'message-unknown', count: 2 }]);
  });

  test('bytes of no shape are one record, as they always were', async () => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, 'We talked.\nThen we ate.\n');
    await give(leg, messages(2));
    expect((await latest(at, leg)).facts?.conversation).toEqual({ shape: 'ai-sdk', before: 1, records: 2 });
    expect(await names(at, leg.task)).toEqual(['s1 We talked.\nThen we ate.\n', 's2 words 1', 's3 words 2']);
  });
});

describe('a conversation that is given again', () => {
  test('keeps the names of what it had, whatever was captured in between', async () => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, messages(3));
    await give(leg, 'prose in between');
    await give(leg, messages(5));
    const packet = await latest(at, leg);
    expect(packet.facts?.conversation).toMatchObject({ before: 4, records: 5, goesOn: { kept: 3 } });
    expect(await names(at, leg.task)).toEqual([
      's1 words 1',
      's2 words 2',
      's3 words 3',
      's4 prose in between',
      's5 words 4',
      's6 words 5',
    ]);
    const { sessions } = await readStory(at.context, leg.task, readers);
    expect(sessions.map(({ facts, rewritten }) => [facts.runtime, rewritten])).toEqual([
      ['ai-sdk', false],
      ['unknown', false],
    ]);
  });

  test('without anything new adds no name', async () => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, messages(3));
    await give(leg, messages(3));
    await give(leg, messages(4));
    expect(await names(at, leg.task)).toEqual(['s1 words 1', 's2 words 2', 's3 words 3', 's4 words 4']);
  });

  test('with an answer that was still coming in, has both under names of their own', async () => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, [message(1), message(2, 'Nea')]);
    await give(leg, [message(1), message(2, 'Nearly.'), message(3)]);
    expect(await names(at, leg.task)).toEqual([
      's1 words 1',
      's2 Nea (rewritten)',
      's3 Nearly.',
      's4 words 3',
    ]);
    expect(await said(at, leg.task, 's2')).toEqual(['Nea']);
  });

  test('beside another one goes on from its own', async () => {
    const at = stage();
    const leg = await begun(at);
    const [mine, other] = [messages(2), messages(2, 11)];
    await give(leg, mine);
    await give(leg, other);
    await give(leg, [...mine, message(3)]);
    await give(leg, [...other, message(13)]);
    expect(await names(at, leg.task)).toEqual([
      's1 words 1',
      's2 words 2',
      's3 words 11',
      's4 words 12',
      's5 words 3',
      's6 words 13',
    ]);
  });

  test('of which most is new words is another conversation', async () => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, messages(4));
    await give(leg, [message(1), message(2, 'Never.'), message(3, 'Why?')]);
    expect((await names(at, leg.task)).slice(3)).toEqual([
      's4 words 4',
      's5 words 1',
      's6 Never.',
      's7 Why?',
    ]);
  });

  test('while somebody else sealed a packet is told for itself', async () => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, messages(2));
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(JSON.stringify(messages(3)));
      await give(leg, [message(9)]);
    }
    await leg.checkpoint({ transcript: slow() });
    expect((await latest(at, leg)).facts?.conversation).toEqual({ shape: 'ai-sdk', before: 3, records: 3 });
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });
});

describe('what comes after a conversation', () => {
  test('a session counts on from its last message', async () => {
    const at = stage();
    const leg = await begun(at);
    await give(leg, messages(3));
    const lines = ['{"a":1}', '{"b":2}'].map((line) => Buffer.from(line));
    async function* records(): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      yield* lines;
    }
    const captured = { records: records(), end: () => ({ cursor: 'c', fromStart: true, omissions: [] }) };
    const runtime = { name: 'codex' as const, capture: () => Promise.resolve(captured) };
    await leg.checkpoint({ session: bindSession(runtime, { runtime: 'codex', id: 'x', path: '/x' }) });
    expect((await latest(at, leg)).facts?.session).toMatchObject({ before: 3, records: 2 });
    await give(leg, messages(4));
    expect((await latest(at, leg)).facts?.conversation).toMatchObject({ before: 5, goesOn: { kept: 3 } });
    expect((await names(at, leg.task)).at(-1)).toBe('s6 words 4');
  });

  test('legs are told by the first record that each brought', async () => {
    const at = stage({ gate: 'record' });
    const leg = await begun(at);
    await give(leg, messages(3));
    await leg.handoff({ to: 'agent:bea', claims: { next: 'go on' } });
    const next = await at.staffetta.take({ task: leg.task, as: { name: 'bea', kind: 'agent' } });
    await next?.acknowledge();
    await next?.checkpoint({ transcript: JSON.stringify(messages(5)) });
    expect((await storyLegs(at.context, leg.task)).map(({ ref, agent }) => [ref, agent])).toEqual([
      [1, 'ada'],
      [4, 'bea'],
    ]);
  });

  test('a fork and a copy have the same names, and are sound', async () => {
    const here = stage();
    const leg = await begun(here);
    await give(leg, messages(3));
    const fork = await here.staffetta.fork(leg.task, { at: 'latest', why: 'Try pine.', take: true, as: ada });
    await give(await here.staffetta.leg(fork.task, { as: ada }), [...messages(3), message(4, 'pine')]);
    await give(leg, [...messages(3), message(4, 'oak')]);
    expect((await names(here, leg.task)).at(-1)).toBe('s4 oak');
    const told = await names(here, fork.task);
    expect(told).toEqual(['s1 words 1', 's2 words 2', 's3 words 3', 's4 pine']);
    const there = stage();
    await there.staffetta.import(from(await exported(here, fork.task)));
    expect(await names(there, fork.task)).toEqual(told);
    expect((await there.staffetta.verify()).faults).toEqual([]);
    expect((await here.staffetta.verify()).faults).toEqual([]);
  });

  test('a claim that cites a message is known, and one that cites none is found out', async () => {
    const at = stage();
    const leg = await begun(at);
    const claims = { done: [{ text: 'It stands.', evidence: ['s2', 's9'] }] };
    const { findings } = await leg.checkpoint({ claims, transcript: JSON.stringify(messages(3)) });
    const found = findings.filter(({ rule }) => rule === 'evidence-unknown').map(({ text }) => text);
    expect(found).toEqual(['The reasoning has no step 9 (s9); its last is s3 at most.']);
  });
});

test('a packet that does not say how many records it has keeps one name for all', async () => {
  const at = stage();
  const leg = await begun(at);
  const transcript = Buffer.from(JSON.stringify(messages(3)));
  await record(at.context, {
    task: leg.task,
    call: { by: ada },
    request: null,
    prepare: (state, now) => {
      if (state === undefined) throw new Error('there is no such task');
      const { bytes, digest } = sealPacket({
        v: 1,
        task: state.task,
        parent: state.packet,
        contract: state.contract,
        generation: state.generation,
        head: { seq: state.seq, digest: state.head },
        at: now,
        from: ada,
        lane: 'execute',
        trigger: 'planned',
        claims: {},
        artefacts: [],
        transcript: [{ blob: digestOf(transcript), bytes: transcript.length }],
      });
      const sealed = { packet: digest, certification: 'draft' } as const;
      return { command: { type: 'checkpoint', generation: 1, sealed }, blobs: [bytes, transcript] };
    },
  });
  await give(leg, messages(2, 11));
  expect(await names(at, leg.task)).toEqual([
    's1 words 1',
    's1 words 2',
    's1 words 3',
    's2 words 11',
    's3 words 12',
  ]);
  await expect(said(at, leg.task, 's4')).rejects.toMatchObject({ code: 'unknown-evidence' });
});
