// What users install: the files of dist/, as the package publishes them.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
  exports: Record<string, string | { types: string; default: string }>;
};
const table = 'o200k_base.cjs';

beforeAll(() => {
  if (!existsSync(join(dist, 'lib/index.js'))) throw new Error('not built yet; run: npm run build');
});

function filesOf(pattern: RegExp): string[] {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => pattern.test(file));
}

describe('what is published', () => {
  test('has the code and the types of every entry point', () => {
    const named = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [] : [target.default, target.types],
    );
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('has one table of tokens and no source map', () => {
    const large = filesOf(/\.c?js$/).filter((file) => readFileSync(join(dist, file)).length > 1_500_000);
    expect(large).toEqual([`tokens/${table}`]);
    expect(filesOf(/\.map$/)).toEqual([]);
  });

  test('finds its table from every bundle', () => {
    const found = filesOf(/^(?:lib|cli|hook)\/.*\.c?js$/).flatMap((file) =>
      [...readFileSync(join(dist, file), 'utf8').matchAll(/\("([./]+tokens\/[^"]+)"\)/g)].map(
        (match) => [file.split('/')[0], join(dist, dirname(file), match[1] ?? '')] as const,
      ),
    );
    const there = join(dist, 'tokens', table);
    expect(found).toHaveLength(3);
    expect(Object.fromEntries(found)).toEqual({ cli: there, hook: there, lib: there });
  });
});

test('frameworks and drivers are optional, and none of their code is in the package', () => {
  expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(Object.keys(manifest.peerDependencies));
  expect(Object.values(manifest.peerDependenciesMeta).every(({ optional }) => optional)).toBe(true);
  const carried = readFileSync(join(dist, 'licenses.txt'), 'utf8');
  for (const name of Object.keys(manifest.peerDependencies)) expect(carried).not.toContain(`${name} `);
  const frameworks = filesOf(/^(?:lib|cli|hook)\/.*\.c?js$/).filter((file) =>
    /(?:from |require\()"(?:@langchain\/|@openai\/agents"|ai")/.test(readFileSync(join(dist, file), 'utf8')),
  );
  expect(frameworks.toSorted()).toEqual(['lib/ai-sdk.js', 'lib/langgraph.js', 'lib/openai-agents.js']);
});

test('functions that a note calls are in parentheses, by which V8 compiles them with their file', () => {
  const files = filesOf(/^(?:cli\/chunks\/(?:start|record)|hook\/chunks\/(?:moment|record))-.{8}\.cjs$/);
  const marked = files.filter((file) =>
    /^var \w+=\((?:async )?function/.test(readFileSync(join(dist, file), 'utf8')),
  );
  expect(marked.map((file) => file.split('-')[0])).toEqual(
    expect.arrayContaining([
      'cli/chunks/start',
      'cli/chunks/record',
      'hook/chunks/moment',
      'hook/chunks/record',
    ]),
  );
});

describe('declarations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-types-'));
  // A program that imports an adapter has its framework, whose own declarations need more.
  const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === 'string' || target.types.includes('/adapters/') ? [] : [name.replace('.', 'staffetta')],
  );

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // With nothing but what an installation brings: no types of Node, and the declarations themselves are checked.
  test('are sound in a project without the types of Node', () => {
    const installed = join(folder, 'node_modules');
    mkdirSync(join(installed, 'staffetta'), { recursive: true });
    for (const name of ['package.json', 'dist'])
      symlinkSync(join(root, name), join(installed, 'staffetta', name));
    for (const name of Object.keys(manifest.dependencies))
      symlinkSync(join(root, 'node_modules', name), join(installed, name), 'dir');
    const compilerOptions = {
      target: 'es2024',
      module: 'nodenext',
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      preserveSymlinks: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeFileSync(
      join(folder, 'all.ts'),
      entries.map((name, n) => `export * as entry${n} from '${name}';\n`).join(''),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });
});
