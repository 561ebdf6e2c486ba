/** The repository checks itself. Each violation is one sentence that names the fix. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { triggers } from '../src/core/journal/trigger.ts';
import { programs } from '../src/core/resume/runtime-names.ts';
import { directions } from './support/directions.ts';

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const sources = files.filter((file) => /^(src|test|bench|examples|scripts|web)\/.*\.(tsx?|mjs)$/.test(file));

/** Files beside their tests that somebody still looks through. */
const roomMax = 24;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
  /** Loaded when the code comes to it. */
  readonly waits: boolean;
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function importsOf(file: string): Import[] {
  const pattern =
    /^(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|(?<!typeof )\bimport\(['`]([^'`]+)['`]\)/gm;
  return [...textOf(file).matchAll(pattern)].flatMap((match) => {
    const target = match[2] ?? match[3] ?? match[4] ?? '';
    return namedBy(target).map((one) => {
      const to = one.startsWith('.') ? normalize(join(dirname(file), one)) : one;
      return { from: file, to, typeOnly: match[1] !== undefined, waits: match[4] !== undefined };
    });
  });
}

/** Without comments, which give examples. */
function codeOf(file: string): string {
  return textOf(file).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
}

/**
 * What an exported name belongs to: its file, or the row of files that it is a field of. The folders of agents and of stores fill in one form
 * each, and no two of them meet; commands are run by one name. Null for names that others gave: those in the records of a program, what a tool
 * is called to a model, and the schemas of what goes over the wire, which are called as it is inside.
 */
function rowOf(file: string, name: string, text: string): string | null {
  if (/^src\/runtimes\/[^/]+\/read\//.test(file)) return null;
  if (file.startsWith('src/mcp/tools/') && text.includes(`\nexport const ${name} = tool(`)) return null;
  const schema = new RegExp(`^(?:export )?const ${name} = z\\b`, 'm');
  if (file.startsWith('src/server/contract/') && schema.test(text)) return null;
  if (file.startsWith('src/cli/commands/') && name === 'run') return 'src/cli/commands';
  return /^src\/(?:runtimes|stores)(?=\/[^/]+\/)/.exec(file)?.[0] ?? file;
}

/** What is known of coding agents before they are loaded. */
const agentData = files.filter((file) => /^src\/runtimes\/[^/]+\/agent\.ts$/.test(file));

/** A part of a coding agent is loaded by its name. */
function namedBy(target: string): string[] {
  if (!target.includes('${name}')) return [target];
  return agentData.map((file) => target.replace('${name}', basename(dirname(file))));
}

function layerOf(file: string): string | undefined {
  return Object.keys(directions).find((folder) => file === folder || file.startsWith(`${folder}/`));
}

function isIn(folder: string, imported: string): boolean {
  return imported === folder || imported.startsWith(folder.endsWith(':') ? folder : `${folder}/`);
}

function allowed({ from, to }: Import): boolean {
  const layer = layerOf(from);
  return layer !== undefined && [layer, ...(directions[layer] ?? [])].some((folder) => isIn(folder, to));
}

describe('layers', () => {
  const production = sources.filter((file) => /^(web\/)?src\//.test(file) && !file.endsWith('.test.ts'));

  test('the pages take nothing but types from the server, and what itself takes nothing else', () => {
    const shared = new Set([
      'src/server/contract/twins.ts',
      'src/core/task/finding-words.ts',
      'src/core/task/card.ts',
      'src/core/task/lanes.ts',
      'src/core/task/lapse.ts',
      'src/core/task/state.ts',
      'src/core/base/counted.ts',
      'src/core/base/defined.ts',
      'src/core/base/command-line.ts',
      'src/core/packet/changed-lines.ts',
      'src/core/packet/readiness.ts',
      'src/core/packet/proven-words.ts',
      'src/core/transcript/session-times.ts',
      'src/core/diff/parse.ts',
      'src/core/diff/quoted.ts',
    ]);
    const taken = production
      .filter((file) => file.startsWith('web/') || shared.has(file))
      .flatMap(importsOf)
      .filter(({ to, typeOnly }) => (to.startsWith('src/') || to.startsWith('zod')) && !typeOnly)
      .filter(({ to }) => !shared.has(to));
    expect(taken.map(({ from, to }) => `${from} imports ${to}: import its types only.`)).toEqual([]);
  });

  test('imports point only where the direction table allows', () => {
    const wrong = production.flatMap(importsOf).filter((imported) => !allowed(imported));
    expect(
      wrong.map(
        ({ from, to }) => `${from} imports ${to}: move the code to the layer that may, or pass it in.`,
      ),
    ).toEqual([]);
  });

  test('the direction table allows what is imported, and nothing else', () => {
    const imports = production.flatMap(importsOf);
    const idle = Object.entries(directions).flatMap(([layer, folders]) =>
      folders
        .filter((folder) => !imports.some(({ from, to }) => layerOf(from) === layer && isIn(folder, to)))
        .map((folder) => `Nothing in ${layer} imports ${folder}: take it out of the table.`),
    );
    expect(idle).toEqual([]);
  });

  test('what is known of a coding agent is data, listed by the name of its folder', () => {
    const imported = agentData
      .flatMap(importsOf)
      .filter(({ to, typeOnly }) => to !== 'src/runtimes/agent.ts' || !typeOnly);
    expect(
      imported.map(({ from, to }) => `${from} imports ${to}: it may import nothing but its form.`),
    ).toEqual([]);
    const listed = new Set(importsOf('src/runtimes/registry.ts').map(({ to }) => to));
    const missing = agentData.filter((file) => !listed.has(file));
    expect(missing.map((file) => `${file} has no line in src/runtimes/registry.ts.`)).toEqual([]);
    const misnamed = agentData.filter(
      (file) => !textOf(file).includes(`  name: '${basename(dirname(file))}',`),
    );
    expect(misnamed.map((file) => `${file} has another name than its folder.`)).toEqual([]);
  });

  test('a list of kinds is written once', () => {
    const lists: readonly (readonly [string, readonly string[]])[] = [
      ['src/core/journal/trigger.ts', triggers],
      ['src/runtimes/registry.ts', programs.flatMap(({ name, title }) => [name, title])],
    ];
    const again = lists.flatMap(([place, kinds]) => {
      const one = `(?:${kinds.join('|')})`;
      const list = new RegExp(`${one}(?:(?:['"\`,|\\s]|and|or)+${one}){2}(?![\\w-])`);
      return production
        .filter((file) => file !== place && list.test(codeOf(file)))
        .map((file) => `${file} lists what ${place} has: make it from there.`);
    });
    expect(again).toEqual([]);
  });

  test('every source file is reached from an entry point', () => {
    const entries = [
      'src/index.ts',
      'src/core/index.ts',
      'src/ports/index.ts',
      'src/stores/memory/open.ts',
      'src/stores/sqlite/open.ts',
      'src/stores/postgres/open.ts',
      'src/router/handler.ts',
      'src/workspace/open.ts',
      'src/runtimes/index.ts',
      'src/runners/index.ts',
      'src/conformance/index.ts',
      'src/mcp/index.ts',
      'src/server/index.ts',
      'src/adapters/langgraph/saver.ts',
      'src/adapters/openai-agents/index.ts',
      'src/adapters/ai-sdk/index.ts',
      'src/cli/main.ts',
      'src/hook/main.ts',
      'web/src/main.tsx',
    ];
    const reached = new Set<string>();
    const visit = (file: string): void => {
      if (reached.has(file) || !existsSync(join(root, file))) return;
      reached.add(file);
      for (const { to } of importsOf(file)) visit(to);
    };
    for (const entry of entries) visit(entry);
    const dead = production.filter((file) => !reached.has(file));
    expect(dead.map((file) => `${file} is imported by nothing: remove it or use it.`)).toEqual([]);
  });

  test('what is exported to be called or read is so in another file', () => {
    const wordsOf = new Map(sources.map((file) => [file, new Set(codeOf(file).match(/[\w$]+/g))] as const));
    const used = new Map<string, number>();
    for (const words of wordsOf.values()) for (const word of words) used.set(word, (used.get(word) ?? 0) + 1);
    const alone = production.flatMap((file) =>
      [...codeOf(file).matchAll(/^export (?:async )?(?:abstract )?(?:function\*?|const|class) (\w+)/gm)]
        .filter(([, name = '']) => used.get(name) === 1)
        .map(
          ([, name]) => `${file} exports ${name}, and nobody else has it: take the word away, or all of it.`,
        ),
    );
    expect(alone).toEqual([]);
  });

  test('a hook that records a note loads no shape of a packet or a contract', () => {
    const loaded = new Set<string>();
    const visit = (file: string): void => {
      if (loaded.has(file) || !existsSync(join(root, file))) return;
      loaded.add(file);
      for (const { to, typeOnly, waits } of importsOf(file)) if (!typeOnly && !waits) visit(to);
    };
    for (const entry of ['src/hook/store.ts', 'src/compose/watched-notes.ts', 'src/stores/sqlite/open.ts'])
      visit(entry);
    // Building them takes longer than the entry does, at every call of a tool.
    const shapes = [
      'src/core/packet/packet.ts',
      'src/core/tree/workspace.ts',
      'src/core/contract/contract.ts',
    ];
    expect(loaded).toContain('src/handoff/record/record.ts');
    expect(shapes.filter((file) => loaded.has(file))).toEqual([]);
  });

  // The pages are a program of their own, whose parts are called as what they show is.
  test.each(['src/', 'web/src/'])('an exported name of %s means one thing', (program) => {
    const declared = new Map<string, Map<string, string>>();
    const isEntry = /^src\/[^/]+\/index\.ts$/;
    for (const file of production.filter((one) => one.startsWith(program) && !isEntry.test(one))) {
      const text = textOf(file);
      // A line with ${JSON is one of a file that is written.
      const exported =
        /^export (?:(?:async|abstract|declare) )?(?:function\*?|const|let|class|interface|type) (\w+)(?!.*\$\{JSON)\b/gm;
      for (const [, name = ''] of text.matchAll(exported)) {
        const row = rowOf(file, name, text);
        if (row !== null)
          declared.set(name, (declared.get(name) ?? new Map<string, string>()).set(row, file));
      }
    }
    const several = [...declared].filter(([, places]) => places.size > 1);
    expect(
      several.map(
        ([name, places]) =>
          `${name} is exported by ${[...places.values()].join(' and ')}: say what sets them apart.`,
      ),
    ).toEqual([]);
  });

  test('a store is a path for its own adapter and for its home alone', () => {
    // By its type an address is no path. These are the ways round that.
    const ways: readonly [RegExp, readonly string[]][] = [
      [/\bsqliteFile\(/, ['src/home/home.ts']],
      [
        /\.reveal\(/,
        [
          // What of an address may be handed on.
          'src/ports/store-address.ts',
          'src/compose/open-store.ts',
          'src/hook/start-work.ts',
          'src/desk/launch/leg-environment.ts',
        ],
      ],
      [/\b(?:dirname|basename|join|resolve|relative|\w+Sync|open|stat|readFile)\([^()]*\.shown\b/, []],
      [/\.shown\}(?:\.\w|\/)|\.shown \+/, []],
    ];
    const taken = production
      .filter((file) => !file.startsWith('src/stores/'))
      .flatMap((file) => ways.map(([way, allowed]) => ({ file, way, allowed })))
      .filter(({ file, way, allowed }) => !allowed.includes(file) && way.test(textOf(file)));
    expect(taken.map(({ file }) => `${file} takes a store for a path: ask src/home/home.ts.`)).toEqual([]);
  });

  test('the examples use the package as its users do', () => {
    const inside = sources
      .filter((file) => file.startsWith('examples/'))
      .flatMap(importsOf)
      .filter(({ to }) => to.startsWith('src/'));
    expect(inside.map(({ from, to }) => `${from} imports ${to}: import from 'staffetta'.`)).toEqual([]);
  });
});

describe('files', () => {
  test('no file is longer than 400 lines', () => {
    const long = sources
      .map((file) => [file, textOf(file).split('\n').length] as const)
      .filter(([, lines]) => lines > 401);
    expect(long.map(([file, lines]) => `${file} has ${lines} lines: split it by concern.`)).toEqual([]);
  });

  test('a folder of the source is a room: it has a page of its name and is not full', () => {
    const folders = Map.groupBy(
      sources.filter((file) => /^(web\/)?src\/.*\/[^/]+$/.test(file) && !file.endsWith('.test.ts')),
      (file) => dirname(file),
    );
    const full = [...folders].filter(([, held]) => held.length > roomMax);
    expect(full.map(([folder, held]) => `${folder} holds ${held.length} files: part it.`)).toEqual([]);
    const bare = [...folders.keys()].filter(
      (folder) => folder.startsWith('src/') && !existsSync(join(root, folder, `${basename(folder)}.md`)),
    );
    expect(bare.map((folder) => `${folder} has no page: say what is in it.`)).toEqual([]);
  });

  test('no file has a name that says nothing', () => {
    const vague = sources.filter((file) =>
      /(^|\/)(types|interfaces|utils?|helpers?|lib|common|misc|[^/]*(manager|service))\.ts$/i.test(file),
    );
    expect(vague.map((file) => `${file}: name it for what it holds.`)).toEqual([]);
  });

  test('file names are in kebab case', () => {
    const odd = sources.filter((file) => !/^[a-z0-9.-]+$/.test(file.split('/').at(-1) ?? ''));
    expect(odd.map((file) => `${file}: use kebab-case.`)).toEqual([]);
  });

  test('nothing is left open in the code', () => {
    const speakOfMarks = new Set(['test/tidy.test.ts']);
    const marks = sources
      .filter((file) => !speakOfMarks.has(file))
      .flatMap((file) =>
        textOf(file)
          .split('\n')
          .map((line, i) => ({ file, line, n: i + 1 })),
      )
      .filter(({ line }) => /\b(TODO|FIXME|XXX|HACK)\b|\b(it|test|describe)\.(only|skip|todo)\b/.test(line));
    expect(
      marks.map(({ file, n, line }) => `${file}:${n}: finish it or take it out: ${line.trim()}`),
    ).toEqual([]);
  });

  test('the title of a test is unique in its file', () => {
    const twice = sources
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => {
        const titles = [...textOf(file).matchAll(/^\s*test\(\s*'((?:[^'\\]|\\.)*)'/gm)].map(
          (match) => match[1] ?? '',
        );
        return titles
          .filter((title, i) => titles.indexOf(title) !== i)
          .map((title) => `${file}: two tests are called "${title}".`);
      });
    expect(twice).toEqual([]);
  });

  test('what chance has found can be had again', () => {
    const unseeded = sources.filter(
      (file) => /fc\.assert\(/.test(textOf(file)) && !/\b(runs\(|seed)/.test(textOf(file)),
    );
    expect(
      unseeded.map((file) => `${file}: give fc.assert the bounds of runs() in test/property/seed.ts.`),
    ).toEqual([]);
  });
});

describe('package', () => {
  const manifest = JSON.parse(textOf('package.json')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const lock = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { resolved?: string; hasInstallScript?: boolean; dev?: boolean }>;
  };

  test('every dependency is pinned exactly', () => {
    const programs = files
      .filter((file) => /^test\/lab\/programs\/[^/]+\/package\.json$/.test(file))
      .map((file) => (JSON.parse(textOf(file)) as typeof manifest).dependencies);
    const pages = (JSON.parse(textOf('web/package.json')) as typeof manifest).devDependencies;
    const all = [manifest.dependencies, manifest.devDependencies, pages, ...programs].flatMap(
      Object.entries<string>,
    );
    const loose = all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version));
    expect(loose.map(([name, version]) => `${name} is ${version}: pin one version.`)).toEqual([]);
  });

  test('the lockfiles name no download address', () => {
    const lockfiles = files.filter((file) => file.endsWith('package-lock.json'));
    // A workspace is a link to a folder of this repository.
    const addressed = lockfiles.filter((file) => /"resolved": "(?!web")/.test(textOf(file)));
    expect(lockfiles.length).toBeGreaterThan(1);
    expect(addressed.map((file) => `${file}: remove the "resolved" fields.`)).toEqual([]);
  });

  test('nothing that users install runs a script', () => {
    const scripted = Object.entries(lock.packages).filter(
      ([, entry]) => entry.hasInstallScript === true && entry.dev !== true,
    );
    expect(scripted.map(([name]) => `${name} has an install script: choose another package.`)).toEqual([]);
  });
});
