/** A password that somebody says in a sentence: `The db password is …`, `Das Passwort lautet …`. */
import { isPasswordLooking } from '../plausible.ts';
import { patternRule, type Rule } from '../rule.ts';

const inside = '[^ \\t\\r"\'`\\\\,;<>(){}]';

export const spokenRules: readonly Rule[] = [
  patternRule(
    'spoken-password',
    ['password', 'passwort', 'passphrase', 'kennwort'],
    `((?:password|passwort|passphrase|kennwort)[ \\t](?:(?:for|of|für|von)[ \\t][^ \\t\\r]{1,40}[ \\t])?(?:is|was|ist|lautet|war)(?:[ \\t](?:now|still|jetzt))?:?[ \\t]["'\`]?)(${inside}{7,127}[^ \\t\\r"'\`\\\\,;:.<>(){}])`,
    { fold: true, accept: isSpokenPassword },
  ),
];

/** In a sentence about passwords most words are no passwords: a letter and a digit alone are not enough. */
function isSpokenPassword(value: string): boolean {
  if (!isPasswordLooking(value) || !/[A-Za-z]/.test(value) || !/\d/.test(value)) return false;
  if (/[!@#$%^&*?~+]/.test(value)) return true;
  return /[A-Z]/.test(value) && /[a-z]/.test(value) && !/[-_/.]/.test(value);
}
