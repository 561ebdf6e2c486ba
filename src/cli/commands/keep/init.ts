import { filled } from '../../../core/base/defined.ts';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { joinCommand } from '../../../core/base/command-line.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { programTitle } from '../../../core/resume/runtime-names.ts';
import type { Home } from '../../../home/home.ts';
import { refuseKeptPassword, writeStoreLink } from '../../../compose/open-store.ts';
import { linkBeside, storeFile, storeFolder, storeLink } from '../../../home/locate.ts';
import { changesFor, type SettingsChange } from '../../../setup/change.ts';
import { changeText } from '../../../setup/edit/diff.ts';
import { missingFolders } from '../../../setup/record.ts';
import { install, type Installing } from '../../../setup/install.ts';
import { mayAsk, confirm } from '../../contract/dialogue.ts';
import { exits } from '../../frame/fail.ts';
import { table } from '../../frame/table.ts';
import { block, line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import {
  commandOnPath,
  ownPaths,
  recordPlaces,
  setupPlace,
  type SetupPlace,
} from '../../call/setup-place.ts';
import type { Invocation } from '../../frame/spec.ts';
import { counted, next } from '../../pages/words.ts';

/** Creates the store, and tells the coding agents that are here of it: shown first, and only if that is agreed to. */
export async function run({ values }: Invocation, session: Session): Promise<number> {
  refuseMemory(session);
  const link = linkTold(session);
  const place = alone(await setupPlace(session, values), session, link);
  const changes = changesFor(place.files, ownPaths()).filter(({ before, after }) => before !== after);
  const { output, dryRun } = session;
  const agreed = changes.length === 0 || dryRun || (await isAgreed(session, changes));
  if (!agreed) return refused(session, place, changes);
  const records = recordPlaces(session, place);
  const parts = installing(place, records, changes);
  const store = await createStore(session, link);
  if (!dryRun) install(parts);
  output.data(
    {
      ...store,
      scope: place.scope,
      agents: place.found,
      changes: changes.map(({ path, runtime, kind, before, after }) => ({
        path,
        runtime,
        kind,
        was: before === null ? 'absent' : 'there',
        diff: changeText(path, before, after),
      })),
      ...filled({ dryRun }),
    },
    () =>
      [
        ...(dryRun ? shown(changes) : []),
        ...storeWords(session, store, changes.length > 0),
        ...changeWords(session, place, changes),
      ].join('\n'),
  );
  sayNext(session, place, { store, changes, records });
  return exits.ok;
}

/** What agents call finds the store from the folder they work in, or by STAFFETTA_STORE. A file that is named here alone they would not use. */
function alone(place: SetupPlace, { values }: Session, link: string | undefined): SetupPlace {
  const isAlone = values['store'] !== undefined && link === undefined;
  return isAlone ? { ...place, files: [], found: [], repository: null } : place;
}

/** The file in which this folder names a store that is no file. */
function linkTold({ values, env, home, store }: Session): string | undefined {
  if (values['store'] === undefined || home?.file !== undefined) return undefined;
  refuseKeptPassword(store);
  return linkBeside(process.cwd(), env);
}

type Records = ReturnType<typeof recordPlaces>;

/** Looked at before the store is created, which may make folders that the records lie in too. */
function installing(
  { repository }: SetupPlace,
  { user, project }: Records,
  changes: readonly SettingsChange[],
): Installing[] {
  return [
    {
      place: user,
      folders: missingFolders(user.folder),
      changes: changes.filter(({ root }) => root === null),
      repository,
    },
    {
      place: project,
      folders: missingFolders(project.folder),
      changes: changes.filter(({ root }) => root !== null),
      repository: null,
    },
  ];
}

function refuseMemory({ home }: Session): void {
  if (home !== undefined) return;
  throw new StaffettaError(
    'unavailable',
    'The store memory: ends with the command; there is nothing to create.',
    { hint: 'Name a file with --store.' },
  );
}

/** Never asked of a program: that says --yes. */
async function isAgreed(session: Session, changes: readonly SettingsChange[]): Promise<boolean> {
  if (session.values['yes'] === true) return true;
  if (!mayAsk(session)) return false;
  const { output } = session;
  output.say(fileTable(changes, output.width));
  return await confirm(`Write ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}?`, () =>
    output.say(shown(changes).join('\n')),
  );
}

/** With less, the last column is cut before it says anything. */
const fileTableMin = 76;

/** Which file gets what; the diff is shown to those who ask for it. */
function fileTable(changes: readonly SettingsChange[], width: number): string {
  const rows = changes.map(({ path, runtime, kind, before, after }) => [
    path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path,
    runtime === null ? 'all agents' : programTitle(runtime),
    `${before === null ? 'new' : 'changed'}: ${kind.replace(/^.*-/, '')}, ${counted(addedIn(path, before, after), 'line')}`,
  ]);
  if (width >= fileTableMin) return table([['FILE', 'FOR', 'WHAT'], ...rows], { width });
  return rows.map(([path = '', ...what]) => `${line(path)}\n  ${what.join(', ')}`).join('\n');
}

function addedIn(path: string, before: string | null, after: string): number {
  return changeText(path, before, after)
    .split('\n')
    .slice(2)
    .filter((one) => one.startsWith('+')).length;
}

function refused(session: Session, place: SetupPlace, changes: readonly SettingsChange[]): number {
  const { output } = session;
  const asked = mayAsk(session);
  const data = changes.map(({ path, runtime, before, after }) => ({
    path,
    runtime,
    diff: changeText(path, before, after),
  }));
  output.data({ agreed: false, scope: place.scope, agents: place.found, changes: data }, () =>
    asked ? '' : shown(changes).join('\n'),
  );
  process.stderr.write(
    asked
      ? 'Nothing was changed.\n'
      : `staffetta: Nothing was changed: ${counted(changes.length, 'file')} would be, and nobody agreed to that.\n  Say so with: staffetta init --yes\n`,
  );
  return asked ? exits.ok : exits.usage;
}

function shown(changes: readonly SettingsChange[]): string[] {
  return changes.map(({ path, before, after }) => block(changeText(path, before, after), ''));
}

interface MadeStore {
  readonly store: string;
  readonly created: boolean;
  readonly files: readonly string[];
}

async function createStore(session: Session, link: string | undefined): Promise<MadeStore> {
  const { dryRun } = session;
  const there = session.storeExists;
  if (!dryRun || (there && link === undefined)) await session.context({ create: true });
  if (link !== undefined) {
    if (!dryRun) await writeStoreLink(session.store, link);
    return { store: session.store.shown, created: !dryRun, files: [link] };
  }
  return {
    store: session.store.shown,
    created: !there && !dryRun,
    files: there ? [] : createdFiles(session.home),
  };
}

function createdFiles(home: Home | undefined): string[] {
  if (home?.file === undefined) return [];
  const { folder, file } = home;
  return basename(folder) === storeFolder ? [join(folder, '.gitignore'), file] : [file];
}

function storeWords(
  { dryRun, located, home }: Session,
  { store, files }: MadeStore,
  others: boolean,
): string[] {
  if (files.length === 0)
    return [
      home?.file === undefined
        ? `The store at ${line(store)} can be used.`
        : `There is a store at ${line(store)} already; ${others ? 'it stays as it is' : 'nothing was changed, and nothing needs to be'}.`,
    ];
  const isNamed = files.some((file) => file.endsWith(storeLink));
  return [
    isNamed
      ? `${dryRun ? 'Would name' : 'Named'} ${line(store)} as the store of this folder:`
      : `${dryRun ? 'Would create' : 'Created'} a store (${located.because}):`,
    ...files.map((file) => `  + ${line(file)}`),
  ];
}

function changeWords(
  { dryRun }: Session,
  { found }: SetupPlace,
  changes: readonly SettingsChange[],
): string[] {
  if (found.length === 0) return [];
  if (changes.length === 0) return [`${found.join(', ')}: everything is set up already.`];
  return [
    `${dryRun ? 'Would tell' : 'Told'} ${found.join(', ')} of it:`,
    ...changes.map(({ path, before }) => `  ${before === null ? '+' : '~'} ${line(path)}`),
  ];
}

function keptIn(records: Records, changes: readonly SettingsChange[]): string {
  const folders = changes.map(({ root }) => (root === null ? records.user : records.project).folder);
  return [...new Set(folders)].map(line).join(' and ');
}

const commandWords =
  'There is no staffetta on the PATH: agents have its tools, but not its command. For that: npm install -g staffetta';

/** What the programs' users should know of what was written; said once where it is true of several. */
function noticesFor({ homes, scope }: SetupPlace, changes: readonly SettingsChange[]): ReadonlySet<string> {
  const notices = Object.values(homes.setups).flatMap(({ notices: all = [] }) => all);
  const due = notices.filter(
    (one) => (one.scope ?? scope) === scope && changes.some(({ kind }) => one.kinds.includes(kind)),
  );
  return new Set(due.map(({ text }) => text));
}

function sayNext(
  session: Session,
  place: SetupPlace,
  {
    store,
    changes,
    records,
  }: { readonly store: MadeStore; readonly changes: readonly SettingsChange[]; readonly records: Records },
): void {
  const { output, dryRun, env, values } = session;
  const link = store.files.find((file) => file.endsWith(storeLink));
  const before = link === undefined ? '' : join(dirname(link), storeFile);
  if (existsSync(before))
    output.say(
      `The work in ${before} stays there. To go on with it here: ${joinCommand(['staffetta', 'move', '--all', '--store', before, '--to', session.store.withoutPassword()])}`,
    );
  if (values['store'] !== undefined && link === undefined)
    output.say(
      `No agent is told of it: they use the store of the folder they work in. To make them use this one, put STAFFETTA_STORE=${joinCommand([session.store.withoutPassword()])} into the environment they start in, and run init there.`,
    );
  else if (place.found.length === 0)
    output.say('No coding agent was found here; nothing else is touched. Once there is one, run init again.');
  if (changes.length > 0 && !dryRun)
    output.say(
      `What was there before is kept in ${keptIn(records, changes)}; staffetta uninstall puts it back.`,
    );
  for (const text of noticesFor(place, changes)) output.say(text);
  if (ownPaths().command.includes('_npx'))
    output.say(
      'This copy lies in a cache that npm may clear. Install it for good, then run init again: npm install -g staffetta',
    );
  else if (place.found.length > 0 && commandOnPath(env) === undefined) output.say(commandWords);
  if (store.files.length > 0 || changes.length > 0)
    next(output, 'staffetta doctor', 'staffetta open "what should be done"');
}
