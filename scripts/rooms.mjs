// Writes the tables of docs/architecture.md from the pages of the rooms (`src/core/gate/gate.md`): a room is a folder of the source, its
// page has its name, says in the first paragraph what is in it, and lists under "To change" where to go. `--check` only compares.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { directions } from '../test/support/directions.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/architecture.md');

/** Every folder of the source, parents first. */
function roomsBelow(folder) {
  const inner = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((item) => item.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
    .toSorted();
  return inner.flatMap((room) => [room, ...roomsBelow(room)]);
}

export function readRoom(folder) {
  const file = join(root, folder, `${basename(folder)}.md`);
  if (!existsSync(file)) throw new Error(`${folder} has no page: write ${basename(folder)}.md in it.`);
  const [, holds = '', ...rest] = readFileSync(file, 'utf8').split('\n\n');
  const changes = [...rest.join('\n').matchAll(/^- (.+?) → (.+)$/gm)];
  return { folder, holds: holds.trim(), changes };
}

const rooms = roomsBelow('src').map(readRoom);
const code = (words) => words.map((word) => `\`${word}\``).join(', ');
const tables = {
  layers: [
    '| Layer | May import |',
    '|---|---|',
    ...Object.entries(directions).map(([folder, allowed]) => `| \`${folder}\` | ${code(allowed)} |`),
  ],
  rooms: [
    '| Room | Holds |',
    '|---|---|',
    ...rooms.map(({ folder, holds }) => `| \`${folder}\` | ${holds} |`),
  ],
  changes: [
    '| To change | Go to |',
    '|---|---|',
    ...rooms.flatMap(({ folder, changes }) =>
      changes.map(([, what, where]) => `| ${what} | \`${folder}\`: ${where} |`),
    ),
  ],
};

const before = readFileSync(page, 'utf8');
const after = Object.entries(tables).reduce(
  (text, [name, lines]) =>
    text.replace(
      new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`),
      (_, open, close) => `${open}${lines.join('\n')}\n${close}`,
    ),
  before,
);
if (process.argv.includes('--check')) {
  if (after !== before)
    throw new Error('docs/architecture.md is not what the rooms say: run node scripts/rooms.mjs');
} else writeFileSync(page, after);
