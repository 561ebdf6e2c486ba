/** What the last packet claims and what was probed for it. A claim without evidence says so. */
import { notCarriedLines } from '../not-carried.ts';
import type { Claim, Packet } from '../packet.ts';
import { lineOf as commandLine } from '../stated/argv.ts';
import { statusOf, type WorkspaceFacts } from '../workspace.ts';
import type { EditedFile } from '../stated/edits.ts';
import { asCommand, asData, type Item } from './item.ts';
import type { SectionName } from './section.ts';

const unverified = ['unverified'];

export function claimItems({
  claims,
  skills,
  facts,
}: Pick<Packet, 'claims'> & Partial<Pick<Packet, 'skills' | 'facts'>>): Item[] {
  const items: Item[] = [];
  const add = (
    section: SectionName,
    text: string,
    more: { label?: string; names?: readonly string[] | undefined } = {},
  ): void => {
    const names = more.names === undefined || more.names.length === 0 ? unverified : more.names;
    items.push({
      section,
      text: asData(text),
      names,
      place: -1,
      ...(more.label === undefined ? {} : { label: more.label }),
    });
  };
  for (const { text, owner, evidence } of claims.questions ?? [])
    add('question', owner === undefined ? text : `${text} (for ${owner})`, { names: evidence });
  for (const { text, why, rejected, evidence } of claims.decisions ?? [])
    add('decisions', withWhy(text, why, rejected), { names: evidence });
  for (const { what, why, evidence } of claims.failed ?? [])
    add('deadEnds', `${what}: ${why}`, { names: evidence });
  for (const claim of claims.blockers ?? []) add('blockers', ...claimed(claim));
  if (claims.next !== undefined)
    add('next', claims.next, /^\W*next\b/i.test(claims.next) ? {} : { label: 'Next' });
  if (claims.command !== undefined)
    items.push({
      section: 'next',
      label: 'About to run',
      text: asCommand(claims.command),
      names: unverified,
      place: -1,
    });
  if (claims.summary !== undefined) add('state', claims.summary, { label: 'Summary' });
  for (const [label, list] of [
    ['In progress', claims.doing],
    ['Remaining', claims.remaining],
    ['Done', claims.done],
  ] as const)
    for (const claim of list ?? []) add('state', claimed(claim)[0], { ...claimed(claim)[1], label });
  for (const skill of skills ?? []) add('state', skill, { label: 'Skill to load' });
  const progress = facts?.progress;
  if (progress !== undefined)
    items.push({
      section: 'state',
      label: 'Progress',
      text: asData(
        `${progress.at}${progress.of === undefined ? '' : ` of ${progress.of}`}${progress.unit === undefined ? '' : ` ${progress.unit}`}${progress.cursor === undefined ? '' : ` (${progress.cursor})`}`,
      ),
      names: [],
      place: -1,
    });
  return items;
}

export function withWhy(text: string, why?: string, rejected: readonly string[] = []): string {
  const because = why === undefined ? '' : ` Because: ${why}`;
  return `${text}${because}${rejected.length === 0 ? '' : ` Rejected: ${rejected.join('; ')}`}`;
}

function claimed(claim: Claim): [string, { names?: readonly string[] }] {
  return typeof claim === 'string' ? [claim, {}] : [claim.text, { names: claim.evidence }];
}

/** What is not there must be known before it is looked for. */
export function lossItems(packet: Packet): Item[] {
  return notCarriedLines(packet).map((text, place) => ({
    section: 'notCarried',
    text: asData(text),
    names: [],
    place,
  }));
}

/** How many of the steps that edited a file are named. */
const editsNamedMax = 2;

/**
 * Exactly the files that git says were changed since the work began, committed or not, each with the last steps that edited it.
 * Without git, the files that the edit tools changed.
 */
export function fileItems(workspace: WorkspaceFacts | undefined, edits: readonly EditedFile[]): Item[] {
  const byPath = new Map(edits.map((edit) => [edit.path, edit]));
  const files = workspace === undefined ? editedFiles(edits) : gitFiles(workspace);
  return files.map(({ path, status }, place) => ({
    section: 'files',
    label: status,
    text: asData(path),
    names: (byPath.get(path)?.refs ?? []).slice(-editsNamedMax).map((ref) => `s${ref}`),
    place,
  }));
}

function editedFiles(edits: readonly EditedFile[]): { readonly path: string; readonly status: string }[] {
  return edits.map(({ path, deleted }) => ({ path, status: deleted ? 'deleted' : 'edited' }));
}

function gitFiles({
  changes,
  committed,
}: WorkspaceFacts): { readonly path: string; readonly status: string }[] {
  const status = new Map<string, string>();
  for (const file of committed?.files ?? []) status.set(file.path, `${file.status}, committed`);
  for (const change of changes) status.set(change.path, statusOf(change));
  return [...status]
    .map(([path, word]) => ({ path, status: word }))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Commands of the contract as the tool saw them end. */
export function factRuns({ facts }: Packet): {
  readonly command: string;
  readonly failed: string | null;
  readonly passed: string | null;
  readonly last: number;
}[] {
  return (facts?.runs ?? []).map(({ run, passed, failed }) => ({
    command: commandLine(run),
    failed:
      failed === undefined
        ? null
        : `failed${failed.exit === null ? '' : ` with exit code ${failed.exit}`} r${failed.entry}`,
    passed: passed === undefined ? null : `passed r${passed.entry}`,
    last: Math.max(passed?.entry ?? 0, failed?.entry ?? 0),
  }));
}
