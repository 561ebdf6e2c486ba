// Builds dist/: the library and the command as bundles with shared chunks, the type declarations and the JSON Schemas.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { build as buildPages } from 'vite';
import { compileEarly } from './compile-early.mjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });

// Two megabytes that every bundle counts with: a file of its own, which their chunks load when something is counted first.
const table = 'gpt-tokenizer/encoding/o200k_base';

// The parts of a coding agent are loaded by its name, and a bundler has to be told which there are.
const agents = readdirSync(join(root, 'src/runtimes')).filter((name) =>
  existsSync(join(root, 'src/runtimes', name, 'agent.ts')),
);
const agentParts = {
  name: 'agent-parts',
  transform: {
    filter: { id: /[\\/]runtimes[\\/]load\.ts$/ },
    handler: (code) =>
      code.replaceAll(/import\(`\.\/\$\{name\}\/([^`]+)`\)/g, (_, part) => {
        const loads = agents.map((name) => `'${name}': () => import('./${name}/${part}')`);
        return `({ ${loads.join(', ')} })[name]()`;
      }),
  },
};
// A list of all that a module exports needs a helper, which is one more file to load at every hook.
const agentNames = {
  name: 'agent-names',
  transform: {
    filter: { id: /[\\/]resume[\\/]runtime-names\.ts$/ },
    handler: (code) => {
      const registry = readFileSync(join(root, 'src/runtimes/registry.ts'), 'utf8');
      const names = [...registry.matchAll(/ as (\w+) \}/g)].map(([, name]) => name).join(', ');
      return code.replace(
        /import \* as registry from ('[^']+');/,
        (_, from) => `import { ${names} } from ${from};\nconst registry = { ${names} };`,
      );
    },
  },
};

// Frameworks and drivers are the user's own: what needs them works with the copy that the program has.
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const peers = Object.keys(peerDependencies).map((name) => new RegExp(`^${name}(?:/|$)`));

/** @type {Set<string>} Packages whose code is in the bundles, by their folders. */
const carried = new Set();

async function bundle(input, dir, groups = []) {
  const command = dir !== 'lib';
  const small = dir === 'cli' || dir === 'hook';
  const built = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: dir === 'tokens' ? [/^node:/] : [/^node:/, table, ...peers],
    treeshake: true,
    plugins: [agentParts, agentNames],
    // An import that waits also waits for what is loaded already.
    checks: { ineffectiveDynamicImport: groups.length === 0 },
  });
  const { output } = await built.write({
    dir: join(dist, dir),
    paths: { [table]: '../../tokens/o200k_base.cjs' },
    dynamicImportInCjs: false,
    exports: small ? 'auto' : 'named',
    // A bundled CommonJS entry starts some 6 ms sooner than an ES module.
    format: command ? 'cjs' : 'esm',
    entryFileNames: command ? '[name].cjs' : '[name].js',
    chunkFileNames: command ? 'chunks/[name]-[hash].cjs' : 'chunks/[name]-[hash].js',
    // What a declaration says to an editor need not stand in the code again.
    comments: { jsdoc: false },
    // The library is read by people. The table would load a third slower: its strings would become templates.
    minify: small ? { compress: true, mangle: true, codegen: { removeWhitespace: true } } : false,
    ...(groups.length === 0 ? {} : { codeSplitting: { groups } }),
  });
  for (const module of output.flatMap(({ moduleIds = [] }) => moduleIds)) {
    const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module) ?? [];
    if (folder !== undefined) carried.add(folder);
  }
  await built.close();
}

await bundle(
  {
    index: 'src/index.ts',
    core: 'src/core/index.ts',
    ports: 'src/ports/index.ts',
    'stores/memory': 'src/stores/memory/open.ts',
    'stores/sqlite': 'src/stores/sqlite/open.ts',
    'stores/postgres': 'src/stores/postgres/open.ts',
    workspace: 'src/workspace/open.ts',
    runtimes: 'src/runtimes/index.ts',
    runners: 'src/runners/index.ts',
    conformance: 'src/conformance/index.ts',
    mcp: 'src/mcp/index.ts',
    server: 'src/server/index.ts',
    langgraph: 'src/adapters/langgraph/saver.ts',
    'openai-agents': 'src/adapters/openai-agents/index.ts',
    'ai-sdk': 'src/adapters/ai-sdk/index.ts',
  },
  'lib',
  // What every import of the package needs lies in two files: seventy cost a fifth of its time.
  [
    { name: 'store', priority: 1, test: /[\\/]stores[\\/]memory[\\/]open\.ts$/ },
    { name: 'library', priority: 0, test: /[\\/]src[\\/]index\.ts$/ },
  ],
);
await bundle({ o200k_base: table }, 'tokens');
// The command carries its few dependencies inside: resolving them at start-up would cost more than running them.
// Each file that is loaded costs some tenths of a millisecond: what is needed together lies in one, with all that it needs.
await bundle({ main: 'src/cli/main.ts' }, 'cli', [
  {
    name: 'start',
    priority: 9,
    // Small files that many commands share would otherwise lie with those of one of them, and bring all of it along.
    test: /[\\/]cli[\\/](?:frame[\\/](?:parse|fail|bytes)|call[\\/](?:session|address|reason))\.ts$|[\\/]core[\\/]base[\\/](?:command-line|without-end)\.ts$/,
  },
  // What lists and notes both need. A note needs no crews, and a list none of what writing does.
  {
    name: 'journal',
    priority: 8,
    test: /[\\/](?:handoff[\\/]verbs[\\/]carry|cli[\\/]pages[\\/]words)\.ts$/,
  },
  { name: 'store', priority: 7, test: /[\\/]sqlite[\\/]open\.ts$/ },
  {
    name: 'record',
    priority: 6,
    test: /[\\/](?:cli[\\/]commands[\\/]carry[\\/]note|redact[\\/]redactor)\.ts$/,
  },
  // What lists and handoffs both need: a list asks for the runs of crews too, and a handoff does not.
  {
    name: 'packet',
    priority: 5,
    test: /[\\/](?:core[\\/](?:packet[\\/]packet|tree[\\/]paths|base[\\/]glob)|handoff[\\/]history[\\/]history)\.ts$/,
  },
  { name: 'list', priority: 4, test: /[\\/]cli[\\/]commands[\\/]look[\\/]ls\.ts$/ },
  { name: 'agents', priority: 3, test: /[\\/]runtimes[\\/][\w-]+[\\/]index\.ts$/ },
  { name: 'handoff', priority: 2, test: /[\\/]cli[\\/]commands[\\/]tasks[\\/]handoff\.ts$/ },
  { name: 'workspace', priority: 1, test: /[\\/]workspace[\\/]open\.ts$/ },
  { name: 'tasks', priority: 0, test: /[\\/]cli[\\/]commands[\\/]tasks[\\/](?:take|open)\.ts$/ },
]);
// Hooks have an entry of their own: they run at every call of a tool, and most have nothing to do.
await bundle({ main: 'src/hook/main.ts' }, 'hook', [
  { name: 'run', priority: 3, test: /[\\/]hook[\\/]run\.ts$/ },
  { name: 'moment', priority: 2, test: /[\\/]hook[\\/]moment\.ts$/ },
  {
    name: 'record',
    priority: 1,
    test: /[\\/](?:hook[\\/]store|compose[\\/]watched-notes|sqlite[\\/]open|redact[\\/]redactor)\.ts$/,
  },
]);

compileEarly(root);
// For a Node that can run nothing of it.
writeFileSync(
  join(dist, 'cli/help.txt'),
  execFileSync(process.execPath, [join(root, 'bin/staffetta.cjs'), '--help'], { encoding: 'utf8' }),
);

const licences = [...carried].toSorted().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
writeFileSync(join(dist, 'licenses.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`));

await buildPages({ configFile: join(root, 'web/vite.config.ts') });

const { jsonSchemas } = await import(pathToFileURL(join(dist, 'lib/core.js')).href);
mkdirSync(join(dist, 'schemas'));
for (const [name, schema] of Object.entries(jsonSchemas()))
  writeFileSync(join(dist, 'schemas', `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`);

const types = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exitCode = types.status ?? 1;

// Most declarations are of files that no published one speaks of.
const published = new Set();
function publish(file) {
  if (published.has(file)) return;
  published.add(file);
  for (const [, from] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)\.ts'/g))
    publish(join(dirname(file), `${from}.d.ts`));
}
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
for (const { types: file } of Object.values(entries)) if (file !== undefined) publish(join(root, file));
for (const name of readdirSync(join(dist, 'types'), { recursive: true }))
  if (name.endsWith('.d.ts') && !published.has(join(dist, 'types', name))) rmSync(join(dist, 'types', name));
