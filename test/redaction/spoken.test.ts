/** Passwords that people say in sentences. SECRET stands for one, so that none is written here. */
import { expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';

const redactor = createRedactor({ key: new Uint8Array(16) });

test.each([
  ['The db password is SECRET', 'hunter2Blue!42'],
  ['my password for staging is "SECRET", do not commit it.', 'Winter77Kite'],
  ['Das Passwort lautet SECRET, aber niemals einchecken.', 'Sommer2026!xyz'],
  [JSON.stringify({ text: 'The password was SECRET.\nGo on.' }), 'Rain4ever!now'],
])('a password that is said in a sentence is taken out: %s', async (words, secret) => {
  const { value } = await redactor.text(words.replace('SECRET', secret));
  expect(value).toMatch(/\[redacted:spoken-password:/);
  expect(value).not.toContain(secret);
});

test.each([
  'The password is required.',
  'The password is base64-encoded and the hash is SHA256.',
  'the password is SHA256-hashed before it is stored',
  'A passphrase is at-least-12-characters long.',
  'The password is read from $DB_PASSWORD1 at start.',
])('a sentence about passwords stays as it is: %s', async (words) => {
  expect((await redactor.text(words)).value).toBe(words);
});
