import { limits } from '../../core/base/limits.ts';
import type { Values } from './spec.ts';
import { UsageError } from './usage.ts';

export function text(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function texts(values: Values, name: string): readonly string[] | undefined {
  const value = values[name];
  return Array.isArray(value) ? (value as readonly string[]) : undefined;
}

export function count(values: Values, name: string): number | undefined {
  const given = text(values, name);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(value))
    throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(given)}.`);
  return value;
}

/** A number from one to what the system allows. */
export function cap(values: Values, name: string, max: number): number | undefined {
  const value = count(values, name);
  if (value !== undefined && (value < 1 || value > max))
    throw new UsageError(`--${name} takes a whole number from 1 to ${max}, not ${value}.`);
  return value;
}

/** Tokens of a briefing; fewer would hold nothing. */
export function briefingBudget(values: Values): number | undefined {
  const budget = count(values, 'budget');
  if (budget !== undefined && (budget < limits.briefingTokensMin || budget > limits.briefingTokensMax))
    throw new UsageError(
      `--budget takes ${limits.briefingTokensMin} to ${limits.briefingTokensMax} tokens, not ${budget}.`,
    );
  return budget;
}

/** Options that mean nothing without another one: ignoring them would leave a caller believing they did something. */
export function refuseStray(values: Values, names: readonly string[], needed: string): void {
  const stray = names.filter((name) => values[name] !== undefined);
  if (stray.length === 0) return;
  const listed = stray.map((name) => `--${name}`).join(' and ');
  throw new UsageError(
    `${listed} ${stray.length === 1 ? 'means' : 'mean'} nothing here: ${stray.length === 1 ? 'it goes' : 'they go'} with ${needed}.`,
  );
}

export function refuseBoth(values: Values, one: string, other: string): void {
  if (given(values, one) && given(values, other))
    throw new UsageError(`--${one} and --${other} exclude each other.`, 'Give only one of them.');
}

function given(values: Values, name: string): boolean {
  return values[name] !== undefined && values[name] !== false;
}
