import { describe, expect, test } from 'vitest';
import { unprovenWords } from './session-version.ts';

describe('a session', () => {
  const proven = ['1.2.3', '1.2.4'];

  test('of a version that nobody tried is told with those that were', () => {
    expect(unprovenWords({ runtime: 'codex', version: '9.0.0', proven })).toBe(
      'written by codex 9.0.0; reading is proven with 1.2.3, 1.2.4',
    );
  });

  test.each(['1.2.4', null])('of version %s needs no word', (version) => {
    expect(unprovenWords({ runtime: 'codex', version, proven })).toBeNull();
  });
});
