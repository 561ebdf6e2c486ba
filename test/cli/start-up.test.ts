/** What a command loads before it answers. Start-up is most of its time, and a careless import doubles it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { launcher, newFolder, staffetta } from './command.ts';
import { asCode, stages } from './stage.ts';

const preload = join(newFolder(), 'preload.cjs');
const built = join(dirname(launcher), '..', 'dist', 'cli');

/** Writes down every file and every module of Node's own that was loaded. */
beforeAll(() => {
  writeFileSync(
    preload,
    `const fs = require('fs');
process.on('exit', () => {
  const own = process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).map((name) => name.slice(13));
  fs.writeFileSync(process.env.LOADED, JSON.stringify({ own, files: Object.keys(require.cache) }));
});
`,
  );
});

interface Loaded {
  readonly own: readonly string[];
  readonly files: readonly string[];
}

async function loadedBy(args: readonly string[], cwd: string): Promise<Loaded> {
  const list = join(newFolder(), 'loaded.json');
  const ran = await staffetta(args, { cwd, env: { LOADED: list }, node: ['--require', preload] });
  expect(ran.status).toBe(0);
  return JSON.parse(readFileSync(list, 'utf8')) as Loaded;
}

const heavy = [
  'http',
  'https',
  'http2',
  'net',
  'tls',
  'child_process',
  'worker_threads',
  'cluster',
  'dns',
  'readline',
];

describe('start-up', () => {
  test.each([
    ['where nobody has worked yet, nor crypto', stages.offered, [...heavy, 'crypto']],
    ['where somebody works, whose journal says whether they ask something', stages.held, heavy],
  ] as const)('a list loads nothing that talks to a network; %s', async (_, begin, unwanted) => {
    const { folder } = await begin();
    const { own, files } = await loadedBy(['ls', '--json'], folder);
    // Not even for standard output, which is a pipe here.
    expect(own.filter((name) => unwanted.includes(name))).toEqual([]);
    expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
  });

  test('a note loads nothing that talks to a network', async () => {
    const { folder, task } = await stages.held();
    const { own, files } = await loadedBy(['note', task, 'x', ...asCode], folder);
    expect(own.filter((name) => heavy.includes(name))).toEqual([]);
    expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
  });

  test('each command loads only its own part', async () => {
    const { folder } = await stages.held();
    const { files } = await loadedBy(['ls'], folder);
    const loaded = files.map((file) => file.split('/').at(-1) ?? '');
    const parts = loaded.filter((file) =>
      /^(take|handoff|show|verify|doctor|run|recover|record|entry)-/.test(file),
    );
    expect(parts).toEqual([]);
  });

  test('neither a note nor a handoff loads what a list asks of crews', async () => {
    const { folder, task } = await stages.held();
    const note = await loadedBy(['note', task, 'x', ...asCode], folder);
    const handoff = await loadedBy(
      ['handoff', task, '--to', 'bea', '--done', 'a half', '--next', 'go on', ...asCode],
      folder,
    );
    const files = [...note.files, ...handoff.files].map((file) => file.split('/').at(-1) ?? '');
    expect(files.filter((file) => /^(?:record|handoff)-/.test(file)).length).toBeGreaterThan(1);
    expect(files.filter((file) => file.startsWith('list-'))).toEqual([]);
  });

  test('the translations of the schema library are not in the build', () => {
    const files = ['main.cjs', ...readdirSync(join(built, 'chunks')).map((file) => join('chunks', file))];
    const translated = files.filter((file) =>
      /Ungültige Eingabe|entrada inválida|無効な入力/.test(readFileSync(join(built, file), 'utf8')),
    );
    expect(existsSync(join(built, 'main.cjs'))).toBe(true);
    expect(translated).toEqual([]);
  });
});
