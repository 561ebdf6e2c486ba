/** What a restore did, or would do, for people. Every path in it is foreign. */
import { lossLine } from '../../core/packet/not-carried.ts';
import { pathFaultWords } from '../../core/tree/paths.ts';
import type { RestoreReport } from '../../ports/workspace.ts';
import { line, type Paint } from '../frame/output.ts';
import { section } from '../frame/section.ts';
import { joinCommand } from '../../core/base/command-line.ts';
import { counted } from './words.ts';

/** The rest is a count; --json has all of it. */
const shownMax = 50;

export interface RestorePage {
  readonly report: RestoreReport;
  readonly dryRun: boolean;
  /** The command that was given, to which `--allow` is added. */
  readonly again: readonly string[];
}

export function restorePart({ report, dryRun, again }: RestorePage, paint: Paint): string {
  const { written, deleted, staged, held, refused, redacted, kept, losses, unfiltered } = report;
  const would = dryRun ? 'Would restore' : 'Restored';
  const tally = [
    `${counted(written.length, 'file')} written`,
    `${deleted.length} deleted`,
    `${staged.length} staged`,
  ].join(', ');
  const isBare = written.length + deleted.length + staged.length + held.length === 0;
  return [
    `${paint.bold(`${would} the workspace`)} into ${line(report.root)}${isBare ? ', as it was committed' : `: ${tally}`}`,
    section('Written', listed(written), '  '),
    section('Deleted', listed(deleted), '  '),
    section('Staged', listed(staged), '  '),
    section(
      paint.warn('Held back: it starts by itself, or steers an agent or an editor'),
      [...listed(held.map(({ path, reason }) => `${path}: ${reason}`)), ...allowWords(held, again)],
      '  ',
    ),
    section(
      paint.bad('Refused: no restore writes this'),
      listed(refused.map(({ path, reason }) => `${path}: ${pathFaultWords[reason]}`)),
      '  ',
    ),
    section(paint.warn('Written with placeholders where secrets were'), listed(redacted), '  '),
    section('Written with the secrets that stood here, in place of placeholders', listed(kept), '  '),
    section(paint.warn('Not brought back'), listed(losses.map(lossLine)), '  '),
    section('Not filled: a filter of the repository, such as LFS, was not run', listed(unfiltered), '  '),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function listed(paths: readonly string[]): string[] {
  const left = paths.length - shownMax;
  return [
    ...paths.slice(0, shownMax).map(line),
    ...(left > 0 ? [`and ${left} more; all of them with --json`] : []),
  ];
}

/** Exactly what to type. A name that cannot be typed, or means more than itself, is not put into a command. */
function allowWords(held: RestoreReport['held'], again: readonly string[]): string[] {
  if (held.length === 0) return [];
  const plain = held.map(({ path }) => path).filter((path) => line(path) === path && !/[*?]/.test(path));
  if (plain.length === 0) return ['Allow a path with --allow GLOB, once you have read it.'];
  const allowed = [...new Set(plain.map((path) => folderOf(path, plain)))];
  // So many are allowed as one, or not at all.
  const shown = allowed.length > shownMax ? ['**'] : allowed.map(rooted);
  const words = shown.flatMap((path) => ['--allow', path]);
  return [`To write it after all, once you have read it: ${joinCommand([...again, ...words])}`];
}

/** A dot-folder that several paths lie in is named once, in their place. */
function folderOf(path: string, all: readonly string[]): string {
  const names = path.split('/');
  const dot = names.findIndex((name) => name.startsWith('.'));
  if (dot === -1 || dot === names.length - 1) return path;
  const folder = names.slice(0, dot + 1).join('/');
  return all.filter((other) => other.startsWith(`${folder}/`)).length > 1 ? folder : path;
}

/** A pattern without a slash would match that name in every folder. */
function rooted(path: string): string {
  return path.includes('/') ? path : `/${path}`;
}
