import { filled } from '../../../core/base/defined.ts';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { whyForeign } from '../../../home/foreign-store.ts';
import { dataFolder } from '../../../home/data-folder.ts';
import { storeFile, storeFolder } from '../../../home/locate.ts';
import { changeText } from '../../../setup/edit/diff.ts';
import type { PlannedFile } from '../../../setup/forms/agent-setup.ts';
import { agentsKind } from '../../../setup/files.ts';
import { agentsFile } from '../../../setup/plan.ts';
import { readInstalled, removeEmpty, type KeptFile } from '../../../setup/record.ts';
import {
  forget,
  partsToUndo,
  undo,
  undoings,
  type Left,
  type Part,
  type Undoing,
} from '../../../setup/undo.ts';
import { confirm, mayAsk } from '../../contract/dialogue.ts';
import { exits } from '../../frame/fail.ts';
import { block, line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import { everyFile, isMeantKind, recordPlaces, setupPlace, type SetupPlace } from '../../call/setup-place.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { counted } from '../../pages/words.ts';

/** Takes back what init wrote: byte for byte where nobody touched it since, else our part alone. Tasks stay, and so does what others use. */
export async function run({ values }: Invocation, session: Session): Promise<number> {
  const place = await setupPlace(session, values);
  const records = recordPlaces(session, place);
  const aim = aimOf(place, records, values);
  const parts = partsOf(place, aim, { records, values });
  const { doings: all, left } = undoings(parts);
  const { output, dryRun } = session;
  const agreed = all.length === 0 || dryRun || (await isAgreed(session, all, aim));
  const data = {
    agreed,
    files: all.map(({ path, how, before, after }) => ({ path, how, diff: diffOf({ path, before, after }) })),
    left,
    affects: aim.affects,
    stays: aim.stays,
    ...filled({ dryRun }),
  };
  if (!agreed) {
    output.data(data, () => (mayAsk(session) ? '' : shown(all, aim).join('\n')));
    process.stderr.write(
      mayAsk(session)
        ? 'Nothing was changed.\n'
        : `staffetta: Nothing was changed: ${counted(all.length, 'file')} would be, and nobody agreed to that.\n  Say so with: staffetta uninstall --yes\n`,
    );
    return mayAsk(session) ? exits.ok : exits.usage;
  }
  const made = dryRun ? [] : takeBack(records, { all, parts: without(parts, left), aim });
  const storeGone = dryRun || !aim.store ? false : await removeEmptyStore(session);
  // The store may have lain in a folder that was made for a record.
  for (const folder of made.toReversed()) removeEmpty(folder);
  output.data({ ...data, storeRemoved: storeGone }, () =>
    [
      ...(dryRun ? shown(all, aim) : []),
      ...all.map(sentence),
      ...left.map(leftSentence),
      ...(all.length + left.length === 0 ? ['Nothing of staffetta is set up here.'] : []),
    ].join('\n'),
  );
  sayRest(session, aim, storeGone);
  return left.length === 0 ? exits.ok : exits.failed;
}

function without(parts: readonly Part[], left: readonly Left[]): Part[] {
  return parts.filter(({ file }) => !left.some(({ path }) => path === file.path));
}

function leftSentence({ path, why, kept }: Left): string {
  const copy = kept === null ? '' : ` What was there before is in ${line(kept)}.`;
  return `${line(path)}: left as it is. ${line(why)}${copy} Put it right, then run uninstall again.`;
}

type Records = ReturnType<typeof recordPlaces>;

interface Aim {
  readonly user: boolean;
  readonly project: boolean;
  /** AGENTS.md of this repository is meant too. */
  readonly agents: boolean;
  /** An empty store goes too. */
  readonly store: boolean;
  /** Repositories that are not set up any more, once the settings of the user are taken back. */
  readonly affects: readonly string[];
  /** Repositories for which the settings of the user stay. */
  readonly stays: readonly string[];
  /** Of the repositories that the user's record names, those it names no more. */
  readonly released: readonly string[];
}

/** Without an option all of this repository is meant; the settings of the user only if no other one is set up with them. */
function aimOf(place: SetupPlace, records: Records, values: Values): Aim {
  const { root } = place.homes;
  const { repositories } = readInstalled(records.user);
  const others = repositories.filter((one) => one !== root && existsSync(one));
  const isAll = isMeantKind(agentsKind, values, place);
  if (values['user'] === true)
    return {
      user: true,
      project: false,
      agents: false,
      store: false,
      affects: repositories.filter((one) => existsSync(one)),
      stays: [],
      released: isAll ? repositories : [],
    };
  if (values['project'] === true)
    return {
      user: false,
      project: true,
      // With the settings of the user this repository is still set up.
      agents: isAll && !repositories.includes(root),
      store: isAll && !repositories.includes(root),
      affects: [],
      stays: [],
      released: [],
    };
  const released = others.length === 0 ? repositories : [root];
  return {
    user: others.length === 0,
    project: true,
    agents: isAll,
    store: isAll,
    affects: [],
    stays: others,
    released: isAll ? released : [],
  };
}

function partsOf(
  place: SetupPlace,
  aim: Aim,
  { records, values }: { readonly records: Records; readonly values: Values },
): Part[] {
  const { root } = place.homes;
  const isMeant = ({ kind, root: owner }: KeptFile): boolean => {
    if (kind === agentsKind) return aim.agents && owner === root;
    return isMeantKind(kind, values, place) && (owner === null ? aim.user : aim.project && owner === root);
  };
  const others: PlannedFile[] = [
    ...(aim.user ? everyFile(place, 'user', values) : []),
    ...(aim.project ? everyFile(place, 'project', values) : []),
    ...(aim.agents ? [agentsFile(root)] : []),
  ];
  const { setups } = place.homes;
  return partsToUndo({ places: [records.project, records.user], setups }, others, isMeant);
}

interface TakingBack {
  readonly all: readonly Undoing[];
  readonly parts: readonly Part[];
  readonly aim: Aim;
}

/** Returns folders that were made for the records. */
function takeBack(records: Records, { all, parts, aim }: TakingBack): string[] {
  undo(all);
  return [...forget(records.project, parts, []), ...forget(records.user, parts, aim.released)];
}

async function isAgreed(session: Session, all: readonly Undoing[], aim: Aim): Promise<boolean> {
  if (session.values['yes'] === true) return true;
  if (!mayAsk(session)) return false;
  session.output.say([...all.map(sentence), ...affectedWords(aim)].join('\n'));
  return await confirm(`Put ${all.length === 1 ? 'this file' : `these ${all.length} files`} back?`, () =>
    session.output.say(all.map((one) => block(diffOf(one), '')).join('\n')),
  );
}

function shown(all: readonly Undoing[], aim: Aim): string[] {
  return [...all.map((one) => block(diffOf(one), '')), ...affectedWords(aim)];
}

function diffOf({ path, before, after }: Pick<Undoing, 'path' | 'before' | 'after'>): string {
  return changeText(path, before.toString('utf8'), after?.toString('utf8') ?? null);
}

function affectedWords({ affects }: Aim): string[] {
  if (affects.length === 0) return [];
  return [`Set up with these settings, and not any more without them: ${affects.map(line).join(', ')}`];
}

function sentence({ path, how, after }: Undoing): string {
  if (how !== 'as-it-was') {
    const why = how === 'found' ? 'what was there before is not on record' : 'was changed since';
    return `${line(path)}: ${why}; ${after === null ? 'nothing but our part was left, and it is removed' : 'only our part was taken out'}`;
  }
  return `${line(path)}: ${after === null ? 'removed' : 'as it was'}`;
}

function sayRest({ output, store, storeExists }: Session, aim: Aim, storeGone: boolean): void {
  for (const words of affectedWords(aim)) output.say(words);
  if (aim.stays.length > 0)
    output.say(
      `The settings of the user stay: ${aim.stays.map(line).join(', ')} ${aim.stays.length === 1 ? 'is' : 'are'} set up with them. To take them back for all: staffetta uninstall --user`,
    );
  if (storeGone) output.say(`The store at ${store.shown} held no task and was removed.`);
  else if (storeExists) output.say(`The tasks stay: ${store.shown}`);
}

/** A store without a task holds nothing that anybody would miss; one with tasks is never touched. */
async function removeEmptyStore(session: Session): Promise<boolean> {
  const { home } = session;
  if (home?.file === undefined || !session.storeExists) return false;
  const { folder, file, hooks } = home;
  const isOurs = basename(folder) === storeFolder || file === join(dataFolder(session.env), storeFile);
  if (!isOurs || whyForeign(session.located) !== null) return false;
  const { store } = await session.context();
  const { cards } = await store.catalog.list({ limit: 1, onDamaged: () => undefined });
  const facts = await store.upkeep.facts();
  if (cards.length > 0 || Number(facts['entries'] ?? 1) > 0) return false;
  await session.close();
  rmSync(hooks, { recursive: true, force: true });
  const ours = /^(store\.db(-wal|-shm)?|\.gitignore|hook\.log(\.1)?|watch-off)$/;
  for (const name of readdirSync(folder)) if (ours.test(name)) rmSync(join(folder, name), { force: true });
  removeEmpty(folder);
  return true;
}
