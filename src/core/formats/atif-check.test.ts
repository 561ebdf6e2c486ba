import { describe, expect, test } from 'vitest';
import { atifRules, checkAtif, type AtifRule } from './atif-check.ts';

type Free = Record<string, unknown>;

/** Valid, with everything that a rule looks at. */
function valid(): Free {
  return {
    schema_version: 'ATIF-v1.7',
    session_id: null,
    agent: { name: 'a', version: '1', tool_definitions: [{}], extra: { anything: [1] } },
    steps: [
      {
        step_id: 1,
        source: 'user',
        timestamp: '2026-02-28T23:59:59.123+01:00',
        message: [
          { type: 'text', text: 'hi' },
          { type: 'image', source: { media_type: 'image/webp', path: 'x' } },
        ],
      },
      {
        step_id: 2,
        source: 'agent',
        message: '',
        model_name: 'm',
        reasoning_effort: 0.5,
        reasoning_content: 'r',
        tool_calls: [{ tool_call_id: 'c', function_name: 'f', arguments: {} }],
        observation: {
          results: [
            { source_call_id: 'c', content: 'done', subagent_trajectory_ref: [{ trajectory_id: 'sub' }] },
            { content: null, subagent_trajectory_ref: [{ trajectory_path: 's3://x' }] },
          ],
        },
        metrics: { prompt_tokens: 1, cost_usd: 0.5, completion_token_ids: [1], logprobs: [-0.5] },
        llm_call_count: 1,
        is_copied_context: false,
      },
      { step_id: 3, source: 'system', message: 'x', observation: { results: [] }, llm_call_count: 0 },
      { step_id: 4, source: 'agent', message: '', llm_call_count: 0, tool_calls: [] },
    ],
    final_metrics: { total_steps: 4, total_cost_usd: 1.5 },
    subagent_trajectories: [
      {
        schema_version: 'ATIF-v1.0',
        trajectory_id: 'sub',
        agent: { name: 'b', version: '1' },
        steps: [{ step_id: 1, source: 'agent', message: 'x' }],
      },
    ],
  };
}

/** The document with one place changed; undefined takes it away. */
function changed(path: string, value: unknown): Free {
  const document = valid();
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at: Free = document;
  for (const name of names) at = at[name] as Free;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return document;
}

const part = { type: 'text', text: 'x' };
const image = { media_type: 'image/png', path: 'x' };
const sub = (valid()['subagent_trajectories'] as Free[])[0] ?? {};

/** One place changed, the rule that it breaks, and where. */
const broken: readonly (readonly [rule: AtifRule, path: string, value: unknown, at: string])[] = [
  ['document', 'steps.0', 'text', 'steps[0]'],
  ['document', 'subagent_trajectories.0', null, 'subagent_trajectories[0]'],
  ['required', 'schema_version', undefined, 'schema_version'],
  ['required', 'agent', undefined, 'agent'],
  ['required', 'agent.name', undefined, 'agent.name'],
  ['required', 'agent.version', null, 'agent.version'],
  ['required', 'steps', undefined, 'steps'],
  ['required', 'steps.0.step_id', undefined, 'steps[0].step_id'],
  ['required', 'steps.0.source', undefined, 'steps[0].source'],
  ['required', 'steps.0.message', undefined, 'steps[0].message'],
  ['required', 'steps.1.tool_calls.0.tool_call_id', undefined, 'steps[1].tool_calls[0].tool_call_id'],
  ['required', 'steps.1.tool_calls.0.function_name', undefined, 'steps[1].tool_calls[0].function_name'],
  ['required', 'steps.1.tool_calls.0.arguments', undefined, 'steps[1].tool_calls[0].arguments'],
  ['required', 'steps.2.observation.results', undefined, 'steps[2].observation.results'],
  ['required', 'steps.0.message.0.type', undefined, 'steps[0].message[0].type'],
  ['required', 'steps.0.message.1.source.path', undefined, 'steps[0].message[1].source.path'],
  ['kind', 'steps.1.tool_calls.0.arguments', '{}', 'steps[1].tool_calls[0].arguments'],
  ['kind', 'steps.1.tool_calls.0.arguments', [], 'steps[1].tool_calls[0].arguments'],
  ['kind', 'steps.0.message', 7, 'steps[0].message'],
  ['kind', 'steps.1.observation.results.0.content', {}, 'steps[1].observation.results[0].content'],
  ['kind', 'steps.1.metrics.prompt_tokens', 1.5, 'steps[1].metrics.prompt_tokens'],
  ['kind', 'steps.1.metrics.prompt_tokens', -1, 'steps[1].metrics.prompt_tokens'],
  ['kind', 'steps.1.metrics.cost_usd', '1', 'steps[1].metrics.cost_usd'],
  ['kind', 'steps.1.metrics.completion_token_ids', [1.5], 'steps[1].metrics.completion_token_ids'],
  ['kind', 'steps.1.metrics.logprobs', ['x'], 'steps[1].metrics.logprobs'],
  ['kind', 'steps.1.reasoning_effort', true, 'steps[1].reasoning_effort'],
  ['kind', 'steps.1.is_copied_context', 'yes', 'steps[1].is_copied_context'],
  ['kind', 'steps.1.llm_call_count', -1, 'steps[1].llm_call_count'],
  ['kind', 'agent.tool_definitions', [1], 'agent.tool_definitions'],
  ['kind', 'final_metrics', [], 'final_metrics'],
  ['kind', 'session_id', 5, 'session_id'],
  ['kind', 'steps', {}, 'steps'],
  ['unknown', 'runtime', 'codex', 'runtime'],
  ['unknown', 'steps.0.role', 'user', 'steps[0].role'],
  ['unknown', 'steps.1.tool_calls.0.name', 'f', 'steps[1].tool_calls[0].name'],
  ['unknown', 'steps.1.metrics.reward', 1, 'steps[1].metrics.reward'],
  ['unknown', 'final_metrics.total', 1, 'final_metrics.total'],
  ['unknown', 'steps.1.observation.extra', {}, 'steps[1].observation.extra'],
  ['version', 'schema_version', 'ATIF-v1.8', 'schema_version'],
  ['version', 'schema_version', '1.7', 'schema_version'],
  ['steps-empty', 'steps', [], 'steps'],
  ['step-ids', 'steps.0.step_id', 0, 'steps[0].step_id'],
  ['step-ids', 'steps.3.step_id', 5, 'steps[3].step_id'],
  ['source', 'steps.0.source', 'assistant', 'steps[0].source'],
  ['timestamp', 'steps.0.timestamp', 'yesterday', 'steps[0].timestamp'],
  ['timestamp', 'steps.0.timestamp', '2026-02-30T00:00:00Z', 'steps[0].timestamp'],
  ['timestamp', 'steps.0.timestamp', '2026-02-03T24:10:00Z', 'steps[0].timestamp'],
  ['agent-only', 'steps.0.model_name', 'm', 'steps[0].model_name'],
  ['agent-only', 'steps.0.reasoning_effort', 'low', 'steps[0].reasoning_effort'],
  ['agent-only', 'steps.2.reasoning_content', 'r', 'steps[2].reasoning_content'],
  ['agent-only', 'steps.2.tool_calls', [], 'steps[2].tool_calls'],
  ['agent-only', 'steps.0.metrics', {}, 'steps[0].metrics'],
  ['no-model', 'steps.3.metrics', {}, 'steps[3].metrics'],
  ['no-model', 'steps.3.reasoning_content', '', 'steps[3].reasoning_content'],
  [
    'call-twice',
    'steps.1.tool_calls.1',
    { tool_call_id: 'c', function_name: 'g', arguments: {} },
    'steps[1].tool_calls[1]',
  ],
  [
    'call-ref',
    'steps.1.observation.results.0.source_call_id',
    'd',
    'steps[1].observation.results[0].source_call_id',
  ],
  [
    'call-ref',
    'steps.2.observation.results.0',
    { source_call_id: 'c', content: 'of another step' },
    'steps[2].observation.results[0].source_call_id',
  ],
  ['content', 'steps.0.message.0', { type: 'text' }, 'steps[0].message[0]'],
  ['content', 'steps.0.message.0', { ...part, source: image }, 'steps[0].message[0]'],
  ['content', 'steps.0.message.0', { type: 'image' }, 'steps[0].message[0]'],
  ['content', 'steps.0.message.0', { type: 'audio', source: image }, 'steps[0].message[0]'],
  [
    'media-type',
    'steps.0.message.1.source.media_type',
    'image/svg+xml',
    'steps[0].message[1].source.media_type',
  ],
  [
    'ref',
    'steps.1.observation.results.0.subagent_trajectory_ref.0',
    { session_id: 'only' },
    'steps[1].observation.results[0].subagent_trajectory_ref[0]',
  ],
  [
    'ref',
    'steps.1.observation.results.0.subagent_trajectory_ref.0.trajectory_id',
    'nowhere',
    'steps[1].observation.results[0].subagent_trajectory_ref[0]',
  ],
  ['embedded-id', 'subagent_trajectories.1', { ...sub, trajectory_id: null }, 'subagent_trajectories[1]'],
  ['embedded-id', 'subagent_trajectories.1', sub, 'subagent_trajectories[1]'],
];

describe('checkAtif', () => {
  test('a document that uses every field passes', () => {
    expect(checkAtif(valid())).toEqual([]);
  });

  test.each(broken)('%s: %s as %j is a fault', (rule, path, value, at) => {
    expect(checkAtif(changed(path, value)).map((fault) => [fault.rule, fault.path])).toContainEqual([
      rule,
      at,
    ]);
  });

  test('every rule has a case that breaks it', () => {
    const tried = new Set<string>(broken.map(([rule]) => rule));
    expect(atifRules.filter((rule) => !tried.has(rule))).toEqual([]);
  });

  test('one fault breaks one rule only', () => {
    const one = checkAtif(changed('steps.3.step_id', 5));
    expect(one).toEqual([
      { rule: 'step-ids', path: 'steps[3].step_id', text: 'steps[3].step_id is 5 and must be 4.' },
    ]);
  });

  test('the rules hold for embedded trajectories too, by their path', () => {
    const faults = checkAtif(changed('subagent_trajectories.0.steps.0.source', 'bot'));
    expect(faults.map(({ path }) => path)).toEqual(['subagent_trajectories[0].steps[0].source']);
  });

  test('a reference within an embedded trajectory may lead to one beside it', () => {
    const document = changed('subagent_trajectories.0.steps.0.observation', {
      results: [{ subagent_trajectory_ref: [{ trajectory_id: 'sub' }] }],
    });
    expect(checkAtif(document)).toEqual([]);
  });

  test.each([null, 7, 'text', [], [{}]])('%j is no document', (value) => {
    expect(checkAtif(value)).toMatchObject([{ rule: 'document', path: '' }]);
  });

  test('trajectories nested without end are refused, not followed', () => {
    let nested: Free = sub;
    for (let i = 0; i < 10_000; i += 1) nested = { ...sub, subagent_trajectories: [nested] };
    expect(checkAtif(nested).map(({ rule }) => rule)).toEqual(['document']);
  });

  test.each(['2026-01-02', '2026-01-02T03:04', '2026-01-02T03:04:05Z', '2026-01-02 03:04:05.5+0100'])(
    '%s is a time',
    (time) => {
      expect(checkAtif(changed('steps.0.timestamp', time))).toEqual([]);
    },
  );
});
