/** A store of an older schema is brought up to date as a whole, no matter which process is killed meanwhile or how many open it at once. */
import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { schemaNumber } from '../../src/stores/sqlite/schema.ts';
import { childEnvironment } from './run-child.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-older-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Written by a program that knew the first schema only; a task in it waits for another. */
function olderStore(name: string): string {
  const path = join(folder, `${name}.db`);
  copyFileSync(join(import.meta.dirname, '..', 'corpus', 'home', 'store.db'), path);
  return path;
}

/** All rows of all tables, and which schema they have. */
function contentOf(path: string): { readonly schema: number; readonly tables: Record<string, unknown[]> } {
  const db = new DatabaseSync(path);
  try {
    const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const rows = names.map(({ name }) => [name, db.prepare(`SELECT * FROM ${String(name)}`).all()]);
    const schema = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    return { schema, tables: Object.fromEntries(rows) as Record<string, unknown[]> };
  } finally {
    db.close();
  }
}

interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<string>;
  said(words: string): Promise<void>;
}

function opening(path: string, stopAt: readonly string[] = []): Child {
  const program = join(import.meta.dirname, 'open-child.ts');
  const child = spawn(process.execPath, [program, path, ...stopAt], {
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const hear = createInterface(child.stdout);
  hear.on('line', (line) => lines.push(line));
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(`${lines.at(-1)}, ${signal ?? code}`));
  });
  return {
    process: child,
    ended,
    async said(words) {
      while (!lines.includes(words)) await new Promise((resolve) => hear.once('line', resolve));
    },
  };
}

const undisturbed = olderStore('undisturbed');
const before = contentOf(undisturbed);

describe('a store of an older schema', () => {
  test('is opened, and loses nothing', async () => {
    expect(before.schema).toBeLessThan(schemaNumber);
    expect(await opening(undisturbed).ended).toBe('open, 0');
    const { schema, tables } = contentOf(undisturbed);
    expect(schema).toBe(schemaNumber);
    for (const name of ['task', 'entry', 'blob', 'hint']) expect(tables[name]).toEqual(before.tables[name]);
    expect(tables['wait']).toHaveLength(1);
  });

  test.each(['sqlite:begun', 'sqlite:written', 'sqlite:committed'])(
    'is whole when the process that brings it up to date is killed at %s, alone or while others wait for it',
    async (step) => {
      const after = contentOf(undisturbed);
      const alone = olderStore(`alone ${step}`);
      const killed = opening(alone, [step]);
      await killed.said(step);
      killed.process.kill('SIGKILL');
      expect(await killed.ended).toBe(`${step}, SIGKILL`);
      expect(contentOf(alone)).toEqual(step === 'sqlite:committed' ? after : before);

      const shared = olderStore(`shared ${step}`);
      const first = opening(shared, [step]);
      await first.said(step);
      const others = [opening(shared), opening(shared), opening(shared)];
      for (const other of others) await other.said('begun');
      first.process.kill('SIGKILL');
      expect(await Promise.all(others.map(({ ended }) => ended))).toEqual(others.map(() => 'open, 0'));

      for (const path of [alone, shared]) {
        const staffetta = await openStaffetta({ store: path, as: 'ada' });
        expect((await staffetta.verify()).faults).toEqual([]);
        await staffetta.close();
        expect(contentOf(path)).toEqual(after);
      }
    },
  );
});
