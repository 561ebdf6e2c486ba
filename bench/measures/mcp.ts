import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeRepository } from '../material/repository.ts';
import { verdict, type Line, type Section } from '../section.ts';
import { median, millis, quartiles, timed } from '../statistics.ts';

const rounds = 60;
const warmUp = 10;
const launcher = join(import.meta.dirname, '../..', 'bin', 'staffetta.cjs');
const size = { files: 500, changed: 5, untracked: 2 };

/** Calls of tools on a running server, as a host makes them: a line of JSON there, a line back. */
export async function measureMcp(scratch: string): Promise<Section> {
  const folder = join(scratch, 'mcp');
  makeRepository(folder, size);
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, 'mcp', '--store', join(scratch, 'mcp-store', 'store.db')],
    cwd: folder,
    env: { ...(env as Record<string, string>), STAFFETTA_AS: 'ada' },
  });
  const client = new Client({ name: 'bench', version: '1' });
  const started = await timed(async () => await client.connect(transport));
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<void> => {
    const { isError, content } = await client.callTool({ name, arguments: args });
    if (isError === true) throw new Error(JSON.stringify(content));
  };
  const first = await timed(async () => await call('open', { goal: 'Measure the calls of tools' }));
  const words = { done: ['one of many'], nextAction: 'go on' };
  const taken = { status: [] as number[], note: [] as number[], seal: [] as number[] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const status = await timed(async () => await call('status'));
    const note = await timed(async () => await call('note', { text: `note ${round}` }));
    const seal = await timed(async () => await call('seal', words));
    if (round < 0) continue;
    taken.status.push(status);
    taken.note.push(note);
    taken.seal.push(seal);
  }
  await client.close();
  return {
    title: 'Calls of MCP tools',
    lines: [
      measured('`status`', taken.status, 5),
      measured('`seal`', taken.seal, 40),
      { ...measured('`note`', taken.note, Number.POSITIVE_INFINITY), target: '', verdict: 'for information' },
      once('starting `staffetta mcp`, to the end of the handshake', started),
      once('the first call, which creates the store', first),
    ],
    notes: [
      `Wall time at the client, from the call to its answer over stdio, after ${warmUp} rounds that are not counted; ${rounds} rounds of all three by turns, on one connection. The workspace is a git repository of ${size.files} files with ${size.changed} changed and ${size.untracked} new ones; \`seal\` probes and captures it each time.`,
    ],
  };
}

function measured(name: string, values: readonly number[], msMax: number): Line {
  return {
    measure: `${name}, a call after start`,
    target: `p50 ≤ ${msMax} ms`,
    result: millis(median(values)),
    spread: quartiles(values, millis),
    verdict: verdict(median(values) <= msMax),
  };
}

function once(measure: string, ms: number): Line {
  return { measure, target: '', result: millis(ms), spread: '', verdict: 'for information' };
}
