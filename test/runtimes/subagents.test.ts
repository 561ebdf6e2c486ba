/** Sessions of agents that a session started: they come along in its packets, and are told apart from what users said. */
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Packet } from '../../src/core/packet/packet.ts';
import { toAtif } from '../../src/core/formats/atif.ts';
import { checkAtif } from '../../src/core/formats/atif-check.ts';
import { oneHistory } from '../../src/core/transcript/one-history.ts';
import type { Story } from '../../src/core/transcript/story.ts';
import { sessionDraft } from '../../src/handoff/sessions/draft-session.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import { bindSession, type SessionInput } from '../../src/handoff/sealing/native-session.ts';
import { readersOf, readStory } from '../../src/handoff/history/story.ts';
import type { Runtime, RuntimeName } from '../../src/ports/runtime.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { ada, stage, type Stage } from '../support/world.ts';
import { exported, OpencodeDatabase } from './fixtures/opencode/database.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
let home = '';
let at: Stage;
let runtimes: readonly Runtime[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'staffetta-subagents-'));
  at = stage();
  runtimes = allRuntimes({ HOME: home });
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

async function sessionOf(name: RuntimeName, id: string): Promise<SessionInput> {
  const runtime = runtimes.find((one) => one.name === name);
  for await (const card of runtime?.sessions() ?? [])
    if (runtime !== undefined && card.id === id) return bindSession(runtime, card);
  throw new Error(`no session ${id}`);
}

const begin = async (): Promise<Leg> => await at.staffetta.begin({ goal: 'Keep it all' }, { as: ada });
const storyOf = async ({ task }: Leg): Promise<Story> =>
  await readStory(at.context, task, readersOf(runtimes));
async function packetOf(leg: Leg): Promise<Packet> {
  const { packet } = await at.staffetta.show(leg.task);
  if (packet === null) throw new Error('nothing was sealed');
  return await at.staffetta.packet(packet);
}

const claudeId = '8b6c6f0e-0000-4000-8000-000000000001';
const claudeLine = (id: string, of: string, more: object): string =>
  `${JSON.stringify({
    type: 'user',
    uuid: id,
    parentUuid: null,
    isSidechain: of !== '',
    ...(of === '' ? {} : { agentId: of }),
    sessionId: claudeId,
    cwd: '/repo',
    version: '2.1.325',
    timestamp: '2026-11-15T10:00:00Z',
    ...more,
  })}\n`;
const asked = (text: string): object => ({ message: { role: 'user', content: text } });

/** A session of Claude Code with one agent. */
function claude(): { readonly path: string; readonly agent: string } {
  const path = join(home, '.claude/projects/-repo', `${claudeId}.jsonl`);
  const agent = join(path.slice(0, -'.jsonl'.length), 'subagents/agent-ag1.jsonl');
  mkdirSync(dirname(agent), { recursive: true });
  writeFileSync(path, claudeLine('u1', '', asked('Please bound the cache.')));
  writeFileSync(agent, claudeLine('x1', 'ag1', asked('You must never touch main.ts.')));
  return { path, agent };
}

/** Of Copilot CLI, what agents did stands in the session itself. */
const laid: Readonly<
  Record<Exclude<RuntimeName, 'copilot-cli'>, () => readonly [session: string, agent: string]>
> = {
  'claude-code': () => {
    claude();
    return [claudeId, 'ag1'];
  },
  cline: () => {
    const id = '1795125496516_3mlfj';
    cpSync(join(fixtures, 'cline/subagent'), join(home, '.cline/data/sessions', id), { recursive: true });
    return [id, `${id}__agent_1795125496881_c5kbpx`];
  },
  codex: () => {
    const ids = ['01a1e084-d526-76d2-9d59-31666258c5e2', '01a1e084-d6c0-70a1-9371-a3dc0ba50881'] as const;
    const folder = join(home, '.codex/sessions/2026/11/15');
    mkdirSync(folder, { recursive: true });
    for (const id of ids) {
      const name = `rollout-2026-11-15T18-42-44-${id}.jsonl`;
      copyFileSync(join(fixtures, 'codex/subagent', name), join(folder, name));
    }
    return ids;
  },
  'gemini-cli': () => {
    cpSync(join(fixtures, 'gemini-cli/subagent'), join(home, '.gemini/tmp/demo/chats'), { recursive: true });
    return ['3071b311-4bc5-489d-a8e1-04ebcd6a36fc', 'aa926c4e-7930-4e19-9bf9-15b3eb2392bb'];
  },
  opencode: () => {
    const path = join(home, '.local/share/opencode/opencode.db');
    mkdirSync(dirname(path), { recursive: true });
    const program = new OpencodeDatabase(path);
    program.import(exported('subagent-parent'));
    program.import(exported('subagent-child'));
    program.close();
    return ['ses_e1f75530affeZX8a0ARV1SbNbe', 'ses_e1f7544beffehmA7e1AnHHWAgX'];
  },
  'qwen-code': () => {
    cpSync(join(fixtures, 'qwen-code/subagent'), join(home, '.qwen/projects/-home-dev-demo'), {
      recursive: true,
    });
    return ['164f9a47-004d-4cf4-a924-83c71e03d97c', 'general-purpose-call_000455090000000000000002'];
  },
};

test.each(Object.keys(laid) as (keyof typeof laid)[])(
  '%s: an agent comes along with its session',
  async (name) => {
    const [session, agent] = laid[name]();
    const leg = await begin();
    await leg.checkpoint({ session: await sessionOf(name, session) });
    const { facts, losses } = await packetOf(leg);
    expect(facts?.subagents?.map(({ id, before }) => [id, before])).toEqual([
      [agent, facts?.session?.records],
    ]);
    expect(losses).toBeUndefined();
    const story = await storyOf(leg);
    expect(story.sessions.map(({ facts: of }) => [of.session, of.parent])).toEqual([
      [session, null],
      [agent, session],
    ]);
    expect(story.steps.some((step) => step.session === 1)).toBe(true);
    const atif = toAtif(story, { id: leg.task });
    expect(checkAtif(atif)).toEqual([]);
    expect(atif['subagent_trajectories']).toMatchObject([{ trajectory_id: `${name}/${agent}` }]);
    expect(oneHistory(story).steps.length).toBe(story.steps.filter((step) => step.session === 0).length);
  },
);

test('what an agent was told is no word of a user', async () => {
  claude();
  const leg = await begin();
  await leg.checkpoint({ session: await sessionOf('claude-code', claudeId) });
  const { contract } = sessionDraft(await storyOf(leg));
  expect(JSON.stringify(contract)).not.toContain('main.ts');
});

test('both grow by turns: only what is new is taken, and every name stays', async () => {
  const { path, agent } = claude();
  const session = await sessionOf('claude-code', claudeId);
  const leg = await begin();
  await leg.checkpoint({ session });
  appendFileSync(agent, claudeLine('x2', 'ag1', { parentUuid: 'x1', ...asked('Go on.') }));
  await leg.checkpoint({ session });
  appendFileSync(path, claudeLine('u2', '', { parentUuid: 'u1', ...asked('And the test.') }));
  await leg.checkpoint({ session });
  const { facts } = await packetOf(leg);
  expect(facts?.subagents).toMatchObject([{ id: 'ag1', records: 0, chunks: 0 }]);
  const story = await storyOf(leg);
  expect(story.steps.map(({ ref, session: of, text }) => [ref, of, text])).toEqual([
    [1, 0, 'Please bound the cache.'],
    [2, 1, 'You must never touch main.ts.'],
    [3, 1, 'Go on.'],
    [4, 0, 'And the test.'],
  ]);
});

test('an agent whose session cannot be read is named, and holds up nothing', async () => {
  const { agent } = claude();
  const session = await sessionOf('claude-code', claudeId);
  const broken: SessionInput = {
    ...session,
    subagents: async () => {
      const all = (await session.subagents?.()) ?? [];
      rmSync(agent);
      return all;
    },
  };
  const leg = await begin();
  await leg.checkpoint({ session: broken });
  const { facts, losses } = await packetOf(leg);
  expect(facts?.session?.records).toBe(1);
  expect(losses).toMatchObject([{ what: 'the session of subagent ag1' }]);
  expect(losses?.[0]?.why).toContain(agent);
  expect(losses?.[0]?.why).toContain('staffetta handoff --from claude-code:ag1');
});

test('a secret that an agent was told reaches no stored byte', async () => {
  const { path, agent } = claude();
  const secret = ['ghp', 'x1Y2z3A4b5C6d7E8f9G0h1I2j3K4l5M6n7O8'].join('_');
  appendFileSync(agent, claudeLine('x2', 'ag1', { parentUuid: 'x1', ...asked(`token ${secret}`) }));
  appendFileSync(path, claudeLine('u2', '', { parentUuid: 'u1', ...asked(`It was ${secret}.`) }));
  const leg = await begin();
  await leg.checkpoint({ session: await sessionOf('claude-code', claudeId) });
  const stored = [...at.world.blobs.values()].map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
  expect(stored.join('\n')).not.toContain(secret);
  expect((await storyOf(leg)).steps.map(({ session }) => session)).toEqual([0, 0, 1, 1]);
  expect(readFileSync(agent, 'utf8')).toContain(secret);
});
