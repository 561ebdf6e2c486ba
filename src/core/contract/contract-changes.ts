/** What an amended contract says that it did not say before, and what it says no more: part by part, in the words that were agreed. */
import { canonical } from '../journal/canonical.ts';
import type { Contract } from './contract.ts';

export const contractParts = [
  'title',
  'goal',
  'kind',
  'strict',
  'acceptance',
  'constraints',
  'nonGoals',
  'protectedPaths',
  'validation',
  'phases',
  'skills',
  'review',
  'needs',
  'caps',
  'paths',
  'integrate',
  'budget',
  'edges',
] as const satisfies readonly Exclude<keyof Contract, 'v'>[];
export type ContractPart = (typeof contractParts)[number];

export interface ContractChange {
  readonly part: ContractPart;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function contractChanges(before: Contract, after: Contract): ContractChange[] {
  return contractParts
    .map((part) => {
      const was = itemsOf(before[part]);
      const is = itemsOf(after[part]);
      return { part, added: without(is, was), removed: without(was, is) };
    })
    .filter(({ added, removed }) => added.length + removed.length > 0);
}

type Items = readonly unknown[];

function itemsOf(value: unknown): Items {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** Compared as stored: of two phases with one name a part that nobody would print may differ. */
function without(items: Items, others: Items): string[] {
  const known = new Set(others.map((one) => canonical(one)));
  return items.filter((one) => !known.has(canonical(one))).map(wordsOf);
}

function wordsOf(item: unknown): string {
  if (typeof item === 'string') return item;
  const { name, goal, run } = item as { name?: string; goal?: string; run?: readonly string[] };
  if (run !== undefined) return name === undefined ? run.join(' ') : `${name} (${run.join(' ')})`;
  if (name !== undefined) return goal === undefined ? name : `${name}: ${goal}`;
  return canonical(item);
}
