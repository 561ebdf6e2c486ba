import { rules as preset } from '@secretlint/secretlint-rule-preset-recommend';
import { describe, expect, test } from 'vitest';
import { loadSecondOpinion, opinionAnchors, opinionsNotAsked } from './second-opinion.ts';

const opinion = await loadSecondOpinion();
const ask = (text: string, rule: string): string[] =>
  opinion(text, new Set([rule])).map(({ start, end }) => text.slice(start, end));

const letters = (length: number): string => 'aZ3kP9xQ7mB1'.repeat(20).slice(0, length);
const capitals = (length: number): string => 'QWERTZUIOPASDFGHJKLY'.repeat(4).slice(0, length);
const hex = (length: number): string => '0a1b2c3d4e5f6789'.repeat(8).slice(0, length);

/** One of what each rule knows, made of pieces. */
const samples: Readonly<Record<string, string>> = {
  '1password': ['ops', Buffer.from(`{"userAuth":"${letters(121)}","secretKey":""}`).toString('base64')].join(
    '_',
  ),
  anthropic: ['sk', 'ant', `api03-${letters(93)}AA`].join('-'),
  aws: `aws_secret_access_key = ${letters(40)}`,
  cloudflare: ['cfut', letters(40) + hex(8)].join('_'),
  databricks: ['dapi', hex(32)].join(''),
  docker: ['dckr', 'pat', letters(27)].join('_'),
  figma: ['figd', letters(40)].join('_'),
  github: ['ghp', letters(36)].join('_'),
  gitlab: ['glpat', letters(20)].join('-'),
  grafana: ['glsa', letters(32), hex(8)].join('_'),
  groq: ['gsk', letters(52)].join('_'),
  'hashicorp-vault': ['hvs', letters(95)].join('.'),
  huggingface: ['hf', capitals(34)].join('_'),
  linear: ['lin', 'api', letters(40)].join('_'),
  notion: ['ntn', `12345678901${letters(35)}`].join('_'),
  npm: ['npm', letters(36)].join('_'),
  openai: ['sk-', letters(20), 'T3Blbk', 'FJ', letters(20)].join(''),
  privatekey: [
    ['-----BEGIN', 'RSA', 'PRIVATE', 'KEY-----'].join(' '),
    `MII${letters(200)}`,
    ['-----END', 'RSA', 'PRIVATE', 'KEY-----'].join(' '),
  ].join('\n'),
  sendgrid: ['SG', letters(22), letters(43)].join('.'),
  shopify: ['shpat', letters(32)].join('_'),
  slack: ['xoxb', '123456789012', '1234567890123', letters(24)].join('-'),
  stripe: ['sk', 'live', letters(24)].join('_'),
  tailscale: ['tskey', 'auth', letters(12), letters(30)].join('-'),
  vercel: ['vcp', letters(24)].join('_'),
};

test('every rule of the preset is asked or has a reason not to be', () => {
  const ids = preset.map(({ meta }) => String(meta.id).replace('@secretlint/secretlint-rule-', ''));
  expect(new Set(ids)).toEqual(new Set([...Object.keys(opinionAnchors), ...opinionsNotAsked]));
});

describe('each rule', () => {
  test.each(Object.entries(samples))(
    '%s finds what it knows, and one of its anchors stands in it',
    (rule, sample) => {
      const secret = sample.split(' = ').at(-1) ?? '';
      expect(ask(`${sample}\n`, rule).some((found) => found.includes(secret))).toBe(true);
      expect(opinionAnchors[rule]?.some((anchor) => sample.includes(anchor))).toBe(true);
    },
  );

  test('has a sample here', () => {
    expect(Object.keys(samples).toSorted()).toEqual(Object.keys(opinionAnchors).toSorted());
  });
});

test('only the rules named are asked', () => {
  expect(ask(samples['figma'] ?? '', 'npm')).toEqual([]);
});

test('where a rule reports the name instead of the secret, the secret is found beside it', () => {
  expect(ask(`export AWS_SECRET_ACCESS_KEY="${letters(40)}"`, 'aws')).toEqual([letters(40)]);
});

test('a comment in the text cannot switch a rule off', () => {
  const text = `// secretlint-disable\n${samples['figma'] ?? ''} // secretlint-disable-line`;
  expect(ask(text, 'figma')).toHaveLength(1);
});

test('a letter beyond ASCII before a token does not hide it', () => {
  const text = Buffer.from(`clé${samples['figma'] ?? ''}`).toString('latin1');
  expect(ask(text, 'figma')).toHaveLength(1);
});
