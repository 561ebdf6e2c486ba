/** Who speaks, as far as the environment says it: variables of ours, and those that coding agents set for the commands they run. */
import { defined } from '../core/base/defined.ts';
import { limits } from '../core/base/limits.ts';
import { suggest } from '../core/base/suggest.ts';
import { isName } from '../core/base/text.ts';
import { programMeant, programs } from '../core/resume/runtime-names.ts';
import { slippedRuntimeWords } from '../core/task/address-words.ts';
import { isLane, lanes, type Lane } from '../core/task/actor.ts';
import type { Environment, Refuse } from './standing.ts';

export interface SaidOfSpeaker {
  readonly name?: string;
  readonly runtime?: string;
  /** The program inside of which this runs, by its own variables: nobody in there is taken for a person. */
  readonly inside?: string;
  readonly lane?: Lane;
  /** Who started it, nearest first. */
  readonly lineage?: readonly string[];
}

export function saidByEnvironment(env: Environment, refuse: Refuse): SaidOfSpeaker {
  const name = checkName('STAFFETTA_AS', env['STAFFETTA_AS'], refuse);
  const runtime = checkRuntime('STAFFETTA_RUNTIME', env['STAFFETTA_RUNTIME'], refuse);
  const inside = programAround(env);
  const lane = laneIn(env['STAFFETTA_LANE'], refuse);
  const lineage = lineageIn(env['STAFFETTA_LINEAGE'], refuse);
  return {
    ...defined({ name, runtime, inside, lane, lineage }),
  };
}

/** The program that runs this process, by the variables that it sets. */
export function programAround(env: Environment): string | undefined {
  return programs.find(({ marks }) => marks.some((mark) => (env[mark] ?? '') !== ''))?.name;
}

/** `source` is what it was said by: an option or a variable. */
export function checkName(source: string, given: string | undefined, refuse: Refuse): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (isName(given)) return given;
  throw refuse(
    `${source} takes a name, not ${JSON.stringify(given)}.`,
    `A name has 1 to ${limits.nameCharsMax} letters, digits or . _ @ + / - and starts with a letter or digit.`,
  );
}

export function checkRuntime(source: string, given: string | undefined, refuse: Refuse): string | undefined {
  const name = checkName(source, given, refuse);
  const said = source.startsWith('--') ? `${source} ` : `${source}=`;
  const slip = name === undefined ? undefined : slippedRuntimeWords(said, name);
  if (slip !== undefined) throw refuse(slip.message, slip.hint);
  return name === undefined ? undefined : (programMeant(name) ?? name);
}

function laneIn(given: string | undefined, refuse: Refuse): Lane | undefined {
  if (given === undefined || given === '') return undefined;
  if (isLane(given)) return given;
  const near = suggest(given, lanes);
  throw refuse(
    `STAFFETTA_LANE takes one of ${lanes.join(', ')}, not ${JSON.stringify(given)}.`,
    near === undefined ? undefined : `Did you mean: ${near}`,
  );
}

/** Names separated by commas. */
function lineageIn(given: string | undefined, refuse: Refuse): readonly string[] | undefined {
  const names = (given ?? '').split(',').flatMap((name) => name.trim() || []);
  if (names.length > limits.lineageMax)
    throw refuse(`STAFFETTA_LINEAGE takes at most ${limits.lineageMax} names.`);
  for (const name of names) checkName('STAFFETTA_LINEAGE', name, refuse);
  return names.length === 0 ? undefined : names;
}
