/** When an agent is told that its window fills, and with which command it saves what it knows. */
import type { TaskId } from '../journal/id.ts';

export const pressureLevels = [0.7, 0.85] as const;
/** Below this there is room again, after a compaction: it may be told anew. */
export const roomShare = 0.6;

/** The highest level that a share has reached; null below the first. */
export function pressureLevel(share: number): number | null {
  return pressureLevels.findLast((level) => share >= level) ?? null;
}

export interface Pressed {
  readonly level: number;
  readonly used: number;
  readonly max: number;
  /** The task that the session holds. */
  readonly task: TaskId | null;
  /** RUNTIME:ID. */
  readonly session: string;
  readonly command: string;
}

export function pressureWords({ level, used, max, task, session, command }: Pressed): string {
  const full = `Staffetta: ${Math.round((used / max) * 100)} % of your context window is used (${used} of ${max} tokens).`;
  const urgent = level >= pressureLevels[1];
  if (task === null)
    return `${full} ${urgent ? 'Hand this work on now, while you can still say how it stands' : 'So that nothing is lost, this work can be handed on at any time'}: ${command} handoff --from ${session} --to anyone --trigger context-limit`;
  return urgent
    ? `${full} Hand task ${task} on now, while you can still say how it stands: ${command} handoff ${task} --to anyone --trigger context-limit --next "the one next action"`
    : `${full} Save what you know of task ${task} now: ${command} checkpoint ${task} --trigger context-limit --next "the one next action"`;
}
