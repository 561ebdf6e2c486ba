/** The environment in which the commands of a started agent are fenced: who it is, which leg it holds, and of which store. */
import { delimiter } from 'node:path';
import { programs } from '../../core/resume/runtime-names.ts';
import type { Actor, Lane } from '../../core/task/actor.ts';
import type { Home } from '../../home/home.ts';
import { memoryAddress, type StoreAddress } from '../../ports/store-address.ts';

export type LegSetting = Readonly<Record<string, string | null>>;

export interface LegOf {
  readonly task: string;
  readonly generation: number;
  readonly agent: Actor;
  readonly lane: Lane;
  readonly store: StoreAddress;
}

/**
 * What works there speaks as this agent, under this generation, to this store; and is no child of the agent that started it. An address with
 * a password is in no line that is shown: it is inherited.
 */
export function legSetting({ task, generation, agent, lane, store }: LegOf): LegSetting {
  return {
    ...Object.fromEntries(programs.flatMap(({ marks }) => marks.map((mark) => [mark, null]))),
    ...(store === memoryAddress || store.reveal() !== store.shown ? {} : { STAFFETTA_STORE: store.shown }),
    STAFFETTA_AS: agent.name,
    STAFFETTA_LANE: lane,
    STAFFETTA_RUNTIME: agent.runtime ?? null,
    STAFFETTA_LINEAGE: agent.lineage === undefined ? null : agent.lineage.join(','),
    STAFFETTA_LEG: `${task}/${generation}`,
  };
}

/** A line that is shown names no password; the program itself gets the whole address. */
export function storeSetting(home: Home | undefined): LegSetting {
  return home === undefined ? {} : { STAFFETTA_STORE: home.store.reveal() };
}

/** `commands` is a folder that programs are looked for in first. */
export function environmentWith(
  env: NodeJS.ProcessEnv,
  setting: LegSetting,
  commands: string,
): NodeJS.ProcessEnv {
  const path = env['PATH'] ?? '';
  const set: NodeJS.ProcessEnv = { ...env, PATH: path === '' ? commands : `${commands}${delimiter}${path}` };
  for (const [name, value] of Object.entries(setting)) {
    if (value === null) delete set[name];
    else set[name] = value;
  }
  return set;
}
