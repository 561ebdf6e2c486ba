import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { globsMeet } from '../base/glob.ts';
import { pathClaims, pathIndex } from './path-index.ts';
import { runs } from '../../../test/property/seed.ts';

test('lockfiles are everybody’s', () => {
  expect(pathClaims(['src/**', 'package-lock.json', 'web/yarn.lock', 'lock'])).toEqual(['src/**', 'lock']);
});

test('an index of paths finds those that comparing all of them finds', () => {
  const part = fc.constantFrom('a', 'b', '*', 'a*', '**', '?');
  const glob = fc
    .tuple(fc.constantFrom('', '/', './'), fc.array(part, { minLength: 1, maxLength: 4 }))
    .map(([start, parts]) => start + parts.join('/'));
  fc.assert(
    fc.property(fc.array(glob, { maxLength: 8 }), glob, (claims, asked) => {
      const index = pathIndex();
      claims.forEach((claim, owner) => index.add(owner, [claim]));
      const found = new Set([...index.meeting([asked])].map(({ owner }) => owner));
      const wanted = claims.flatMap((claim, owner) => (globsMeet(claim, asked) ? [owner] : []));
      expect([...found].toSorted((a, b) => a - b)).toEqual(wanted);
    }),
    runs(500),
  );
});
