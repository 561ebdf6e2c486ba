/** Native sessions in packets: only what is new is stored, and what is stored reads as one story. */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Digest } from '../../src/core/journal/digest.ts';
import type { Packet } from '../../src/core/packet/packet.ts';
import { stepsNamed } from '../../src/core/transcript/story.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import { bindSession } from '../../src/handoff/sealing/native-session.ts';
import { lookAtSession } from '../../src/handoff/sessions/session-look.ts';
import { sessionKey } from '../../src/handoff/sessions/session-task.ts';
import { readersOf, readStory } from '../../src/handoff/history/story.ts';
import type { Runtime, SessionCard, SessionPlace } from '../../src/ports/runtime.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { ada, bea, interrupted, stage, type Stage } from '../support/world.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
let home = '';
let at: Stage;
let runtimes: readonly Runtime[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'staffetta-packets-'));
  at = stage();
  runtimes = allRuntimes({ HOME: home });
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

function runtime(name: string): Runtime {
  const found = runtimes.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no runtime ${name}`);
  return found;
}
const readerOf = (name: string) => readersOf(runtimes)(name);

interface Written {
  readonly place: SessionPlace;
  readonly lines: readonly string[];
  grow(lines: number): void;
}

/** A session that has so many of its lines yet. */
function claude(lines: number, id = '8b6c6f0e-0000-4000-8000-000000000001'): Written {
  const all = readFileSync(join(fixtures, 'claude-code/after-resume.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const folder = join(home, '.claude/projects/-repo');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(path, `${all.slice(0, lines).join('\n')}\n`);
  let written = lines;
  return {
    place: { runtime: 'claude-code', id, path },
    lines: all,
    grow(more) {
      appendFileSync(path, `${all.slice(written, written + more).join('\n')}\n`);
      written += more;
    },
  };
}

function codex(): SessionPlace {
  const name = 'rollout-2026-11-15T18-23-22-01a1e073-1cec-7282-b3a4-ad96111843ac.jsonl';
  const folder = join(home, '.codex/sessions/2026/11/15');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), readFileSync(join(fixtures, 'codex/basic', name)));
  return { runtime: 'codex', id: '01a1e073-1cec-7282-b3a4-ad96111843ac', path: join(folder, name) };
}

const begin = async (): Promise<Leg> => await at.staffetta.begin({ goal: 'Keep the reasoning' }, { as: ada });
const sealed = async (leg: Leg): Promise<Packet> => await at.staffetta.packet(await packetOf(leg));
const packetOf = async (leg: Leg): Promise<Digest> => {
  const { packet } = await at.staffetta.show(leg.task);
  if (packet === null) throw new Error('nothing was sealed');
  return packet;
};

describe('a session in packets', () => {
  test('a packet holds only what is new since the one before', async () => {
    const session = claude(10);
    const leg = await begin();
    const input = { session: bindSession(runtime('claude-code'), session.place) };
    await leg.checkpoint(input);
    const first = await sealed(leg);
    expect(first.facts?.session).toMatchObject({ runtime: 'claude-code', id: session.place.id, before: 0 });
    session.grow(5);
    await leg.checkpoint(input);
    const second = await sealed(leg);
    const before = first.facts?.session?.records ?? 0;
    expect(second.facts?.session).toMatchObject({ before });
    expect(second.facts?.session?.fromStart).toBeUndefined();
    expect(before).toBeGreaterThan(0);
    await leg.checkpoint(input);
    const third = await sealed(leg);
    expect([third.transcript, third.facts?.session?.records]).toEqual([[], 0]);
  });

  test('the story of sealed pieces is the story of the whole', async () => {
    const session = claude(6);
    const leg = await begin();
    const input = { session: bindSession(runtime('claude-code'), session.place) };
    for (;;) {
      await leg.checkpoint(input);
      if (readFileSync(session.place.path, 'utf8').split('\n').length > session.lines.length) break;
      session.grow(3);
    }
    const whole = await begin();
    await whole.checkpoint(input);
    const pieces = await readStory(at.context, leg.task, readerOf);
    expect(pieces).toEqual(await readStory(at.context, whole.task, readerOf));
    expect(pieces.steps.map(({ source }) => source)).toContain('agent');
    const refs = pieces.steps.map(({ ref }) => ref);
    expect(refs).toEqual(refs.toSorted((a, b) => a - b));
  });

  test('a step keeps its name while its session grows and others are captured between', async () => {
    const session = claude(12);
    const one = { session: bindSession(runtime('claude-code'), session.place) };
    const leg = await begin();
    await leg.checkpoint(one);
    const before = await readStory(at.context, leg.task, readerOf);
    await leg.handoff({ to: 'agent:bea', claims: { next: 'Go on in another program.' } });
    const other = await at.staffetta.take({ task: leg.task, as: bea });
    await other?.acknowledge();
    await other?.checkpoint({ session: bindSession(runtime('codex'), codex()) });
    session.grow(8);
    await other?.checkpoint(one);
    const after = await readStory(at.context, leg.task, readerOf);
    expect(after.sessions.map(({ facts }) => facts.runtime)).toEqual(['claude-code', 'codex']);
    for (const { ref, text } of before.steps) expect(stepsNamed(after, ref)[0]?.text).toContain(text);
    const order = after.steps.map(({ session: index }) => index);
    expect(order.indexOf(1)).toBeGreaterThan(order.indexOf(0));
    expect(order.lastIndexOf(0)).toBeGreaterThan(order.lastIndexOf(1));
    expect(new Set(after.steps.map(({ ref }) => ref)).size).toBe(after.steps.length);
  });

  test('a session is looked at by itself, though another of its program was captured after it', async () => {
    const session = claude(12);
    const other = claude(30, '8b6c6f0e-0000-4000-8000-000000000002');
    const leg = await begin();
    for (const { place } of [session, other])
      await leg.checkpoint(
        { session: bindSession(runtime('claude-code'), place) },
        { key: sessionKey(place) },
      );
    session.grow(2);
    const cards: SessionCard[] = [];
    for await (const card of runtime('claude-code').sessions()) cards.push(card);
    const card = cards.find(({ id }) => id === session.place.id);
    if (card === undefined) throw new Error('the session is not listed');
    const program = runtime('claude-code');
    const { transcript, fresh } = await lookAtSession(at.context, { runtime: program, card }, [program]);
    const lines = readFileSync(session.place.path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const alone = runtime('claude-code').read(lines.map((line) => Buffer.from(line)));
    expect(fresh).toBeGreaterThan(0);
    expect(transcript.steps.map(({ text }) => text)).toEqual(alone.steps.map(({ text }) => text));
  });

  test('a session that was rewritten is taken whole again, and the old steps can still be named', async () => {
    const session = claude(12);
    const leg = await begin();
    const input = { session: bindSession(runtime('claude-code'), session.place) };
    await leg.checkpoint(input);
    const before = await readStory(at.context, leg.task, readerOf);
    writeFileSync(session.place.path, `${session.lines.slice(2, 14).join('\n')}\n`);
    await leg.checkpoint(input);
    const { facts } = await sealed(leg);
    expect(facts?.session?.fromStart).toBe(true);
    const after = await readStory(at.context, leg.task, readerOf);
    expect(after.sessions.map(({ rewritten }) => rewritten)).toEqual([true, false]);
    for (const { ref, text } of before.steps)
      expect(stepsNamed(after, ref)[0]).toMatchObject({ text, session: 0 });
  });

  test('two packets sealed at once do not hold the same records twice', async () => {
    const session = claude(20);
    const leg = await begin();
    const input = { session: bindSession(runtime('claude-code'), session.place) };
    let nth = 1;
    for (; nth < 200; nth += 1) {
      const other = interrupted(at, nth, async () => {
        await leg.checkpoint(input);
      });
      const mine = await other.stage.staffetta.leg(leg.task, { as: ada });
      await mine.checkpoint(input);
      if (!other.happened()) break;
    }
    expect(nth).toBeGreaterThan(5);
    const story = await readStory(at.context, leg.task, readerOf);
    expect(story.sessions.length).toBe(1);
    const whole = await begin();
    await whole.checkpoint(input);
    expect(story.steps.length).toBe((await readStory(at.context, whole.task, readerOf)).steps.length);
  });

  test('a repeated request finds what the first one sealed, though the session has grown', async () => {
    const session = claude(10);
    const leg = await begin();
    const input = { session: bindSession(runtime('claude-code'), session.place) };
    await leg.checkpoint(input, { key: 'once' });
    const first = await packetOf(leg);
    session.grow(5);
    await leg.checkpoint(input, { key: 'once' });
    expect(await packetOf(leg)).toBe(first);
  });

  test('a session and a transcript together are refused', async () => {
    const leg = await begin();
    const input = {
      session: bindSession(runtime('claude-code'), claude(4).place),
      transcript: 'other words',
    };
    await expect(leg.checkpoint(input)).rejects.toThrow('a transcript or a session, not both');
  });

  test('a secret in a session reaches no stored byte', async () => {
    const session = claude(4);
    const secret = ['ghp', 'x1Y2z3A4b5C6d7E8f9G0h1I2j3K4l5M6n7O8'].join('_');
    appendFileSync(
      session.place.path,
      session.lines[4]?.replace(/"content":"[^"]*"/, `"content":"token ${secret}"`) ?? '',
    );
    appendFileSync(session.place.path, `\n{"type":"user","note":"${secret}"}\n`);
    const leg = await begin();
    await leg.checkpoint({ session: bindSession(runtime('claude-code'), session.place) });
    const stored = [...at.world.blobs.values()]
      .map(({ bytes }) => Buffer.from(bytes).toString('utf8'))
      .join('\n');
    expect(stored).not.toContain(secret);
    expect(Object.values((await sealed(leg)).redactions ?? {}).length).toBeGreaterThan(0);
  });
});
