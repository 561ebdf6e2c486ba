/** The workspace as the packet says it was, held against the one here: in a few lines, however much differs. */
import { counted } from '../../core/base/counted.ts';
import { packetResults } from '../../core/files/handoff-facts.ts';
import { folderWords, provenWords } from '../../core/packet/proven-words.ts';
import type { Drift } from '../../core/tree/workspace-drift.ts';
import { unpushedWords } from '../../core/tree/unpushed.ts';
import type { ValidationResult } from '../../core/contract/validation-standing.ts';
import type { Pickup, Skill } from '../../handoff/views/pickup.ts';
import type { TaskView } from '../../handoff/views/task-view.ts';
import { formatAgo } from '../frame/duration.ts';
import { line, shortFigures, type Paint } from '../frame/output.ts';
import { section } from '../frame/section.ts';
import { joinCommand } from '../../core/base/command-line.ts';

/** The rest is a count; --json has all of it. */
const shownMax = 50;

export function pickupParts(page: PickupPage, paint: Paint, now: number): string[] {
  const { pickup } = page;
  return [
    ...provenParts(page, paint, now),
    section(paint.bold('Facts of the packet, looked at again'), factLines(pickup)),
    section(paint.bold(isJudged(page) ? 'Validation, held against the folder as it is now' : 'Validation'), [
      ...folderLines(page),
      ...pickup.validation.flatMap((result) => validationLine(result, now) ?? []),
      ...(pickup.unwatched === null ? [] : [line(pickup.unwatched)]),
    ]),
    section(paint.bold('Skills, and where they are'), [
      ...pickup.skills.map(skillLine),
      ...carriedLines(page),
    ]),
    section(paint.warn('Commits do not travel in a packet'), unpushedLines(pickup)),
  ];
}

type PickupPage = Pick<TaskView, 'state' | 'contract' | 'packet' | 'pickup'>;

function isJudged({ state, packet }: PickupPage): boolean {
  return state.status === 'submitted' && packet !== null && packet.facts?.workspace !== undefined;
}

/** Of what waits for a verdict: how the commands ended on exactly that work, whatever lies in the folder by now. */
function provenParts(page: PickupPage, paint: Paint, now: number): string[] {
  const { packet, contract } = page;
  if (!isJudged(page) || packet === null) return [];
  const lines = packetResults(packet, contract).map((result) =>
    result.outcome === null
      ? `${commandOf(result)}: not run`
      : `${commandOf(result)}: ${endedWords(result, now)}, ${provenWords[result.standing]}`,
  );
  return [section(paint.bold('Validation of the work that was submitted'), lines)];
}

function folderLines(page: PickupPage): string[] {
  const words = isJudged(page) ? folderWords(page.pickup) : null;
  return words === null ? [] : [line(words)];
}

function factLines({ drift, unseen }: Pickup): string[] {
  if (unseen !== null) return [`Not looked at. ${line(unseen)}`];
  if (drift === null) return [];
  const same = drift.filter(({ standing }) => standing === 'same');
  const moved = drift.filter(({ standing }) => standing !== 'same');
  const left = moved.length - shownMax;
  return [
    ...(same.length === 0 ? [] : [sameWords(same, moved.length === 0)]),
    ...moved.slice(0, shownMax).map(driftLine),
    ...(left > 0 ? [`and ${left} more; all of them with --json`] : []),
  ];
}

/** By name: which facts hold is as much worth as which do not. */
function sameWords(same: readonly Drift[], all: boolean): string {
  const names = same.slice(0, shownMax).map(({ fact }) => line(fact));
  const left = same.length - names.length;
  const named = [...names, ...(left > 0 ? [`and ${left} more`] : [])].join(', ');
  if (all) return `All ${same.length} are still true: ${named}.`;
  return `${named} ${same.length === 1 ? 'is' : 'are'} still true.`;
}

const standingWords: Readonly<Record<Drift['standing'], string>> = {
  same: 'still true',
  changed: 'changed',
  committed: 'committed since, as it was',
  undone: 'not as it was',
  gone: 'gone',
  new: 'new',
};

function short(value: string): string {
  return shortFigures(line(value));
}

function driftLine({ fact, was, is, standing }: Drift): string {
  const values =
    was === null
      ? ` (${short(is ?? '')})`
      : is === null
        ? ` (was ${short(was)})`
        : was === is
          ? ` (still ${short(was)}, with another content)`
          : `: was ${short(was)}, is ${short(is)}`;
  return `${standingWords[standing]}: ${line(fact)}${values}`;
}

/** What was never run is listed with the contract already. */
function validationLine(result: ValidationResult, now: number): string | undefined {
  const { outcome, standing, at } = result;
  if (outcome === null || at === null) return undefined;
  const worth = {
    bound: 'bound: on the workspace as it is now',
    stale: 'stale: on another state of the workspace',
    unknown: 'there is no workspace here to compare with',
    'not-run': '',
  }[standing];
  return `${commandOf(result)}: ${endedWords(result, now)}; ${worth}`;
}

function commandOf({ run, name }: ValidationResult): string {
  return line(name === null ? joinCommand(run) : `${name} (${joinCommand(run)})`);
}

function endedWords({ outcome, exit, at }: ValidationResult, now: number): string {
  const ended = outcome === 'passed' ? 'passed' : exit === null ? 'failed' : `failed with exit code ${exit}`;
  return at === null ? ended : `${ended} ${formatAgo(at, now)}`;
}

function skillLine({ skill, by, path, carried }: Skill): string {
  const came = carried === null ? '' : `; came with the packet, ${counted(carried, 'file')}`;
  const where =
    path !== null
      ? path === skill
        ? 'is here'
        : path
      : carried === null
        ? 'missing: not found in this workspace'
        : 'not in this workspace';
  return `${line(skill)} (${by}): ${line(where)}${came}`;
}

/** How to read what came, and how to agree to it. */
function carriedLines({ state, pickup }: PickupPage): string[] {
  const isCarried = pickup.skills.some(({ path, carried }) => path === null && carried !== null);
  return isCarried
    ? [
        `To read what came: staffetta skills ${state.task}. To put it where a program loads skills from: staffetta skills ${state.task} --in RUNTIME`,
      ]
    : [];
}

function unpushedLines({ unpushed }: Pickup): string[] {
  return unpushed === null ? [] : [line(unpushedWords(unpushed))];
}
