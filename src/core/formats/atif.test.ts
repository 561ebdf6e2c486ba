import { describe, expect, test } from 'vitest';
import { checkAtif } from './atif-check.ts';
import { readAtif, readAtifTree } from './atif-read.ts';
import { toAtif, transcriptToAtif } from './atif.ts';
import { bareFacts } from '../transcript/bare-facts.ts';
import type { Json, JsonObject, SessionFacts } from '../transcript/step.ts';
import type { Story, StorySession, StoryStep } from '../transcript/story.ts';

function session(runtime: string, id: string, more: Partial<SessionFacts> = {}): StorySession {
  return { facts: { ...bareFacts(runtime, id), ...more }, omissions: [], unanswered: [], rewritten: false };
}

function step(ref: number, of: number, more: Partial<StoryStep> = {}): StoryStep {
  return { id: ref, ref, session: of, source: 'user', at: null, text: `t${ref}`, record: ref - 1, ...more };
}

function story(sessions: readonly StorySession[], steps: readonly StoryStep[]): Story {
  return { sessions, steps, unread: [] };
}

/** A place in the document by its path. */
function at(document: JsonObject, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>((value, name) => (value as JsonObject | undefined)?.[name], document);
}

const acting: Partial<StoryStep> = {
  source: 'agent',
  at: Date.UTC(2026, 0, 2),
  reasoning: 'why',
  model: 'm-1',
  calls: [
    { id: 'c1', tool: 'sh', args: { command: 'ls' } },
    { id: 'c2', tool: 'patch', args: {}, raw: '*** Begin' },
  ],
  results: [{ call: 'c1', text: 'a.txt', failed: true, exit: 2, other: ['image/png'] }],
  usage: { input: 100, output: 5, cached: 80, reasoning: 3, window: 105, windowMax: 200 },
};

describe('a story of several sessions', () => {
  const relay = story(
    [session('codex', 'x1', { version: '1.0', model: 'gpt' }), session('claude-code', 'y1')],
    [
      step(1, 0),
      step(3, 0, acting),
      step(9, 1, { source: 'system', mark: 'compaction', aside: 'compacted' }),
    ],
  );
  const document = toAtif(relay, { id: 't4k9', continuedIn: 'next.json' });

  test('is one valid trajectory', () => {
    expect(checkAtif(document)).toEqual([]);
    expect(document).toMatchObject({
      schema_version: 'ATIF-v1.7',
      session_id: 't4k9',
      trajectory_id: 't4k9',
      continued_trajectory_ref: 'next.json',
    });
  });

  test('gives the same bytes every time', () => {
    expect(JSON.stringify(toAtif(relay, { id: 't4k9', continuedIn: 'next.json' }))).toBe(
      JSON.stringify(document),
    );
  });

  test('names every step, its session, its program and what became of it', () => {
    const told = (at(document, 'steps') as JsonObject[]).map((one) => at(one, 'extra.staffetta'));
    expect(told).toEqual([
      { name: 's1', session: 0, runtime: 'codex' },
      { name: 's3', session: 0, runtime: 'codex' },
      { name: 's9', session: 1, runtime: 'claude-code', mark: 'compaction', aside: 'compacted' },
    ]);
    expect(at(document, 'steps.2.extra.context_management')).toEqual({ type: 'compaction' });
  });

  test('has calls with their results, and what the format lacks in extra', () => {
    expect(at(document, 'steps.1')).toMatchObject({
      timestamp: '2026-01-02T00:00:00.000Z',
      model_name: 'm-1',
      reasoning_content: 'why',
      tool_calls: [
        { tool_call_id: 'c1', function_name: 'sh', arguments: { command: 'ls' } },
        { tool_call_id: 'c2', arguments: {}, extra: { staffetta: { raw: '*** Begin' } } },
      ],
      observation: {
        results: [
          {
            source_call_id: 'c1',
            content: 'a.txt',
            extra: { staffetta: { failed: true, exit: 2, other: ['image/png'] } },
          },
        ],
      },
      metrics: {
        prompt_tokens: 100,
        completion_tokens: 5,
        cached_tokens: 80,
        extra: { reasoning_tokens: 3, window_tokens: 105, window_tokens_max: 200 },
      },
    });
  });

  test('has the relay for its agent, and the programs beside it', () => {
    expect(document['agent']).toEqual({
      name: 'staffetta',
      version: '1',
      extra: {
        agents: [
          { name: 'codex', version: '1.0', model_name: 'gpt' },
          { name: 'claude-code', version: 'unknown' },
        ],
      },
    });
  });

  test('sums what the programs counted', () => {
    expect(document['final_metrics']).toEqual({
      total_prompt_tokens: 100,
      total_completion_tokens: 5,
      total_cached_tokens: 80,
      total_steps: 3,
    });
  });
});

describe('odd stories', () => {
  test('what was rewritten is counted once, where it was captured again', () => {
    const twice = story(
      [session('codex', 'x'), session('codex', 'x')],
      [step(1, 0, { ...acting, aside: 'rewritten' }), step(2, 1, acting)],
    );
    expect(at(toAtif(twice), 'final_metrics.total_prompt_tokens')).toBe(100);
  });

  test('tokens of the cache are among those of the prompt, however the program counts', () => {
    const apart = story(
      [session('opencode', 'x')],
      [step(1, 0, { ...acting, usage: { input: 10, cached: 90 } })],
    );
    expect(at(toAtif(apart), 'steps.0.metrics')).toEqual({ prompt_tokens: 100, cached_tokens: 90 });
  });

  test('no steps are told by one step that says so, and read as none', () => {
    const document = toAtif(story([], []));
    expect(checkAtif(document)).toEqual([]);
    expect(readAtif(document)?.steps).toEqual([]);
  });

  test('what only an agent may have is held for others, and comes back', () => {
    const odd = story([session('codex', 'x')], [step(1, 0, { ...acting, source: 'system' })]);
    const document = toAtif(odd);
    expect(checkAtif(document)).toEqual([]);
    expect(readAtif(document)?.steps[0]).toMatchObject({
      source: 'system',
      reasoning: 'why',
      model: 'm-1',
      calls: acting.calls,
      results: acting.results,
    });
  });

  test.each([Number.NaN, 8.64e15, -1e15, 1.5])('the time %d is kept, if not as a date', (time) => {
    const document = toAtif(story([session('codex', 'x')], [step(1, 0, { at: time })]));
    expect(checkAtif(document)).toEqual([]);
    const back = readAtif(JSON.parse(JSON.stringify(document)))?.steps[0]?.at;
    expect(back).toBe(Number.isNaN(time) ? null : time);
  });

  test('a result without its call has no reference that leads nowhere', () => {
    const lone = story(
      [session('codex', 'x')],
      [step(1, 0, { source: 'agent', results: [{ call: 'gone', text: 'x', failed: false }] })],
    );
    expect(checkAtif(toAtif(lone))).toEqual([]);
  });

  test('what could not be read is named', () => {
    const unread = [{ runtime: 'new', session: 'z', why: 'No reader.' }];
    expect(at(toAtif({ ...story([], []), unread }), 'extra.staffetta.unread')).toEqual(unread);
  });
});

describe('subagents', () => {
  const parts = story(
    [session('claude-code', 'main'), session('claude-code', 'helper', { parent: 'main' })],
    [
      step(1, 0, {
        source: 'agent',
        calls: [
          { id: 'c1', tool: 'Task', args: {}, subagent: 'helper' },
          { id: 'c2', tool: 'Task', args: {}, subagent: 'elsewhere' },
        ],
        results: [{ call: 'c1', text: 'done', failed: false }],
      }),
      step(2, 1, { source: 'agent' }),
    ],
  );

  test('a session that another one started is embedded, and its call leads there', () => {
    const document = toAtif(parts);
    expect(checkAtif(document)).toEqual([]);
    expect(at(document, 'steps.0.observation.results')).toEqual([
      {
        source_call_id: 'c1',
        content: 'done',
        subagent_trajectory_ref: [{ trajectory_id: 'claude-code/helper', session_id: 'helper' }],
      },
    ]);
    expect(readAtifTree(document).map(({ facts, steps }) => [facts.session, steps.length])).toEqual([
      ['main', 1],
      ['helper', 1],
    ]);
  });

  test('a subagent whose session is not in the story is named with its call', () => {
    const calls = readAtif(toAtif(parts))?.steps[0]?.calls;
    expect(calls?.map(({ subagent }) => subagent)).toEqual(['helper', 'elsewhere']);
  });

  test('a call that waits for its subagent leads there and has no result', () => {
    const [first, second] = parts.steps;
    if (first === undefined || second === undefined) throw new Error('two steps');
    const { results: _results, ...waiting } = first;
    const document = toAtif({ ...parts, steps: [waiting, second] });
    expect(checkAtif(document)).toEqual([]);
    expect(readAtif(document)?.steps[0]?.results).toBeUndefined();
  });

  test('parents that go round in a circle embed nobody', () => {
    const circle = story(
      [session('codex', 'a', { parent: 'b' }), session('codex', 'b', { parent: 'a' })],
      [step(1, 0), step(2, 1)],
    );
    expect(at(toAtif(circle), 'steps')).toHaveLength(2);
    expect(at(toAtif(circle), 'subagent_trajectories')).toBeUndefined();
  });
});

test('one transcript is a trajectory of its program', () => {
  const document = transcriptToAtif({
    facts: { ...bareFacts('codex', 'x1'), version: '2', title: 'Clocks', startedAt: 5 },
    steps: [step(1, 0)],
    omissions: [{ kind: 'image', count: 2, why: 'no text' }],
    unanswered: [],
  });
  expect(checkAtif(document)).toEqual([]);
  expect(document).toMatchObject({ session_id: 'x1', agent: { name: 'codex', version: '2' } });
  expect(at(document, 'extra.staffetta.sessions.0.omissions')).toEqual([
    { kind: 'image', count: 2, why: 'no text' },
  ]);
  expect(readAtif(document)?.facts).toEqual({
    ...bareFacts('codex', 'x1'),
    version: '2',
    title: 'Clocks',
    startedAt: 5,
  });
});
