import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { serverVersion } from './version.ts';

test('the version that clients are told is that of the package', () => {
  expect(serverVersion).toBe(manifest.version);
});
