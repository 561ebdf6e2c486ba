import type { Contract } from './contract.ts';

/**
 * Ways in which a contract asks for more, or binds less, than another. Across a hop scope may only shrink: limits may be
 * added, never dropped, and the goal stays. Empty if the second contract is as narrow as the first.
 */
export function scopeWidenings(before: Contract, after: Contract): string[] {
  return [
    ...(after.goal === before.goal ? [] : ['goal: it says something else']),
    ...dropped('acceptance', before.acceptance, after.acceptance),
    ...dropped('constraints', before.constraints, after.constraints),
    ...dropped('nonGoals', before.nonGoals, after.nonGoals),
    ...dropped('protectedPaths', before.protectedPaths, after.protectedPaths),
    ...dropped('validation', before.validation?.map(oneLine), after.validation?.map(oneLine)),
    ...dropped(
      'phases',
      before.phases?.map(({ name }) => name),
      after.phases?.map(({ name }) => name),
    ),
    ...reviewWidenings(before, after),
    ...policyWidenings(before, after),
    ...capWidenings(before, after),
  ];
}

function oneLine(validation: NonNullable<Contract['validation']>[number]): string {
  return validation.run.join(' ');
}

function dropped(field: string, before: readonly string[] = [], after: readonly string[] = []): string[] {
  return before.filter((line) => !after.includes(line)).map((line) => `${field}: "${line}" is gone`);
}

function reviewWidenings(before: Contract, after: Contract): string[] {
  const widenings: string[] = [];
  if (before.review?.human === true && after.review?.human !== true)
    widenings.push('review: a person is no longer asked');
  if (before.review?.owner !== undefined && before.review.owner !== after.review?.owner) {
    widenings.push(`review: ${before.review.owner} is no longer the reviewer`);
  }
  return widenings;
}

function policyWidenings(before: Contract, after: Contract): string[] {
  const [was, is] = [before.review?.policy, after.review?.policy];
  const limit = was?.diffLinesMax;
  return [
    ...dropped('review', was?.paths, is?.paths),
    ...dropped('review', was?.kinds, is?.kinds),
    ...(limit !== undefined && (is?.diffLinesMax ?? Number.POSITIVE_INFINITY) > limit
      ? ['review: more lines may be approved without a person']
      : []),
  ];
}

function capWidenings(before: Contract, after: Contract): string[] {
  const caps = ['hops', 'rework', 'attempts'] as const;
  return caps
    .filter((cap) => {
      const limit = before.caps?.[cap];
      return limit !== undefined && (after.caps?.[cap] ?? Number.POSITIVE_INFINITY) > limit;
    })
    .map((cap) => `caps: ${cap} is raised`);
}
