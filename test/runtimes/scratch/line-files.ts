/** For programs that keep a session as a file of lines. */
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import type { Runtime, SessionPlace } from '../../../src/ports/index.ts';
import { elsewhere, folder, linesIn, type Places } from './open.ts';

export interface LineFiles {
  readonly runtime: Runtime;
  readonly shared: Places;
  /** Oldest first, each with the fixture it is a copy of. */
  readonly sessions: readonly (SessionPlace & { readonly fixture: string })[];
  /** The fixture that the first one is after it has grown. */
  readonly grown: string;
  /** A word of the first session, and another one of the same length. */
  readonly words: readonly [was: string, is: string];
  readonly garbled: Pick<SessionPlace, 'id' | 'path'>;
  /** A line with so many letters, by its place. */
  readonly line: (place: number, letters: string) => object;
  readonly long: SessionPlace;
}

export function lineFiles(given: LineFiles): RuntimeScratch {
  const { runtime, shared, sessions } = given;
  for (const [i, { path, fixture }] of sessions.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(fixture, path);
    if (i === sessions.length - 1)
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(folder, elsewhere));
    utimesSync(path, 1000 + i, 1000 + i);
  }
  const first = sessions[0]?.path ?? '';
  return {
    ...shared,
    runtime,
    sessions: sessions.map(({ runtime: name, id, path }) => ({ runtime: name, id, path })),
    native: ({ path }) => linesIn(path),
    byLine: true,
    grow: () => copyFileSync(given.grown, first),
    tear: () => {
      const line = JSON.stringify(given.line(0, 'torn'));
      appendFileSync(first, line.slice(0, 20));
      return () => appendFileSync(first, `${line.slice(20)}\n`);
    },
    rewrite: () => {
      const [was, is] = given.words;
      writeFileSync(first, readFileSync(first, 'utf8').replace(was, is));
    },
    garble: () => {
      mkdirSync(dirname(given.garbled.path), { recursive: true });
      writeFileSync(given.garbled.path, 'this is no record\n');
      return given.garbled.id;
    },
    long: (bytes) => {
      const { path } = given.long;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${readFileSync(sessions[0]?.fixture ?? '', 'utf8').split('\n')[0]}\n`);
      const letters = 'x'.repeat(60_000);
      const count = Math.ceil(bytes / letters.length);
      for (let i = 0; i < count; i += 1) appendFileSync(path, `${JSON.stringify(given.line(i, letters))}\n`);
      return given.long;
    },
  };
}
