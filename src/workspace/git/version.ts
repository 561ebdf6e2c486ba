/** Which git there is, asked without starting anything that a repository names. */
import { dirname } from 'node:path';
import { isStaffettaError } from '../../core/base/error.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import { quietGit } from './guard.ts';
import { gitMarker } from './marker.ts';
import { findGit } from './program.ts';
import { askGit } from './spawn.ts';

/** Older ones ignore what is switched off for them. */
const gitNeeded = '2.31';

export interface GitHere {
  /** Work in this folder cannot be sealed without git. */
  readonly inRepository: boolean;
  /** Undefined where there is none. */
  readonly program?: string;
  /** Undefined where it does not say. */
  readonly version?: string;
  readonly isFit: boolean;
}

const msMax = 10_000;

export async function gitHere(folder: string, env: NodeJS.ProcessEnv): Promise<GitHere> {
  const marker = gitMarker(folder, env);
  const inRepository = marker !== undefined;
  const program = findGit(env, marker === undefined ? folder : dirname(marker));
  if (program === undefined) return { inRepository, isFit: false };
  const version = await versionOf(program, folder, env);
  if (version === undefined) return { inRepository, program, isFit: false };
  return { inRepository, program, version, isFit: isNewEnough(version) };
}

async function versionOf(
  program: string,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const { stdout } = await askGit(quietGit(program, folder, { env, msMax }), ['--version']);
    const said = /^git version (\d+\.\d+\S*)/.exec(stdout.toString('utf8'))?.[1];
    return said === undefined ? undefined : sanitizeLine(said).slice(0, 40);
  } catch (error) {
    if (isStaffettaError(error)) return undefined;
    throw error;
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorNeeded = 0, minorNeeded = 0] = gitNeeded.split('.').map(Number);
  return major > majorNeeded || (major === majorNeeded && minor >= minorNeeded);
}
