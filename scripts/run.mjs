// The front door of the repository: `node scripts/run.mjs <task>` works on a fresh clone with an old Node too.
// It finds or brings a Node that the project supports, installs what the lockfile says, and then runs the task's steps.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { isSuitableNode, nodeAdvice, nodeBeside, versionsHere } = require('../bin/node-beside.cjs');
require('../bin/sqlite-here.cjs').withoutWarningOfSqlite();

const tasks = {
  build: [['scripts/build.mjs']],
  format: [['node_modules/oxfmt/bin/oxfmt', '.']],
  check: [['scripts/check.mjs']],
  test: [['scripts/check.mjs'], ['scripts/build.mjs'], ['node_modules/vitest/vitest.mjs', 'run']],
  'test:runtimes': [
    ['scripts/build.mjs'],
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.lab.config.ts'],
  ],
  start: [['scripts/build.mjs'], ['examples/relay/play.ts']],
  'start:aws': [['scripts/build.mjs'], ['infra/aws/lambda/build.mjs'], ['examples/aws-relay/play.ts']],
  bench: [['scripts/build.mjs'], ['bench/run.ts']],
  simulate: [['bench/simulate.ts']],
  torture: [['scripts/build.mjs'], ['test/torture/run.ts']],
  pictures: [['scripts/build.mjs'], ['scripts/terminal-picture.ts'], ['scripts/pictures.ts']],
};

const [task = '', ...rest] = process.argv.slice(2);
if (!Object.keys(tasks).includes(task))
  fail(`unknown task ${JSON.stringify(task)}; one of: ${Object.keys(tasks).join(', ')}`);
const node = suitableNode();
process.env.PATH = `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`;
install();
const steps = tasks[task];
for (const [index, step] of steps.entries())
  run(node, index === steps.length - 1 ? [...step, ...rest] : step);

function suitableNode() {
  const versions = versionsHere();
  if (isSuitableNode(versions)) return process.execPath;
  let found = nodeBeside(root);
  if (found === undefined) {
    say(`Node ${versions.node} will not do for this project; bringing Node 24 from the npm registry.`);
    npm(process.execPath, [
      'ci',
      '--prefix',
      join(root, 'toolchain'),
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
    found = nodeBeside(root);
  }
  if (found === undefined) {
    fail(`${nodeAdvice(versions)}: none can be brought for ${process.platform}-${process.arch}.`);
  }
  return found;
}

// Installed exactly once per lockfile: the stamp is written only after npm succeeded.
function install() {
  const stamp = join(root, 'node_modules', '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing dependencies.');
  npm(node, ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

// npm is run by the chosen Node, so that packages are chosen for it and not for the host's.
function npm(binary, args) {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && cli.endsWith('.js')) run(binary, [cli, ...args]);
  else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, process.platform === 'win32');
}

function run(binary, args, shell = false) {
  const done = spawnSync(binary, args, { cwd: root, stdio: 'inherit', shell });
  if (done.error !== undefined) fail(`${binary}: ${done.error.message}`);
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(`run: ${text}`);
  process.exit(1);
}
