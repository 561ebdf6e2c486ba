import { canonical } from '../journal/canonical.ts';
import type { Contract, Phase, Validation } from './contract.ts';

/**
 * Ways in which a contract asks for more, or binds less, than another. Across a hop scope may only shrink: limits may be
 * added, never dropped; work may not be added; and goal, title, what is to be loaded, who reviews, where the work stops and its caps
 * stay, but a person may be asked to review. Empty if the second contract is as narrow as the first.
 */
export function scopeWidenings(before: Contract, after: Contract): string[] {
  return [
    ...(after.goal === before.goal ? [] : ['goal: it says something else']),
    ...titleWidenings(before, after),
    ...dropped('acceptance', before.acceptance, after.acceptance),
    ...moreWork('acceptance', before.acceptance, after.acceptance),
    ...dropped('constraints', before.constraints, after.constraints),
    ...dropped('nonGoals', before.nonGoals, after.nonGoals),
    ...dropped('protectedPaths', before.protectedPaths, after.protectedPaths),
    ...dropped('validation', before.validation?.map(oneLine), after.validation?.map(oneLine)),
    ...(before.phases ?? []).flatMap((phase) => phaseWidenings(phase, after.phases)),
    ...planWidenings(before.phases, after.phases),
    ...dropped('needs', before.needs, after.needs),
    ...dropped('skills', before.skills, after.skills),
    ...added('skills', before.skills, after.skills),
    ...(before.strict === true && after.strict !== true
      ? ['strict: it is judged more softly than it was']
      : []),
    ...reviewWidenings(before, after),
    ...(isSame(before.caps, after.caps) ? [] : ['caps: they say something else']),
    ...pathWidenings(before.paths, after.paths),
    ...(isSame(before.integrate, after.integrate) ? [] : ['integrate: it says something else']),
    ...(isSame(before.budget, after.budget) ? [] : ['budget: it says something else']),
    ...(isSame(edgesOf(before), edgesOf(after)) ? [] : ['edges: they say something else']),
  ];
}

/** A command with how it is run: a shell or a longer time is another command. */
function oneLine({ run, shell, timeoutMs }: Validation): string {
  return `${run.join(' ')}${shell === true ? ' (in a shell)' : ''}${timeoutMs === undefined ? '' : ` (within ${timeoutMs} ms)`}`;
}

/** A phase may get more to fulfil; what it had to fulfil, and how it is undone, stays. */
function phaseWidenings(before: Phase, phases: readonly Phase[] = []): string[] {
  const after = phases.find(({ name }) => name === before.name);
  if (after === undefined) return [`phases: "${before.name}" is gone`];
  const field = `phases: ${before.name}`;
  return [
    ...(after.goal === before.goal ? [] : [`${field}: its goal says something else`]),
    ...dropped(field, before.criteria, after.criteria),
    ...moreWork(field, before.criteria, after.criteria),
    ...dropped(field, before.verify?.map(oneLine), after.verify?.map(oneLine)),
    ...dropped(field, before.rollback?.map(oneLine), after.rollback?.map(oneLine)),
    ...(before.human === true && after.human !== true ? [`${field}: no person approves it any more`] : []),
  ];
}

function dropped(field: string, before: readonly string[] = [], after: readonly string[] = []): string[] {
  const kept = new Set(after);
  return before.filter((line) => !kept.has(line)).map((line) => `${field}: "${line}" is gone`);
}

function added(field: string, before: readonly string[] = [], after: readonly string[] = []): string[] {
  return after.filter((line) => !before.includes(line)).map((line) => `${field}: "${line}" is added`);
}

/** What is to be fulfilled on top of what was agreed. The first criteria add nothing: they say how the goal is judged. */
function moreWork(field: string, before: readonly string[] = [], after: readonly string[] = []): string[] {
  return before.length === 0 ? [] : added(field, before, after);
}

/** A title that is made from the goal follows it. */
function titleWidenings(before: Contract, after: Contract): string[] {
  return after.title === before.title || after.goal !== before.goal ? [] : ['title: it says something else'];
}

function planWidenings(before: readonly Phase[] = [], after: readonly Phase[] = []): string[] {
  const [was, is] = [before, after].map((phases) => phases.map(({ name }) => name));
  const kept = is?.filter((name) => was?.includes(name));
  const there = was?.filter((name) => is?.includes(name));
  const inOrder = kept?.every((name, i) => name === there?.[i]);
  return [...added('phases', was, is), ...(inOrder === true ? [] : ['phases: their order is another'])];
}

/** Who reviews what, and where the work stops, is not the holder's to choose. It may ask for a person besides. */
function reviewWidenings({ review: before }: Contract, { review: after }: Contract): string[] {
  if (isSame(before, after) || isSame({ ...before, human: true }, after)) return [];
  return ['review: it says something else than before, or than that a person is asked too'];
}

/** Without a list anything may be changed, so the first one only narrows. */
function pathWidenings(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): string[] {
  if (before === undefined) return [];
  return after === undefined ? ['paths: anything may be changed'] : added('paths', before, after);
}

function edgesOf({ edges }: Contract): object {
  return { edges: edges ?? null };
}

function isSame(before: object | undefined, after: object | undefined): boolean {
  return canonical(before ?? {}) === canonical(after ?? {});
}
