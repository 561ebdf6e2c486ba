import { expect, test } from 'vitest';
import { isEnvName, isPasswordName, isSecretName, nameAnchors, nameWordsOf } from './secret-name.ts';

const secret = [
  'pass',
  'smtp_pass',
  'dbPass',
  'secret_key_base',
  'password',
  'dbPassword',
  'DB_PASSWORD',
  'db-password',
  'spring.datasource.password',
  'PGPASSWORD',
  'SMTP_PASS',
  'passphrase',
  'client_secret',
  'clientSecret',
  'API_TOKEN',
  'accessToken',
  'authToken',
  '_authToken',
  '_auth',
  'x-api-key',
  'apiKey',
  'APIKEY',
  'SECRET_ACCESS_KEY',
  'privateKey',
  'DB_PASSWORD_REPORTING',
  'SECRET_KEY_BASE',
  'password2',
  'GITHUB_TOKEN_PROD',
  'signing_key',
  'credentials',
];

const harmless = [
  'PASS',
  'first_pass',
  'render_pass',
  'tokens',
  'input_tokens',
  'max_tokens',
  'nextToken',
  'next_page_token',
  'stop_token',
  'progressToken',
  'tokenType',
  'token_count',
  'TOKEN_URL',
  'SECRET_NAME',
  'PASSWORD_FILE',
  'password_hash',
  'USE_APPLICATION_DEFAULT_CREDENTIALS',
  'publicKey',
  'primary_key',
  'key',
  'bypass',
  'author',
  'secretary',
  'tokenizer',
  'lastSignificantToken',
];

test.each(secret)('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(harmless)('%s is not', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test('every name of a secret, with the sign after it, holds one of the anchors by which it is found', () => {
  for (const name of secret)
    for (const written of [`${name}:`, `${name}=`, `${name} =`, `${name}"`, `${name}'`, `${name}>`])
      expect([written, nameAnchors.some((anchor) => written.toLowerCase().includes(anchor))]).toEqual([
        written,
        true,
      ]);
});

test('a name is the same in every style', () => {
  for (const name of ['dbAccessKey', 'DB_ACCESS_KEY', 'db-access-key', 'db.accessKey', 'DBAccessKey'])
    expect(nameWordsOf(name)).toEqual(['db', 'access', 'key']);
});

test('environment variables are in capitals', () => {
  expect(isEnvName('DB_PASSWORD')).toBe(true);
  expect(isEnvName('dbPassword')).toBe(false);
});

test('only some names say that a person chose the value', () => {
  expect(isPasswordName('DB_PASSWORD')).toBe(true);
  expect(isPasswordName('API_TOKEN')).toBe(false);
});

test('thousands of different names are judged as the first was', () => {
  for (let i = 0; i < 5000; i += 1) isSecretName(`name_${i}`);
  expect(isSecretName('password')).toBe(true);
});
