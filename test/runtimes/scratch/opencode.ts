import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import type { SessionPlace } from '../../../src/ports/index.ts';
import { runtime as runtimeOf } from '../../../src/runtimes/opencode/index.ts';
import { exported, OpencodeDatabase, type Export } from '../fixtures/opencode/database.ts';
import { elsewhere, folder, places } from './open.ts';

/** Stands for the program where only it can write: it imports and deletes as the program does. */
const standIn = `const [command, second, third] = process.argv.slice(2);
const load = async () => {
  const { OpencodeDatabase } = await import(${JSON.stringify(join(import.meta.dirname, '../fixtures/opencode/database.ts'))});
  const program = new OpencodeDatabase(process.env.OPENCODE_DB);
  if (command === 'session') program.db.prepare('DELETE FROM session WHERE id = ?').run(third);
  else {
    const file = JSON.parse(require('node:fs').readFileSync(second, 'utf8'));
    file.info.directory = process.env.PWD;
    program.import(file);
  }
  program.close();
};
load();`;

const names = ['basic', 'file-edit', 'crash-mid-tool'];

export function opencode(): RuntimeScratch {
  const shared = places('opencode', standIn);
  const path = join(shared.home, 'opencode.db');
  mkdirSync(shared.home, { recursive: true });
  const whole = names.map((name, i) => moved(exported(name), i === names.length - 1 ? elsewhere : folder, i));
  const act = (work: (program: OpencodeDatabase) => void): void => {
    const program = new OpencodeDatabase(path);
    try {
      work(program);
    } finally {
      program.close();
    }
  };
  act((program) => {
    for (const one of whole) program.import(one);
  });
  const placeOf = (id: string): SessionPlace => ({ runtime: 'opencode', id, path });
  const first = whole[0]?.info.id ?? '';
  return {
    ...shared,
    runtime: runtimeOf({ HOME: shared.home, PATH: shared.bin, OPENCODE_DB: path }),
    sessions: whole.map(({ info }) => placeOf(info.id)),
    native: ({ id }) => nativeIn(path, id),
    byLine: false,
    grow: () =>
      act((program) => {
        program.clock += 60_000;
        program.message(first, 'msg_z1', { role: 'user', time: { created: program.clock } });
        program.part(first, 'msg_z1', 'prt_z1', { type: 'text', text: 'Second turn' });
        program.message(first, 'msg_z2', {
          role: 'assistant',
          time: { created: program.clock },
          finish: 'stop',
        });
        program.part(first, 'msg_z2', 'prt_z2', { type: 'text', text: 'resumed ok' });
      }),
    tear: null,
    rewrite: () =>
      act((program) => {
        program.db
          .prepare('DELETE FROM message WHERE id = (SELECT max(id) FROM message WHERE session_id = ?)')
          .run(first);
      }),
    garble: () => {
      act((program) => {
        program.session({ id: 'ses_garbled' });
        program.db
          .prepare("INSERT INTO session_message VALUES ('m', 'ses_garbled', 'of-tomorrow', 1, '{}')")
          .run();
      });
      return 'ses_garbled';
    },
    long: (bytes) => {
      const text = 'x'.repeat(60_000);
      act((program) => {
        program.session({ id: 'ses_long' });
        program.db.exec('BEGIN');
        for (let i = 0; i < Math.ceil(bytes / text.length); i += 1) {
          const id = String(i).padStart(6, '0');
          program.message('ses_long', `msg_${id}`, { role: 'assistant', time: { created: 1 } });
          program.part('ses_long', `msg_${id}`, `prt_${id}`, { type: 'text', text });
        }
        program.db.exec('COMMIT');
      });
      return placeOf('ses_long');
    },
  };
}

function moved({ info, messages }: Export, directory: string, place: number): Export {
  const time = { created: 1000 + place, updated: 1000 + place };
  return {
    info: { ...info, directory, time },
    messages: messages.map((message, i) => ({
      ...message,
      info: {
        ...message.info,
        time: { ...(message.info['time'] as object), created: 1000 + place * 100 + i },
      },
    })),
  };
}

/** What each record must hold: something of the session, then the text of every row in the program's order. */
function nativeIn(path: string, session: string): Buffer[] {
  const program = new OpencodeDatabase(path);
  try {
    const rows = program.db
      .prepare(
        `SELECT m.data AS message, p.data AS part, m.id AS id FROM message m LEFT JOIN part p ON p.message_id = m.id
         WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id`,
      )
      .all(session) as { message: string; part: string | null; id: string }[];
    const texts = rows.flatMap(({ message, part, id }, i) => [
      ...(rows[i - 1]?.id === id ? [] : [message]),
      ...(part === null ? [] : [part]),
    ]);
    return [Buffer.from(`"${session}"`), ...texts.map((text) => Buffer.from(text))];
  } finally {
    program.close();
  }
}
