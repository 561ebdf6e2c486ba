import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exported, OpencodeDatabase } from '../../../test/runtimes/fixtures/opencode/database.ts';
import type { Transcript } from '../../core/transcript/step.ts';
import { captureSession } from './capture.ts';
import { compose } from './compose.ts';
import { read as readRecords } from './read/read.ts';
import { runs } from '../../../test/property/seed.ts';

async function inScratch<T>(use: (program: OpencodeDatabase) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'opencode-fuzz-'));
  const program = new OpencodeDatabase(join(folder, 'opencode.db'));
  try {
    return await use(program);
  } finally {
    program.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function capture(program: OpencodeDatabase, id: string, from?: string): Promise<Captured> {
  const captured = captureSession({ runtime: 'opencode', id, path: program.path }, from);
  const records: Uint8Array[] = [];
  for await (const record of captured.records) records.push(record);
  return { records, ...captured.end() };
}
interface Captured {
  readonly records: Uint8Array[];
  readonly cursor: string;
  readonly fromStart: boolean;
}

function withoutPlaces(transcript: Transcript): unknown {
  return { ...transcript, steps: transcript.steps.map((step) => ({ ...step, record: 0 })) };
}

describe('mutated records', () => {
  const names = ['basic', 'compaction', 'crash-mid-tool', 'file-edit', 'subagent-parent'];
  const damage = fc.record({
    at: fc.nat(),
    from: fc.nat(),
    drop: fc.nat(12),
    put: fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom('"__proto__":{"x":1},', 'null', '[]', '{}', '\\ud800', '\0', '-1e999', '"'),
    ),
  });

  test('never throw, and number steps without gaps', async () => {
    const lines = await inScratch(async (program) => {
      const all: string[][] = [];
      for (const whole of names.map(exported)) {
        program.import(whole);
        const { records } = await capture(program, whole.info.id);
        all.push(records.map((record) => Buffer.from(record).toString('utf8')));
      }
      return all;
    });
    fc.assert(
      fc.property(
        fc.nat(names.length - 1),
        fc.array(damage, { minLength: 1, maxLength: 8 }),
        (which, damages) => {
          const mutated = [...(lines[which] ?? [])];
          for (const { at, from, drop, put } of damages) {
            const i = at % mutated.length;
            const line = mutated[i] ?? '';
            const start = from % (line.length + 1);
            mutated[i] = line.slice(0, start) + put + line.slice(start + drop);
          }
          const transcript = readRecords(mutated.map((line) => Buffer.from(line)));
          expect(transcript.steps.map(({ id }) => id)).toEqual(transcript.steps.map((_, i) => i + 1));
          const known = new Set<string>();
          for (const { calls = [], results = [] } of transcript.steps) {
            const own = new Set(calls.map(({ id }) => id));
            for (const { id } of calls) expect(known.has(id)).toBe(false);
            for (const id of own) known.add(id);
            expect(results.every(({ call }) => own.has(call))).toBe(true);
          }
          const target = { folder: '/a', model: 'a/b', now: 2e12, random: (n: number) => new Uint8Array(n) };
          expect(() => compose(transcript, target)).not.toThrow();
        },
      ),
      runs(400),
    );
  });
});

type Deed =
  | { readonly do: 'user' | 'assistant' | 'capture' | 'undo' | 'title' }
  | { readonly do: 'part'; readonly kind: number; readonly which: number }
  | { readonly do: 'change'; readonly which: number; readonly still: boolean };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<Deed>({ do: 'user' }, { do: 'assistant' }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('part'), kind: fc.nat(4), which: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change'), which: fc.nat(60), still: fc.boolean() }) },
  { weight: 4, arbitrary: fc.constant<Deed>({ do: 'capture' }) },
  { weight: 1, arbitrary: fc.constantFrom<Deed>({ do: 'title' }, { do: 'undo' }) },
);

/** A session as it is lived: rows come, change and go, and now and then it is captured. */
class Life {
  readonly #program: OpencodeDatabase;
  readonly #messages: { readonly id: string; readonly role: 'user' | 'assistant' }[] = [];
  readonly #parts: { readonly id: string; readonly message: string; readonly kind: number }[] = [];
  #count = 0;
  #cursor: string | undefined;
  pieces: Uint8Array[] = [];
  /** At each capture: did steps keep their numbers, and what pieces and a capture at once say. */
  readonly seen: { readonly kept: boolean; readonly pieces: unknown; readonly once: unknown }[] = [];
  #before: readonly string[] = [];

  constructor(program: OpencodeDatabase) {
    this.#program = program;
    program.session({ id: 's' });
  }

  async live(deed: Deed): Promise<void> {
    this.#count += 1;
    const n = String(this.#count).padStart(4, '0');
    if (deed.do === 'capture') await this.capture();
    else if (deed.do === 'title') this.#program.db.exec(`UPDATE session SET title = 'title ${n}'`);
    else if (deed.do === 'undo') this.#undo();
    else if (deed.do === 'part') this.#part(n, deed);
    else if (deed.do === 'change') this.#change(n, deed);
    else {
      this.#messages.push({ id: `m${n}`, role: deed.do });
      this.#program.message('s', `m${n}`, { role: deed.do });
    }
  }

  /** An answer may grow while a next prompt waits; a prompt is whole before the answer begins. */
  #part(n: string, { kind, which }: Deed & { do: 'part' }): void {
    const last = this.#messages.at(-1);
    const earlier = this.#messages.at(-1 - which);
    const message = earlier?.role === 'assistant' ? earlier : last;
    if (message === undefined) return;
    this.#parts.push({ id: `p${n}`, message: message.id, kind });
    this.#program.part('s', message.id, `p${n}`, content(kind, n, 'running'));
  }

  #change(n: string, { which, still }: Deed & { do: 'change' }): void {
    const part = this.#parts.at(which % Math.max(1, this.#parts.length));
    if (part === undefined) return;
    const data = content(part.kind, part.id.slice(1), `completed by ${n}`);
    if (still) this.#program.change('part', part.id, data, this.#program.clock);
    else this.#program.change('part', part.id, data);
  }

  #undo(): void {
    const message = this.#messages.pop();
    if (message === undefined) return;
    this.#program.db.prepare('DELETE FROM message WHERE id = ?').run(message.id);
    const kept = this.#parts.filter((part) => part.message !== message.id);
    this.#parts.splice(0, this.#parts.length, ...kept);
  }

  async capture(): Promise<void> {
    const { records, cursor, fromStart } = await capture(this.#program, 's', this.#cursor);
    if (fromStart) this.pieces = [];
    this.pieces.push(...records);
    this.#cursor = cursor;
    const steps = readRecords(this.pieces).steps.map(({ id, source, at }) => `${id} ${source} ${at}`);
    const once = await capture(this.#program, 's');
    this.seen.push({
      kept: fromStart || isDeepStrictEqual(steps.slice(0, this.#before.length), this.#before),
      pieces: withoutPlaces(readRecords(this.pieces)),
      once: withoutPlaces(readRecords(once.records)),
    });
    this.#before = steps;
  }
}

function content(kind: number, n: string, words: string): object {
  if (kind === 0) return { type: 'text', text: `said ${n} ${words}` };
  if (kind === 1) return { type: 'text', text: `added ${n} ${words}`, synthetic: true };
  if (kind === 2) return { type: 'reasoning', text: `thought ${n} ${words}` };
  const done = words !== 'running';
  const state = done ? { status: 'completed', input: {}, output: words } : { status: 'running', input: {} };
  return { type: 'tool', tool: 'bash', callID: kind === 3 ? `call ${n}` : 'call_0', state };
}

describe('a session that lives (RT4, RT6)', () => {
  test('is the same in pieces as at once, and its steps keep their numbers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: 60 }), async (deeds) => {
        const seen = await inScratch(async (program) => {
          const life = new Life(program);
          for (const each of deeds) await life.live(each);
          await life.capture();
          return life.seen;
        });
        expect(seen.map(({ kept }) => kept)).not.toContain(false);
        expect(seen.map(({ pieces }) => pieces)).toEqual(seen.map(({ once }) => once));
      }),
      runs(40),
    );
  });
});
