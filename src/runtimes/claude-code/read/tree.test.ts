import { describe, expect, test } from 'vitest';
import {
  answer,
  bytesOf,
  call,
  captured,
  fixture,
  result,
  user,
} from '../../../../test/runtimes/fixtures/claude-code/load.ts';
import type { Omission } from '../../../core/transcript/step.ts';
import { read } from './read.ts';

function counts(omissions: readonly Omission[]): Record<string, number> {
  return Object.fromEntries(omissions.map(({ kind, count }) => [kind, count]));
}

const boundary = (uuid: string, logicalParentUuid: string, kept: string) => ({
  type: 'system',
  subtype: 'compact_boundary',
  uuid,
  parentUuid: null,
  logicalParentUuid,
  compactMetadata: { preservedMessages: { uuids: [kept] } },
});

const hook = (hookName: string) => ({
  type: 'progress',
  uuid: hookName,
  parentUuid: null,
  data: { type: 'hook_progress', hookEvent: 'SessionStart', hookName },
});
const asides = (...records: readonly object[]): (string | undefined)[] =>
  read(bytesOf(...records)).steps.map(({ aside }) => aside);

describe('the tree', () => {
  test('a prompt that was taken back is left with its answer', () => {
    const { steps } = read(
      bytesOf(
        user('u1', null, 'first'),
        answer('a1', 'u1', 'one'),
        user('u2', 'a1', 'wrong'),
        answer('a2', 'u2', 'two'),
        user('u3', 'a1', 'right'),
      ),
    );
    expect(steps.map(({ aside }) => aside)).toEqual([
      undefined,
      undefined,
      'branch-left',
      'branch-left',
      undefined,
    ]);
  });

  test('what lies before a context that was cleared was said, and is not seen any more', () => {
    const before = [user('u1', null, 'first'), answer('a1', 'u1', 'one')];
    const cleared = ['compacted', 'compacted', undefined];
    const plan = 'Implement the following plan:\n\n# Export';
    expect(asides(...before, hook('SessionStart:clear'), user('u2', 'SessionStart:clear', 'again'))).toEqual(
      cleared,
    );
    expect(asides(...before, user('u2', null, plan))).toEqual(cleared);
    expect(asides(...before, user('u2', null, 'instead'))).toEqual(['branch-left', 'branch-left', undefined]);
  });

  test('an answer whose parent was left out follows what waits for it, and not the newest answer of another', () => {
    const { steps } = read(
      bytesOf(
        user('u1', null, 'first'),
        answer('a1', 'u1', [call('c')]),
        user('u2', 'a1', 'meanwhile'),
        user('r', 'a1', [result('c')]),
        answer('b', 'u2', 'of the other'),
        answer('a2', 'left out', 'done'),
      ),
    );
    expect(steps.map(({ text, aside }) => [text, aside])).toEqual([
      ['first', undefined],
      ['', undefined],
      ['meanwhile', 'branch-left'],
      ['of the other', 'branch-left'],
      ['done', undefined],
    ]);
  });

  test('a parent that comes after its child is found', () => {
    const { steps } = read(
      bytesOf(
        user('u1', null, 'root'),
        user('x', null, 'other root'),
        answer('a', 'late', 'child'),
        user('late', 'u1', 'parent'),
        user('z', 'a', 'leaf'),
      ),
    );
    expect(steps.filter(({ aside }) => aside !== undefined).map(({ text }) => text)).toEqual(['other root']);
  });

  test('what the program said after calls made at once is not left', async () => {
    const { steps } = read((await captured(fixture('calls-at-once.jsonl'))).records);
    expect(steps.filter(({ aside }) => aside !== undefined)).toEqual([]);
  });

  test('what an older compaction preserved is gone after a newer one', () => {
    const { steps } = read(
      bytesOf(
        user('u1', null, 'one'),
        boundary('s1', 'u1', 'u1'),
        user('u2', 's1', 'two'),
        boundary('s2', 'u2', 'u2'),
        user('u3', 's2', 'three'),
      ),
    );
    expect(steps.map(({ aside }) => aside)).toEqual([
      'compacted',
      'compacted',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a summary without a boundary is a compaction of its own', () => {
    const { steps } = read(bytesOf(user('u', null, 'All of it.', { isCompactSummary: true })));
    expect(steps).toMatchObject([{ source: 'system', mark: 'compaction', text: 'All of it.' }]);
  });

  test('a compaction that names only a segment preserves what lies in it', () => {
    const compactMetadata = { preservedSegment: { headUuid: 'u2', tailUuid: 'a2' } };
    const { steps } = read(
      bytesOf(
        user('u1', null, 'a'),
        answer('a1', 'u1', 'b'),
        user('u2', 'a1', 'c'),
        answer('a2', 'u2', 'd'),
        {
          type: 'system',
          subtype: 'compact_boundary',
          uuid: 's',
          parentUuid: null,
          logicalParentUuid: 'a2',
          compactMetadata,
        },
      ),
    );
    expect(steps.map(({ aside }) => aside)).toEqual([
      'compacted',
      'compacted',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('parents in a circle end the way back', () => {
    const { steps } = read(
      bytesOf(user('u1', 'u3', 'a'), user('u2', 'u1', 'b'), user('u3', 'u2', 'c'), user('x', 'x', 'd')),
    );
    expect(steps).toHaveLength(4);
  });

  test('a record that is there already counts as repeated', () => {
    const { steps, omissions } = read(bytesOf(user('u', null, 'a'), user('u', null, 'a')));
    expect([steps.length, counts(omissions)]).toEqual([1, { 'repeated-record': 1 }]);
  });

  test('another agent in the same file is no part of the conversation', () => {
    const { steps, omissions } = read(
      bytesOf(user('u', null, 'a'), user('v', null, 'b', { isSidechain: true }), answer('a', 'u', 'c')),
    );
    expect(steps.map(({ text, aside }) => [text, aside])).toEqual([
      ['a', undefined],
      ['c', undefined],
    ]);
    expect(counts(omissions)).toEqual({ 'subagent-inline': 1 });
  });

  test('unknown records keep their place in the chain and are counted', () => {
    const { steps, omissions } = read(
      bytesOf(user('u', null, 'a'), { type: 'new-kind', uuid: 'n', parentUuid: 'u' }, answer('a', 'n', 'b'), {
        type: 'other',
      }),
    );
    expect(steps.map(({ aside }) => aside)).toEqual([undefined, undefined]);
    expect(counts(omissions)).toEqual({ 'unknown-record': 2 });
  });
});
