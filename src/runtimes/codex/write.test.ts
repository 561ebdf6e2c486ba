import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isStaffettaError } from '../../core/base/error.ts';
import type { ToolCall, JsonObject, Result, Step, Transcript } from '../../core/transcript/step.ts';
import { runs } from '../../../test/property/seed.ts';
import { exchangesIn } from './exchange.ts';
import { read } from './read/read.ts';
import { newThreadId, plan, writePlanned as write, type Planned } from './write.ts';

const id = '01a1e1c7-f243-734e-81e8-596cea1608a1';
const now = Date.parse('2026-11-15T18:00:00.000Z');
const session = { id, folder: '/home/dev/demo', now, provider: 'openai' };
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'staffetta-codex-'));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const step = (source: Step['source'], text: string, more: Partial<Step> = {}): Step => ({
  id: 1,
  source,
  at: now,
  text,
  record: 0,
  ...more,
});

function transcriptOf(steps: readonly Step[]): Transcript {
  const facts = {
    runtime: 'claude-code',
    session: 'x',
    version: null,
    model: null,
    folder: '/home/dev/demo',
    branch: 'main',
    commit: null,
    startedAt: null,
    title: null,
    parent: null,
  };
  return {
    facts,
    steps: steps.map((one, place) => ({ ...one, id: place + 1 })),
    omissions: [],
    unanswered: [],
  };
}

const planned = (...steps: readonly Step[]): Planned => plan(home, transcriptOf(steps), session);
const readPlan = ({ text }: Planned): Transcript =>
  read(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Buffer.from(line)),
  );
const shell = (args: JsonObject, tool = 'Bash'): ToolCall => ({ id: 'toolu_1', tool, args });

const small = (): Planned => planned(step('user', 'a'));

const other = async (): Promise<Transcript> => await Promise.resolve(transcriptOf([step('user', 'b')]));

describe('a new session', () => {
  test('is written beside no other, read back and given with what it lacks', async () => {
    const made = planned(
      step('system', 'reminder', { mark: 'context' }),
      step('user', 'list the files'),
      step('agent', 'I will.', {
        reasoning: 'hm',
        calls: [shell({ command: 'ls', description: 'List' })],
        results: [{ call: 'toolu_1', text: 'a.txt', failed: false, exit: 0, other: ['image'] }],
      }),
      step('agent', 'One file.'),
    );
    const { place, omissions } = await write(made, home);
    expect(place.path).toBe(join(home, 'sessions/2026/11/15', `rollout-2026-11-15T18-00-00-${id}.jsonl`));
    expect(statSync(place.path).mode & 0o777).toBe(0o600);
    expect(omissions.map(({ kind }) => kind)).toEqual(['context', 'reasoning', 'call-option', 'image']);
    expect(readFileSync(place.path, 'utf8')).not.toContain('"reasoning"');
  });

  test('every line has a time and the next ordinal, and the first names folder and provider', () => {
    const lines = planned(step('user', 'a'), step('agent', 'b')).text.trimEnd().split('\n');
    const records = lines.map(
      (line) => JSON.parse(line) as { ordinal: number; timestamp: string; payload: object },
    );
    expect(records.map(({ ordinal }) => ordinal)).toEqual(records.map((_, place) => place));
    expect(records.every(({ timestamp }) => timestamp === '2026-11-15T18:00:00.000Z')).toBe(true);
    expect(records[0]?.payload).toMatchObject({
      id,
      cwd: '/home/dev/demo',
      history_mode: 'paginated',
      model_provider: 'openai',
      source: 'cli',
      git: { branch: 'main' },
    });
  });

  test('has an event for the screen for everything said and done', () => {
    const { text } = planned(
      step('user', 'a'),
      step('agent', 'b', { calls: [shell({ command: 'ls' }), { id: 'w', tool: 'Write', args: {} }] }),
      step('user', 'c'),
    );
    const events = text
      .trimEnd()
      .split('\n')
      .flatMap((line) => {
        const { type, payload } = JSON.parse(line) as {
          type: string;
          payload: { type: string; item?: { type: string } };
        };
        return type === 'event_msg' ? [payload.item?.type ?? payload.type] : [];
      });
    expect(events).toEqual(
      [
        'task_started UserMessage AgentMessage CommandExecution DynamicToolCall task_complete',
        'task_started UserMessage task_complete',
      ].flatMap((turn) => turn.split(' ')),
    );
  });

  test('a call without a result gets one that says so', () => {
    const made = planned(step('user', 'a'), step('agent', '', { calls: [shell({ command: 'sleep 9' })] }));
    expect(readPlan(made).steps.at(-1)?.results).toMatchObject([
      { failed: true, text: expect.stringContaining('interrupted') as string },
    ]);
    expect(readPlan(made).unanswered).toEqual([]);
    expect(made.omissions).toMatchObject([{ kind: 'unanswered-call', count: 1 }]);
  });

  test('what the model did not see any more is left out, and the summary of it is kept', () => {
    const made = planned(
      step('user', 'old', { aside: 'compacted' }),
      step('agent', 'left', { aside: 'branch-left' }),
      step('system', 'SUMMARY', { mark: 'compaction' }),
      step('system', 'stopped', { mark: 'interrupted' }),
      step('user', 'new'),
    );
    expect(readPlan(made).steps.map(({ source, text, mark }) => [source, text, mark])).toEqual([
      ['system', 'SUMMARY', 'compaction'],
      ['user', 'new', undefined],
    ]);
    expect(made.omissions.map(({ kind }) => kind)).toEqual(['compacted', 'branch-left', 'interrupted']);
  });

  test('a prompt that looks like injected context stays the prompt of a person', () => {
    const editor = '# Context from my IDE setup:\n\n## My request for Codex:\nmine';
    expect(planned(step('user', editor)).omissions).toMatchObject([{ kind: 'user-words', count: 1 }]);
    expect(readPlan(planned(step('user', '<environment_context> hello'))).steps).toMatchObject([
      { source: 'user' },
    ]);
  });

  test('half characters, arguments without bottom and texts without end are written as far as they can be', async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 200; depth++) deep = { deep };
    const made = planned(
      step('user', 'a\ud800'),
      step('agent', 'x'.repeat(3_000_000), {
        calls: [
          { id: '1', tool: 'f', args: deep },
          { id: '2', tool: 'g', args: { half: '\udc00' } },
          { id: '3', tool: 'h', args: { long: '\u0001'.repeat(3_000_000) } },
        ],
        results: ['1', '2', '3'].map((call) => ({ call, text: '\u0001'.repeat(2_500_000), failed: false })),
      }),
    );
    await write(made, home);
    expect(made.omissions).toMatchObject([{ kind: 'text-cut', count: 5 }]);
    const [user, agent] = readPlan(made).steps;
    expect(user?.text).toBe('a\ufffd');
    expect(agent?.text).toMatch(/\[cut here: 902848 characters are left out\]$/);
    expect(agent?.calls?.map(({ raw, args }) => raw?.slice(0, 8) ?? args)).toEqual([
      '{"deep":',
      { half: '\ufffd' },
      '{"long":',
    ]);
  });

  test('calls with one id, or one the service would refuse, get their own', () => {
    const calls = ['same', 'same', 'with space', 'x'.repeat(100)].map((name) => ({
      id: name,
      tool: 't',
      args: {},
    }));
    const ids = readPlan(planned(step('agent', '', { calls }))).steps[0]?.calls?.map((call) => call.id) ?? [];
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((name) => /^[\w-]{1,64}$/.test(name))).toBe(true);
  });
});

describe('refusals', () => {
  test('a session that does not read back the same is taken away with its folders (RT9)', async () => {
    const error: unknown = await write(small(), home, other).catch((error: unknown) => error);
    expect(isStaffettaError(error, 'unavailable')).toBe(true);
    expect(readdirSync(home)).toEqual([]);
  });

  test('one that cannot be read back is taken away too', async () => {
    await expect(write(small(), home, async () => await Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(readdirSync(home)).toEqual([]);
  });

  test('a file that is there is never written over', async () => {
    const { place } = await write(small(), home);
    const before = readFileSync(place.path, 'utf8');
    await expect(write(planned(step('user', 'other')), home)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(existsSync(place.path) && readFileSync(place.path, 'utf8')).toBe(before);
  });

  test.each([
    [{ ...session, id: '../../x' }, 'UUID'],
    [{ ...session, folder: 'here' }, 'absolute'],
  ])('%j is refused', (wrong, reason) => {
    expect(() => plan(home, transcriptOf([]), wrong)).toThrow(reason);
  });
});

describe('round trip', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  const said = fc.oneof(
    text.filter((value) => value !== ''),
    fc.constantFrom('<turn_aborted>', '\u0000', 'a\nb\r\n'),
  );
  const args = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)), {
    maxKeys: 3,
  });
  const call = fc.record({
    tool: fc.constantFrom('exec_command', 'Write', 'mcp__lab__ping'),
    args,
    raw: fc.option(text, { nil: undefined }),
  });
  const result = fc.record({
    text,
    failed: fc.boolean(),
    exit: fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined }),
  });
  const agent = fc
    .tuple(text, fc.array(fc.tuple(call, result), { maxLength: 3 }), fc.nat())
    .map(([words, pairs, salt]): Step => {
      const calls: ToolCall[] = pairs.map(([{ tool, args, raw }], place) => ({
        id: `c${salt}-${place}`,
        tool,
        args: raw === undefined ? args : {},
        ...(raw === undefined ? {} : { raw }),
      }));
      const results: Result[] = pairs.map(([, { text, failed, exit }], place) => ({
        call: `c${salt}-${place}`,
        text,
        failed,
        ...(exit === undefined ? {} : { exit }),
      }));
      return step('agent', words, { calls, results: results.toReversed() });
    });
  const steps = fc.array(
    fc.oneof(
      said.map((words) => step('user', words)),
      agent,
    ),
    { maxLength: 8 },
  );

  test('roles, texts, calls and results come back as they were', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (made) => {
        rmSync(join(home, 'sessions'), { recursive: true, force: true });
        const target = plan(home, transcriptOf(made), session);
        await write(target, home);
        expect(target.expected).toEqual(exchangesIn(made));
      }),
      runs(60),
    );
  });

  test('every fixture can be written again as a session of its own', async () => {
    const fixtures = join(import.meta.dirname, '../../../test/runtimes/fixtures/codex');
    for (const name of readdirSync(fixtures).filter((entry) => !entry.endsWith('.json'))) {
      for (const file of readdirSync(join(fixtures, name))) {
        const lines = readFileSync(join(fixtures, name, file), 'utf8')
          .split('\n')
          .filter((line) => line !== '');
        const transcript = read(lines.map((line) => Buffer.from(line)));
        rmSync(join(home, 'sessions'), { recursive: true, force: true });
        const { place } = await write(plan(home, transcript, session), home);
        expect(existsSync(place.path)).toBe(true);
      }
    }
  });
});

test('ids are UUIDs of version 7 that begin with the time', () => {
  const made = newThreadId(now, new Uint8Array(16).fill(255));
  expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(made.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
});
