/** What becomes of a conversation that was compacted, rolled back, interrupted or forked. */
import { describe, expect, test } from 'vitest';
import { read } from './read/read.ts';

const record = (type: string, payload: object): string =>
  JSON.stringify({ timestamp: '2026-11-15T18:00:00.000Z', type, payload });
const message = (role: string, text: string): object => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});
const said = (role: string, text: string): string => record('response_item', message(role, text));
const event = (payload: object): string => record('event_msg', payload);
const of = (...lines: readonly string[]): ReturnType<typeof read> =>
  read(lines.map((line) => new TextEncoder().encode(line)));
const shown = ({ steps }: ReturnType<typeof read>): string[] =>
  steps.map(({ source, text, aside, mark }) => [source, text, aside ?? mark ?? ''].join(' ').trim());

const meta = (payload: object): string => record('session_meta', payload);

describe('compaction', () => {
  test('prompts that were kept are found again by their text, shortened ones too', () => {
    const long = 'x'.repeat(300);
    const transcript = of(
      said('user', 'short'),
      said('user', `${long} end`),
      said('assistant', 'answer'),
      record('compacted', {
        message: 'SUM',
        replacement_history: [
          message('user', 'short'),
          message('user', `${long}…cut`),
          message('user', 'SUM'),
        ],
      }),
    );
    expect(shown(transcript)).toEqual([
      'user short',
      `user ${long} end`,
      'agent answer compacted',
      'system SUM compaction',
    ]);
  });

  test('history that no record before it holds becomes steps', () => {
    const replacement_history = [message('user', 'never seen'), message('user', 'SUM')];
    expect(shown(of(record('compacted', { message: 'SUM', replacement_history })))).toEqual([
      'user never seen',
      'system SUM compaction',
    ]);
  });

  test('without replaced history the prompts stay and the answers go', () => {
    expect(
      shown(of(said('user', 'a'), said('assistant', 'b'), record('compacted', { message: 'SUM' }))),
    ).toEqual(['user a', 'agent b compacted', 'system SUM compaction']);
  });

  test('its summary is told as one; without readable words there is none', () => {
    expect(of(record('compacted', { message: 'SUM' })).steps[0]).toMatchObject({ summary: 'compaction' });
    expect(of(record('compacted', { message: '' })).steps[0]).not.toHaveProperty('summary');
  });

  test('the second compaction puts the summary of the first aside', () => {
    const again = record('compacted', { message: 'TWO', replacement_history: [] });
    expect(shown(of(record('compacted', { message: 'ONE', replacement_history: [] }), again))).toEqual([
      'system ONE compacted',
      'system TWO compaction',
    ]);
  });

  test('an encrypted summary is counted as lost', () => {
    const replacement_history = [{ type: 'compaction', encrypted_content: 'xyz' }];
    expect(of(record('compacted', { message: '', replacement_history })).omissions).toMatchObject([
      { kind: 'compaction-encrypted', count: 1 },
    ]);
  });
});

describe('turns', () => {
  test('turns that were taken back are left branches', () => {
    const transcript = of(
      said('user', 'one'),
      said('assistant', 'a'),
      said('user', 'two'),
      said('assistant', 'b'),
      event({ type: 'thread_rolled_back', num_turns: 1 }),
      said('user', 'three'),
    );
    expect(shown(transcript)).toEqual([
      'user one',
      'agent a',
      'user two branch-left',
      'agent b branch-left',
      'user three',
    ]);
  });

  test('an interruption is told once, from its message or from its event', () => {
    const aborted = event({ type: 'turn_aborted', reason: 'interrupted' });
    expect(shown(of(said('user', '<turn_aborted>x'), aborted))).toEqual([
      'system <turn_aborted>x interrupted',
    ]);
    expect(shown(of(aborted))).toEqual(['system interrupted interrupted']);
  });

  test.each([
    [{ message: 'm', codex_error_info: 'usage_limit_exceeded' }, 'usage-limit'],
    [{ message: 'You have hit your usage limit.' }, 'usage-limit'],
    [{ message: 'insufficient_quota' }, 'usage-limit'],
    [
      { message: 'm', codex_error_info: { response_too_many_failed_attempts: { http_status_code: 429 } } },
      'rate-limited',
    ],
    [{ message: 'm', codex_error_info: 'bad_request' }, 'error'],
    [{ message: 'm', codex_error_info: 7 }, 'error'],
  ])('the error %j is marked %s', (error, mark) => {
    expect(of(event({ type: 'task_complete', error })).steps).toMatchObject([{ source: 'system', mark }]);
    expect(of(event({ type: 'error', ...error })).steps).toMatchObject([{ source: 'system', mark }]);
  });
});

describe('forks', () => {
  test('after its origin, the fork is the session', () => {
    const transcript = of(
      meta({ id: 'origin' }),
      said('user', 'before'),
      meta({ id: 'fork', forked_from_id: 'origin', forked_from_ordinal_exclusive: 2 }),
      said('user', 'after'),
    );
    expect(transcript.facts.session).toBe('fork');
    expect(transcript.omissions).toEqual([]);
  });

  test('a copied head of the origin does not replace the own', () => {
    expect(of(meta({ id: 'fork', forked_from_id: 'origin' }), meta({ id: 'origin' })).facts.session).toBe(
      'fork',
    );
  });

  test('a fork without its origin says that history is missing', () => {
    const alone = of(meta({ id: 'fork', forked_from_id: 'origin', forked_from_ordinal_exclusive: 2 }));
    expect(alone.omissions).toMatchObject([{ kind: 'forked-history' }]);
  });
});
