import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { askServer } from './doctor-mcp.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function server(source: string): Parameters<typeof askServer>[0] {
  const file = join(folder, `server-${source.length}.cjs`);
  writeFileSync(file, source);
  return { command: process.execPath, args: [file], cwd: folder };
}

/** Answers each request with what `results` has for its method. */
function answering(results: Readonly<Record<string, unknown>>): string {
  return `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = (${JSON.stringify(results)})[method];
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;
}

const initialize = { serverInfo: { name: 'staffetta', version: '9' } };

test('a server that answers is named, with its tools counted', async () => {
  const answer = await askServer(server(answering({ initialize, 'tools/list': { tools: [{}, {}] } })));
  expect(answer).toEqual({ status: 'ok', text: 'the server answers: staffetta 9, 2 tools' });
});

test('one without a tool is wrong', async () => {
  const answer = await askServer(server(answering({ initialize, 'tools/list': { tools: [] } })));
  expect(answer).toMatchObject({
    status: 'wrong',
    text: expect.stringContaining('has no tools') as unknown,
  });
});

test('one that says nothing is ended when its time is over', async () => {
  const silent = server('setInterval(() => undefined, 1000);');
  expect(await askServer({ ...silent, msMax: 300 })).toMatchObject({
    status: 'wrong',
    text: expect.stringContaining('does not answer within 0.3 s') as unknown,
  });
});

test('one that is not there is wrong, with the reason', async () => {
  expect(await askServer({ command: join(folder, 'nowhere'), args: [] })).toMatchObject({
    status: 'wrong',
    text: expect.stringContaining('ENOENT') as unknown,
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
