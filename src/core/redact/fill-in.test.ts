import { describe, expect, test } from 'vitest';
import { fillIn } from './fill-in.ts';

const hole = '[redacted:password:0123456789ab]';
/** In pieces: our own sources are searched for secrets, too. */
const name = ['pass', 'word'].join('');

function filled(stored: string, here: string): { text: string; kept: number; left: number } {
  const { bytes, kept, left } = fillIn(Buffer.from(stored), Buffer.from(here));
  return { text: Buffer.from(bytes).toString(), kept, left };
}

describe('placeholders', () => {
  test('the value that stands here is kept, and what was changed around it is written', () => {
    const here = `host = a\n${name} = "hunter2hunter2"\nport = 1\n`;
    expect(filled(`host = b\nmore = 1\npassword = "${hole}"\nport = 2\n`, here)).toEqual({
      text: `host = b\nmore = 1\n${name} = "hunter2hunter2"\nport = 2\n`,
      kept: 1,
      left: 0,
    });
  });

  test('a line that is not here keeps its placeholder', () => {
    const stored = `token = "${hole}"\npassword = "${hole}"\n`;
    expect(filled(stored, `${name} = "hunter2"\n`)).toEqual({
      text: `token = "${hole}"\n${name} = "hunter2"\n`,
      kept: 1,
      left: 1,
    });
    expect(filled(stored, 'nothing like it\n')).toEqual({ text: stored, kept: 0, left: 2 });
  });

  test('a line that changed besides keeps its placeholder', () => {
    const stored = `connect("${hole}", 2)\n`;
    expect(filled(stored, 'connect("hunter2", 1)\n')).toMatchObject({ text: stored, left: 1 });
  });

  test('several in a line, and lines that look alike, are taken in order', () => {
    const stored = `url = user:${hole}@${hole}/db\nkey: ${hole}\nother\nkey: ${hole}\n`;
    const here = 'url = user:one@two/db\nkey: first\nkey: second\n';
    expect(filled(stored, here).text).toBe('url = user:one@two/db\nkey: first\nother\nkey: second\n');
  });

  test('the lines of a key are taken in order, and an ordinary line is none', () => {
    const stored = `begin\n${hole}\n${hole}\nend\n`;
    expect(filled(stored, 'begin\nAb0Ab0Ab0\nCd1Cd1Cd1\nend\n').text).toBe(
      'begin\nAb0Ab0Ab0\nCd1Cd1Cd1\nend\n',
    );
    expect(filled(stored, 'begin\nsome words\nmore words\nend\n')).toMatchObject({ text: stored, left: 2 });
  });

  test('line endings and bytes that are no UTF-8 stay as they were stored', () => {
    expect(filled(`a = ${hole}\r\nb\r\n`, 'a = value1\nb\n').text).toBe('a = value1\r\nb\r\n');
    const stored = Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(`a = ${hole}`)]);
    const { bytes } = fillIn(stored, Buffer.from('a = value1'));
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0x0a]);
    expect(Buffer.from(bytes.subarray(2)).toString()).toBe('a = value1');
  });

  test('a long file with many differences ends in time', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => `line ${n}`);
    const stored = [`a = ${hole}`, ...many.map((line) => `${line} new`)].join('\n');
    expect(filled(stored, ['a = value1', ...many].join('\n'))).toMatchObject({ kept: 1, left: 0 });
  });
});

describe('asterisks in a binary file', () => {
  test('what differs in nothing else is kept as it is here', () => {
    expect(filled('\0\0******\0', '\0\0secret\0')).toEqual({ text: '\0\0secret\0', kept: 1, left: 0 });
  });

  test('anything else is written as stored', () => {
    expect(filled('\0\x01******\0', '\0\0secret\0')).toMatchObject({ text: '\0\x01******\0', left: 1 });
    expect(filled('\0******\0', '\0\0secret\0')).toMatchObject({ kept: 0 });
  });
});
