/** Which finding of the gate belongs beside what, and claims as texts. */
import type { TaskPage } from '../../../src/server/contract/contract.ts';

type Sealed = NonNullable<TaskPage['packet']>;
export type GateFinding = Sealed['findings'][number];
type Claims = Sealed['packet']['claims'];
type CommittedFile = NonNullable<
  NonNullable<NonNullable<Sealed['packet']['facts']>['workspace']>['committed']
>['files'][number];

/** A path leads into the contract or the packet: `contract.acceptance[2]` is beside `contract.acceptance`. */
export function findingsAt<T extends Pick<GateFinding, 'path'>>(
  findings: readonly T[],
  place: string,
): readonly T[] {
  return findings.filter(
    ({ path }) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`),
  );
}

const claimNames = [
  ['done', 'Done'],
  ['remaining', 'Not done'],
  ['failed', 'Tried, and failed'],
  ['blockers', 'In the way'],
  ['next', 'Next'],
] as const;

/** Every place that a page of a review shows findings at. */
export const claimPlaces: readonly string[] = [
  ...['goal', 'acceptance', 'nonGoals', 'constraints', 'protectedPaths', 'validation'].map(
    (name) => `contract.${name}`,
  ),
  ...claimNames.map(([name]) => `claims.${name}`),
];

export interface ClaimList {
  readonly name: string;
  readonly title: string;
  readonly claims: readonly {
    readonly text: string;
    /** What it rests on, or the word that it rests on nothing; null where nothing is needed. */
    readonly grounds: string | null;
  }[];
}

export function claimsOf(claims: Claims): readonly ClaimList[] {
  return claimNames.map(([name, title]) => ({ name, title, claims: groundedOf(claims[name]) }));
}

function groundedOf(given: Claims[(typeof claimNames)[number][0]]): ClaimList['claims'] {
  if (given === undefined) return [];
  if (typeof given === 'string') return [{ text: given, grounds: null }];
  return given.map((one) => {
    if (typeof one === 'string') return { text: one, grounds: 'unverified' };
    if ('what' in one) return { text: `${one.what}: ${one.why}`, grounds: null };
    return { text: one.text, grounds: one.evidence.length === 0 ? 'unverified' : one.evidence.join(', ') };
  });
}

export function fileChangeWords({ status, path, from }: CommittedFile): string {
  return `${status}: ${path}${from === undefined ? '' : ` (from ${from})`}`;
}
