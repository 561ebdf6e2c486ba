import { isLane, lanes } from '../core/actor.ts';
import { isAddress, type Address } from '../core/address.ts';
import { StaffettaError } from '../core/error.ts';
import { isSlip } from '../core/suggest.ts';
import { runtimeNames } from '../ports/runtime.ts';

const people: ReadonlySet<string> = new Set(['human', 'person', 'me', 'user']);
const runtimes: readonly string[] = runtimeNames;

/** `human`, `human:ada`, `user`: no agent. */
export function isPerson(given: string): boolean {
  return people.has(given.split(':')[0]?.toLowerCase() ?? '');
}

/** `agent:x`, `lane:x`, `runtime:x`, `anyone`; a bare word is a lane, a known runtime, or else an agent. */
export function addressFrom(field: string, given: string): Address {
  const [kind = '', name = ''] = given.split(/:(.*)/s);
  const slipped = kind === 'runtime' ? runtimes.find((known) => isSlip(name, known)) : undefined;
  if (isAddress(given) && slipped === undefined) return given;
  if (isPerson(given))
    throw new StaffettaError(
      'invalid-input',
      `${field}: work is offered to agents, and ${JSON.stringify(given)} is a person.`,
      {
        hint: "For a person's approval use submit; for a person's answer use decide with ask: true.",
      },
    );
  const near = slipped ?? [...lanes, ...runtimes, 'anyone'].find((word) => isSlip(given, word));
  const whole = isLane(given)
    ? `lane:${given}`
    : runtimes.includes(given)
      ? `runtime:${given}`
      : `agent:${given}`;
  if (near === undefined && !given.includes(':') && isAddress(whole)) return whole;
  throw new StaffettaError(
    'invalid-input',
    `${field}: ${JSON.stringify(given.slice(0, 200))} is no address.`,
    {
      hint: `${near === undefined ? '' : `Did you mean ${near}? `}Allowed: anyone, lane:LANE (${lanes.join(', ')}), runtime:NAME (${runtimes.join(', ')}), agent:NAME.`,
    },
  );
}
