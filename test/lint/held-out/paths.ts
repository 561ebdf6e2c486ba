/** Sentences that name files, by where they stand. These exist: src/limit.ts, src/limit.test.ts, package.json, and the folder src. */
import { labels, type Label } from '../label.ts';

export const paths: Readonly<Record<'done' | 'doing' | 'remaining' | 'next', readonly Label[]>> = {
  done: [
    ...labels(true, [
      'the address book in src/book.ts is finished',
      'the newline bug in src/lines.ts is mended',
      'src/movies.ts sorts by year',
      'the copyright line of src/footer.ts is right',
      'added src/window.ts with the sliding window',
      'wrote the tests in src/window.test.ts',
      'the limiter in src/limits.ts counts requests',
      'the writer in src/writer.ts closes its file',
      'documented the header in docs/header.md',
      'created `window.ts`',
      'the generated client is in src/client/api.ts',
      'the new limiter is in src/core/limiter.ts',
    ]),
    ...labels(false, [
      'removed src/old.ts',
      'src/old.ts is gone',
      'renamed src/old.ts to src/limit.ts',
      'moved the limiter from lib/limit.js to src/limit.ts',
      'src/old.ts was deleted, src/limit.ts does its work',
      'merged feature/limits into release/2.1',
      'pushed to origin/fix-2.x',
      'the page is served from cdn.example.com/app/index.html',
      'the issue is at github.com/acme/limits.git',
      'reads application/vnd.api+json and text/html',
      'works on Node.js 22 and Deno/2.1',
      'the ratio of read/write.ops is measured',
      'src/limit.ts no longer imports lib/legacy.js',
      'cherry-picked from branch hotfix/1.4.x',
    ]),
  ],
  doing: [
    ...labels(true, ['the parser in src/pars.ts is half rewritten', 'half of src/windows.ts is typed']),
    ...labels(false, ['writing src/window.ts', 'splitting src/limit.ts into src/window.ts and src/clock.ts']),
  ],
  remaining: [
    ...labels(true, [
      'the header in src/limits.ts is not whole yet',
      'src/headers.ts still rounds down',
      'fix the address in src/address.ts',
    ]),
    ...labels(false, [
      'src/window.ts is to be written',
      'a test in src/window.test.ts is missing',
      'move the clock to src/clock.ts',
      'docs/limits.md does not exist yet',
    ]),
  ],
  next: [
    ...labels(true, [
      'fix the rounding in src/limiter.ts',
      'read docs/protocol.md before anything else',
      'make src/limits.test.ts:41 pass',
      'address the finding in src/limits.ts',
    ]),
    ...labels(false, [
      'write src/window.ts',
      'create docs/limits.md from the comments in src/limit.ts',
      'put the clock into a new file src/clock.ts',
      'merge release/3.x into main',
      'rebase onto origin/next.js-upgrade',
      'open a pull request at gitlab.com/acme/app.git',
      'generate src/api.d.ts from the schema',
      'extract the window of src/limit.ts into src/window.ts',
    ]),
  ],
};
