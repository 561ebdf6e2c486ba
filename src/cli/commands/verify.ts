import { isStaffettaError, StaffettaError } from '../../core/error.ts';
import { verifyStore, verifyTask, type Verification } from '../../handoff/verify.ts';
import { exits } from '../fail.ts';
import { longRun } from '../long-run.ts';
import { line } from '../output.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { counted } from '../words.ts';

export async function run({ positionals }: Invocation, session: Session): Promise<number> {
  try {
    return await verified(positionals, session);
  } catch (error) {
    throw unreadable(error);
  }
}

/** Whoever verifies already is not told to verify: the file is too damaged to say more. */
function unreadable(error: unknown): unknown {
  if (!isStaffettaError(error, 'corrupt') || error.hint?.startsWith('Run: staffetta verify') !== true)
    return error;
  return new StaffettaError(error.code, `${error.message} Not even verify can read on.`, {
    details: error.details,
    cause: error,
    hint: 'Keep the file as it is, and go on with a copy of a backup: --store FILE.',
  });
}

async function verified(positionals: readonly string[], session: Session): Promise<number> {
  const [given = ''] = positionals;
  const named = given === '' ? undefined : await session.task(given);
  const found = await longRun(
    session,
    'verify',
    async (context) => await (named === undefined ? verifyStore(context) : verifyTask(context, named)),
  );
  session.output.data(found, () => words(found, session));
  return found.faults.length === 0 ? exits.ok : exits.integrity;
}

function words({ tasks, entries, blobs, faults }: Verification, session: Session): string {
  const { paint } = session.output;
  const state = (kind: 'integrity' | 'completeness'): string => {
    const found = faults.filter((fault) => fault.kind === kind);
    if (found.length === 0) return `${kind}: ${paint.good('ok')}`;
    return [
      `${kind}: ${paint.bad(counted(found.length, 'fault'))}`,
      ...found.map((fault) => `  ${line(fault.text)}`),
    ].join('\n');
  };
  const checked = [counted(tasks, 'task'), counted(entries, 'entry', 'entries'), counted(blobs, 'blob')];
  return [`Checked ${checked.join(', ')}.`, state('integrity'), state('completeness')].join('\n');
}
