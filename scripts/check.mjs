// Types, lint and format; every one of them must pass. Fast enough to run before each commit.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** @type {[string, string, string[]][]} */
const checks = [
  ['types', 'node_modules/typescript/bin/tsc', ['-p', '.']],
  ['types of the pages', 'node_modules/typescript/bin/tsc', ['-p', 'web']],
  ['lint', 'node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', '.']],
  ['format', 'node_modules/oxfmt/bin/oxfmt', ['--check', '.']],
];
let failed = false;
for (const [name, program, args] of checks) {
  const started = performance.now();
  const done = spawnSync(process.execPath, [join(root, program), ...args], { cwd: root, stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stderr.write(`${done.status === 0 ? 'ok' : 'FAILED'}  ${name}  ${seconds} s\n`);
  failed ||= done.status !== 0;
}
process.exitCode = failed ? 1 : 0;
