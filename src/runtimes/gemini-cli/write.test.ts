import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Step, Transcript } from '../../core/transcript/step.ts';
import { unansweredCall } from '../../core/transcript/unanswered.ts';
import { interruptedText } from '../written-session.ts';
import { nativeSession } from './compose.ts';
import { launch } from './launch.ts';
import { read as readSession } from './read/read.ts';
import { nativeCall } from './tools.ts';
import { guard, thanks } from './read/user-text.ts';
import { differenceOf, readWritten, writeSession } from './write.ts';
import { runs } from '../../../test/property/seed.ts';

const fixtures = join(import.meta.dirname, '../../../test/runtimes/fixtures/gemini-cli');
let folder = '';
let sessions = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-gemini-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function transcript(steps: readonly Partial<Step>[], runtime = 'claude-code'): Transcript {
  return {
    facts: {
      runtime,
      session: 'source',
      version: null,
      model: null,
      folder: '/home/dev/demo',
      branch: null,
      commit: null,
      startedAt: 1000,
      title: null,
      parent: null,
    },
    steps: steps.map((step, i) => ({ id: i + 1, source: 'user', at: null, text: '', record: i, ...step })),
    omissions: [],
    unanswered: [],
  };
}

const session = (of: Transcript) => {
  sessions += 1;
  return nativeSession(of, { session: `written-${sessions}`, folder: '/home/dev/demo' });
};

async function roundTrip(of: Transcript): Promise<Transcript> {
  const native = session(of);
  return await readWritten(await writeSession(folder, native, native.name));
}

function fixture(file: string): Transcript {
  const lines = readFileSync(join(fixtures, file), 'utf8').split('\n');
  return readSession(lines.filter((line) => line !== '').map((line) => Buffer.from(line)));
}

const bash = { id: 'c1', tool: 'Bash', args: { command: 'ls', description: 'list', timeout: 1000 } };

describe('writing', () => {
  test('the same roles, texts, calls and results come back, under the tools of the target', async () => {
    const back = await roundTrip(
      transcript([
        { source: 'user', text: 'list the files' },
        {
          source: 'agent',
          text: 'I will.',
          calls: [bash, { ...bash, id: 'c2' }],
          results: [
            { call: 'c2', text: 'no', failed: true },
            { call: 'c1', text: 'a.txt', failed: false },
          ],
        },
        { source: 'agent', text: 'One file.' },
      ]),
    );
    expect(back.steps.map(({ source, text }) => [source, text])).toEqual([
      ['user', 'list the files'],
      ['agent', 'I will.'],
      ['agent', 'One file.'],
    ]);
    const args = { command: 'ls', description: 'list' };
    expect(back.steps[1]?.calls).toEqual([
      { id: 'c1', tool: 'run_shell_command', args },
      { id: 'c2', tool: 'run_shell_command', args },
    ]);
    expect(back.steps[1]?.results).toEqual([
      { call: 'c1', text: 'a.txt', failed: false, passed: true },
      { call: 'c2', text: 'no', failed: true },
    ]);
  });

  test('a session of the program survives being written anew', async () => {
    for (const file of ['hooks-mcp/session-2026-11-15T18-37-ae4bd6b4.jsonl', 'synth/full.jsonl']) {
      const source = fixture(file);
      const wanted = source.steps.filter((step) => step.source !== 'system');
      const back = await roundTrip(source);
      expect(
        back.steps.map(({ source, text, calls, results }) => ({ source, text, calls, results })),
      ).toEqual(wanted.map(({ source, text, calls, results }) => ({ source, text, calls, results })));
    }
  });

  test('a call without a result gets one that says so', async () => {
    const back = await roundTrip(transcript([{ source: 'agent', calls: [bash] }]));
    expect(back.steps[0]?.results).toEqual([{ call: 'c1', text: interruptedText, failed: true }]);
    expect(back.unanswered).toEqual([]);
    const { omissions } = session(transcript([{ source: 'agent', calls: [bash] }]));
    expect(omissions).toContainEqual({ ...unansweredCall, count: 1 });
  });

  test('what does not carry over is counted, and no reasoning is written', () => {
    const native = session(
      transcript([
        { source: 'system', text: 'context', mark: 'context' },
        { source: 'user', text: 'left', aside: 'branch-left' },
        { source: 'agent', text: '', reasoning: 'SECRET THOUGHT' },
        {
          source: 'agent',
          text: 'x',
          reasoning: 'SECRET THOUGHT',
          calls: [{ ...bash, subagent: 'other' }],
          results: [{ call: 'c1', text: '', failed: false, other: ['image/png'] }],
        },
      ]),
    );
    expect(native.lines).toHaveLength(2);
    expect(native.lines.join('')).not.toContain('SECRET');
    expect(Object.fromEntries(native.omissions.map(({ kind, count }) => [kind, count]))).toEqual({
      system: 1,
      aside: 1,
      reasoning: 2,
      arguments: 1,
      subagent: 1,
      media: 1,
    });
  });

  test('the summary of a compaction goes before what was kept', async () => {
    const back = await roundTrip(
      transcript([
        { source: 'user', text: 'gone', aside: 'compacted' },
        { source: 'user', text: 'kept' },
        { source: 'system', text: '<state_snapshot>all of it</state_snapshot>', mark: 'compaction' },
        { source: 'agent', text: 'on' },
      ]),
    );
    expect(back.steps.map(({ source, text }) => [source, text])).toEqual([
      ['system', '<state_snapshot>all of it</state_snapshot>'],
      ['system', thanks],
      ['user', 'kept'],
      ['agent', 'on'],
    ]);
    expect(back.steps[0]?.mark).toBe('compaction');
  });

  test('a conversation that the program lost is handed over; one of which something is left is not', async () => {
    const lost: Partial<Step>[] = [
      { text: 'left before', aside: 'branch-left' },
      { text: 'hello', aside: 'rewritten' },
      { source: 'agent', text: 'hi', aside: 'rewritten' },
      { source: 'system', text: 'context', mark: 'context' },
    ];
    expect((await roundTrip(transcript(lost))).steps.map(({ text }) => text)).toEqual(['hello', 'hi']);
    const left = await roundTrip(transcript([...lost, { text: 'again' }]));
    expect(left.steps.map(({ text }) => text)).toEqual(['again']);
    const real = await roundTrip(fixture('acp-lost/session-2026-11-16T00-50-84d3c872.jsonl'));
    expect(real.steps.map(({ source }) => source)).toEqual(['user', 'agent', 'agent', 'agent']);
  });

  test('texts that the program would leave out, or take for its own, stay the words of the user', async () => {
    const texts = [
      '/help me',
      '?',
      '  ',
      '<hook_context>no hook</hook_context>\n\nhello',
      '<session_context>mine</session_context>',
      '<loaded_context>mine</loaded_context>',
      '<state_snapshot>mine</state_snapshot>',
      guard,
      `${guard}/mine`,
      'plain',
    ];
    const source = transcript(texts.map((text) => ({ text })));
    const native = session(source);
    const first = native.lines.slice(1).map((line) => {
      const { content } = JSON.parse(line) as { content: { text: string }[] };
      return content
        .map(({ text }) => text)
        .join('')
        .trimStart();
    });
    expect(first.filter((text) => text === '' || /^[/?<]/.test(text))).toEqual([]);
    const back = await readWritten(await writeSession(folder, native, 'x'));
    expect(back.steps.map(({ source, text }) => [source, text])).toEqual(texts.map((text) => ['user', text]));
  });

  test('the guard of a prompt by standard input is not taken for the words of the user', () => {
    const prompt = { kind: 'headless' as const, text: '/not a command' };
    const { stdin } = launch({ kind: 'new', id: 'U' }, prompt, { folder: '/' });
    const record = { id: 'u', type: 'user', content: [{ text: stdin }] };
    const { steps } = readSession([Buffer.from(JSON.stringify(record))]);
    expect(steps.map(({ source, text }) => [source, text])).toEqual([['user', '/not a command']]);
  });

  test('an agent may say what the program says after a compaction', async () => {
    const back = await roundTrip(transcript([{ text: 'hi' }, { source: 'agent', text: thanks }]));
    expect(back.steps.map(({ source }) => source)).toEqual(['user', 'agent']);
  });

  test('any conversation comes back as it was written', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const args = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    const call = fc.record({ tool: text, args, answer: fc.option(text), failed: fc.boolean() });
    const said = fc.record({
      source: fc.constantFrom('user', 'agent', 'system'),
      text,
      calls: fc.array(call, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { maxLength: 6 }),
        fc.constantFrom('claude-code', 'codex', 'x'),
        async (all, runtime) => {
          const steps = all.map(({ source, text, calls }, i): Partial<Step> => {
            if (source !== 'agent') return { source, text };
            return {
              source,
              text,
              calls: calls.map(({ tool, args }, n) => ({ id: `${i}.${n}`, tool, args: args as never })),
              results: calls.flatMap(({ answer, failed }, n) =>
                answer === null ? [] : [{ call: `${i}.${n}`, text: answer, failed }],
              ),
            };
          });
          const told = steps.filter(
            ({ source, text, calls }) => source !== 'system' && (text !== '' || calls?.length),
          );
          expect((await roundTrip(transcript(steps, runtime))).steps.map(({ text }) => text)).toEqual(
            told.map(({ text }) => text),
          );
        },
      ),
      runs(150),
    );
  });

  test('what reads back differently is taken away again', async () => {
    const native = session(transcript([{ text: 'hello' }]));
    const wrong = { ...native, lines: [...native.lines, '{"id":"z","type":"user","content":"extra"}\n'] };
    await expect(writeSession(folder, wrong, 'x')).rejects.toThrow(/1 steps were written and 2 found/);
    expect(existsSync(join(folder, native.name))).toBe(false);
    expect(differenceOf(native.turns, readSession(native.lines.map((line) => Buffer.from(line))))).toBeNull();
  });

  test('an id that would lead to another folder is refused', () => {
    const options = { session: '../x', folder: '/home/dev/demo' };
    expect(() => nativeSession(transcript([{ text: 'hello' }]), options)).toThrow(/cannot be the id/);
  });

  test('no file is replaced', async () => {
    const native = session(transcript([{ text: 'hello' }]));
    writeFileSync(join(folder, native.name), 'mine');
    await expect(writeSession(folder, native, 'x')).rejects.toThrow(/cannot be written/);
    expect(readFileSync(join(folder, native.name), 'utf8')).toBe('mine');
    await expect(writeSession(join(folder, 'none'), native, 'x')).rejects.toThrow(/cannot be written/);
    expect(readdirSync(folder)).not.toContain('none');
  });
});

describe('tools', () => {
  test('the same tool is called by its name here, and an unknown one keeps its own', () => {
    expect(
      nativeCall('codex', { id: 'c', tool: 'exec_command', args: { cmd: 'ls', yield_time_ms: 5 } }),
    ).toEqual({
      tool: 'run_shell_command',
      args: { command: 'ls' },
      dropped: 1,
    });
    expect(
      nativeCall('opencode', {
        id: 'c',
        tool: 'edit',
        args: { filePath: 'a', oldString: 'b', newString: 'c' },
      }),
    ).toEqual({ tool: 'replace', args: { file_path: 'a', old_string: 'b', new_string: 'c' }, dropped: 0 });
    expect(
      nativeCall('claude-code', { id: 'c', tool: 'Read', args: { file_path: 'a', offset: 5 } }).tool,
    ).toBe('Read');
    expect(nativeCall('claude-code', { id: 'c', tool: 'constructor', args: {} }).tool).toBe('constructor');
    expect(nativeCall('codex', { id: 'c', tool: '1 bad/name', args: {}, raw: '*** patch' })).toEqual({
      tool: '_1_bad_name',
      args: { input: '*** patch' },
      dropped: 0,
    });
  });
});

test('calls of several programs are known by their names', () => {
  const call = { id: 'c', tool: 'Bash', args: { command: 'ls' } };
  expect(nativeCall('several', call)).toMatchObject({ tool: 'run_shell_command', args: { command: 'ls' } });
  expect(nativeCall('several', { ...call, tool: 'unheard_of' }).tool).toBe('unheard_of');
});
