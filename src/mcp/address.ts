import type { Address } from '../core/task/address.ts';
import { addressMeant } from '../core/task/address-words.ts';
import { StaffettaError } from '../core/base/error.ts';

export function addressFrom(field: string, given: string): Address {
  const meant = addressMeant(given, {
    message: 'work is offered to agents',
    hint: "For a person's approval use seal with as: submit; for a person's answer use decide with ask: true.",
  });
  if (meant.address !== null) return meant.address;
  throw new StaffettaError('invalid-input', `${field}: ${meant.message}`, { hint: meant.hint });
}
