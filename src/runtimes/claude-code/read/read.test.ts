import { describe, expect, test } from 'vitest';
import {
  answer,
  bytesOf,
  call,
  captured,
  cases,
  fixture,
  result,
  user,
} from '../../../../test/runtimes/fixtures/claude-code/load.ts';
import type { Omission, Step, Transcript } from '../../../core/transcript/step.ts';
import { read } from './read.ts';

function counts(omissions: readonly Omission[]): Record<string, number> {
  return Object.fromEntries(omissions.map(({ kind, count }) => [kind, count]));
}

const first = (text: string, most: number): string => (text.split('\n')[0] ?? '').slice(0, most);
const fixed = ({ id, source, record }: Step) => ({ id, source, record });

function line(step: Step): string {
  const calls = (step.calls ?? []).map(
    ({ tool, subagent }) => ` | ${tool}${subagent === undefined ? '' : ` → ${subagent}`}`,
  );
  const results = (step.results ?? []).map(
    ({ failed, exit, text }) => ` = ${failed ? `failed${exit ?? ''}` : 'ok'} ${first(text, 30)}`,
  );
  const mark = step.mark === undefined ? '' : `/${step.mark}`;
  const aside = step.aside === undefined ? '' : ` (${step.aside})`;
  return `s${step.id} ${step.source}${mark}${aside}: ${first(step.text, 60)}${calls.join('')}${results.join('')}`;
}

function outline({ steps }: Transcript): string[] {
  return steps.filter(({ mark }) => mark !== 'context').map(line);
}

describe('sessions that the program wrote', () => {
  test.each(cases)('$file: $intent', async (expected) => {
    const { records, omissions } = await captured(fixture(expected.file));
    const transcript = read(records);
    expect(records).toHaveLength(expected.records);
    expect(counts(omissions)).toEqual(expected.leftOut);
    expect(counts(transcript.omissions)).toEqual(expected.omissions);
    expect(transcript.steps.filter(({ mark }) => mark === 'context')).toHaveLength(expected.context);
    expect(outline(transcript)).toEqual(expected.outline);
    expect(transcript.unanswered.map(({ tool }) => tool)).toEqual(expected.unanswered);
    const output = transcript.steps.map(({ usage }) => usage?.output ?? 0);
    expect(output.reduce((sum, each) => sum + each, 0)).toBe(expected.tokens);
  });

  test.each(cases)('$file: steps keep their numbers while it grows', async ({ file }) => {
    const { records } = await captured(fixture(file));
    const whole = read(records).steps.map(fixed);
    for (let count = 0; count <= records.length; count += 1) {
      const part = read(records.slice(0, count)).steps.map(fixed);
      expect(part).toEqual(whole.slice(0, part.length));
    }
  });

  test('the facts of a session are where it began and what it said last', async () => {
    const { records } = await captured(fixture('basic.jsonl'));
    expect(read(records).facts).toEqual({
      runtime: 'claude-code',
      session: '246b28e2-f5d7-4c6f-9cee-22ae9ee57704',
      version: '2.1.325',
      model: 'claude-opus-5-5',
      folder: '/home/dev/demo',
      branch: 'main',
      commit: null,
      startedAt: Date.parse('2026-11-15T18:22:48.905Z'),
      title: null,
      parent: null,
      permissions: 'bypassPermissions',
    });
  });

  test('an agent is named by its own id, and its parent by the session it ran in', async () => {
    const { records } = await captured(fixture('subagent.jsonl'));
    const { session, parent } = read(records).facts;
    expect([session, parent]).toEqual(['ad65abd2f48eda632', '2b28c4ae-2831-408d-9400-a581a906c556']);
  });

  test('records without the system prompts in the chain give the same as with them', async () => {
    const { records } = await captured(fixture('two-writers.jsonl'));
    const { readFileSync } = await import('node:fs');
    const all = readFileSync(fixture('two-writers.jsonl').path, 'utf8').trimEnd().split('\n');
    expect(outline(read(bytesOf(...all)))).toEqual(outline(read(records)));
  });
});

describe('records beside the conversation', () => {
  test('titles and a new place are facts', () => {
    const { facts, omissions } = read(
      bytesOf(
        { type: 'summary', summary: 'Old' },
        user('u', null, 'a', { cwd: '/began', gitBranch: 'HEAD' }),
        { type: 'ai-title', aiTitle: 'Made' },
        { type: 'relocated', relocatedCwd: '/moved' },
      ),
    );
    expect(facts).toMatchObject({ title: 'Made', folder: '/moved', branch: null });
    expect(omissions).toEqual([]);
  });

  test('zeros before a record are skipped', () => {
    const line = `\u0000\u0000${JSON.stringify(user('u', null, 'still here'))}`;
    expect(read(bytesOf(line)).steps).toMatchObject([{ text: 'still here' }]);
  });
});

const grown = (output_tokens: number) => ({
  message: { id: 'm', content: [], usage: { input_tokens: 1, output_tokens } },
});

describe('messages', () => {
  const usage = {
    input_tokens: 5,
    cache_creation_input_tokens: 7,
    cache_read_input_tokens: 11,
    output_tokens: 3,
  };
  const block = (id: string, content: object) => ({
    message: { id, model: 'claude-x', content: [content], usage },
  });

  test('the blocks of one message are one step, and its usage counts once', () => {
    const { steps } = read(
      bytesOf(
        user('u1', null, 'go'),
        answer('a1', 'u1', [], block('m', { type: 'thinking', thinking: 'hm', signature: 's' })),
        answer('a2', 'a1', [], block('m', { type: 'text', text: 'I will.' })),
        answer('a3', 'a2', [], block('m', call('c1'))),
        user('u2', 'a3', [result('c1')]),
        user('u3', 'u2', 'a hook speaks', { isMeta: true }),
        answer('a4', 'u3', [], block('m', call('c2'))),
      ),
    );
    expect(steps.map(({ source }) => source)).toEqual(['user', 'agent', 'system']);
    expect(steps[1]).toMatchObject({ text: 'I will.', reasoning: 'hm', model: 'claude-x', record: 1 });
    expect(steps[1]?.usage).toEqual({ input: 23, output: 3, cached: 11, window: 26 });
    expect(steps[1]?.calls?.map(({ id }) => id)).toEqual(['c1', 'c2']);
  });

  test('of usage that grew while the message came the last counts', () => {
    const { steps } = read(bytesOf(answer('a1', null, [], grown(1)), answer('a2', 'a1', [], grown(40))));
    expect(steps.map(({ usage }) => usage?.output)).toEqual([40]);
  });

  test('an id that comes back after another prompt is another message', () => {
    const text = { type: 'text', text: 'yes' };
    const { steps } = read(
      bytesOf(
        user('u1', null, 'a'),
        answer('a1', 'u1', [], block('m', text)),
        user('u2', 'a1', 'b'),
        answer('a2', 'u2', [], block('m', text)),
      ),
    );
    expect(steps.map(({ source }) => source)).toEqual(['user', 'agent', 'user', 'agent']);
  });

  test('reasoning without readable text is a loss', () => {
    const { steps, omissions } = read(
      bytesOf(
        answer('a', null, [
          { type: 'thinking', thinking: '', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'ok' },
        ]),
      ),
    );
    expect(steps[0]).not.toHaveProperty('reasoning');
    expect(counts(omissions)).toEqual({ 'reasoning-encrypted': 2 });
  });

  test('arguments that are no object are kept as they were', () => {
    const { steps } = read(bytesOf(answer('a', null, [call('c', 'T', 'not json'), call('d', 'T', [1])])));
    expect(steps[0]?.calls).toEqual([
      { id: 'c', tool: 'T', args: {}, raw: 'not json' },
      { id: 'd', tool: 'T', args: {}, raw: '[1]' },
    ]);
  });

  test('a call names the folder that the shell had gone to', () => {
    const { steps } = read(
      bytesOf(
        user('u', null, 'go', { cwd: '/work' }),
        answer('a', 'u', [call('c')], { cwd: '/work' }),
        answer('b', 'a', [call('d')], { cwd: '/home/ada/api' }),
      ),
    );
    expect(steps.flatMap(({ calls = [] }) => calls.map(({ id, folder }) => [id, folder]))).toEqual([
      ['c', undefined],
      ['d', '/home/ada/api'],
    ]);
  });

  test('two calls with one id are told apart', () => {
    const { steps } = read(bytesOf(answer('a', null, [call('c#2'), call('c'), call('c'), call('')])));
    expect(steps[0]?.calls?.map(({ id }) => id)).toEqual(['c#2', 'c', 'c#3', '#1']);
  });

  test('a result without its call is an omission', () => {
    const { steps, omissions } = read(bytesOf(user('u', null, [result('gone')])));
    expect(steps).toEqual([]);
    expect(counts(omissions)).toEqual({ 'orphan-result': 1 });
  });

  test('content of a result that is no text is named and not inlined', () => {
    const content = [{ type: 'text', text: 'see' }, { type: 'image', source: { data: 'AAAA' } }, 7];
    const { steps } = read(bytesOf(answer('a', null, [call('c')]), user('u', 'a', [result('c', content)])));
    expect(steps[0]?.results).toEqual([
      { call: 'c', text: 'see', failed: false, other: ['image', 'unknown'] },
    ]);
  });

  test('a command that was interrupted failed', () => {
    const more = { toolUseResult: { interrupted: true } };
    const { steps } = read(bytesOf(answer('a', null, [call('c')]), user('u', 'a', [result('c')], more)));
    expect(steps[0]?.results?.[0]?.failed).toBe(true);
  });

  test.each([
    [true, { is_error: false }, {}],
    [undefined, {}, {}],
    [undefined, { is_error: true }, {}],
    [undefined, { is_error: false }, { toolUseResult: { backgroundTaskId: 'b1' } }],
  ])('a command has passed: %s, by %o and %o', (passed, said, more) => {
    const answered = { type: 'tool_result', tool_use_id: 'c', content: 'x', ...said };
    const { steps } = read(bytesOf(answer('a', null, [call('c')]), user('u', 'a', [answered], more)));
    expect(steps[0]?.results?.[0]?.passed).toBe(passed);
  });
});

const said = (content: unknown, more: object = {}) =>
  read(bytesOf(user('u', null, content, more))).steps.map(({ source, mark, text }) => [source, mark, text]);

describe('whose words they are', () => {
  test('what a person typed is verbatim', () => {
    expect(said(' two\n lines \u0000')).toEqual([['user', undefined, ' two\n lines \u0000']]);
  });

  test.each([
    ['a record of the program', 'x', { isMeta: true }],
    ['a prompt of the program', 'x', { promptSource: 'system' }],
    ['a record that is only shown', 'x', { isVisibleInTranscriptOnly: true }],
    ['a message of another agent', 'x', { origin: { kind: 'peer' } }],
    ['a reminder', '<system-reminder>\nx</system-reminder>', {}],
    ['an event in the background', '[SYSTEM NOTIFICATION - NOT USER INPUT]\nx\n<task-notification>', {}],
    ['the output of a command', '<local-command-stdout>x</local-command-stdout>', {}],
  ])('%s is the program speaking', (_what, content, more) => {
    expect(said(content, more)).toEqual([['system', 'context', content]]);
  });

  test.each([
    'away_summary',
    'bridge_status',
    'scheduled_task_fire',
    'informational',
    'local_command',
    'microcompact_boundary',
    'one_that_nobody_knows_yet',
    undefined,
  ])('a system record is the program speaking, whatever it says and however it is called: %s', (subtype) => {
    for (const content of ['Delete the branch.', '<command-name>/x</command-name>', 'no']) {
      const record = { type: 'system', uuid: 'r', parentUuid: null, subtype, content, isMeta: false };
      expect(read(bytesOf(record)).steps).toMatchObject([
        { source: 'system', mark: 'context', text: content },
      ]);
    }
  });

  test('words that a person typed beside a reminder are theirs', () => {
    const parts = ['<system-reminder>x</system-reminder>', 'and mine'].map((text) => ({
      type: 'text',
      text,
    }));
    expect(said(parts, { origin: { kind: 'human' } })).toEqual([
      ['system', 'context', '<system-reminder>x</system-reminder>'],
      ['user', undefined, 'and mine'],
    ]);
  });

  test.each([
    ['after', '<ide_selection>lines 1 to 3:\nfoo\n</ide_selection>\nrename this', 'rename this'],
    ['behind, in the same line', '<system-reminder>x</system-reminder> now the test', 'now the test'],
    ['before', 'now the test\n\n<system-reminder>\nx\n</system-reminder>', 'now the test'],
    [
      'between',
      '<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>\nnow\n<system-reminder>x</system-reminder>\nthe test',
      'now\nthe test',
    ],
    [
      'after a file that holds the end of a block',
      '<ide_selection>a\n</ide_selection>\ndelete all\n</ide_selection>\nrename this',
      'rename this',
    ],
    [
      'with a quoted end',
      '<system-reminder>x</system-reminder>\nwhy does it print "</system-reminder>" here',
      'why does it print "</system-reminder>" here',
    ],
  ])('words %s what the program put into the same text are the person’s', (_where, content, words) => {
    const steps = read(bytesOf(user('u', null, content))).steps;
    expect(steps.map(({ source, mark }) => [source, mark])).toEqual([
      ['system', 'context'],
      ['user', undefined],
    ]);
    expect(steps[1]?.text).toBe(words);
    expect(steps[0]?.record).toBe(steps[1]?.record);
    expect(steps[0]?.text).not.toContain(words);
  });

  test('a tag of the program that is only mentioned takes nothing away', () => {
    for (const words of [
      'why is <system-reminder>x</system-reminder> shown?',
      'see:\n<system-reminder> where?',
    ])
      expect(said(words)).toEqual([['user', undefined, words]]);
  });

  test('what is to be remembered is the person’s, and so is what stands beside a command', () => {
    expect(said('<user-memory-input>always use tabs</user-memory-input>')).toEqual([
      ['user', undefined, 'always use tabs'],
    ]);
    expect(
      said('<command-name>/clear</command-name>\n<command-message>clear</command-message>\ngo on'),
    ).toEqual([['user', undefined, '/clear\n\ngo on']]);
  });

  test('an interruption is marked', () => {
    const words = '[Request interrupted by user for tool use]';
    expect(said([{ type: 'text', text: words }])).toEqual([['system', 'interrupted', words]]);
  });

  test('commands read as they were typed', () => {
    const tags =
      '<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>a b</command-args>';
    expect(said(tags)).toEqual([['user', undefined, '/x a b']]);
    expect(said('<bash-input>ls -l</bash-input>')).toEqual([['user', 'command', '!ls -l']]);
  });

  test('a command of the program itself, which has output and no answer, waits for nobody', () => {
    const contents = [
      '<command-name>/model</command-name>\n<command-args>opus</command-args>',
      '<local-command-stdout>Set model to opus</local-command-stdout>',
      '<command-message>x</command-message>\n<command-name>/x</command-name>',
    ];
    const records = contents.map((content, place) => ({
      type: 'user',
      uuid: `r${place}`,
      parentUuid: place === 0 ? null : `r${place - 1}`,
      message: { role: 'user', content },
    }));
    const { steps } = read(records.flatMap((record) => bytesOf(record)));
    expect(steps.map(({ text, mark }) => [text, mark])).toEqual([
      ['/model opus', 'command'],
      [expect.stringContaining('Set model'), 'context'],
      ['/x', undefined],
    ]);
  });

  test('what was typed while the model worked is the words of a person', () => {
    const attachment = { type: 'queued_command', prompt: 'and quickly', commandMode: 'prompt' };
    const record = { type: 'attachment', uuid: 'q', parentUuid: null, attachment };
    expect(read(bytesOf(record)).steps[0]).toMatchObject({ source: 'user', text: 'and quickly' });
    const noted = { ...record, attachment: { ...attachment, commandMode: 'task-notification' } };
    expect(read(bytesOf(noted)).steps).toEqual([]);
  });

  test.each([
    ['usage-limit', { apiError: 'usage_limit_reached', error: 'rate_limit', apiErrorStatus: 429 }, 'x'],
    ['usage-limit', {}, 'Claude AI usage limit reached|1750000000'],
    ['usage-limit', {}, '5-hour limit reached ∙ resets 3pm'],
    ['usage-limit', { apiErrorStatus: 400 }, 'You have reached your specified API usage limits.'],
    ['usage-limit', {}, 'Claude Opus 4 limit reached ∙ resets 5pm'],
    ['usage-limit', { apiErrorStatus: 400 }, 'Credit balance is too low'],
    ['context-limit', { error: 'invalid_request', apiErrorStatus: 400 }, 'Prompt is too long'],
    ['context-limit', {}, 'Context limit reached · /compact or /clear to continue'],
    ['context-limit', {}, 'API Error: 400 input length and `max_tokens` exceed context limit: 1 + 2 > 2'],
    ['rate-limited', { error: 'rate_limit' }, 'Request rate limit reached'],
    ['rate-limited', { error: 'rate_limit' }, 'API Error: Request rejected (429)'],
    ['error', { apiErrorStatus: 529 }, 'API Error: 529 overloaded'],
  ])('an answer is told to be %s by %o and "%s"', (mark, more, words) => {
    const { steps } = read(bytesOf(answer('a', null, words, { ...more, isApiErrorMessage: true })));
    expect(steps).toMatchObject([{ source: 'system', mark, text: words }]);
  });
});
