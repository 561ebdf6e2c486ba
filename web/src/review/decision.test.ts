import { describe, expect, test } from 'vitest';
import type { LineComment } from '../diff/comment.ts';
import { carried, withComment } from '../diff/comment.ts';
import { parseDiff } from '../../../src/core/diff/parse.ts';
import {
  approvalOf,
  changedBetween,
  changedFrom,
  findingsOf,
  Keys,
  needsReason,
  sentBack,
  together,
  withBlanks,
} from './decision.ts';
import { read } from './drafts.ts';

const digest = (letter: string) => `sha256:${letter.repeat(64)}` as const;
const binds = { packet: digest('a'), contract: digest('b'), diff: digest('c'), findings: null };
const comment: LineComment = { path: 'src/a.ts', side: 'new', line: 4, quote: 'x', text: 'Off by one.' };

describe('remarks', () => {
  test('are written, changed and taken away by their place', () => {
    const one = withComment([], comment, 'first');
    const two = withComment(one, { ...comment, side: 'old' }, 'second');
    expect(two.map(({ text }) => text)).toEqual(['first', 'second']);
    expect(withComment(two, comment, 'changed').map(({ text }) => text)).toEqual(['changed', 'second']);
    expect(withComment(two, comment, '  ').map(({ text }) => text)).toEqual(['second']);
    expect(withComment(one, { ...comment, line: 9 }, '')).toBe(one);
  });

  test('go along with their line into another diff', () => {
    const diff = parseDiff(
      'diff --git a/src/a.ts b/src/a.ts\n@@ -1,2 +1,4 @@\n same\n+new\n+x\n-twice\n+twice\n',
    );
    const moved = carried(
      [
        comment,
        { ...comment, line: 1, quote: 'same' },
        { ...comment, line: 7, quote: 'gone' },
        { ...comment, path: 'other.ts' },
      ],
      diff,
    );
    expect(moved.map(({ line }) => line)).toEqual([3, 1, 7, 4]);
  });

  test('of two drafts are all there in both together', () => {
    const a = { comments: [comment], remark: 'One.', why: 'Good.' };
    const b = {
      comments: [
        { ...comment, text: 'Again.' },
        { ...comment, line: 5 },
      ],
      remark: 'Two.',
      why: '',
    };
    expect(together(a, b)).toEqual({
      comments: [
        { ...comment, text: 'Off by one.\n\nAgain.' },
        { ...comment, line: 5 },
      ],
      remark: 'One.\n\nTwo.',
      why: 'Good.',
    });
    expect(together(a, a)).toEqual(a);
    expect(together({ comments: [], remark: '', why: '' }, a)).toEqual(a);
  });

  test('that were kept in another shape are not taken for remarks', () => {
    expect(read(null)).toEqual({ comments: [], remark: '', why: '' });
    expect(read({ comments: [], remark: '', why: 'Good.' })).toMatchObject({ why: 'Good.' });
    expect(read({ comments: [comment, { path: 1 }, null], remark: 3 })).toEqual({
      comments: [comment],
      remark: '',
      why: '',
    });
  });
});

describe('a decision', () => {
  test('sends each remark as a finding, of a removed line with its old number and side', () => {
    const draft = {
      comments: [comment, { ...comment, side: 'old', line: 9, quote: '  old()', text: 'Why? ' } as const],
      remark: ' Too large. ',
    };
    expect(findingsOf(draft)).toEqual([
      { text: 'Too large.' },
      { path: 'src/a.ts', line: 4, text: 'Off by one.' },
      { path: 'src/a.ts', line: 9, side: 'old', text: 'Why?' },
    ]);
    expect(sentBack(binds, { ...draft, comments: [] }, 'lane:plan')).toEqual({
      approve: false,
      binds,
      findings: [{ text: 'Too large.' }],
      to: 'lane:plan',
    });
  });

  test('to approve takes along what was remarked, below the reason', () => {
    const draft = {
      comments: [comment, { ...comment, side: 'old', line: 9, text: 'Keep it.' } as const],
      remark: ' Tests next time. ',
    };
    expect(approvalOf(binds, ' good ', draft)).toEqual({
      approve: true,
      binds,
      why: 'good\n\nTests next time.\n\nsrc/a.ts:4: Off by one.\n\nsrc/a.ts:-9: Keep it.',
    });
    expect(approvalOf(binds, '', { comments: [comment], remark: '' })).toMatchObject({
      why: 'src/a.ts:4: Off by one.',
    });
    expect(approvalOf(binds, ' ')).toEqual({ approve: true, binds });
  });

  test('has a command that can be read before anything is said', () => {
    const nothing = { comments: [], remark: '' };
    expect(withBlanks(sentBack(binds, nothing, ''), false)).toMatchObject({ findings: [{ text: 'TEXT' }] });
    expect(withBlanks(sentBack(binds, { ...nothing, remark: 'No.' }, ''), false)).toMatchObject({
      findings: [{ text: 'No.' }],
    });
    expect(withBlanks(approvalOf(binds, ''), true)).toMatchObject({ why: 'TEXT' });
    expect(withBlanks(approvalOf(binds, ''), false)).toEqual(approvalOf(binds, ''));
    expect(withBlanks(approvalOf(binds, 'good'), true)).toMatchObject({ why: 'good' });
  });

  test('needs a reason over warnings and errors, not over notes', () => {
    expect(needsReason([{ severity: 'note' }])).toBe(false);
    expect(needsReason([{ severity: 'note' }, { severity: 'warning' }])).toBe(true);
    expect(needsReason([{ severity: 'error' }])).toBe(true);
  });

  test('has one key however often it is sent, and another decision has another', () => {
    let made = 0;
    const keys = new Keys(() => `key-${(made += 1)}`);
    const body = approvalOf(binds, 'good');
    expect(keys.of('t1', body)).toBe('key-1');
    expect(keys.of('t1', approvalOf({ ...binds }, ' good '))).toBe('key-1');
    expect(keys.of('t1', approvalOf(binds, 'better'))).toBe('key-2');
    expect(keys.of('t2', body)).toBe('key-3');
    expect(keys.of('t1', body)).toBe('key-1');
  });
});

describe('what changed', () => {
  test('is told by part', () => {
    const now = { ...binds, packet: digest('d'), findings: digest('e') };
    const changed = [
      { part: 'packet', looked: binds.packet, now: now.packet },
      { part: 'findings', looked: null, now: now.findings },
    ];
    expect(changedBetween(binds, now)).toEqual(changed);
    expect(changedFrom({ changed })).toEqual(changed);
  });

  test('is nothing where a refusal does not say', () => {
    expect(changedFrom(undefined)).toEqual([]);
    expect(changedFrom({ changed: ['packet', { part: 'weather' }, null] })).toEqual([]);
  });
});
