/**
 * The parts of a coding agent, loaded when they are first needed. Every agent's folder has them under the same names, and is found by the
 * agent's own:
 *
 *   agent.ts       what is known before anything is loaded (`registry.ts`)
 *   index.ts       `runtime`: the port
 *   read/read.ts   `read`: only what reads its records
 *   skills.ts      `skillFolders`: where it loads skills from
 *   setup.ts       `setup`: the files that tell it of us
 */
import { runtimeNames, type RuntimeName } from '../core/resume/runtime-names.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { SkillFolders } from '../ports/skills.ts';
import type { AgentSetup, Setups } from '../setup/forms/agent-setup.ts';

export type AgentEnv = Readonly<Record<string, string | undefined>>;

interface RuntimePart {
  readonly runtime: (env: AgentEnv) => Runtime;
}

export async function loadRuntimePart(name: RuntimeName): Promise<RuntimePart> {
  return (await import(`./${name}/index.ts`)) as RuntimePart;
}

/** All that are known, by what an environment says of where they keep their data. */
export async function loadRuntimes(env: AgentEnv): Promise<readonly Runtime[]> {
  return await Promise.all(runtimeNames.map(async (name) => (await loadRuntimePart(name)).runtime(env)));
}

export async function loadReader(name: RuntimeName): Promise<Runtime['read']> {
  return ((await import(`./${name}/read/read.ts`)) as Pick<Runtime, 'read'>).read;
}

interface SkillsPart {
  readonly skillFolders: (env: AgentEnv) => SkillFolders;
}

/** Where the programs load skills from. All of them want a folder with a SKILL.md. */
export async function loadSkillFolders(env: AgentEnv): Promise<Readonly<Record<RuntimeName, SkillFolders>>> {
  const folders = runtimeNames.map(async (name) => {
    const part = (await import(`./${name}/skills.ts`)) as SkillsPart;
    return [name, part.skillFolders(env)] as const;
  });
  return Object.fromEntries(await Promise.all(folders)) as Record<RuntimeName, SkillFolders>;
}

export async function loadSetups(): Promise<Setups> {
  const setups = runtimeNames.map(async (name) => {
    const part = (await import(`./${name}/setup.ts`)) as { readonly setup: AgentSetup };
    return [name, part.setup] as const;
  });
  return Object.fromEntries(await Promise.all(setups)) as Record<RuntimeName, AgentSetup>;
}
