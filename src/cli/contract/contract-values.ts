import { defined } from '../../core/base/defined.ts';
import type { Address } from '../../core/task/address.ts';
import type { Validation } from '../../core/contract/contract.ts';
import type { ContractGiven } from '../../desk/agree-first.ts';
import { runFrom } from '../../core/tree/work-folder.ts';
import type { PolicyKind } from '../../core/contract/policy-kinds.ts';
import type { ContractInput } from '../../handoff/verbs/open.ts';
import { address } from '../call/address.ts';
import { commandFrom, folderHere } from './contract-commands.ts';
import { parsePositiveDuration } from '../frame/duration.ts';
import type { Values } from '../frame/spec.ts';
import { isSlip } from '../../core/base/suggest.ts';
import { UsageError } from '../frame/usage.ts';
import { cap, count, refuseStray, text, texts } from '../frame/values.ts';

const capMax = 1_000_000;

/** Only what was said. Phases and needs are made elsewhere: they take what is there. */
export function contractFrom(values: Values): ContractGiven {
  const caps = {
    attempts: cap(values, 'attempts', capMax),
    rework: cap(values, 'rework', capMax),
    hops: cap(values, 'hops', capMax),
  };
  return defined({
    title: text(values, 'title'),
    kind: text(values, 'kind'),
    strict: values['strict'] === true ? true : undefined,
    acceptance: texts(values, 'accept'),
    constraints: texts(values, 'constraint'),
    nonGoals: texts(values, 'non-goal'),
    protectedPaths: texts(values, 'protect'),
    validation: validationFrom(values),
    skills: texts(values, 'skill'),
    review: withPolicy(reviewFrom(text(values, 'review'), text(values, 'stop')), policyFrom(values)),
    caps: Object.values(caps).every((value) => value === undefined) ? undefined : defined(caps),
  }) as ContractGiven;
}

function validationFrom(values: Values): Validation[] | undefined {
  const programs = texts(values, 'validate');
  const lines = texts(values, 'validate-shell');
  if (programs === undefined && lines === undefined) {
    refuseStray(values, ['time-limit'], '--validate or --validate-shell');
    return undefined;
  }
  const limit = text(values, 'time-limit');
  const timeoutMs = limit === undefined ? undefined : parsePositiveDuration(limit, 'time-limit');
  const here = folderHere();
  return [
    ...(programs ?? []).map((words) => commandFrom(words, { timeoutMs })),
    ...(lines ?? []).map((line) => commandFrom(line, { shell: true, timeoutMs })),
  ].map((command) => runFrom(here, command));
}

type ReviewInput = NonNullable<ContractInput['review']>;

function policyFrom(values: Values): ReviewInput['policy'] {
  const policy = defined({
    paths: texts(values, 'policy-path') as string[] | undefined,
    diffLinesMax: count(values, 'policy-lines'),
    kinds: texts(values, 'policy-kind') as PolicyKind[] | undefined,
  });
  return Object.keys(policy).length === 0 ? undefined : policy;
}

/** Who approves, and where to stop, in the words of the command line. */
export function reviewFrom(who: string | undefined, stop: string | undefined): ContractInput['review'] {
  if (who === undefined && stop === undefined) return undefined;
  const owner: { owner?: Address; human?: boolean } =
    who === undefined ? {} : who === 'human' ? { human: true } : { owner: reviewer(who) };
  return { ...owner, ...(stop === undefined ? {} : { stop: stop as 'patch' | 'artefact' | 'verified' }) };
}

export function withPolicy(
  review: ContractInput['review'],
  policy: ReviewInput['policy'],
): ContractInput['review'] {
  return policy === undefined ? review : { ...review, policy };
}

function reviewer(who: string): Address {
  const words = { message: 'A person who approves is called "human"', hint: 'Write: --review human.' };
  if (isSlip(who, 'human'))
    throw new UsageError(`Who is ${who}? Did you mean human?`, `Write human, or agent:${who}.`);
  return address(who, words);
}
