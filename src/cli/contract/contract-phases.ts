/** Phases in the words of the command line: `--phase NAME`, and `NAME: …` for what belongs to one. */
import type { Phase } from '../../core/contract/contract.ts';
import { commandFrom, folderHere } from './contract-commands.ts';
import type { Values } from '../frame/spec.ts';
import { runFrom } from '../../core/tree/work-folder.ts';
import { suggest } from '../../core/base/suggest.ts';
import { UsageError } from '../frame/usage.ts';
import { texts } from '../frame/values.ts';

type Part = 'criteria' | 'verify' | 'rollback';

const partOptions: Readonly<Record<string, Part>> = {
  'phase-accept': 'criteria',
  'phase-verify': 'verify',
  'phase-rollback': 'rollback',
};

export function namesPhases(values: Values): boolean {
  return ['phase', ...Object.keys(partOptions)].some((option) => values[option] !== undefined);
}

/** What was said of phases, in words that do not depend on those that are there. */
export function phaseWords(values: Values): unknown {
  return ['phase', ...Object.keys(partOptions)].map((option) => texts(values, option) ?? []);
}

/** The phases there are, with those that were given: a new name goes to the end, and lists grow by what is new. */
export function grownPhases(there: readonly Phase[], values: Values): Phase[] {
  let phases = [...there];
  for (const given of texts(values, 'phase') ?? []) {
    const { name, rest: goal } = named(given, there);
    const known = phases.find((phase) => phase.name === name);
    const said = goal === '' ? {} : { goal };
    phases =
      known === undefined
        ? [...phases, { name, ...said }]
        : phases.map((phase) => (phase === known ? { ...phase, ...said } : phase));
  }
  for (const [option, part] of Object.entries(partOptions)) {
    for (const given of texts(values, option) ?? []) {
      const { name, rest } = named(given, phases);
      if (rest === '')
        throw new UsageError(`--${option} takes "NAME: …", not ${JSON.stringify(given)}.`, namesHint(phases));
      if (!phases.some((phase) => phase.name === name)) throw unknownPhase(option, name, phases);
      phases = phases.map((phase) => (phase.name === name ? grown(phase, part, rest) : phase));
    }
  }
  return phases;
}

/** `NAME: the rest`. A name that is there already may hold a colon itself. */
function named(given: string, phases: readonly Phase[]): { readonly name: string; readonly rest: string } {
  const known = phases
    .map(({ name }) => name)
    .filter((name) => given === name || given.startsWith(`${name}: `))
    .toSorted((a, b) => b.length - a.length)[0];
  const end = known?.length ?? given.indexOf(': ');
  if (end === -1) return { name: given.trim(), rest: '' };
  return { name: given.slice(0, end).trim(), rest: given.slice(end + 2).trim() };
}

function grown(phase: Phase, part: Part, text: string): Phase {
  if (part === 'criteria') {
    const criteria = phase.criteria ?? [];
    return criteria.includes(text) ? phase : { ...phase, criteria: [...criteria, text] };
  }
  const command = runFrom(folderHere(), commandFrom(text));
  const commands = phase[part] ?? [];
  const isThere = commands.some((one) => JSON.stringify(one) === JSON.stringify(command));
  return isThere ? phase : { ...phase, [part]: [...commands, command] };
}

function unknownPhase(option: string, name: string, phases: readonly Phase[]): UsageError {
  const near = suggest(
    name,
    phases.map((phase) => phase.name),
  );
  return new UsageError(
    `--${option} speaks of a phase ${JSON.stringify(name)} that the contract does not have.`,
    near === undefined ? namesHint(phases) : `Did you mean: ${near}`,
  );
}

function namesHint(phases: readonly Phase[]): string {
  return phases.length === 0
    ? 'Name the phase first: --phase NAME.'
    : `Its phases: ${phases.map(({ name }) => name).join(', ')}.`;
}
