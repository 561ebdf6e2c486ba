import { expect, test } from 'vitest';
import needed from '../../../bin/needed.cjs';
import { isStaffettaError } from '../../core/base/error.ts';
import { isLogSafe, refuseLog, refuseUnusableNode } from './needed-version.ts';

const [major = 0, minor = 0, patch = 0] = needed.sqlite.split('.').map(Number);

test.each([
  needed.sqlite,
  `${major}.${minor}.${patch + 1}`,
  `${major}.${minor + 1}.0`,
  `${major}.100.0`,
  `${major + 1}.0.0`,
])('SQLite %s may keep a write-ahead log', (version) => {
  expect(isLogSafe(version)).toBe(true);
});

test.each([
  `${major}.${minor}.${patch - 1}`,
  `${major}.${minor}`,
  `${major}.${minor - 1}.99`,
  `${major}.9.9`,
  `${major - 1}.99.99`,
])('SQLite %s may not: with its number, the one needed, and the Nodes that carry it', (version) => {
  expect(() => refuseLog('store.db', version)).toThrow(
    expect.toSatisfy(
      (error) =>
        isStaffettaError(error, 'store-unsupported') &&
        error.message.includes(`runs SQLite ${version}: before ${needed.sqlite}`) &&
        needed.carriers.every((carrier) => error.hint?.includes(carrier)),
    ),
  );
});

test('a Node is refused before its line has what is needed, and in a line that never had it', () => {
  for (const node of ['8.0.0', '20.20.2', '22.17.9', '23.11.1'])
    expect(() => refuseUnusableNode(node)).toThrow(`Node ${node} is too old; install the latest Node 24 (`);
  for (const node of [...needed.nodes, '22.100.0', '25.0.0', '100.0.0']) refuseUnusableNode(node);
});
