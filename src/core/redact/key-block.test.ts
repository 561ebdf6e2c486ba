import { describe, expect, test } from 'vitest';
import {
  keyBlockAnchors,
  markAt,
  openedBlock,
  readBlock,
  type Inside,
  type KeyBlock,
  type BlockMark,
  type Next,
} from './key-block.ts';

const label = ['PRIVATE', 'KEY'].join(' ');
const begin = `-----BEGIN ${label}-----`;
const end = `-----END ${label}-----`;
const body = 'Ab0+cD1/eF2g'.repeat(5).concat('Hi3j');
const other = 'Kl4+mN5/oP6q'.repeat(5).concat('Rs7t');

/** At the anchor of a line. */
function markIn(line: string): BlockMark | undefined {
  const at = Math.min(...keyBlockAnchors.map((anchor) => line.indexOf(anchor)).filter((one) => one !== -1));
  return at === Infinity ? undefined : markAt(line.slice(0, at), line.slice(at));
}

interface Reading {
  readonly inside?: Inside;
  readonly next?: Next;
}

/** What of the text behind an opening mark belongs to the key. */
function read(text: string, { inside = openedBlock, next }: Reading = {}): KeyBlock & { pieces: string[] } {
  const block = readBlock(text, inside, next);
  return { ...block, pieces: block.spans.map((span) => text.slice(span.start, span.end)) };
}

function closed(lines: readonly string[]): string[] {
  return read(`\n${[...lines, '-----END '].join('\n')}`, { next: 'closes' }).pieces;
}

describe('a key begins', () => {
  test.each([
    begin,
    `-----BEGIN RSA ${label}-----`,
    `-----BEGIN ENCRYPTED ${label}-----\r`,
    `-----BEGIN OPENSSH ${label}-----`,
    `-----BEGIN PGP ${label} BLOCK-----`,
    `---- BEGIN SSH2 ENCRYPTED ${label} ----`,
    `+${begin}`,
    `const key = \`${begin}`,
    `  "${begin}\\n" +`,
    `<td>${begin}</td>`,
    'Private-Lines: 14',
    Buffer.from(`${begin}\n${body}`).toString('base64'),
    Buffer.from(`a${begin}\n${body}`).toString('base64'),
    Buffer.from(`ab${begin}\n${body}`).toString('base64'),
    Buffer.from(`-----END EC PARAMETERS-----\n${begin}\n${body}`).toString('base64'),
  ])('with %s', (line) => {
    expect(markIn(line)).toMatchObject({ opens: true });
  });

  test.each([
    '-----BEGIN CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----',
    '-----BEGIN PGP PUBLIC KEY BLOCK-----',
    '-----BEGIN PGP SIGNATURE-----',
    `a ${label}`,
    Buffer.from('-----BEGIN CERTIFICATE-----\n').toString('base64'),
    Buffer.from(`the ${label} is elsewhere`).toString('base64'),
    Buffer.from(`${end}\n`).toString('base64'),
  ])('but not with %s', (line) => {
    expect(markIn(line)).toBeUndefined();
  });

  test.each([end, 'Private-MAC: 00'])('and ends with %s', (line) => {
    expect(markIn(line)).toMatchObject({ opens: false });
  });
});

describe('a key goes on', () => {
  test('through lines of base64 to its closing mark', () => {
    expect(read(`\n${body}\n${other}\nQ==\n-----END `, { next: 'closes' })).toMatchObject({
      pieces: [body, other, 'Q=='],
      secret: `${body}${other}Q==`,
      isOpen: false,
    });
  });

  test('through headers and empty lines, which stay', () => {
    expect(
      closed(['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,00FF', '', body, other, '=aB1/']),
    ).toEqual([body, other, '=aB1/']);
  });

  test.each<readonly [string, (line: string, n: number) => string]>([
    ['behind the number of a line', (line, n) => `    ${n}\t${line}`],
    ['in quotes', (line) => `"${line}\\n" +`],
    ['in records', (line, n) => `{"line":${n},"text":"${line}"}`],
    ['in rows', (line, n) => `<tr><td>${n}</td><td>${line}</td></tr>`],
    ['in commands', (line) => `echo "${line}" >> key.pem`],
    ['before a comment', (line, n) => `${line}   # ${n}`],
    ['in two columns', (line) => `${line}\t\t${line}`],
    ['with a line between them', (line, n) => `${line}\n[INFO] ${n} done`],
    ['in colour', (line) => `\x1b[32m${line}\x1b[0m`],
    ['with the sign of a diff', (line) => `+${line}`],
  ])('%s', (_how, list) => {
    const lines = [begin, body, other, 'Ab0+'].map(list).join('\n');
    const text = lines.slice(lines.lastIndexOf(begin) + begin.length);
    const { pieces } = read(`${text}\n${list('-----END ', 9).replace(/(-----END ).*/, '$1')}`, {
      next: 'closes',
    });
    expect([...new Set(pieces.map((piece) => piece.replace(/\x1b\[\d*m/g, '')))]).toEqual([
      body,
      other,
      'Ab0+',
    ]);
  });

  test('on one line, whatever stands between', () => {
    expect(read(` ${body} ${other} Q== -----END `, { next: 'closes' }).pieces).toEqual([body, other, 'Q==']);
    expect(read(`<br>${body}<br>${other}<br>Q==<br>`, { next: 'closes' }).pieces).toEqual([
      body,
      other,
      'Q==',
    ]);
  });

  test('without an end of a line at all, if it follows its mark at once', () => {
    expect(read(body.repeat(30)).pieces).toEqual([body.repeat(30)]);
    expect(read(` and here is a picture: ${body.repeat(30)}`).pieces).toEqual([]);
  });

  test('to where prose goes on for long', () => {
    expect(read(`\n${body}\n${'and then some prose '.repeat(60)}\n${other}`).pieces).toEqual([body]);
  });

  test('to the next mark, of whatever', () => {
    expect(read(`\n${body}\n-----BEGIN CERTIFICATE-----\n${other}\n`).pieces).toEqual([body]);
  });

  test('and is open where the text ends before it', () => {
    expect(read(`\n${body}\n${other}`).isOpen).toBe(true);
  });

  test('past what was already redacted', () => {
    expect(closed(['[redacted:private-key:0123456789ab]', body])).toEqual([body]);
  });
});

test('names and words behind a mark are none of it', () => {
  expect(
    read(
      `'))\n  return refuseEveryPrivateKey2(text, someVeryLongNameOfAFunctionThatNobodyWouldEverWrite1);\n`,
    ).pieces,
  ).toEqual([]);
});

test('less than a key is a stand-in in a manual', () => {
  expect(closed(['MIIE'])).toEqual([]);
  expect(closed(['...'])).toEqual([]);
});

test('the last piece of a key that was cut is taken however short', () => {
  const { inside } = read(`\n${body}\n${other}\n`);
  expect(read('MIIE\n', { inside, next: 'closes' }).pieces).toEqual(['MIIE']);
});
