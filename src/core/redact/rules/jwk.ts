import { hasBothCases } from '../plausible.ts';
import { patternRule, type SecretRule } from '../rule.ts';

/**
 * The private numbers of a JSON web key. Their names are single letters, so that only values of exactly the length that a curve or an
 * RSA key gives them are taken, wherever the line with the key's type may be. The second anchor is the name in JSON inside JSON.
 */
const privateNumber = patternRule(
  'jwk-private-key',
  ['"d":', '"d\\"'],
  '("d":[ \\t]{0,4}")([\\w-]{43}|[\\w-]{64}|[\\w-]{75,76}|[\\w-]{88}|[\\w-]{300,})(?=")',
  { accept: hasBothCases },
);

/** From the factors of an RSA key the number itself can be had. */
const factors = patternRule(
  'jwk-private-key',
  ['p', 'q', 'dp', 'dq', 'qi'].flatMap((name) => [`"${name}":`, `"${name}\\"`]),
  '("(?:p|q|dp|dq|qi)":[ \\t]{0,4}")([\\w-]{170,})(?=")',
  { accept: hasBothCases },
);

export const jwkRules: readonly SecretRule[] = [privateNumber, factors];
