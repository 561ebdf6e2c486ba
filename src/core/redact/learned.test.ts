import { describe, expect, test } from 'vitest';
import { finderOf, isTelling, valuesIn } from './learned.ts';
import { createRedactor } from './redactor.ts';

const secret = ['hunter2', 'Blue!42'].join('');
const redactor = createRedactor({ key: Buffer.alloc(32, 3) });

describe('a value that was recognised', () => {
  test.each([
    secret,
    ['Winter77', 'Kite'].join(''),
    ['kk12', 'll34mm'].join(''),
    ['a1b2-c3d4', '-e5f6'].join(''),
  ])('is looked for elsewhere: %s', (value) => {
    expect(isTelling(value)).toBe(true);
  });

  test.each([
    'password',
    'localhost',
    'localhost:5432',
    'development-server-2',
    'us-east-1-prod2',
    'my_app_user_v2',
    'POSTGRES_USER_1',
    'postgres1',
    'correct-horse-battery-staple',
    ['correct', '!horse'].join(''),
    'db01.internal.example.com',
    'ada@example.com',
    'https://example.com/A1b2C3d4',
    '/var/lib/App2/data',
    'hunter2',
    '20260101',
    'two words 2X',
  ])('is not looked for where it is ordinary: %s', (value) => {
    expect(isTelling(value)).toBe(false);
  });

  test('is found in its spellings', () => {
    const holds = finderOf([secret]);
    for (const text of [secret, `"${secret}"`, encodeURIComponent(secret), JSON.stringify({ a: secret })])
      expect(holds(Buffer.from(`so ${text}.`))).toBe(true);
    expect(holds(Buffer.from(`so ${secret.slice(1)}.`))).toBe(false);
  });

  test('is told by nothing that could be kept', async () => {
    const { redactions } = await redactor.text(`curl -u admin:${secret} localhost`);
    expect(valuesIn([redactions])).toEqual([secret]);
    expect(JSON.stringify(redactions)).not.toContain(secret);
    expect(valuesIn([structuredClone(redactions)])).toEqual([]);
  });
});

describe('the strings of a value', () => {
  test('lose what is recognised in one of them, and are the same when they are searched again', async () => {
    const texts = [`${secret} opens it.`, `curl -u admin:${secret} localhost`, 'admin, localhost'];
    const { value, redactions } = await redactor.json(texts);
    expect(JSON.stringify(value)).not.toContain(secret);
    expect(value[0]).toMatch(/^\[redacted:known-value:([0-9a-f]{12})\] opens it\.$/);
    expect(value[2]).toBe('admin, localhost');
    expect(Object.values(redactions.counts).reduce((sum, count) => sum + count, 0)).toBe(2);
    expect((await redactor.json(value)).value).toEqual(value);
  });

  test('keep ordinary words that somebody has for a password', async () => {
    const name = 'development-server-2';
    const texts = [`DB_PASSWORD=${name}`, `The ${name} is down.`];
    const { value } = await redactor.json(texts);
    expect(value[0]).toContain('[redacted:');
    expect(value[1]).toBe(texts[1]);
  });
});
