/**
 * Plays one scenario again and again, each time with one call to the disk failing, and judges what comes of it. Runs with the shim loaded.
 *
 *   node fault-child.ts <scenario> <folder>
 *
 * Prints "try …" before each case, so that a death is attributed, and at the end one line of JSON.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isStaffettaError, type ErrorCode } from '../../src/core/base/error.ts';
import { scenarioNamed, scenarios } from '../crash/scenarios.ts';
import {
  aftermathFaults,
  copyTemplate,
  journalsOf,
  makeTemplate,
  openStage,
  play,
  sayNow,
} from '../crash/stage.ts';
import { arm, counts, disarm, faultKinds, resetCounts, type FaultKind } from './shim.ts';

export interface FaultReport {
  readonly scenario: string;
  readonly calls: Readonly<Record<FaultKind, number>>;
  readonly injected: number;
  /** How each ended: `ok`, or the code of the error. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
  /** How many of the calls failed once, of each kind; fewer than there were only where there were too many alike. */
  readonly tried: Readonly<Record<FaultKind, number>>;
  /** So many are tried one by one. */
  readonly callsMax: number;
}

/** What a failing disk may be called. Anything else is either a bug or a lie. */
const sensible: ReadonlySet<ErrorCode> = new Set([
  'store-io',
  'store-full',
  'store-readonly',
  'outcome-unknown',
]);

interface Manners {
  /** Every single call fails once, in one of these ways by turns; in all of them if STAFFETTA_FAULTS is `all`. */
  readonly each: readonly [string, ...string[]];
  /** So do a few calls, spread over all. A plus: this call and all that follow. */
  readonly some?: readonly string[];
}

const manners: Readonly<Record<FaultKind, Manners>> = {
  write: { each: ['EIO', 'ENOSPC'], some: ['short', 'EIO+', 'ENOSPC+'] },
  sync: { each: ['EIO'], some: ['EIO+'] },
  truncate: { each: ['EIO'] },
  rename: { each: ['EIO'] },
  unlink: { each: ['EIO'] },
  create: { each: ['EIO', 'ENOSPC'], some: ['EROFS+'] },
};

const someCalls = 6;
/** A large transcript makes a thousand calls that are all alike: of so many, this many are tried. */
const callsMax = 200;
const callsOfMany = 20;

const [name = '', folder = ''] = process.argv.slice(2);
const scenario = scenarioNamed(name);
const template = join(folder, 'template');
await makeTemplate(scenario, template);
sayNow(JSON.stringify(await tryAll()));

async function tryAll(): Promise<FaultReport> {
  const undisturbed = await rehearse();
  const calls = undisturbed.calls;
  const outcomes: Record<string, number> = {};
  const tried = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  const wrong: string[] = [];
  let injected = 0;
  for (const kind of faultKinds) {
    const failed = new Set<number>();
    for (const [nth, how] of casesOf(kind, calls[kind])) {
      const label = `${kind} ${nth} of ${calls[kind]} ${how}`;
      sayNow(`try ${label}`);
      const { outcome, faults } = await tryOne(kind, nth, how, undisturbed.journals);
      injected += 1;
      failed.add(nth);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      wrong.push(...faults.map((fault) => `${label}: ${outcome}: ${fault}`));
    }
    tried[kind] = failed.size;
  }
  return { scenario: name, calls, injected, outcomes, wrong, tried, callsMax };
}

function* casesOf(kind: FaultKind, count: number): Generator<[number, string]> {
  const { each, some = [] } = manners[kind];
  const turn = scenarios.indexOf(scenario);
  for (const nth of spread(count, count > callsMax ? callsOfMany : count)) {
    if (process.env['STAFFETTA_FAULTS'] === 'all') for (const how of each) yield [nth, how];
    else yield [nth, each[(nth + turn) % each.length] ?? each[0]];
  }
  for (const how of some) for (const nth of spread(count, someCalls)) yield [nth, how];
}

/** At most so many of the calls from the first to the last, both included. */
function* spread(count: number, most: number): Generator<number> {
  const stride = Math.max(1, Math.ceil(count / most));
  for (let nth = 1; nth < count; nth += stride) yield nth;
  if (count > 0) yield count;
}

async function rehearse(): Promise<{ calls: Record<FaultKind, number>; journals: string[] }> {
  const at = join(folder, 'rehearsal');
  copyTemplate(template, at);
  resetCounts();
  await play(scenario, at);
  const calls = counts();
  const staffetta = await openStage(scenario, at);
  try {
    return { calls, journals: await journalsOf(staffetta) };
  } finally {
    await staffetta.close();
  }
}

async function tryOne(
  kind: FaultKind,
  nth: number,
  how: string,
  undisturbed: readonly string[],
): Promise<{ outcome: string; faults: string[] }> {
  const at = join(folder, 'case');
  copyTemplate(template, at);
  const faults: string[] = [];
  let outcome = 'ok';
  arm(kind, nth, how);
  try {
    await play(scenario, at);
  } catch (error) {
    outcome = isStaffettaError(error) ? error.code : `raw: ${String(error)}`;
    if (!isStaffettaError(error) || !sensible.has(error.code)) faults.push(describe(error));
  } finally {
    disarm();
  }
  try {
    const returned = outcome === 'ok';
    faults.push(...(await aftermathFaults(scenario, at, { told: [], returned, undisturbed })));
  } catch (error) {
    faults.push(`afterwards, with a sound disk: ${describe(error)}`);
  }
  rmSync(at, { recursive: true, force: true });
  return { outcome, faults };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).slice(0, 900) : String(error);
}
