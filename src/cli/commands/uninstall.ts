import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hooksFolder } from '../../compose/session-record.ts';
import { storeFolder } from '../../compose/locate.ts';
import { diffText } from '../../setup/diff.ts';
import { removeEmpty, undo, undoings, type Undoing } from '../../setup/install.ts';
import { scopes } from '../../setup/plan.ts';
import { confirmed, mayAsk } from '../dialogue.ts';
import { exits } from '../fail.ts';
import { block, line } from '../output.ts';
import type { Session } from '../session.ts';
import { everyFile, keptFolder, setupPlace } from '../setup-place.ts';
import type { Invocation } from '../spec.ts';
import { counted } from '../words.ts';

/** Takes back what init wrote: byte for byte where nobody touched it since, else our part alone. Tasks stay. */
export async function run({ values }: Invocation, session: Session): Promise<number> {
  const place = await setupPlace(session, values);
  const asked = scopes.filter((scope) => values[scope] === true);
  const folders = (asked.length === 0 ? scopes : asked).map((scope) => keptFolder(session, scope));
  const others = asked.length === 0 ? everyFile(place) : place.files;
  const doings = plansIn(folders, others);
  const all = doings.flatMap(({ undoings }) => undoings);
  const { output, dryRun } = session;
  const agreed = all.length === 0 || dryRun || (await isAgreed(session, all));
  const data = {
    agreed,
    files: all.map(({ path, how, before, after }) => ({ path, how, diff: diffText(path, before, after) })),
    ...(dryRun ? { dryRun: true } : {}),
  };
  if (!agreed) {
    output.data(data, () => (mayAsk(session) ? '' : shown(all).join('\n')));
    process.stderr.write(
      mayAsk(session)
        ? 'Nothing was changed.\n'
        : `staffetta: Nothing was changed: ${counted(all.length, 'file')} would be, and nobody agreed to that.\n  Say so with: staffetta uninstall --yes\n`,
    );
    return mayAsk(session) ? exits.ok : exits.usage;
  }
  if (!dryRun) for (const { folder, undoings: mine } of doings) undo(folder, mine);
  const storeGone = dryRun ? false : await removeEmptyStore(session);
  output.data({ ...data, storeRemoved: storeGone }, () =>
    [
      ...(dryRun ? shown(all) : []),
      ...all.map(sentence),
      ...(all.length === 0 ? ['Nothing of staffetta is set up here.'] : []),
    ].join('\n'),
  );
  if (storeGone) output.say(`The store at ${session.storePath} held no task and was removed.`);
  else if (session.storeExists) output.say(`The tasks stay: ${session.storePath}`);
  return exits.ok;
}

interface Plan {
  readonly folder: string;
  readonly undoings: readonly Undoing[];
}

function plansIn(folders: readonly string[], others: Parameters<typeof undoings>[1]): Plan[] {
  const plans: Plan[] = [];
  for (const folder of folders) {
    const done = new Set(plans.flatMap(({ undoings }) => undoings.map(({ path }) => path)));
    // What a record keeps is taken back by it; the rest is looked at once, with the last.
    const more = folder === folders.at(-1) ? others : [];
    const found = undoings(folder, more).filter(({ path }) => !done.has(path));
    plans.push({ folder, undoings: found });
  }
  return plans;
}

async function isAgreed(session: Session, all: readonly Undoing[]): Promise<boolean> {
  if (session.values['yes'] === true) return true;
  if (!mayAsk(session)) return false;
  session.output.say(shown(all).join('\n'));
  return await confirmed(`Put ${all.length === 1 ? 'this file' : `these ${all.length} files`} back?`);
}

function shown(all: readonly Undoing[]): string[] {
  return all.map(({ path, before, after }) => block(diffText(path, before, after), ''));
}

function sentence({ path, how, after }: Undoing): string {
  if (how === 'our-part') return `${line(path)}: was edited since; only our part was taken out`;
  return `${line(path)}: ${after === null ? 'removed' : 'as it was'}`;
}

/** A store without a task holds nothing that anybody would miss; one with tasks is never touched. */
async function removeEmptyStore(session: Session): Promise<boolean> {
  const { storePath: path } = session;
  const folder = dirname(path);
  if (path === 'memory:' || !existsSync(path) || basename(folder) !== storeFolder) return false;
  const { store } = await session.context();
  const { cards } = await store.catalog.list({ limit: 1, onDamaged: () => undefined });
  const facts = await store.upkeep.facts();
  if (cards.length > 0 || Number(facts['entries'] ?? 1) > 0) return false;
  await session.close();
  rmSync(hooksFolder(path), { recursive: true, force: true });
  const ours = /^(store\.db(-wal|-shm)?|\.gitignore|hook\.log(\.1)?|watch-off)$/;
  for (const name of readdirSync(folder)) if (ours.test(name)) rmSync(join(folder, name), { force: true });
  removeEmpty(folder);
  return true;
}
