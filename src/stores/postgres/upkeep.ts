import type { Card } from '../../core/task/card.ts';
import type { StorageFault, Upkeep } from '../../ports/store.ts';
import type { Connection, Row } from './connection.ts';

const pageRows = 1000;

export function postgresUpkeep(connection: Connection, s: string): Upkeep {
  return {
    async check() {
      return [...(await rowFaults(connection, s)), ...(await cardFaults(connection, s))];
    },
    async removed(task) {
      const [row] = await connection.ask(
        `SELECT EXISTS (SELECT 1 FROM ${s}.removed WHERE task = $1) AND NOT EXISTS (SELECT 1 FROM ${s}.task WHERE id = $1)`,
        [task],
      );
      return row?.[0] === true;
    },
    async secret() {
      const look = async (): Promise<string | undefined> => {
        const [row] = await connection.ask(`SELECT value FROM ${s}.meta WHERE key = 'secret'`);
        return row && String(row[0]);
      };
      const known = await look();
      if (known !== undefined) return Buffer.from(known, 'hex');
      const drawn = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(32))).toString('hex');
      // The first process decides.
      await connection.ask(`INSERT INTO ${s}.meta(key, value) VALUES ('secret', $1) ON CONFLICT DO NOTHING`, [
        drawn,
      ]);
      return Buffer.from((await look()) ?? '', 'hex');
    },
    async turn(name, now, ms) {
      const [row] = await connection.ask(`SELECT ${s}.turn_1($1, $2, $3)`, [name, now, now + ms]);
      return row?.[0] === true;
    },
    async facts() {
      const before = Date.now();
      const [row] = await connection.ask(
        `SELECT current_setting('server_version'), current_user::text, (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
           has_database_privilege(current_database(), 'CREATE'), has_table_privilege('${s}.entry', 'INSERT'), current_setting('fsync') = 'on',
           (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c WHERE c.relnamespace = '${s}'::regnamespace AND c.relkind = 'r'),
           (SELECT count(*) FROM ${s}.task), (SELECT count(*) FROM ${s}.entry), (SELECT count(*) FROM ${s}.blob), (SELECT count(*) FROM ${s}.hint),
           (SELECT kind || ' ' || actor FROM ${s}.login WHERE name = session_user),
           (SELECT string_agg(name || ' (' || kind || CASE actor WHEN name THEN '' ELSE ' ' || actor END || ')', ', ' ORDER BY name) FROM ${s}.login)`,
      );
      const after = Date.now();
      const [
        server,
        user,
        clock,
        creates,
        writes,
        isDurable,
        bytes,
        tasks,
        entries,
        blobs,
        hints,
        admitted,
        logins,
      ] = row ?? [];
      return {
        store: 'postgres',
        server: String(server),
        schema: s,
        user: String(user),
        // How far the server's clock is ahead of this machine's, to within half of the time that asking took.
        clockAheadMs: Math.round(Number(clock) - (before + after) / 2),
        // Whether it may make spaces, change what is stored, or only look; or as whom it was admitted.
        role:
          typeof admitted === 'string'
            ? `was admitted as ${admitted}`
            : creates === true
              ? 'creates spaces'
              : writes === true
                ? 'writes'
                : 'reads',
        ...(typeof logins === 'string' ? { logins } : {}),
        fsync: isDurable === true,
        bytes: Number(bytes),
        tasks: Number(tasks),
        entries: Number(entries),
        blobs: Number(blobs),
        hints: Number(hints),
      };
    },
  };
}

function damage(text: string): StorageFault {
  return { kind: 'integrity', text };
}

/** Positions have gaps, so entries are counted for each task, against its head. */
async function rowFaults(connection: Connection, s: string): Promise<StorageFault[]> {
  const short = await connection.ask(
    `SELECT t.id, t.seq + 1 - count(e.seq) FROM ${s}.task t LEFT JOIN ${s}.entry e ON e.task = t.n
     GROUP BY t.n HAVING count(e.seq) <> t.seq + 1 ORDER BY t.id LIMIT 20`,
  );
  const heads = await connection.ask(
    `SELECT t.id FROM ${s}.task t JOIN ${s}.entry e ON e.task = t.n AND e.seq = t.seq WHERE e.digest <> t.digest ORDER BY t.id LIMIT 20`,
  );
  const [strays] = await connection.ask(
    `SELECT (SELECT count(*) FROM ${s}.entry e WHERE NOT EXISTS (SELECT 1 FROM ${s}.task t WHERE t.n = e.task)),
       (SELECT count(*) FROM ${s}.entry_key k WHERE NOT EXISTS (SELECT 1 FROM ${s}.entry e WHERE e.task = k.task AND e.seq = k.seq))`,
  );
  const [entries, keys] = [Number(strays?.[0]), Number(strays?.[1])];
  return [
    ...short.map(([id, missing]): StorageFault => {
      const lost = Number(missing);
      return lost > 0
        ? {
            kind: 'completeness',
            text: `${lost} journal entries of task ${String(id)} are missing from the store.`,
          }
        : damage(`The store holds ${-lost} journal entries of task ${String(id)} more than it wrote.`);
    }),
    ...heads.map(([id]) => damage(`The row of task ${String(id)} contradicts its last entry.`)),
    ...(entries > 0 ? [damage(`${entries} journal entries belong to no task.`)] : []),
    ...(keys > 0 ? [damage(`${keys} idempotency keys belong to no entry.`)] : []),
  ];
}

/** What is searched by stands in columns of its own, and must say the same as what is shown. */
async function cardFaults(connection: Connection, s: string): Promise<StorageFault[]> {
  const faults: StorageFault[] = [];
  for (let after = 0; ;) {
    const rows = await connection.ask(
      `SELECT n, id, seq, status, lane, holder, addressed, dead, opened_at, card FROM ${s}.task WHERE n > $1 ORDER BY n LIMIT $2`,
      [after, pageRows],
    );
    faults.push(
      ...rows
        .filter((row) => !agrees(row))
        .map(([, id]) => damage(`The row of task ${String(id)} contradicts its card.`)),
    );
    const last = rows.at(-1);
    if (last === undefined) return faults.slice(0, 20);
    after = Number(last[0]);
  }
}

function agrees([, ...row]: Row): boolean {
  const columns = row.slice(0, -1);
  try {
    const { task, seq, status, lane, holder, to, dead, openedAt } = JSON.parse(
      (row.at(-1) as Buffer).toString(),
    ) as Card;
    return JSON.stringify([task, seq, status, lane, holder, to, dead, openedAt]) === JSON.stringify(columns);
  } catch {
    return false;
  }
}
