import { cpSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import type { SessionPlace } from '../../../src/ports/index.ts';
import { runtime as runtimeOf } from '../../../src/runtimes/cline/index.ts';
import { elsewhere, folder, places } from './open.ts';

const fixtures = join(import.meta.dirname, '../fixtures/cline');
const runtime = 'cline' as const;
const names = ['basic', 'file-edit', 'crash-mid-tool'];

interface Conversation {
  readonly messages: readonly unknown[];
}

function conversationAt({ path }: SessionPlace): Conversation {
  return JSON.parse(readFileSync(path, 'utf8')) as Conversation;
}

export function cline(): RuntimeScratch {
  const shared = places(runtime);
  const sessions = join(shared.home, '.cline/data/sessions');
  const placeOf = (id: string): SessionPlace => ({
    runtime,
    id,
    path: join(sessions, id, `${id}.messages.json`),
  });
  const all = names.map((name, at) => {
    const id = readdirSync(join(fixtures, name))[0]?.replace(/(\.messages)?\.json$/, '') ?? '';
    cpSync(join(fixtures, name), join(sessions, id), { recursive: true });
    const place = placeOf(id);
    const beside = join(sessions, id, `${id}.json`);
    if (at === names.length - 1)
      writeFileSync(beside, readFileSync(beside, 'utf8').replaceAll(folder, elsewhere));
    utimesSync(place.path, 1000 + at, 1000 + at);
    return place;
  });
  const first = all[0] ?? placeOf('');
  return {
    ...shared,
    runtime: runtimeOf({ HOME: shared.home, PATH: shared.bin }),
    sessions: all,
    native: (place) =>
      [{ id: place.id }, ...conversationAt(place).messages].map((one, at) =>
        Buffer.from(at === 0 ? JSON.stringify(one).slice(1, -1) : JSON.stringify(one)),
      ),
    byLine: false,
    grow: () => cpSync(join(fixtures, 'after-resume'), join(sessions, first.id), { recursive: true }),
    tear: null,
    rewrite: () => {
      const { messages, ...rest } = conversationAt(first);
      writeFileSync(first.path, JSON.stringify({ ...rest, messages: messages.slice(0, -1) }, null, 2));
    },
    garble: () => {
      const { id, path } = placeOf('1795000000000_aaaaa');
      mkdirSync(join(path, '..'));
      writeFileSync(path, 'this is no document');
      return id;
    },
    long: (bytes) => {
      const place = placeOf('1795000000000_bbbbb');
      const text = 'x'.repeat(60_000);
      const count = Math.ceil(bytes / text.length);
      const messages = Array.from({ length: count }, (_, at) => ({
        id: `m${at}`,
        role: 'assistant',
        content: [{ type: 'text', text }],
        ts: 1,
      }));
      mkdirSync(join(place.path, '..'));
      writeFileSync(place.path, JSON.stringify({ version: 1, messages }, null, 2));
      return place;
    },
  };
}
