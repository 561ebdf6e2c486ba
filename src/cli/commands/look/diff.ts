import { counted } from '../../../core/base/counted.ts';
import type { FileDiff } from '../../../core/diff/parse.ts';
import type { Packet } from '../../../core/packet/packet.ts';
import { changeLine } from '../../../core/tree/workspace.ts';
import type { TaskState } from '../../../core/task/state.ts';
import { readCheckedPacket } from '../../../handoff/history/history.ts';
import { load } from '../../../handoff/record/load.ts';
import { diffOf, noDiff } from '../../../handoff/history/packet-diff.ts';
import { fileLine, fileLines, totalLine } from '../../pages/diff-page.ts';
import { exits } from '../../frame/fail.ts';
import { packetAsked } from '../../../handoff/views/packet-asked.ts';
import type { Output } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [named, ...paths] = positionals;
  const task = await session.task(named, { looks: true });
  const context = await session.context();
  const { state } = await load(context, task);
  const { digest } = await packetAsked(context, task, text(values, 'packet') ?? judged(state));
  const packet = await readCheckedPacket(context, digest);
  const diff = await diffOf(context, packet);
  if (diff === null) throw noDiff(digest, packet);
  const files = filesAt(diff.files, paths);
  const isStat = values['stat'] === true;
  const { output } = session;
  if (output.json) {
    const shown = isStat
      ? files.map(statOf)
      : files.map((file) => ({ ...statOf(file), hunks: hunksOf(file) }));
    output.data(
      { task, packet: digest, diff: diff.blob, cut: diff.short, committed: diff.committed, files: shown },
      () => '',
    );
    return exits.ok;
  }
  if (isStat) output.data(null, () => statText(files, output));
  else await printFiles(files, output);
  if (files.length === 0)
    output.say(`Nothing was changed since the ${diff.committed ? 'work began' : 'last commit'}.`);
  if (diff.short) output.say('The diff was longer than what a packet keeps, and ends early.', 'warn');
  else if (paths.length === 0) sayAbsent(packet, diff.files, output);
  sayCommitted(packet, output);
  return exits.ok;
}

/** What waits for a verdict, what an auditor was given, or else the latest. */
function judged({ submission, leg }: TaskState): string {
  return submission?.packet ?? (leg?.lane === 'audit' ? leg.received : null) ?? 'latest';
}

function isAt({ path, from }: FileDiff, asked: string): boolean {
  return asked === '.' || [path, from].some((name) => name === asked || name?.startsWith(`${asked}/`));
}

function filesAt(files: readonly FileDiff[], paths: readonly string[]): readonly FileDiff[] {
  const wanted = paths.map((path) => path.replace(/^\.\//, '').replace(/\/+$/, ''));
  const strange = wanted.find((path) => !files.some((file) => isAt(file, path)));
  if (strange !== undefined)
    throw new UsageError(
      `The diff changes nothing at ${JSON.stringify(strange)}.`,
      'Paths are written from the root of the workspace. Without one, all of it is shown; --stat lists the files.',
    );
  return wanted.length === 0 ? files : files.filter((file) => wanted.some((path) => isAt(file, path)));
}

function statText(files: readonly FileDiff[], { paint }: Pick<Output, 'paint'>): string {
  return files.length === 0
    ? ''
    : [...files.map((file) => fileLine(file, paint)), totalLine(files)].join('\n');
}

export function statOf({ path, from, status, oldMode, newMode, binary, added, removed }: FileDiff): object {
  return { path, from, status, oldMode, newMode, binary, added, removed };
}

function hunksOf({ hunks }: FileDiff): object[] {
  return hunks.map(({ header, lines, cut }) => ({
    header,
    cut,
    lines: lines.map(({ mark, text: said, old, new: now }) => ({ mark, text: said, old, new: now })),
  }));
}

const pieceChars = 65_536;

/** In pieces: the reader, a pager mostly, sets the pace. */
async function printFiles(files: readonly FileDiff[], output: Output): Promise<void> {
  const { paint } = output;
  let piece = '';
  for (const [n, file] of files.entries()) {
    if (n > 0) piece += '\n';
    for (const one of fileLines(file, paint)) {
      piece += `${one}\n`;
      if (piece.length < pieceChars) continue;
      await output.piece(piece);
      piece = '';
    }
  }
  if (piece !== '') await output.piece(piece);
}

/** Too large, or nothing that git shows: changed all the same. */
function sayAbsent({ facts }: Packet, files: readonly FileDiff[], output: Output): void {
  const shown = new Set(files.map(({ path }) => path));
  const absent = (facts?.workspace?.changes ?? []).filter(({ path }) => !shown.has(path));
  if (absent.length === 0) return;
  const named = absent.slice(0, absentShown).map(changeLine);
  const left = absent.length - named.length;
  output.say(`Not in this diff: ${named.join(', ')}${left > 0 ? `, and ${left} more` : ''}`, 'warn');
}

const absentShown = 20;

function sayCommitted({ facts }: Packet, output: Output): void {
  const committed = facts?.workspace?.committed;
  if (committed === undefined) return;
  const { files, left, gone, since } = committed;
  if (gone === true)
    output.say('The commit where the work began is gone: what was committed since is not known.', 'warn');
  else if (facts?.diff?.committed === true) {
    if (since !== null) output.say(`All since ${since.slice(0, 12)}, committed or not.`);
  } else if (files.length + left > 0)
    output.say(
      `${counted(files.length + left, 'file was', 'files were')} also changed by commits, which this diff does not show.${since === null ? '' : ` See: git diff ${since.slice(0, 12)} HEAD`}`,
      'warn',
    );
}
