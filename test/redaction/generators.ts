/** Random values of the alphabets of well-known generators. */
import type { Random } from './kinds.ts';

export interface Generator {
  readonly name: string;
  readonly make: (random: Random) => string;
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
const hex = `${digits}abcdef`;
const letters = lower + upper;
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** Tried again until every kind is in it, as generators do that promise one of each. */
function withAll(random: Random, length: number, sets: readonly string[]): string {
  for (;;) {
    const value = random.text(length, sets.join(''));
    if (sets.every((set) => Array.from(value).some((one) => set.includes(one)))) return value;
  }
}

const bytesOf = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.below(256)));

export const generators: readonly Generator[] = [
  { name: 'Django get_random_secret_key', make: (r) => r.text(50, `${lower}${digits}!@#$%^&*(-_=+)`) },
  {
    name: 'Django startproject',
    make: (r) => `django-insecure-${r.text(50, `${lower}${digits}!@#$%^&*(-_=+)`)}`,
  },
  {
    name: 'AWS get-random-password',
    make: (r) => withAll(r, 32, [lower, upper, digits, punctuation]),
  },
  {
    name: 'AWS, as for RDS',
    make: (r) => withAll(r, 32, [lower, upper, digits, punctuation.replace(/["'@/\\`]/g, '')]),
  },
  { name: 'pwgen -sy 16', make: (r) => withAll(r, 16, [lower, upper, digits, punctuation]) },
  {
    name: 'Terraform random_password',
    make: (r) => withAll(r, 16, [lower, upper, digits, '!@#$%&*()-_=+[]{}<>:?']),
  },
  { name: '1Password', make: (r) => withAll(r, 20, [letters, digits, '!@.-_*']) },
  { name: 'Bitwarden', make: (r) => withAll(r, 14, [lower, upper, digits, '!@#$%^&*']) },
  {
    name: 'KeePass with brackets',
    make: (r) => withAll(r, 20, [lower, upper, digits, '!#$%&*+,./:;=?@^|~-_', '[]{}()<>']),
  },
  { name: 'pwgen -s 20', make: (r) => withAll(r, 20, [lower, upper, digits]) },
  { name: 'openssl rand -base64 32', make: (r) => bytesOf(r, 32).toString('base64') },
  { name: 'openssl rand -hex 32', make: (r) => r.text(64, hex) },
  { name: 'rails secret', make: (r) => r.text(128, hex) },
  { name: 'token_urlsafe', make: (r) => bytesOf(r, 32).toString('base64url') },
  {
    name: 'uuid',
    make: (r) => [8, 4, 4, 4, 12].map((length) => r.text(length, hex)).join('-'),
  },
  { name: 'pwgen -s 8', make: (r) => r.text(8, letters + digits) },
  { name: 'Chrome', make: (r) => withAll(r, 15, [lower, upper, digits]) },
  { name: 'Apple', make: (r) => [6, 6, 6].map((length) => r.text(length, letters + digits)).join('-') },
  { name: 'pwgen -A -s 16', make: (r) => withAll(r, 16, [lower, digits]) },
  { name: 'small letters, as Google for an app', make: (r) => r.text(16, lower) },
  { name: 'letters', make: (r) => r.text(24, letters) },
  { name: 'KeePass with spaces', make: (r) => withAll(r, 24, [lower, upper, digits, ' -_']).trim() },
  {
    name: 'WordPress salts',
    make: (r) => r.text(64, `${letters}${digits}!@#$%^&*()-_ []{}<>~\`+=,.;:/?|`).trim(),
  },
];
