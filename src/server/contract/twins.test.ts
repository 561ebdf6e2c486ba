import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../cli/frame/parse.ts';
import { splitCommand } from '../../cli/contract/split-command.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { commentFrom, findingFrom } from '../../core/task/finding-words.ts';
import { changeRoutes } from '../routes/changes.ts';
import { quoteWord } from '../../core/base/command-line.ts';
import { twinForms, twinOf } from './twins.ts';

const task = 't000000000001';
const packet = digestOf('x');
const binds = { packet, contract: packet, diff: null, findings: null };

/** As a shell gives them to the command. */
function wordsOf(twin: string): string[] {
  const script = `set -- ${twin}; for word; do printf '%s\\0' "$word"; done`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(1, -1);
}

describe('twins', () => {
  test('every change has one, and its form is understood by the command', () => {
    const names = changeRoutes.map(({ id }) => id).toSorted();
    expect(Object.keys(twinForms).toSorted()).toEqual(names);
    for (const form of Object.values(twinForms)) {
      const words = form.replace(' N', ' 1').replace('TIME', '2h').replace('DIGEST', packet);
      expect(() => parseCommandLine(splitCommand(words).slice(1))).not.toThrow();
    }
  });

  test.each([
    ['tell', { text: 'it\'s $HOME `here` -- "so"' }, { positionals: [task, 'it\'s $HOME `here` -- "so"'] }],
    [
      'open',
      { goal: '-x stands', acceptance: ['it works', '--so'], to: 'plan', human: true },
      { positionals: ['-x stands'], values: { accept: ['it works', '--so'], to: 'plan', review: 'human' } },
    ],
    ['pause', { why: 'night', forMs: 3_600_000 }, { values: { until: '1h', why: 'night' } }],
    ['continue', { why: 'day' }, { positionals: [task], values: { why: 'day' } }],
    [
      'phase',
      { phase: '-p', why: 'seen' },
      { positionals: ['approve', task, '-p'], values: { why: 'seen' } },
    ],
    [
      'settle',
      { effect: '-e', outcome: 'failed', receipt: 'log 7' },
      { positionals: [task, '-e'], values: { failed: true, receipt: 'log 7' } },
    ],
    ['tell', { text: '--json' }, { positionals: [task, '--json'] }],
    ['answer', { decision: 2, answer: 'left' }, { positionals: [task, 'left'], values: { answer: '2' } }],
    ['redrive', { why: 'dry', to: 'agent:bea' }, { values: { again: true, to: 'agent:bea', why: 'dry' } }],
    ['reassign', { why: '-5 degrees', to: 'anyone' }, { values: { to: 'anyone', why: '-5 degrees' } }],
    ['extend', { why: 'slow', leaseMs: 5_400_000 }, { values: { lease: '90m', why: 'slow' } }],
    ['extend', { why: 'slow', leaseMs: 1500 }, { values: { lease: '1500ms' } }],
    ['escalate', { why: 'two\nlines' }, { values: { why: 'two\nlines' } }],
    ['cancel', { why: 'enough' }, { values: { why: 'enough' } }],
    [
      'steer',
      { run: 'limits', paused: true, why: 'red' },
      { positionals: ['limits'], values: { pause: true, why: 'red' } },
    ],
    ['steer', { run: 'limits', parallel: 2, why: 'slow' }, { values: { parallel: '2' } }],
    [
      'steer',
      { run: 'limits', caps: { legs: 3, cost: { amount: 2.5, unit: 'EUR' } }, why: 'dear' },
      { values: { cap: ['legs=3', 'cost=2.5EUR'] } },
    ],
    ['verdict', { approve: true, binds, why: 'fine' }, { values: { approve: true, packet, why: 'fine' } }],
  ] as const)('the twin of %s says the same: %j', (change, body, said) => {
    const words = wordsOf(twinOf(change, task, body as never));
    expect(parseCommandLine(words).invocation).toMatchObject(said);
  });

  test('findings and comments come back as they were said', () => {
    const findings = [
      { text: 'nearly' },
      { text: '- first thing\n- second thing' },
      { text: 'src/limit.ts: in all of it' },
      { path: 'Makefile', text: 'why at all' },
      { path: 'Makefile', line: 1, text: 'tabs' },
      { path: '-my notes.md', line: 1, text: 'no' },
      { path: 'a b/c.ts', line: 4, text: 'off: by one' },
      { path: 'src/limit.ts', line: 12, side: 'old' as const, text: '-- keep' },
    ];
    const twin = twinOf('verdict', task, { approve: false, binds, findings, to: 'lane:plan' });
    const { values } = parseCommandLine(wordsOf(twin)).invocation as unknown as {
      values: Record<string, string[]>;
    };
    expect(values['send-back']?.map(findingFrom)).toEqual(findings.slice(0, 3));
    expect(values['comment']?.map(commentFrom)).toEqual(findings.slice(3));
    expect(values['to']).toBe('lane:plan');
  });

  test.each([
    ['lane:audit', 'lane:audit'],
    ['two words', "'two words'"],
    ["it's $(here)", String.raw`'it'\''s $(here)'`],
    ['', "''"],
  ])('%j is one word of a command line', (text, word) => {
    expect(quoteWord(text)).toBe(word);
  });
});
