/** Every refusal says what was wrong and what to do, changes nothing, and has its code and exit code. */
import { describe, expect, test } from 'vitest';
import { contentOf, staffetta, type RunOptions } from './command.ts';
import { asCode, stages, type Stage } from './stage.ts';

interface Refusal {
  readonly title: string;
  readonly stage?: () => Promise<Stage>;
  readonly args: (stage: Stage) => readonly string[];
  readonly options?: RunOptions;
  readonly exit: number;
  readonly code: string;
  /** What was wrong, and what to do. */
  readonly says: RegExp;
}

const refusals: readonly Refusal[] = [
  {
    title: 'a command that is nearly one',
    args: () => ['hnadoff'],
    exit: 2,
    code: 'usage',
    says: /no command "hnadoff"\.\n {2}Did you mean: staffetta handoff/,
  },
  {
    title: 'a command by another tool’s name',
    args: () => ['list'],
    exit: 2,
    code: 'usage',
    says: /Did you mean: staffetta ls/,
  },
  {
    title: 'an option that is nearly one',
    args: () => ['ls', '--limt', '3'],
    exit: 2,
    code: 'usage',
    says: /no option --limt\.\n {2}Did you mean --limit\?/,
  },
  {
    title: 'an option without its value',
    args: () => ['ls', '--limit'],
    exit: 2,
    code: 'usage',
    says: /--limit needs a value/,
  },
  {
    title: 'a lane that is nearly one',
    args: ({ task }) => ['handoff', task, '--to', 'lane:audti', ...asCode],
    exit: 2,
    code: 'usage',
    says: /no lane "audti"\.\n {2}Did you mean: lane:audit/,
  },
  {
    title: 'a status that is nearly one',
    args: () => ['ls', '--status', 'hled'],
    exit: 2,
    code: 'usage',
    says: /no status "hled"\.\n {2}Did you mean: held/,
  },
  {
    title: 'a missing text',
    args: ({ task }) => ['note', task, ...asCode],
    exit: 2,
    code: 'usage',
    says: /note needs TEXT besides the task\.\n {2}See: staffetta note --help/,
  },
  {
    title: 'a task that is an empty string, which a variable that was not set leaves',
    args: () => ['cancel', '', '--why', 'x', ...asCode],
    exit: 2,
    code: 'usage',
    says: /TASK is empty/,
  },
  {
    title: 'a lease that is too long',
    args: ({ task }) => ['renew', task, '--lease', '40d', ...asCode],
    exit: 2,
    code: 'invalid-input',
    says: /out of range/,
  },
  {
    title: 'a text beyond the limit',
    args: ({ task }) => ['note', task, 'x'.repeat(40_000), ...asCode],
    exit: 2,
    code: 'invalid-input',
    says: /at most 32768 bytes/,
  },
  {
    title: 'a packet beyond the limit',
    args: ({ task }) => ['checkpoint', task, '--claims', '-', ...asCode],
    options: { stdin: JSON.stringify({ done: Array.from({ length: 60 }, () => 'x'.repeat(30_000)) }) },
    exit: 2,
    code: 'too-large',
    says: /more than the 1048576 bytes.*\n {2}Send long content with --transcript/,
  },
  {
    title: 'claims that are not JSON',
    args: ({ task }) => ['checkpoint', task, '--claims', '-', ...asCode],
    options: { stdin: '{"done": [' },
    exit: 2,
    code: 'invalid-input',
    says: /stdin is not JSON: .*\n {2}An object with any of: done, doing/,
  },
  {
    title: 'claims with a field nobody knows',
    args: ({ task }) => ['checkpoint', task, '--claims', '-', ...asCode],
    options: { stdin: '{"dnoe": ["x"]}' },
    exit: 2,
    code: 'invalid-input',
    says: /claims: unknown field dnoe/,
  },
  {
    title: 'claims of the wrong shape',
    args: ({ task }) => ['checkpoint', task, '--claims', '-', ...asCode],
    options: { stdin: '{"done": "all"}' },
    exit: 2,
    code: 'invalid-input',
    says: /claims: done: expected a list/,
  },
  {
    title: 'a text that is not UTF-8',
    args: ({ task }) => ['note', task, '-', ...asCode],
    options: { stdin: Uint8Array.of(0x61, 0xff, 0xfe) },
    exit: 2,
    code: 'invalid-input',
    says: /stdin is not UTF-8 text\.\n {2}Convert it, or send it with --transcript/,
  },
  {
    title: 'a transcript that is not there',
    args: ({ task }) => ['checkpoint', task, '--transcript', '/nowhere/at/all', ...asCode],
    exit: 2,
    code: 'invalid-input',
    says: /cannot be read: there is no such file/,
  },
  {
    title: 'a transcript that is a folder',
    args: ({ task, folder }) => ['checkpoint', task, '--transcript', folder, ...asCode],
    exit: 2,
    code: 'invalid-input',
    says: /is a folder, not a file/,
  },
  {
    title: 'a transcript that never ends',
    args: ({ task }) => ['checkpoint', task, '--transcript', '/dev/zero', ...asCode],
    exit: 2,
    code: 'invalid-input',
    says: /is a device, which may never end/,
  },
  {
    title: 'control characters in a name',
    args: () => ['take', '--as', 'co\u0007de'],
    exit: 2,
    code: 'usage',
    says: /--as takes a name, not "co\\u0007de"\.\n {2}A name has/,
  },
  {
    title: 'control characters in a title',
    args: () => ['open', 'x', '--title', 'a\u001b[31mb'],
    exit: 2,
    code: 'invalid-input',
    says: /title: expected one line without control characters/,
  },
  {
    title: 'a need that does not exist',
    args: () => ['open', 'x', '--need', 'tzzzzzzzzzzzz'],
    exit: 3,
    code: 'unknown-task',
    says: /There is no task tzzzzzzzzzzzz/,
  },
  {
    title: 'a packet that is not of this task',
    args: ({ task }) => ['show', task, '--packet', `sha256:${'0'.repeat(64)}`],
    exit: 3,
    code: 'unknown-packet',
    says: /has no packet.*\n {2}Its packets are listed by: staffetta log/,
  },
  {
    title: 'a question nobody asked',
    args: ({ task }) => ['decide', task, 'yes', '--answer', '7'],
    exit: 3,
    code: 'unknown-decision',
    says: /no open question 7/,
  },
  {
    title: 'the holder’s work done by another',
    args: ({ task }) => ['note', task, 'hello', '--as', 'other'],
    exit: 4,
    code: 'not-holder',
    says: /held by code, not by other\.\n {2}Only the holder may do this/,
  },
  {
    title: 'an offer to another lane',
    stage: stages.handedOff,
    args: ({ task }) => ['take', task, '--as', 'other', '--lane', 'execute'],
    exit: 4,
    code: 'not-addressed',
    says: /offered to lane:audit in the audit lane, which other is not/,
  },
  {
    title: 'approval by the author',
    stage: stages.submitted,
    args: ({ task }) => ['review', task, '--approve', '--as', 'code'],
    exit: 4,
    code: 'author-review',
    says: /cannot approve it\.\n {2}Somebody else/,
  },
  {
    title: 'a task that another holds',
    args: ({ task }) => ['take', task, '--as', 'other'],
    exit: 5,
    code: 'held',
    says: /held by code until \d{4}-.*Z\.\n {2}Wait for it/,
  },
  {
    title: 'a generation that is over',
    args: ({ task }) => ['note', task, 'hello', '--generation', '9', ...asCode],
    exit: 5,
    code: 'stale-generation',
    says: /Generation 9 .* held by code until .*\n {2}Stop working/,
  },
  {
    title: 'carrying what nobody took',
    stage: stages.offered,
    args: ({ task }) => ['note', task, 'hello', '--as', 'other'],
    exit: 5,
    code: 'wrong-state',
    says: /Nobody holds task .*: it is on offer to anyone in the execute lane\.\n {2}Take it first/,
  },
  {
    title: 'a verdict on something else than what is submitted',
    stage: stages.submitted,
    args: ({ task }) => ['review', task, '--approve', '--packet', `sha256:${'0'.repeat(64)}`],
    exit: 5,
    code: 'review-stale',
    says: /changed since it was looked at/,
  },
  {
    title: 'an offer declined after it was acknowledged',
    args: ({ task }) => ['decline', task, '--reason', 'no', ...asCode],
    exit: 5,
    code: 'wrong-state',
    says: /hand it off or fail it instead/,
  },
  {
    title: 'a handoff before the acknowledgement',
    stage: stages.taken,
    args: ({ task }) => ['handoff', task, '--to', 'anyone', ...asCode],
    exit: 6,
    code: 'not-acknowledged',
    says: /not acknowledged\.\n {2}Restate goal, gate and next action first/,
  },
  {
    title: 'a malformed STAFFETTA_LEG',
    args: () => ['note', 'x', ...asCode],
    options: { env: { STAFFETTA_LEG: 'nonsense' } },
    exit: 2,
    code: 'usage',
    says: /STAFFETTA_LEG should be TASK\/GENERATION, not "nonsense"/,
  },
  {
    title: 'a malformed STAFFETTA_LANE',
    args: () => ['take'],
    options: { env: { STAFFETTA_LANE: 'excute' } },
    exit: 2,
    code: 'usage',
    says: /STAFFETTA_LANE takes one of .*\n {2}Did you mean: execute/,
  },
  {
    title: 'a malformed STAFFETTA_AS',
    args: () => ['take'],
    options: { env: { STAFFETTA_AS: 'two words' } },
    exit: 2,
    code: 'usage',
    says: /STAFFETTA_AS takes a name, not "two words"/,
  },
  {
    title: 'a store of a kind that does not exist',
    args: () => ['ls'],
    options: { env: { STAFFETTA_STORE: 'mongodb://somewhere' } },
    exit: 1,
    code: 'store-unsupported',
    says: /no store for mongodb:\/\/.*\n {2}Use a file path/,
  },
  {
    title: 'a store that is a folder',
    args: ({ folder }) => ['ls', '--store', folder],
    exit: 1,
    code: 'store-io',
    says: /is a folder; a store is a file\.\n {2}Name the file: --store .*store\.db/,
  },
  {
    title: 'a backup onto something that is there',
    args: ({ store }) => ['backup', store],
    exit: 5,
    code: 'store-exists',
    says: /exists already; a backup never overwrites/,
  },
];

describe.concurrent('refused, with nothing changed', () => {
  test.each(refusals)('$title', async ({ stage, args, options, exit, code: refused, says }) => {
    const at = await (stage ?? stages.held)();
    const before = contentOf(at.store);
    const ran = await staffetta([...args(at), '--json'], { cwd: at.folder, ...options });
    expect(ran.json).toMatchObject({ error: { code: refused, message: expect.any(String) } });
    expect(ran.stderr).toMatch(says);
    expect(ran.status).toBe(exit);
    expect(contentOf(at.store)).toBe(before);
  });
});
