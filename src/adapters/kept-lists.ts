/**
 * Lists of a framework (the items of a session, what its model has seen, the messages of a loop), kept as their changes. A record is one
 * line of JSON and changes all that it names at once: of each list how many of its first members stay, and what comes after them. So a
 * list that grows takes as much room as its members, and one that the framework rewrote takes what is new in it.
 */
import * as z from 'zod/mini';
import { StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import { fromPlain, toPlain } from './plain-values.ts';

const Change = z.strictObject({ stay: z.int().check(z.minimum(0)), add: z.array(z.unknown()) });
const Kept = z.strictObject({
  v: z.literal(1),
  lists: z.record(z.string(), Change),
  /** What else the program has to know. */
  about: z.record(z.string(), z.unknown()),
});

type Lists = Readonly<Record<string, readonly unknown[]>>;
export type AboutLists = Readonly<Record<string, unknown>>;

export class KeptLists {
  readonly #called: string;
  /** Each member as the JSON that it is kept as. */
  readonly #lists = new Map<string, readonly string[]>();

  /** As users call what is kept: `LangGraph thread`. */
  constructor(called: string) {
    this.#called = called;
  }

  values(list: string): unknown[] {
    return this.#plain(list).map((text) => fromPlain(JSON.parse(text)));
  }

  /** The members of lists, one list after the other, as they are kept; and as they would be with some of them changed. */
  texts(...lists: readonly string[]): string[] {
    return lists.flatMap((list) => this.#plain(list));
  }

  textsAfter(changed: Lists, ...lists: readonly string[]): string[] {
    return lists.flatMap((list) => {
      const values = changed[list];
      return values === undefined ? this.#plain(list) : textsOf(values, list);
    });
  }

  are(lists: Lists): boolean {
    return Object.entries(lists).every(([name, values]) => {
      const old = this.#plain(name);
      return old.length === values.length && textsOf(values, name).every((text, i) => text === old[i]);
    });
  }

  /** The record that makes the lists be these. Nothing is changed here until it was kept, and added. */
  changeTo(lists: Lists, about: AboutLists): Uint8Array {
    const changes = Object.entries(lists).map(([name, values]) => {
      const old = this.#plain(name);
      const texts = textsOf(values, name);
      const differs = texts.findIndex((text, i) => text !== old[i]);
      const stay = differs === -1 ? texts.length : differs;
      return `${JSON.stringify(name)}:{"stay":${stay},"add":[${texts.slice(stay).join(',')}]}`;
    });
    const bytes = Buffer.from(`{"v":1,"lists":{${changes.join(',')}},"about":${JSON.stringify(about)}}\n`);
    if (bytes.length > limits.blobBytesMax)
      throw new StaffettaError(
        'too-large',
        `One step may add ${limits.blobBytesMax} bytes to this ${this.#called}, and this one has ${bytes.length}. Nothing was written.`,
        { hint: 'Give large content by its address.' },
      );
    return bytes;
  }

  add(bytes: Uint8Array): AboutLists {
    const parsed = z.safeParse(Kept, parsedJson(bytes));
    const isSound =
      parsed.success &&
      Object.entries(parsed.data.lists).every(([name, { stay }]) => stay <= this.#plain(name).length);
    if (!isSound)
      throw new StaffettaError('corrupt', `What was kept of this ${this.#called} has an unknown form.`, {
        hint: 'It may be from a newer version of Staffetta.',
      });
    const { lists, about } = parsed.data;
    for (const [name, { stay, add }] of Object.entries(lists))
      this.#lists.set(name, [
        ...this.#plain(name).slice(0, stay),
        ...add.map((plain) => JSON.stringify(plain)),
      ]);
    return about;
  }

  #plain(list: string): readonly string[] {
    return this.#lists.get(list) ?? [];
  }
}

/** Those of the values that are not among the others. What is there twice is only twice among them. */
export function notAmong<T>(others: readonly unknown[], values: readonly T[], name: string): T[] {
  const left = new Map<string, number>();
  for (const text of textsOf(others, name)) left.set(text, (left.get(text) ?? 0) + 1);
  const texts = textsOf(values, name);
  return values.filter((_, i) => {
    const text = texts[i] ?? '';
    const count = left.get(text) ?? 0;
    if (count > 0) left.set(text, count - 1);
    return count === 0;
  });
}

function textsOf(values: readonly unknown[], name: string): string[] {
  return values.map((value, i) => JSON.stringify(toPlain(value, `${name}[${i}]`)));
}

/** Undefined where it is none. */
export function parsedJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
