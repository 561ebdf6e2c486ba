/** What is recognised as a secret in one part of a packet is gone from all of them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { assert } from '../../src/core/base/assert.ts';
import type { Packet } from '../../src/core/packet/packet.ts';
import type { PacketInput } from '../../src/handoff/sealing/gather.ts';
import { readPacket } from '../../src/handoff/history/history.ts';
import { allPacketBlobs } from '../../src/handoff/history/packet-blobs.ts';
import { ada, stage, type Stage } from '../support/world.ts';

const secret = ['hunter2', 'Blue!42'].join('');
const command = `curl -u admin:${secret} localhost`;
const prose = `We settled on ${secret}, write it down.`;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function workspace(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-elsewhere-'));
  folders.push(folder);
  execFileSync('git', ['-C', folder, 'init', '-q']);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function sealed(at: Stage, input: PacketInput): Promise<{ packet: Packet; all: string }> {
  const leg = await at.staffetta.begin({ goal: 'The fence stands.' }, { as: ada });
  const { state } = await leg.checkpoint(input);
  assert(state.packet !== null, 'nothing was sealed');
  const packet = await readPacket(at.context, state.packet);
  const texts = [JSON.stringify(packet)];
  for (const blob of await allPacketBlobs(at.context, packet))
    texts.push(Buffer.from((await at.store.blobs.get(blob)) ?? []).toString());
  return { packet, all: texts.join('\n') };
}

async function transcriptOf(at: Stage, { transcript }: Packet): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (const { blob } of transcript) pieces.push((await at.store.blobs.get(blob)) ?? new Uint8Array());
  return Buffer.concat(pieces).toString();
}

test.each([
  ['later in the transcript', { transcript: `${prose}\nThen: ${command}\n` }],
  ['earlier in the transcript', { transcript: `${command}\n${prose}\n` }],
  ['in the claims', { claims: { next: command }, transcript: `${prose}\n` }],
  ['in the transcript, and said in the claims', { claims: { next: prose }, transcript: `${command}\n` }],
  [
    'in JSON',
    {
      transcript: JSON.stringify([
        { role: 'user', content: prose },
        { role: 'user', content: command },
      ]),
    },
  ],
] as const)('a secret is gone everywhere that is recognised %s', async (_where, input) => {
  const at = stage();
  const { packet, all } = await sealed(at, input);
  expect(all).not.toContain(secret);
  expect(all).toMatch(/We settled on \[redacted:known-value:[0-9a-f]{12}\], write it down\./);
  expect(Object.values(packet.redactions ?? {}).reduce((sum, count) => sum + count, 0)).toBe(2);
});

test('a secret of a file is gone from what was said, and one that was said from the files', async () => {
  const other = ['Tr0ub4', 'dor+3x'].join('');
  const folder = workspace({
    '.env.local': `DB_PASSWORD=${secret}\n`,
    'notes.md': `It is ${other} there.\n`,
  });
  const { packet, all } = await sealed(stage({ workspace: folder }), {
    transcript: `${prose}\nmysql --password=${other} shop\n`,
  });
  expect(all).not.toContain(secret);
  expect(all).not.toContain(other);
  expect(all).toContain('] there.');
  expect(packet.facts?.workspace?.kind).toBe('git');
});

test('a secret is gone that stands where the transcript is cut into pieces', async () => {
  const before = 'x y\n'.repeat(256 * 1024 - 2);
  const at = stage();
  const { packet } = await sealed(at, { transcript: `${before}${prose}\n${command}\n` });
  expect(packet.transcript.length).toBe(2);
  expect(await transcriptOf(at, packet)).not.toContain(secret);
});

test('a secret is gone from what was stored before it was recognised', async () => {
  const at = stage();
  const filling = 'plain words\n'.repeat(1_200_000);
  const { packet } = await sealed(at, { transcript: `${prose}\n${filling}${prose}\n${command}\n` });
  const told = await transcriptOf(at, packet);
  expect(told.length).toBeGreaterThan(14_000_000);
  expect(told).not.toContain(secret);
  expect((await at.staffetta.verify()).faults).toEqual([]);
});

test('ordinary words stay, also where somebody has them for a password', async () => {
  const name = 'development-server-2';
  const transcript = `DB_PASSWORD=${name}\nThe ${name} is at localhost:5432.\n`;
  const at = stage();
  const { packet } = await sealed(at, { transcript });
  expect(await transcriptOf(at, packet)).toMatch(
    /^DB_PASSWORD=\[redacted:\S+\]\nThe development-server-2 is at localhost:5432\.\n$/,
  );
});

test('a conversation keeps its messages and their names', async () => {
  const messages = [prose, 'Yes.', command].map((content, i) => ({
    role: i === 1 ? 'assistant' : 'user',
    content,
  }));
  const { packet } = await sealed(stage(), { transcript: JSON.stringify(messages) });
  expect(packet.facts?.conversation).toEqual({ shape: 'ai-sdk', before: 0, records: 3 });
});

test('a repetition is known by what was given, whatever the workspace holds by then', async () => {
  const folder = workspace({ '.env.local': `DB_PASSWORD=${secret}\n` });
  const at = stage({ workspace: folder });
  const leg = await at.staffetta.begin({ goal: 'The fence stands.' }, { as: ada });
  const first = await leg.checkpoint({ transcript: `${prose}\n` }, { key: 'once' });
  writeFileSync(join(folder, '.env.local'), '\n');
  const again = await leg.checkpoint({ transcript: `${prose}\n` }, { key: 'once' });
  expect(again).toMatchObject({ repeated: true, state: { packet: first.state.packet } });
});

test('what a note says is judged as one', async () => {
  const at = stage();
  const leg = await at.staffetta.begin({ goal: 'The fence stands.' }, { as: ada });
  await leg.note(`${prose} Try: ${command}`);
  const entries = await at.store.journal.read(leg.task, 0, 10);
  expect(entries.map(({ body }) => body).join('\n')).not.toContain(secret);
});
