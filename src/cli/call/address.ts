import type { Address } from '../../core/task/address.ts';
import { addressMeant, type PersonWords } from '../../core/task/address-words.ts';
import { UsageError } from '../frame/usage.ts';

export function address(given: string, person?: PersonWords): Address {
  const meant = addressMeant(given, person);
  if (meant.address !== null) return meant.address;
  throw new UsageError(meant.message, meant.hint);
}
