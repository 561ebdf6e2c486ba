import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PacketArguments } from '../../src/mcp/packet-words.ts';
import { tools } from '../../src/mcp/tools.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

test('docs/mcp.md has a row for every tool, with every argument, and none that is not there', () => {
  const shared = Object.keys(PacketArguments);
  for (const { name, input } of tools) {
    const row = rows.find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    const named = [...(row.split('|').at(-2) ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1]);
    const wanted = Object.keys(input['properties'] as object);
    const seals = shared.every((argument) => wanted.includes(argument));
    expect({ name, seals: row.includes('what is said of the work') }).toEqual({ name, seals });
    expect({ name, named }).toEqual({ name, named: wanted.filter((one) => !seals || !shared.includes(one)) });
  }
  const said = /^What is said of the work: (.*?)\. A claim/m.exec(page)?.[1] ?? '';
  expect([...said.matchAll(/`(\w+)`/g)].map((match) => match[1])).toEqual(shared);
});
