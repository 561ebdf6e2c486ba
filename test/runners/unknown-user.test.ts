/** A program that knows no user says so by a code of the protocol: what it wants is told, whether a session is begun or gone on with. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LegOrder } from '../../src/ports/runner.ts';
import { acpRunner } from '../../src/runners/acp.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';

const home = mkdtempSync(join(tmpdir(), 'staffetta-unknown-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Answers as Cline 3.0.65 does without a key. */
const source = `const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const told = method === 'initialize'
    ? { result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }
    : { error: { code: -32000, message: 'Authentication required' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...told }));
});`;
const program = join(home, 'cline');
writeFileSync(program, `#!${process.execPath}\n${source}\n`);
chmodSync(program, 0o755);

const order: LegOrder = {
  folder: home,
  env: { PATH: process.env['PATH'] },
  access: 'change',
  permissions: {},
  ask: async () => await Promise.resolve('deny'),
  seen: () => {},
};
const session = { runtime: 'cline', id: '1795_a', path: join(home, 'a') } as const;

test.each([
  ['cline', order, /CLINE_API_KEY/],
  ['cline', { ...order, session }, /CLINE_API_KEY/],
  ['gemini-cli', order, /Sign in/],
] as const)('%s is not begun', async (name, given, hint) => {
  const runtime = allRuntimes({ HOME: home, PATH: '' }).find((one) => one.name === name);
  if (runtime === undefined) throw new Error(name);
  const opening = acpRunner({ runtime, program, installed: program }, { graceMs: 500 }).open(given);
  await expect(opening).rejects.toMatchObject({
    code: 'unavailable',
    hint: expect.stringMatching(hint) as unknown,
  });
});
