import { expect, test } from 'vitest';
import needed from '../../../bin/needed.cjs';
import { isStaffettaError } from '../../core/base/error.ts';
import { refuseOldSqlite } from './needed-version.ts';

const [major = 0, minor = 0, patch = 0] = needed.sqlite.split('.').map(Number);

test.each([
  needed.sqlite,
  `${major}.${minor}.${patch + 1}`,
  `${major}.${minor + 1}.0`,
  `${major}.100.0`,
  `${major + 1}.0.0`,
])('SQLite %s will do', (version) => {
  expect(() => refuseOldSqlite(version)).not.toThrow();
});

test.each([
  `${major}.${minor}.${patch - 1}`,
  `${major}.${minor}`,
  `${major}.${minor - 1}.99`,
  `${major}.9.9`,
  `${major - 1}.99.99`,
])('SQLite %s is refused, with its number, the one needed, and the Nodes that carry it', (version) => {
  expect(() => refuseOldSqlite(version)).toThrow(
    expect.toSatisfy(
      (error) =>
        isStaffettaError(error, 'store-unsupported') &&
        error.message.includes(`runs SQLite ${version}; before ${needed.sqlite}`) &&
        needed.carriers.every((carrier) => error.hint?.includes(carrier)),
    ),
  );
});

test('a Node without SQLite is refused as such', () => {
  expect(() => refuseOldSqlite(undefined)).toThrow(/has no SQLite/);
});
