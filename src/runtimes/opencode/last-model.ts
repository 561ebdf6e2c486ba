import { statSync } from 'node:fs';
import { openDatabase } from './database.ts';
import { field, objectOf, parseJson, textOf } from './read/schema.ts';

/** The model that was used last in this folder, else anywhere on this machine, as `provider/model`. */
export function lastModel(path: string, folder: string): string | null {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const database = openDatabase(path);
  try {
    const rows = database.read((question) =>
      question.all(
        `SELECT model FROM session WHERE model IS NOT NULL
          ORDER BY directory = ? DESC, time_updated DESC LIMIT 20`,
        folder,
      ),
    );
    return rows.map((row) => named(row['model'])).find((model) => model !== null) ?? null;
  } finally {
    database.close();
  }
}

function named(column: unknown): string | null {
  const model = typeof column === 'string' ? objectOf(parseJson(column)) : null;
  const provider = textOf(field(model, 'providerID'));
  const id = textOf(field(model, 'id'));
  return provider === null || id === null ? null : `${provider}/${id}`;
}
