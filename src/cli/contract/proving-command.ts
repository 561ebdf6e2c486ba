/** The command that a repository says proves its work, from the files that say so; undefined where none does. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function provingCommand(root: string): string | undefined {
  const has = (name: string): boolean => existsSync(join(root, name));
  if (hasTestScript(read(root, 'package.json'))) {
    if (has('pnpm-lock.yaml')) return 'pnpm test';
    return has('yarn.lock') ? 'yarn test' : 'npm test';
  }
  if (['GNUmakefile', 'makefile', 'Makefile'].some((name) => /^test\s*:(?!=)/m.test(read(root, name))))
    return 'make test';
  if (has('pytest.ini') || /^\s*\[tool\.pytest\b|\bpytest\b/m.test(read(root, 'pyproject.toml')))
    return 'pytest';
  if (has('Cargo.toml')) return 'cargo test';
  return has('go.mod') ? 'go test ./...' : undefined;
}

/** What npm writes into a new package proves nothing. */
function hasTestScript(source: string): boolean {
  try {
    const { scripts } = JSON.parse(source) as { scripts?: { test?: unknown } };
    const test = scripts?.test;
    return typeof test === 'string' && test.trim() !== '' && !test.includes('no test specified');
  } catch {
    return false;
  }
}

function read(root: string, name: string): string {
  try {
    return readFileSync(join(root, name), 'utf8');
  } catch {
    return '';
  }
}
