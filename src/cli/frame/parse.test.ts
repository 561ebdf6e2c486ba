import { describe, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { parseCommandLine } from './parse.ts';
import { UsageError } from './usage.ts';

const task = 't0123456789ab';

function parsed(...words: string[]): {
  name: string | undefined;
  positionals: readonly string[];
  values: object;
} {
  const { invocation, values } = parseCommandLine(words);
  return {
    name: invocation?.command.name,
    positionals: invocation?.positionals ?? [],
    values: { ...values },
  };
}

function refusal(...words: string[]): UsageError {
  try {
    parseCommandLine(words);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`${words.join(' ')} was understood`);
}

describe('understood', () => {
  test('options may stand before and after the command', () => {
    const before = parsed('--store', 's.db', '--json', 'ls', '--all');
    expect(before).toEqual(parsed('ls', '--all', '--json', '--store', 's.db'));
    expect(before).toMatchObject({ name: 'ls', values: { store: 's.db', json: true, all: true } });
  });

  test('the value of an option before the command is not taken for the command', () => {
    expect(parsed('--as', 'take', 'ls').name).toBe('ls');
  });

  test('nothing at all is a question, not a mistake', () => {
    expect(parsed()).toEqual({ name: undefined, positionals: [], values: {} });
  });

  test('a task left out leaves its place empty', () => {
    expect(parsed('note', 'hello').positionals).toEqual(['', 'hello']);
    expect(parsed('note', task, 'hello').positionals).toEqual([task, 'hello']);
    expect(parsed('show').positionals).toEqual(['']);
  });

  test('what follows -- is text, dashes and all', () => {
    expect(parsed('note', '--as', 'a', '--', '--as').positionals).toEqual(['', '--as']);
    expect(parsed('--', 'note', '-x').positionals).toEqual(['', '-x']);
  });

  test('a dash alone is a word', () => {
    expect(parsed('note', task, '-').positionals).toEqual([task, '-']);
  });

  test('a repeatable option gathers its values', () => {
    expect(parsed('open', 'g', '--accept', 'a', '--accept', 'b').values).toEqual({ accept: ['a', 'b'] });
  });

  test('an action that may be left out is, where a task stands in its place', () => {
    expect(parsed('phase', 't4k9').positionals).toEqual(['', 't4k9']);
    expect(parsed('phase', 'start').positionals).toEqual(['start']);
    expect(() => parsed('phase', 'table')).toThrow(/^ACTION is one of/);
  });

  test('the options of every command may be repeated, and the last one counts', () => {
    expect(parsed('--store', 'a', 'ls', '--store', 'b').values).toEqual({ store: 'b' });
  });

  test.each(commands.map((command) => command.name))('help for %s by both ways', (name) => {
    expect(parsed('help', name)).toEqual({ name, positionals: [], values: { help: true } });
    expect(parsed(name, '--help')).toEqual({ name, positionals: [], values: { help: true } });
  });
});

describe('refused', () => {
  test.each([
    ['a command that does not exist', ['frobnicate'], /no command "frobnicate"/, /--help/],
    ['one that nearly exists', ['hand'], /no command "hand"/, /Did you mean: staffetta handoff/],
    ['one that another tool has', ['switch'], /no command "switch"/, /staffetta resume --in PROGRAM/],
    ['a program', ['codex'], /no command "codex"/, /Did you mean: staffetta resume --in codex/],
    ['nearly a word for it', ['handover'], /no command "handover"/, /Did you mean: staffetta handoff/],
    ['help for nothing', ['help', 'tak'], /no command "tak"/, /staffetta take/],
    ['an unknown option', ['ls', '--frob'], /no option --frob\./, /staffetta ls --help/],
    ['one that nearly exists, anywhere', ['--jsn', 'ls'], /no option --jsn\./, /Did you mean --json\?/],
    ['a dash that was meant as text', ['note', '-x'], /no option -x\./, /after --/],
    ['a missing value', ['ls', '--limit'], /--limit needs a value\./, /staffetta ls --help/],
    [
      'an option as a value',
      ['open', 'g', '--attempts', '-1'],
      /--attempts needs a value\./,
      /--attempts=VALUE/,
    ],
    ['a value too many', ['ls', '--json=yes'], /--json takes no value\./, /--help/],
    ['an empty value', ['open', 'g', '--title', ''], /--title is empty\./, undefined],
    [
      'an empty value among others',
      ['open', 'g', '--accept', 'a', '--accept', ' '],
      /--accept is empty\./,
      undefined,
    ],
    ['a value outside its set', ['take', '--lane', 'audti'], /--lane takes one of plan, /, /--lane audit/],
    [
      'a value given twice',
      ['handoff', '--to', 'a', '--next', 'x', '--next', 'y'],
      /--next can be given only once/,
      undefined,
    ],
    ['a missing argument', ['backup'], /backup needs FILE\./, /staffetta backup --help/],
    ['only the task', ['note', task], /note needs TEXT besides the task\./, /note --help/],
    ['an empty task', ['show', ''], /TASK is empty\./, /show --help/],
    ['an empty task before a text', ['note', '', 'x'], /TASK is empty\./, /note --help/],
    ['an empty text', ['note', ' '], /TEXT is empty\./, /note --help/],
    ['a text without quotes', ['note', task, 'two', 'words'], /Too many words: "words"\./, /quotes/],
    ['a word where none belongs', ['ls', 'x'], /Too many words: "x"\./, /ls --help/],
  ])('%s', (_, words, message, hint) => {
    const error = refusal(...words);
    expect(error.message).toMatch(message);
    expect(error.hint ?? 'none').toMatch(hint ?? /^none$/);
  });

  test('names that every object has are not commands', () => {
    for (const word of ['constructor', '__proto__', 'toString']) {
      expect(refusal(word).message).toContain('no command');
      expect(refusal(`--${word}`).message).toContain('no option');
    }
  });
});

describe('the commands as data', () => {
  test.each(commands)(
    '$name explains itself, with an example that is understood',
    ({ name, summary, examples }) => {
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(examples.length).toBeGreaterThan(0);
      expect(examples.every((example) => example.includes(`staffetta ${name}`))).toBe(true);
    },
  );

  test('no option of a command hides an option of every command', () => {
    const hidden = commands.flatMap((command) =>
      Object.keys(command.options ?? {}).filter((option) =>
        ['store', 'as', 'lane', 'json', 'help', 'quiet', 'version', 'dry-run', 'generation'].includes(option),
      ),
    );
    expect(hidden).toEqual([]);
  });
});
