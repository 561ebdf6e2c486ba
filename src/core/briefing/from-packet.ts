/** What the last packet claims and what was probed for it. A claim without evidence says so, and one whose evidence does not hold. */
import { defined } from '../base/defined.ts';
import { notCarriedLines } from '../packet/not-carried.ts';
import { claimText, type Claim, type Packet } from '../packet/packet.ts';
import { isNextByDefault } from '../reasoning/draft.ts';
import { checkStatements, summaryParts } from '../reasoning/own-summary.ts';
import { isOfRunning } from '../reasoning/running.ts';
import { joinCommand } from '../base/command-line.ts';
import { statusOf, type WorkspaceFacts } from '../tree/workspace.ts';
import type { Story } from '../transcript/story.ts';
import type { EditedFile } from '../reasoning/edits.ts';
import { asCommand, asData, type BriefingItem } from './item.ts';
import type { SectionName } from './section.ts';

const unverified = ['unverified'];

interface Told {
  readonly label?: string;
  readonly names?: readonly string[] | undefined;
  /** Its place in the packet. */
  readonly path?: string;
}

export function claimItems(
  { claims, skills, facts }: Pick<Packet, 'claims'> & Partial<Pick<Packet, 'skills' | 'facts'>>,
  unbacked: ReadonlySet<string> = new Set(),
): BriefingItem[] {
  const items: BriefingItem[] = [];
  const add = (section: SectionName, text: string, { label, names = [], path = '' }: Told = {}): void => {
    const isBacked = !unbacked.has(path);
    const shown = isBacked ? label : label === undefined ? 'Not backed' : `${label}, not backed`;
    items.push({
      section,
      text: asData(text),
      names: isBacked && names.length > 0 ? names : [...names, ...unverified],
      place: -1,
      ...defined({ label: shown }),
    });
  };
  for (const [i, { text, owner, evidence }] of (claims.questions ?? []).entries())
    add('question', owner === undefined ? text : `${text} (for ${owner})`, {
      names: evidence,
      path: `claims.questions[${i}]`,
    });
  for (const [i, { text, why, rejected, evidence }] of (claims.decisions ?? []).entries())
    add('decisions', withWhy(text, why, rejected), { names: evidence, path: `claims.decisions[${i}]` });
  for (const [i, { what, why, evidence }] of (claims.failed ?? []).entries())
    add('deadEnds', `${what}: ${why}`, { names: evidence, path: `claims.failed[${i}]` });
  for (const [i, claim] of (claims.blockers ?? []).entries())
    add('blockers', claimText(claim), { names: namesOf(claim), path: `claims.blockers[${i}]` });
  // What the tool put there is told where it comes from: as what is pending.
  if (claims.next !== undefined && !isNextByDefault(claims.next)) add('next', claims.next, { label: 'Next' });
  if (claims.command !== undefined)
    items.push({
      section: 'next',
      label: 'About to run',
      text: asCommand(claims.command),
      names: unverified,
      place: -1,
    });
  const { words } = summaryParts(claims.summary);
  if (words !== null) add('state', words, { label: 'Summary' });
  for (const [label, field] of [
    ['In progress', 'doing'],
    ['Remaining', 'remaining'],
    ['Done', 'done'],
  ] as const)
    for (const [i, claim] of (claims[field] ?? []).entries())
      if (!isOfRunning(claim))
        add('state', claimText(claim), { names: namesOf(claim), label, path: `claims.${field}[${i}]` });
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

/** What an agent said of its own session. Each citation is checked here, no matter who says that it was. */
export function ownItems(summary: string | undefined, story: Story): BriefingItem[] {
  return checkStatements(story, summaryParts(summary).own).map(({ text, steps, amiss }, place) => ({
    section: 'own',
    text: asData(text),
    names: steps.length === 0 ? unverified : amiss.length === 0 ? steps : [...steps, ...unverified],
    place,
    ...(amiss.length === 0 ? {} : { label: `Not borne out (${amiss.join('; ')})` }),
  }));
}

export function withWhy(text: string, why?: string, rejected: readonly string[] = []): string {
  const because = why === undefined ? '' : ` Because: ${why}`;
  return `${text}${because}${rejected.length === 0 ? '' : ` Rejected: ${rejected.join('; ')}`}`;
}

function namesOf(claim: Claim): readonly string[] | undefined {
  return typeof claim === 'string' ? undefined : claim.evidence;
}

/** What is not there must be known before it is looked for. */
export function lossItems(packet: Packet): BriefingItem[] {
  return notCarriedLines(packet).map((text, place) => ({
    section: 'notCarried',
    text: asData(text),
    names: [],
    place,
  }));
}

/**
 * Every file that an edit tool of the sessions changed, and every file that git says was changed since the work began, committed or not.
 * Files of one folder stand on one line, the folder that was edited last first.
 */
export function fileItems(
  workspace: WorkspaceFacts | undefined,
  edits: readonly EditedFile[],
): BriefingItem[] {
  const files = new Map<string, { readonly status: string | null; readonly last: number }>();
  for (const { path, refs, deleted } of edits)
    files.set(path, { status: deleted ? 'deleted' : null, last: refs.at(-1) ?? 0 });
  for (const { path, status } of workspace === undefined ? [] : gitFiles(workspace))
    files.set(path, { status, last: files.get(path)?.last ?? 0 });
  const folders = Map.groupBy(files, ([path]) => path.slice(0, path.lastIndexOf('/') + 1));
  return [...folders]
    .map(([folder, inside]) => ({ folder, inside, last: Math.max(...inside.map(([, { last }]) => last)) }))
    .toSorted((a, b) => b.last - a.last || (a.folder < b.folder ? -1 : 1))
    .map(({ folder, inside, last }, place) => ({
      section: 'files',
      label: folder === '' ? './' : folder,
      text: asData(
        inside
          .map(([path, { status }]) => `${path.slice(folder.length)}${status === null ? '' : ` (${status})`}`)
          .join(', '),
      ),
      names: last === 0 ? [] : [`s${last}`],
      place,
    }));
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
export function provenItems({ facts }: Packet): BriefingItem[] {
  return (facts?.runs ?? []).map(({ run, passed, failed }) => {
    const last = Math.max(passed?.entry ?? 0, failed?.entry ?? 0);
    const ends = [
      ...(failed === undefined
        ? []
        : [
            {
              at: failed.entry,
              words: `failed${failed.exit === null ? '' : ` with exit code ${failed.exit}`} r${failed.entry}`,
            },
          ]),
      ...(passed === undefined ? [] : [{ at: passed.entry, words: `passed r${passed.entry}` }]),
    ];
    return {
      section: 'checks',
      label: 'Validation',
      text: `${asCommand(joinCommand(run))}: ${ends
        .toSorted((a, b) => a.at - b.at)
        .map(({ words }) => words)
        .join(', then ')}`,
      names: last === 0 ? [] : [`r${last}`],
      place: Number.MAX_SAFE_INTEGER,
    };
  });
}
