import { expect, test } from 'vitest';
import { inboxRows, type InboxItem } from './rows.ts';

const item = (task: string, kind: InboxItem['kind']): InboxItem =>
  ({ kind, task, since: 0, text: '' }) as unknown as InboxItem;

const shown = (all: readonly InboxItem[], writing?: InboxItem) =>
  inboxRows(all, writing === undefined ? undefined : inboxRows([writing], undefined)[0]).map(
    ({ task, kind, isGone }) => [task, kind, isGone],
  );

test('what somebody writes about stays where it is when it waits no longer, or in another way', () => {
  const [a, b] = [item('a', 'dead'), item('b', 'left')];
  expect(shown([a, b], a)).toEqual(shown([a, b]));
  for (const now of [[b], [item('a', 'failed'), b]])
    expect(shown(now, a)).toEqual([
      ['b', 'left', false],
      ['a', 'dead', true],
    ]);
});
