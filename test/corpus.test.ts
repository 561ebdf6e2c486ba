/** Yesterday's bytes are readable: every file of the corpus is read as it was written, and nothing here writes one. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Staffetta } from '../src/library/staffetta.ts';
import { Contract, parseContract, sealContract } from '../src/core/contract/contract.ts';
import { digestOf, type Digest } from '../src/core/journal/digest.ts';
import { linkFaults, parseEntry, sealEntry, type Entry, type Link } from '../src/core/journal/entry.ts';
import { isStaffettaError, StaffettaError } from '../src/core/base/error.ts';
import { eventBlobs } from '../src/core/journal/event-blobs.ts';
import { eventShape, eventTypes } from '../src/core/journal/event.ts';
import { fold } from '../src/core/fold/fold.ts';
import type { TaskId } from '../src/core/journal/id.ts';
import { Packet, packetBlobs, parsePacket, sealPacket } from '../src/core/packet/packet.ts';
import { foldVersion, type TaskState } from '../src/core/task/state.ts';
import { Manifest, manifestBlobs, parseManifest, sealManifest } from '../src/core/tree/workspace.ts';
import { openSqliteStore } from '../src/stores/sqlite/open.ts';
import { absentFields } from './corpus/fields.ts';
import { stage } from './support/world.ts';

const corpus = join(import.meta.dirname, 'corpus');
const versions = readdirSync(corpus)
  .filter((name) => /^v\d+$/.test(name))
  .toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

interface Listing {
  readonly tasks: Readonly<Record<string, TaskId>>;
  readonly files: readonly {
    readonly file: string;
    readonly digest: Digest;
    readonly intent: string;
    readonly refused?: string;
  }[];
}

interface Line {
  readonly body: string;
  readonly digest: Digest;
}

/** Folds a journal as a reader does that trusts nothing: place in the chain, form, law. */
function readJournal(lines: readonly Line[]): {
  readonly state: TaskState;
  readonly entries: readonly Entry[];
} {
  let state: TaskState | undefined;
  let before: Link | undefined;
  const entries: Entry[] = [];
  for (const [place, line] of lines.entries()) {
    const [fault] = linkFaults({ ...line, seq: place }, before);
    if (fault !== undefined) throw new StaffettaError('corrupt', `Entry ${place}: ${fault}.`);
    const entry = parseEntry(line.body);
    state = fold(state, entry, line.digest);
    before = { seq: place, digest: line.digest };
    entries.push(entry);
  }
  if (state === undefined) throw new StaffettaError('corrupt', 'The journal is empty.');
  return { state, entries };
}

async function outcome(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'read';
  } catch (error) {
    if (isStaffettaError(error)) return error.code;
    throw error;
  }
}

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'staffetta-corpus-'));
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

/** A store file is opened as a copy: opening one writes beside it. */
async function openCopy(path: string): Promise<Staffetta> {
  const copy = join(scratch, `${digestOf(path).slice(7, 19)}.db`);
  copyFileSync(path, copy);
  const store = await openSqliteStore(copy);
  return new Staffetta({ ...stage().context, store });
}

test('there is a corpus of the first version', () => {
  expect(versions).toContain('v1');
});

describe.each(versions)('%s', (version) => {
  const bytesOf = (file: string): Buffer => readFileSync(join(corpus, version, file));
  const linesOf = (file: string): Line[] =>
    bytesOf(file)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  const { files, tasks } = JSON.parse(bytesOf('manifest.json').toString('utf8')) as Listing;
  const blob = (digest: Digest): Buffer => bytesOf(`blobs/${digest.slice(7)}`);
  const manifestIn = (packet: Packet): Manifest | undefined => {
    const digest = packet.facts?.manifest;
    return digest === undefined ? undefined : parseManifest(blob(digest));
  };
  const under = (folder: string) => files.filter(({ file }) => file.startsWith(`${folder}/`));
  const journals = Object.keys(tasks);
  const entries = journals.flatMap((name) => readJournal(linesOf(`journals/${name}.jsonl`)).entries);

  test('no file was changed, added or lost since it was made', () => {
    const found = readdirSync(join(corpus, version), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(corpus, version).length + 1));
    expect(found.toSorted()).toEqual([...files.map(({ file }) => file), 'manifest.json'].toSorted());
    for (const { file, digest } of files) expect([file, digestOf(bytesOf(file))]).toEqual([file, digest]);
    const size = found.reduce((sum, file) => sum + statSync(join(corpus, version, file)).size, 0);
    expect(size).toBeLessThan(440_000);
  });

  test.each(journals)('the journal %s folds to the state it folded to', (name) => {
    const { state } = readJournal(linesOf(`journals/${name}.jsonl`));
    const then = JSON.parse(bytesOf(`states/${name}.json`).toString('utf8')) as TaskState;
    // A fold that adds up differently has another version, and snapshots of this one are folded again. Since 5 only more can happen.
    expect([state.foldVersion, state.task]).toEqual([foldVersion, tasks[name]]);
    expect(then.foldVersion >= 5 ? { ...state, foldVersion: then.foldVersion } : then).toEqual(then);
  });

  // An earlier one has what there was in its time.
  const isLatest = version === versions.at(-1);
  const demanded = (missing: readonly string[]): readonly string[] => (isLatest ? missing : []);

  test('every type of event occurs, with every field it can have', () => {
    const events = entries.flatMap((entry) => entry.events);
    const missing = eventTypes.flatMap((type) => {
      const written = new Set(
        events.filter((event) => event.type === type).flatMap((event) => Object.keys(event)),
      );
      const { shape } = eventShape(type) as unknown as { readonly shape: object };
      return Object.keys(shape)
        .filter((field) => !written.has(field))
        .map((field) => `${type}.${field}`);
    });
    expect(demanded(missing)).toEqual([]);
  });

  test('packets, contracts and manifests occur with every field they can have', () => {
    const events = entries.flatMap((entry) => entry.events);
    const packets = events.flatMap((event) =>
      event.type === 'checkpoint-sealed' ? [parsePacket(blob(event.packet))] : [],
    );
    const contracts = events.flatMap((event) =>
      'terms' in event ? [parseContract(blob(event.contract))] : [],
    );
    const manifests = packets.flatMap((packet) => manifestIn(packet) ?? []);
    expect(demanded(absentFields(Packet, packets))).toEqual([]);
    expect(demanded(absentFields(Contract, contracts))).toEqual([]);
    expect(demanded(absentFields(Manifest, manifests))).toEqual([]);
  });

  test('entries of the current version are written today as they were then', () => {
    for (const name of journals)
      for (const { body, digest } of linesOf(`journals/${name}.jsonl`))
        expect(sealEntry(parseEntry(body))).toEqual({ body, digest });
  });

  test('contracts and packets read, are written as they were, and everything they name is there', () => {
    const blobs = new Set(under('blobs').map(({ digest }) => digest));
    const events = entries.flatMap((entry) => entry.events);
    for (const digest of events.flatMap(eventBlobs)) expect(blobs).toContain(digest);
    const contracts = events.flatMap((event) => ('terms' in event ? [event.contract] : []));
    for (const digest of contracts) expect(sealContract(parseContract(blob(digest))).digest).toBe(digest);
    const packets = events.flatMap((event) => (event.type === 'checkpoint-sealed' ? [event.packet] : []));
    for (const digest of packets) {
      const packet = parsePacket(blob(digest));
      expect(sealPacket(packet).digest).toBe(digest);
      for (const named of packetBlobs(packet)) expect(blobs).toContain(named);
      const manifest = manifestIn(packet);
      if (manifest === undefined) continue;
      expect(sealManifest(manifest).digest).toBe(packet.facts?.manifest);
      for (const named of manifestBlobs(manifest)) expect(blobs).toContain(named);
    }
    expect(packets.length).toBeGreaterThan(3);
  });

  test('the SQLite store opens, verifies, and holds the same journals', async () => {
    const staffetta = await openCopy(join(corpus, version, `${version}.db`));
    try {
      const { faults, tasks: count } = await staffetta.verify();
      expect({ faults, count }).toEqual({ faults: [], count: journals.length });
      for (const name of journals) {
        const task: TaskId = tasks[name] ?? 't';
        const stored = await staffetta.store.journal.read(task, 0, 1000);
        expect(stored.map(({ body, digest }) => ({ body, digest }))).toEqual(
          linesOf(`journals/${name}.jsonl`),
        );
        const { leaseUntil, ...state } = await staffetta.show(task);
        expect(state).toEqual(readJournal(linesOf(`journals/${name}.jsonl`)).state);
        expect(leaseUntil === null).toBe(state.leg === null);
      }
    } finally {
      await staffetta.close();
    }
  });

  test('work that was under way goes on', async () => {
    const staffetta = await openCopy(join(corpus, version, `${version}.db`));
    try {
      const leg = await staffetta.leg(tasks['open'] ?? '', { as: 'béa' });
      expect((await leg.messages()).map(({ text }) => text)).toEqual(['By the oak.']);
      await leg.settle('rent-drill', 'done', 'rented');
      const { state } = await leg.handoff({ to: 'lane:audit', claims: { next: 'Dig.' } });
      expect(state.status).toBe('offered');
      expect((await staffetta.verify()).faults).toEqual([]);
    } finally {
      await staffetta.close();
    }
  });

  const bad = under('bad').map(({ file, intent, refused }) => ({ file, intent, refused }));

  test.each(bad)('$intent is refused: $refused', async ({ file, refused }) => {
    const path = join(corpus, version, file);
    const read: Readonly<Record<string, () => unknown>> = {
      journals: () => readJournal(linesOf(file)),
      packets: () => parsePacket(bytesOf(file)),
      contracts: () => parseContract(bytesOf(file)),
    };
    const kind = file.split('/')[1] ?? '';
    expect(await outcome(read[kind] ?? (async () => await openCopy(path)))).toBe(refused);
  });
});
