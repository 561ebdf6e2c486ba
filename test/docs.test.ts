/** The documentation, held to the code: its examples are run, its lists are compared, its links are followed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../src/cli/frame/commands.ts';
import { exitCode, exits } from '../src/cli/frame/fail.ts';
import { parseCommandLine } from '../src/cli/frame/parse.ts';
import { globalOptions, placeholderOf } from '../src/cli/frame/spec.ts';
import { splitCommand } from '../src/cli/contract/split-command.ts';
import { Contract } from '../src/core/contract/contract.ts';
import { readContractMarkdown } from '../src/core/files/contract-markdown.ts';
import { errorCodes, StaffettaError } from '../src/core/base/error.ts';
import { escalationReasons, eventShape, eventTypes } from '../src/core/journal/event.ts';
import { Claims, Packet } from '../src/core/packet/packet.ts';
import { statuses } from '../src/core/task/state.ts';
import { migrations } from '../src/stores/sqlite/schema.ts';
import { childEnvironment } from './crash/run-child.ts';
import { sandboxed } from './support/sandboxed.ts';

const root = join(import.meta.dirname, '..');

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((item) => item.isFile() && item.name.endsWith('.md'))
    .map((item) => join(folder, item.name));
}

const pages = [
  ...markdownIn('.'),
  ...markdownIn('docs'),
  ...markdownIn('docs/adapters'),
  ...markdownIn('docs/decisions'),
];

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** What stands under a heading, up to the next one of its level or above. */
function sections(file: string, level: number): Map<string, string> {
  const parts = textOf(file).split(new RegExp(`^(?=#{1,${level}} )`, 'm'));
  const mark = `${'#'.repeat(level)} `;
  return new Map(
    parts
      .filter((part) => part.startsWith(mark))
      .map((part) => [part.slice(mark.length, part.indexOf('\n')).trim(), part] as const),
  );
}

interface Example {
  readonly title: string;
  readonly code: string;
  /** What it says that it prints. */
  readonly prints: readonly string[];
}

function examplesOf(file: string): Example[] {
  return [...textOf(file).matchAll(/^```ts run\n([\s\S]*?)^```$/gm)].map((match, index) => {
    const code = match[1] ?? '';
    const prints = [...code.matchAll(/\/\/ → (.*)$/gm)].map((said) => said[1] ?? '');
    return { title: `${file} ${index + 1}`, code, prints };
  });
}

describe('examples', () => {
  const examples = pages.flatMap(examplesOf);
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-docs-'));
  const folderOf = ({ title }: Example): string => join(folder, title.replaceAll(/[^a-z0-9]+/gi, '-'));

  beforeAll(() => {
    if (!existsSync(join(root, 'dist/lib/index.js'))) throw new Error('not built yet; run: npm run build');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'staffetta'), 'dir');
    for (const name of ['@types', '@langchain', '@openai', 'ai', 'zod'])
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      target: 'es2024',
      lib: ['es2024'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noPropertyAccessFromIndexSignature: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
      noEmit: true,
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*/example.ts'] }),
    );
    for (const example of examples) {
      mkdirSync(folderOf(example));
      writeFileSync(join(folderOf(example), 'example.ts'), example.code);
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('there are some', () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  test('they have the types that the package publishes', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  test.each(examples)('$title runs, and prints what it says', async (example) => {
    const running = spawn(process.execPath, ['example.ts'], {
      cwd: folderOf(example),
      env: childEnvironment({ HOME: folder, NO_COLOR: '1', ...sandboxed }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    running.stdout.on('data', (part) => (stdout += String(part)));
    running.stderr.on('data', (part) => (stderr += String(part)));
    const [status] = (await once(running, 'close')) as [number | null];
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // An example that says nothing of what it prints may print what it likes.
    const printed = example.prints.length === 0 ? [] : stdout.trimEnd().split('\n');
    expect(printed).toEqual(example.prints);
  });
});

describe('docs/errors.md', () => {
  const found = sections('docs/errors.md', 2);

  test('has one section per error code and no other', () => {
    const headings = [...textOf('docs/errors.md').matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '');
    expect(headings.toSorted()).toEqual([...errorCodes].toSorted());
  });

  test('gives the exit code of each, and whether it is worth a retry', () => {
    const wrong = errorCodes.filter((code) => {
      const { retryable } = new StaffettaError(code, '');
      const wanted = `Exit ${exitCode(code)} · ${retryable ? 'retryable' : 'not retryable'}`;
      return found.get(code)?.split('\n')[2] !== wanted;
    });
    expect(wrong).toEqual([]);
  });

  test('says of each what it means, what causes it and what to do', () => {
    const short = errorCodes.filter((code) =>
      ['**Means** ', '**Causes** ', '**Do** '].some(
        (part) => found.get(code)?.includes(`\n${part}`) !== true,
      ),
    );
    expect(short).toEqual([]);
  });
});

describe('docs/cli.md', () => {
  const found = sections('docs/cli.md', 3);

  test('has one section per command and no other', () => {
    expect([...found.keys()].toSorted()).toEqual(commands.map((command) => command.name).toSorted());
  });

  test('names every option of each command, in its section, and its examples', () => {
    const missing = commands.flatMap(({ name, options = {}, arguments: given = [], examples }) => {
      const section = found.get(name) ?? '';
      const wanted = [
        ...Object.entries(options).map(([option, spec]) =>
          spec.type === 'string' ? `--${option} ${placeholderOf(spec)}\`` : `--${option}\``,
        ),
        ...given.map((argument) => `\`${argument.name}\``),
        ...examples,
      ];
      return wanted.filter((text) => !section.includes(text)).map((text) => `${name}: ${text}`);
    });
    expect(missing).toEqual([]);
  });

  test('every example is understood by the command', () => {
    const examples = [...textOf('docs/cli.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
      .flatMap((match) => (match[1] ?? '').split('\n'))
      .flatMap((line) => /\bstaffetta (?:[^|<>)"]|"[^"]*")*/.exec(line)?.[0].trim() ?? []);
    expect(examples.length).toBeGreaterThan(commands.length);
    const refused = examples.flatMap((example) => {
      try {
        parseCommandLine(splitCommand(example).slice(1));
        return [];
      } catch (error) {
        return [`${example}: ${(error as Error).message}`];
      }
    });
    expect(refused).toEqual([]);
  });

  test('the contract in Markdown is read as one', () => {
    const section = found.get('open') ?? '';
    const lines = section.split('\n').filter((line) => line === '' || line.startsWith('    '));
    const contract = readContractMarkdown(lines.map((line) => line.slice(4)).join('\n'));
    expect(contract).toMatchObject({ title: 'Import users', review: 'human', skills: ['docs/import.md'] });
    expect(contract.validation).toHaveLength(2);
    expect(contract.phases?.map(({ name }) => name)).toEqual(['measure', 'import']);
    expect(contract.policy).toEqual({
      paths: 'infra/, src/auth/',
      diffLinesMax: '400',
      kinds: 'deleted, binary',
    });
  });

  test('lists every command in its group, in the order of the help', () => {
    const groups = Object.groupBy(commands, ({ group }) => group);
    for (const [group, own = []] of Object.entries(groups))
      expect(textOf('docs/cli.md')).toContain(
        `| ${group} | ${own.map(({ name }) => `[${name}](#${name})`).join(', ')} |`,
      );
  });

  test('names every option that all commands have', () => {
    const section = sections('docs/cli.md', 2).get('Options of every command') ?? '';
    expect(Object.keys(globalOptions).filter((option) => !section.includes(`--${option}`))).toEqual([]);
  });

  test('names every variable that the command reads', () => {
    const sources = ['src/cli', 'src/compose'].flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    );
    const read = sources.flatMap((file) =>
      [...textOf(file).matchAll(/env\['(\w+)'\]/g)].map((match) => match[1] ?? ''),
    );
    const page = textOf('docs/cli.md');
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((variable) => !page.includes(variable))).toEqual([]);
  });

  test('lists every exit code', () => {
    const section = sections('docs/cli.md', 2).get('Exit codes') ?? '';
    expect(Object.values(exits).filter((code) => !section.includes(`| ${code} |`))).toEqual([]);
  });
});

describe('formats and protocol', () => {
  test('docs/journal-format.md has a row for every type of event, with every field', () => {
    const rows = textOf('docs/journal-format.md').split('\n');
    const missing = eventTypes.flatMap((type) => {
      const row = rows.find((line) => line.startsWith(`| \`${type}\` |`)) ?? '';
      const { shape } = eventShape(type) as unknown as { readonly shape: Record<string, unknown> };
      const fields = Object.keys(shape).filter((field) => field !== 'type' && field !== 'v');
      return ['', ...fields]
        .filter((field) => !row.includes(`\`${field}`))
        .map((field) => `${type} ${field}`);
    });
    expect(missing).toEqual([]);
  });

  test('docs/journal-format.md has the schema of the database as it is', () => {
    const page = textOf('docs/journal-format.md');
    const lines = migrations.flatMap(({ sql }) => sql.split('\n')).filter((line) => line !== '');
    expect(lines.filter((line) => !page.includes(`${line}\n`))).toEqual([]);
  });

  test('docs/journal-format.md has the table of words that packing replaces', () => {
    const table = /^const words = \[\n([\s\S]*?)^\]/m.exec(textOf('src/stores/packing/packed.ts'))?.[1] ?? '';
    const words = [...table.matchAll(/^ {2}'(.*)',$/gm)].map((match) => match[1] ?? '');
    const page = textOf('docs/journal-format.md');
    const wrong = words.filter((word, i) => !page.includes(`\n${String(i + 1).padStart(2)}  ${word}\n`));
    expect(words.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  test('docs/journal-format.md has every field of a contract and of a packet', () => {
    const page = textOf('docs/journal-format.md');
    const fields = [Contract, Packet, Claims].flatMap((shape) => Object.keys(shape.shape));
    expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
  });

  test('docs/protocol.md has every status and every reason to escalate', () => {
    const page = textOf('docs/protocol.md');
    expect([...statuses, ...escalationReasons].filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
  });

  test('docs/architecture.md names every folder of the source', () => {
    const page = textOf('docs/architecture.md');
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((item) =>
      item.isDirectory(),
    );
    expect(folders.map(({ name }) => `src/${name}`).filter((name) => !page.includes(`\`${name}`))).toEqual(
      [],
    );
  });
});

describe('the repository', () => {
  test('docs/dependencies.md has a line for every dependency and no other', () => {
    const listed = [...textOf('docs/dependencies.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
      (match) => match[1] ?? '',
    );
    const programs = readdirSync(join(root, 'test/lab/programs')).map(
      (program) => `test/lab/programs/${program}/package.json`,
    );
    const named = ['package.json', 'web/package.json', 'toolchain/package.json', ...programs].flatMap(
      (file) => {
        const manifest = JSON.parse(textOf(file)) as Record<string, Record<string, string> | undefined>;
        const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
        // An optional peer is installed here too, for its tests.
        return [...new Set(kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})))];
      },
    );
    expect(listed.toSorted()).toEqual(named.toSorted());
  });

  test('AGENTS.md has at most 60 lines', () => {
    expect(textOf('AGENTS.md').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });

  test('CHANGELOG.md has a section for the version of the package', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(textOf('CHANGELOG.md')).toContain(`\n## ${version}`);
  });

  test('decisions are numbered without gaps and have the same parts', () => {
    const files = markdownIn('docs/decisions').toSorted();
    const wrong = files.filter((file, index) => {
      const number = String(index + 1).padStart(4, '0');
      const parts = ['Context', 'Decision', 'Alternatives', 'Consequences', 'When to revisit'];
      const found = [...sections(file, 2).keys()];
      return !file.startsWith(`docs/decisions/${number}-`) || found.join() !== parts.join();
    });
    expect(wrong).toEqual([]);
  });

  test('links between pages lead somewhere', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

function linksOf(page: string): string[] {
  return [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(target).has(anchor);
}

/** Headings as they are linked to. */
function anchorsOf(page: string): Set<string> {
  const headings = [
    ...textOf(page)
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/^#{1,6} (.+)$/gm),
  ];
  return new Set(
    headings.map((match) =>
      (match[1] ?? '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  );
}
