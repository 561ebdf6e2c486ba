import { describe, expect, test } from 'vitest';
import { called, ran, storyOfSteps } from '../../../../test/support/story.ts';
import { joinCommand } from '../../base/command-line.ts';
import { withoutOutput, splitWords } from './argv.ts';
import { editsIn } from '../edits.ts';
import { commandOf, isMadeGood, runsIn, tellingLines } from './runs.ts';

function command(tool: string, args: Parameters<typeof called>[1]): string | null {
  return commandOf({ id: 'c', tool, args });
}

function ranIn(folder: string, line: string): ReturnType<typeof called> {
  const { calls = [], results = [] } = ran(line, 0);
  return { calls: calls.map((call) => ({ ...call, folder })), results };
}

describe('runs', () => {
  test('have their last failure and their last pass, whatever shortened the output', () => {
    const { steps } = storyOfSteps([
      ['agent', '', ran('npm test 2>&1 | tail -20', 1, 'FAIL a')],
      ['agent', '', ran('npm test', 0)],
      ['agent', '', ran('npm test', 1, 'FAIL b')],
    ]);
    expect(runsIn(steps)).toEqual([
      {
        command: 'npm test',
        failed: { ref: 3, at: null, exit: 1, output: 'FAIL b' },
        passed: { ref: 2, at: null, exit: 0, output: '' },
        ran: null,
        checks: true,
        proof: 'npm test',
        commands: ['["","npm","test"]'],
      },
    ]);
  });

  test.each([
    ['npm test 2>&1 | tail -3', 0, 'ran'],
    ['npm test | grep FAIL', 0, 'ran'],
    ['npm test | grep FAIL', 1, 'ran'],
    ['npm test | tail -3', 1, 'failed'],
    ['set -o pipefail; npm test | tail -3', 0, 'passed'],
  ])('through a pipe end as its last part: %s with %i', (command, exit, how) => {
    const [run] = runsIn(storyOfSteps([['agent', '', ran(command, exit)]]).steps);
    expect(run).toMatchObject({ [how]: { ref: 1 } });
  });

  test.each([
    'npm test || true',
    'mypy . || :',
    'cargo test; echo done',
    'go test ./... ; true',
    'pytest -q; git status',
    'npm test; npm run lint',
    '(npm test; true) && npm run lint',
    'if npx tsc; then echo good; else echo bad; fi',
    '! npx eslint .',
    'cd api && ! npx eslint .',
    'npx vitest run &',
    'npx vitest run & wait',
    'for d in a b; do npm test; done',
    '{ npm test; true; }',
    "bash -c 'npm test; true'",
    'eval "npm test || true"',
    'npm run build $(npm test)',
    'set -e; npm test && echo ok; ls',
    'set -e; set +e; npm test; ls',
    '(set -e); npm test; ls',
    'npm test | sort && npm run lint',
    'false || npm test; true',
    'npm test |& tee log',
    'npm test <<EOF',
  ])('are not known to have passed where a failure would not show: %s', (line) => {
    const [run] = runsIn(storyOfSteps([['agent', '', ran(line, 0, 'printed')]]).steps);
    expect(run).toMatchObject({ passed: null, ran: { output: 'printed' } });
  });

  test.each([
    'npm test',
    'npm test;',
    'CI=1 npm test 2>&1',
    'cd api && npm run build && npm test && echo done',
    'export CI=1; git status; cd api; npm test',
    '(cd api && npm test)',
    'set -e; npm run build; npm test; ls',
    'set -euo pipefail; npm test | tail -3; npm run lint',
    'npm test > out.log 2>&1',
    'npm test -- "$NAME"',
    "bash -lc 'cd api && npm test'",
    'export CI=1; cat in.json | node check.mjs',
    'export CI=1; ls | head; npm test',
    'timeout 60 npm test',
  ])('have passed where any failure would have been that of the line: %s', (line) => {
    const [run] = runsIn(storyOfSteps([['agent', '', ran(line, 0)]]).steps);
    expect(run).toMatchObject({ passed: { ref: 1 }, ran: null });
  });

  test.each([
    ['pytest tests/a.py', 'pytest tests/a.py -q', true],
    ['npm test', 'npm run lint && npm test', true],
    ['npm test', 'cd /home/dev/project && npm test', true],
    ['npm test', 'cd . && npm test', true],
    ['cd api && npm test', '(cd /home/dev/project/api; npm test)', true],
    ['cd api && npm test', 'cd api/../api && npm test', true],
    ['pytest tests/a.py', 'cd sub && pytest tests/a.py -q', false],
    ['npm test', 'cd packages/util && npm test', false],
    ['npm test', 'cd ~/other && npm test', false],
    ['cd packages/util && npm test', 'npm test', false],
    ['pytest', 'pytest tests/a.py', false],
    ['npm test', 'npm test -- --grep one', false],
    ['npm test', 'npm test; echo done', false],
    ['npm test', '(cd packages/util && ls); npm test', false],
  ])('that failed are made good by the same commands in the same folder: %s by %s', (lost, won, good) => {
    const { steps } = storyOfSteps([
      ['agent', '', ran(lost, 1)],
      ['agent', '', ran(won, 0)],
    ]);
    const runs = runsIn(steps, () => '/home/dev/project');
    const failed = runs.find((run) => run.failed !== null);
    expect(failed === undefined || isMadeGood(failed, runs)).toBe(good);
  });

  test('are told with the folder that the program was given for them', () => {
    const { steps } = storyOfSteps([
      [
        'agent',
        '',
        called(
          'exec_command',
          { cmd: 'npm test', workdir: '/home/dev/project' },
          { text: '', failed: true, exit: 1 },
        ),
      ],
      [
        'agent',
        '',
        called('exec_command', { cmd: 'npm test', workdir: 'api' }, { text: '', failed: false, exit: 0 }),
      ],
    ]);
    expect(runsIn(steps, () => '/home/dev/project')).toMatchObject([
      { command: 'npm test', failed: { ref: 1 }, proof: 'npm test' },
      { command: 'cd api && npm test', passed: { ref: 2 }, proof: 'cd api && npm test' },
    ]);
  });

  test('are told with the folder that the shell had gone to before', () => {
    const { steps } = storyOfSteps([
      ['agent', '', ranIn('/home/dev/project/api', 'npm test')],
      ['agent', '', ranIn('/home/dev/project/api', 'cd /home/dev/project && npm test')],
    ]);
    expect(runsIn(steps, () => '/home/dev/project').map(({ proof }) => proof)).toEqual([
      'cd api && npm test',
      'cd /home/dev/project && npm test',
    ]);
  });

  test('of one step count in their order', () => {
    const [first, again] = [ran('npm test', 1), ran('npm test', 0)];
    const calls = [...(first.calls ?? []), ...(again.calls ?? []).map((call) => ({ ...call, id: 'again' }))];
    const results = [
      ...(first.results ?? []),
      ...(again.results ?? []).map((result) => ({ ...result, call: 'again' })),
    ];
    expect(runsIn(storyOfSteps([['agent', '', { calls, results }]]).steps)).toMatchObject([
      { failed: null, passed: { ref: 1 } },
    ]);
  });

  test('leave out commands that only look, unless they failed last', () => {
    const { steps } = storyOfSteps([
      ['agent', '', ran('ls -la', 0)],
      ['agent', '', ran('cat missing', 1)],
      ['agent', '', ran('node fix.mjs', 0)],
    ]);
    expect(runsIn(steps).map(({ command, checks }) => [command, checks])).toEqual([
      ['cat missing', false],
      ['node fix.mjs', false],
    ]);
  });

  test('fail by their exit code also where the program calls them a success', () => {
    const { steps } = storyOfSteps([
      ['agent', '', called('run_shell_command', { command: 'make' }, { text: '', failed: false, exit: 2 })],
    ]);
    expect(runsIn(steps)[0]?.failed?.exit).toBe(2);
  });

  test('have passed only where the program says so: otherwise they ran', () => {
    const result = { text: 'ok', failed: false } as const;
    const { steps } = storyOfSteps([
      ['agent', '', called('exec_command', { cmd: 'npm test' }, result)],
      ['agent', '', called('exec_command', { cmd: 'make' }, { ...result, passed: true })],
      ['agent', '', called('exec_command', { cmd: 'tsc' }, { ...result, exit: 0 })],
    ]);
    expect(
      runsIn(steps).map(({ failed, passed, ran: unknown }) => [failed, passed?.ref, unknown?.ref]),
    ).toEqual([
      [null, undefined, 1],
      [null, 2, undefined],
      [null, 3, undefined],
    ]);
  });

  test('are found in the shell tools of every program, and unwrapped', () => {
    expect(command('Bash', { command: 'ls' })).toBe('ls');
    expect(command('exec_command', { cmd: 'ls' })).toBe('ls');
    expect(command('shell', { command: ['bash', '-lc', 'ls -a'] })).toBe('ls -a');
    expect(command('Read', { command: 'ls' })).toBeNull();
  });

  test('show the lines that say what went wrong, or the last ones', () => {
    expect(tellingLines('start\nsetup\nError: no such table\n  at x\nend')).toEqual(['Error: no such table']);
    expect(tellingLines('one\ntwo\nthree')).toEqual(['two', 'three']);
    expect(tellingLines(`error ${'x'.repeat(10_000_000)}`)[0]).toHaveLength(241);
  });
});

describe('words of a command', () => {
  test('are taken apart without a shell, or not at all', () => {
    expect(splitWords(`npm test -- "a b" 'c d' e\\ f`)).toEqual(['npm', 'test', '--', 'a b', 'c d', 'e f']);
    for (const line of ['a && b', 'a | b', 'echo $HOME', 'a > b', 'echo "$(x)"', 'ls *.ts', "say 'open", ''])
      expect([line, splitWords(line)]).toEqual([line, null]);
  });

  test('come back as they would be typed', () => {
    expect(joinCommand(['npm', 'test', 'a b', "it's"])).toBe(`npm test 'a b' 'it'\\''s'`);
  });

  test('stay what they are when nothing shortens the output', () => {
    expect(withoutOutput('cat a | sort -u > b')).toBe('cat a | sort -u > b');
    expect(withoutOutput('npm test 2>&1 | tail -5')).toBe('npm test');
  });
});

describe('edits', () => {
  test('are files that edit tools changed, named from the folder of the session', () => {
    const ok = { text: '', failed: false };
    const { steps } = storyOfSteps([
      ['agent', '', called('Write', { file_path: '/home/dev/project/src/b.ts', content: '' }, ok)],
      ['agent', '', called('edit', { filePath: './src/a.ts' }, ok)],
      ['agent', '', called('replace', { file_path: '/home/dev/project/src/b.ts' }, ok)],
      [
        'agent',
        '',
        called('Edit', { file_path: '/home/dev/project/src/no.ts' }, { text: 'not found', failed: true }),
      ],
      ['agent', '', called('Read', { file_path: '/home/dev/project/src/c.ts' }, ok)],
    ]);
    expect(editsIn(steps, () => '/home/dev/project')).toEqual([
      { path: 'src/a.ts', refs: [2], deleted: false },
      { path: 'src/b.ts', refs: [1, 3], deleted: false },
    ]);
  });

  test('are found in patches, as a tool and through a shell', () => {
    const patch =
      '*** Begin Patch\n*** Add File: new.ts\n+a\n*** Delete File: old.ts\n*** Update File: x.ts\n*** Move to: y.ts\n*** End Patch';
    const calls = [{ id: 'p', tool: 'apply_patch', args: {}, raw: patch }];
    const results = [{ call: 'p', text: 'Success.', failed: false }];
    const shell = ran(`apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: z.ts\n*** End Patch\nEOF`, 0);
    const { steps } = storyOfSteps([
      ['agent', '', { calls, results }],
      ['agent', '', shell],
    ]);
    expect(editsIn(steps).map(({ path, deleted }) => [path, deleted])).toEqual([
      ['new.ts', false],
      ['old.ts', true],
      ['x.ts', true],
      ['y.ts', false],
      ['z.ts', false],
    ]);
  });
});

test('what a program puts around an output is no part of it', () => {
  const head =
    'Chunk ID: 1a2b\nWall time: 0.05 seconds\nProcess exited with code 1\nOriginal token count: 0\nOutput:\n';
  expect(tellingLines(head)).toEqual([]);
  expect(tellingLines(`${head}nothing to do`)).toEqual(['nothing to do']);
  expect(tellingLines('Output: (empty)\nError: (none)\nExit Code: 1\nSignal: (none)')).toEqual([]);
});
