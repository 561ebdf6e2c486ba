import { describe, expect, test } from 'vitest';
import { timeWords } from './duration.ts';
import { block, createOutput, shortFigures, wantsColor, type Output } from './output.ts';

function outputFor(options: {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly tty?: { readonly stdout?: boolean; readonly stderr?: boolean };
}): { readonly output: Output; readonly said: { stdout: string; stderr: string } } {
  const said = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr'): NodeJS.WriteStream => {
    const write = (text: string): boolean => {
      said[name] += text;
      return true;
    };
    const columns = options.tty?.[name] === true ? 120 : undefined;
    return { isTTY: options.tty?.[name] ?? false, columns, write } as unknown as NodeJS.WriteStream;
  };
  const output = createOutput(
    { stdout: stream('stdout'), stderr: stream('stderr') },
    { json: options.json ?? false, quiet: options.quiet ?? false, env: options.env ?? {} },
  );
  return { output, said };
}

function passed(options: Parameters<typeof outputFor>[0]): string {
  const { output, said } = outputFor(options);
  output.passing('half');
  output.passing('');
  return said.stderr;
}

describe('where things go', () => {
  test('data and words take different ways, and each ends its line once', () => {
    const { output, said } = outputFor({});
    output.data({ a: 1 }, () => 'one');
    output.data({ a: 1 }, () => 'two\n');
    output.data({ a: 1 }, () => '');
    output.say('next');
    expect(said).toEqual({ stdout: 'one\ntwo\n', stderr: 'next\n' });
  });

  test('as JSON there are no words', () => {
    const { output, said } = outputFor({ json: true });
    output.data({ text: 'a\u001bb' }, () => 'one');
    output.say('next');
    expect(said).toEqual({ stdout: '{"text":"a\\u001bb"}\n', stderr: '' });
  });

  test('words about a folder with an evil name are harmless', () => {
    const { output, said } = outputFor({});
    output.say('Created /tmp/\u001b[2J\u202e.');
    expect(said.stderr).toBe('Created /tmp/␛\ufffd.\n');
  });

  test('quiet keeps the data', () => {
    const { output, said } = outputFor({ quiet: true });
    output.data({}, () => 'one');
    output.say('next');
    expect(said).toEqual({ stdout: 'one\n', stderr: '' });
  });
});

describe('what a terminal gets', () => {
  test('each stream is painted for itself', () => {
    const { output, said } = outputFor({ tty: { stdout: true } });
    expect(output.paint.bold('x')).toBe('\u001b[1mx\u001b[22m');
    const words = outputFor({ tty: { stderr: true } });
    for (const { output: each } of [{ output }, words]) each.say('x', 'dim');
    expect(said.stderr).toBe('x\n');
    expect(words.said.stderr).toBe('\u001b[2mx\u001b[22m\n');
    expect(words.output.paint.bold('x')).toBe('x');
  });

  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ TERM: 'dumb' }, true, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  ])('with %j and a terminal: %s, colour: %s', (env, isTTY, wanted) => {
    expect(wantsColor(env, isTTY)).toBe(wanted);
  });

  test('the width is the terminal’s, or what COLUMNS says, or unbounded', () => {
    expect(outputFor({ tty: { stdout: true } }).output.width).toBe(120);
    expect(outputFor({ tty: { stdout: true }, env: { COLUMNS: '80' } }).output.width).toBe(80);
    expect(outputFor({ env: { COLUMNS: 'wide' } }).output.width).toBe(Number.POSITIVE_INFINITY);
    expect(outputFor({}).output.width).toBe(Number.POSITIVE_INFINITY);
  });

  test('progress is for a person who watches and wants words', () => {
    const tty = { stderr: true };
    expect(passed({ tty })).toBe('\r\u001b[Khalf\r\u001b[K');
    for (const options of [{}, { tty, json: true }, { tty, quiet: true }, { tty, env: { TERM: 'dumb' } }])
      expect(passed(options)).toBe('');
  });
});

test('a block of foreign text keeps its lines and its distance from the margin', () => {
  expect(block('one\r\n\r\n  two\u001b[2J\n\n')).toBe('  one\n\n    two␛');
});

test('a sentence has the beginning of a digest, and a time as a clock here shows it', () => {
  const at = '2031-02-03T04:05:06.789Z';
  const shown = timeWords(Date.parse(at));
  expect(shortFigures(`Packet sha256:${'ab'.repeat(32)} was sealed at ${at}.`)).toBe(
    `Packet abababababab was sealed at ${shown}.`,
  );
  expect(shown).toMatch(/^2031-02-0\d \d\d:\d\d$/);
});
