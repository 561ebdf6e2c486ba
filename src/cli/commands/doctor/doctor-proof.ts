/** The contract of a store, proven on scratch stores beside the real one: the same disk and file system, nothing of the user's touched. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isStaffettaError, StaffettaError } from '../../../core/base/error.ts';
import type { CaseOutcome, Report } from '../../../conformance/run.ts';
import type { OpenScratch } from '../../../ports/scratch.ts';
import type { Session } from '../../call/session.ts';
import { counted } from '../../pages/words.ts';
import type { DoctorFinding } from './doctor-finding.ts';
import { diskReason } from '../../../home/look-at.ts';
import type { DoctorPlace } from './doctor-place.ts';

const prefix = '.staffetta-doctor-';

/** Or why whoever asks may make no scratch store: that says nothing of the place. */
export async function proveContract(
  place: DoctorPlace,
  { output }: Session,
  where: string,
): Promise<Report | StaffettaError> {
  const { scratchFor } = await import('../../../compose/scratch.ts');
  const { allStoreCases, runConformance } = await import('../../../conformance/run.ts');
  const scratch = place.home?.file === undefined ? undefined : new ScratchFolder(place.folder);
  const open = scratchFor(place.store, scratch?.path);
  let count = 0;
  try {
    const refusal = await refusedScratch(open);
    if (refusal !== undefined) return refusal;
    return await runConformance(async () => {
      count += 1;
      output.passing(`proving the contract in ${where}: case ${count} of ${allStoreCases.length}`);
      // The cases answer at once, one after the other; without a turn in between nobody would hear a signal.
      await turn();
      return await open();
    });
  } finally {
    output.passing('');
    scratch?.remove();
  }
}

async function refusedScratch(open: OpenScratch): Promise<StaffettaError | undefined> {
  const scratch = await open();
  try {
    await (await scratch.connect()).close();
  } catch (error) {
    if (isStaffettaError(error, 'denied') || isStaffettaError(error, 'store-readonly')) return error;
    throw error;
  }
  await scratch.dispose();
  return undefined;
}

/** Removed when done, and when the process is asked to end before. */
class ScratchFolder {
  readonly path: string;
  readonly #signals = ['SIGTERM', 'SIGHUP'] as const;

  constructor(beside: string) {
    this.path = join(beside, `${prefix}${randomUUID()}`);
    // Before the folder is there: a signal must not come in between. Ctrl-C ends the process in the usual way, which passes by `exit`.
    process.on('exit', this.remove);
    for (const signal of this.#signals) process.on(signal, this.#end);
    try {
      mkdirSync(this.path, { mode: 0o700 });
    } catch (cause) {
      this.remove();
      throw new StaffettaError(
        'store-io',
        `No scratch store can be made in ${beside}: ${diskReason(cause)}.`,
        {
          cause,
          hint: 'Put that right first; nothing can be proven about this place before.',
        },
      );
    }
  }

  readonly remove = (): void => {
    process.off('exit', this.remove);
    for (const signal of this.#signals) process.off(signal, this.#end);
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
  };

  /** The parent of this process shall see that the signal ended it. */
  readonly #end = (signal: NodeJS.Signals): void => {
    this.remove();
    process.kill(process.pid, signal);
  };
}

const groupsMax = 4;
const namedMax = 3;

export function contractFinding(report: Report, where: string): DoctorFinding {
  const check = 'contract';
  const broken = report.filter((outcome) => !outcome.ok && outcome.unproven === undefined);
  const unproven = report.filter((outcome) => outcome.unproven !== undefined).length;
  const kept = report.length - broken.length - unproven;
  const untried = unproven === 0 ? '' : `; ${unproven} could not be tried`;
  const held = `${kept} of ${report.length} cases hold on scratch stores in ${where}${untried}`;
  if (broken.length === 0) return { check, status: 'ok', text: held };
  const groups = [...grouped(broken)].map(([error, ids]) => `${named(ids)}: ${error}`);
  const more = groups.length > groupsMax ? [`and ${counted(groups.length - groupsMax, 'other reason')}`] : [];
  return {
    check,
    status: 'wrong',
    text: `${held}. Broken: ${[...groups.slice(0, groupsMax), ...more].join('; ')}`,
    fix: 'Do not trust this place with work. Put the store on another disk with --store.',
  };
}

/** One cause often breaks every case; it is told once. The folder of a scratch has another name each time. */
function grouped(broken: readonly CaseOutcome[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { id, error = '' } of broken) {
    const cause = error.replaceAll(/\.(?:conformance|staffetta-doctor)-[\w-]+/g, '…');
    groups.set(cause, [...(groups.get(cause) ?? []), id]);
  }
  return groups;
}

function named(ids: readonly string[]): string {
  const distinct = [...new Set(ids)];
  const rest = distinct.length - namedMax;
  const listed = distinct.slice(0, namedMax).join(', ');
  return `${counted(ids.length, 'case')} (${listed}${rest > 0 ? ` and ${rest} more` : ''})`;
}
