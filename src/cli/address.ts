import { isLane, lanes } from '../core/actor.ts';
import { isAddress, type Address } from '../core/address.ts';
import { isSlip, suggest } from './suggest.ts';
import { UsageError } from './usage.ts';

/** Runtimes that a bare word in --to may mean. */
const runtimes: readonly string[] = ['claude-code', 'codex', 'gemini-cli', 'opencode'];

const forms = 'Use agent:NAME, lane:LANE, runtime:NAME or anyone.';

/** `agent:x`, `lane:x`, `runtime:x`, `anyone`; a bare word is a lane, a known runtime, or else an agent. */
export function address(given: string): Address {
  if (isAddress(given)) return given;
  const [kind = '', rest = ''] = given.split(/:(.*)/s);
  if (kind === 'lane') {
    const near = suggest(rest, lanes);
    throw new UsageError(
      `There is no lane ${JSON.stringify(rest)}.`,
      near === undefined ? `One of: ${lanes.join(', ')}` : `Did you mean: lane:${near}`,
    );
  }
  if (given.includes(':')) throw new UsageError(`${JSON.stringify(given)} is no address.`, forms);
  const slip = [...lanes, ...runtimes, 'anyone'].find((known) => isSlip(given, known));
  if (slip !== undefined) {
    throw new UsageError(
      `Did you mean ${slip}, or an agent called ${given}?`,
      `Write agent:${given} if that is its name.`,
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
