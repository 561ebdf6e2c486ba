/** Addresses and texts that cannot be what was meant. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { sandboxed } from '../support/sandboxed.ts';
import { contentOf, home, launcher, node } from './command.ts';
import { outcomeOf, wanted, type Refusal } from './refusal.ts';
import { asCode, stages } from './stage.ts';

const refusals: readonly Refusal[] = [
  {
    title: 'an offer to a person',
    args: ({ task }) => ['handoff', task, '--to', 'human', ...asCode],
    exit: 2,
    code: 'usage',
    says: /"human" is a word for a person\.\n {2}.*staffetta escalate TASK --why/,
  },
  {
    title: 'a kind of address that is nearly one',
    args: ({ task }) => ['handoff', task, '--to', 'lan:audit', ...asCode],
    exit: 2,
    code: 'usage',
    says: /"lan:audit" is no address\.\n {2}Did you mean: lane:audit\. Allowed: agent:NAME/,
  },
  {
    title: 'a runtime that is nearly one',
    args: ({ task }) => ['handoff', task, '--to', 'runtime:codx', ...asCode],
    exit: 2,
    code: 'usage',
    says: /runtime:codx is not a runtime.*\n {2}Did you mean: runtime:codex/,
  },
  {
    title: 'speaking from a runtime that is nearly one',
    args: () => ['take', '--runtime', 'codx', ...asCode],
    exit: 2,
    code: 'usage',
    says: /--runtime codx is not a runtime.*\n {2}Did you mean: --runtime codex/,
  },
  {
    title: 'two lanes at once',
    args: ({ task }) => ['handoff', task, '--to', 'lane:audit', '--to-lane', 'plan', ...asCode],
    exit: 2,
    code: 'usage',
    says: /--to lane:audit and --to-lane plan contradict each other\.\n {2}Leave --to-lane out/,
  },
  {
    title: 'a reviewer that is nearly a person',
    args: () => ['open', 'x', '--review', 'humna'],
    exit: 2,
    code: 'usage',
    says: /Did you mean human\?\n {2}Write human, or agent:humna/,
  },
  {
    title: 'a question for a person by name',
    args: ({ task }) => ['decide', task, 'Oak?', '--ask', '--owner', 'human', ...asCode],
    exit: 2,
    code: 'usage',
    says: /word for a person\.\n {2}Leave it out: a question without an owner is for a person/,
  },
  {
    title: 'a text with bytes that were not UTF-8',
    args: ({ task }) => ['note', task, 'caf\ufffd', ...asCode],
    exit: 2,
    code: 'usage',
    says: /TEXT holds bytes that are not UTF-8\.\n {2}Convert the text/,
  },
  {
    title: 'an option with bytes that were not UTF-8',
    args: ({ task }) => ['checkpoint', task, '--done', 'one', '--done', 'caf\ufffd', ...asCode],
    exit: 2,
    code: 'usage',
    says: /--done holds bytes that are not UTF-8/,
  },
  {
    title: 'a goal that should come on stdin and does not',
    args: () => ['open', '-'],
    options: { stdin: '\n' },
    exit: 2,
    code: 'usage',
    says: /Nothing came on stdin\.\n {2}Pipe the text/,
  },
  {
    title: 'a goal beyond the limit',
    args: () => ['open', '-'],
    options: { stdin: 'x'.repeat(33_000) },
    exit: 2,
    code: 'invalid-input',
    says: /goal: expected at most 32768 bytes; put longer content into a file and name its path/,
  },
  {
    title: 'a beginning of an id that is too short',
    args: ({ task }) => ['show', task.slice(0, 2)],
    exit: 3,
    code: 'unknown-task',
    says: /is not the beginning of a task's id\.\n {2}.*four characters of it or more/,
  },
  {
    title: 'a need that the contract does not have',
    args: ({ task }) => ['amend', task, '--drop-need', task, '--why', 'x'],
    exit: 2,
    code: 'usage',
    says: /does not need t\S+\.\n {2}It needs no other task/,
  },
];

describe('refused with what was meant', () => {
  test.each(refusals)('$title', async (refusal) => {
    expect(await outcomeOf(refusal)).toEqual(wanted(refusal));
  });
});

test('bytes that are not UTF-8 are never stored as something else', async () => {
  const { folder, store, task } = await stages.held();
  const before = contentOf(store);
  const script = `exec "$0" "$1" note ${task} "$(printf 'caf\\351')" --as code`;
  const ran = spawnSync('sh', ['-c', script, node, launcher], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...sandboxed },
    encoding: 'utf8',
  });
  expect(ran.stderr).toContain('TEXT holds bytes that are not UTF-8.');
  expect(ran.status).toBe(2);
  expect(contentOf(store)).toBe(before);
});
