/** The first page, followed by a newcomer to the letter: every block of it is run. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'README.md'), 'utf8');
if (!existsSync(join(root, 'dist', 'cli', 'main.cjs')))
  throw new Error('The command is not built: run "npm run build" before these tests.');

interface Block {
  readonly kind: string;
  readonly code: string;
  /** What the text says right after it. */
  readonly after: string;
}

const blocks: readonly Block[] = [...page.matchAll(/^```(.+)\n([\s\S]*?)^```\n\n(.*)/gm)].map(
  ([, kind = '', code = '', after = '']) => ({ kind, code, after }),
);
const shell = blocks.filter(({ kind }) => kind.startsWith('sh'));
/** Kept under its name in the project before the first command is run. */
const files = blocks.filter(({ kind }) => kind.startsWith('yaml '));

/** A build would take the package from under the tests that run beside this one; what is played is the same. */
const withoutBuilding = 'npm() { [ "$*" = start ] && command node examples/relay/play.ts; }';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta readme-')));
let ends: { readonly status: string; readonly said: string }[] = [];

beforeAll(() => {
  mkdirSync(join(home, 'my-project'));
  spawnSync('git', ['init', '-q'], { cwd: join(home, 'my-project') });
  symlinkSync(root, join(home, 'the clone'), 'dir');
  leaveSession(join(home, 'my-project'));
  for (const { kind, code } of files)
    writeFileSync(join(home, 'my-project', kind.slice('yaml '.length)), code);
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/codex'), '#!/bin/sh\necho codex-cli 0.166.0\n', { mode: 0o755 });
  // One shell for all blocks, as a newcomer has; each is told apart by how it ended.
  const script = [
    'shopt -s expand_aliases',
    withoutBuilding,
    'cd "$HOME/the clone"',
    ...shell.map(({ code }) => `${stoppingAtFailure(code)}\nprintf '\\0%s\\0' "$status"`),
  ].join('\n');
  const { stdout } = spawnSync('bash', ['-s'], {
    input: `exec 2>&1\n${script}\n`,
    encoding: 'utf8',
    env: {
      PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: home,
      TMPDIR: home,
      LANG: 'C.UTF-8',
    },
  });
  const parts = stdout.split('\0');
  ends = shell.map((_, i) => ({ said: parts[2 * i] ?? '', status: parts[2 * i + 1] ?? 'not reached' }));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Somebody worked there with Claude Code. */
function leaveSession(folder: string): void {
  const written = readFileSync(join(root, 'test/runtimes/fixtures/claude-code/file-edit.jsonl'), 'utf8');
  const place = join(home, '.claude/projects', folder.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(place, { recursive: true });
  const text = written.replaceAll('/home/dev/demo', folder);
  writeFileSync(join(place, '246b28e2-f5d7-4c6f-9cee-22ae9ee57704.jsonl'), text);
}

/** The exit code of the first command of a block that fails, else 0. */
function stoppingAtFailure(code: string): string {
  const commands = code
    .replaceAll(/\|\n\s*/g, '| ')
    .trimEnd()
    .split('\n');
  return ['status=0', ...commands.map((line) => `if [ $status = 0 ]; then\n${line}\nstatus=$?\nfi`)].join(
    '\n',
  );
}

function shellBlocks(kind: string): (readonly [string, number])[] {
  return shell.flatMap((block, i) =>
    block.kind === kind ? [[block.code.split('\n')[0] ?? '', i] as const] : [],
  );
}

describe('README.md', () => {
  test('has no block that is not run', () => {
    expect(new Set(blocks.map(({ kind }) => kind))).toEqual(
      new Set(['sh run', 'sh refused', 'yaml plan.yaml', 'ts run']),
    );
    expect(page.match(/^```/gm)).toHaveLength(2 * blocks.length);
  });

  test.each(shellBlocks('sh run'))('%s … runs to its end', (_, i) => {
    expect(ends[i]).toMatchObject({ status: '0' });
  });

  test.each(shellBlocks('sh refused'))('%s … is refused as the text after it says', (_, i) => {
    expect(ends[i]?.status).toMatch(/^[1-9]\d*$/);
    expect(ends[i]?.said).toContain(/`([^`]+)`/.exec(shell[i]?.after ?? '')?.[1]);
  });

  test('the reasoning of the first agent reaches the second', () => {
    const history = ends[shell.findIndex(({ code }) => code.includes('--history'))]?.said;
    expect(history).toContain('every probe of a password then counts');
    expect(history).toContain('sliding window');
  });

  test('no line needs a shell that takes comments when it is pasted', () => {
    expect(shell.filter(({ code }) => /(^|\s)#/m.test(code))).toEqual([]);
  });

  test('the example of the library says what it prints', () => {
    const example = blocks.find(({ kind }) => kind === 'ts run');
    expect(example?.code).toContain('// → ');
  });

  test('the first screen says what it is, what goes wrong without it, and leads to the one command', () => {
    const lines = page.split('\n');
    expect(lines.findIndex((line) => line.startsWith('| What goes wrong'))).toBeLessThan(10);
    expect(lines.findIndex((line) => line === 'staffetta resume --in codex')).toBeLessThan(30);
  });
});
