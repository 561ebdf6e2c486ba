/** Skills that came with a packet, for people: what they are, and what became of them. All of it is foreign. */
import type { Actor } from '../../core/task/actor.ts';
import { isRuntimeName, runtimeNames, type RuntimeName } from '../../core/resume/runtime-names.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../../handoff/record/context.ts';
import { readCheckedPacket } from '../../handoff/history/history.ts';
import { placeSkills, type CarriedSkill, type PlacedSkill } from '../../handoff/sealing/skills.ts';
import { block, line, type Paint } from '../frame/output.ts';
import { section } from '../frame/section.ts';
import type { Session } from '../call/session.ts';
import { UsageError } from '../frame/usage.ts';
import { counted } from './words.ts';

/** The program that is to load them, known before anything is taken. */
export function programFor({ runtime }: Actor): RuntimeName {
  if (runtime !== undefined && isRuntimeName(runtime)) return runtime;
  throw new UsageError(
    '--with-skills needs to know the program that will load them.',
    `Name it: --runtime ${runtimeNames.join(', --runtime ')}`,
  );
}

export async function placeSkillsFor(
  context: Context,
  { packet }: Pick<TaskState, 'packet'>,
  runtime: RuntimeName,
  { dryRun }: Pick<Session, 'dryRun'>,
): Promise<PlacedSkill[]> {
  const latest = packet === null ? null : await readCheckedPacket(context, packet);
  return await placeSkills(context, latest, { runtime, dryRun });
}

export function placedPart(
  placed: readonly PlacedSkill[],
  runtime: string,
  { dryRun, output: { paint } }: Pick<Session, 'dryRun' | 'output'>,
): string {
  if (placed.length === 0) return 'No skills came with this task.';
  const title = dryRun ? `Skills, where ${runtime} would load them` : `Skills, where ${runtime} loads them`;
  return section(
    paint.bold(title),
    placed.map((one) => placedLine(one, paint)),
  );
}

function placedLine(placed: PlacedSkill, paint: Paint): string {
  const { name, folder, outcome, why = '' } = placed;
  switch (outcome) {
    case 'placed':
      return `${line(name)}: ${line(folder)} (${contentWords(placed)})`;
    case 'here':
      return `${line(name)}: was there already, the same, in ${line(folder)}`;
    case 'different':
      return paint.warn(
        `${line(name)}: not written: another skill of that name is in ${line(folder)}, and was left as it is`,
      );
    case 'refused':
      return paint.bad(`${line(name)}: not written: ${line(why)}`);
  }
}

function contentWords({ files, executables, sets }: PlacedSkill): string {
  return [
    counted(files, 'file'),
    ...(executables.length === 0 ? [] : [`can be run: ${executables.map(line).join(', ')}`]),
    ...setWords(sets),
  ].join('; ');
}

/** Fields that do more than describe: which of them act depends on the program. */
function setWords(sets: readonly string[]): string[] {
  return sets.length === 0 ? [] : [`its head sets ${sets.map(line).join(', ')}`];
}

export function carriedPart(skill: CarriedSkill, paint: Paint, isWhole: boolean): string {
  const { name, from, description, sets, files } = skill;
  return [
    `${paint.bold(line(name))}  (from ${from === 'workspace' ? 'the workspace' : line(from)})`,
    ...(description === null ? [] : [block(description)]),
    ...setWords(sets).map((words) => `  ${paint.warn(words)}`),
    section(
      'Files',
      files.map(
        ({ path, bytes, executable }) =>
          `${line(path)}, ${counted(bytes, 'byte')}${executable ? ', can be run' : ''}`,
      ),
      '  ',
    ),
    ...(isWhole
      ? files.map(({ path, text }) => `${paint.bold(line(path))}\n${block(text ?? '(no text)')}`)
      : []),
  ].join('\n');
}
