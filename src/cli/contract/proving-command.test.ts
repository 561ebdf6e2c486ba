import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { provingCommand } from './proving-command.ts';

const script = (test: string): string => JSON.stringify({ scripts: { test } });

test.each<[string | undefined, Record<string, string>]>([
  ['npm test', { 'package.json': script('vitest run'), Makefile: 'test:\n\tnpm test\n' }],
  ['pnpm test', { 'package.json': script('vitest run'), 'pnpm-lock.yaml': '' }],
  ['yarn test', { 'package.json': script('jest'), 'yarn.lock': '' }],
  [
    'make test',
    { 'package.json': script('echo "Error: no test specified" && exit 1'), Makefile: 'test: a\n' },
  ],
  ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }],
  ['pytest', { 'pytest.ini': '' }],
  ['cargo test', { 'Cargo.toml': '' }],
  ['go test ./...', { 'go.mod': 'module a\n' }],
  [undefined, { 'package.json': '{', Makefile: 'build:\n\ttest: no\n', 'pyproject.toml': '[project]\n' }],
])('a repository proves its work with %s: %o', (command, files) => {
  const root = mkdtempSync(join(tmpdir(), 'proving-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  expect(provingCommand(root)).toBe(command);
});
