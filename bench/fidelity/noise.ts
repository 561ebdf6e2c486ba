/**
 * What a session is mostly made of: narration, small talk, code and output. Much of it looks like what a successor must know and is not:
 * logs that forbid, warnings that decide, narration that announces, questions, and rules inside pasted files.
 */
import type { Random } from '../../test/redaction/kinds.ts';

const files = [
  'src/import.ts',
  'src/queue/worker.ts',
  'lib/cache.py',
  'cmd/serve.go',
  'app/routes.tsx',
  'test/import.test.ts',
  'src/audit.ts',
  'internal/store.rs',
];
const verbs = ['parse', 'flush', 'read', 'with', 'open', 'render', 'next', 'load', 'merge', 'count'];
const nouns = ['Row', 'Queue', 'Header', 'Retry', 'Shard', 'Table', 'Cursor', 'Batch', 'Lock', 'Page'];

const narration = [
  'Let me look at {file} first.',
  "Now I'll run the tests.",
  'The tests around {name} pass.',
  'I see the problem: {name} returns before the stream is closed.',
  'Reading {file} to understand how {name} is called.',
  'That explains why the count is off by one.',
  'Good, the output looks right.',
  "I'll update the imports of {name} next.",
  'The build fails because {name} is not exported.',
  'Fixed: {name} now checks the length before it reads.',
  'This function is called from three places because the router mounts it twice.',
  'Let me check whether {name} handles an empty list.',
  'I used a Map in {name} so that lookups stay cheap.',
  'All tests of {name} pass after the change.',
  'The type error in {name} is gone.',
  '{name} in {file} already does most of this.',
  'I added a test for the empty case.',
  'Running the linter to be sure.',
  'The error comes from {file}, line 88.',
  "I'll rename the variable to make this clearer.",
  'Let me try that again with the flag set.',
  'There are two callers of {name} left to look at.',
  'This is the same bug as before in {name}, in another place.',
  'Looking at the log, the request never reaches {name}.',
  'The change is small: one condition in {file}.',
  'Here is what {name} does: it reads a row, checks it and puts it into the batch.',
  'I will now write the new version of {file}.',
  'Interesting: the test of {name} fails only when it runs alone.',
  'The cache is filled lazily, so the first call is slow.',
  'I moved {name} to its own file.',
  'No other file mentions {name}.',
  'It compiles now, so on to the test.',
  'I need to check how {name} treats a missing header.',
  'The fixture did not have a trailing newline, which is why the parser complained.',
  'That worked for {name}.',
  'Next, let me open {file}.',
  'I kept the signature of {name} as it was.',
  '{name} waits for the lock before it writes, as it should.',
  'The docs for {name} were out of date, so I corrected them.',
  'Now the diff of {file} is down to twelve lines, and {name} is gone.',
];

/** Narration by a grammar, with reasons, contrasts and negations as real narration has them. */
const openings = [
  'The caller',
  'This branch',
  'The second loop',
  'The fixture',
  '{name}',
  'The handler',
  'The mock',
  'The new overload',
  'The regression',
  'That import',
  'The helper in {file}',
  'The migration script',
  'Each worker',
  'The old snapshot',
  'The loader',
];
const middles = [
  'passes the offset twice',
  'skips the header',
  'keeps a reference to the buffer',
  'never sees the last chunk',
  'is not covered yet',
  'expects a sorted list',
  'returns early',
  'does not close the handle',
  'swallows the exception',
  'still points at the old path',
  'uses the wrong encoding',
  'needs the flag as well',
  'was written before the rename',
  'should be a constant',
  'cannot be undefined here',
  'takes the slow path',
  'has one caller too many',
  'fails on an empty string',
];
const tails = [
  '',
  '',
  ', so the count is off by one',
  ' because the header is optional',
  ', but only on the second run',
  ' since the cache is warm',
  ', which is why the assertion trips',
  ', not the other way round',
  ' until the lock is released',
  ': see line 40 of {file}',
  ' instead of the parsed value',
  ', as the comment says',
  ' when the list is empty',
  ' rather than the copy',
  ', and that is fine',
];

const smallTalk = [
  'ok',
  'thanks, go on',
  'looks good',
  'yes',
  'continue',
  'nice, keep going',
  'run the tests of {name} again',
  'now fix the lint errors in {name}',
  'show me the diff',
  'what does {name} do?',
  'why is {file} so slow?',
  'hm, that output looks odd',
  'and the other test?',
  'fix the failing test in {file}',
  'try it once more',
  'good catch',
  'I had lunch in between, where were we?',
  'can you explain the last change?',
  'is {name} still used anywhere?',
  'commit that',
  'that was quick',
  'rename {name} to something better',
  'the build is red again, have a look at {file}',
  'ok do that',
  'please print the whole file',
  'interesting, I did not know that',
];

const logLines = [
  '2026-03-01T10:22:33Z WARN  you must not use the legacy option in production',
  '2026-03-01T10:22:34Z INFO  decision: cache miss, going with the fallback instead of the replica',
  'npm WARN deprecated glob@7.2.3: never use this version, it is no longer supported',
  '[ERROR] blocked by policy: waiting for approval from the gateway',
  '  at Object.{name} ({file}:88:13)',
  'error: do not edit this file, it is generated',
  '10:22:35 DEBUG next step: retry in 500 ms because the socket closed',
  'FAIL {file} > {name} > keeps the last row',
  'PASS {file} (42 tests)',
  '  "goal": "reduce the number of open handles",',
  '| {name} | 120 ms | out of scope |',
  'warning: unused variable `{name}` must be removed before release',
  '{file}:12:3: error: the review owner is missing',
  '+  // This is done when all rows were read; never call it twice.',
  '-  throw new Error("acceptance failed: the token has expired");',
  'E   AssertionError: expected 3 to be 4',
  'hint: tried 5 mirrors without success, giving up on the first',
  '  const {name} = rows.filter((row) => row.length > 0);',
  'container-1  | Next action: drain the queue',
  'Traceback (most recent call last):',
];

const codeBlock = [
  '```ts',
  '// Never change this order: the reader depends on it.',
  'export function {name}(rows: string[]): number {',
  '  // The goal is to count only what has a header.',
  '  return rows.filter((row) => row !== "").length;',
  '}',
  '```',
];

const quotation = [
  'The README of the vendor says this:',
  '> You must not call {name} more than once a second. Reviewer: the vendor.',
];

export class Noise {
  readonly #random: Random;
  readonly #remarks: readonly string[];

  /** `remarks` are sentences of others that half of the narration is made of. */
  constructor(random: Random, remarks: readonly string[] = []) {
    this.#random = random;
    this.#remarks = remarks;
  }

  #pick(list: readonly string[]): string {
    return this.#filled(list[this.#random.below(list.length)] ?? '');
  }

  #filled(text: string): string {
    return text
      .replaceAll('{file}', () => files[this.#random.below(files.length)] ?? '')
      .replaceAll('{name}', () => this.#name());
  }

  /** Thousands of them, so that narration seldom repeats itself word for word. */
  #name(): string {
    const verb = verbs[this.#random.below(verbs.length)] ?? '';
    return `${verb}${nouns[this.#random.below(nouns.length)] ?? ''}${this.#random.below(40)}`;
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  /** Sentences of an agent between its calls. */
  narration(sentences: number): string[] {
    return Array.from({ length: sentences }, () =>
      this.#remarks.length > 0 && this.#chance(50)
        ? (this.#remarks[this.#random.below(this.#remarks.length)] ?? '')
        : this.#chance(40)
          ? `${this.#pick(openings)} ${this.#pick(middles)}${this.#pick(tails)}.`
          : this.#pick(narration),
    );
  }

  /** A message of a user that says nothing that lasts; now and then with something pasted. */
  user(): string {
    const said = this.#pick(smallTalk);
    if (this.#chance(12)) return `${said}\n\n${this.log(6)}`;
    return this.#chance(5) ? `${said}\n\n${quotation.map((line) => this.#filled(line)).join('\n')}` : said;
  }

  code(): string {
    return codeBlock.map((line) => this.#filled(line)).join('\n');
  }

  log(lines: number): string {
    return Array.from({ length: lines }, () => this.#pick(logLines)).join('\n');
  }

  /** What a tool printed. */
  output(): string {
    return this.log(4 + this.#random.below(this.#chance(10) ? 200 : 30));
  }

  file(): string {
    return files[this.#random.below(files.length)] ?? '';
  }
}
