import type { GrantKeeper } from '../../ports/grants.ts';
import type { Connection } from './connection.ts';

export function postgresGrants(connection: Connection, s: string): GrantKeeper {
  return {
    async put(hash, text) {
      await connection.ask(
        `INSERT INTO ${s}.token(hash, said) VALUES ($1, $2) ON CONFLICT (hash) DO UPDATE SET said = excluded.said`,
        [hash, text],
      );
    },
    async get(hash) {
      const [row] = await connection.ask(`SELECT said FROM ${s}.token WHERE hash = $1`, [hash]);
      return row && String(row[0]);
    },
    async remove(hash) {
      const rows = await connection.ask(`DELETE FROM ${s}.token WHERE hash = $1 RETURNING 1`, [hash]);
      return rows.length > 0;
    },
    async hashes() {
      return (await connection.ask(`SELECT hash FROM ${s}.token ORDER BY hash`)).map(([hash]) =>
        String(hash),
      );
    },
  };
}
