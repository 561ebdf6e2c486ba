import { filled } from '../../../core/base/defined.ts';
import { statSync } from 'node:fs';
import { withKept } from '../../../desk/far/kept-copy.ts';
import { importTask, judgeExport, type Imported, type ImportSource } from '../../../handoff/trust/import.ts';
import { exits } from '../../frame/fail.ts';
import { readBytes } from '../../frame/input.ts';
import { longRun } from '../../frame/long-run.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { counted, next } from '../../pages/words.ts';

export async function run({ positionals }: Invocation, session: Session): Promise<number> {
  const [file = '-'] = positionals;
  const { dryRun, store, storeExists } = session;
  if (file === '-' && process.stdin.isTTY) session.output.say('Reading from the terminal; end with Ctrl-D.');
  const given = readBytes(file, Number.POSITIVE_INFINITY);
  const imported = await withSource(file, given, async (source) => {
    // No store is created for a file that will be refused.
    if (!storeExists) await judgeExport(source);
    await session.context({ create: true });
    return await longRun(session, 'import', async (context) => await importTask(context, source, { dryRun }));
  });
  session.output.data(
    {
      ...imported,
      ...(storeExists ? {} : { createsStore: store.shown }),
      ...filled({ dryRun }),
    },
    () => sentence(imported, dryRun),
  );
  session.output.say(sealWords(imported));
  if (!storeExists)
    session.output.say(`${dryRun ? 'Would also create' : 'Created'} the store ${store.shown}.`);
  if (dryRun) return exits.ok;
  next(session.output, `staffetta show ${imported.task} --history`);
  if (statusOf(imported) === 'elsewhere')
    next(session.output, `staffetta fork ${imported.task} --at latest --why WHY`);
  return exits.ok;
}

function statusOf({ tasks }: Imported): string {
  return tasks.at(-1)?.status ?? 'elsewhere';
}

function sentence(imported: Imported, dryRun: boolean): string {
  const { task, tasks, unchanged } = imported;
  if (unchanged) return `Everything of ${task} is here already; nothing changed.`;
  const added = counted(
    tasks.reduce((sum, { entries }) => sum + entries, 0),
    'entry',
    'entries',
  );
  const copy = statusOf(imported) === 'elsewhere' ? ', as a copy: it goes on where it came from' : '';
  return `${dryRun ? 'Would import' : 'Imported'} ${task}: ${added} new${copy}.`;
}

function sealWords({ sealed }: Imported): string {
  if (sealed === null) return 'The file is not signed: nobody vouches for the whole of it.';
  const { by, key, known } = sealed;
  const who = `The file is signed by ${line(by.name)} with key ${key}`;
  return known
    ? `${who}, which is theirs in this store.`
    : `${who}, which this store does not know: compare it with "staffetta key show" where it was exported.`;
}

async function withSource<T>(
  file: string,
  given: AsyncIterable<Uint8Array>,
  work: (source: ImportSource) => Promise<T>,
): Promise<T> {
  if (file !== '-' && statSync(file).isFile()) {
    let first: AsyncIterable<Uint8Array> | undefined = given;
    return await work(() => {
      const source = first ?? readBytes(file, Number.POSITIVE_INFINITY);
      first = undefined;
      return source;
    });
  }
  return await withKept(given, work);
}
