/** Secrets that people say in sentences. SECRET stands for one, so that none is written here. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';
import { spokenRules } from '../../src/core/redact/rules/spoken.ts';
import { aboutSecrets, saidSecrets } from './sentences.ts';

const redactor = createRedactor({ key: new Uint8Array(16) });

describe('a secret that is said in a sentence is taken out', () => {
  test.each(saidSecrets)('$words ($secret)', async ({ words, secret, rule }) => {
    const { value } = await redactor.text(words.replace('SECRET', () => secret));
    expect(value).toContain(`[redacted:${rule}:`);
    expect(value).not.toContain(secret);
  });

  test.each([
    ['qK3(x9);zL', '&w2<vB7'],
    ['hbqzkfjwmx', 'rtgvdpcnlsq'],
  ])('whatever signs it is made of: %s…', async (...pieces) => {
    const { value } = await redactor.text(`The db password is ${pieces.join('')}`);
    expect(value).toMatch(/^The db password is \[redacted:spoken-password:[0-9a-f]{12}\]$/);
  });

  test('within JSON, with its letters escaped', async () => {
    const secret = ['Lluvia', '77!sol'].join('');
    const words = JSON.stringify({ text: `Nota:\nla contraseña es ${secret}.` }).replace('ñ', '\\u00f1');
    const { value } = await redactor.text(words);
    expect(value).toContain('[redacted:spoken-password:');
    expect(JSON.parse(value)).toBeTruthy();
  });
});

describe('a sentence about secrets stays as it is', () => {
  test.each(aboutSecrets)('%s', async (words) => {
    expect((await redactor.text(words)).value).toBe(words);
  });
});

test('what is turned away at a glance would not have been found', () => {
  const turned = [
    ...saidSecrets.map(({ words, secret }) => words.replace('SECRET', () => secret)),
    ...aboutSecrets,
  ];
  const joints = [
    ' is ',
    ' of ada is ',
    '\tIST ',
    ' must be ',
    ' für ada: ',
    ' è ',
    ' has to be ',
    ' that is ',
    ': ',
    ' i\\u0073 ',
  ];
  const made = ['password', 'Token', 'pwd'].flatMap((name) =>
    joints.map((joint) => `The ${name}${joint}${['Qk3x9', 'zLw2vB7'].join('')} now.`),
  );
  let away = 0;
  for (const text of [...turned, ...made]) {
    const bytes = Buffer.from(text);
    const line = bytes.toString('latin1');
    for (const { anchors, glance, find } of spokenRules)
      for (const anchor of glance === undefined ? [] : anchors) {
        const start = line.toLowerCase().indexOf(anchor);
        if (start === -1 || glance?.(bytes, { start, end: start + anchor.length }) !== false) continue;
        away += 1;
        expect({ text, anchor, found: find(line, start) }).toEqual({ text, anchor, found: undefined });
      }
  }
  expect(away).toBeGreaterThan(20);
});
