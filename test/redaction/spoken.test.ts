import { expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';

const redactor = createRedactor({ key: new Uint8Array(16) });

test.each([
  ['The db password is hunter2Blue!42', 'hunter2Blue!42'],
  ['my password for staging is "Winter77Kite", do not commit it.', 'Winter77Kite'],
  ['Das Passwort lautet Sommer2026!xyz, aber niemals einchecken.', 'Sommer2026!xyz'],
  [JSON.stringify({ text: 'The password was Rain4ever!now.\nGo on.' }), 'Rain4ever!now'],
])('a password that is said in a sentence is taken out: %s', async (words, secret) => {
  const { value } = await redactor.text(words);
  expect(value).not.toContain(secret);
  expect(value).toContain('[redacted:');
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
