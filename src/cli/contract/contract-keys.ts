/** A field of a contract file that nobody reads would be lost without a word: it is refused, with the one that may be meant. */
import { Contract, Phase, Validation } from '../../core/contract/contract.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { reviewShape } from '../../core/contract/terms.ts';
import { nearField } from '../../core/base/suggest.ts';

const policyFields = ['paths', 'diffLinesMax', 'kinds'];
const capFields = ['hops', 'rework', 'attempts'];
/** `timeout` is a time in words, for `timeoutMs`. */
const commandFields = [...Object.keys(Validation.shape), 'timeout'];

/** Fields as the options are called that say the same. */
const optionNames: Readonly<Record<string, string>> = {
  accept: 'acceptance',
  constraint: 'constraints',
  'non-goal': 'nonGoals',
  'non-goals': 'nonGoals',
  validate: 'validation',
  need: 'needs',
  phase: 'phases',
};

/** One that stands under both names is left as it is, and refused. */
export function calledAsFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const field = Object.hasOwn(optionNames, name) ? optionNames[name] : undefined;
      return field === undefined || Object.hasOwn(fields, field) ? [name, value] : [field, value];
    }),
  );
}

/** Only names are looked at; values are checked by the contract's own schema. */
export function refuseUnknownKeys(file: string, fields: Readonly<Record<string, unknown>>): void {
  const refuse = (value: unknown, known: readonly string[], place: string): void => {
    for (const key of Object.keys(fieldsOf(value))) {
      if (!known.includes(key)) throw unknownKey(file, `${place}${key}`, nearField(key, known), known);
    }
  };
  const commands = (value: unknown, place: string): void =>
    listOf(value).forEach((one, i) => refuse(one, commandFields, `${place}[${i}].`));
  refuse(fields, Object.keys(Contract.shape), '');
  const review = fieldsOf(fields['review']);
  refuse(review, Object.keys(reviewShape().shape), 'review.');
  refuse(review['policy'], policyFields, 'review.policy.');
  refuse(fields['caps'], capFields, 'caps.');
  commands(fields['validation'], 'validation');
  listOf(fields['phases']).forEach((phase, i) => {
    refuse(phase, Object.keys(Phase.shape), `phases[${i}].`);
    commands(fieldsOf(phase)['verify'], `phases[${i}].verify`);
    commands(fieldsOf(phase)['rollback'], `phases[${i}].rollback`);
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function unknownKey(
  file: string,
  key: string,
  near: string | undefined,
  known: readonly string[],
): StaffettaError {
  return new StaffettaError(
    'invalid-input',
    `${file === '-' ? 'stdin' : file}: a contract has no field ${key}.`,
    {
      details: { field: key },
      hint: near === undefined ? `One of: ${known.join(', ')}` : `Did you mean: ${near}`,
    },
  );
}
