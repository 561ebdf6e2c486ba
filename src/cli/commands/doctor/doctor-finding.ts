import { defined } from '../../../core/base/defined.ts';
import { isStaffettaError, type ErrorCode, type StaffettaError } from '../../../core/base/error.ts';
import type { RuntimeName } from '../../../ports/runtime.ts';
import { exitCode, exits } from '../../frame/fail.ts';
import type { Session } from '../../call/session.ts';
import { line, type Paint } from '../../frame/output.ts';

/** One thing that was looked at. What is wrong says what to do; what was not tried says why not. */
export interface DoctorFinding {
  readonly check:
    | 'node'
    | 'git'
    | 'store'
    | 'storage'
    | 'leases'
    | 'server'
    | 'logins'
    | 'role'
    | 'clock'
    | 'bell'
    | 'permissions'
    | 'disk'
    | 'contract'
    | RuntimeName
    | `${RuntimeName}-sessions`
    | `${RuntimeName}-hooks`
    | `${RuntimeName}-mcp`
    | `${RuntimeName}-plugin`
    | 'mcp'
    | 'command'
    | 'hook-log';
  readonly status: 'ok' | 'wrong' | 'untried';
  readonly text: string;
  readonly fix?: string;
  readonly code?: ErrorCode;
}

export function wrongBy(check: DoctorFinding['check'], error: StaffettaError): DoctorFinding {
  const { code, message, hint } = error;
  return { check, status: 'wrong', text: message, code, ...defined({ fix: hint }) };
}

/** What our own words explain becomes a finding about the place; anything else is a bug and goes on. */
export async function tried(
  check: DoctorFinding['check'],
  place: string,
  look: () => Promise<DoctorFinding[]>,
): Promise<DoctorFinding[]> {
  try {
    return await look();
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    const finding = wrongBy(check, error);
    return [finding.text.includes(place) ? finding : { ...finding, text: `${place}: ${finding.text}` }];
  }
}

/** Damage outweighs all else; a store that is not there is told apart from one that does not work. */
export function exitFor(findings: readonly DoctorFinding[]): number {
  const wrong = findings.filter((finding) => finding.status === 'wrong');
  if (wrong.length === 0) return exits.ok;
  const codes = wrong.map(({ code }) => (code === undefined ? exits.failed : exitCode(code)));
  if (codes.includes(exits.integrity)) return exits.integrity;
  return codes.every((code) => code === exits.notFound) ? exits.notFound : exits.failed;
}

const marks = { ok: 'ok  ', wrong: 'FAIL', untried: '–   ' } as const;
const colors = { ok: 'good', wrong: 'bad', untried: 'warn' } as const;

export function findingWords({ check, status, text, fix }: DoctorFinding, paint: Paint): string {
  const mark = paint[colors[status]](marks[status]);
  const todo = fix === undefined ? '' : `\n${' '.repeat(25)}${line(fix)}`;
  return `${mark}  ${check.padEnd(17)}  ${line(text)}${todo}`;
}

/** Why nothing is started or written, where that is so. */
export function leftOut({ dryRun, values }: Pick<Session, 'dryRun' | 'values'>): string | undefined {
  if (values['quick'] === true) return 'left out by --quick';
  return dryRun ? 'a dry run starts and writes nothing' : undefined;
}
