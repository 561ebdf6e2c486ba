/**
 * Writes test/corpus/VERSION, the bytes of a time, as frozen files that everything later must read:
 *
 *   journals/NAME.jsonl   one entry a line: {"body":"…","digest":"sha256:…"}, the body exactly as stored
 *   states/NAME.json      what the journal adds up to, with the `foldVersion` that said so
 *   blobs/HEX             what entries and packets name, named by its digest
 *   VERSION.db            a SQLite store that holds the same tasks
 *   bad/…                 what must be refused
 *   manifest.json         every file with its digest, what it is for, and what must come of reading it
 *
 * Run once for a version, by hand: node test/corpus/make.ts v2
 * Once frozen (--freeze) it refuses to run again: what is added to the formats adds a folder and never edits one. v1 has what the
 * first formats had; v2 also has sessions of coding agents, conversations, signatures and traces, v3 the
 * files of skills, and v4 what a crew needs: integration, budgets, edges, steering, phases for people,
 * and state that programs keep.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { digestOf } from '../../src/core/journal/digest.ts';
import { foldVersion } from '../../src/core/task/state.ts';
import { load } from '../../src/handoff/record/load.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open.ts';
import { applicationId } from '../../src/stores/sqlite/schema.ts';
import { fixedSigner } from '../support/fixed-signer.ts';
import { fixedTracing } from '../support/fixed-tracing.ts';
import { stage, type Stage } from '../support/world.ts';
import { badContracts, badJournals, badPackets, type Line } from './bad.ts';
import { tell, type Stories } from './stories.ts';

const version = process.argv[2] ?? '';
if (!/^v\d+$/.test(version)) throw new Error('say which version: node test/corpus/make.ts v2');
const folder = join(import.meta.dirname, version);

interface Listed {
  readonly file: string;
  readonly digest: string;
  readonly intent: string;
  /** The code of the refusal; absent where reading must succeed. */
  readonly refused?: string;
}
const listed: Listed[] = [];

function write(file: string, bytes: string | Uint8Array, about: { intent: string; refused?: string }): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const { intent, refused } = about;
  listed.push({ file, digest: digestOf(bytes), intent, ...(refused === undefined ? {} : { refused }) });
}

function jsonLines(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function journalOf({ store }: Stage, task: Stories[keyof Stories]): Promise<Line[]> {
  return (await store.journal.read(task, 0, 1000)).map(({ body, digest }) => ({ body, digest }));
}

async function writeStories(at: Stage, stories: Stories): Promise<void> {
  for (const [name, task] of Object.entries(stories)) {
    const { state } = await load(at.context, task);
    write(`journals/${name}.jsonl`, jsonLines(await journalOf(at, task)), { intent: `the journal "${name}"` });
    write(`states/${name}.json`, `${JSON.stringify(state, undefined, 1)}\n`, {
      intent: `what the journal "${name}" adds up to, by fold ${foldVersion}`,
    });
  }
  for (const { digest } of await at.store.blobs.list(undefined, 1000)) {
    const bytes = await at.store.blobs.get(digest);
    if (bytes !== undefined) write(`blobs/${digest.slice(7)}`, bytes, { intent: 'what an entry or a packet names' });
  }
}

/** The same tasks in a store file, copied whole so that no log lies beside it. */
async function writeStore(expected: Stage, stories: Stories): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'staffetta-corpus-'));
  try {
    const store = await openSqliteStore(join(scratch, 'store.db'), { create: true });
    const at = stage({ store, signer: fixedSigner, tracing: fixedTracing() });
    const told = await tell(at);
    for (const [name, task] of Object.entries(told)) {
      const same = jsonLines(await journalOf(at, task)) === jsonLines(await journalOf(expected, task));
      if (!same || stories[name as keyof Stories] !== task) throw new Error(`SQLite tells "${name}" differently`);
    }
    const copy = join(scratch, 'copy.db');
    await store.upkeep.backup?.(copy);
    await store.close();
    const bytes = readFileSync(copy);
    write(`${version}.db`, bytes, { intent: 'a SQLite store with the same tasks' });
    write('bad/truncated.db', bytes.subarray(0, 5000), { intent: 'a store that was cut off', refused: 'corrupt' });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A database with nothing in it but these statements. */
function database(sql: string): Uint8Array {
  const scratch = mkdtempSync(join(tmpdir(), 'staffetta-corpus-'));
  try {
    const path = join(scratch, 'db');
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA page_size = 512; ${sql}`);
    db.close();
    return readFileSync(path);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function writeBadStores(): void {
  const ours = `PRAGMA application_id = ${applicationId}`;
  const meta = 'CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID';
  const future = `${ours}; ${meta}; INSERT INTO meta VALUES ('readable_by', '99'); PRAGMA user_version = 99`;
  write('bad/future.db', database(future), { intent: 'a store from the future', refused: 'store-newer' });
  write('bad/foreign.db', database('CREATE TABLE wine(name TEXT)'), {
    intent: 'a database of another program',
    refused: 'store-unsupported',
  });
  write('bad/no.db', 'This is not a database, it only has the name of one.\n'.repeat(20), {
    intent: 'a file that is no database',
    refused: 'corrupt',
  });
}

function isFrozen(): boolean {
  const path = join(folder, 'manifest.json');
  return existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as { frozen: boolean }).frozen;
}

if (isFrozen()) throw new Error(`${version} is frozen; write the next version into a folder of its own`);
rmSync(folder, { recursive: true, force: true });
const at = stage({ signer: fixedSigner, tracing: fixedTracing() });
const stories = await tell(at);
await writeStories(at, stories);
await writeStore(at, stories);
writeBadStores();
for (const bad of badJournals(await journalOf(at, stories.open), await journalOf(at, stories.relay)))
  write(`bad/${bad.file}`, jsonLines(bad.lines), bad);
for (const bad of [...badPackets(), ...badContracts()]) write(`bad/${bad.file}`, bad.bytes, bad);
const frozen = process.argv.includes('--freeze');
const manifest = { frozen, tasks: stories, files: listed };
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 1)}\n`);
const size = listed.reduce((sum, { file }) => sum + readFileSync(join(folder, file)).length, 0);
process.stdout.write(`${listed.length} files, ${size} bytes in ${readdirSync(folder).length} places\n`);
