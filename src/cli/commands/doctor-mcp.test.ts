import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { askServer } from './doctor-mcp.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function server(source: string): Parameters<typeof askServer>[0] {
  const command = join(folder, `server-${Math.abs(source.length)}.cjs`);
  writeFileSync(command, source);
  return { node: process.execPath, command, hook: '', plugin: '' };
}

test('a server that answers is named', async () => {
  const paths = server(`process.stdin.once('data', (data) => {
    const { id } = JSON.parse(String(data));
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { serverInfo: { name: 'staffetta', version: '9' } } }));
  });`);
  expect(await askServer(paths)).toEqual({
    check: 'mcp',
    status: 'ok',
    text: 'the server answers: staffetta 9',
  });
});

test('one that ends is wrong, with what it said', async () => {
  const finding = await askServer(server(`console.error('no store here'); process.exit(3);`));
  expect(finding).toMatchObject({
    status: 'wrong',
    text: expect.stringContaining('ended with 3: no store here') as unknown,
  });
  expect(finding.fix).toBeDefined();
});

test('a build that has no such command was not tried', async () => {
  expect(await askServer(server('process.exit(2)'))).toMatchObject({ status: 'untried' });
});
