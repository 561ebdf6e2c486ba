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
import { scenarioNamed } from '../crash/scenarios.ts';
import {
  aftermathFaults,
  copyTemplate,
  journalsOf,
  makeTemplate,
  openStage,
  play,
  sayNow,
} from '../crash/stage.ts';
import { sample } from '../support/sample.ts';
import { arm, disarm, faultKinds, fileKind, resetCounts, trace, type FaultKind } from './shim.ts';

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
  /** Every single call fails in each of these ways. */
  readonly each: readonly string[];
  /** A few calls, spread over all, fail in these ways too. A plus: this call and all that follow. */
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
/** A call to fail: the nth of its kind, to which file, and how. */
interface Fault {
  readonly nth: number;
  readonly file: string;
  readonly how: string;
}

const [name = '', folder = ''] = process.argv.slice(2);
const scenario = scenarioNamed(name);
const template = join(folder, 'template');
await makeTemplate(scenario, template);
sayNow(JSON.stringify(await tryAll()));

async function tryAll(): Promise<FaultReport> {
  const { files, journals } = await rehearse();
  const outcomes: Record<string, number> = {};
  const wrong: string[] = [];
  const calls = eachKind((kind) => files[kind].length);
  const tried = eachKind(() => 0);
  let injected = 0;
  for (const kind of faultKinds) {
    const failed = new Set<number>();
    for (const { nth, how, file } of faultsOf(kind, files[kind])) {
      const label = `${kind} ${nth} of ${calls[kind]} (${file}) ${how}`;
      sayNow(`try ${label}`);
      const { outcome, faults } = await tryOne(kind, nth, how, journals);
      injected += 1;
      failed.add(nth);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      wrong.push(...faults.map((fault) => `${label}: ${outcome}: ${fault}`));
    }
    tried[kind] = failed.size;
  }
  return { scenario: name, calls, injected, outcomes, wrong, tried, callsMax };
}

function eachKind<T>(about: (kind: FaultKind) => T): Record<FaultKind, T> {
  return Object.fromEntries(faultKinds.map((kind) => [kind, about(kind)])) as Record<FaultKind, T>;
}

/** The calls of one kind, each by the file that it goes to. */
function faultsOf(kind: FaultKind, files: readonly string[]): Fault[] {
  const { each, some = [] } = manners[kind];
  const faults = (how: string, most: number): Fault[] =>
    spread(files.length, most).map((nth) => ({ nth, how, file: files[nth - 1] ?? '' }));
  const all = [
    ...each.flatMap((how) => faults(how, files.length > callsMax ? callsOfMany : files.length)),
    ...some.flatMap((how) => faults(how, someCalls)),
  ];
  // The ways in which a call fails alternate, so that a sample has some of each.
  const byCall = all.toSorted((a, b) => a.nth - b.nth);
  return sample(`a disk that fails: ${name}: ${kind}`, byCall, { oneIn: 15, kindOf: ({ file }) => file });
}

/** At most so many of the calls from the first to the last, both included. */
function spread(count: number, most: number): number[] {
  const stride = Math.max(1, Math.ceil(count / most));
  const spaced = Array.from({ length: Math.ceil(count / stride) }, (_, i) => 1 + i * stride);
  return count === 0 || spaced.at(-1) === count ? spaced : [...spaced, count];
}

async function rehearse(): Promise<{ files: Record<FaultKind, string[]>; journals: string[] }> {
  const at = join(folder, 'rehearsal');
  copyTemplate(template, at);
  resetCounts();
  await play(scenario, at);
  const calls = trace();
  const files = eachKind((kind) => calls.filter((call) => call.kind === kind).map(fileKind));
  const staffetta = await openStage(scenario, at);
  try {
    return { files, journals: await journalsOf(staffetta) };
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
