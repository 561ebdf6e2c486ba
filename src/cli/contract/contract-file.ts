/** A contract from a file: YAML or JSON with the fields of a contract, or Markdown with a heading for each. */
import { defined } from '../../core/base/defined.ts';
import { extname } from 'node:path';
import { readContractMarkdown, type ContractText } from '../../core/files/contract-markdown.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { PolicyKind } from '../../core/contract/policy-kinds.ts';
import type { ContractInput } from '../../handoff/verbs/open.ts';
import { commandIn } from './contract-commands.ts';
import { calledAsFields, refuseUnknownKeys } from './contract-keys.ts';
import { reviewFrom, withPolicy } from './contract-values.ts';
import { fieldsIn } from './fields-file.ts';
import { readText } from '../frame/input.ts';

export interface ContractFile {
  readonly contract: Partial<Omit<ContractInput, 'needs'>>;
  /** As written: ids, or beginnings of ids. */
  readonly needs: readonly string[];
}

export async function readContractFile(file: string): Promise<ContractFile> {
  const source = await readText(file);
  const kind = file === '-' ? (/^\s*[{[]/.test(source) ? '.json' : '.md') : extname(file).toLowerCase();
  if (kind === '.md' || kind === '.markdown') return fromMarkdown(file, readContractMarkdown(source));
  const fields = await fieldsIn(file, kind, source);
  if (fields !== undefined) return fromFields(file, fields.value);
  throw new StaffettaError(
    'invalid-input',
    `${file} is no contract: its name ends in ${kind === '' ? 'nothing' : kind}.`,
    {
      hint: 'Use .yaml, .json or .md.',
    },
  );
}

function fromMarkdown(file: string, text: ContractText): ContractFile {
  const { validation, phases, review, stop, policy, caps, needs, strict, ...rest } = text;
  return {
    contract: defined({
      ...rest,
      strict: strict === undefined ? undefined : isYes(file, strict),
      validation: validation?.map(commandIn),
      phases: phases?.map(phaseIn),
      review: withPolicy(reviewFrom(review, stop), policyIn(policy)),
      caps: caps && Object.fromEntries(Object.entries(caps).map(([name, n]) => [name, whole(file, name, n)])),
    }) as ContractFile['contract'],
    needs: needs ?? [],
  };

  function policyIn(given: ContractText['policy']): NonNullable<ContractInput['review']>['policy'] {
    if (given === undefined) return undefined;
    const { paths, kinds, diffLinesMax } = given;
    return defined({
      paths: paths?.split(/,\s*/),
      kinds: kinds?.split(/,\s*/) as PolicyKind[] | undefined,
      diffLinesMax: diffLinesMax === undefined ? undefined : whole(file, 'diff lines', diffLinesMax),
    });
  }
}

/** Nothing loosens a contract by saying no. */
function isYes(file: string, given: string): true {
  if (given.toLowerCase() === 'yes') return true;
  throw new StaffettaError('invalid-input', `${file}: strict takes "yes", or is left out.`);
}

function whole(file: string, name: string, given: string): number {
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new StaffettaError(
    'invalid-input',
    `${file}: ${name} takes a whole number, not ${JSON.stringify(given)}.`,
  );
}

/** The fields as a contract has them; the contract's own schema checks them. A command may also be one text. */
function fromFields(file: string, value: unknown): ContractFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StaffettaError(
      'invalid-input',
      `${file} holds no contract: it should have fields such as goal and acceptance.`,
    );
  }
  // `$schema` is for editors.
  const { $schema: _schema, ...written } = value as Record<string, unknown>;
  const fields = calledAsFields(written);
  refuseUnknownKeys(file, fields);
  const { needs, validation, phases, review, nonGoals, v, ...rest } = fields;
  if (v !== undefined && v !== 1)
    throw new StaffettaError(
      'invalid-input',
      `${file} is of version ${JSON.stringify(v)}; this one reads version 1.`,
    );
  if (needs !== undefined && !Array.isArray(needs))
    throw new StaffettaError('invalid-input', `${file}: needs takes a list of tasks.`);
  const contract = defined({
    ...rest,
    nonGoals: spelledOut('nonGoals', nonGoals),
    validation: spelledOut('validation', validation),
    phases: spelledOut('phases', phases),
    review: spelledOut('review', review),
  }) as ContractFile['contract'];
  return { contract, needs: (needs ?? []).map(String) };
}

/** What may be written shorter than a contract has it. */
export function spelledOut(field: string, value: unknown): unknown {
  switch (field) {
    case 'nonGoals':
      // "none" is an answer, and one word.
      return typeof value === 'string' ? [value] : value;
    case 'validation':
      return each(value, commandIn);
    case 'phases':
      return each(value, phaseIn);
    case 'review':
      return typeof value === 'string' ? reviewFrom(value, undefined) : value;
    default:
      return value;
  }
}

function each(value: unknown, read: (one: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(read) : value;
}

/** A phase may be only its name. */
function phaseIn(entry: unknown): unknown {
  if (typeof entry === 'string') return { name: entry };
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
  const { verify, rollback, ...rest } = entry as Record<string, unknown>;
  return defined({ ...rest, verify: each(verify, commandIn), rollback: each(rollback, commandIn) });
}
