// Builds dist/: the library and the command as bundles with shared chunks, the type declarations and the JSON Schemas.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { build as buildPages } from 'vite';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });

async function bundle(input, dir, external, groups = []) {
  const command = dir !== 'lib';
  const built = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external,
    treeshake: true,
    // An import that waits also waits for what is loaded already.
    checks: { ineffectiveDynamicImport: groups.length === 0 },
  });
  await built.write({
    dir: join(dist, dir),
    // A bundled CommonJS entry starts some 6 ms sooner than an ES module.
    format: command ? 'cjs' : 'esm',
    entryFileNames: command ? '[name].cjs' : '[name].js',
    chunkFileNames: command ? 'chunks/[name]-[hash].cjs' : 'chunks/[name]-[hash].js',
    minify: command ? { compress: true, mangle: true, codegen: { removeWhitespace: true } } : false,
    sourcemap: !command,
    ...(groups.length === 0 ? {} : { codeSplitting: { groups } }),
  });
  await built.close();
}

await bundle(
  {
    index: 'src/index.ts',
    core: 'src/core/index.ts',
    ports: 'src/ports/index.ts',
    'stores/memory': 'src/stores/memory/open.ts',
    'stores/sqlite': 'src/stores/sqlite/open.ts',
    workspace: 'src/workspace/open.ts',
    runtimes: 'src/runtimes/index.ts',
    conformance: 'src/conformance/index.ts',
    mcp: 'src/mcp/index.ts',
    server: 'src/server/index.ts',
  },
  'lib',
  [
    /^node:/,
    /^zod/,
    'canonicalize',
    /^@modelcontextprotocol\//,
    /^hono/,
    /^@hono\//,
    /^@opentelemetry\//,
    'smol-toml',
  ],
);
// The command carries its few dependencies inside: resolving them at start-up would cost more than running them.
await bundle({ main: 'src/cli/main.ts' }, 'cli', [/^node:/]);
// Hooks have an entry of their own: they run at every call of a tool, and most have nothing to do.
// Each file that is loaded costs some tenths of a millisecond: what is needed together lies in one, with all that it needs.
await bundle(
  { main: 'src/hook/main.ts' },
  'hook',
  [/^node:/],
  [
    { name: 'run', priority: 3, test: /[\\/]hook[\\/]run\.ts$/ },
    { name: 'moment', priority: 2, test: /[\\/]hook[\\/]moment\.ts$/ },
    {
      name: 'record',
      priority: 1,
      test: /[\\/](?:hook[\\/]store|compose[\\/]watched-notes|sqlite[\\/]open|redact[\\/]redactor)\.ts$/,
    },
  ],
);

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
