import { describe, expect, test } from 'vitest';
import { opensBlock, readBlock, type Inside } from './key-block.ts';

const label = ['PRIVATE', 'KEY'].join(' ');
const begin = `-----BEGIN ${label}-----`;
const end = `-----END ${label}-----`;
const body = 'Ab0+'.repeat(16);

function read(
  lines: readonly string[],
  inside: Inside = { leads: [''], continues: false },
): ReturnType<typeof readBlock> & { lines: string[] } {
  const text = lines.join('\n');
  const block = readBlock(
    (from) => {
      if (from >= text.length) return undefined;
      const newline = text.indexOf('\n', from);
      const stop = newline === -1 ? text.length : newline;
      return { text: text.slice(from, stop), next: stop + 1 };
    },
    0,
    inside,
  );
  return { ...block, lines: block.spans.map((span) => text.slice(span.start, span.end)) };
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
    `    ${begin}`,
    `const key = \`${begin}`,
    `  "${begin}\\n" +`,
    'Private-Lines: 14',
  ])('with %s', (line) => {
    expect(opensBlock(line)).toMatchObject({ continues: false });
  });

  test.each([
    '-----BEGIN CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----',
    '-----BEGIN PGP PUBLIC KEY BLOCK-----',
    '-----BEGIN PGP SIGNATURE-----',
    end,
    `${begin} is how it begins`,
  ])('but not with %s', (line) => {
    expect(opensBlock(line)).toBeUndefined();
  });
});

describe('a key goes on', () => {
  test('through lines of base64 to its closing mark', () => {
    expect(read([body, body, 'Q==', end, body])).toMatchObject({
      lines: [body, body, 'Q=='],
      secret: `${body}${body}Q==`,
      ended: 'closed',
    });
  });

  test('through headers and empty lines, which stay', () => {
    expect(
      read(['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,00FF', '', body, '=aB1/', end]).lines,
    ).toEqual([body, '=aB1/']);
  });

  test('quoted, indented, commented or as a list, of which only the base64 is taken', () => {
    for (const line of [
      `    ${body}`,
      `# ${body}`,
      ` * ${body}`,
      `> ${body}`,
      `"${body}",`,
      `"${body}\\n" +`,
      `${body}\r`,
    ])
      expect(read([line, end]).lines).toEqual([body]);
  });

  test('in a diff, whose mark is not part of it', () => {
    expect(read([`+${body}`, `+${end}`], { leads: ['+'], continues: false }).lines).toEqual([body]);
    expect(read([`-${body}`, '-', `-${body}`, `-${end}`]).lines).toEqual([body, body]);
  });

  test('behind whatever stood before its opening mark, whose numbers count up', () => {
    for (const [lead, ...others] of [
      ['     9\t', '    10\t'],
      ['a/b.pem:1:', 'a/b.pem-2-'],
      ['2024-01-01T00:00:01Z ', '2024-01-01T00:00:02Z '],
      ['deadbeef (Ada 1) ', '0123abcd (Ben 2) '],
    ]) {
      const inside = opensBlock(`${lead}${begin}`) ?? { leads: [], continues: false };
      const lines = others.flatMap((other) => [other + body, `${other}Ab0+`, `${other}${end}`]);
      expect(read(lines, inside).lines).toEqual([body, 'Ab0+']);
    }
  });

  test('to the first line that cannot belong to it', () => {
    expect(read([body, 'and then some prose', body]).lines).toEqual([body]);
  });

  test('and is open where the text ends before it', () => {
    expect(read([body, body]).ended).toBe('open');
  });

  test('past what was already redacted', () => {
    expect(read(['[redacted:private-key:0123456789ab]', body, end]).lines).toEqual([body]);
  });
});

test('less than a key is a stand-in in a manual', () => {
  expect(read(['MIIE', end]).lines).toEqual([]);
  expect(read(['...', end]).lines).toEqual([]);
});

test('the last piece of a key that was cut is taken however short', () => {
  expect(read(['MIIE', end], { leads: [''], continues: true }).lines).toEqual(['MIIE']);
});

test('a key without end is cut so that nobody waits for it', () => {
  const block = read(Array.from({ length: 6000 }, () => body));
  expect(block.ended).toBe('full');
  expect(block.end).toBeLessThan(263_000);
});

test('a very long line of signs is read once', () => {
  const started = performance.now();
  read([`${'+'.repeat(500_000)}!`, end]);
  expect(performance.now() - started).toBeLessThan(1000);
});
