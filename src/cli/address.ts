import { isLane, lanes } from '../core/actor.ts';
import { isAddress, type Address } from '../core/address.ts';
import { isSlip, suggest } from '../core/suggest.ts';
import { refuseSlippedRuntime, runtimes } from './runtimes.ts';
import { UsageError } from './usage.ts';

const kinds: readonly string[] = ['agent', 'lane', 'runtime'];

const forms = 'Allowed: agent:NAME, lane:LANE, runtime:NAME, anyone, or one of these names alone.';

/** Words that mean a person, who is asked in another way. */
const people: ReadonlySet<string> = new Set(['human', 'person', 'me', 'user']);

/** How a person is asked instead of an agent. */
const offered: PersonWords = {
  message: 'Work is offered to agents',
  hint: "For a person's approval: open it with --review human, and submit. For a person's decision: staffetta escalate TASK --why TEXT.",
};

interface PersonWords {
  readonly message: string;
  readonly hint: string;
}

/** `agent:x`, `lane:x`, `runtime:x`, `anyone`; a bare word is a lane, a known runtime, or else an agent. */
export function address(given: string, person: PersonWords = offered): Address {
  if (given.startsWith('runtime:')) refuseSlippedRuntime('runtime:', given.slice('runtime:'.length));
  if (isAddress(given)) return given;
  if (given.includes(':')) throw wrongKind(given, person);
  if (people.has(given.toLowerCase())) throw wantsPerson(given, person);
  const known = [...lanes, ...runtimes, 'anyone'];
  const exact = known.find((word) => word !== given && word === given.toLowerCase());
  const slip = exact ?? known.find((word) => isSlip(given, word));
  if (slip !== undefined) {
    throw new UsageError(
      `${given} is neither a lane nor a runtime. Did you mean ${slip}, or an agent called ${given}?`,
      `Write ${slip}, or agent:${given} if that is its name. ${forms}`,
    );
  }
  const full = isLane(given)
    ? `lane:${given}`
    : runtimes.includes(given)
      ? `runtime:${given}`
      : `agent:${given}`;
  if (isAddress(full)) return full;
  throw new UsageError(`${JSON.stringify(given)} is no address.`, forms);
}

/** `kind:rest`, where the kind or what follows it is wrong. */
function wrongKind(given: string, person: PersonWords): UsageError {
  const [kind = '', rest = ''] = given.split(/:(.*)/s);
  if (kind === 'lane') {
    const near = suggest(rest.toLowerCase(), lanes);
    const meant = near === undefined ? '' : `Did you mean: lane:${near}. `;
    return new UsageError(`There is no lane ${JSON.stringify(rest)}.`, `${meant}One of: ${lanes.join(', ')}`);
  }
  if (people.has(kind.toLowerCase())) return wantsPerson(given, person);
  const nearKind = kinds.includes(kind) ? undefined : suggest(kind.toLowerCase(), kinds);
  const meant = nearKind === undefined ? '' : `Did you mean: ${nearKind}:${rest}. `;
  return new UsageError(`${JSON.stringify(given)} is no address.`, `${meant}${forms}`);
}

function wantsPerson(given: string, { message, hint }: PersonWords): UsageError {
  return new UsageError(
    `${message}, and ${JSON.stringify(given)} is a word for a person.`,
    `${hint} If an agent is called so: agent:NAME`,
  );
}
