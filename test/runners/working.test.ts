/** What coding agents are held to with nobody before them, and what is heard in lines that they wrote themselves. */
import { describe, expect, test } from 'vitest';
import { permissionNames } from '../../src/core/plan/crew.ts';
import { runtimeNames, type HeardEvent, type RuntimeName, type Working } from '../../src/ports/runtime.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';

function workingOf(name: RuntimeName): Working {
  const found = allRuntimes({}).find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found.working;
}

const nothing = Object.fromEntries(permissionNames.map((name) => [name, 'deny' as const]));

describe.each(runtimeNames)('%s', (name) => {
  test('has a way to look only, and takes no other mode for it', () => {
    const { headless, acp } = workingOf(name);
    const look = headless({ access: 'look', permissions: {} });
    // One that has no such way at all is spoken to by the protocol.
    expect(look === null || look.holds.includes('edit')).toBe(true);
    expect(acp.holds({ access: 'look' })).toContain('edit');
    expect(acp.looks.length).toBeGreaterThan(0);
    expect(headless({ access: 'look', mode: 'yolo', permissions: {} })).toBeNull();
  });

  test('is started otherwise where something is denied that it is held to', () => {
    const { headless } = workingOf(name);
    const free = headless({ access: 'change', permissions: {} });
    const held = headless({ access: 'change', permissions: nothing });
    if (held === null) return;
    expect(held.holds.length).toBeGreaterThan(0);
    expect([held?.args, held?.env]).not.toEqual([free?.args, free?.env]);
  });

  test('takes whatever is no event of it for nothing', () => {
    const { hear } = workingOf(name);
    for (const event of [
      {},
      [],
      null,
      3,
      'x',
      { type: 'result' },
      { type: 'error' },
      { type: 'text', part: 3 },
    ])
      expect(() => hear(event)).not.toThrow();
    expect(hear({ type: 'unheard-of' })).toEqual([]);
  });
});

interface Heard {
  readonly name: RuntimeName;
  readonly event: unknown;
  readonly heard: readonly HeardEvent[];
}

/** Lines of the real programs, shortened. */
const lines: readonly Heard[] = [
  {
    name: 'claude-code',
    event: {
      type: 'assistant',
      session_id: 's1',
      parent_tool_use_id: null,
      message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'npm test' } }] },
    },
    heard: [
      { kind: 'session', id: 's1' },
      { kind: 'tool', text: 'Bash: npm test' },
    ],
  },
  {
    name: 'claude-code',
    event: {
      type: 'rate_limit_event',
      rate_limit_info: { status: 'rejected', resetsAt: 4102444800, isUsingOverage: false },
    },
    heard: [{ kind: 'limit', limit: 'usage', until: 4102444800000 }],
  },
  {
    name: 'claude-code',
    event: {
      is_error: true,
      result: 'No.',
      total_cost_usd: 0.5,
      usage: { input_tokens: 3, output_tokens: 4 },
    },
    heard: [
      { kind: 'failed', text: 'No.' },
      { kind: 'usage', tokens: 7 },
      { kind: 'usage', cost: { amount: 0.5, unit: 'USD' }, isWhole: true },
    ],
  },
  {
    name: 'codex',
    event: { type: 'thread.started', thread_id: 't1' },
    heard: [{ kind: 'session', id: 't1' }],
  },
  {
    name: 'codex',
    event: { type: 'turn.failed', error: { message: 'No.' } },
    heard: [{ kind: 'failed', text: 'No.' }],
  },
  {
    name: 'codex',
    event: { type: 'turn.completed', usage: { input_tokens: 5, cached_input_tokens: 4, output_tokens: 2 } },
    heard: [{ kind: 'usage', tokens: 7, isWhole: true }],
  },
  {
    name: 'gemini-cli',
    event: { type: 'result', status: 'error', error: { message: 'No.' }, stats: { total_tokens: 9 } },
    heard: [
      { kind: 'usage', tokens: 9 },
      { kind: 'failed', text: 'No.' },
    ],
  },
  {
    name: 'opencode',
    event: { type: 'error', sessionID: 'ses_1', error: { data: { message: 'No.', statusCode: 402 } } },
    heard: [
      { kind: 'session', id: 'ses_1' },
      { kind: 'failed', text: 'No.' },
      { kind: 'limit', limit: 'usage', until: null },
    ],
  },
  {
    name: 'opencode',
    event: { type: 'step_finish', sessionID: 'ses_1', part: { tokens: { total: 9 }, cost: 0.25 } },
    heard: [
      { kind: 'session', id: 'ses_1' },
      { kind: 'usage', tokens: 9, cost: { amount: 0.25, unit: 'USD' } },
    ],
  },
  {
    name: 'qwen-code',
    event: {
      type: 'assistant',
      session_id: 's1',
      message: { content: [{ type: 'text', text: 'Done.' }], usage: { total_tokens: 9 } },
    },
    heard: [
      { kind: 'session', id: 's1' },
      { kind: 'said', text: 'Done.' },
      { kind: 'usage', tokens: 9 },
    ],
  },
];

test.each(lines)('a line of $name is heard', ({ name, event, heard }) => {
  expect(workingOf(name).hear(event)).toEqual(heard);
});
