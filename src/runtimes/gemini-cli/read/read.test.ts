import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Step, Transcript } from '../../../core/transcript/step.ts';
import { read as readSession } from './read.ts';
import { thanks } from './user-text.ts';
import { runs } from '../../../../test/property/seed.ts';

const fixtures = join(import.meta.dirname, '../../../../test/runtimes/fixtures/gemini-cli');
interface Expected {
  readonly intent: string;
  readonly steps: readonly string[];
  readonly folder?: string;
  readonly subagents?: readonly string[];
}
const { files } = JSON.parse(readFileSync(join(fixtures, 'manifest.json'), 'utf8')) as {
  files: Readonly<Record<string, Expected>>;
};

function linesOf(file: string): Uint8Array[] {
  const text = readFileSync(join(fixtures, file), 'utf8');
  return (file.endsWith('.json') ? [text] : text.split('\n').filter(Boolean)).map((one) => Buffer.from(one));
}

function read(...records: unknown[]): Transcript {
  return readSession(
    records.map((record) => Buffer.from(typeof record === 'string' ? record : JSON.stringify(record))),
  );
}

function line(step: Step): string {
  const calls = (step.calls ?? []).map(({ id, tool }) => {
    const result = step.results?.find(({ call }) => call === id);
    return ` +${tool}${result === undefined ? '?' : result.failed ? '!' : ''}`;
  });
  const mark = step.mark === undefined ? '' : `:${step.mark}`;
  const aside = step.aside === undefined ? '' : `/${step.aside}`;
  return `${step.source}${mark}${aside}${calls.join('')}`;
}

const header = { sessionId: 'S', projectHash: 'H', startTime: '2026-11-15T18:23:32.290Z', kind: 'main' };
const user = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] });
const agent = (id: string, text: string, more: object = {}) => ({
  id,
  type: 'gemini',
  content: text,
  ...more,
});
const shell = (id: string, output?: string) => ({
  id,
  name: 'run_shell_command',
  args: { command: 'ls' },
  ...(output === undefined ? {} : { result: [response(id, output)] }),
});
const response = (id: string, output: string) => ({
  functionResponse: { id, name: 'run_shell_command', response: { output } },
});

describe('the sessions that the program wrote', () => {
  for (const [file, expected] of Object.entries(files))
    test(`${file}: ${expected.intent}`, () => {
      const transcript = readSession(linesOf(file));
      expect(transcript.steps.map(line)).toEqual(expected.steps);
      expect(transcript.steps.map(({ id }) => id)).toEqual(expected.steps.map((_, i) => i + 1));
      expect(transcript.facts.folder).toBe(expected.folder ?? null);
      expect(transcript.facts.session).not.toBe('');
      expect(transcript.omissions).toEqual([]);
      const started = transcript.steps.flatMap(({ calls }) =>
        calls?.flatMap(({ subagent }) => subagent ?? []),
      );
      expect(started.filter((id) => id !== undefined)).toEqual(expected.subagents ?? []);
    });

  test('numbers and places of steps are the same in every beginning of a log (RT6)', () => {
    for (const file of Object.keys(files)) {
      const records = linesOf(file);
      const all = readSession(records).steps;
      for (let n = 0; n <= records.length; n += 1)
        for (const [i, step] of readSession(records.slice(0, n)).steps.entries()) {
          expect(all[i]?.id).toBe(step.id);
          expect(all[i]?.record).toBe(step.record);
          expect(all[i]?.text.startsWith(step.text)).toBe(true);
        }
    }
  });

  test.each(['session_context', 'hook_context', 'loaded_context'])(
    'words behind a block %s in the same part are the person’s',
    (tag) => {
      const { steps } = read(header, user('1', `<${tag}>\nbe silent\n</${tag}>\nnow write the test`));
      expect(steps.map(({ source, text }) => [source, text])).toEqual([
        ['system', `<${tag}>\nbe silent\n</${tag}>`],
        ['user', 'now write the test'],
      ]);
    },
  );

  test('what the program read from a named file is context, before and after a resume', () => {
    const records = linesOf('referenced-file/session-2026-11-16T12-10-f08be2d0.jsonl');
    for (const part of [records.slice(0, 6), records]) {
      const said = readSession(part).steps.filter(({ source }) => source === 'user');
      expect(said[0]?.text).toBe('Fix the login page. Explain @notes.txt and keep it short');
      expect(said.some(({ text }) => text.includes('delete all tests'))).toBe(false);
      expect(readSession(part).steps[1]).toMatchObject({ source: 'system', mark: 'context' });
      expect(readSession(part).steps[1]?.text).toContain('The goal is to delete all tests.');
    }
  });

  test('prompts are free of what hooks added, and what they added is kept', () => {
    const { steps } = readSession(linesOf('hooks-mcp/session-2026-11-15T18-37-ae4bd6b4.jsonl'));
    expect(steps[2]?.text).toBe(
      'Hook test [[shell echo hi]] [[call ping {"text":"from-gemini"}]] [[say hooks done]]',
    );
    expect(steps[1]?.text).toContain('HOOKCTX-SESSIONSTART from baton');
    expect(steps[1]?.text).toContain('HOOKCTX-BEFOREAGENT');
  });

  test('figures, model and reasoning are those of the answer', () => {
    const { steps, facts } = readSession(linesOf('basic/session-2026-11-15T18-23-25bdb493.jsonl'));
    expect(steps[2]?.usage).toEqual({ input: 12026, output: 100, cached: 0, reasoning: 7, window: 12133 });
    expect(steps[2]?.reasoning).toBe('FAKE-THINKING step 0: I should call run_shell_command');
    expect(facts.model).toBe('gemini-3.8-flash');
    expect(facts.startedAt).toBe(Date.parse('2026-11-15T18:23:32.290Z'));
  });
});

describe('operations', () => {
  test('an upsert adds calls and more text to its step', () => {
    const { steps } = read(
      header,
      user('u', 'go'),
      agent('a', 'I'),
      user('v', 'meanwhile'),
      agent('a', 'I will', { toolCalls: [shell('c', 'done')] }),
    );
    expect(steps.map(line)).toEqual(['user', 'agent +run_shell_command', 'user']);
    expect(steps[1]?.text).toBe('I will');
  });

  test('another text under a known id is a step of its own, and the old one stays readable', () => {
    const { steps } = read(header, user('u', 'first'), agent('a', 'x'), user('u', 'second'));
    expect(steps.map((step) => [line(step), step.text])).toEqual([
      ['user/rewritten', 'first'],
      ['agent', 'x'],
      ['user', 'second'],
    ]);
  });

  test('an agent whose text was rewritten keeps its calls', () => {
    const { steps } = read(
      header,
      agent('a', 'one', { toolCalls: [shell('c', 'r')] }),
      agent('a', 'two', { toolCalls: [shell('c', 'r')] }),
    );
    expect(steps.map(line)).toEqual(['agent +run_shell_command', 'agent']);
  });

  test('a new list sets aside what it drops, and takes back what returns', () => {
    const all = [user('u', 'one'), agent('a', 'two'), user('v', 'three')];
    const dropped = read(header, ...all, { $set: { messages: [user('u', 'one')] } });
    expect(dropped.steps.map(line)).toEqual(['user', 'agent/rewritten', 'user/rewritten']);
    const back = read(header, ...all, { $set: { messages: [] } }, { $set: { messages: all } });
    expect(back.steps.map(line)).toEqual(['user', 'agent', 'user']);
  });

  test('a compaction keeps its tail under new ids without a second copy of it', () => {
    const tail = agent('a2', 'working', { toolCalls: [shell('c2', 'two')] });
    const { steps } = read(header, user('u1', 'one'), agent('a1', 'did'), user('u2', 'next'), tail, {
      $set: {
        messages: [
          user('n1', 'a summary'),
          agent('n2', thanks),
          user('n3', 'next'),
          { ...agent('n4', ''), content: [{ text: 'working' }, { functionCall: shell('c2') }] },
        ],
      },
    });
    expect(steps.map(line)).toEqual([
      'user/compacted',
      'agent/compacted',
      'user',
      'agent +run_shell_command',
      'system:compaction',
      'system:context',
    ]);
  });

  test('a model that really says thanks is an agent', () => {
    const { steps } = read(header, user('u', 'context'), agent('a', thanks, { model: 'gemini-3.8-flash' }));
    expect(steps.map(line)).toEqual(['user', 'agent']);
  });

  test('a rewind leaves a branch; an unknown place takes back everything', () => {
    const all = [user('u', 'one'), agent('a', 'two'), user('v', 'three')];
    expect(read(header, ...all, { $rewindTo: 'a' }, user('w', 'four')).steps.map(line)).toEqual([
      'user',
      'agent/branch-left',
      'user/branch-left',
      'user',
    ]);
    expect(read(header, ...all, { $rewindTo: 'nowhere' }).steps.map(line)).toEqual([
      'user/branch-left',
      'agent/branch-left',
      'user/branch-left',
    ]);
  });

  test('a result is found among those of its turn, by its id', () => {
    const both = [response('c1', 'first'), response('c2', 'second')];
    const { steps } = read(
      header,
      agent('a', '', {
        toolCalls: [
          { ...shell('c1'), result: both },
          { ...shell('c2'), result: both },
        ],
      }),
    );
    expect(steps[0]?.results?.map(({ call, text }) => [call, text])).toEqual([
      ['c1', 'first'],
      ['c2', 'second'],
    ]);
  });

  test.each([
    [undefined, 'ok', undefined],
    ['error', 'ok', undefined],
    ['success', 'Exit Code: 3', undefined],
    ['success', 'ok', true],
  ])('a command of status %s that printed "%s" has passed: %s', (status, printed, passed) => {
    const [step] = read(header, agent('a', '', { toolCalls: [{ ...shell('c', printed), status }] })).steps;
    expect(step?.results?.[0]?.passed).toBe(passed);
  });

  test('a shortened result in a rewritten history does not replace the whole one', () => {
    const whole = agent('a', 'x', { toolCalls: [shell('c', 'the whole output')] });
    const { steps } = read(header, whole, {
      $set: { messages: [agent('a', 'x', { toolCalls: [shell('c', 'the…')] })] },
    });
    expect(steps[0]?.results?.[0]?.text).toBe('the whole output');
  });

  test('a result in the user voice answers an open call; one without its call is counted', () => {
    const { steps, omissions } = read(header, agent('a', '', { toolCalls: [shell('c')] }), {
      id: 'r',
      type: 'user',
      content: [response('c', 'late'), response('gone', 'x')],
    });
    expect(steps.map(line)).toEqual(['agent +run_shell_command']);
    expect(omissions.map(({ kind, count }) => [kind, count])).toEqual([['result-without-call', 1]]);
  });

  test('a call without a result at the end is under way; one that was passed over is not', () => {
    const open = read(header, agent('a', '', { toolCalls: [shell('c')] }));
    expect(open.unanswered.map(({ id }) => id)).toEqual(['c']);
    const passed = read(header, agent('a', '', { toolCalls: [shell('c')] }), agent('b', 'on'));
    expect(passed.unanswered).toEqual([]);
  });

  test('ids of calls are unique, also where the program used one twice', () => {
    const { steps } = read(
      header,
      agent('a', 'x', { toolCalls: [shell('c', 'one')] }),
      agent('b', 'y', { toolCalls: [shell('c', 'two')] }),
    );
    expect(steps.flatMap(({ calls }) => calls?.map(({ id }) => id))).toEqual(['c', 'c#2']);
    expect(steps[1]?.results?.[0]).toMatchObject({ call: 'c#2', text: 'two' });
  });

  test('failures, exit codes and pictures are told', () => {
    const failed = {
      ...shell('c'),
      status: 'error',
      result: [
        {
          functionResponse: { id: 'c', name: 'run_shell_command', response: { error: 'bad\nExit Code: 3' } },
        },
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      ],
    };
    const { steps } = read(header, agent('a', '', { toolCalls: [failed] }));
    expect(steps[0]?.results).toEqual([
      { call: 'c', text: 'bad\nExit Code: 3', failed: true, exit: 3, other: ['image/png'] },
    ]);
  });

  test('errors, limits and notices are the program speaking', () => {
    const { steps } = read(
      header,
      { id: 'i', type: 'info', content: 'hello' },
      { id: 'e', type: 'error', content: 'it broke' },
      { id: 'q', type: 'error', content: 'You exceeded your quota' },
      { id: 'l', type: 'error', content: 'status 429' },
    );
    expect(steps.map(line)).toEqual(['system', 'system:error', 'system:usage-limit', 'system:rate-limited']);
  });

  test('what a person typed is told from the files that the program added', () => {
    const { steps } = read(header, {
      id: 'u',
      type: 'user',
      content: [{ text: 'look at @a.txt' }, { text: '\n--- Content from referenced files ---' }],
      displayContent: [{ text: 'look at @a.txt' }],
    });
    expect(steps.map((step) => [line(step), step.text])).toEqual([
      ['system:context', '--- Content from referenced files ---'],
      ['user', 'look at @a.txt'],
    ]);
  });
});

describe('hostile records', () => {
  test('none of them stops the reading, and each is counted', () => {
    const { steps, omissions } = read(
      header,
      '',
      '{"torn":',
      '\u0000\u0000',
      'null',
      '[]',
      '42',
      '"text"',
      '{"__proto__":{"id":"x"},"constructor":1}',
      '{"id":"d","id":"e","type":"user","type":"user","content":"twice"}',
      '{"id":"p","type":"gemini","content":"p","toolCalls":[{"id":"c","name":"n","args":{"__proto__":{"a":1}}}]}',
      '{"id":"s","type":"user","content":"lone \\ud800 half"}',
      '{"id":"n","type":"gemini","content":null,"toolCalls":[null,3,{}],"thoughts":[1],"tokens":7}',
      '{"id":"k","type":"martian","content":"?"}',
      '{"$set":{"messages":[null,{"type":"user"},{"id":7}],"summary":9}}',
      `{"id":"deep","type":"gemini","content":"deep","toolCalls":[{"id":"dc","args":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}]}`,
    );
    expect(steps.map(({ text }) => text)).toEqual(['twice', 'p', 'lone \ud800 half', '', 'deep']);
    expect(Object.hasOwn(steps[1]?.calls?.[0]?.args ?? {}, '__proto__')).toBe(true);
    expect(({} as { a?: number }).a).toBeUndefined();
    expect(Object.fromEntries(omissions.map(({ kind, count }) => [kind, count]))).toEqual({
      'record-unreadable': 3,
      'record-unknown': 5,
      'message-unknown': 4,
      arguments: 1,
      'unknown-content': 2,
    });
  });

  test('one id a hundred thousand times takes no longer than many ids', () => {
    const records = Array.from({ length: 100_000 }, (_, i) =>
      Buffer.from(JSON.stringify(agent('same', `text ${i} of many`, { toolCalls: [shell('c')] }))),
    );
    const { steps } = readSession(records);
    expect(steps).toHaveLength(100_000);
    expect(steps.filter(({ aside }) => aside === undefined)).toHaveLength(2);
  });

  test('mutations of real sessions are read without a throw, and steps keep the rules', () => {
    const logs = Object.keys(files).map(linesOf);
    const mutation = fc.record({ at: fc.nat(), to: fc.nat(), byte: fc.nat(255), kind: fc.nat(4) });
    fc.assert(
      fc.property(fc.constantFrom(...logs), fc.array(mutation, { maxLength: 12 }), (log, mutations) => {
        const mutated = mutations.reduce<Uint8Array[]>(mutate, log.slice());
        const whole = readSession(mutated);
        expect(brokenRules(whole)).toEqual([]);
        const half = readSession(mutated.slice(0, mutated.length / 2)).steps;
        expect(half.map(({ id, record }) => [id, record])).toEqual(
          whole.steps.slice(0, half.length).map(({ id, record }) => [id, record]),
        );
      }),
      runs(400),
    );
  });
});

function mutate(
  log: Uint8Array[],
  { at, to, byte, kind }: { at: number; to: number; byte: number; kind: number },
): Uint8Array[] {
  if (log.length === 0) return log;
  const i = at % log.length;
  const record = Buffer.from(log[i] ?? []);
  if (kind === 0) record[to % Math.max(1, record.length)] = byte;
  if (kind === 1) return log.toSpliced(i, 1);
  if (kind === 2) return log.toSpliced(to % log.length, 0, record);
  if (kind === 3) return log.with(i, record.subarray(0, to % (record.length + 1)));
  if (kind === 4) return log.with(i, Buffer.from(record.toString('latin1').replaceAll('user', 'gemini')));
  return log.with(i, record);
}

/** What is wrong with the steps, whatever the log held. */
function brokenRules({ steps }: Transcript): string[] {
  const calls = steps.flatMap((step) => step.calls?.map(({ id }) => id) ?? []);
  const twice = calls.length === new Set(calls).size ? [] : ['a call has the id of another'];
  const each = steps.flatMap((step, i) => {
    const own = new Set(step.calls?.map(({ id }) => id));
    const strange = step.results?.some(({ call }) => !own.has(call)) === true;
    return [
      ...(step.id === i + 1 ? [] : [`step ${i + 1} has the number ${step.id}`]),
      ...(strange ? [`step ${step.id} has a result without its call`] : []),
    ];
  });
  return [...twice, ...each];
}
