/** Random values of the generators that people use, in the forms in which they write them down, and code of others that holds none. */
import { join } from 'node:path';
import { measureMasked, measureSecrets } from '../../bench/material/secrets.ts';
import { generators } from '../redaction/generators.ts';
import { isOver, Tally, type Trial } from './trial.ts';

const perForm = 40;
const linesPerMasked = 10_000;

export const secrets: Trial = {
  name: 'Secrets by kind and form',
  promise:
    'P9: of random values at most 1 % is left in each of these forms, and at most one value per 10,000 lines is taken out of code that holds no secret',
  how: `Values of ${generators.length} kinds (${generators.map(({ name }) => name).join(', ')}) are written down in many forms (assignments and defaults in several languages, settings, YAML, JSON, XML, tables, connection strings, headers, URLs, arguments of commands) and searched. A value is left if eight of its characters in a row can still be read. Values with spaces are written only where quotes, a cell or an element hold them: without, nothing tells where they end. The other way round, the code of the packages that this project installs is searched`,
  share: 1,
  async run(budget) {
    const tally = new Tally();
    const rows = new Map<string, { tried: number; left: number }>();
    for (let round = 0; round === 0 || !isOver(budget); round += 1) {
      for (const { form, tried, left } of await measureSecrets({ seed: `${budget.seed + round}`, perForm })) {
        const known = rows.get(form) ?? { tried: 0, left: 0 };
        rows.set(form, { tried: known.tried + tried, left: known.left + left });
      }
    }
    for (const [form, { tried, left }] of rows) {
      tally.add(`written as ${form}`, tried);
      if (left > 0) tally.add(`→ left as ${form}`, left);
    }
    const { lines, masked } = await measureMasked(join(import.meta.dirname, '../../node_modules'));
    const total = tally.total('values written down');
    tally.add('lines of code without secrets', lines);
    tally.add('→ values taken out of them', masked);
    return {
      total,
      counts: tally.counts,
      faults: [
        ...[...rows]
          .filter(([, { tried, left }]) => left > tried / 100)
          .map(([form, { tried, left }]) => `${left} of ${tried} values are left as ${form}`),
        ...(masked > lines / linesPerMasked ? [`${masked} values were taken out of ${lines} lines`] : []),
      ],
    };
  },
};
