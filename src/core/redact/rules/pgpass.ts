import { isPasswordLooking, isRandomLooking } from '../plausible.ts';
import { patternRule, type SecretRule } from '../rule.ts';

/** Of PostgreSQL's password file: `host:port:database:user:password`, alone on its line but for what a listing puts before it. */
export const pgpassRule: SecretRule = patternRule(
  'pgpass-password',
  [':5432:', ':5433:', ':5434:', ':6432:', ':6543:', ':*:'],
  '(?<=[\\w.*\\])])(:(?:\\d{4,5}|\\*):[^:\\s\\\\]{1,64}:[^:\\s\\\\]{1,64}:)((?:[^:\\s\\\\]|\\\\[:\\\\]){6,256})(?=[ \\t\\r"\'`,]*$)',
  { accept: (password) => isPasswordLooking(password) || isRandomLooking(password) },
);
