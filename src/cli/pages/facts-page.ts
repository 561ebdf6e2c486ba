/** What the tool probed, for a reader: apart from the claims, and worth more. */
import { notCarriedLines } from '../../core/packet/not-carried.ts';
import type { ConversationFact, Facts, Packet, SessionFact } from '../../core/packet/packet.ts';
import { changeLine, type WorkspaceFacts } from '../../core/tree/workspace.ts';
import { counted } from '../../core/base/counted.ts';
import { workedInWords } from '../../core/tree/work-folder.ts';
import { formatBytes } from '../frame/bytes.ts';
import { section } from '../frame/section.ts';

/** Changes listed one by one; the rest is a number. */
const changesShown = 50;

export function factParts(packet: Packet): string[] {
  const { facts = {}, skills, redactions } = packet;
  const { workspace } = facts;
  return [
    section('Session it was taken from', facts.session && sessionLines(facts.session), '  '),
    section('Sessions of agents that it started', facts.subagents?.flatMap(sessionLines), '  '),
    section('Conversation it brings', facts.conversation && conversationLines(facts.conversation), '  '),
    section(
      'Workspace when it was sealed',
      workspace && [
        placeLine(workspace),
        ...(facts.folder === undefined ? [] : [workedInWords(facts.folder)]),
        ...changeLines(workspace),
      ],
      '  ',
    ),
    section('Diff', facts.diff && [diffLine(facts.diff)], '  '),
    section('Commands that were run', facts.runs?.map(runLine), '  '),
    section(
      'Phases',
      facts.phases?.map(({ name, status }) => `${name}: ${status}`),
      '  ',
    ),
    section('Progress', facts.progress && [progressLine(facts.progress)], '  '),
    section('Skills to load', skills, '  '),
    section('Skills that come with it', facts.skills?.map(skillLine), '  '),
    section('Could not be carried over', notCarriedLines(packet), '  '),
    section('Secrets that were taken out', redactionLines(redactions), '  '),
  ];
}

/** Steps are named after records: see `staffetta history`. */
function sessionLines({ runtime, id, path, before, records, fromStart, omissions }: SessionFact): string[] {
  const where = path === undefined ? '' : ` (${path})`;
  const names = records === 0 ? '' : `, s${before + 1} to s${before + records}`;
  return [
    `${id} of ${runtime}${where}`,
    `${counted(records, 'record')} after ${before}${names}${fromStart === true ? '; the session had been rewritten, and this is all of it' : ''}`,
    ...(omissions ?? []).map(({ kind, count, why }) => `left out: ${kind}, ${count} (${why})`),
  ];
}

function conversationLines({ shape, before, records, goesOn }: ConversationFact): string[] {
  const kept = goesOn?.kept ?? 0;
  const fresh = records - kept;
  const names = fresh === 0 ? '' : `, s${before + 1} to s${before + fresh}`;
  return [
    `${records} messages of ${shape}: ${fresh} records after ${before}${names}`,
    ...(goesOn === undefined
      ? []
      : [`the first ${kept} are those of packet ${goesOn.from}, by their names there`]),
  ];
}

function placeLine({ root, kind, git }: WorkspaceFacts): string {
  if (git === null) return `${root} (a ${kind} without git)`;
  const branch = git.branch ?? 'detached';
  const head = git.head === null ? 'no commit yet' : `at ${git.head.slice(0, 12)}`;
  const operation = git.operation === null ? '' : `, in the middle of a ${git.operation.kind}`;
  return `${root} (${branch}, ${head}${operation})`;
}

function changeLines({ git, changes, changesLeft }: WorkspaceFacts): string[] {
  const shown = changes.slice(0, changesShown);
  const more = changes.length - shown.length + changesLeft;
  if (changes.length === 0 && more === 0)
    return [git === null ? 'not told: the folder is not under git' : 'nothing changed since the last commit'];
  return [...shown.map(changeLine), ...(more === 0 ? [] : [`and ${more} more`])];
}

function diffLine({ bytes, added, removed, cut }: NonNullable<Facts['diff']>): string {
  return `${counted(added, 'line')} added, ${removed} removed (${formatBytes(bytes)}${cut === true ? ', cut at the limit' : ''})`;
}

function runLine({ run, name, passed, failed }: NonNullable<Facts['runs']>[number]): string {
  const last = (passed?.at ?? -1) >= (failed?.at ?? -1) ? passed : failed;
  const how =
    last === undefined
      ? 'never ended'
      : last.exit === 0
        ? `passed [r${last.entry}]`
        : `${last.exit === null ? 'did not end by itself' : `failed with ${last.exit}`} [r${last.entry}]`;
  return `${name === undefined ? '' : `${name}: `}${run.join(' ')}: ${how}`;
}

function progressLine({ at, of, unit, cursor }: NonNullable<Facts['progress']>): string {
  const whole = `at ${at}${of === undefined ? '' : ` of ${of}`}${unit === undefined ? '' : ` ${unit}`}`;
  return cursor === undefined ? whole : `${whole} (${cursor})`;
}

/** Paths that are named one by one; the rest is a number. */
const pathsShown = 20;

function skillLine({ skill, name, from, files }: NonNullable<Facts['skills']>[number]): string {
  const called = skill === name ? skill : `${skill}, as ${name}`;
  const more = files.length - pathsShown;
  const paths = files.slice(0, pathsShown).map(({ path }) => path);
  return `${called} (from ${from}): ${[...paths, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')}`;
}

function redactionLines(redactions: Packet['redactions']): string[] | undefined {
  return redactions && Object.entries(redactions).map(([rule, count]) => `${rule}: ${count}`);
}
