import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isStaffettaError } from '../../core/error.ts';
import type { Report } from '../../conformance/run.ts';
import { formatBytes } from '../bytes.ts';
import { exits } from '../fail.ts';
import { line } from '../output.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { counted } from '../words.ts';

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly text: string;
  readonly fix?: string;
}

/** Every link, checked; each finding names its fix. */
export async function run(_: Invocation, session: Session): Promise<number> {
  const findings: Finding[] = [nodeCheck(), ...(await storeChecks(session)), ...(await proof(session))];
  session.output.data({ findings }, () => findings.map((finding) => words(finding, session)).join('\n'));
  return findings.every((finding) => finding.ok) ? exits.ok : exits.failed;
}

function words(finding: Finding, session: Session): string {
  const { paint } = session.output;
  const mark = finding.ok ? paint.good('ok  ') : paint.bad('FAIL');
  return `${mark}  ${finding.check.padEnd(12)}  ${line(finding.text)}${finding.fix === undefined ? '' : `\n      ${finding.fix}`}`;
}

function nodeCheck(): Finding {
  const { node, sqlite } = process.versions;
  return { check: 'node', ok: true, text: `Node ${node}, SQLite ${sqlite ?? 'none'}` };
}

async function storeChecks(session: Session): Promise<Finding[]> {
  const path = session.storePath;
  if (!session.storeExists) {
    return [
      {
        check: 'store',
        ok: true,
        text: `none yet; the first task creates it at ${path} (${session.located.because})`,
      },
    ];
  }
  try {
    const { store } = await session.context();
    const facts = await store.upkeep.facts();
    const faults = await store.upkeep.check();
    return [
      {
        check: 'store',
        ok: true,
        text: `${path} (${session.located.because}): ${counted(Number(facts['tasks'] ?? 0), 'task')}, ${counted(Number(facts['entries'] ?? 0), 'entry', 'entries')}, ${formatBytes(Number(facts['bytes'] ?? 0))}`,
      },
      faults.length === 0
        ? { check: 'storage', ok: true, text: 'pages and rows are sound' }
        : {
            check: 'storage',
            ok: false,
            text: faults.map((fault) => fault.text).join('; '),
            fix: 'Run: staffetta verify. Then restore a backup.',
          },
      ...(path === 'memory:' ? [] : [permissionCheck(path)]),
    ];
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return [
      {
        check: 'store',
        ok: false,
        text: error.message,
        ...(error.hint === undefined ? {} : { fix: error.hint }),
      },
    ];
  }
}

function permissionCheck(path: string): Finding {
  const mode = statSync(path).mode & 0o777;
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch {
    return {
      check: 'permissions',
      ok: false,
      text: `${dirname(path)} cannot be written`,
      fix: 'Give yourself write permission on that folder.',
    };
  }
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    return {
      check: 'permissions',
      ok: false,
      text: `others may read the store (mode ${mode.toString(8)})`,
      fix: `Run: chmod 600 ${path}`,
    };
  }
  return { check: 'permissions', ok: true, text: 'only you can read it' };
}

/** The contract of a store, proven on a scratch beside it: the same disk, the same file system, nothing of yours touched. */
async function proof(session: Session): Promise<Finding[]> {
  const { scratchFor } = await import('../../compose/scratch.ts');
  const { runConformance } = await import('../../conformance/run.ts');
  let report: Report;
  session.output.passing('proving the contract on a scratch store …');
  try {
    report = await runConformance(scratchFor(session.located.path));
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return [
      {
        check: 'contract',
        ok: false,
        text: error.message,
        ...(error.hint === undefined ? {} : { fix: error.hint }),
      },
    ];
  } finally {
    session.output.passing('');
  }
  const broken = report.filter((outcome) => !outcome.ok && outcome.unproven === undefined);
  const unproven = report.filter((outcome) => outcome.unproven !== undefined);
  const kept = report.length - broken.length - unproven.length;
  const tried = `${kept} of ${report.length} cases hold on a scratch store in the same place`;
  return [
    broken.length === 0
      ? {
          check: 'contract',
          ok: true,
          text: unproven.length === 0 ? tried : `${tried}; ${unproven.length} could not be tried`,
        }
      : {
          check: 'contract',
          ok: false,
          text: `${tried}; broken: ${broken.map((outcome) => `${outcome.id} (${outcome.error ?? ''})`).join('; ')}`,
          fix: 'Do not trust this place with work. Put the store on another disk with --store.',
        },
  ];
}
