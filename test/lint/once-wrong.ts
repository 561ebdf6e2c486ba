/** Sentences that a rule once judged wrongly, by rule: what it let through, and what it held up. */
import { labels, type Label } from './label.ts';

export const onceWrong: Readonly<Record<string, readonly Label[]>> = {
  'tests-unproven': [
    ...labels(true, [
      'all tests pass, no regressions',
      'make test passes',
      'Step 1 of 3 is finished and all tests pass',
      'All tests pass when run on node 24',
      'The tests were failing; they now pass',
      'npm test exits 0',
      'fixed the failing tests, all green',
    ]),
  ],
  'placeholder-text': [
    ...labels(false, [
      'behaviour of the public API is the same as before',
      'make the placeholder of the search box read Search',
      'the template engine replaces {{name}}',
      'empty cells are printed as n/a',
      'remove the lorem ipsum from the landing page',
      'coming soon page is live at /soon',
      'foobar.ts is renamed',
    ]),
  ],
  'imperative-in-data': [
    ...labels(false, [
      'pagination takes skip and limit, with tests',
      'send the refresh token in an httpOnly cookie',
      'added a flag to skip the slow tests',
      'login must never ask the user twice',
      'disable submit button until validation passes',
      'override the default lint rules in src',
      'approval is not needed for drafts',
    ]),
  ],
  'goal-vague': [
    ...labels(true, [
      'Everything works as it should and users are happy with the result',
      'The auth system is in a good and robust state that everyone likes',
      'Do whatever is needed so that the release can be shipped next week',
    ]),
    ...labels(false, [
      'Admins can delete users',
      'Passwords are hashed with argon2id',
      'Dark mode follows the system setting',
      'Upgrade React from 18 to 19',
      'The CSV export supports semicolons as separator',
      'Die Anmeldung lehnt abgelaufene Passwörter ab',
      '管理者はユーザーを削除できる',
    ]),
  ],
  'no-changes-contradicted': [
    ...labels(false, [
      'fixed the parser in src/limit.ts, no changes needed in the router',
      'no changes were made to the schema',
      'nothing was changed in the public API',
      'did not touch any files outside src',
    ]),
  ],
  'next-action': [
    ...labels(true, [
      'write the parser, run the tests, update the docs and deploy',
      'fix the parser. Write docs. Deploy.',
    ]),
    ...labels(false, [
      'make the error either a 404 or a 410, as the spec says',
      'check whether a or b or c is null in src/limit.ts',
      'rebase',
      'deploy',
    ]),
  ],
  'path-absent': [
    ...labels(true, ['the address parser in src/nope.ts is finished']),
    ...labels(false, ['merge release/2.x into main', 'open a pull request at github.com/acme/app.git']),
  ],
};
